//! `Hash` is a promise: what the process holds, by the operating system's count. Where that cannot be asked
//! (`/proc`), the searches are made all the same.

use crate::client::Client;

/// One MiB.
const MIB: u64 = 1 << 20;

/// Bytes by which memory may grow besides `Hash`: stacks, buffers, what the allocator rounds up.
const ALLOWANCE: u64 = 16 * MIB;

/// A position in which the classical policies store many nodes.
const MIDDLEGAME: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// What is held after the start, with the least `Hash`.
fn started() -> (Client, Option<u64>) {
    let mut client = Client::identified();
    client.send("setoption name Hash value 1");
    client.search("go depth 1");
    client.ready();
    let held = client.memory().map(|(now, _)| now);
    (client, held)
}

#[test]
fn hash_covers_tree_and_table_in_long_searches() {
    for (hash, policy, nodes) in
        [(1, "Settled", 200_000), (4, "AR", 150_000), (16, "DisproveBest", 60_000), (32, "Settled", 100_000)]
    {
        let (mut client, before) = started();
        client.send(&format!("setoption name Hash value {hash}"));
        client.send(&format!("setoption name Policy value {policy}"));
        client.send(MIDDLEGAME);
        let (lines, _) = client.search(&format!("go nodes {nodes}"));
        assert!(most_nodes(&lines) >= nodes, "a full memory ends no search: Hash {hash}, {policy}");
        if let (Some(before), Some((_, most))) = (before, client.memory()) {
            let grown = most.saturating_sub(before);
            assert!(grown <= hash * MIB + ALLOWANCE, "Hash {hash}, {policy}: {} KiB more", grown >> 10);
        }
        client.quit();
    }
}

#[test]
fn memory_is_taken_when_needed_and_given_back() {
    let (mut client, before) = started();
    // Some programs send Hash several times; only the last one counts.
    client.send("setoption name Hash value 512");
    client.send("setoption name Hash value 256");
    client.send("setoption name Hash value 2");
    client.ready();
    if let (Some(before), Some((_, most))) = (before, client.memory()) {
        assert!(most <= before + 2 * MIB + ALLOWANCE, "{} MiB for Hash 2", most / MIB);
    }
    client.send("setoption name Hash value 256");
    client.search("go nodes 2000");
    client.send("setoption name Hash value 1");
    client.ready();
    if let (Some(before), Some((now, _))) = (before, client.memory()) {
        assert!(now <= before + ALLOWANCE, "{} MiB are kept", now / MIB);
    }
    client.quit();
}

fn most_nodes(lines: &[String]) -> u64 {
    let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    lines.iter().filter(|line| !line.starts_with("info string")).filter_map(nodes).max().unwrap_or(0)
}

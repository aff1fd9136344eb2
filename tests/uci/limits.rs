//! `go` with every word and every odd number.

use crate::client::Client;

#[test]
fn every_number_of_every_word_is_answered_once() {
    let mut client = Client::identified();
    client.send("position startpos moves e2e4");
    for word in ["wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime"] {
        for value in [
            "",
            "0",
            "1",
            "-1",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "x",
            "1.5",
        ] {
            let before = client.best_moves;
            client.send(&format!("go {word} {value}"));
            client.ready();
            client.send("stop");
            client.until_answers(before + 1);
        }
    }
    for rest in [
        "",
        "ponder",
        "infinite",
        "searchmoves",
        "searchmoves 0000",
        "searchmoves e7e5 nonsense",
        "nonsense 3",
    ] {
        client.send(&format!("go {rest}"));
        client.send("stop");
        client.best_move();
    }
    let before = client.best_moves;
    client.ready();
    assert_eq!(client.best_moves, before, "no more answers than questions");
    client.quit();
}

/// These end by themselves, without a stop.
#[test]
fn what_has_a_limit_ends_by_itself() {
    let mut client = Client::identified();
    client.send("position startpos");
    for go in [
        "go depth 1",
        "go depth 0",
        "go depth -5",
        "go nodes 0",
        "go nodes 1",
        "go nodes -1",
        "go movetime 0",
        "go movetime 1",
        "go movetime -100",
        "go movetime 30",
        "go wtime 0",
        "go wtime -50 btime 1000",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go wtime 1 btime 1 movestogo 1",
        "go wtime 100 btime 100 movestogo 0",
        "go wtime 100 btime 100 movestogo -7",
        "go btime 50000",
        "go winc 10",
        "go binc 10",
        "go wtime 165 btime -170671 winc 2 binc 2000",
        "go wtime 50 winc 9223372036854775807",
        "go depth",
        "go nodes",
        "go movetime x",
        "go wtime",
        "go depth 3 nodes 100 movetime 1000 wtime 100000",
    ] {
        let (lines, best) = client.search(go);
        assert!(lines.iter().any(|line| line.contains(" pv ")), "{go}: {lines:#?}");
        assert_eq!(best.len(), 4, "{go}");
    }
    client.quit();
}

#[test]
fn search_moves_are_kept_to_and_a_limit_is_used_up_on_a_single_one() {
    let mut client = Client::identified();
    client.send("position startpos");
    let (lines, best) = client.search("go depth 6 searchmoves a2a3");
    assert_eq!(best, "a2a3");
    assert!(lines.iter().any(|line| line.starts_with("info depth 6 ")), "{lines:#?}");
    let (_, best) = client.search("go searchmoves a2a3 h2h3 depth 3");
    assert!(["a2a3", "h2h3"].contains(&best.as_str()));
    let (lines, _) = client.search("go nodes 20000 searchmoves d2d4");
    let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    assert!(lines.iter().filter_map(nodes).max().unwrap() > 5_000, "{lines:#?}");
    client.quit();
}

#[test]
fn a_node_limit_is_kept_to() {
    let mut client = Client::identified();
    client.send("position startpos");
    for (threads, limit) in [(1, 1_000_u64), (1, 5_000), (1, 50_000), (2, 1_000), (2, 50_000)] {
        client.send("ucinewgame");
        client.send(&format!("setoption name Threads value {threads}"));
        let (lines, _) = client.search(&format!("go nodes {limit}"));
        let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
        let most = lines.iter().filter_map(nodes).max().unwrap();
        // The limit is looked at every few hundred nodes.
        assert!(most <= limit + 1_000, "{threads} threads, {limit}: {most}");
    }
    client.quit();
}

/// However clear the best move is, an explicit limit is for analysis: it is used up.
#[test]
fn explicit_limits_are_used_up() {
    let mut client = Client::identified();
    for (position, limit) in [
        ("position startpos", 30_000_u64),
        // One legal move, and a queen that hangs.
        ("position fen 6k1/5ppp/8/8/8/7P/5PP1/1r4K1 w - - 0 1", 20_000),
        ("position fen r1b1kbnr/pppp1ppp/2n5/4p1q1/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 0 4", 50_000),
    ] {
        client.send("ucinewgame");
        client.send(position);
        let (lines, _) = client.search(&format!("go nodes {limit}"));
        let most = |name: &str| {
            let number = |line: &String| {
                let words: Vec<&str> = line.split(' ').collect();
                words[words.iter().position(|word| *word == name)? + 1].parse::<u64>().ok()
            };
            let infos = lines.iter().filter(|line| line.contains(" pv "));
            infos.filter_map(number).max().unwrap()
        };
        assert!(most("nodes") >= limit, "{position}: {} of {limit} nodes", most("nodes"));
        // Ten milliseconds are the overhead.
        let (lines, _) = client.search("go movetime 150");
        let told = lines.iter().rev().find_map(|line| line.split(" time ").nth(1)).unwrap();
        let spent: u64 = told.split(' ').next().unwrap().parse().unwrap();
        assert!(spent >= 140, "{position}: {spent} of 150 ms");
    }
    client.quit();
}

#[test]
fn the_same_nodes_give_the_same_answer() {
    let session = || {
        let mut client = Client::identified();
        client.send("position startpos moves e2e4 e7e5 g1f3");
        let (lines, _) = client.search("go nodes 30000");
        client.quit();
        let without_time = |line: &String| {
            line.split(" nps ").next().unwrap().to_owned() + line.split(" pv ").nth(1).unwrap_or_default()
        };
        lines.iter().map(without_time).collect::<Vec<_>>()
    };
    let (one, other) = (session(), session());
    // Which of the bounds are shown depends on the clock; the last line and the answer do not.
    assert_eq!(one[one.len() - 2..], other[other.len() - 2..]);
}

//! Random sessions with the real program: commands in any order, with random pauses, some of them broken. As many
//! answers as questions, only legal moves (judged by the client), no more memory than allowed, and an end when
//! asked for.

mod lines;

use crate::client::Client;
use lines::{MOST_HASH_MIB, Random};
use regulus::engine::options::Options;
use regulus::uci::command::{Line, parse};
use std::thread::sleep;
use std::time::Duration;

/// Sessions of 30 lines on average; the environment variable REGULUS_FUZZ asks for another number, REGULUS_FUZZ_SEED for others.
const SESSIONS: u64 = 60;

/// Bytes that the program may hold besides `Hash`: its code, the networks, the buffers of the channels, the touched part
/// of the search threads' stacks. They were 9 MiB after a search (x86-64 Linux, 2026-11), and 1.5 MiB for each more thread.
const ALLOWANCE: u64 = 32 << 20;

/// What a session asked for.
struct Asked {
    searches: usize,
    readies: usize,
}

impl Asked {
    fn count(script: &[Vec<u8>]) -> Self {
        let lines = || script.iter().map(|line| parse(&String::from_utf8_lossy(line)).line);
        Self {
            searches: lines().filter(|line| matches!(line, Line::Go(_))).count(),
            readies: lines().filter(|line| *line == Line::IsReady).count(),
        }
    }
}

fn session(seed: u64) {
    let mut random = Random(seed);
    let mut client = Client::start();
    let mut script = Vec::new();
    for _ in 0..random.below(60) {
        let line = lines::line(&mut random);
        client.send_bytes(&line);
        script.push(line);
        if random.once_in(2) {
            sleep(Duration::from_millis(random.below(20) as u64));
        }
    }
    // Shown when the test fails, also by a hang.
    println!("seed {seed}:");
    script.iter().for_each(|line| println!("  {:.200}", String::from_utf8_lossy(line)));
    if let Some((_, most)) = client.memory() {
        let hash = MOST_HASH_MIB.max(u64::from(Options::default().hash_mib)) << 20;
        assert!(most <= hash + ALLOWANCE, "seed {seed}: {} MiB", most >> 20);
    }
    if random.once_in(2) {
        client.send("quit");
    } else {
        client.close();
    }
    let (answers, status) = client.end_counted();
    let asked = Asked::count(&script);
    assert_eq!(answers, (asked.searches, asked.readies), "seed {seed}");
    assert!(status.success(), "seed {seed}: {status}");
}

#[test]
fn as_many_answers_as_questions_in_any_order() {
    let asked = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = asked("REGULUS_FUZZ_SEED").unwrap_or(0);
    (first..first + asked("REGULUS_FUZZ").unwrap_or(SESSIONS)).for_each(session);
}

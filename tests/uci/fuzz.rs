//! Commands in any order with small random pauses: as many answers as questions, whatever the order, and a
//! prompt end.

use crate::client::Client;
use std::thread::sleep;
use std::time::Duration;

/// A small deterministic generator (splitmix64, Steele, Lea and Flood, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn choose<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[(self.next() % from.len() as u64) as usize]
    }
}

/// Sessions of 30 lines on average, 10 seconds in all; the environment variable REGULUS_FUZZ asks for another
/// number.
const SESSIONS: u64 = 60;

const LINES: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves f2f3 e7e5 g2g4 d8h4",
    "position startpos moves e2e4 e2e4",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 1k6/8/1K6/5R2/8/8/8/8 w - - 0 1",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "go infinite",
    "go infinite",
    "go ponder wtime 300 btime 300",
    "go ponder",
    "go wtime 50 btime 50 winc 5 binc 5",
    "go wtime -5 btime 10",
    "go depth 3",
    "go nodes 500",
    "go nodes 0",
    "go movetime 5",
    "go mate 1",
    "go searchmoves e2e4 e8g8",
    "go",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "isready",
    "isready",
    "ucinewgame",
    "setoption name Hash value 1",
    "setoption name Hash value 4",
    "setoption name Hash value x",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "setoption name Ponder value true",
    "setoption name SearchMode value AlphaBeta",
    "setoption name SearchMode value BStar",
    "setoption name Policy value AR",
    "setoption name Policy value DisproveBest-Alternation",
    "setoption name Policy value Settled",
    "setoption name IntervalModel value NullMove",
    "debug on",
    "debug off",
    "d",
    "eval",
    "go perft 2",
    "uci",
    "",
    "garbage",
];

fn session(seed: u64) {
    let mut random = Random(seed);
    let mut client = Client::start();
    let mut script = Vec::new();
    for _ in 0..random.next() % 60 {
        let line = random.choose(LINES);
        script.push(line);
        client.send(line);
        if random.next().is_multiple_of(2) {
            sleep(Duration::from_millis(random.next() % 20));
        }
    }
    // Shown when the test fails, also by a hang.
    println!("seed {seed}: {script:#?}");
    let asked = |word: &str| {
        script.iter().filter(|line| line.split(' ').next() == Some(word) && !line.contains("perft")).count()
    };
    let (gos, readies) = (asked("go"), asked("isready"));
    let by_quit = random.next().is_multiple_of(2);
    if by_quit {
        client.send("quit");
    } else {
        client.close();
    }
    let (answers, status) = client.end_counted();
    assert_eq!(answers, (gos, readies), "seed {seed}: {script:#?}");
    assert!(status.success(), "seed {seed}: {status}");
}

#[test]
fn as_many_answers_as_questions_in_any_order() {
    let more = std::env::var("REGULUS_FUZZ").ok().and_then(|count| count.parse().ok());
    (0..more.unwrap_or(SESSIONS)).for_each(session);
}

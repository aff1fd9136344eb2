//! Nodes a second of the alpha-beta twin over fixed positions: `cargo run --release --example probe_speed [depth]`.

use regulus::bstar::Unwatched;
use regulus::chess::Position;
use regulus::chess::probe::{Probe, RootMoves, Table};
use regulus::chess::twin::{TwinLimits, think};
use std::sync::Arc;
use std::time::Instant;

const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 12",
    "8/pp3p1k/2p2q1p/3r1P2/5R2/7P/P1P1QP2/7K b - - 0 1",
    "6k1/5p2/6p1/8/7p/8/6PP/6K1 b - - 0 1",
    "5rk1/q6p/2p3bR/1pPp1rP1/1P1Pp3/P3B1Q1/1K3P2/R7 w - - 93 90",
];

fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(14);
    let (mut nodes, mut seconds) = (0, 0.0);
    for fen in POSITIONS {
        let mut probe = Probe::new(Arc::new(Table::new(16 << 20)));
        let position = Position::from_board(fen.parse().expect("a position of the list above"));
        let start = Instant::now();
        let limits = TwinLimits { depth, moves: RootMoves::All, lines: 1 };
        let choice = think(&mut probe, &position, limits, &mut Unwatched, |_| true);
        let taken = start.elapsed().as_secs_f64();
        let line: Vec<String> = choice.line.iter().take(6).map(ToString::to_string).collect();
        println!(
            "{:>9} nodes {:>7.0} kn/s  {:>6} cp  {}",
            choice.nodes,
            choice.nodes as f64 / taken / 1e3,
            choice.value,
            line.join(" ")
        );
        nodes += choice.nodes;
        seconds += taken;
    }
    println!("{nodes} nodes in {seconds:.2} s: {:.0} nodes/s", nodes as f64 / seconds);
}

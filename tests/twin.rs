//! The alpha-beta twin by its public face.

use cozy_chess::Move;
use regulus::bstar::{Interrupted, Monitor, Unwatched};
use regulus::chess::probe::{Bound, Probe, RootMoves, Table};
use regulus::chess::twin::{Choice, Iteration, TwinLimits, think};
use regulus::chess::{Position, Score};
use std::sync::Arc;

const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn set_up(fen: &str) -> Position {
    Position::from_board(fen.parse().unwrap())
}

fn new_probe() -> Probe {
    Probe::new(Arc::new(Table::new(1 << 20)))
}

fn to_depth(depth: i32) -> TwinLimits<'static> {
    TwinLimits { depth, moves: RootMoves::All, lines: 1 }
}

/// Interrupts once this many nodes are done.
struct Nodes(u64);

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(units);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

#[test]
fn iterations_are_reported_and_the_last_one_is_the_choice() {
    let mut seen: Vec<Iteration> = Vec::new();
    let choice = think(&mut new_probe(), &set_up(MIDDLEGAME), to_depth(9), &mut Unwatched, |iteration| {
        seen.push(iteration.clone());
        true
    });
    let complete: Vec<_> = seen.iter().filter(|iteration| iteration.bound == Bound::Exact).collect();
    assert_eq!(
        complete.iter().map(|iteration| iteration.depth).collect::<Vec<_>>(),
        (1..=9).collect::<Vec<_>>()
    );
    let last = complete.last().unwrap();
    assert_eq!(
        (last.line.first(), last.value, last.depth),
        (choice.best.as_ref(), choice.value, choice.depth)
    );
    assert!(seen.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
    assert!(
        seen.iter().all(|iteration| (0.0..=1.0).contains(&iteration.best_share) && iteration.seldepth >= 1)
    );
    assert!(last.best_share > 0.1);
    assert_eq!(choice.ponder, choice.line.get(1).copied());
    assert!(choice.nodes >= last.nodes);
}

#[test]
fn however_early_it_is_stopped_there_is_a_move() {
    let position = set_up(MIDDLEGAME);
    for nodes in [1, 256, 257, 600, 1_500, 5_000, 20_000] {
        let mut probe = new_probe();
        let choice = think(&mut probe, &position, to_depth(60), &mut Nodes(nodes), |_| true);
        assert!(choice.best.is_some_and(|best| position.board().is_legal(best)), "{nodes} nodes");
        assert!(choice.nodes <= nodes + 256, "{} of {nodes} nodes", choice.nodes);
    }
}

#[test]
fn the_watcher_ends_it() {
    let choice = think(&mut new_probe(), &set_up(MIDDLEGAME), to_depth(60), &mut Unwatched, |iteration| {
        iteration.depth < 4
    });
    assert_eq!(choice.depth, 4);
}

#[test]
fn without_a_legal_move_there_is_none() {
    let mated = set_up("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let choice = think(&mut new_probe(), &mated, to_depth(5), &mut Unwatched, |_| true);
    assert_eq!(
        choice,
        Choice { best: None, ponder: None, value: 0, line: vec![], others: vec![], depth: 0, nodes: 0 }
    );
}

#[test]
fn search_moves_are_obeyed() {
    let only: [Move; 2] = ["a1b1".parse().unwrap(), "h2h4".parse().unwrap()];
    let limits = TwinLimits { depth: 7, moves: RootMoves::Only(&only), lines: 1 };
    let choice = think(&mut new_probe(), &set_up(MIDDLEGAME), limits, &mut Unwatched, |_| true);
    assert!(only.contains(&choice.best.unwrap()));
    assert_eq!(choice.depth, 7);
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, expected) in [
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("Qk6/8/1K6/1R6/8/8/8/8 b - - 0 1", -2),
        ("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88", 1),
    ] {
        let choice = think(&mut new_probe(), &set_up(fen), to_depth(9), &mut Unwatched, |_| true);
        assert_eq!(Score::from_probe(choice.value, 0).mate_in_moves(0), Some(expected), "{fen}");
    }
}

#[test]
fn a_queen_up_it_mates_a_bare_king() {
    let mut position = set_up("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    let mut probe = new_probe();
    while position.outcome().is_none() {
        let choice = think(&mut probe, &position, to_depth(60), &mut Nodes(20_000), |_| true);
        position.play(choice.best.unwrap());
    }
    assert_eq!(position.outcome(), Some(regulus::chess::Outcome::Checkmate));
}

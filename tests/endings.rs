//! Endings against a bare king are won, without tables, by both searches, within the fifty-move rule. Both sides are played by
//! the engine, with so many nodes a move, so that the games are the same everywhere. `scripts/endings.py` is the
//! sharper test: it plays against tables.
//!
//! The nodes are so few that the [knowledge](regulus::chess::eval::endings) is needed. Without it (seen on 2026-11-30) each of
//! the two searches loses the win in all the groups below but the queen's, which the network knows.

use cozy_chess::Move;
use regulus::chess::{Outcome, Position, Score};
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::searcher::{Finding, Interrupted, Monitor, Request, Searcher, Watch};

/// Ends a search after so many nodes.
struct Limited {
    nodes: u64,
    limit: u64,
}

impl Monitor for Limited {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes += units;
        if self.nodes < self.limit { Ok(()) } else { Err(Interrupted) }
    }
}

impl Watch for Limited {
    fn spent(&self) -> Option<f64> {
        None
    }
    fn nodes(&self) -> u64 {
        self.nodes
    }
    fn node_limit(&self) -> Option<u64> {
        Some(self.limit)
    }
    fn report(&mut self, _finding: Finding) {}
    fn note(&mut self, _text: String) {}
}

fn think(modes: &mut Modes, options: &Options, position: &Position, limit: u64) -> Option<Finding> {
    let root_moves = position.legal_moves();
    let request = Request {
        position,
        root_moves: &root_moves,
        depth: None,
        lines: 1,
        contempt: 0,
        options,
        ask_tablebases: true,
        strength: None,
    };
    modes.search(&request, &mut Limited { nodes: 0, limit })
}

fn choose(modes: &mut Modes, options: &Options, position: &Position, limit: u64) -> Move {
    think(modes, options, position, limit)
        .map_or_else(|| position.legal_moves()[0], |finding| finding.line[0])
}

fn engine(mode: &str) -> (Modes, Options) {
    let mut options = Options::default();
    options.set("Hash", Some("2")).unwrap();
    options.set("SearchMode", Some(mode)).unwrap();
    let mut modes = Modes::default();
    modes.prepare(&options).unwrap();
    (modes, options)
}

fn play_out(fen: &str, mode: &str, nodes: u64) -> Option<Outcome> {
    let (mut modes, options) = engine(mode);
    let mut game = Position::from_board(fen.parse().unwrap());
    while game.outcome().is_none() {
        game.play(choose(&mut modes, &options, &game, nodes));
    }
    game.outcome()
}

/// Nodes a move, and starts.
const WON: [(u64, &[&str]); 5] = [
    (300, &["8/8/8/3k4/8/8/8/K5Q1 w - - 0 1"]),
    (300, &["8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/8/4k3/8/8/8/K6R w - - 0 1"]),
    (1_000, &["8/8/8/3k4/8/8/8/K1B2B2 w - - 0 1", "k7/8/8/8/8/8/8/K1B2B2 w - - 0 1"]),
    (
        1_000,
        &[
            "8/8/3k4/8/8/4K3/4P3/8 w - - 0 1",
            "8/8/8/8/1k6/8/2KP4/8 w - - 0 1",
            "8/1p6/1k6/8/4K3/8/8/8 b - - 0 1",
        ],
    ),
    (
        300,
        &[
            "8/8/8/3k4/8/8/8/K1B3N1 w - - 0 1",
            "k7/8/8/8/8/8/8/K1N2B2 w - - 0 1",
            "8/8/8/4k3/8/8/8/K1N2B2 w - - 0 1",
        ],
    ),
];

#[test]
fn won_endings_are_won() {
    let mut others = Vec::new();
    for mode in ["BStar", "AlphaBeta"] {
        for (nodes, fen) in
            WON.iter().flat_map(|(nodes, starts)| starts.iter().map(move |fen| (*nodes, *fen)))
        {
            let end = play_out(fen, mode, nodes);
            if end != Some(Outcome::Checkmate) {
                others.push((mode, fen, end));
            }
        }
    }
    assert_eq!(others, []);
}

#[test]
fn bishop_and_knight_are_a_mate_of_known_length_or_none_in_time() {
    // `scripts/endings.py` at 1+0.1: a search to which the mate was only a value that grows did not win this.
    const BARE: &str = "8/5k2/8/8/3K4/3n4/4b3/8 b - -";
    const MOVES: usize = 29;
    for mode in ["BStar", "AlphaBeta"] {
        // The clock's hundredth ply may mate, the one after it not.
        for (clock, mate) in [(0, true), (101 - 2 * MOVES, true), (102 - 2 * MOVES, false)] {
            let (mut modes, options) = engine(mode);
            let position = Position::from_board(format!("{BARE} {clock} 80").parse().unwrap());
            let found = think(&mut modes, &options, &position, 2_000).unwrap();
            let moves = found.score.mate_in_moves(position.game_ply());
            assert_eq!(moves, mate.then_some(MOVES as i32), "{mode}, clock {clock}");
            assert!(mate || found.score == Score::DRAW, "{mode}");
            let mut end = position.clone();
            found.line.iter().for_each(|&action| end.play(action));
            assert!(!mate || end.outcome() == Some(Outcome::Checkmate), "{mode}: the line leads to the mate");
        }
    }
}

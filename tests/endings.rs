//! Endings against a bare king are won, without tables, by both searches, within the fifty-move rule. Both sides are played by
//! the engine, with so many nodes a move, so that the games are the same everywhere. `scripts/endings.py` is the
//! sharper test: it plays against tables.

use cozy_chess::Move;
use regulus::chess::{Outcome, Position};
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::searcher::{Finding, Interrupted, Monitor, Request, Searcher, Watch};

/// Nodes a move.
const NODES: u64 = 4_000;

/// Ends a search after [`NODES`].
struct Limited(u64);

impl Monitor for Limited {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 += units;
        if self.0 < NODES { Ok(()) } else { Err(Interrupted) }
    }
}

impl Watch for Limited {
    fn spent(&self) -> Option<f64> {
        None
    }
    fn nodes(&self) -> u64 {
        self.0
    }
    fn node_limit(&self) -> Option<u64> {
        Some(NODES)
    }
    fn report(&mut self, _finding: Finding) {}
    fn note(&mut self, _text: String) {}
}

fn choose(modes: &mut Modes, options: &Options, position: &Position) -> Move {
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
    let found = modes.search(&request, &mut Limited(0));
    found.map_or(root_moves[0], |finding| finding.line[0])
}

fn play_out(fen: &str, mode: &str) -> Option<Outcome> {
    let mut options = Options::default();
    options.set("Hash", Some("2")).unwrap();
    options.set("SearchMode", Some(mode)).unwrap();
    let mut modes = Modes::default();
    modes.prepare(&options).unwrap();
    let mut game = Position::from_board(fen.parse().unwrap());
    while game.outcome().is_none() {
        game.play(choose(&mut modes, &options, &game));
    }
    game.outcome()
}

#[test]
fn won_endings_are_won() {
    for mode in ["BStar", "AlphaBeta"] {
        for fen in [
            "8/8/8/3k4/8/8/8/K5Q1 w - - 0 1",
            "8/8/8/3k4/8/8/8/K6R w - - 0 1",
            "8/8/8/3k4/8/8/8/K1B2B2 w - - 0 1",
            "8/8/3k4/8/8/4K3/4P3/8 w - - 0 1",
            // Without knowledge of this ending hardly a game is won.
            "8/8/8/3k4/8/8/8/K1B3N1 w - - 0 1",
        ] {
            assert_eq!(play_out(fen, mode), Some(Outcome::Checkmate), "{mode} {fen}");
        }
    }
}

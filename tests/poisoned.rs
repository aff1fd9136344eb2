//! A search that panics costs what it had learned, and nothing more: each `go` has its answer, the user is told, and the
//! program goes on.

use cozy_chess::Board;
use regulus::chess::Position;
use regulus::chess::fen::read_move;
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::searcher::{Evaluation, Finding, Request, Searcher, Watch};
use regulus::{bench, uci};
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// Where it panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Poison {
    Preparation,
    Clearing,
    BeforeAnything,
    AfterAFinding,
    Evaluation,
}

/// The engine's own search with poison in it.
struct Poisoned {
    search: Box<dyn Searcher>,
    poison: Poison,
}

impl Poisoned {
    fn takes_effect(&self, poison: Poison) {
        assert!(self.poison != poison, "a test's poison");
    }
}

impl Searcher for Poisoned {
    fn prepare(&mut self, options: &Options) -> Result<(), String> {
        self.takes_effect(Poison::Preparation);
        self.search.prepare(options)
    }

    fn clear(&mut self) {
        self.takes_effect(Poison::Clearing);
        self.search.clear();
    }

    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
        self.takes_effect(Poison::BeforeAnything);
        let finding = self.search.search(request, watch);
        self.takes_effect(Poison::AfterAFinding);
        finding
    }

    fn evaluate(&mut self, position: &Position, options: &Options) -> Evaluation {
        self.takes_effect(Poison::Evaluation);
        self.search.evaluate(position, options)
    }
}

/// Text that two threads can reach.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the program says to these lines.
fn session(poison: Poison, input: &'static str) -> Vec<String> {
    let output = Shared::default();
    let make = move || -> Box<dyn Searcher> { Box::new(Poisoned { search: Modes::boxed(), poison }) };
    uci::run(Cursor::new(input), output.clone(), make, bench::task).unwrap();
    let text = output.0.lock().unwrap().clone();
    String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
}

const INPUT: &str = "uci\nisready\neval\nposition startpos moves e2e4\ngo depth 3\nucinewgame\nisready\n\
                     setoption name Clear Hash\ngo nodes 500\nisready\nd\n";

#[test]
fn each_question_is_answered_whatever_panics() {
    let mut board = Board::startpos();
    board.play("e2e4".parse().unwrap());
    for poison in [
        Poison::Preparation,
        Poison::Clearing,
        Poison::BeforeAnything,
        Poison::AfterAFinding,
        Poison::Evaluation,
    ] {
        let lines = session(poison, INPUT);
        let count = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert!(count("info string internal error: a test's poison") >= 1, "{poison:?}: {lines:#?}");
        assert_eq!(count("readyok"), 3, "{poison:?}: {lines:#?}");
        assert_eq!(count("bestmove "), 2, "{poison:?}: {lines:#?}");
        for line in lines.iter().filter(|line| line.starts_with("bestmove ")) {
            let best = line.split(' ').nth(1).unwrap();
            assert!(read_move(&board, best).is_some(), "{poison:?}: {line}");
        }
        assert!(lines.iter().any(|line| line.starts_with("Fen: ") && line.contains("4P3")), "{poison:?}");
    }
}

#[test]
fn what_was_found_before_the_panic_is_played() {
    let lines = session(Poison::AfterAFinding, "position fen 1k6/8/1K6/5R2/8/8/8/8 w - - 0 1\ngo depth 3\n");
    assert!(lines.iter().any(|line| line.starts_with("bestmove f5f8")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:#?}");
}

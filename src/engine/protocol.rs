//! What the front end and the search thread say to each other: plain data, no behaviour.
//!
//! Numbers in [`Limits`] are what a user or a tool wrote, however odd; [`clock`](super::clock) and the worker
//! make sense of them. Moves and positions travel as text, since only the worker knows the position that they
//! refer to.

use crate::bstar::Monitor;
pub use crate::chess::eval::network::Forecast;
use std::fmt;
use std::time::{Duration, Instant};

/// What the front end asks of the search thread, in the order in which it was asked.
#[derive(Debug)]
pub enum Command {
    /// Say [`Event::Ready`] when all that came before is done, memory included.
    Ready,
    /// The position to search from now on.
    Position(Setup),
    /// Search, and answer with one [`Event::BestMove`].
    Go {
        /// What was asked.
        limits: Limits,
        /// When it was asked: the clock runs from here.
        received: Instant,
    },
    /// End the search in progress. Without one it means nothing.
    Stop,
    /// The opponent played the expected move: the pondering search is now on the clock.
    PonderHit,
    /// Set an option by its name.
    SetOption {
        /// The name as it was written.
        name: String,
        /// The value as it was written; `None` when there was none.
        value: Option<String>,
    },
    /// A new game: forget what was learned.
    NewGame,
    /// Say more about what is done.
    Debug(bool),
    /// Show the position.
    Show,
    /// Show how the root moves stand, in the search that runs or in the last one of the position.
    Moves,
    /// Show what is thought of the position at first sight, with its interval.
    Evaluate,
    /// Write the network in use to a file; `None` is a file of its own name in the working folder.
    ExportNetwork(Option<String>),
    /// Count the leaves of the tree of legal moves of this depth, divided by first moves.
    Perft(u32),
    /// Anything else that is done in the search thread, in order.
    Task(Task),
    /// Nothing more will come. A search that ends by itself is finished and answered first.
    EndOfInput,
    /// End at once.
    Quit,
}

/// A position as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// The FEN; `None` is the start position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<String>,
}

/// Work that another module does in the search thread: lines go to the second argument, and the monitor ends it
/// early.
pub struct Task(pub TaskFn);

/// The function of a [`Task`].
pub type TaskFn = Box<dyn FnOnce(&mut dyn Monitor, &mut dyn FnMut(String)) + Send>;

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Task")
    }
}

/// How long and where to search, as asked. `None` is what was not said; any number may be negative or absurd.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Only these first moves (text); empty is all.
    pub search_moves: Vec<String>,
    /// The opponent is to move in the real game: no answer before [`Command::PonderHit`] or [`Command::Stop`].
    pub ponder: bool,
    /// No answer before [`Command::Stop`].
    pub infinite: bool,
    /// White's clock, milliseconds.
    pub white_time: Option<i64>,
    /// Black's clock, milliseconds.
    pub black_time: Option<i64>,
    /// White's increment a move, milliseconds.
    pub white_increment: Option<i64>,
    /// Black's increment a move, milliseconds.
    pub black_increment: Option<i64>,
    /// Moves until the next time control.
    pub moves_to_go: Option<i64>,
    /// Plies.
    pub depth: Option<i64>,
    /// Nodes.
    pub nodes: Option<i64>,
    /// Find a mate in this many moves.
    pub mate: Option<i64>,
    /// Milliseconds for this move.
    pub move_time: Option<i64>,
}

impl Limits {
    /// A clock, or part of one, was given.
    pub fn has_clock(&self) -> bool {
        [self.white_time, self.black_time, self.white_increment, self.black_increment]
            .iter()
            .any(Option::is_some)
    }

    /// A limit was given that is to be used up whatever the search finds.
    pub fn is_explicit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some() || self.mate.is_some()
    }

    /// The search ends by itself, without [`Command::Stop`].
    pub fn is_bounded(&self) -> bool {
        let ends =
            self.has_clock() || self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some();
        ends && !self.infinite && !self.ponder
    }
}

/// What the search thread tells.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The answer to [`Command::Ready`].
    Ready,
    /// What the search in progress has found.
    Info(Report),
    /// A sentence for the user.
    Note(String),
    /// How the root moves stand, best first; none when nothing was searched here.
    Moves(Vec<MoveView>),
    /// Lines that were asked for by name (identity, board, perft, bench, help).
    Text(String),
    /// What is thought of the position at first sight, from the side to move.
    Evaluation {
        /// The board with what each man is worth.
        board: String,
        /// The chances of a win, a draw and a loss, in thousandths.
        chances: [u16; 3],
        /// What the network says: lower quantile, realistic value, upper quantile.
        forecast: Forecast,
        /// The static value as a search uses it, with what was learned of the network's errors.
        statically: Value,
        /// The value of the shortest search.
        probed: Value,
        /// Where a deeper search's value is believed to lie: lower, upper.
        interval: (Value, Value),
    },
    /// The answer to [`Command::Go`]. Moves are text in the notation that the options ask for.
    BestMove {
        /// `None` when there is no legal move.
        best: Option<String>,
        /// The reply to ponder on.
        ponder: Option<String>,
    },
}

/// One finding of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Plies searched, at least 1.
    pub depth: u32,
    /// Plies of the longest line looked at, at least `depth`.
    pub selective_depth: u32,
    /// Since the search was asked for.
    pub time: Duration,
    /// Positions visited in this search.
    pub nodes: u64,
    /// Share of the memory in use, in permille.
    pub hash_full: u32,
    /// Positions found in endgame tables in this search.
    pub table_hits: u64,
    /// From the side to move.
    pub value: Value,
    /// How `value` is to be read.
    pub bound: Bound,
    /// The line, as legal moves in text; it ends where the game ends.
    pub line: Vec<String>,
    /// The chances that go with `value`, if they are asked for: win, draw and loss in thousandths.
    pub chances: Option<[u16; 3]>,
    /// The lines carry their numbers: the user may want more than one.
    pub numbered: bool,
    /// The lines behind the first, from the second on.
    pub others: Vec<OtherView>,
    /// B\*'s root, when it searched.
    pub root: Option<RootView>,
    /// How the root moves stand, if that is asked for.
    pub moves: Vec<MoveView>,
}

/// A line that does not begin with the best move, from the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct OtherView {
    /// The value of its first move.
    pub value: Value,
    /// The chances that go with it, if they are asked for: win, draw and loss in thousandths.
    pub chances: Option<[u16; 3]>,
    /// The line, as legal moves in text.
    pub line: Vec<String>,
    /// B\*: the first move's interval.
    pub interval: Option<(Value, Value)>,
}

/// A root move and how it stands, from the side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveView {
    /// The move in text.
    pub name: String,
    /// B\*: its interval.
    pub interval: Option<(Value, Value)>,
    /// Its searched value, and how that is to be read; `None` before it was searched.
    pub realistic: Option<(Value, Bound)>,
    /// Plies of search behind that value.
    pub depth: u32,
    /// B\*: nodes expanded below it in this search.
    pub expansions: u64,
    /// Nodes searched below it in this search.
    pub nodes: u64,
    /// Its share of the nodes of all root moves, in permille.
    pub share: u32,
    /// Where it stands: `best`, `separated`, `open` or `out`.
    pub status: &'static str,
}

/// A value for the user, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Centipawns.
    Centipawns(i32),
    /// Full moves to mate; negative when the side to move is mated, 0 when it stands mated.
    Mate(i32),
    /// Nothing is known in this direction: an interval's open end. Positive is above all values.
    Open {
        /// Above all values, else below.
        above: bool,
    },
}

/// How a value is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself; in the last report of an interrupted search the best that is known of it.
    Exact,
    /// At least this.
    Lower,
    /// At most this.
    Upper,
}

/// What B\* knows of the root, from its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct RootView {
    /// The best move's interval: lower, upper.
    pub best: (Value, Value),
    /// The best rival with its interval; `None` when there is no other move.
    pub rival: Option<(String, (Value, Value))>,
    /// The name of the strategy that chose last.
    pub strategy: &'static str,
    /// The best move is proved better than every rival, as far as the intervals can be trusted.
    pub separated: bool,
    /// Nodes expanded in this search.
    pub expansions: u64,
    /// Nodes in the graph now.
    pub graph_nodes: u64,
    /// Plies of the principal line that the graph holds.
    pub line_plies: u32,
    /// In the last report: how the search ended.
    pub ending: Option<Ending>,
}

/// How a search by B\* ended, in words and whole numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Why: `separated`, `only move`, `budget`, `interrupted`.
    pub why: &'static str,
    /// Nodes of the graph that the root reaches.
    pub tree_nodes: u64,
    /// Percent of the time meant for the move; `None` where none was meant.
    pub percent_of_time: Option<u32>,
}

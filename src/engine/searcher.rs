//! The seam between the service and a search: what the worker asks of it ([`Searcher`]) and what it may ask of
//! the worker ([`Watch`]). A search reads no clock, prints nothing and knows no protocol.

use super::options::Options;
use super::protocol::Bound;
use super::strength::Strength;
use crate::bstar::settled::Tally;
pub use crate::bstar::{Interrupted, Monitor, Unwatched};
use crate::bstar::{Interval, Termination};
use crate::chess::{Position, Score};
use cozy_chess::Move;

/// What to search.
pub struct Request<'a> {
    /// The root, with the game that led to it. It is not terminal, but may be a draw by rule: that is for the
    /// players to claim, and a move is wanted all the same.
    pub position: &'a Position,
    /// The moves to choose from: legal, at least one.
    pub root_moves: &'a [Move],
    /// Plies to search at most; `None` is as deep as it goes.
    pub depth: Option<u32>,
    /// How many lines are wanted, at least one, each with an exact value.
    pub lines: usize,
    /// Centipawns by which a draw is worse than level for the root's side to move.
    pub contempt: i32,
    /// Who plays below full strength, searches alone, without helpers, and knows nothing of what was learned at another one. The
    /// nodes are the watch's to count.
    pub strength: Option<Strength>,
    /// What the user set.
    pub options: &'a Options,
    /// The endgame tables are to be asked about positions below the root. Not where they have chosen the root's moves: all of
    /// those are worth the same to them, and the search is to find out which is best.
    pub ask_tablebases: bool,
}

/// What a search has found at some moment, from the root's side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Plies searched.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub selective_depth: u32,
    /// The value of `line`'s first move.
    pub score: Score,
    /// How `score` is to be read. What a search returns is [`Bound::Exact`]: the value that it chose by, which in an
    /// interrupted one may be known as a lower bound only.
    pub bound: Bound,
    /// The expected line, from the root, at least one move long.
    pub line: Vec<Move>,
    /// Share of the memory in use, in permille.
    pub hash_full: u32,
    /// B\*'s root, when it searched.
    pub root: Option<RootFinding>,
    /// The lines behind the first, where several are wanted: of the same moment, no move twice, none better than the one
    /// before.
    pub others: Vec<OtherLine>,
    /// What is known of each root move, the best one first.
    pub moves: Vec<MoveFinding>,
}

/// A line that does not begin with the best move. Values are from the root's side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct OtherLine {
    /// The value of its first move.
    pub score: Score,
    /// The line, from the root, at least one move long.
    pub line: Vec<Move>,
    /// B\*: the first move's interval.
    pub interval: Option<Interval<Score>>,
}

/// What is known of a root move, and what it has cost. Values are from the root's side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFinding {
    /// The move.
    pub action: Move,
    /// B\*: where its value is believed to lie.
    pub interval: Option<Interval<Score>>,
    /// Its searched value, and how that is to be read; `None` before it was searched.
    pub realistic: Option<(Score, Bound)>,
    /// Plies of search behind that value, this move included.
    pub depth: u32,
    /// B\*: nodes expanded below it in this search.
    pub expansions: u64,
    /// Nodes searched below it in this search.
    pub nodes: u64,
    /// Where it stands among the others.
    pub status: MoveStatus,
}

/// Where a root move stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveStatus {
    /// The best.
    Best,
    /// The best, and proved better than all others as far as the intervals can be trusted.
    Separated,
    /// It may still be better than the best.
    Open,
    /// It is worth no more than the best is at least.
    Out,
}

impl Finding {
    /// What is found where nothing was searched: a line with a value of which nothing more is known.
    pub fn of_one_move(score: Score, line: Vec<Move>) -> Self {
        Self {
            depth: 1,
            selective_depth: 1,
            score,
            bound: Bound::Exact,
            line,
            hash_full: 0,
            root: None,
            others: Vec::new(),
            moves: Vec::new(),
        }
    }
}

/// What B\* knows of the root, from its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct RootFinding {
    /// The best move's interval.
    pub best: Interval<Score>,
    /// The best rival with its interval.
    pub rival: Option<(Move, Interval<Score>)>,
    /// The name of the strategy that chose last.
    pub strategy: &'static str,
    /// The best move is proved better than every rival, as far as the intervals can be trusted.
    pub separated: bool,
    /// What was done in this search.
    pub tally: Tally,
    /// Nodes in the graph now.
    pub graph_nodes: u64,
    /// Plies of the principal line that the graph holds.
    pub line_plies: u32,
    /// Of the last finding: how the search ended.
    pub ending: Option<Ending>,
}

/// How a search by B\* ended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ending {
    /// Why.
    pub termination: Termination,
    /// Nodes of the graph that the root reaches.
    pub tree_nodes: u64,
    /// The part of the time meant for the move that was used: 1 is all of it. `None` where none was meant.
    pub spent: Option<f64>,
}

/// The worker, seen from a search: a [`Monitor`] that also takes findings and knows the budget.
pub trait Watch: Monitor {
    /// How much of the time meant for this move is used: 1 is all of it. `None` when only the monitor ends the
    /// search: it has no clock, or is to use an explicit limit up, or ponders.
    fn spent(&self) -> Option<f64>;

    /// Nodes counted so far in this search.
    fn nodes(&self) -> u64;

    /// Nodes of all workers at which the search is to end, whatever the clock says; `None` without such a limit.
    fn node_limit(&self) -> Option<u64> {
        None
    }

    /// Takes note of a finding and, if it is worth a line, shows it. The first exact one should come early:
    /// until then the search is given a small grace beyond every limit, so that each answer has a thought
    /// behind it.
    fn report(&mut self, finding: Finding);

    /// A sentence for the user about what went wrong meanwhile.
    fn note(&mut self, _text: String) {}
}

/// What is thought of a position at first sight, from its side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evaluation {
    /// The static value.
    pub statically: Score,
    /// The value of the shortest search.
    pub probed: Score,
    /// Where a deeper search's value is believed to lie, by the interval model.
    pub interval: Interval<Score>,
}

/// A search with its memory.
pub trait Searcher: Send {
    /// Makes the memory as large as the options ask, if it is not yet. What was learned may be lost.
    ///
    /// # Errors
    /// A sentence for the user when there is not so much; the memory is then as it was.
    fn prepare(&mut self, options: &Options) -> Result<(), String>;

    /// Forgets what was learned.
    fn clear(&mut self);

    /// Searches until it is sure, the depth is reached, the soft budget is used up or the monitor interrupts,
    /// and returns the last exact finding, whose first move is the move to play. `None` when it was interrupted
    /// before it had any thought of its own.
    ///
    /// What was learned of earlier positions may be used: the search is told the position and finds its own way
    /// back.
    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding>;

    /// What is thought of a position at first sight.
    fn evaluate(&mut self, position: &Position, options: &Options) -> Evaluation;
}

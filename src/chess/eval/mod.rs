//! Evaluation: the static value of a position.
//!
//! The search knows only [`Evaluator`], and of its implementations only the one that [`Evaluation`] names: dispatch is
//! static, and replacing the evaluation is a change of that one line.

pub mod endings;
pub mod network;

use cozy_chess::{Board, Move};

/// The evaluation in use.
pub type Evaluation = network::NetworkLine;

/// A static evaluation that may keep state along a line of play, as a network's accumulators do.
///
/// The search calls [`refresh`](Self::refresh) with a board, then [`play`](Self::play) and [`pass`](Self::pass) for
/// each move down and [`undo`](Self::undo) for each one back, strictly nested, and asks for values in between.
pub trait Evaluator {
    /// Forgets all that was played and stands at `board`.
    fn refresh(&mut self, board: &Board);

    /// `action`, legal on `before`, led to `after`.
    fn play(&mut self, before: &Board, action: Move, after: &Board);

    /// The side to move passed.
    fn pass(&mut self);

    /// Takes the last [`play`](Self::play) or [`pass`](Self::pass) back.
    fn undo(&mut self);

    /// The static value of `board`, the position that the calls before led to, in centipawns from its side to move,
    /// within the heuristic band of [`Score`](crate::chess::Score).
    fn evaluate(&mut self, board: &Board) -> i32;
}

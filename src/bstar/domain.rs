//! [`Domain`]: what a game supplies to the search.

use super::{Effort, Estimate, Interrupted, Monitor, Question, Value};
use std::fmt::Debug;

/// One successor of an expanded position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Successor<A, V> {
    /// The move that leads there.
    pub action: A,
    /// [`Domain::key`] of the position behind it.
    pub key: u64,
    /// What is known of it, from *its own* side to move (so, for the mover, to be negated).
    pub estimate: Estimate<V>,
}

/// What can be done with a leaf that the search has selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeafStep {
    /// Replace it by its successors.
    Expand,
    /// Estimate the same node better, with this effort.
    Refine(Effort),
}

/// A game, as a cursor: it stands at one position and is moved along the tree by [`play`](Self::play) and
/// [`undo`](Self::undo). The graph stores no positions; each worker has a cursor of its own.
///
/// Every value is from the side to move at the position to which it belongs.
pub trait Domain {
    /// Centipawns, rationals, integers.
    type Value: Value;
    /// A move.
    type Action: Copy + Eq + Debug + Send + Sync + 'static;

    /// Identity of the current position. Two positions with the same key at the same ply have the same successors
    /// and the same estimates, whatever path led to them.
    fn key(&self) -> u64;

    /// Makes a move of the current position.
    fn play(&mut self, action: Self::Action);

    /// Takes the last move back.
    fn undo(&mut self);

    /// Can [`path_value`](Self::path_value) ever say anything? A domain in which no path matters sets this to false and is
    /// not asked: the search need not play every move of every node on its way.
    const PATHS_MATTER: bool = true;

    /// A value that the current position has only because of the path that led to it (chess: a repetition is a
    /// draw). It holds for this visit and is never stored.
    fn path_value(&self) -> Option<Self::Value> {
        None
    }

    /// The [`path_value`](Self::path_value) of the position behind a move of the current one, from the side to move there. The
    /// default makes the move and takes it back.
    fn path_value_behind(&mut self, action: Self::Action) -> Option<Self::Value> {
        self.play(action);
        let value = self.path_value();
        self.undo();
        value
    }

    /// Can a successor of the current position have a [`path_value`](Self::path_value)? False spares the search
    /// asking for [what is behind](Self::path_value_behind) every edge on its way (chess: false after a pawn move or a capture).
    fn path_matters(&self) -> bool {
        true
    }

    /// Appends every legal move of the current position with what is known of the position behind it. No moves: the
    /// position is terminal, and its estimate was solved before it was asked. A domain that learns here that the
    /// position is decided says so by a solved estimate of a successor.
    fn successors(
        &mut self,
        into: &mut Vec<Successor<Self::Action, Self::Value>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted>;

    /// Expand the current position, a leaf with this estimate, or refine it? Asked by the stepwise policies. The
    /// default always expands.
    fn leaf_step(&self, _estimate: &Estimate<Self::Value>) -> LeafStep {
        LeafStep::Expand
    }

    /// Answers `question` about the current position with `effort`, knowing `known`, and returns all that is known
    /// afterwards. The answer must settle the question: `refined.answers(question, effort)`. On an interruption
    /// nothing is returned. The default has nothing better than what is known: it is for domains that only expand.
    fn refine(
        &mut self,
        known: &Estimate<Self::Value>,
        _question: Question<Self::Value>,
        _effort: Effort,
        _monitor: &mut dyn Monitor,
    ) -> Result<Estimate<Self::Value>, Interrupted> {
        Ok(*known)
    }

    /// The belief of a heuristic leaf made `factor` times as wide (Maven's widening), `factor >= 1`. Called with the
    /// leaf's own estimate; the core keeps facts from being widened. The default knows no errors.
    fn widen(&self, estimate: &Estimate<Self::Value>, _factor: f64) -> super::Interval<Self::Value> {
        estimate.belief
    }
}

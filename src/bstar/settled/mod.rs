//! The *settled* policies: no parent acts on unsettled children.
//!
//! The stepwise policies expand one leaf and back up at once. That is right where every child carries a full
//! interval. Where bounds are proved by null-window questions it fails: when the best child of a node drops, its
//! siblings still carry bounds that were proved against the old value, the parent believes them, and the root ends
//! by crowning whichever move has a *verified* value, however low (threshold collapse).
//!
//! Here a node is updated by `settle`: it answers one question with one effort, and returns only when
//! every child answers the question that follows from it:
//!
//! | the node is asked | the first child is asked | each rival is asked | settled when |
//! |---|---|---|---|
//! | `Within { floor, ceiling }` | the same | does it exceed the best so far? | a child reaches the ceiling, or the best is exact and no rival exceeds it, or none exceeds the floor |
//! | `Exceeds(t)` | the same | the same | a child exceeds `t`, or none does |
//! | `Reaches(t)` | the same | the same | a child reaches `t`, or none does |
//!
//! Rivals may owe less effort than the first child ([`SettledDomain::owed`]); one that exceeds the best at that effort
//! is asked again with the whole effort before anyone believes it, and only then for its value. Since the first child is
//! settled before its rivals are asked, a drop of its value lowers what they are asked: bounds proved against the
//! old value no longer answer ([`Estimate::answers`]) and are asked again, inside the same update. This is the order
//! of principal variation search (Marsland & Campbell 1982) over a stored tree.
//!
//! A domain may have nodes that were expanded once asked as a whole all the same, where their successors are not of
//! interest now ([`SettledDomain::descends`]), and the best reply of a node on the principal line looked at more deeply where no other comes near
//! it ([`SettledDomain::is_singular`]).
//!
//! A stored estimate is reused wherever it answers the question with enough effort, unless the domain wants it asked anew
//! ([`SettledDomain::reuses`]). Other parents of a shared node read it at their own next visit; none is changed from below.
//!
//! **Draws by history** ([`Domain::path_value`]) take a child's place for the one visit. A visit whose answer rests on one
//! returns its value to its parent and stores nothing: where a child gave the answer, that child's did; where none did, that of one
//! with the highest upper end. A draw beside a better reply does not count, though on another path that child might be the best. (When any draw
//! below a node kept it from being stored, 6.5 % of the root's deepenings in chess games and 19 to 44 % of the visits five plies deep and
//! more stored nothing. On a clock of some 8,000 nodes a move the rule as it is won 241-340-219 = +10 +- 12 Elo against that one
//! in 800 games, 2026-11-30.)
//!
//! **Belief.** A settled inner node is believed to lie where its children's beliefs say and also where the domain's
//! error model puts a value found with that effort ([`SettledDomain::believe`]); where the two are apart, the model
//! alone counts.
//!
//! **Several workers**, each with a graph and a domain of its own, tell each other through their domains which rival they are at
//! ([`SettledDomain::is_taken`]: the others put it off until it is free again, or nothing else is left) and what they have found
//! ([`SettledDomain::recall`]); what is answered by another one is given up wherever it is under way ([`SettledDomain::pose`]).
//!
//! [`root`] holds the search from the root: deepening and separation.

mod lines;
pub mod root;
mod visit;

pub use lines::Spent;

use super::{Domain, Effort, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Question};

/// Where in a search a node stands when it is visited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Plies below the root of the search.
    pub ply: u16,
    /// The effort with which it is asked.
    pub effort: Effort,
    /// It is asked for its value, and so were all nodes above it: it stands on the principal line.
    pub principal: bool,
}

/// A question whose answer fell outside of what it asked for, and what was established.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Missed<V> {
    /// What was asked.
    pub question: Question<V>,
    /// What was found, from the same side to move.
    pub found: Interval<V>,
}

/// What a game supplies to the settled policies beside [`Domain`].
pub trait SettledDomain: Domain {
    /// Units of effort with which a root value above the expected window may at most be confirmed with less: what is better than
    /// expected is mostly seen with less effort too, and sooner.
    const LENIENCE: u16 = 0;

    /// Shall the current position, a leaf, be replaced by its successors rather than asked as a whole?
    fn grows(&self, standing: Standing) -> bool;

    /// Is the current position, which was replaced by its successors once, asked by asking them? Else it is asked as a whole, as if
    /// it were a leaf, and they stay what they are until it is. The root is always asked by its moves.
    fn descends(&self, _standing: Standing) -> bool {
        true
    }

    /// Is a stored estimate that answers a question with enough effort reused for a node that stands there? Else it is asked anew,
    /// unless it is solved. That costs work, and pays where an answer found later in the search is a better one at the same effort.
    fn reuses(&self, _standing: Standing) -> bool {
        true
    }

    /// The greatest number of plies below the root of the search that was looked at since the cursor was last set to it, as
    /// far as the domain counts that.
    fn reach(&self) -> u32 {
        0
    }

    /// Puts the rivals of a node in the order in which they are to be asked. Asked at the parent's position; the best
    /// one is not among them. The default keeps the order: the latest best ones first, then as they were expanded.
    fn arrange(&mut self, _rivals: &mut [Self::Action]) {}

    /// Is the best reply at the current position, an inner node of the principal line, so much better than all others that it
    /// deserves one unit of effort more? `known`: what is known of the reply, from the side to move here. May ask about the
    /// other replies.
    ///
    /// # Errors
    /// [`Interrupted`] when the monitor says so.
    fn is_singular(
        &mut self,
        _standing: Standing,
        _best: Self::Action,
        _known: &Estimate<Self::Value>,
        _monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        Ok(false)
    }

    /// The effort that the rival of this rank (1 is the first behind the best) owes to the question whether it
    /// exceeds the best, at most `whole`, which is one unit less than the parent has. Asked at the parent's position.
    fn owed(&mut self, _standing: Standing, whole: Effort, _rank: usize, _action: Self::Action) -> Effort {
        whole
    }

    /// The question that the root is asked with this effort when its value is expected at `expected`. `missed`: the
    /// last question with this effort, if its answer fell outside; `attempt` counts those, from 0. Must end at [`Question::VALUE`].
    fn window(
        &self,
        _expected: Self::Value,
        _effort: Effort,
        _attempt: u32,
        _missed: Option<Missed<Self::Value>>,
    ) -> Question<Self::Value> {
        Question::VALUE
    }

    /// Where the true value of the current position is believed to lie when `settled` is what questions
    /// established, by the error model alone.
    fn believe(&mut self, settled: &Estimate<Self::Value>) -> Interval<Self::Value>;

    /// The greatest value `t` such that the current position, a rival that fails to exceed `t` with `effort`, is
    /// believed to stay at or below `bar` when the error model is stretched by `factor`. From the side to move at the
    /// *parent*, as `bar` is.
    fn separation_target(&mut self, bar: Self::Value, effort: Effort, factor: f64) -> Self::Value;

    /// Another worker, with a graph of its own, is at this child of the current position: it is asked last.
    fn is_taken(&self, _action: Self::Action) -> bool {
        false
    }

    /// This worker is at the child, until it [lays it down](Self::lay_down).
    fn take_up(&mut self, _action: Self::Action) {}

    /// The child that was taken up last is settled, or given up.
    fn lay_down(&mut self) {}

    /// The current position, an inner node, is asked this with this effort, until the question is [withdrawn](Self::withdraw). From
    /// now on work below may end [`Interrupted`] because another worker has answered it.
    fn pose(&mut self, _question: Question<Self::Value>, _effort: Effort) {}

    /// The question posed last is done with, or given up. True: another worker has answered it, and that is why work below was interrupted.
    fn withdraw(&mut self) -> bool {
        false
    }

    /// The best move at the current position, as another worker has found it.
    fn told_best(&self) -> Option<Self::Action> {
        None
    }

    /// What is known of the current position, so far `known`, when another worker has answered the question with this effort; the
    /// answer settles it ([`Estimate::answers`]).
    fn recall(
        &mut self,
        _known: &Estimate<Self::Value>,
        _question: Question<Self::Value>,
        _effort: Effort,
    ) -> Option<Estimate<Self::Value>> {
        None
    }

    /// The current position was settled so; the best move, where one is known. For the domain's own memory
    /// (chess: the shared table).
    fn remember(&mut self, _settled: &Estimate<Self::Value>, _best: Option<Self::Action>) {}
}

/// What a search has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Nodes replaced by their successors.
    pub expansions: u64,
    /// Leaves that could not be expanded for lack of memory and were asked as a whole.
    pub unexpanded: u64,
    /// Questions (stepwise: steps) that were to raise the best move's lower.
    pub prove_best: u64,
    /// Questions (stepwise: steps) that were to bring a rival's upper down.
    pub disprove_rest: u64,
    /// Answers after which a node's belief was not inside its old one: one of the two was wrong.
    pub violations: u64,
}

/// A search by the settled policies: a cursor and a graph, and the path between the root and the cursor.
pub struct Settled<'a, D: SettledDomain> {
    domain: &'a mut D,
    graph: &'a mut Graph<D::Value, D::Action>,
    /// From the root to the node under the cursor; never freed.
    path: Vec<NodeId>,
    /// The root moves that may be chosen; empty: all.
    allowed: Vec<D::Action>,
    /// How many root moves are to be settled with an exact value.
    lines: usize,
    /// Root moves that are left out for now: they have their line already.
    excluded: Vec<D::Action>,
    /// Where several lines are wanted: those of the last complete deepening, best first, from the root's side to move.
    ranked: Vec<(D::Action, Estimate<D::Value>)>,
    /// What was done below each root move.
    spent: Vec<Spent<D::Action>>,
    /// The best root move that is settled, with its estimate from the root's side to move.
    incumbent: Option<(D::Action, Estimate<D::Value>)>,
    /// The effort of the last complete deepening.
    last_effort: Effort,
    /// How far the error model is stretched before any widening.
    caution: f64,
    /// How often the error model was stretched.
    widenings: u32,
    tally: Tally,
    scratch: Vec<super::Successor<D::Action, D::Value>>,
}

#[cfg(test)]
mod tests;

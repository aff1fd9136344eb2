//! The best root moves, as many as are wanted, each with an exact value of one deepening.
//!
//! A deepening settles the best move; of the others it may know no more than that they are not better. Where more *lines*
//! are wanted, the root is settled again without the moves that are placed already, and again, each time with the same
//! effort. Stored bounds answer most of these questions: whoever did not exceed the best is asked for more only if it
//! may be the next. A set of lines is kept only when it is complete, so that all its lines are of one effort.

use super::root::Alternative;
use super::visit::Visit;
use super::{Settled, SettledDomain, Standing};
use crate::bstar::monitor::Meter;
use crate::bstar::{Effort, Estimate, Interrupted, Monitor, Question};
use std::cmp::Reverse;

/// What the search did below one root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent<A> {
    /// The move.
    pub action: A,
    /// Units of work, as told to the monitor.
    pub work: u64,
    /// Nodes replaced by their successors.
    pub expansions: u64,
}

impl<D: SettledDomain> Settled<'_, D> {
    /// So many root moves are to have exact values, at least one; fewer where there are fewer moves.
    pub fn want_lines(&mut self, lines: usize) {
        self.lines = lines.max(1);
    }

    /// Finds the best of the other root moves, and so on, until there are enough lines.
    pub(super) fn rank_others(
        &mut self,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        let Some(best) = self.incumbent else { return Ok(()) };
        let mut placed = vec![best];
        let outcome = self.place_others(&mut placed, effort, monitor);
        self.excluded.clear();
        if outcome.is_ok() {
            // One that was placed later may have turned out better: the search above did not look as deep for it.
            placed.sort_by_key(|(_, estimate)| Reverse(estimate.expected()));
            self.ranked = placed;
        }
        let first = self.ranked.first().copied().unwrap_or(best);
        self.incumbent = Some(if outcome.is_ok() { first } else { best });
        let order: Vec<_> = if self.ranked.is_empty() { vec![best] } else { self.ranked.clone() };
        for (action, _) in order.into_iter().rev() {
            self.graph.promote(self.path[0], self.child(action));
        }
        outcome
    }

    fn place_others(
        &mut self,
        placed: &mut Vec<(D::Action, Estimate<D::Value>)>,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        while placed.len() < self.lines {
            self.excluded = placed.iter().map(|(action, _)| *action).collect();
            let Some(likeliest) = self.likeliest_of_the_rest() else { break };
            self.graph.promote(self.path[0], self.child(likeliest.0));
            self.incumbent = Some(likeliest);
            self.deepen_best(effort, monitor)?;
            placed.extend(self.incumbent);
        }
        Ok(())
    }

    /// The move that is likely to be the best of those that are not placed yet: the first of the last complete lines, else
    /// the one that is expected to be worth most.
    fn likeliest_of_the_rest(&self) -> Option<(D::Action, Estimate<D::Value>)> {
        let known = self.ranked.iter().find(|(action, _)| self.may_choose(*action)).copied();
        known.or_else(|| {
            let rest = self.choices().map(|action| (action, -self.graph.estimate(self.child(action))));
            rest.reduce(|best, next| {
                let worth = |estimate: &Estimate<D::Value>| (estimate.expected(), estimate.belief.upper());
                if worth(&next.1) > worth(&best.1) { next } else { best }
            })
        })
    }

    /// The lines behind the first one, from the root's side to move.
    pub(super) fn alternatives(&mut self) -> Vec<Alternative<D::Action, D::Value>> {
        let ranked: Vec<_> = self.ranked.iter().skip(1).copied().collect();
        let alternative = |(action, estimate)| Alternative {
            action,
            estimate,
            belief: self.believed(action),
            line: self.line(action),
        };
        ranked.into_iter().map(alternative).collect()
    }

    /// The move to answer with, and its estimate: the incumbent; where several lines are wanted, the first of the last
    /// complete ones.
    pub(super) fn chosen(&self) -> Option<(D::Action, Estimate<D::Value>)> {
        self.ranked.first().copied().or(self.incumbent)
    }

    /// Settles the node under the cursor, a root move's, and books what that takes.
    pub(super) fn settle_below_root(
        &mut self,
        action: D::Action,
        question: Question<D::Value>,
        standing: Standing,
        monitor: &mut dyn Monitor,
    ) -> Result<Visit<D::Value>, Interrupted> {
        let mut meter = Meter::new(monitor);
        let before = self.tally.expansions;
        let visit = self.settle(question, standing, &mut meter);
        let (work, expansions) = (meter.work, self.tally.expansions - before);
        match self.spent.iter_mut().find(|spent| spent.action == action) {
            Some(spent) => {
                spent.work += work;
                spent.expansions += expansions;
            }
            None => self.spent.push(Spent { action, work, expansions }),
        }
        visit
    }

    /// What was done below this root move so far.
    pub(super) fn spent_on(&self, action: D::Action) -> Spent<D::Action> {
        let found = self.spent.iter().find(|spent| spent.action == action).copied();
        found.unwrap_or(Spent { action, work: 0, expansions: 0 })
    }
}

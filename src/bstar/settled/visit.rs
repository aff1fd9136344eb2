//! One visit: a node answers one question with one effort, and returns settled.

use super::{Settled, SettledDomain, Standing};
use crate::bstar::backup;
use crate::bstar::{Estimate, Interrupted, Interval, Layer, Monitor, NodeId, Question, Successor, Value};
use std::collections::VecDeque;
use std::ops::Range;

/// What a visit found.
pub(super) struct Visit<V> {
    /// From the side to move at the visited node; answers the question that was asked.
    pub estimate: Estimate<V>,
    /// It rests on a draw by history: true on this path only.
    pub by_path: bool,
}

/// One child during the visit of its parent.
struct Reply<A, V> {
    action: A,
    child: NodeId,
    /// From the side to move at the parent.
    estimate: Estimate<V>,
    /// The child itself is a draw by history on this path: nothing to ask.
    drawn: bool,
    /// The estimate rests on a draw by history.
    by_path: bool,
}

/// The replies' answer rests on a draw by history: the one that gave it, `best`, did, or where none did, one with the highest
/// upper end.
fn rests_on_path<A, V: Value>(replies: &[Reply<A, V>], best: Option<NodeId>) -> bool {
    let highest = replies.iter().map(|reply| reply.estimate.searched.upper()).max();
    replies.iter().filter(|reply| reply.by_path).any(|reply| match best {
        Some(best) => reply.child == best,
        None => Some(reply.estimate.searched.upper()) == highest,
    })
}

/// In which order children are asked: by rank, but who was put off comes once no other worker is at it, or last.
struct Turns {
    ranks: Range<usize>,
    later: VecDeque<usize>,
    /// The one handed out last was put off before.
    again: bool,
}

impl Turns {
    fn of(count: usize) -> Self {
        Self { ranks: 0..count, later: VecDeque::new(), again: false }
    }

    /// What another worker has done with is as good as answered, and may raise the bar for all that follow.
    fn next(&mut self, is_taken: impl Fn(usize) -> bool) -> Option<usize> {
        let done_with = self.later.iter().position(|&rank| !is_taken(rank));
        let fresh = if done_with.is_none() { self.ranks.next() } else { None };
        self.again = fresh.is_none();
        fresh.or_else(|| self.later.remove(done_with.unwrap_or(0)))
    }

    /// The first child is asked by all, and what was put off once is asked.
    fn may_put_off(&self, rank: usize) -> bool {
        rank > 0 && !self.again
    }

    fn put_off(&mut self, rank: usize) {
        self.later.push_back(rank);
    }
}

/// What the visit of a parent is about.
#[derive(Clone, Copy)]
struct Task<V> {
    question: Question<V>,
    standing: Standing,
}

impl<V: Value> Task<V> {
    /// A child has an exact value above the best one so far. (The least value of the scale is above none.)
    fn is_improved_by(self, found: &Estimate<V>, bar: V) -> bool {
        let value = found.searched.lower();
        matches!(self.question, Question::Within { .. })
            && found.searched.is_exact()
            && (value > bar || value == V::MIN)
    }
}

impl<V: Value> Question<V> {
    /// What the rivals are asked while `best` is the best value found.
    fn of_rivals(self, best: V) -> Self {
        match self {
            Self::Within { .. } => Self::Exceeds(best),
            other => other,
        }
    }

    /// `estimate` says yes: the value is greater than (or at least) what was asked; for an open question, that it
    /// reaches the ceiling.
    fn affirmed_by(self, estimate: &Estimate<V>) -> bool {
        match self {
            Self::Within { ceiling, .. } => estimate.searched.lower() >= ceiling,
            Self::Exceeds(target) => estimate.searched.lower() > target,
            Self::Reaches(target) => estimate.searched.lower() >= target,
        }
    }
}

impl<D: SettledDomain> Settled<'_, D> {
    /// Answers `question` about the node at the end of the path, under the cursor.
    pub(super) fn settle(
        &mut self,
        question: Question<D::Value>,
        standing: Standing,
        monitor: &mut dyn Monitor,
    ) -> Result<Visit<D::Value>, Interrupted> {
        let node = self.here();
        if standing.ply > 0 {
            if let Some(value) = self.domain.path_value() {
                return Ok(Visit { estimate: Estimate::solved(value), by_path: true });
            }
            let known = self.graph.estimate(node);
            if self.suffices(&known, question, standing) {
                return Ok(Visit { estimate: known, by_path: false });
            }
        }
        if let Some(visit) = self.recall(node, Task { question, standing }) {
            return Ok(visit);
        }
        let inner = if self.graph.is_expanded(node) {
            standing.ply == 0 || self.domain.descends(standing)
        } else {
            (standing.ply == 0 || self.domain.grows(standing)) && self.expand(node, monitor)?
        };
        if inner {
            self.settle_inner(node, Task { question, standing }, monitor)
        } else {
            let known = self.graph.estimate(node);
            let estimate = self.domain.refine(&known, question, standing.effort, monitor)?;
            debug_assert!(estimate.answers(question, standing.effort), "{question:?} {estimate:?}");
            let asked =
                if standing.principal { &mut self.tally.prove_best } else { &mut self.tally.disprove_rest };
            *asked += 1;
            self.note(node, estimate);
            Ok(Visit { estimate, by_path: false })
        }
    }

    /// What is known of a node is enough for a question that it is asked where it stands: nobody needs to look again.
    fn suffices(&self, known: &Estimate<D::Value>, question: Question<D::Value>, standing: Standing) -> bool {
        known.answers(question, standing.effort) && (known.is_solved() || self.domain.reuses(standing))
    }

    /// The node under the cursor.
    fn here(&self) -> NodeId {
        self.path[self.path.len() - 1]
    }

    /// Replaces a leaf by its successors. False when even freeing found no room: it stays a leaf.
    fn expand(&mut self, node: NodeId, monitor: &mut dyn Monitor) -> Result<bool, Interrupted> {
        let mut successors: Vec<Successor<D::Action, D::Value>> = std::mem::take(&mut self.scratch);
        successors.clear();
        let outcome = self.domain.successors(&mut successors, monitor);
        let expanded = outcome.is_ok()
            && loop {
                if self.graph.expand(node, &successors).is_ok() {
                    break true;
                }
                if self.graph.make_room(&self.path) == 0 {
                    break false;
                }
            };
        self.scratch = successors;
        outcome?;
        self.tally.expansions += u64::from(expanded);
        self.tally.unexpanded += u64::from(!expanded);
        Ok(expanded)
    }

    /// Stores what was found.
    fn note(&mut self, node: NodeId, estimate: Estimate<D::Value>) {
        let before = self.graph.estimate(node).belief;
        self.tally.violations += u64::from(!before.encloses(estimate.belief));
        self.graph.store(node, estimate);
    }

    /// Settles a node by its children. When another worker answers it meanwhile, what is under way below is given up: its answer is taken
    /// over, or at the root, which acts on nothing but its own children, its best move is asked first from now on.
    fn settle_inner(
        &mut self,
        node: NodeId,
        task: Task<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Visit<D::Value>, Interrupted> {
        self.domain.pose(task.question, task.standing.effort);
        let outcome = self.settle_replies(node, task, monitor);
        if !self.domain.withdraw() {
            return outcome;
        }
        if task.standing.ply == 0 {
            let best = self.domain.told_best().filter(|&action| self.may_choose(action));
            if let Some(&edge) = self.graph.edges(node).iter().find(|edge| Some(edge.action) == best) {
                self.graph.promote(node, edge.child);
            }
        } else if let Some(visit) = self.recall(node, task) {
            return Ok(visit);
        }
        // Once for each visit: an answer that is of no use here would come again and again.
        self.settle_replies(node, task, monitor)
    }

    /// Settles the children in order of promise, then the node.
    fn settle_replies(
        &mut self,
        node: NodeId,
        task: Task<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Visit<D::Value>, Interrupted> {
        let mut replies = self.replies(node, task.standing);
        let mut bar = match task.question {
            Question::Within { floor, .. } => floor,
            Question::Exceeds(target) | Question::Reaches(target) => target,
        };
        let mut best = None;
        let mut turns = Turns::of(replies.len());
        while let Some(rank) = turns.next(|rank| self.domain.is_taken(replies[rank].action)) {
            if rank > 0
                && let Some(visit) = self.recall(node, task)
            {
                return Ok(visit);
            }
            let reply = &mut replies[rank];
            if turns.may_put_off(rank) && self.domain.is_taken(reply.action) {
                turns.put_off(rank);
                continue;
            }
            // Other workers hear that this one is at it. The first child is settled by all.
            let marked = rank > 0;
            if marked {
                self.domain.take_up(reply.action);
            }
            monitor.begins(rank + 1, Layer::Graph);
            let outcome = self.settle_reply(reply, rank, task, bar, monitor);
            if marked {
                self.domain.lay_down();
            }
            outcome?;
            let found = reply.estimate;
            let done = task.question.affirmed_by(&found);
            monitor.ends(done, Layer::Graph);
            if done || task.is_improved_by(&found, bar) {
                best = Some((reply.action, reply.child, found));
                bar = bar.max(found.searched.lower());
                if task.standing.ply == 0 {
                    self.incumbent = Some((reply.action, found));
                }
            }
            if done {
                break;
            }
        }
        if let Some(visit) = self.recall(node, task) {
            return Ok(visit);
        }
        let by_path = rests_on_path(&replies, best.map(|(_, child, _)| child));
        // Of some of the moves only: that says nothing of the position, nor does what is known of it bind them.
        let partial = task.standing.ply == 0 && replies.len() < self.graph.edges(node).len();
        let known = if partial { Estimate::UNKNOWN } else { self.graph.estimate(node) };
        let estimate = self.judge(known, &replies, best.map(|(_, _, found)| found), task);
        if let Some((_, child, _)) = best {
            self.graph.promote(node, child);
        }
        if !by_path && !partial {
            self.note(node, estimate);
            self.domain.remember(&estimate, best.map(|(action, _, _)| action));
        }
        Ok(Visit { estimate, by_path })
    }

    /// The estimate of a node, of which so far this was `known`, when its children are settled for the task, and `best` gave
    /// the answer, if any did.
    ///
    /// Only the children that were asked speak: one that gave the answer for the lower end, all of them for the upper.
    /// Bounds of a sibling that was not asked any more may be older than the answer. The end of which the answer does
    /// not speak stays what an earlier visit found. Facts count whoever brings them.
    fn judge(
        &mut self,
        known: Estimate<D::Value>,
        replies: &[Reply<D::Action, D::Value>],
        best: Option<Estimate<D::Value>>,
        task: Task<D::Value>,
    ) -> Estimate<D::Value> {
        let answer = match best {
            Some(best) if task.question.affirmed_by(&best) => Interval::at_least(best.searched.lower()),
            Some(best) => best.searched,
            None => {
                let uppers = replies.iter().map(|reply| reply.estimate.searched.upper());
                Interval::at_most(uppers.max().unwrap_or(D::Value::MIN))
            }
        };
        let backed_up = backup::combine(replies.iter().map(|reply| reply.estimate));
        let mut estimate = known.revised(answer, task.standing.effort);
        if let Some(backed_up) = backed_up {
            estimate = estimate.keeping_facts_of(&backed_up);
            estimate.belief = backed_up.belief;
        }
        debug_assert!(
            estimate.answers(task.question, task.standing.effort),
            "{:?} {estimate:?}",
            task.question
        );
        let model = self.domain.believe(&estimate);
        estimate.belief = estimate.belief.intersection(model).unwrap_or(model);
        estimate
    }

    /// The children in order of promise, draws by history put in.
    fn replies(&mut self, node: NodeId, standing: Standing) -> Vec<Reply<D::Action, D::Value>> {
        let mut actions: Vec<_> = self.graph.edges(node).iter().map(|edge| edge.action).collect();
        self.domain.arrange(actions.get_mut(1..).unwrap_or_default());
        let paths_matter = self.domain.path_matters();
        let mut replies = Vec::with_capacity(actions.len());
        for action in actions {
            if standing.ply == 0 && !self.may_choose(action) {
                continue;
            }
            let Some(&edge) = self.graph.edges(node).iter().find(|edge| edge.action == action) else {
                continue;
            };
            let draw = if paths_matter { self.domain.path_value_behind(edge.action) } else { None };
            replies.push(Reply {
                action: edge.action,
                child: edge.child,
                estimate: -draw.map_or_else(|| self.graph.estimate(edge.child), Estimate::solved),
                drawn: draw.is_some(),
                by_path: draw.is_some(),
            });
        }
        replies
    }

    /// What another worker has found of the node under the cursor, below the root, if it answers.
    fn recall(&mut self, node: NodeId, task: Task<D::Value>) -> Option<Visit<D::Value>> {
        if task.standing.ply == 0 {
            return None;
        }
        let known = self.graph.estimate(node);
        let estimate = self.domain.recall(&known, task.question, task.standing.effort)?;
        self.note(node, estimate);
        Some(Visit { estimate, by_path: false })
    }

    /// Asks one child until it is settled: with what it owes, then with the whole effort, then for its value. `bar`: the best value
    /// so far.
    fn settle_reply(
        &mut self,
        reply: &mut Reply<D::Action, D::Value>,
        rank: usize,
        task: Task<D::Value>,
        bar: D::Value,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        let Task { question, standing } = task;
        let whole = standing.effort.less(1);
        let line = standing.principal;
        if rank == 0 {
            let stands_alone = self.is_singular(reply, standing, monitor)?;
            let effort = if stands_alone { standing.effort } else { whole };
            let first = Standing { ply: standing.ply + 1, effort, principal: line };
            return self.visit(reply, question, first, monitor);
        }
        let challenge = question.of_rivals(bar);
        let owed = self.domain.owed(standing, whole, rank, reply.action);
        let rival = Standing { ply: standing.ply + 1, effort: owed, principal: false };
        self.visit(reply, challenge, rival, monitor)?;
        if owed < whole && challenge.affirmed_by(&reply.estimate) {
            self.visit(reply, challenge, Standing { effort: whole, ..rival }, monitor)?;
        }
        if let Question::Within { ceiling, .. } = question
            && challenge.affirmed_by(&reply.estimate)
        {
            let open = Question::Within { floor: bar, ceiling };
            // To choose it, it need not be known how much better it is: if its value never comes, it is the choice all the same.
            let settled = self.incumbent;
            if standing.ply == 0 {
                self.incumbent = Some((reply.action, reply.estimate));
            }
            self.visit(reply, open, Standing { effort: whole, principal: line, ..rival }, monitor)?;
            self.incumbent = settled;
        }
        Ok(())
    }

    /// The first reply to a node of the principal line stands alone: see [`SettledDomain::is_singular`]. No line is extended to more
    /// than twice the root's effort.
    fn is_singular(
        &mut self,
        reply: &Reply<D::Action, D::Value>,
        standing: Standing,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        let extends = standing.principal && 0 < standing.ply && standing.ply <= self.last_effort.units();
        Ok(extends && self.domain.is_singular(standing, reply.action, &reply.estimate, monitor)?)
    }

    /// Walks to the child, settles it for the parent's `question`, walks back. Where what is known is enough, nobody needs to walk.
    fn visit(
        &mut self,
        reply: &mut Reply<D::Action, D::Value>,
        question: Question<D::Value>,
        standing: Standing,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        if reply.drawn {
            return Ok(());
        }
        let known = self.graph.estimate(reply.child);
        if self.suffices(&known, -question, standing) {
            reply.estimate = -known;
            return Ok(());
        }
        self.domain.play(reply.action);
        self.path.push(reply.child);
        let visit = if standing.ply == 1 {
            self.settle_below_root(reply.action, -question, standing, monitor)
        } else {
            self.settle(-question, standing, monitor)
        };
        self.path.pop();
        self.domain.undo();
        let visit = visit?;
        reply.estimate = -visit.estimate;
        reply.by_path |= visit.by_path;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[test]
    fn who_was_put_off_comes_once_it_is_free_or_last() {
        let mut turns = Turns::of(5);
        let put_off = |turns: &mut Turns, taken: &[usize]| {
            let rank = turns.next(|rank| taken.contains(&rank)).unwrap();
            assert!(turns.may_put_off(rank), "{rank}");
            turns.put_off(rank);
            rank
        };
        assert_eq!(turns.next(|_| true), Some(0));
        assert!(!turns.may_put_off(0), "the first one is asked by all");
        assert_eq!([put_off(&mut turns, &[1, 2]), put_off(&mut turns, &[1, 2])], [1, 2]);
        // The second one is free again.
        assert_eq!(turns.next(|rank| rank == 1), Some(2));
        assert!(!turns.may_put_off(2), "once only");
        assert_eq!(put_off(&mut turns, &[1, 3]), 3);
        assert_eq!(turns.next(|rank| rank != 4), Some(4));
        assert!(turns.may_put_off(4), "a fresh one");
        let rest = [turns.next(|_| true), turns.next(|_| true), turns.next(|_| true)];
        assert_eq!(rest, [Some(1), Some(3), None]);
    }
}

//! The way from the root to a leaf, with the draws by history that lie on it.

use super::super::strategy::{Aims, best_lower, best_upper, disprove_best};
use super::super::{Domain, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Value};
use super::trails::{instead, worth};
use super::{Plan, Search, Step};

/// The expanded nodes from the root to a leaf's parent, and the moves made there.
pub(super) struct Path<A, V> {
    frames: Vec<Frame<V>>,
    /// One for each frame, but for the last one while its move is being chosen.
    actions: Vec<A>,
}

/// A node on the path.
#[derive(Clone, Copy)]
struct Frame<V> {
    node: NodeId,
    /// Disprove-best's aims, from the node's side to move.
    aims: Option<Aims<V>>,
}

/// One end of an interval.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Lower,
    Upper,
}

impl End {
    /// The end of a child's interval that supplies this end of the parent's.
    fn turned(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

impl<A, V> Path<A, V> {
    /// Leads nowhere.
    pub fn new() -> Self {
        Self { frames: Vec::new(), actions: Vec::new() }
    }

    /// The nodes on it, the root first; without the leaf.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.frames.iter().map(|frame| frame.node)
    }

    /// Moves from the root to where it ends.
    pub fn len(&self) -> usize {
        self.actions.len()
    }
}

impl<D: Domain> Search<'_, D> {
    /// Goes down from the planned root move, works on the leaf, and judges the path anew. The cursor is back
    /// at the root in any case.
    pub(super) fn visit(
        &mut self,
        plan: &Plan<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Step, Interrupted> {
        let action = self.moves[plan.index].action;
        self.start(action, plan.aims);
        let outcome = match self.descend() {
            Some(leaf) => self.work_on(leaf, plan.index, monitor),
            None => Ok(Step::Resolved),
        };
        self.finish();
        outcome
    }

    /// From the end of a path back to the root.
    fn finish(&mut self) {
        self.path.actions.iter().for_each(|_| self.domain.undo());
        self.trails.refresh(self.graph, self.root, &self.path.actions);
    }

    /// Makes a root move.
    fn start(&mut self, action: D::Action, aims: Option<Aims<D::Value>>) {
        self.path.frames.clear();
        self.path.actions.clear();
        self.path.frames.push(Frame { node: self.root, aims });
        self.go(action);
    }

    /// Makes a move from the last node on the path.
    fn go(&mut self, action: D::Action) {
        self.path.actions.push(action);
        self.domain.play(action);
    }

    /// The node at the cursor.
    fn arrived_at(&self) -> Option<NodeId> {
        let (frame, action) = (self.path.frames.last()?, self.path.actions.last()?);
        self.graph.edges(frame.node).iter().find(|edge| edge.action == *action).map(|edge| edge.child)
    }

    /// Follows the policy to a leaf. From a node that turns out to be settled on this path it goes back to
    /// the parent, which then chooses otherwise. `None`: the root move itself is settled on this path.
    fn descend(&mut self) -> Option<NodeId> {
        loop {
            let node = self.arrived_at()?;
            if !self.graph.is_expanded(node) {
                return Some(node);
            }
            self.note_draws(node);
            let aims = self.path.frames.last()?.aims.map(Aims::turned);
            self.path.frames.push(Frame { node, aims });
            while !self.follow_policy() {
                self.path.frames.pop();
                if self.path.len() == 1 {
                    return None;
                }
                self.path.actions.pop();
                self.domain.undo();
            }
        }
    }

    /// Adds the draws by history among the moves of the node at the cursor, an expanded one, to the trails.
    /// True: there are new ones.
    pub(super) fn note_draws(&mut self, node: NodeId) -> bool {
        if !D::PATHS_MATTER {
            return false;
        }
        let mut news = false;
        let edges = if self.domain.path_matters() { self.graph.edges(node) } else { &[] };
        for edge in edges {
            if let Some(value) = self.domain.path_value_behind(edge.action) {
                news |= self.trails.add(&self.path.actions, edge.action, Estimate::solved(value));
            }
        }
        if news {
            self.trails.refresh(self.graph, self.root, &self.path.actions);
        }
        news
    }

    /// Chooses a move at the last node on the path and makes it. False: the node is settled on this path.
    fn follow_policy(&mut self) -> bool {
        let Some(&Frame { node, aims }) = self.path.frames.last() else { return false };
        let trails = self.trails.after(&self.path.actions);
        if worth(self.graph, node, trails).belief.is_exact() {
            return false;
        }
        let beliefs = self.beliefs(node);
        let share = self.settings.policy.pessimist_share;
        let choice = if share > 0 && self.chance.strikes(share) {
            best_lower(&beliefs)
        } else {
            aims.and_then(|aims| disprove_best(&beliefs, aims)).or_else(|| best_upper(&beliefs))
        };
        let Some(index) = choice else { return false };
        self.go(self.graph.edges(node)[index].action);
        true
    }

    /// The beliefs of the moves at the node at the cursor, on this path, from the mover's side.
    fn beliefs(&self, node: NodeId) -> Vec<Interval<D::Value>> {
        let trails = self.trails.after(&self.path.actions);
        let belief =
            |action, child| instead(trails, action).unwrap_or_else(|| self.graph.estimate(child)).belief;
        self.graph.edges(node).iter().map(|edge| -belief(edge.action, edge.child)).collect()
    }

    /// Looks for draws that no visit has met: on the line that supports the best move's lower, and on those
    /// that limit its rivals' uppers. True: there are some, so the standing must be judged anew.
    ///
    /// Without this a subtree from an earlier search, or one grown by way of other parents, would be believed
    /// as if history did not matter.
    pub(super) fn verify(&mut self, best: usize) -> bool {
        D::PATHS_MATTER
            && (0..self.moves.len()).fold(false, |news, index| {
                let end = if index == best { End::Lower } else { End::Upper };
                self.verify_line(self.moves[index].action, end.turned()) || news
            })
    }

    /// Follows the suppliers of a root move's `end` (as its own node sees it) to a leaf and notes the draws
    /// on both sides of the way.
    fn verify_line(&mut self, action: D::Action, mut end: End) -> bool {
        let mut news = false;
        self.start(action, None);
        while let Some(node) = self.arrived_at().filter(|&node| self.graph.is_expanded(node)) {
            news |= self.note_draws(node);
            let beliefs = self.beliefs(node);
            let supplier = (0..beliefs.len()).rev().max_by_key(|&index| match end {
                End::Lower => beliefs[index].lower(),
                End::Upper => beliefs[index].upper(),
            });
            let Some(index) = supplier else { break };
            let edge = self.graph.edges(node)[index];
            if instead(self.trails.after(&self.path.actions), edge.action)
                .is_some_and(|known| known.is_solved())
            {
                break;
            }
            self.path.frames.push(Frame { node, aims: None });
            self.go(edge.action);
            end = end.turned();
        }
        self.finish();
        news
    }
}

/// Plies from the root's move to the leaf that supplies its upper: 1 when its child is that leaf.
///
/// The mover's upper is the child's lower; a child's lower comes from the grandchild with the lowest upper;
/// and so on, the ends in turn. Of equals the first edge is followed.
pub(super) fn depth_of_upper<V: Value, A: Copy>(graph: &Graph<V, A>, child: NodeId) -> u32 {
    let mut depth = 1;
    let mut node = child;
    let mut end = End::Lower;
    while graph.is_expanded(node) {
        let edges = graph.edges(node).iter().map(|edge| edge.child);
        let supplier = match end {
            End::Lower => edges.min_by_key(|&id| graph.estimate(id).belief.upper()),
            End::Upper => edges.min_by_key(|&id| graph.estimate(id).belief.lower()),
        };
        let Some(next) = supplier else { break };
        node = next;
        end = end.turned();
        depth += 1;
    }
    depth
}

//! The way from the root to a leaf, and what it is worth along this path.

use super::super::backup::{recompute, recompute_with};
use super::super::strategy::{Aims, best_lower, best_upper, disprove_best};
use super::super::{Domain, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Value};
use super::{Plan, Search, Step, View};

/// The expanded nodes from the root to a leaf's parent.
pub(super) struct Path<V> {
    frames: Vec<Frame<V>>,
}

/// A node on the path.
struct Frame<V> {
    node: NodeId,
    /// The edge taken.
    edge: usize,
    /// Children that are worth something else on this path than the graph says, by edge, from the child's side to move.
    instead: Vec<(usize, Estimate<V>)>,
    /// Disprove-best's aims, from the node's side to move.
    aims: Option<Aims<V>>,
}

impl<V> Default for Path<V> {
    fn default() -> Self {
        Self { frames: Vec::new() }
    }
}

impl<V: Value> Path<V> {
    /// The nodes on it, the root first; without the leaf.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.frames.iter().map(|frame| frame.node)
    }

    /// Edges from the root to where it ends.
    pub fn len(&self) -> usize {
        self.frames.len()
    }
}

impl<V: Value> Frame<V> {
    fn instead_of(&self, edge: usize) -> Option<Estimate<V>> {
        self.instead.iter().rev().find(|(index, _)| *index == edge).map(|&(_, estimate)| estimate)
    }

    /// The node's belief on this path.
    fn belief<A: Copy>(&self, graph: &Graph<V, A>) -> Interval<V> {
        if self.instead.is_empty() {
            return graph.estimate(self.node).belief;
        }
        recompute_with(graph, self.node, |index, _| self.instead_of(index)).belief
    }

    /// The children's beliefs on this path, from the mover's side.
    fn beliefs<A: Copy>(&self, graph: &Graph<V, A>) -> Vec<Interval<V>> {
        let edges = graph.edges(self.node).iter().enumerate();
        edges
            .map(|(index, edge)| -self.instead_of(index).unwrap_or_else(|| graph.estimate(edge.child)).belief)
            .collect()
    }
}

impl<D: Domain> Search<'_, D> {
    /// Goes down from the planned root move, works on the leaf, backs up along the path. The cursor is back at the root
    /// in any case.
    pub(super) fn visit(
        &mut self,
        plan: &Plan<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Step, Interrupted> {
        let edge = self.moves[plan.index].edge;
        self.path.frames.clear();
        self.path.frames.push(Frame { node: self.root, edge, instead: Vec::new(), aims: plan.aims });
        self.domain.play(self.graph.edges(self.root)[edge].action);
        let step = match self.descend() {
            Some(leaf) => {
                let outcome = self.work_on(leaf, plan.index, monitor);
                (0..self.path.len()).for_each(|_| self.domain.undo());
                outcome?
            }
            None => Step::Resolved,
        };
        self.back_up_along_path(plan.index);
        Ok(step)
    }

    /// Follows the policy to a leaf. A node that is settled on this path is a dead end: its parent takes what it is
    /// worth here and chooses again. `None`, and the cursor back at the root: the root move itself is settled on this
    /// path.
    fn descend(&mut self) -> Option<NodeId> {
        loop {
            let parent = self.path.frames.last()?;
            let node = self.graph.edges(parent.node)[parent.edge].child;
            if !self.graph.is_expanded(node) {
                return Some(node);
            }
            let aims = parent.aims.map(Aims::turned);
            let instead = self.path_values(node);
            self.path.frames.push(Frame { node, edge: 0, instead, aims });
            // Up again as long as there is nothing to do below.
            while !self.take_edge() {
                let end = self.path.frames.pop()?;
                self.domain.undo();
                let worth = recompute_with(self.graph, end.node, |index, _| end.instead_of(index));
                let parent = self.path.frames.last_mut()?;
                parent.instead.push((parent.edge, worth));
                if self.path.len() == 1 {
                    return None;
                }
            }
        }
    }

    /// The draws by history among the children of the node at the cursor.
    fn path_values(&mut self, node: NodeId) -> Vec<(usize, Estimate<D::Value>)> {
        let mut values = Vec::new();
        for (index, edge) in self.graph.edges(node).iter().enumerate() {
            self.domain.play(edge.action);
            values.extend(self.domain.path_value().map(|value| (index, Estimate::solved(value))));
            self.domain.undo();
        }
        values
    }

    /// Chooses a child of the last node on the path and makes the move. False: the node is settled on this path.
    fn take_edge(&mut self) -> bool {
        let Some(frame) = self.path.frames.last_mut() else { return false };
        if frame.belief(self.graph).is_exact() {
            return false;
        }
        let beliefs = frame.beliefs(self.graph);
        let share = self.settings.policy.pessimist_share;
        let choice = if share > 0 && self.chance.one_in(share) {
            best_lower(&beliefs)
        } else {
            frame.aims.and_then(|aims| disprove_best(&beliefs, aims)).or_else(|| best_upper(&beliefs))
        };
        let Some(edge) = choice else { return false };
        frame.edge = edge;
        self.domain.play(self.graph.edges(frame.node)[edge].action);
        true
    }

    /// Takes the draws that this visit met from the leaf's parent up to the root move, whose view it renews.
    fn back_up_along_path(&mut self, index: usize) {
        let mut below: Option<Estimate<D::Value>> = None;
        while self.path.len() > 1 {
            let Some(mut frame) = self.path.frames.pop() else { break };
            frame.instead.extend(below.take().map(|estimate| (frame.edge, estimate)));
            if !frame.instead.is_empty() {
                let seen = recompute_with(self.graph, frame.node, |index, _| frame.instead_of(index));
                let same = seen == recompute(self.graph, frame.node);
                below = (!same).then_some(seen);
            }
        }
        let Some(root) = self.path.frames.pop() else { return };
        let below = below.or_else(|| root.instead_of(root.edge));
        let stored = self.graph.estimate(self.moves[index].child);
        self.moves[index].view = below.map(|seen| View::Visit { stored, seen });
    }
}

/// Plies from the root's move to the leaf that supplies its upper: 1 when its child is that leaf.
///
/// The mover's upper is the child's lower; a child's lower comes from the grandchild with the lowest upper; and so on,
/// the ends in turn. Of equals the first edge is followed.
pub(super) fn depth_of_upper<V: Value, A: Copy>(graph: &Graph<V, A>, child: NodeId) -> u32 {
    let mut depth = 1;
    let mut node = child;
    let mut lower = true;
    while graph.is_expanded(node) {
        let edges = graph.edges(node).iter().map(|edge| edge.child);
        let supplier = if lower {
            edges.min_by_key(|&id| graph.estimate(id).belief.upper())
        } else {
            edges.min_by_key(|&id| graph.estimate(id).belief.lower())
        };
        let Some(next) = supplier else { break };
        node = next;
        lower = !lower;
        depth += 1;
    }
    depth
}

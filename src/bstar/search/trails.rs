//! [`Trails`]: the draws by history that this search has met, by the paths on which they are draws.
//!
//! Whether a position repeats depends on the way to it, so its draw must not be stored in a node that other
//! ways lead to. It is kept here instead, as a tree of moves from the root that holds nothing but the ways to
//! draws, and dies with the search. Every node on such a way has a *worth*: what its children say when the
//! draws below it count. All estimates here are from the side to move at the node behind the move.

use super::super::backup::recompute_with;
use super::super::{Edge, Estimate, Graph, NodeId, Value};

/// The most moves kept. It bounds the memory (some megabytes); a search that meets more draws judges the
/// others as if history did not matter.
const MOST: usize = 1 << 16;

/// A tree of moves that lead to draws by history.
pub(super) struct Trails<A, V> {
    below: Vec<Trail<A, V>>,
    count: usize,
}

/// A move that is such a draw, or has one below it.
pub(super) struct Trail<A, V> {
    action: A,
    /// What is known of the node behind it, on this path.
    worth: Estimate<V>,
    /// The estimate that the graph had when `worth` was found. `None`: a draw by history, whatever the graph
    /// says.
    stored: Option<Estimate<V>>,
    below: Vec<Trail<A, V>>,
}

/// The worth of the node behind `action`, where it differs from the graph's word.
pub(super) fn instead<A: Copy + Eq, V: Value>(trails: &[Trail<A, V>], action: A) -> Option<Estimate<V>> {
    trails.iter().find(|trail| trail.action == action).map(|trail| trail.worth)
}

/// What is known of a node to whose children these trails lead.
pub(super) fn worth<A: Copy + Eq, V: Value>(
    graph: &Graph<V, A>,
    node: NodeId,
    trails: &[Trail<A, V>],
) -> Estimate<V> {
    if trails.is_empty() {
        return graph.estimate(node);
    }
    recompute_with(graph, node, |_, edge| instead(trails, edge.action))
}

impl<A: Copy + Eq, V: Value> Trails<A, V> {
    /// No draw is known.
    pub fn new() -> Self {
        Self { below: Vec::new(), count: 0 }
    }

    /// The trails that go on from the end of a path.
    pub fn after(&self, path: &[A]) -> &[Trail<A, V>] {
        let mut trails = &self.below;
        for &action in path {
            match trails.iter().find(|trail| trail.action == action) {
                Some(trail) => trails = &trail.below,
                None => return &[],
            }
        }
        trails
    }

    /// After this path, this move leads to a draw. True: that is news. What it means for the nodes on the
    /// path is not found out before [`refresh`](Self::refresh).
    pub fn add(&mut self, path: &[A], action: A, draw: Estimate<V>) -> bool {
        if instead(self.after(path), action).is_some() || self.count + path.len() >= MOST {
            return false;
        }
        let mut trails = &mut self.below;
        for &step in path {
            let at = trails.iter().position(|trail| trail.action == step).unwrap_or_else(|| {
                let unknown = Some(Estimate::UNKNOWN);
                trails.push(Trail {
                    action: step,
                    worth: Estimate::UNKNOWN,
                    stored: unknown,
                    below: Vec::new(),
                });
                self.count += 1;
                trails.len() - 1
            });
            trails = &mut trails[at].below;
        }
        trails.push(Trail { action, worth: draw, stored: None, below: Vec::new() });
        self.count += 1;
        true
    }

    /// Finds the worth of the nodes on the path anew, and of those of which the graph has changed its mind.
    pub fn refresh(&mut self, graph: &Graph<V, A>, root: NodeId, path: &[A]) {
        refresh(graph, root, &mut self.below, path);
    }
}

fn refresh<A: Copy + Eq, V: Value>(
    graph: &Graph<V, A>,
    node: NodeId,
    trails: &mut [Trail<A, V>],
    path: &[A],
) {
    for trail in trails {
        let Some(&Edge { child, .. }) = graph.edges(node).iter().find(|edge| edge.action == trail.action)
        else {
            continue;
        };
        let stored = graph.estimate(child);
        let on_path = path.first() == Some(&trail.action);
        if trail.stored.is_none() || trail.stored == Some(stored) && !on_path {
            continue;
        }
        let rest = if on_path { &path[1..] } else { &[] };
        refresh(graph, child, &mut trail.below, rest);
        trail.worth = worth(graph, child, &trail.below);
        trail.stored = Some(stored);
    }
}

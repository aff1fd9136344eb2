//! Back-up: what a node's children say about it, carried to every ancestor.
//!
//! Recompute, never accumulate: an expanded node's estimate is a pure function of its children's
//! ([`recompute`]), and of the facts that were known of it before ([`Estimate::keeping_facts_of`]: a solved
//! node stays solved when its subtree is freed and grown anew). Doing it twice changes nothing.

use super::graph::{Edge, Full, Graph, NodeId};
use super::{Estimate, Interval, Successor, Value};
use std::collections::BinaryHeap;

/// The estimate that a node has from its children. A leaf's is its own.
pub fn recompute<V: Value, A: Copy>(graph: &Graph<V, A>, id: NodeId) -> Estimate<V> {
    recompute_with(graph, id, |_, _| None)
}

/// [`recompute`], with another estimate of some children: `instead` gets the number of the edge and the edge,
/// and returns what to believe of the child, from the *child's* side to move, or `None` for what is stored.
/// For draws by history, which belong to one visit: the result must not be stored.
pub fn recompute_with<V: Value, A: Copy>(
    graph: &Graph<V, A>,
    id: NodeId,
    instead: impl Fn(usize, &Edge<A>) -> Option<Estimate<V>>,
) -> Estimate<V> {
    let children = graph.edges(id).iter().enumerate();
    let known = |(index, edge)| instead(index, edge).unwrap_or_else(|| graph.estimate(edge.child));
    combine(children.map(|child| -known(child))).unwrap_or_else(|| graph.estimate(id))
}

/// The estimate of a node whose children are these, each from the node's own side to move; `None` without
/// children.
pub fn combine<V: Value>(children: impl Iterator<Item = Estimate<V>>) -> Option<Estimate<V>> {
    children.reduce(either).map(at_parent)
}

/// What the mover has who may choose between two alternatives, both seen from the mover's side. Associative and
/// commutative, so the order of the moves does not matter.
///
/// The belief is Berliner's (1979): the better lower and the better upper, from whichever alternative. What was
/// searched is backed up alike; the effort behind each end:
///
/// | end | its value | its effort | because |
/// |---|---|---|---|
/// | lower | the greater lower | that of the alternative that supplies it; of equals, the greater | one good move is enough |
/// | upper | the greater upper | the lesser of the two | every alternative must be refuted: the weakest link |
/// | upper, one alternative's upper is a fact | as above | that of the other one | a fact is no weak link |
/// | upper, all uppers are facts | as above | a fact | every alternative is proved to be no better |
/// | lower, supplied by a fact | as above | a fact | the move is there, whatever the others are worth |
/// | both, one lower is the best value there is | `MAX` | that of this lower, for both ends | nothing can be better: the rest need not be known |
/// | both, all uppers are the worst value there is | `MIN` | that of the upper, for both ends | nothing can be worse |
///
/// Facts sort above every other effort, so the first and second row imply the next three; the last two are
/// [`at_parent`]'s. A proven win that is not the best value there is (a mate with a distance) gives a proven
/// lower; the node is solved once no sibling can be proved to win sooner.
fn either<V: Value>(one: Estimate<V>, other: Estimate<V>) -> Estimate<V> {
    let lower_effort = match one.searched.lower().cmp(&other.searched.lower()) {
        std::cmp::Ordering::Greater => one.lower_effort,
        std::cmp::Ordering::Less => other.lower_effort,
        std::cmp::Ordering::Equal => one.lower_effort.max(other.lower_effort),
    };
    Estimate {
        belief: one.belief.or(other.belief),
        searched: one.searched.or(other.searched),
        lower_effort,
        upper_effort: one.upper_effort.min(other.upper_effort),
    }
}

/// From the best of the children to the parent: efforts count one more ply, and the ends of the scale are
/// closed.
fn at_parent<V: Value>(best: Estimate<V>) -> Estimate<V> {
    let (mut lower, mut upper) = (best.lower_effort.above(), best.upper_effort.above());
    if best.searched == Interval::exact(V::MAX) {
        upper = upper.max(lower);
    }
    if best.searched == Interval::exact(V::MIN) {
        lower = lower.max(upper);
    }
    Estimate { lower_effort: lower, upper_effort: upper, ..best }
}

/// Expands a leaf and carries the news upwards: to its ancestors, and to those of children that were there
/// already and learned something. Returns the number of estimates that changed.
pub fn expand<V: Value, A: Copy>(
    graph: &mut Graph<V, A>,
    id: NodeId,
    successors: &[Successor<A, V>],
) -> Result<usize, Full> {
    graph.expand(id, successors)?;
    let mut stale = Stale::default();
    stale.add(graph, id);
    for edge in graph.edges(id) {
        if graph.parents(edge.child).nth(1).is_some() {
            graph.parents(edge.child).for_each(|parent| stale.add(graph, parent));
        }
    }
    Ok(stale.settle(graph))
}

/// Carries a change to every ancestor, through all parents, until nothing changes any more. `from` is a leaf
/// whose estimate was just stored, or an expanded node (which is recomputed first). Returns the number of
/// ancestors (and `from`, when expanded) whose estimate changed.
pub fn propagate<V: Value, A: Copy>(graph: &mut Graph<V, A>, from: NodeId) -> usize {
    let mut stale = Stale::default();
    if graph.is_expanded(from) {
        stale.add(graph, from);
    } else {
        graph.parents(from).for_each(|parent| stale.add(graph, parent));
    }
    stale.settle(graph)
}

/// Stores a leaf's new estimate (facts known before stay) and propagates. Returns the number of estimates
/// that changed.
pub fn store<V: Value, A: Copy>(graph: &mut Graph<V, A>, leaf: NodeId, estimate: Estimate<V>) -> usize {
    let before = graph.estimate(leaf);
    let after = estimate.keeping_facts_of(&before);
    if after == before {
        return 0;
    }
    graph.store(leaf, after);
    1 + propagate(graph, leaf)
}

/// Recomputes every expanded node, deepest first: after many leaves changed at once. Takes no memory; one
/// pass over all nodes for each ply.
pub fn propagate_all<V: Value, A: Copy>(graph: &mut Graph<V, A>) {
    let plies = graph.nodes().map(|id| graph.ply(id));
    let Some((first, last)) = plies.fold(None, |range, ply| match range {
        None => Some((ply, ply)),
        Some((first, last)) => Some((ply.min(first), ply.max(last))),
    }) else {
        return;
    };
    for ply in (first..=last).rev() {
        for slot in 0..graph.slots() {
            match graph.node_in(slot) {
                Some(id) if graph.ply(id) == ply && graph.is_expanded(id) => {
                    update(graph, id);
                }
                _ => {}
            }
        }
    }
}

/// Recomputes one node and stores the result. Did it change?
fn update<V: Value, A: Copy>(graph: &mut Graph<V, A>, id: NodeId) -> bool {
    let before = graph.estimate(id);
    let after = recompute(graph, id).keeping_facts_of(&before);
    graph.store(id, after);
    after != before
}

/// Nodes to recompute, deepest first: a node's turn comes when all its descendants have had theirs, so each is
/// recomputed once.
#[derive(Default)]
struct Stale(BinaryHeap<(u16, NodeId)>);

impl Stale {
    fn add<V: Value, A: Copy>(&mut self, graph: &Graph<V, A>, id: NodeId) {
        self.0.push((graph.ply(id), id));
    }

    fn settle<V: Value, A: Copy>(mut self, graph: &mut Graph<V, A>) -> usize {
        let mut changed = 0;
        while let Some(next) = self.0.pop() {
            while self.0.peek() == Some(&next) {
                self.0.pop();
            }
            if update(graph, next.1) {
                changed += 1;
                graph.parents(next.1).for_each(|parent| self.add(graph, parent));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::Effort;
    use crate::bstar::test_value::Points;

    const PROVEN: Effort = Effort::PROVEN;

    fn estimate(lower: i32, upper: i32, efforts: (Effort, Effort)) -> Estimate<Points> {
        let span = Interval::new(Points(lower), Points(upper)).unwrap();
        Estimate { belief: span, searched: span, lower_effort: efforts.0, upper_effort: efforts.1 }
    }

    /// A root with the given children, each from the root's side.
    fn backed_up(children: &[Estimate<Points>]) -> Estimate<Points> {
        let mut graph = Graph::with_budget(0);
        let root = graph.re_root(0, 0, Estimate::UNKNOWN);
        let successor = |(key, &child): (usize, &Estimate<Points>)| Successor {
            action: key,
            key: key as u64 + 1,
            estimate: -child,
        };
        let successors: Vec<_> = children.iter().enumerate().map(successor).collect();
        expand(&mut graph, root, &successors).unwrap();
        assert_eq!(graph.estimate(root), recompute(&graph, root));
        graph.estimate(root)
    }

    #[test]
    fn ends_come_from_whichever_child_has_them() {
        let five = (Effort::of(5), Effort::of(5));
        let root = backed_up(&[estimate(-10, 40, five), estimate(0, 20, five)]);
        assert_eq!(root.belief, Interval::new(Points(0), Points(40)).unwrap());
        assert_eq!(root.effort(), Effort::of(6));
    }

    #[test]
    fn lower_effort_is_the_best_childs_and_upper_effort_the_weakest_link() {
        let root = backed_up(&[
            estimate(10, 10, (Effort::of(8), Effort::of(8))),
            estimate(0, 5, (PROVEN, Effort::of(3))),
        ]);
        assert_eq!((root.lower_effort, root.upper_effort), (Effort::of(9), Effort::of(4)));
        let equals = backed_up(&[
            estimate(10, 10, (Effort::of(2), PROVEN)),
            estimate(10, 10, (Effort::of(7), PROVEN)),
        ]);
        assert_eq!((equals.lower_effort, equals.upper_effort), (Effort::of(8), PROVEN));
    }

    #[test]
    fn a_fact_is_no_weak_link() {
        let root = backed_up(&[
            estimate(10, 10, (Effort::of(8), Effort::of(8))),
            estimate(-90, -90, (PROVEN, PROVEN)),
        ]);
        assert_eq!((root.lower_effort, root.upper_effort), (Effort::of(9), Effort::of(9)));
    }

    #[test]
    fn facts_alone_make_a_fact() {
        let root = backed_up(&[estimate(-5, -5, (PROVEN, PROVEN)), estimate(-90, -20, (PROVEN, PROVEN))]);
        assert!(root.is_solved());
        assert_eq!(root.expected(), Points(-5));
    }

    #[test]
    fn the_best_value_there_is_solves_the_parent_and_a_lesser_win_does_not() {
        let open = estimate(-50, 50, (Effort::of(3), Effort::of(3)));
        let best = Estimate::solved(Points::MAX);
        assert!(backed_up(&[open, best]).is_solved());
        let lesser = backed_up(&[open, estimate(900, 900, (PROVEN, PROVEN))]);
        assert_eq!((lesser.lower_effort, lesser.upper_effort), (PROVEN, Effort::of(4)));
        assert!(lesser.belief.is_exact());
    }

    #[test]
    fn the_worst_value_there_is_solves_the_parent() {
        let lost = Estimate {
            lower_effort: Effort::NONE,
            ..estimate(-Points::MAX.0, -Points::MAX.0, (PROVEN, PROVEN))
        };
        assert!(backed_up(&[lost]).is_solved());
    }

    #[test]
    fn a_visits_estimate_replaces_the_stored_one_for_that_visit() {
        let mut graph = Graph::with_budget(0);
        let root = graph.re_root(0, 0, Estimate::UNKNOWN);
        let child = Successor { action: (), key: 1, estimate: Estimate::solved(Points(-30)) };
        expand(&mut graph, root, &[child]).unwrap();
        let draw = recompute_with(&graph, root, |index, _| (index == 0).then(|| Estimate::solved(Points(0))));
        assert_eq!(draw, Estimate::solved(Points(0)));
        assert_eq!(graph.estimate(root), Estimate::solved(Points(30)));
    }

    #[test]
    fn every_ancestor_is_told_once_through_all_parents() {
        // Root 0 -> 1, 2; both -> 3.
        let mut graph = Graph::with_budget(0);
        let open = estimate(-50, 50, (PROVEN, PROVEN));
        let to = |keys: &[u64]| -> Vec<Successor<(), Points>> {
            keys.iter().map(|&key| Successor { action: (), key, estimate: open }).collect()
        };
        let root = graph.re_root(0, 0, open);
        expand(&mut graph, root, &to(&[1, 2])).unwrap();
        for key in [1, 2] {
            let id = graph.find(key, 1).unwrap();
            expand(&mut graph, id, &to(&[3])).unwrap();
        }
        let shared = graph.find(3, 2).unwrap();
        assert_eq!(graph.parents(shared).count(), 2);
        assert_eq!(store(&mut graph, shared, Estimate::solved(Points(7))), 4);
        assert_eq!(graph.estimate(root), Estimate::solved(Points(7)));
        assert_eq!(propagate(&mut graph, shared), 0);
    }
}

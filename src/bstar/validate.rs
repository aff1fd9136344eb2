//! Every invariant of a graph, for tests and debug builds.

use super::backup::recompute;
use super::{Estimate, Graph, NodeId, Value};
use std::fmt::Debug;

/// Checks the whole graph; the error names the first node at fault and the broken rule. Costs time in
/// proportion to edges times parents.
///
/// - The index finds every node, and the number of nodes is right.
/// - Every edge raises the ply by one; edges and parent links match, one for one.
/// - An expanded node has the estimate that its children give it, but for facts of its own.
/// - What is believed lies within what is proven.
/// - The bytes in use are within the budget; the root is there.
pub fn validate<V: Value, A: Copy + Debug>(graph: &Graph<V, A>) -> Result<(), String> {
    if graph.bytes_in_use() > graph.budget() {
        return Err(format!("{} bytes of {} in use", graph.bytes_in_use(), graph.budget()));
    }
    let count = graph.nodes().count();
    if count != graph.node_count() {
        return Err(format!("{count} nodes, counted as {}", graph.node_count()));
    }
    if let Some(root) = graph.root() {
        check(
            graph,
            root,
            graph.find(graph.key(root), graph.ply(root)) == Some(root),
            "the root is not there",
        )?;
    }
    graph.nodes().try_for_each(|id| validate_node(graph, id))
}

fn validate_node<V: Value, A: Copy + Debug>(graph: &Graph<V, A>, id: NodeId) -> Result<(), String> {
    let estimate = graph.estimate(id);
    let found = graph.find(graph.key(id), graph.ply(id));
    check(graph, id, found == Some(id), "the index does not find it")?;
    check(graph, id, within_facts(&estimate), "belief outside the facts")?;
    let settled = recompute(graph, id).keeping_facts_of(&estimate);
    check(graph, id, settled == estimate, "its children say otherwise")?;
    for edge in graph.edges(id) {
        check(graph, id, graph.ply(edge.child) == graph.ply(id) + 1, "an edge that does not raise the ply")?;
        let edges = graph.edges(id).iter().filter(|other| other.child == edge.child).count();
        let links = graph.parents(edge.child).filter(|&parent| parent == id).count();
        check(graph, id, edges == links, "a child without the link back")?;
    }
    let claims = graph.parents(id).all(|parent| graph.edges(parent).iter().any(|edge| edge.child == id));
    check(graph, id, claims, "a parent that does not know it")
}

fn within_facts<V: Value>(estimate: &Estimate<V>) -> bool {
    let Estimate { belief, searched, lower_effort, upper_effort } = *estimate;
    (!lower_effort.is_proven() || belief.lower() >= searched.lower())
        && (!upper_effort.is_proven() || belief.upper() <= searched.upper())
}

fn check<V: Value, A: Copy + Debug>(
    graph: &Graph<V, A>,
    id: NodeId,
    holds: bool,
    rule: &str,
) -> Result<(), String> {
    if holds {
        return Ok(());
    }
    let edges = graph.edges(id);
    Err(format!("{id:?} at ply {}: {rule}; {:?}, edges {edges:?}", graph.ply(id), graph.estimate(id)))
}

use super::*;
use crate::bstar::test_value::Points;
use crate::bstar::{Effort, Interval, backup, validate};

type TestGraph = Graph<Points, u16>;

fn span(lower: i32, upper: i32) -> Estimate<Points> {
    Estimate::realistic(Points(lower), Interval::new(Points(lower), Points(upper)).unwrap(), Effort::of(1))
}

/// Successors with these keys; the first move is 0.
fn to(keys: &[u64]) -> Vec<Successor<u16, Points>> {
    let successor =
        |(action, &key): (usize, &u64)| Successor { action: action as u16, key, estimate: span(-9, 9) };
    keys.iter().enumerate().map(successor).collect()
}

fn grown(edges: &[(u64, u16, &[u64])]) -> (TestGraph, NodeId) {
    let mut graph = Graph::with_budget(0);
    let root = graph.re_root(0, 0, span(-9, 9));
    for &(key, ply, keys) in edges {
        let id = graph.find(key, ply).unwrap();
        backup::expand(&mut graph, id, &to(keys)).unwrap();
    }
    assert_eq!(validate(&graph), Ok(()));
    (graph, root)
}

#[test]
fn the_same_position_at_the_same_ply_is_one_node() {
    let (graph, root) = grown(&[(0, 0, &[1, 2]), (1, 1, &[0, 3]), (2, 1, &[3, 4])]);
    assert_eq!(graph.node_count(), 6);
    let shared = graph.find(3, 2).unwrap();
    let mut parents: Vec<u64> = graph.parents(shared).map(|id| graph.key(id)).collect();
    parents.sort_unstable();
    assert_eq!(parents, [1, 2]);
    // The root's position again, two plies on: another node.
    assert_ne!(graph.find(0, 2), Some(root));
    assert_eq!((graph.find(0, 0), graph.find(0, 1)), (Some(root), None));
    assert_eq!(graph.edges(root).iter().map(|edge| edge.action).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn two_moves_to_one_position_are_two_edges() {
    let (mut graph, root) = grown(&[(0, 0, &[1, 1])]);
    let child = graph.find(1, 1).unwrap();
    assert_eq!((graph.node_count(), graph.parents(child).count()), (2, 2));
    graph.collapse(root);
    assert_eq!((graph.node_count(), validate(&graph)), (1, Ok(())));
}

#[test]
fn a_shared_leaf_takes_what_knows_more() {
    let (mut graph, root) = grown(&[(0, 0, &[1, 2]), (1, 1, &[3])]);
    let better = Estimate::realistic(Points(4), Interval::exact(Points(4)), Effort::of(5));
    let parent = graph.find(2, 1).unwrap();
    backup::expand(&mut graph, parent, &[Successor { action: 0, key: 3, estimate: better }]).unwrap();
    let shared = graph.find(3, 2).unwrap();
    assert_eq!(graph.estimate(shared), better);
    assert_eq!(validate(&graph), Ok(()), "the other parent was told, too");
    // And keeps what it knows against what knows less.
    let third = graph.re_root(7, 1, span(-9, 9));
    backup::expand(&mut graph, third, &to(&[3])).unwrap();
    assert_eq!(graph.estimate(shared), better);
    assert_eq!(graph.estimate(root).effort(), Effort::of(7));
}

#[test]
fn collapse_frees_what_only_this_node_reaches() {
    let (mut graph, _) =
        grown(&[(0, 0, &[1, 2]), (1, 1, &[3, 4]), (2, 1, &[4, 5]), (3, 2, &[6]), (4, 2, &[6, 7])]);
    let one = graph.find(1, 1).unwrap();
    let before = graph.estimate(one);
    graph.collapse(one);
    assert!(!graph.is_expanded(one));
    assert_eq!(graph.estimate(one), before);
    assert_eq!((graph.find(3, 2), graph.node_count()), (None, 7));
    assert_eq!((graph.tree_size(100), graph.tree_size(3)), (7, 3));
    let below = graph.re_root(2, 1, span(-9, 9));
    assert_eq!((graph.root(), graph.tree_size(100), graph.node_count()), (Some(below), 5, 7));
    assert_eq!(graph.parents(graph.find(6, 3).unwrap()).count(), 1);
    assert_eq!(validate(&graph), Ok(()));
}

#[test]
fn a_collapsed_leaf_hands_its_belief_down() {
    let (mut graph, root) = grown(&[(0, 0, &[1, 2]), (1, 1, &[3]), (2, 1, &[4])]);
    for (key, estimate) in [(3, span(-5, 3)), (4, span(-2, 8))] {
        let leaf = graph.find(key, 2).unwrap();
        backup::store(&mut graph, leaf, estimate);
    }
    let known = graph.estimate(root).belief;
    assert_eq!(known, Interval::new(Points(-2), Points(8)).unwrap());
    graph.collapse(root);
    backup::expand(&mut graph, root, &to(&[1, 2])).unwrap();
    assert_eq!(graph.estimate(root).belief, known, "fresh successors alone would say -9 to 9");
    assert_eq!(
        graph.estimate(graph.find(1, 1).unwrap()).belief.lower(),
        Points(-8),
        "no better than the root"
    );
}

#[test]
fn full_changes_nothing() {
    let mut graph = TestGraph::with_budget(0);
    let root = graph.re_root(0, 0, span(-9, 9));
    let keys: Vec<u64> = (1..5000).collect();
    let bytes = graph.bytes_in_use();
    assert_eq!(graph.expand(root, &to(&keys)), Err(Full));
    assert_eq!((graph.node_count(), graph.bytes_in_use()), (1, bytes));
    // An edge cannot lead beyond the last ply either.
    let last = graph.re_root(0, u16::MAX, span(-9, 9));
    assert_eq!(graph.expand(last, &to(&[1])), Err(Full));
    assert_eq!(validate(&graph), Ok(()));
}

/// A chain of searches: each root has a few hundred nodes of its own below it, and the next root.
fn games(graph: &mut TestGraph, roots: u64) {
    for game in 0..roots {
        let root = graph.re_root(game, game as u16, span(-9, 9));
        let keys: Vec<u64> = (0..60).map(|index| 1000 * (game + 1) + index).chain([game + 1]).collect();
        while backup::expand(graph, root, &to(&keys)).is_err() {
            assert!(graph.make_room(&[root]) > 0);
        }
    }
}

#[test]
fn what_is_out_of_reach_goes_oldest_first() {
    let mut graph = TestGraph::with_budget(0);
    games(&mut graph, 20);
    assert_eq!(validate(&graph), Ok(()));
    // All roots are either there with all their nodes, or gone: the older ones.
    let there: Vec<bool> = (0..20).map(|game| graph.find(game, game as u16).is_some()).collect();
    let gone = there.iter().take_while(|&&there| !there).count();
    assert!(gone > 2 && gone < 19, "{there:?}");
    assert!(there[gone..].iter().all(|&there| there), "{there:?}");
    assert!(graph.is_expanded(graph.find(18, 18).unwrap()));
}

#[test]
fn generations_run_out_without_losing_the_order() {
    let mut graph = TestGraph::with_budget(0);
    games(&mut graph, 200);
    assert!(graph.find(199, 199).is_some() && graph.find(190, 190).is_some());
    assert!(graph.find(100, 100).is_none());
    assert_eq!(validate(&graph), Ok(()));
}

#[test]
fn pinned_paths_stay_and_the_worst_moves_go_first() {
    // Three root moves with their own subtrees; the third is best, the first worst for the mover.
    let (mut graph, root) = grown(&[(0, 0, &[1, 2, 3])]);
    for (key, lower) in [(1, 40), (2, 0), (3, -40)] {
        let id = graph.find(key, 1).unwrap();
        let keys: Vec<u64> = (0..60).map(|index| 100 * key + index).collect();
        let successors: Vec<_> =
            to(&keys).into_iter().map(|s| Successor { estimate: -span(lower, lower + 20), ..s }).collect();
        backup::expand(&mut graph, id, &successors).unwrap();
    }
    let at = |graph: &TestGraph, key| graph.is_expanded(graph.find(key, 1).unwrap());
    graph.make_room(&[root]);
    assert_eq!((at(&graph, 1), at(&graph, 2), at(&graph, 3)), (false, true, true));
    let second = graph.find(2, 1).unwrap();
    let third = graph.find(3, 1).unwrap();
    assert!(graph.make_room(&[root, second]) > 0);
    assert_eq!((at(&graph, 2), at(&graph, 3)), (true, false));
    assert_eq!(graph.make_room(&[root, second, third]), 0, "nothing is left but what is pinned");
    assert_eq!(validate(&graph), Ok(()));
}

#[test]
fn a_solved_subtree_goes_before_a_bad_one() {
    let (mut graph, root) = grown(&[(0, 0, &[1, 2]), (1, 1, &[3]), (2, 1, &[4])]);
    let id = graph.find(3, 2).unwrap();
    backup::store(&mut graph, id, Estimate::solved(Points(5)));
    assert!(graph.make_room(&[root]) > 0);
    assert_eq!(graph.estimate(graph.find(1, 1).unwrap()), Estimate::solved(Points(-5)));
    assert_eq!((graph.find(3, 2), graph.find(4, 2).is_some()), (None, true));
}

#[test]
fn clear_gives_the_memory_back() {
    let mut graph = TestGraph::with_budget(1 << 20);
    let empty = graph.bytes_in_use();
    games(&mut graph, 20);
    graph.clear();
    assert_eq!((graph.node_count(), graph.root(), graph.bytes_in_use()), (0, None, empty));
}

#[test]
fn a_budget_costs_nothing_until_it_is_used_and_has_a_least_size() {
    let large = TestGraph::with_budget(1 << 30);
    assert_eq!(large.budget(), 1 << 30);
    assert!(large.bytes_in_use() < 1 << 20);
    assert_eq!(TestGraph::with_budget(5).budget(), TestGraph::LEAST_BUDGET);
}

#[test]
fn validate_notices_what_is_wrong() {
    let (mut graph, root) = grown(&[(0, 0, &[1, 2])]);
    let right = graph.estimate(root);
    graph.store(root, span(-3, 3));
    assert!(validate(&graph).unwrap_err().contains("children say otherwise"));
    graph.store(root, right);
    let edges = &mut graph.nodes[root.0].edges;
    edges[0].child = edges[1].child;
    assert!(validate(&graph).unwrap_err().contains("without the link back"));
    let (mut graph, _) = grown(&[(0, 0, &[1, 2])]);
    let child = graph.find(1, 1).unwrap();
    graph.store(child, Estimate { belief: Interval::UNKNOWN, ..Estimate::solved(Points(1)) });
    backup::propagate(&mut graph, child);
    assert!(validate(&graph).unwrap_err().contains("outside the facts"));
}

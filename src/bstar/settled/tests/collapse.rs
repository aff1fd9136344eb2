//! The collapse that the settled policies prevent: a parent that acts on unsettled children.

use super::layers::answer;
use crate::bstar::settled::{Settled, SettledDomain, Standing};
use crate::bstar::test_value::Points;
use crate::bstar::{
    Domain, Effort, Estimate, Graph, Interrupted, Interval, Monitor, Question, Successor, Unwatched, backup,
};

/// A game of two root moves, A and B, each with two replies, whose values (from the root's side) change with the effort:
/// A's main reply looks worse for the replier once it is searched deeper.
struct Collapse {
    path: Vec<usize>,
}

impl Collapse {
    /// From the root's side: the value of the reply under a root move, found with `effort`.
    fn leaf(root_move: usize, reply: usize, effort: u16) -> i32 {
        match (root_move, reply) {
            (0, 0) => {
                if effort < 3 {
                    100
                } else {
                    300
                }
            }
            (0, _) => 110,
            (_, 0) => -50,
            _ => -40,
        }
    }
}

impl Domain for Collapse {
    type Value = Points;
    type Action = usize;
    fn key(&self) -> u64 {
        self.path.iter().fold(1, |key, &action| key * 3 + action as u64)
    }
    fn play(&mut self, action: usize) {
        self.path.push(action);
    }
    fn undo(&mut self) {
        self.path.pop();
    }
    fn successors(
        &mut self,
        into: &mut Vec<Successor<usize, Points>>,
        _: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        for action in 0..2 {
            self.play(action);
            into.push(Successor { action, key: self.key(), estimate: Estimate::UNKNOWN });
            self.undo();
        }
        Ok(())
    }
    fn refine(
        &mut self,
        known: &Estimate<Points>,
        question: Question<Points>,
        effort: Effort,
        _: &mut dyn Monitor,
    ) -> Result<Estimate<Points>, Interrupted> {
        let value = Self::leaf(self.path[0], self.path[1], effort.units());
        Ok(known.revised(answer(question, Points(value)), effort))
    }
}

impl SettledDomain for Collapse {
    fn grows(&self, standing: Standing) -> bool {
        standing.ply < 2
    }
    fn believe(&mut self, settled: &Estimate<Points>) -> Interval<Points> {
        settled.searched
    }
    fn separation_target(&mut self, bar: Points, _: Effort, _: f64) -> Points {
        bar
    }
}

/// One step of a stepwise policy refines A's main reply, which drops, and backs up over the sibling's stale bound: A, the
/// best move, is left without a value, and a root that crowns the best *verified* move would play B. The settled
/// update asks the sibling again before A is believed.
#[test]
fn a_stepwise_back_up_over_null_window_bounds_collapses_and_a_settled_one_does_not() {
    let mut domain = Collapse { path: vec![] };
    let mut graph = Graph::with_budget(1 << 20);
    let root = graph.re_root(domain.key(), 0, Estimate::UNKNOWN);
    let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
    search.deepen(Effort::of(4), &mut Unwatched).unwrap();
    let (action, estimate) = search.incumbent.unwrap();
    assert_eq!((action, estimate.searched), (0, Interval::exact(Points(100))));

    // The stepwise step, on copies of what is stored.
    let best = search.child(0);
    let replies: Vec<_> = search.graph.edges(best).iter().map(|edge| edge.child).collect();
    let dropped = search.graph.estimate(replies[0]).revised(Interval::exact(Points(300)), Effort::of(3));
    let stale = search.graph.estimate(replies[1]);
    let stepwise = -backup::combine([-dropped, -stale].into_iter()).unwrap();
    assert_eq!(stepwise.searched, Interval::new(Points(100), Points(300)).unwrap());
    assert!(!stepwise.answers(Question::VALUE, Effort::NONE), "the best move has lost its value");

    search.deepen(Effort::of(5), &mut Unwatched).unwrap();
    let (action, estimate) = search.incumbent.unwrap();
    assert_eq!((action, estimate.searched), (0, Interval::exact(Points(110))));
}

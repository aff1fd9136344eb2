//! The decision, and the evidence for it.

use super::super::{Domain, Estimate, Interval, Termination, Value};
use super::{Counters, Search};

/// How a root move stands, from the root's side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence<A, V> {
    /// The move.
    pub action: A,
    /// What is known of it, draws by history included.
    pub estimate: Estimate<V>,
}

/// What the search decided, and on what grounds.
///
/// *Without separation* the move nearest to separation is chosen: the one for which the highest upper among
/// the others exceeds its lower by the least. This gap is the most that the choice can cost, if the intervals
/// are right, and separation is the case where it is no longer positive; so the rule needs no scale of its
/// own, uses both ends of all intervals, and agrees with separation in the limit. Among equal gaps: the
/// higher lower, then the higher expected value, then the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision<A, V> {
    /// The move. `None` when there is none, or when the search was stopped before it knew one.
    pub action: Option<A>,
    /// Why the search ended.
    pub termination: Termination,
    /// The chosen move.
    pub best: Option<Evidence<A, V>>,
    /// The other move with the highest upper.
    pub rival: Option<Evidence<A, V>>,
    /// The root's belief.
    pub belief: Interval<V>,
    /// What was done.
    pub counters: Counters,
}

impl<D: Domain> Search<'_, D> {
    /// The decision that the tree supports now.
    pub fn decide(&self, termination: Termination) -> Decision<D::Action, D::Value> {
        let evidence: Vec<_> = self
            .moves()
            .iter()
            .map(|root_move| Evidence { action: root_move.action, estimate: self.estimate(root_move) })
            .collect();
        let best = nearest_to_separation(&evidence);
        let rival = best.and_then(|best| strongest_but(&evidence, best));
        Decision {
            action: best.map(|index| evidence[index].action),
            termination,
            best: best.map(|index| evidence[index]),
            rival: rival.map(|index| evidence[index]),
            belief: self.belief(),
            counters: *self.counters(),
        }
    }
}

/// The move whose lower is nearest to (or most above) the highest upper of the others.
fn nearest_to_separation<A, V: Value>(moves: &[Evidence<A, V>]) -> Option<usize> {
    let gap = |index: usize| match strongest_but(moves, index) {
        Some(rival) => moves[rival].estimate.belief.upper().minus(moves[index].estimate.belief.lower()),
        None => 0.0,
    };
    let promise = |index: usize| {
        let estimate = &moves[index].estimate;
        (estimate.belief.lower(), estimate.expected())
    };
    (0..moves.len())
        .map(|index| (gap(index), index))
        .reduce(|best, next| {
            let order =
                next.0.total_cmp(&best.0).reverse().then_with(|| promise(next.1).cmp(&promise(best.1)));
            if order.is_gt() { next } else { best }
        })
        .map(|(_, index)| index)
}

/// The move with the highest upper among the others.
fn strongest_but<A, V: Value>(moves: &[Evidence<A, V>], index: usize) -> Option<usize> {
    (0..moves.len()).filter(|&other| other != index).max_by_key(|&other| {
        let belief = moves[other].estimate.belief;
        (belief.upper(), belief.lower())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::test_value::Points;

    fn choice(ends: &[(i32, i32)]) -> Option<usize> {
        let evidence = |&(lower, upper): &(i32, i32)| Evidence {
            action: (),
            estimate: Estimate::proven(Interval::new(Points(lower), Points(upper)).unwrap()),
        };
        nearest_to_separation(&ends.iter().map(evidence).collect::<Vec<_>>())
    }

    #[test]
    fn the_choice_without_separation_risks_least() {
        assert_eq!(choice(&[]), None);
        assert_eq!(choice(&[(0, 9)]), Some(0));
        // Risks 12 - 5 = 7, 15 - 8 = 7: the higher lower.
        assert_eq!(choice(&[(5, 15), (8, 12)]), Some(1));
        // Risks 9 - 5 = 4, 15 - 8 = 7.
        assert_eq!(choice(&[(5, 15), (8, 9)]), Some(0));
        // Separated: negative.
        assert_eq!(choice(&[(0, 3), (5, 9), (1, 4)]), Some(1));
        assert_eq!(choice(&[(0, 3), (0, 3)]), Some(0));
    }
}

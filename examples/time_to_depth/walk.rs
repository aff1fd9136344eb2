//! [`Walk`]: workers on their way through a recorded search; see [`model`](super::model).

use super::model::{Kind, Plan, SEARCH};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A worker on its way.
#[derive(Clone)]
struct Worker {
    /// The steps that it is in, from the whole search on.
    path: Vec<usize>,
    /// How often it has begun something: what it was to end before that does not count.
    begun: u64,
}

/// All of them, and what they have answered.
pub struct Walk<'p> {
    plan: &'p Plan,
    answered: Vec<bool>,
    /// Workers that are in this step.
    inside: Vec<usize>,
    workers: Vec<Worker>,
    /// Who ends what it has begun, and when; the earliest first.
    ends: BinaryHeap<Reverse<(u64, usize, u64)>>,
}

impl<'p> Walk<'p> {
    /// Before they set off.
    pub fn new(plan: &'p Plan, workers: usize) -> Self {
        let worker = Worker { path: vec![SEARCH], begun: 0 };
        Self {
            plan,
            answered: vec![false; plan.items.len()],
            inside: vec![0; plan.items.len()],
            workers: vec![worker; workers],
            ends: BinaryHeap::new(),
        }
    }

    /// When the search is answered.
    pub fn run(mut self) -> u64 {
        (0..self.workers.len()).for_each(|worker| self.go_on(worker, 0));
        while let Some(Reverse((now, worker, begun))) = self.ends.pop() {
            if begun != self.workers[worker].begun {
                continue;
            }
            let outermost = self.answer(self.workers[worker].path.last().copied().unwrap_or(SEARCH));
            if outermost == SEARCH {
                return now;
            }
            self.relieve(outermost, now);
        }
        0
    }

    /// This step is answered, and with it perhaps what contains it. Returns the outermost.
    fn answer(&mut self, mut item: usize) -> usize {
        loop {
            self.answered[item] = true;
            let parent = self.plan.items[item].parent;
            if item == SEARCH || !self.is_answered_by_its_parts(parent) {
                return item;
            }
            item = parent;
        }
    }

    fn is_answered_by_its_parts(&self, item: usize) -> bool {
        let all = |parts: &[usize]| parts.iter().all(|&part| self.answered[part]);
        match &self.plan.items[item].kind {
            Kind::Nodes(_) => false,
            Kind::Series(parts) => all(parts),
            Kind::Choices { needed, decided: true, .. } => all(&needed[needed.len() - 1..]),
            Kind::Choices { needed, .. } => all(needed),
        }
    }

    /// Whoever is in this step, which is answered, leaves it and goes on.
    fn relieve(&mut self, item: usize, now: u64) {
        let level = self.plan.items[item].level;
        for worker in 0..self.workers.len() {
            if self.workers[worker].path.get(level) == Some(&item) {
                for left in self.workers[worker].path.drain(level..) {
                    self.inside[left] -= 1;
                }
                self.go_on(worker, now);
            }
        }
    }

    /// From the innermost step that it is in, a worker goes down to the nodes that it does next.
    fn go_on(&mut self, worker: usize, now: u64) {
        let Worker { path, begun } = &mut self.workers[worker];
        *begun += 1;
        let mut item = path[path.len() - 1];
        loop {
            let next = match &self.plan.items[item].kind {
                Kind::Nodes(nodes) => {
                    self.ends.push(Reverse((now + nodes, worker, *begun)));
                    return;
                }
                Kind::Series(parts) => parts.iter().copied().find(|&part| !self.answered[part]),
                Kind::Choices { needed, .. } if !self.answered[needed[0]] => Some(needed[0]),
                Kind::Choices { needed, vain, .. } => {
                    let mut open =
                        needed.iter().chain(vain).copied().filter(|&choice| !self.answered[choice]);
                    let mut others = open.clone();
                    others.find(|&choice| self.inside[choice] == 0).or_else(|| open.next())
                }
            };
            // What is not answered has a part that is not.
            let Some(next) = next else { return };
            self.inside[next] += 1;
            path.push(next);
            item = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Crowd, Plan};
    use super::super::record::Step;

    fn nodes(nodes: u64) -> Vec<Step> {
        vec![Step::Nodes(nodes)]
    }

    fn choices(choices: &[u64], decided: bool) -> Step {
        Step::Choices { choices: choices.iter().map(|&cost| nodes(cost)).collect(), decided }
    }

    fn times<const N: usize>(steps: &[Step], crews: [usize; N]) -> [u64; N] {
        crews.map(|workers| Plan::of(steps).time(workers))
    }

    #[test]
    fn one_worker_takes_as_long_as_was_recorded() {
        let steps = [Step::Nodes(5), choices(&[10, 20, 30], false), choices(&[7, 8], true)];
        assert_eq!(times(&steps, [1]), [80]);
    }

    #[test]
    fn the_first_choice_is_waited_for_and_the_others_are_shared() {
        let steps = [choices(&[10, 20, 20, 20], false)];
        assert_eq!(times(&steps, [1, 2, 3, 4, 1_000]), [70, 50, 30, 30, 30]);
    }

    #[test]
    fn who_joins_another_one_leaves_with_it() {
        // The second worker is free at 16, and joins the dear choice: it shares what is left inside.
        let inside = choices(&[10, 10, 10, 10], false);
        let steps = [Step::Choices { choices: vec![nodes(6), vec![inside], nodes(10)], decided: false }];
        assert_eq!(times(&steps, [1, 2]), [56, 6 + 10 + 20]);
    }

    #[test]
    fn steps_one_after_the_other_are_never_shared() {
        let steps = [Step::Nodes(5), choices(&[10], false), Step::Nodes(5)];
        assert_eq!(times(&steps, [1, 8]), [20, 20]);
    }

    #[test]
    fn a_choice_that_decides_ends_the_position_and_some_are_asked_in_vain() {
        // Undecided positions have four choices, so this one is believed to have two more.
        let undecided = choices(&[1, 1, 1, 1], false);
        let decided = Step::Choices { choices: vec![nodes(10), nodes(40), nodes(60)], decided: true };
        // One worker asks all three; with two, 40 and 60 at once, then one in vain; with three or four, some in vain.
        assert_eq!(times(&[undecided, decided], [1, 2, 3]), [114, 3 + 70, 2 + 70]);
    }

    #[test]
    fn a_question_in_vain_delays_the_one_that_decides() {
        let undecided = choices(&[0, 0, 0, 0, 0, 0], false);
        let inside = choices(&[10, 10, 10], false);
        let decided = Step::Choices { choices: vec![nodes(10), vec![inside]], decided: true };
        // The second worker tries what would have been behind, thirty nodes each, and does not help.
        assert_eq!(times(&[undecided, decided], [1, 2]), [40, 40]);
    }

    #[test]
    fn questions_at_once_are_counted_as_long_as_they_last() {
        let crowd = |steps: &[Step]| {
            let mut crowd = Crowd::default();
            crowd.add(&Plan::of(steps).questions());
            let quantiles = [0.1, 0.5, 0.8, 1.0].map(|share| crowd.quantile(share));
            (quantiles, crowd.time())
        };
        // Alone for ten, three for twenty, two for ten, and alone for ten.
        assert_eq!(crowd(&[choices(&[10, 20, 40, 30], false)]), ([1, 2, 3, 3], 50));
        // What is begun with the one that decides ends with it.
        assert_eq!(crowd(&[choices(&[10, 20, 10], true)]), ([1, 1, 2, 2], 20));
    }
}

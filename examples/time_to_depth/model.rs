//! A discrete-event model of many workers on one recorded search ([`record`](super::record)).
//!
//! [`Walk`]: each worker goes through the recorded steps as a real one would (`docs/threads.md`): the first choice of a position with all
//! others, then the first one that is neither answered nor under way, else one that is; when something on its way has been answered by
//! another worker it goes back there at once. Time is counted in nodes, and all workers are equally fast.
//!
//! Where the last recorded choice decided the position, a real worker would not know that there is no need for more: it would go on to
//! choices that were never recorded. In their place stand choices *in vain*, as many as such a position lacks of the mean of the
//! undecided ones, each as dear as its recorded ones behind the first.
//!
//! [`Plan::questions`] is the other end: as many workers as there are questions, and no question in vain.

use super::record::Step;
use super::walk::Walk;
use std::collections::BTreeMap;

/// A step, in the order of the recording: what it contains stands behind it.
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// The step that contains it; the whole search contains itself.
    pub parent: usize,
    /// How many steps contain it.
    pub level: usize,
}

/// What a step is made of.
pub enum Kind {
    /// So many nodes.
    Nodes(u64),
    /// One after the other.
    Series(Vec<usize>),
    /// The choices of a position, those in vain last.
    Choices {
        /// As recorded.
        needed: Vec<usize>,
        /// What else a worker that does not know the end would try.
        vain: Vec<usize>,
        /// The last of those that are needed decides.
        decided: bool,
    },
}

/// A recorded search, ready to be replayed.
pub struct Plan {
    /// All steps.
    pub items: Vec<Item>,
    /// Choices of an undecided position, in the mean.
    usual: usize,
}

/// The step that is the whole search.
pub const SEARCH: usize = 0;

impl Plan {
    /// The steps of one search.
    pub fn of(steps: &[Step]) -> Self {
        let (positions, choices) = undecided(steps);
        let mut plan = Self { items: Vec::new(), usual: choices.div_ceil(positions.max(1)) };
        plan.add_series(steps, SEARCH, 0);
        plan
    }

    fn add(&mut self, kind: Kind, parent: usize, level: usize) -> usize {
        self.items.push(Item { kind, parent, level });
        self.items.len() - 1
    }

    fn add_series(&mut self, steps: &[Step], parent: usize, level: usize) -> usize {
        let index = self.add(Kind::Series(Vec::new()), parent, level);
        let parts = steps.iter().map(|step| match step {
            Step::Nodes(nodes) => self.add(Kind::Nodes(*nodes), index, level + 1),
            Step::Choices { choices, decided } => self.add_choices(choices, *decided, index, level + 1),
        });
        let mut parts: Vec<_> = parts.collect();
        if parts.is_empty() {
            parts.push(self.add(Kind::Nodes(0), index, level + 1));
        }
        self.items[index].kind = Kind::Series(parts);
        index
    }

    fn add_choices(&mut self, choices: &[Vec<Step>], decided: bool, parent: usize, level: usize) -> usize {
        let index = self.add(Kind::Nodes(0), parent, level);
        let needed: Vec<_> = choices.iter().map(|steps| self.add_series(steps, index, level + 1)).collect();
        let behind = &choices[1..];
        let in_vain =
            if decided && !behind.is_empty() { self.usual.saturating_sub(choices.len()) } else { 0 };
        let cost = behind.iter().map(|steps| nodes(steps)).sum::<u64>() / behind.len().max(1) as u64;
        let vain = (0..in_vain).map(|_| self.add(Kind::Nodes(cost), index, level + 1)).collect();
        self.items[index].kind = Kind::Choices { needed, vain, decided };
        index
    }

    /// The nodes that `workers` together need until the whole search is answered: those of one of them.
    pub fn time(&self, workers: usize) -> u64 {
        Walk::new(self, workers).run()
    }

    /// When each question begins and ends if it is asked as soon as the rules of the search allow, whoever asks it, and none in
    /// vain.
    pub fn questions(&self) -> Vec<(u64, u64)> {
        let mut spans = Vec::new();
        self.ask(SEARCH, 0, &mut spans);
        spans
    }

    /// Asks this from `start` on. Returns when it is answered.
    fn ask(&self, item: usize, start: u64, spans: &mut Vec<(u64, u64)>) -> u64 {
        match &self.items[item].kind {
            Kind::Nodes(nodes) => {
                spans.push((start, start + nodes));
                start + nodes
            }
            Kind::Series(parts) => parts.iter().fold(start, |now, &part| self.ask(part, now, spans)),
            Kind::Choices { needed, decided, .. } => {
                let first = self.ask(needed[0], start, spans);
                let from = spans.len();
                let ends = needed[1..].iter().map(|&choice| self.ask(choice, first, spans));
                let ends: Vec<_> = ends.collect();
                let end = if *decided { ends.last() } else { ends.iter().max() };
                let end = end.copied().unwrap_or(first);
                // What decides the position ends the rest.
                spans[from..].iter_mut().for_each(|(begin, last)| {
                    (*begin, *last) = ((*begin).min(end), (*last).min(end));
                });
                end
            }
        }
    }
}

/// Nodes of these steps.
pub fn nodes(steps: &[Step]) -> u64 {
    let cost = |step: &Step| match step {
        Step::Nodes(nodes) => *nodes,
        Step::Choices { choices, .. } => choices.iter().map(|steps| nodes(steps)).sum(),
    };
    steps.iter().map(cost).sum()
}

/// How many positions were not decided by a choice, and how many choices they had.
fn undecided(steps: &[Step]) -> (usize, usize) {
    let (mut positions, mut count) = (0, 0);
    for step in steps {
        if let Step::Choices { choices, decided } = step {
            (positions, count) =
                (positions + usize::from(!decided), count + if *decided { 0 } else { choices.len() });
            for steps in choices {
                let inside = undecided(steps);
                (positions, count) = (positions + inside.0, count + inside.1);
            }
        }
    }
    (positions, count)
}

/// For each number of questions the time for which there were so many at once.
#[derive(Default)]
pub struct Crowd(BTreeMap<usize, u64>);

impl Crowd {
    /// Adds the questions of one search, with their beginnings and ends.
    pub fn add(&mut self, spans: &[(u64, u64)]) {
        let lasting = spans.iter().filter(|(begin, end)| begin < end);
        let mut changes: Vec<_> = lasting.flat_map(|&(begin, end)| [(begin, true), (end, false)]).collect();
        changes.sort_unstable();
        let (mut now, mut open) = (0, 0_usize);
        for (time, begins) in changes {
            if time > now {
                *self.0.entry(open).or_default() += time - now;
                now = time;
            }
            if begins { open += 1 } else { open -= 1 }
        }
    }

    /// For this share of the time there were so many, or fewer.
    pub fn quantile(&self, share: f64) -> usize {
        let all = self.time();
        let mut passed = 0;
        let reaches = |(_, time): &(&usize, &u64)| {
            passed += **time;
            passed as f64 >= share * all as f64
        };
        self.0.iter().find(reaches).map_or(0, |(&questions, _)| questions)
    }

    /// The time in all: with no limit to the workers, and nothing asked in vain.
    pub fn time(&self) -> u64 {
        self.0.values().sum()
    }
}

//! A layered game for the settled policies, with plain minimax beside it.

use crate::bstar::settled::{Missed, SettledDomain, Standing};
use crate::bstar::test_value::Points;
use crate::bstar::{
    Domain, Effort, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Question, Successor,
};

/// A layered game: the state is one of `states` numbers, each move adds its own offset. Few states make many
/// transpositions. Each state has a static value; after `length` plies the static value is final.
pub(super) struct Layers {
    pub(super) seed: u64,
    pub(super) states: u64,
    pub(super) moves: u64,
    pub(super) length: u16,
    pub(super) path: Vec<u64>,
    /// Give rivals less effort, as late-move reductions do?
    pub(super) reduced: bool,
    /// The least effort at which a node on the principal line grows.
    pub(super) grow_from: u16,
    /// Nodes off the principal line grow too?
    pub(super) grow_all: bool,
    /// A return to a state of the path is a draw?
    pub(super) repetitions: bool,
    /// The first reply of every node stands alone?
    pub(super) singular: bool,
    /// Nodes of the principal line are asked anew?
    pub(super) anew: bool,
    /// The greatest sum of plies and effort at a leaf that was asked.
    pub(super) deepest: u16,
    pub(super) other: Other,
}

/// Another worker, which answers questions that are posed.
#[derive(Default)]
pub(super) struct Other {
    /// After so many leaves that were asked one of them, by lot; `None`: never.
    pub(super) every: Option<u64>,
    /// So many it has answered.
    pub(super) reliefs: u64,
    leaves: u64,
    posed: usize,
    /// The question that it has answered, while the search is on its way back there.
    answered: Option<usize>,
    /// The search is back there.
    told: bool,
}

fn mix(mut x: u64) -> u64 {
    // The finalizer of SplitMix64 (Steele, Lea & Flood 2014).
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Layers {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            seed,
            states: 40,
            moves: 2 + mix(seed) % 5,
            length: 9,
            path: vec![mix(seed ^ 77) % 40],
            reduced: false,
            grow_from: 2 + (mix(seed ^ 5) % 3) as u16,
            grow_all: seed.is_multiple_of(2),
            repetitions: false,
            singular: false,
            anew: false,
            deepest: 0,
            other: Other::default(),
        }
    }

    /// A number by lot for each leaf.
    fn lot(&self) -> u64 {
        mix(self.seed ^ mix(self.other.leaves))
    }

    /// The other worker answers a question now.
    fn is_relieved(&mut self) -> bool {
        let lot = self.lot();
        let Other { every, reliefs, leaves, posed, answered, .. } = &mut self.other;
        *leaves += 1;
        if *posed > 0 && every.is_some_and(|every| leaves.is_multiple_of(every)) {
            *answered = Some((lot % *posed as u64) as usize);
            *reliefs += 1;
        }
        answered.is_some()
    }

    fn ply(&self) -> u16 {
        self.path.len() as u16 - 1
    }

    pub(super) fn child(&self, state: u64, action: u64) -> u64 {
        (state + 1 + mix(self.seed ^ mix(action))) % self.states
    }

    fn value(&self, state: u64, ply: u16) -> i32 {
        let here = mix(self.seed ^ mix(state ^ (u64::from(ply) << 32))) % 201;
        here as i32 - 100
    }

    /// Plain minimax to `effort` plies, from the side to move.
    pub(super) fn plain(&self, path: &mut Vec<u64>, effort: u16) -> i32 {
        let ply = path.len() as u16 - 1;
        let state = path[path.len() - 1];
        if self.repetitions && ply > 0 && repeats(path) {
            return 0;
        }
        if effort == 0 || ply == self.length {
            return self.value(state, ply);
        }
        (0..self.moves)
            .map(|action| {
                path.push(self.child(state, action));
                let value = -self.plain(path, effort - 1);
                path.pop();
                value
            })
            .max()
            .unwrap()
    }
}

/// The last state stood before on the path, with the same side to move.
fn repeats(path: &[u64]) -> bool {
    let last = path.len() - 1;
    (0..last).rev().skip(1).step_by(2).any(|at| path[at] == path[last])
}

/// As little as a null window tells: the side on which the value lies.
pub(super) fn answer(question: Question<Points>, value: Points) -> Interval<Points> {
    match question {
        Question::Exceeds(target) if value > target => Interval::at_least(Points(target.0 + 1)),
        Question::Exceeds(target) => Interval::at_most(target),
        Question::Reaches(target) if value >= target => Interval::at_least(target),
        Question::Reaches(target) => Interval::at_most(Points(target.0 - 1)),
        Question::Within { floor, .. } if value <= floor => Interval::at_most(floor),
        Question::Within { ceiling, .. } if value >= ceiling => Interval::at_least(ceiling),
        Question::Within { .. } => Interval::exact(value),
    }
}

/// `more` added at either end.
fn around(span: Interval<Points>, more: i32) -> Interval<Points> {
    let [lower, upper] =
        [span.lower().0 - more, span.upper().0 + more].map(|end| Points(end.clamp(-1000, 1000)));
    Interval::new(lower, upper).unwrap()
}

impl Domain for Layers {
    type Value = Points;
    type Action = u64;

    fn key(&self) -> u64 {
        self.path[self.path.len() - 1]
    }

    fn play(&mut self, action: u64) {
        self.path.push(self.child(self.key(), action));
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn path_value(&self) -> Option<Points> {
        (self.repetitions && repeats(&self.path)).then_some(Points(0))
    }

    fn successors(
        &mut self,
        into: &mut Vec<Successor<u64, Points>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        monitor.work(1)?;
        for action in 0..self.moves {
            let state = self.child(self.key(), action);
            let value = Points(self.value(state, self.ply() + 1));
            let estimate = if self.ply() + 1 == self.length {
                Estimate::solved(value)
            } else {
                Estimate::realistic(value, around(Interval::exact(value), 50), Effort::NONE)
            };
            into.push(Successor { action, key: state, estimate });
        }
        Ok(())
    }

    fn refine(
        &mut self,
        known: &Estimate<Points>,
        question: Question<Points>,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<Estimate<Points>, Interrupted> {
        monitor.work(1)?;
        if self.is_relieved() {
            return Err(Interrupted);
        }
        self.deepest = self.deepest.max(self.ply() + effort.units());
        let value = self.plain(&mut self.path.clone(), effort.units());
        let mut estimate = known.revised(answer(question, Points(value)), effort);
        estimate.belief = self.believe(&estimate);
        Ok(estimate)
    }

    fn widen(&self, estimate: &Estimate<Points>, factor: f64) -> Interval<Points> {
        around(estimate.belief, (20.0 * (factor - 1.0)) as i32)
    }
}

impl SettledDomain for Layers {
    fn grows(&self, standing: Standing) -> bool {
        standing.effort.units() >= self.grow_from && (standing.principal || self.grow_all)
    }

    fn descends(&self, standing: Standing) -> bool {
        standing.principal || self.grow_all
    }

    fn reuses(&self, standing: Standing) -> bool {
        !(self.anew && standing.principal)
    }

    fn is_singular(
        &mut self,
        standing: Standing,
        _best: u64,
        _known: &Estimate<Points>,
        _monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        assert!(standing.principal && standing.ply > 0, "{standing:?}");
        Ok(self.singular)
    }

    fn owed(&mut self, _standing: Standing, whole: Effort, rank: usize, _action: u64) -> Effort {
        if self.reduced { whole.less((rank / 2) as u16) } else { whole }
    }

    fn window(
        &self,
        expected: Points,
        _: Effort,
        attempt: u32,
        _: Option<Missed<Points>>,
    ) -> Question<Points> {
        match attempt {
            0 => Question::Within { floor: Points(expected.0 - 10), ceiling: Points(expected.0 + 10) },
            _ => Question::VALUE,
        }
    }

    fn believe(&mut self, settled: &Estimate<Points>) -> Interval<Points> {
        around(settled.searched, 20)
    }

    fn pose(&mut self, _question: Question<Points>, _effort: Effort) {
        self.other.posed += 1;
    }

    fn withdraw(&mut self) -> bool {
        let Other { posed, answered, told, .. } = &mut self.other;
        *posed -= 1;
        *told = answered.take_if(|answered| answered == posed).is_some();
        *told
    }

    /// Any move: the best one it need not be.
    fn told_best(&self) -> Option<u64> {
        Some(self.lot() % self.moves)
    }

    /// An answer may be gone by the time that it is looked for.
    fn recall(
        &mut self,
        known: &Estimate<Points>,
        question: Question<Points>,
        effort: Effort,
    ) -> Option<Estimate<Points>> {
        if !std::mem::take(&mut self.other.told) || self.lot().is_multiple_of(4) {
            return None;
        }
        let value = self.plain(&mut self.path.clone(), effort.units());
        let mut estimate = known.revised(answer(question, Points(value)), effort);
        estimate.belief = self.believe(&estimate);
        Some(estimate)
    }

    fn separation_target(&mut self, bar: Points, _effort: Effort, factor: f64) -> Points {
        Points(bar.0 - (20.0 * factor) as i32)
    }
}

pub(super) fn graph_for(domain: &Layers) -> (Graph<Points, u64>, NodeId) {
    let mut graph = Graph::with_budget(8 << 20);
    let root = graph.re_root(domain.key(), 0, Estimate::UNKNOWN);
    (graph, root)
}

//! The settled policies against plain depth-limited minimax, and the collapse that they prevent.

use super::root::{Overseer, Progress, Verdict};
use super::*;
use crate::bstar::test_value::Points;
use crate::bstar::{Interrupted, Monitor, Successor, Termination, Unwatched, Value, backup};

/// A layered game: the state is one of `states` numbers, each move adds its own offset. Few states make many
/// transpositions. Each state has a static value; after `length` plies the static value is final.
struct Layers {
    seed: u64,
    states: u64,
    moves: u64,
    length: u16,
    path: Vec<u64>,
    /// Give rivals less effort, as late-move reductions do?
    reduced: bool,
    /// The least effort at which a node on the principal line grows.
    grow_from: u16,
    /// Nodes off the principal line grow too?
    grow_all: bool,
    /// A return to a state of the path is a draw?
    repetitions: bool,
    /// What a rival must be better by.
    tolerance: i32,
    /// The first reply of every node stands alone?
    singular: bool,
    /// The greatest sum of plies and effort at a leaf that was asked.
    deepest: u16,
}

fn mix(mut x: u64) -> u64 {
    // The finalizer of SplitMix64 (Steele, Lea & Flood 2014).
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Layers {
    fn new(seed: u64) -> Self {
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
            tolerance: 0,
            singular: false,
            deepest: 0,
        }
    }

    fn ply(&self) -> u16 {
        self.path.len() as u16 - 1
    }

    fn child(&self, state: u64, action: u64) -> u64 {
        (state + 1 + mix(self.seed ^ mix(action))) % self.states
    }

    fn value(&self, state: u64, ply: u16) -> i32 {
        let here = mix(self.seed ^ mix(state ^ (u64::from(ply) << 32))) % 201;
        here as i32 - 100
    }

    /// Plain minimax to `effort` plies, from the side to move.
    fn plain(&self, path: &mut Vec<u64>, effort: u16) -> i32 {
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
fn answer(question: Question<Points>, value: Points) -> Interval<Points> {
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

    fn tolerated(&self, best: Points) -> Points {
        Points(best.0 + self.tolerance)
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

    fn separation_target(&mut self, bar: Points, _effort: Effort, factor: f64) -> Points {
        Points(bar.0 - (20.0 * factor) as i32)
    }
}

fn graph_for(domain: &Layers) -> (Graph<Points, u64>, NodeId) {
    let mut graph = Graph::with_budget(8 << 20);
    let root = graph.re_root(domain.key(), 0, Estimate::UNKNOWN);
    (graph, root)
}

/// Every deepening of several hundred games has plain minimax's value and a move that earns it.
#[test]
fn a_settled_root_has_the_depth_limited_minimax_value() {
    for seed in 0..400 {
        let mut domain = Layers::new(seed);
        let (mut graph, root) = graph_for(&domain);
        let mut path = domain.path.clone();
        let plain: Vec<i32> = (0..=6).map(|effort| domain.plain(&mut path, effort)).collect();
        let by_move: Vec<Vec<i32>> = (0..=5)
            .map(|effort| {
                (0..domain.moves)
                    .map(|action| {
                        path.push(domain.child(path[0], action));
                        let value = -domain.plain(&mut path, effort);
                        path.pop();
                        value
                    })
                    .collect()
            })
            .collect();
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=6 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (action, estimate) = search.incumbent.unwrap();
            assert_eq!(
                estimate.searched,
                Interval::exact(Points(plain[usize::from(effort)])),
                "seed {seed} effort {effort}"
            );
            assert_eq!(by_move[usize::from(effort) - 1][action as usize], plain[usize::from(effort)]);
        }
    }
}

/// Below the root a first reply that stands alone keeps its parent's effort, and no line gets more than twice the root's.
#[test]
fn a_reply_that_stands_alone_is_looked_at_more_deeply() {
    for seed in 2_000..2_040 {
        let deepest = |singular: bool| {
            let mut domain = Layers { singular, length: 30, grow_from: 2, ..Layers::new(seed) };
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            (1..=4).for_each(|effort| search.deepen(Effort::of(effort), &mut Unwatched).unwrap());
            domain.deepest
        };
        assert_eq!(deepest(false), 4);
        assert!((5..=8).contains(&deepest(true)), "seed {seed}: {}", deepest(true));
    }
}

/// Counts the work.
struct Counter(u64);

impl Monitor for Counter {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 += units;
        Ok(())
    }
}

/// Each node of the principal line may be off by the tolerance, so the root's value by that for each ply; and it is cheaper. With
/// several lines nothing is tolerated.
#[test]
fn a_tolerant_search_is_cheaper_and_off_by_no_more_than_it_tolerates() {
    const TOLERANCE: i32 = 12;
    let (mut work, mut off) = ([0, 0], 0);
    for seed in 6_000..6_200 {
        for (tolerance, work) in [0, TOLERANCE].into_iter().zip(&mut work) {
            let mut domain = Layers { tolerance, ..Layers::new(seed) };
            let (mut graph, root) = graph_for(&domain);
            let mut path = domain.path.clone();
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let mut counter = Counter(0);
            for effort in 1..=6 {
                search.deepen(Effort::of(effort), &mut counter).unwrap();
                let (_, estimate) = search.incumbent.unwrap();
                let plain = search.domain.plain(&mut path, effort);
                let error = (estimate.searched.lower().0 - plain).abs();
                assert!(error <= tolerance * i32::from(effort), "seed {seed} effort {effort}: {error}");
                off += i32::from(error > 0);
            }
            *work += counter.0;
        }
    }
    assert!(off > 20 && work[1] < work[0], "{off} {work:?}");
    for seed in 6_000..6_050 {
        let mut domain = Layers { tolerance: TOLERANCE, ..Layers::new(seed) };
        let (mut graph, root) = graph_for(&domain);
        let mut path = domain.path.clone();
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        search.want_lines(2);
        for effort in 1..=5 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (_, estimate) = search.incumbent.unwrap();
            let plain = Points(search.domain.plain(&mut path, effort));
            assert_eq!(estimate.searched, Interval::exact(plain), "seed {seed} effort {effort}");
        }
    }
}

/// What "settled" means, looked at from outside after every deepening: no rival's stored bound is above the incumbent's
/// exact value, at the effort that the rival owes, and the incumbent itself has the whole effort.
#[test]
fn no_root_acts_on_unsettled_rivals() {
    for seed in 1_000..1_300 {
        let mut domain = Layers::new(seed);
        domain.reduced = true;
        let (mut graph, root) = graph_for(&domain);
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=7 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            let (best, estimate) = search.incumbent.unwrap();
            assert!(estimate.searched.is_exact() && estimate.effort() >= Effort::of(effort - 1));
            for edge in search.graph.edges(root).to_vec() {
                let rival = -search.graph.estimate(edge.child);
                let owed = Effort::of(effort - 1).less((search.domain.moves / 2) as u16);
                assert!(rival.upper_effort >= owed || rival.is_solved(), "seed {seed}");
                assert!(
                    rival.searched.upper() <= estimate.searched.lower(),
                    "seed {seed} {:?} {best}",
                    edge.action
                );
            }
        }
    }
}

/// The first repetition can come at ply 2; to there the root's value is that of minimax over paths. Deeper, a stored answer is
/// reused whatever path led to it, so only the second half holds: no stored answer is a draw by history. Nor do such draws keep much
/// from being stored (with any below a node they did: 72 answers here, in place of 207), and few of the answers would be others
/// without the draws beside them (34; with everything stored 197 of 339).
#[test]
fn draws_by_history_stay_on_their_path() {
    let (mut answers, mut strays) = (0, 0);
    for seed in 2_000..2_300 {
        let mut domain = Layers::new(seed);
        (domain.repetitions, domain.states, domain.grow_from, domain.grow_all) = (true, 7, 1, true);
        domain.path[0] %= domain.states;
        let (mut graph, root) = graph_for(&domain);
        let mut path = domain.path.clone();
        let plain: Vec<i32> = (0..=2).map(|effort| domain.plain(&mut path, effort)).collect();
        let free = Layers { repetitions: false, path: path.clone(), ..Layers::new(seed) };
        let free = Layers { states: 7, ..free };
        let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
        for effort in 1..=5 {
            search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
            if let Some(&plain) = plain.get(usize::from(effort)) {
                let (_, estimate) = search.incumbent.unwrap();
                assert_eq!(estimate.searched, Interval::exact(Points(plain)), "seed {seed} effort {effort}");
            }
        }
        // A draw that only some paths have is no answer that the root's children have stored.
        for edge in search.graph.edges(root).to_vec() {
            let stored = search.graph.estimate(edge.child);
            if stored.searched.is_exact() && stored.effort() == Effort::of(4) && !stored.is_solved() {
                let mut path = vec![path[0], free.child(path[0], edge.action)];
                let plain = free.plain(&mut path, 4);
                let value = stored.searched.lower().0;
                assert!(value != 0 || plain == 0, "seed {seed}: {plain}");
                (answers, strays) = (answers + 1, strays + u32::from(value != plain));
            }
        }
    }
    assert!(answers > 150 && 5 * strays < answers, "{strays} of {answers}");
}

/// Stops when so much work is done.
struct Stopper(u64);

impl Monitor for Stopper {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(units);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

#[test]
fn an_interruption_leaves_the_last_settled_incumbent() {
    for seed in 3_000..3_040 {
        for budget in [1, 2, 5, 11, 30, 80, 200] {
            let mut domain = Layers::new(seed);
            let home = domain.path.clone();
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let mut stopper = Stopper(budget);
            let mut settled = 0;
            while search.deepen(Effort::of(settled + 1), &mut stopper).is_ok() && settled < 6 {
                settled += 1;
            }
            if settled > 0 {
                let (_, estimate) = search.incumbent.unwrap();
                // Exact, or proved to be above the last exact one when the window was left upwards.
                assert!(estimate.searched.lower() > Points::MIN, "seed {seed} budget {budget}");
                assert!(estimate.lower_effort >= Effort::of(settled - 1));
            }
            assert_eq!(search.path, [root]);
            assert_eq!(domain.path, home, "the cursor is back at the root");
        }
    }
}

/// A deepening that is cut off while a rival is asked for its value ends with that rival: it has proved to be better than the move that
/// was the best so far, which is as deep by then.
#[test]
fn a_rival_that_is_proved_better_is_the_choice_before_its_value_is_known() {
    let mut put_forward = 0;
    for seed in 7_000..7_100 {
        for budget in 1..150 {
            let mut domain = Layers { tolerance: 3, ..Layers::new(seed) };
            let (mut graph, root) = graph_for(&domain);
            let mut path = domain.path.clone();
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let (mut stopper, mut effort, mut last) = (Stopper(budget), 1, None);
            while effort < 7 && search.deepen(Effort::of(effort), &mut stopper).is_ok() {
                (effort, last) = (effort + 1, search.incumbent);
            }
            let (Some((before, then)), Some((action, estimate))) = (last, search.incumbent) else { continue };
            let mut plain = |action| {
                path.push(search.domain.child(path[0], action));
                let value = -search.domain.plain(&mut path, effort - 1);
                path.pop();
                value
            };
            let above_window = estimate.searched.lower() >= Points(then.expected().0 + 10);
            if effort == 7 || estimate.searched.is_exact() || above_window || action == before {
                continue;
            }
            let slack = 3 * i32::from(effort);
            assert!(plain(action) + slack >= estimate.searched.lower().0, "seed {seed} budget {budget}");
            assert!(plain(action) + slack > plain(before), "seed {seed} budget {budget}");
            put_forward += 1;
        }
    }
    assert!(put_forward > 50, "{put_forward}");
}

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

/// Accepts every separation, and ends the search at the one with this number.
struct Patience {
    spent: u64,
    separations: u32,
    told: Vec<(Effort, bool)>,
}

impl Monitor for Patience {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.spent += units;
        Ok(())
    }
}

impl<A, V: Value> Overseer<A, V> for Patience {
    fn progress(&mut self, progress: &Progress<A, V>) -> Verdict {
        self.told.push((progress.effort, progress.separated));
        if progress.separated && progress.widenings >= self.separations {
            Verdict::Finish
        } else {
            Verdict::Continue
        }
    }
    fn wants_separation(&self) -> bool {
        true
    }
}

#[test]
fn separation_ends_a_search_and_widening_goes_on() {
    let mut later = 0;
    for seed in 4_000..4_100 {
        let ends = [0, 3].map(|separations| {
            let mut domain = Layers::new(seed);
            let (mut graph, root) = graph_for(&domain);
            let mut search = Settled::new(&mut domain, &mut graph, root, vec![]);
            let mut overseer = Patience { spent: 0, separations, told: vec![] };
            let outcome = search.run(Effort::of(9), &mut overseer);
            assert!(outcome.action.is_some());
            if outcome.termination == Termination::Separated {
                assert!(overseer.told.last().unwrap().1);
            }
            overseer.spent
        });
        assert!(ends[0] <= ends[1], "seed {seed}: impatience costs no work");
        later += u32::from(ends[0] < ends[1]);
    }
    assert!(later > 10, "widening prolonged only {later} searches");
}

#[test]
fn only_allowed_root_moves_are_chosen() {
    for seed in 5_000..5_050 {
        let mut domain = Layers::new(seed);
        let (mut graph, root) = graph_for(&domain);
        let allowed = vec![domain.moves - 1];
        let mut search = Settled::new(&mut domain, &mut graph, root, allowed.clone());
        let mut overseer = Patience { spent: 0, separations: 0, told: vec![] };
        let outcome = search.run(Effort::of(3), &mut overseer);
        assert_eq!(outcome.action, Some(allowed[0]));
        assert_eq!(outcome.termination, Termination::OnlyMove);
    }
}

/// Deepens with several lines, cut off by a limit of work.
fn lines_of(game: &mut Layers, effort: u16, lines: usize) -> (Vec<(u64, Points)>, bool) {
    let mut graph = Graph::with_budget(1 << 20);
    let root = graph.re_root(game.key(), 0, Estimate::UNKNOWN);
    let mut search = Settled::new(game, &mut graph, root, Vec::new());
    search.want_lines(lines);
    for effort in 1..=effort {
        search.deepen(Effort::of(effort), &mut Unwatched).unwrap();
    }
    let progress = search.progress(super::root::Phase::ProveBest).unwrap();
    let first = (progress.action, progress.estimate);
    let others = progress.others.iter().map(|other| (other.action, other.estimate));
    let all: Vec<_> = std::iter::once(first).chain(others).collect();
    let exact = all.iter().all(|(_, estimate)| estimate.searched.is_exact());
    (all.into_iter().map(|(action, estimate)| (action, estimate.expected())).collect(), exact)
}

#[test]
fn several_lines_are_the_best_moves_with_their_minimax_values() {
    for seed in 0..60 {
        let mut game = Layers::new(seed);
        let (effort, lines) = (5, 3);
        let mut truth: Vec<(i32, u64)> = (0..game.moves)
            .map(|action| {
                let mut path = game.path.clone();
                path.push(game.child(game.key(), action));
                (-game.plain(&mut path, effort - 1), action)
            })
            .collect();
        truth.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        let (found, exact) = lines_of(&mut game, effort, lines);
        assert!(exact, "seed {seed}");
        assert_eq!(found.len(), lines.min(truth.len()), "seed {seed}");
        let values = |line: &[(u64, Points)]| line.iter().map(|(_, value)| value.0).collect::<Vec<_>>();
        let best: Vec<i32> = truth.iter().take(found.len()).map(|(value, _)| *value).collect();
        assert_eq!(values(&found), best, "seed {seed}");
        for (action, value) in &found {
            assert!(truth.contains(&(value.0, *action)), "seed {seed}: {action} is not worth {value:?}");
        }
        let mut actions: Vec<_> = found.iter().map(|(action, _)| *action).collect();
        actions.sort_unstable();
        actions.dedup();
        assert_eq!(actions.len(), found.len(), "seed {seed}: a move has two lines");
    }
}

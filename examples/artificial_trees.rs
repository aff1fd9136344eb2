//! How many artificial trees each stepwise policy solves, and with how many expansions.
//!
//! ```text
//! cargo run --release --example artificial_trees [TREES [EVALUATIONS]]
//! ```
//!
//! `TREES` (default 10): trees for each setting. `EVALUATIONS` (default 100,000): most nodes estimated for
//! one tree.
//!
//! *The growth model* (Berliner 1979; Anema 2025). A tree has no end and no positions: a node is its interval
//! and a name, and the name seeds the draws of its children. The root's interval is `[1, R]`. A node with the
//! interval `[L, U]`, seen from its mover, has `b` children; each takes `k` uniform draws from the integers
//! `L - (g - 1) (U - L) ..= U`, and the least and the greatest of them are its interval. Many draws make wide
//! intervals, that is, slow convergence. The growth factor `g` says how far a child may fall below its
//! parent's lower; one child at least stays within `[L, U]`, so that every interval holds what its subtree is
//! worth. The ways to see to that:
//! - `Berliner`: `g = 1`, and one child gets the parent's upper, one the parent's lower.
//! - `Before`: a random child draws from `[L, U]` from the start.
//! - `After`: when no child happens to lie within, a random one draws again, from `[L, U]`.
//!
//! A tree counts as solved when a root move is separated. The table gives, for each policy, the share of the
//! trees solved among those that any policy solved, by growth factor and in all; the mean expansions on the
//! trees that every policy solved; and of the trees it did not solve, how often its decision was the move
//! that another policy proved best.

use regulus::bstar::search::Step;
use regulus::bstar::{
    Domain, Estimate, Graph, Interrupted, Interval, Monitor, Policy, Search, Settings, Successor,
    Termination, Unwatched, Value,
};
use std::ops::Neg;

/// An integer of a tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Units(i32);

impl Neg for Units {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Value for Units {
    const MIN: Self = Self(-i32::MAX);
    const MAX: Self = Self(i32::MAX);
    fn minus(self, other: Self) -> f64 {
        f64::from(self.0) - f64::from(other.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Growth {
    Berliner,
    Before,
    After,
}

/// What a tree is grown by.
#[derive(Clone, Copy, Debug)]
struct Shape {
    growth: Growth,
    /// R.
    range: i32,
    /// b.
    branching: u32,
    /// k.
    draws: u32,
    /// g.
    factor: f64,
}

/// No value lies farther from zero: where intervals grow on the way down, they must end somewhere.
const FARTHEST: i32 = 1 << 29;

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// An integer of the interval.
    fn within(&mut self, lower: i32, upper: i32) -> i32 {
        let count = (i64::from(upper) - i64::from(lower) + 1) as u64;
        lower + (((self.next() >> 32) * count) >> 32) as i32
    }

    /// The least and the greatest of `draws`.
    fn interval(&mut self, lower: i32, upper: i32, draws: u32) -> (i32, i32) {
        (0..draws).fold((i32::MAX, i32::MIN), |(least, most), _| {
            let value = self.within(lower, upper);
            (least.min(value), most.max(value))
        })
    }
}

/// A child: its name, which seeds what grows below it, and its interval, from the side that moves there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Child {
    name: u64,
    lower: i32,
    upper: i32,
}

/// A cursor on an endless tree: the root and the moves from it.
struct Tree {
    shape: Shape,
    path: Vec<Child>,
}

impl Tree {
    fn new(shape: Shape, seed: u64) -> Self {
        // As if the opponent had moved here.
        Self { shape, path: vec![Child { name: Chance(seed).next(), lower: -shape.range, upper: -1 }] }
    }

    fn at(&self) -> Child {
        self.path[self.path.len() - 1]
    }

    fn estimate(&self) -> Estimate<Units> {
        -self.at().estimate()
    }

    /// The children of the node at the cursor.
    fn children(&self) -> Vec<Child> {
        let Shape { growth, branching, draws, factor, .. } = self.shape;
        let Child { name, lower, upper } = self.at();
        let (lower, upper) = (-upper, -lower);
        let mut chance = Chance(name);
        let names: Vec<u64> = (0..branching).map(|_| chance.next()).collect();
        let fall = ((factor - 1.0) * f64::from(upper - lower)).round() as i32;
        let floor = (lower - fall).max(-FARTHEST);
        let mut spans: Vec<_> = (0..branching).map(|_| chance.interval(floor, upper, draws)).collect();
        let chosen = chance.within(0, branching as i32 - 1) as usize;
        let inside = chance.interval(lower, upper, draws);
        match growth {
            Growth::Before => spans[chosen] = inside,
            Growth::After if spans.iter().all(|span| span.0 < lower) => spans[chosen] = inside,
            Growth::After => {}
            Growth::Berliner => {
                spans[chosen].1 = upper;
                spans[chance.within(0, branching as i32 - 1) as usize].0 = lower;
            }
        }
        names.into_iter().zip(spans).map(|(name, (lower, upper))| Child { name, lower, upper }).collect()
    }
}

impl Child {
    fn estimate(self) -> Estimate<Units> {
        Interval::new(Units(self.lower), Units(self.upper)).map_or(Estimate::UNKNOWN, Estimate::proven)
    }
}

impl Domain for Tree {
    type Value = Units;
    type Action = Child;

    fn key(&self) -> u64 {
        self.at().name
    }

    fn play(&mut self, action: Child) {
        self.path.push(action);
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn path_matters(&self) -> bool {
        false
    }

    fn successors(
        &mut self,
        into: &mut Vec<Successor<Child, Units>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        let successor =
            |child: Child| Successor { action: child, key: child.name, estimate: -child.estimate() };
        into.extend(self.children().into_iter().map(successor));
        monitor.work(1)
    }
}

/// What one policy did with one tree.
struct Outcome {
    solved: bool,
    action: Option<Child>,
    expansions: u64,
}

fn solve(shape: Shape, seed: u64, policy: Policy, evaluations: u64) -> Outcome {
    let mut tree = Tree::new(shape, seed);
    let mut graph = Graph::with_budget(256 << 20);
    let known = tree.estimate();
    let settings = Settings { seed, ..Settings::new(policy) };
    let mut search = Search::new(&mut graph, &mut tree, 0, known, settings);
    let most = evaluations / u64::from(shape.branching);
    let solved = loop {
        match search.step(&mut Unwatched) {
            Ok(Step::Separated) => break true,
            Ok(_) if search.counters().steps() >= most => break false,
            Ok(_) => {}
            Err(Interrupted) => break false,
        }
    };
    let decision = search.decide(if solved { Termination::Separated } else { Termination::Budget });
    Outcome { solved, action: decision.action, expansions: decision.counters.expansions }
}

fn policies() -> Vec<Policy> {
    let pessimists = ["AR+P30", "DisproveBest+P30"].into_iter().filter_map(|name| name.parse().ok());
    Policy::NAMED.into_iter().chain(pessimists).collect()
}

fn shapes() -> Vec<Shape> {
    let grown = [
        (Growth::Berliner, 1.0),
        (Growth::Before, 0.75),
        (Growth::After, 0.75),
        (Growth::Before, 1.0),
        (Growth::Before, 1.4),
        (Growth::After, 1.4),
        (Growth::Before, 2.0),
        (Growth::After, 2.0),
    ];
    let mut shapes = Vec::new();
    for (growth, factor) in grown {
        for range in [100, 6400] {
            for branching in [3, 5, 8] {
                for draws in [2, 3, 5, 8] {
                    shapes.push(Shape { growth, range, branching, draws, factor });
                }
            }
        }
    }
    shapes
}

/// A policy's sums over all trees.
#[derive(Clone, Default)]
struct Sums {
    /// By growth factor, then in all.
    solved: [u64; FACTORS.len() + 1],
    /// Expansions on the trees that every policy solved.
    expansions: u64,
    unsolved: u64,
    right_all_the_same: u64,
}

const FACTORS: [f64; 4] = [0.75, 1.0, 1.4, 2.0];

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (trees, evaluations) = match (arguments.next(), arguments.next()) {
        (None, _) => (10, 100_000),
        (Some(Ok(trees)), None) => (trees, 100_000),
        (Some(Ok(trees)), Some(Ok(evaluations))) => (trees, evaluations),
        _ => {
            eprintln!("usage: artificial_trees [TREES [EVALUATIONS]], both numbers");
            std::process::exit(2);
        }
    };
    let policies = policies();
    let mut sums = vec![Sums::default(); policies.len()];
    let mut solved = [0; FACTORS.len() + 1];
    let (mut all, mut by_all) = (0, 0);
    for (index, shape) in shapes().into_iter().enumerate() {
        let factor = FACTORS.iter().position(|&factor| factor == shape.factor).unwrap_or(FACTORS.len());
        for tree in 0..trees {
            let seed = index as u64 * 1_000_000 + tree;
            let outcomes: Vec<Outcome> =
                policies.iter().map(|&policy| solve(shape, seed, policy, evaluations)).collect();
            all += 1;
            let proved = outcomes.iter().find(|outcome| outcome.solved).and_then(|outcome| outcome.action);
            let Some(proved) = proved else { continue };
            solved[factor] += 1;
            solved[FACTORS.len()] += 1;
            let everyone = outcomes.iter().all(|outcome| outcome.solved);
            by_all += u64::from(everyone);
            for (sums, outcome) in sums.iter_mut().zip(&outcomes) {
                if outcome.solved {
                    sums.solved[factor] += 1;
                    sums.solved[FACTORS.len()] += 1;
                    sums.expansions += if everyone { outcome.expansions } else { 0 };
                } else {
                    sums.unsolved += 1;
                    sums.right_all_the_same += u64::from(outcome.action == Some(proved));
                }
            }
        }
    }
    println!("{all} trees, at most {evaluations} evaluations each; solved by any policy: {}", solved[4]);
    println!("by every policy: {by_all}");
    println!();
    println!("| policy | g = 0.75 | g = 1 | g = 1.4 | g = 2 | all | expansions | unsolved, move right |");
    println!("|---|---|---|---|---|---|---|---|");
    for (policy, sums) in policies.iter().zip(&sums) {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        print!("| {policy} |");
        for (&part, &whole) in sums.solved.iter().zip(&solved) {
            print!(" {:.1} % |", share(part, whole));
        }
        let mean = sums.expansions as f64 / by_all.max(1) as f64;
        println!(
            " {mean:.0} | {:.0} % of {} |",
            share(sums.right_all_the_same, sums.unsolved),
            sums.unsolved
        );
    }
}

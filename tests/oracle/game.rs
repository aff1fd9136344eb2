//! Seeded random games, the domain that plays them, and plain minimax: the oracle.

use regulus::bstar::{
    Domain, Effort, Estimate, Interrupted, Interval, LeafStep, Monitor, Question, Successor, Value,
};
use std::ops::Neg;

/// An integer value between -1000 and 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Points(pub i32);

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Value for Points {
    const MIN: Self = Self(-1000);
    const MAX: Self = Self(1000);
    fn minus(self, other: Self) -> f64 {
        f64::from(self.0 - other.0)
    }
}

/// A small seeded source of chance (SplitMix64).
pub struct Chance(pub u64);

impl Chance {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.next() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Between the two, ends included.
    pub fn within(&mut self, least: i32, most: i32) -> i32 {
        least + self.below((most - least + 1) as u32) as i32
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// How random games are made.
#[derive(Clone, Copy)]
pub struct Shape {
    pub plies: u16,
    /// Most moves of a position; at least one, at the root at least two.
    pub moves: u32,
    /// Most positions of a ply that positions of the ply before may share; 0: none are shared, the game is a tree.
    pub shared: u32,
    /// Per cent of the positions before the last ply that are terminal.
    pub ends: u32,
    /// Most positions in all: from then on positions are terminal.
    pub size: usize,
    /// Terminal values lie within plus or minus this.
    pub values: i32,
    /// An interval reaches at most this far to either side of the truth.
    pub width: i32,
    /// Per cent of the positions whose interval misses the truth.
    pub wrong: u32,
    /// Are valid intervals given as facts, or as beliefs?
    pub facts: bool,
    /// Leaves are refined up to this effort before they are expanded.
    pub refined: u16,
}

impl Shape {
    pub const SMALL: Self = Self {
        plies: 5,
        moves: 4,
        shared: 0,
        ends: 15,
        size: 120,
        values: 50,
        width: 40,
        wrong: 0,
        facts: true,
        refined: 0,
    };
}

/// One position of a game. Values are from its side to move.
#[derive(Clone, Debug)]
pub struct Position {
    /// Indices in the next ply.
    pub moves: Vec<u32>,
    /// The minimax value.
    pub truth: Points,
    /// What the domain believes at first.
    pub interval: Interval<Points>,
}

/// A finite game, ply by ply. The first ply holds the root alone.
#[derive(Clone, Debug)]
pub struct Game {
    pub plies: Vec<Vec<Position>>,
    pub facts: bool,
    pub refined: u16,
}

impl Game {
    pub fn random(seed: u64, shape: &Shape) -> Self {
        let mut chance = Chance(seed);
        let mut plies = Self::skeleton(&mut chance, shape);
        // Plain minimax, from the last ply up.
        for ply in (0..plies.len()).rev() {
            for index in 0..plies[ply].len() {
                let best = plies[ply][index].moves.iter().map(|&to| -plies[ply + 1][to as usize].truth).max();
                let truth = best.unwrap_or_else(|| Points(chance.within(-shape.values, shape.values)));
                plies[ply][index].truth = truth;
                plies[ply][index].interval = Self::interval(&mut chance, shape, truth);
            }
        }
        Self { plies, facts: shape.facts, refined: shape.refined }
    }

    fn skeleton(chance: &mut Chance, shape: &Shape) -> Vec<Vec<Position>> {
        let blank = Position { moves: Vec::new(), truth: Points(0), interval: Interval::UNKNOWN };
        let mut plies = vec![vec![blank.clone()]];
        let mut size = 1;
        for ply in 0..shape.plies as usize {
            let mut next = Vec::new();
            for index in 0..plies[ply].len() {
                if size > shape.size || ply > 0 && chance.below(100) < shape.ends {
                    continue;
                }
                let least = if ply == 0 { 2 } else { 1 };
                for _ in 0..chance.within(least, shape.moves as i32) {
                    let to = if shape.shared > 0 && next.len() >= shape.shared as usize {
                        chance.below(next.len() as u32)
                    } else {
                        next.push(blank.clone());
                        size += 1;
                        next.len() as u32 - 1
                    };
                    if !plies[ply][index].moves.contains(&to) {
                        plies[ply][index].moves.push(to);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            plies.push(next);
        }
        plies
    }

    fn interval(chance: &mut Chance, shape: &Shape, truth: Points) -> Interval<Points> {
        let (below, above) = (chance.within(0, shape.width), chance.within(0, shape.width));
        let shift = match chance.below(200) {
            roll if roll < shape.wrong => below + 1 + chance.within(0, shape.width),
            roll if roll < 2 * shape.wrong => -above - 1 - chance.within(0, shape.width),
            _ => 0,
        };
        let end = |value: i32| Points(value.clamp(-1000, 1000));
        Interval::new(end(truth.0 - below + shift), end(truth.0 + above + shift)).unwrap()
    }

    pub fn truth(&self) -> Points {
        self.plies[0][0].truth
    }

    /// The value of a root move, for the side that makes it.
    pub fn worth(&self, root_move: u32) -> Points {
        -self.plies[1][root_move as usize].truth
    }
}

/// What the end of a path is worth by its history, if anything.
pub type Draws<'a> = dyn Fn(&[u32]) -> Option<Points> + 'a;

/// A cursor on a game.
pub struct Player<'g> {
    game: &'g Game,
    /// Indices of the positions from the root to the cursor.
    pub path: Vec<u32>,
    /// Are positions that are reached on different ways one node?
    transpositions: bool,
    /// Draws by history.
    pub draws: Option<&'g Draws<'g>>,
}

impl<'g> Player<'g> {
    pub fn new(game: &'g Game, transpositions: bool) -> Self {
        Self { game, path: vec![0], transpositions, draws: None }
    }

    pub fn ply(&self) -> u16 {
        self.path.len() as u16 - 1
    }

    /// The minimax value of the position at the cursor.
    pub fn truth(&self) -> Points {
        self.position().truth
    }

    /// The value of a move there.
    pub fn truth_behind(&self, action: u32) -> Points {
        -self.game.plies[self.path.len()][action as usize].truth
    }

    /// The number of moves there.
    pub fn moves(&self) -> usize {
        self.position().moves.len()
    }

    pub fn is_over(&self) -> bool {
        self.moves() == 0
    }

    fn position(&self) -> &'g Position {
        &self.game.plies[self.path.len() - 1][*self.path.last().unwrap() as usize]
    }

    /// What the domain says of the position at the cursor, at first.
    pub fn estimate(&self) -> Estimate<Points> {
        let Position { moves, truth, interval } = self.position();
        if moves.is_empty() {
            Estimate::solved(*truth)
        } else if self.game.facts {
            Estimate::proven(*interval)
        } else {
            let middle = Points((interval.lower().0 + interval.upper().0) / 2);
            Estimate::realistic(middle, *interval, Effort::of(1))
        }
    }
}

impl Domain for Player<'_> {
    type Value = Points;
    type Action = u32;

    fn key(&self) -> u64 {
        if self.transpositions {
            u64::from(*self.path.last().unwrap())
        } else {
            self.path.iter().fold(0, |key, &index| mix(key ^ u64::from(index + 1)))
        }
    }

    fn play(&mut self, action: u32) {
        assert!(self.position().moves.contains(&action));
        self.path.push(action);
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn path_value(&self) -> Option<Points> {
        self.draws.and_then(|draws| draws(&self.path))
    }

    fn successors(
        &mut self,
        into: &mut Vec<Successor<u32, Points>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        for &action in &self.position().moves {
            self.play(action);
            into.push(Successor { action, key: self.key(), estimate: self.estimate() });
            self.undo();
            monitor.work(1)?;
        }
        Ok(())
    }

    fn leaf_step(&self, estimate: &Estimate<Points>) -> LeafStep {
        if estimate.effort().units() <= self.game.refined {
            LeafStep::Refine(estimate.effort().above())
        } else {
            LeafStep::Expand
        }
    }

    /// Halves the distance of both ends from the truth, where the interval holds it.
    fn refine(
        &mut self,
        known: &Estimate<Points>,
        _question: Question<Points>,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<Estimate<Points>, Interrupted> {
        monitor.work(1)?;
        if known.effort() >= effort {
            return Ok(*known);
        }
        let truth = self.position().truth.0;
        let nearer = |end: Points| Points(truth + (end.0 - truth) / 2);
        let belief = match known.belief.contains(Points(truth)) {
            true => Interval::new(nearer(known.belief.lower()), nearer(known.belief.upper())).unwrap(),
            false => known.belief,
        };
        let middle = Points((belief.lower().0 + belief.upper().0) / 2);
        Ok(Estimate::realistic(middle, belief, effort))
    }

    fn widen(&self, estimate: &Estimate<Points>, factor: f64) -> Interval<Points> {
        let (lower, upper) = (estimate.belief.lower().0, estimate.belief.upper().0);
        let more = (f64::from(upper - lower) * (factor - 1.0) / 2.0).ceil() as i32 + 1;
        Interval::new(Points((lower - more).max(-1000)), Points((upper + more).min(1000))).unwrap()
    }
}

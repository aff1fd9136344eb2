//! The alpha-beta twin: the probe run from the root by iterative deepening with aspiration windows.
//!
//! B\* and its twin share evaluation, move generator and probe; they differ in who decides what is searched. The twin
//! reads no clock: after each iteration it tells what a clock's owner needs to know, and obeys.

use super::dials::Dial;
use super::position::Position;
use super::probe::{Bound, Probe, ProbeResult, RootMoves, Window, margins::MAX_PLY};
use super::score::probe_scale::INFINITE;
use crate::bstar::Monitor;
use cozy_chess::Move;
use std::cmp::Reverse;

/// From this depth on the last value is trusted enough to build a window around it.
const ASPIRATION_DEPTH: i32 = 5;

/// What is known after an iteration, or when a window was missed. Values in the probe's scale, from the root's side
/// to move.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Plies searched, before extensions and reductions.
    pub depth: i32,
    /// The longest line looked at, in plies.
    pub seldepth: usize,
    /// The value, or a bound of it.
    pub value: i32,
    /// Exact when the iteration is complete; else the side on which the window was missed.
    pub bound: Bound,
    /// The best line, from the root.
    pub line: Vec<Move>,
    /// The lines behind it, where several are wanted, best first. Of the iteration itself when it is complete, else of the
    /// one before.
    pub others: Vec<Ranked>,
    /// The nodes so far below each root move.
    pub effort: Vec<(Move, u64)>,
    /// Nodes since the search began.
    pub nodes: u64,
    /// The share of the nodes so far that went below the best move: near 1, nothing else is worth a thought.
    pub best_share: f64,
    /// Complete iterations in a row, this one included, with the same best move.
    pub stability: u32,
}

/// A line with the value of its first move, in the probe's scale, from the root's side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked {
    /// The value.
    pub value: i32,
    /// The line, from the root; not empty.
    pub line: Vec<Move>,
}

/// What the twin is asked.
#[derive(Clone, Copy, Debug)]
pub struct TwinLimits<'a> {
    /// Deepest iteration.
    pub depth: i32,
    /// The root moves to consider.
    pub moves: RootMoves<'a>,
    /// How many root moves are wanted with their values. With more than one the choice is always the first of the last
    /// complete set.
    pub lines: usize,
}

/// What the twin chose.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The move to play; `None` only when there is no legal (and permitted) move.
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    /// In the probe's scale, from the root's side to move. After an interruption it may be only a lower bound: of a
    /// move that had just failed high, or had just been proved to be better than the best before.
    pub value: i32,
    /// The best line, from the root.
    pub line: Vec<Move>,
    /// The lines behind it, where several are wanted, best first.
    pub others: Vec<Ranked>,
    /// The last complete iteration; 0 when there was none: `value` is then the static one, or of an unfinished first
    /// iteration.
    pub depth: i32,
    /// Nodes of the whole search.
    pub nodes: u64,
}

/// Searches `position` until the depth is reached, the monitor interrupts, or `watch` returns `false`. `watch` hears
/// of every complete iteration ([`Bound::Exact`]) and of every missed window.
///
/// However early it is stopped, the choice holds a legal move if there is one.
pub fn think(
    probe: &mut Probe,
    position: &Position,
    limits: TwinLimits,
    monitor: &mut dyn Monitor,
    mut watch: impl FnMut(&Iteration) -> bool,
) -> Choice {
    probe.set_position(position);
    probe.clear_root_effort();
    let choice = at_first_sight(probe, limits.moves);
    let mut twin = Twin {
        probe,
        moves: limits.moves,
        lines: limits.lines,
        nodes: 0,
        choice,
        complete: None,
        stability: 0,
    };
    for depth in 1..=limits.depth.clamp(1, MAX_PLY as i32 - 1) {
        if twin.choice.best.is_none() || !twin.iterate(depth, monitor, &mut watch) {
            break;
        }
    }
    let choice = if twin.lines > 1 { twin.complete.unwrap_or(twin.choice) } else { twin.choice };
    Choice { nodes: twin.nodes, ..choice }
}

/// The choice before anything is searched: of the permitted moves the one that a probe would try first, which is the
/// table's where it has one, with the static value.
fn at_first_sight(probe: &mut Probe, moves: RootMoves) -> Choice {
    let best = probe.moves_by_promise().into_iter().find(|&action| moves.permits(action));
    let value = best.map_or(0, |_| probe.static_value());
    Choice { best, ponder: None, value, line: best.into_iter().collect(), others: vec![], depth: 0, nodes: 0 }
}

struct Twin<'a> {
    probe: &'a mut Probe,
    moves: RootMoves<'a>,
    lines: usize,
    nodes: u64,
    choice: Choice,
    /// Where several lines are wanted: the choice when all of them were last complete.
    complete: Option<Choice>,
    stability: u32,
}

impl Twin<'_> {
    /// One iteration, its window moved until it holds the value. Returns whether to go on.
    fn iterate(
        &mut self,
        depth: i32,
        monitor: &mut dyn Monitor,
        watch: &mut impl FnMut(&Iteration) -> bool,
    ) -> bool {
        let mut aspiration = Aspiration::around(self.choice.value, depth);
        loop {
            let Some(result) = self.ask(&aspiration, self.moves, monitor) else {
                self.keep_interrupted();
                return false;
            };
            match result.bound {
                Bound::Exact => {
                    self.settle(depth, result.value);
                    return (self.lines <= 1 || self.rank_others(depth, monitor))
                        && watch(&self.report(depth, result.seldepth, self.choice.value, result.bound));
                }
                Bound::Upper => {}
                Bound::Lower => self.take_line(result.value),
            }
            aspiration.miss(&result);
            if !watch(&self.report(depth, result.seldepth, result.value, result.bound)) {
                return false;
            }
        }
    }

    /// One search of the root; `None` when it was interrupted.
    fn ask(
        &mut self,
        aspiration: &Aspiration,
        moves: RootMoves,
        monitor: &mut dyn Monitor,
    ) -> Option<ProbeResult> {
        let result = self.probe.search_once(aspiration.window, aspiration.searched, moves, monitor).ok();
        self.nodes += self.probe.nodes();
        result
    }

    /// Finds the best of the other moves, and so on, until there are enough lines. False: interrupted, and the set is not
    /// complete.
    fn rank_others(&mut self, depth: i32, monitor: &mut dyn Monitor) -> bool {
        let mut permitted = self.probe.moves_by_promise();
        permitted.retain(|&action| self.moves.permits(action));
        let mut placed = vec![Ranked { value: self.choice.value, line: self.choice.line.clone() }];
        // Where every move is wanted each is asked by itself: the values tell the order, and no move is asked twice.
        let one_by_one = self.lines >= permitted.len();
        while placed.len() < self.lines {
            permitted.retain(|&action| placed.iter().all(|ranked| ranked.line.first() != Some(&action)));
            let Some(&next) = permitted.first() else { break };
            let others = &self.choice.others;
            let before = if one_by_one {
                others.iter().find(|ranked| ranked.line.first() == Some(&next))
            } else {
                others.get(placed.len() - 1)
            };
            let expected = before.map_or(self.choice.value, |ranked| ranked.value);
            let mut aspiration = Aspiration::around(expected, depth);
            let asked = if one_by_one { &[next][..] } else { &permitted };
            let result = loop {
                match self.ask(&aspiration, RootMoves::Only(asked), monitor) {
                    None => return false,
                    Some(result) if result.bound == Bound::Exact => break result,
                    Some(result) => aspiration.miss(&result),
                }
            };
            placed.push(Ranked { value: result.value, line: self.probe.principal_variation() });
        }
        // One that was placed later may have turned out better: the search before did not look as deep for it.
        placed.sort_by_key(|ranked| Reverse(ranked.value));
        let first = placed.remove(0);
        self.choice.best = first.line.first().copied();
        self.choice.ponder = first.line.get(1).copied();
        (self.choice.value, self.choice.line, self.choice.others) = (first.value, first.line, placed);
        self.complete = Some(self.choice.clone());
        true
    }

    /// A complete iteration's result.
    fn settle(&mut self, depth: i32, value: i32) {
        let before = self.choice.best;
        self.take_line(value);
        self.choice.depth = depth;
        self.stability = if self.choice.best == before && depth > 1 { self.stability + 1 } else { 1 };
    }

    /// The probe's line becomes the choice.
    fn take_line(&mut self, value: i32) {
        let line = self.probe.principal_variation();
        if let Some(&best) = line.first() {
            self.choice.best = Some(best);
            self.choice.ponder = line.get(1).copied();
            self.choice.line = line;
            self.choice.value = value;
        }
    }

    /// An interrupted iteration counts as far as it has come: its first move is the last iteration's best, so
    /// whatever beat alpha is that move or a better one.
    fn keep_interrupted(&mut self) {
        if let Some((_, value)) = self.probe.root_best() {
            self.take_line(value);
        }
    }

    fn report(&self, depth: i32, seldepth: usize, value: i32, bound: Bound) -> Iteration {
        let effort = self.probe.root_effort();
        let total: u64 = effort.iter().map(|(_, nodes)| nodes).sum();
        let best = effort
            .iter()
            .find(|(action, _)| Some(*action) == self.choice.best)
            .map_or(0, |(_, nodes)| *nodes);
        Iteration {
            depth,
            seldepth,
            value,
            bound,
            line: self.choice.line.clone(),
            others: self.choice.others.clone(),
            effort: effort.to_vec(),
            nodes: self.nodes,
            best_share: best as f64 / total.max(1) as f64,
            stability: self.stability,
        }
    }
}

/// A window that is moved until it holds the value.
struct Aspiration {
    window: Window,
    width: i32,
    /// The depth of the iteration.
    depth: i32,
    /// The depth of the next search.
    searched: i32,
}

impl Aspiration {
    /// The first window of an iteration, around the value that is expected.
    fn around(expected: i32, depth: i32) -> Self {
        let window =
            if depth < ASPIRATION_DEPTH { Window::OPEN } else { around(expected, Dial::Aspiration.get()) };
        Self { window, width: Dial::Aspiration.get(), depth, searched: depth }
    }

    /// The window after one that did not hold the value.
    fn miss(&mut self, result: &ProbeResult) {
        self.width += self.width / 2 + 4;
        match result.bound {
            Bound::Exact => {}
            Bound::Upper => {
                self.window = Window {
                    alpha: around(result.value, self.width).alpha,
                    beta: (self.window.alpha + self.window.beta) / 2,
                };
                self.searched = self.depth;
            }
            Bound::Lower => {
                self.window.beta = around(result.value, self.width).beta;
                // A move that failed high is as good at a little less depth, and sooner confirmed.
                self.searched = (self.searched - 1).max(self.depth - 3).max(1);
            }
        }
    }
}

/// The window of half-width `width` around `value`, opened where it would leave the scale.
fn around(value: i32, width: i32) -> Window {
    // Beyond this a value is a decided one, and a narrow window around it helps nobody.
    const WIDEST: i32 = 1_500;
    let open = width > WIDEST || value.abs() > 10_000;
    let reach = if open { 2 * INFINITE } else { width };
    Window { alpha: (value - reach).max(-INFINITE), beta: (value + reach).min(INFINITE) }
}

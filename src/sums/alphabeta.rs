//! Alpha-beta with a table and the domain's own bounds: what B\* on sound bounds is measured against.
//!
//! It sees exactly what B\* sees: the same successors, in the order of the same bounds, cut off by the same bounds, and
//! at the root it stops at the same separation.

use crate::bstar::{Domain, Interrupted, Interval, Monitor, Successor, Value};
use rustc_hash::FxHashMap;

/// A depth-first search of a domain whose estimates are facts.
pub struct AlphaBeta<'a, D: Domain> {
    domain: &'a mut D,
    table: FxHashMap<u64, Interval<D::Value>>,
    capacity: usize,
    nodes: u64,
}

/// What a move at the root is worth, from the mover.
pub type Rated<D> = (<D as Domain>::Action, Interval<<D as Domain>::Value>);

/// The window of a question: the value itself matters only strictly between the two.
#[derive(Clone, Copy)]
struct Window<V> {
    alpha: V,
    beta: V,
}

impl<'a, D: Domain> AlphaBeta<'a, D> {
    /// A search from where `domain` stands, whose table takes at most `bytes`.
    pub fn new(domain: &'a mut D, bytes: usize) -> Self {
        let entry = size_of::<(u64, Interval<D::Value>)>() * 3 / 2;
        Self { domain, table: FxHashMap::default(), capacity: bytes / entry, nodes: 0 }
    }

    /// Positions whose successors were generated: the same unit as B\*'s expansions.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The exact value of the position, of which `known` is known.
    pub fn value(
        &mut self,
        known: Interval<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Interval<D::Value>, Interrupted> {
        self.search(known, Window { alpha: D::Value::MIN, beta: D::Value::MAX }, monitor)
    }

    /// The moves of the position, as far as needed to tell a best one: the first of them is separated from all others.
    /// Empty when there is no move.
    pub fn best_move(&mut self, monitor: &mut dyn Monitor) -> Result<Vec<Rated<D>>, Interrupted> {
        let mut moves = self.expand(monitor)?;
        for index in 0..moves.len() {
            let others = (0..moves.len()).filter(|&other| other != index);
            // More than the best rival can have need not be proved, less than the best lower so far need not be known.
            let Some(beta) = others.map(|other| moves[other].1.upper()).max() else { break };
            let Some(alpha) = moves.iter().map(|(_, known)| known.lower()).max() else { break };
            let (action, known) = moves[index];
            if known.upper() > alpha {
                moves[index].1 =
                    self.after(action, known, Window { alpha, beta: beta.max(alpha) }, monitor)?;
            }
        }
        // Narrowed by all of them; a move cut off by a rival's old upper may have to be looked at once more.
        while let Some((index, window)) = unseparated(&moves) {
            let (action, known) = moves[index];
            moves[index].1 = self.after(action, known, window, monitor)?;
        }
        if let Some(best) = separated(&moves) {
            moves.swap(0, best);
        }
        Ok(moves)
    }

    /// The moves with their bounds, from the mover, the most promising first.
    fn expand(&mut self, monitor: &mut dyn Monitor) -> Result<Vec<Rated<D>>, Interrupted> {
        self.nodes += 1;
        let mut successors: Vec<Successor<D::Action, D::Value>> = Vec::new();
        self.domain.successors(&mut successors, monitor)?;
        let known = |successor: &Successor<D::Action, D::Value>| {
            let bounds = -successor.estimate.belief;
            let stored = self.table.get(&successor.key).map(|&stored| -stored);
            stored.and_then(|stored| stored.intersection(bounds)).unwrap_or(bounds)
        };
        let mut moves: Vec<_> =
            successors.iter().map(|successor| (successor.action, known(successor))).collect();
        moves.sort_by_key(|(_, known)| std::cmp::Reverse((known.lower(), known.upper())));
        Ok(moves)
    }

    /// What a move is worth to the mover; `known` and the window are the mover's too.
    fn after(
        &mut self,
        action: D::Action,
        known: Interval<D::Value>,
        window: Window<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Interval<D::Value>, Interrupted> {
        self.domain.play(action);
        let turned = Window { alpha: -window.beta, beta: -window.alpha };
        let worth = self.search(-known, turned, monitor);
        self.domain.undo();
        Ok(-worth?)
    }

    /// Bounds on the value that are exact, or on one side of the window.
    fn search(
        &mut self,
        mut known: Interval<D::Value>,
        window: Window<D::Value>,
        monitor: &mut dyn Monitor,
    ) -> Result<Interval<D::Value>, Interrupted> {
        let key = self.domain.key();
        if let Some(narrower) = self.table.get(&key).and_then(|stored| stored.intersection(known)) {
            known = narrower;
        }
        if known.is_exact() || known.lower() >= window.beta || known.upper() <= window.alpha {
            return Ok(known);
        }
        let mut alpha = window.alpha.max(known.lower());
        let beta = window.beta.min(known.upper());
        let moves = self.expand(monitor)?;
        let mut best = Interval::exact(D::Value::MIN);
        for &(action, bounds) in &moves {
            let worth = self.after(action, bounds, Window { alpha, beta }, monitor)?;
            best = best.or(worth);
            alpha = alpha.max(worth.lower());
            if alpha >= beta {
                best = Interval::at_least(best.lower());
                break;
            }
        }
        let result = best.intersection(known).unwrap_or(known);
        if self.table.len() < self.capacity || self.table.contains_key(&key) {
            self.table.insert(key, result);
        }
        Ok(result)
    }
}

/// The move that is separated from all others.
fn separated<A: Copy, V: Value>(moves: &[(A, Interval<V>)]) -> Option<usize> {
    let best = (0..moves.len()).max_by_key(|&index| (moves[index].1.upper(), moves[index].1.lower()))?;
    let others = (0..moves.len()).filter(|&other| other != best);
    others.map(|other| moves[other].1).all(|other| moves[best].1.separated_from(other)).then_some(best)
}

/// While none is separated: the move with the highest upper, and the window that will settle it.
fn unseparated<A: Copy, V: Value>(moves: &[(A, Interval<V>)]) -> Option<(usize, Window<V>)> {
    if moves.is_empty() || separated(moves).is_some() {
        return None;
    }
    let open = (0..moves.len()).filter(|&index| !moves[index].1.is_exact());
    let index = open.max_by_key(|&index| (moves[index].1.upper(), moves[index].1.lower()))?;
    let others = (0..moves.len()).filter(|&other| other != index);
    let beta = others.map(|other| moves[other].1.upper()).max()?;
    Some((index, Window { alpha: V::MIN, beta }))
}

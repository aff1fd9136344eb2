//! [`Session`]: what the command keeps from one sum to the next, and the limits that hold for each.

use super::compare::Allowance;
use super::component::{Component, Values};
use super::names::Names;
use super::problem::Position;
use super::random::{Chance, Shape};
use super::solve::{Method, Verdict, solve};
use super::{Dyadic, Failure, Guard, Overflow, Side, Store};
use crate::bstar::{Policy, Value};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of one sum.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Time.
    pub time: Option<Duration>,
    /// Expansions for each side to move.
    pub nodes: u64,
    /// Bytes in all: half of it for games and their caches, half for the search.
    pub bytes: usize,
}

/// Stored games, valued boards and names, kept as long as memory allows.
pub struct Session {
    store: Store,
    values: Values,
    names: Names,
    limits: Limits,
    stop: Arc<AtomicBool>,
}

impl Session {
    /// A session; `stop` ends whatever is being computed when it is set.
    pub fn new(limits: Limits, stop: Arc<AtomicBool>) -> Result<Self, Failure> {
        let mut store = Store::new(Guard::new(None, stop.clone(), limits.bytes / 2));
        let names = Names::new(&mut store)?;
        Ok(Self { store, values: Values::default(), names, limits, stop })
    }

    /// Begins a sum: its time starts now, and games of earlier sums are forgotten when they take half of their memory.
    pub fn begin(&mut self) -> Result<(), Failure> {
        if self.store.bytes() > self.limits.bytes / 4 {
            *self = Self::new(self.limits, self.stop.clone())?;
        }
        self.store.set_guard(self.guard());
        Ok(())
    }

    fn guard(&self) -> Guard {
        let deadline = self.limits.time.and_then(|time| Instant::now().checked_add(time));
        Guard::new(deadline, self.stop.clone(), self.limits.bytes / 2)
    }

    /// Lifts time and stop flag, for what is left to tell when they have struck.
    pub fn end(&mut self) {
        self.store.set_guard(Guard::none());
    }

    /// The games.
    pub fn store(&mut self) -> &mut Store {
        &mut self.store
    }

    /// A value as text.
    pub fn show(&self, value: super::Term) -> String {
        self.names.show(&self.store, value)
    }

    /// The components valued.
    pub fn position(&mut self, components: &[Component]) -> Result<Position, Failure> {
        Position::of(&mut self.store, &mut self.values, components)
    }

    /// Solves a sum for one side to move, within what is left of the sum's limits. What struck first is in the verdict.
    pub fn solve(&mut self, position: &Position, side: Side, policy: Policy, exact: bool) -> Verdict {
        let method = Method {
            policy,
            nodes: self.limits.nodes,
            graph_bytes: self.limits.bytes / 2,
            guard: self.store.guard().clone(),
            exact,
        };
        let solved = solve(&mut self.store, &mut self.values, &self.names, position, side, &method);
        solved.unwrap_or_else(|failure| {
            let forms = position.components().iter().map(|component| &component.form);
            Verdict::without_move(side, rough_stops(forms), failure)
        })
    }

    /// The components of a random sum.
    pub fn random(
        &mut self,
        shape: Shape,
        count: usize,
        chance: &mut Chance,
    ) -> Result<Vec<Component>, Failure> {
        (0..count).map(|_| shape.component(&mut self.store, chance).map(Component::Tree)).collect()
    }

    /// The same limits anew, for one of several players.
    pub fn allowance(&self) -> Allowance {
        Allowance {
            nodes: self.limits.nodes,
            bytes: self.limits.bytes / 2,
            guard: self.guard(),
            all_moves: false,
        }
    }

    /// The user has said stop: nothing more is begun.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Bounds on both stops of a sum whose components were too much to value within the limits.
pub(super) fn rough_stops<'a>(components: impl IntoIterator<Item = &'a Component>) -> (Dyadic, Dyadic) {
    let zero = (Dyadic::ZERO, Dyadic::ZERO);
    let sum = components.into_iter().try_fold(zero, |(low, high), component| {
        let (lower, upper) = component.rough_stops()?;
        Ok::<_, Overflow>((low.plus(lower)?, high.plus(upper)?))
    });
    sum.unwrap_or((Dyadic::MIN, Dyadic::MAX))
}

//! [`SumDomain`]: sums as a [`Domain`] of the B\* core. All its bounds are facts.

use super::bounds::stop_bounds;
use super::outcome::Outcomes;
use super::{Dyadic, Failure, GameId, Score, Store, Sum};
use crate::bstar::{Domain, Estimate, Interrupted, Interval, Monitor, Successor};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counting {
    /// Stops only.
    Stops,
    /// Stops, and beside a stop of 0 who has the last move.
    LastMove,
}

/// The side to move, as Left, takes an option of a component. The sum is seen by the side to move, so at every other
/// ply the games are the negatives of those that the first player sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Action {
    /// A game of the sum, by the mean-0 game that it holds.
    pub game: GameId,
    /// Which of its left options.
    pub option: u32,
}

/// Sums as a game for the core. Values are exact dyadic [`Score`]s, every estimate is proven.
pub struct SumDomain<'a> {
    store: &'a mut Store,
    counting: Counting,
    outcomes: Outcomes,
    current: Sum,
    path: Vec<Sum>,
    failure: Option<Failure>,
}

impl<'a> SumDomain<'a> {
    /// A cursor at `sum`, its side to move being Left.
    pub fn new(store: &'a mut Store, sum: Sum, counting: Counting) -> Self {
        Self { store, counting, outcomes: Outcomes::default(), current: sum, path: Vec::new(), failure: None }
    }

    /// The position of the cursor.
    pub fn sum(&self) -> &Sum {
        &self.current
    }

    /// The games.
    pub fn store(&mut self) -> &mut Store {
        self.store
    }

    /// Why the domain interrupted the search, if it did.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// Positions that the exact search for the last move looked at.
    pub fn outcome_nodes(&self) -> u64 {
        self.outcomes.searched()
    }

    /// What is known of the current position without playing on.
    pub fn estimate(&mut self) -> Result<Estimate<Score>, Failure> {
        let sum = self.current.clone();
        self.known(&sum).map(Estimate::proven)
    }

    /// Bounds on the score of `sum`, Left to move: exact when play is over, one game is left, or nothing but
    /// infinitesimals is.
    pub fn known(&mut self, sum: &Sum) -> Result<Interval<Score>, Failure> {
        match *sum.games() {
            [] => Ok(self.exact(sum.number(), false)),
            [game] => {
                let stops = self.store.get(game).stops();
                Ok(self.exact(stops.left.plus(sum.number())?, !stops.left_held))
            }
            _ => {
                let (lower, upper) = stop_bounds(self.store, sum)?;
                if lower == upper && lower == Dyadic::ZERO && sum.is_cold(self.store) {
                    return self.cold(sum);
                }
                Ok(self.between(lower, upper))
            }
        }
    }

    fn exact(&self, stop: Dyadic, wins: bool) -> Interval<Score> {
        Interval::exact(match self.counting {
            Counting::Stops => Score::stop(stop),
            Counting::LastMove => Score::decided(stop, wins),
        })
    }

    /// Infinitesimals only and a stop of 0: the rest of the game is about the last move.
    fn cold(&mut self, sum: &Sum) -> Result<Interval<Score>, Failure> {
        let wins = match self.counting {
            Counting::Stops => false,
            Counting::LastMove => self.outcomes.mover_wins(self.store, sum)?,
        };
        Ok(self.exact(Dyadic::ZERO, wins))
    }

    fn between(&self, lower: Dyadic, upper: Dyadic) -> Interval<Score> {
        let (low, high) = match self.counting {
            Counting::Stops => (Score::stop(lower), Score::stop(upper)),
            Counting::LastMove => (Score::decided(lower, false), Score::decided(upper, true)),
        };
        Interval::new(low, high).unwrap_or(Interval::UNKNOWN)
    }

    fn fail(&mut self, failure: Failure) -> Interrupted {
        self.failure = Some(failure);
        Interrupted
    }
}

impl Domain for SumDomain<'_> {
    type Value = Score;
    type Action = Action;

    fn key(&self) -> u64 {
        self.current.key()
    }

    fn play(&mut self, action: Action) {
        let after = self.current.after(self.store, action.game, action.option as usize);
        // An action of the current position was worked out before; only its sums may have been dropped from the cache.
        let next = after.unwrap_or_else(|failure| {
            self.failure = Some(failure);
            Sum::default()
        });
        self.path.push(std::mem::replace(&mut self.current, next));
    }

    fn undo(&mut self) {
        if let Some(before) = self.path.pop() {
            self.current = before;
        }
    }

    fn successors(
        &mut self,
        into: &mut Vec<Successor<Action, Score>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        monitor.work(1)?;
        if self.failure.is_some() {
            return Err(Interrupted);
        }
        for (game, option) in self.current.moves(self.store) {
            let after = self.current.after(self.store, game, option).map_err(|failure| self.fail(failure))?;
            let known = self.known(&after).map_err(|failure| self.fail(failure))?;
            let action = Action { game, option: option as u32 };
            into.push(Successor { action, key: after.key(), estimate: Estimate::proven(known) });
        }
        Ok(())
    }
}

//! [`Outcomes`]: yes-or-no questions about a sum, answered by an exact depth-first search with a table: who has the last move,
//! where stops cannot tell, and which sign a stop has.

use super::bounds::stop_bounds;
use super::{Dyadic, Failure, Store, Sum};
use rustc_hash::FxHashMap;

/// What the side to move is asked to be able to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Win in normal play: who cannot move loses.
    Win,
    /// Reach a stop above 0.
    Above,
    /// Reach a stop of 0 at least.
    AtLeast,
}

impl Goal {
    /// The opponent's goal, which it reaches exactly when this one is missed.
    const fn opposed(self) -> Self {
        match self {
            Self::Win => Self::Win,
            Self::Above => Self::AtLeast,
            Self::AtLeast => Self::Above,
        }
    }
}

/// Answers so far.
#[derive(Default)]
pub struct Outcomes {
    known: FxHashMap<(Sum, Goal), bool>,
    searched: u64,
    bytes: usize,
}

impl Outcomes {
    /// Does the side to move reach the goal?
    pub fn reaches(&mut self, store: &mut Store, sum: &Sum, goal: Goal) -> Result<bool, Failure> {
        if let Some(reached) = decided(store, sum, goal)? {
            return Ok(reached);
        }
        let key = (sum.clone(), goal);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        store.step()?;
        self.searched += 1;
        let reached = self.some_move_reaches(store, sum, goal)?;
        let bytes = (size_of::<((Sum, Goal), bool)>() + size_of_val(sum.games())) * 3 / 2;
        store.charge(bytes);
        self.bytes += bytes;
        self.known.insert(key, reached);
        Ok(reached)
    }

    /// Sums searched so far: this search's nodes.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// Memory of the table, in bytes, as the store was charged for it.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn some_move_reaches(&mut self, store: &mut Store, sum: &Sum, goal: Goal) -> Result<bool, Failure> {
        for (game, option) in sum.moves(store) {
            let after = sum.after(store, game, option)?;
            if !self.reaches(store, &after, goal.opposed())? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What is seen at once: play is over, one game is left beside the number, or the bounds tell.
fn decided(store: &Store, sum: &Sum, goal: Goal) -> Result<Option<bool>, Failure> {
    let zero = Dyadic::ZERO;
    let (lower, upper) = match *sum.games() {
        [] => (sum.number(), sum.number()),
        [game] => {
            let stop = store.get(game).stops().left.plus(sum.number())?;
            (stop, stop)
        }
        _ => stop_bounds(store, sum)?,
    };
    let won_by_last_move = match *sum.games() {
        [] => Some(false),
        [game] => Some(!store.get(game).stops().left_held),
        _ => None,
    };
    Ok(match goal {
        Goal::Win if lower > zero => Some(true),
        Goal::Win if upper < zero => Some(false),
        Goal::Win => won_by_last_move,
        Goal::Above if lower > zero => Some(true),
        Goal::Above if upper <= zero => Some(false),
        Goal::AtLeast if lower >= zero => Some(true),
        Goal::AtLeast if upper < zero => Some(false),
        Goal::Above | Goal::AtLeast => None,
    })
}

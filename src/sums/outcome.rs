//! [`Outcomes`]: who has the last move, where stops cannot tell: an exact depth-first search with a table.

use super::bounds::stop_bounds;
use super::{Dyadic, Failure, Store, Sum};
use rustc_hash::FxHashMap;

/// Who wins sums that were asked about. In normal play: who cannot move loses.
#[derive(Default)]
pub struct Outcomes {
    known: FxHashMap<Sum, bool>,
    searched: u64,
}

impl Outcomes {
    /// Does the side to move win? Stops decide wherever they are not 0.
    pub fn mover_wins(&mut self, store: &mut Store, sum: &Sum) -> Result<bool, Failure> {
        if let Some(wins) = decided(store, sum)? {
            return Ok(wins);
        }
        if let Some(&known) = self.known.get(sum) {
            return Ok(known);
        }
        store.step()?;
        self.searched += 1;
        let wins = self.some_move_wins(store, sum)?;
        store.charge((size_of::<(Sum, bool)>() + size_of_val(sum.games())) * 3 / 2);
        self.known.insert(sum.clone(), wins);
        Ok(wins)
    }

    /// Sums searched so far: this search's nodes.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    fn some_move_wins(&mut self, store: &mut Store, sum: &Sum) -> Result<bool, Failure> {
        for (game, option) in sum.moves(store) {
            let after = sum.after(store, game, option)?;
            if !self.mover_wins(store, &after)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Who wins, where it is seen at once: play is over, one game is left beside the number, or the stop is not 0.
fn decided(store: &Store, sum: &Sum) -> Result<Option<bool>, Failure> {
    match *sum.games() {
        [] => Ok(Some(sum.number() > Dyadic::ZERO)),
        [game] => {
            let stops = store.get(game).stops();
            let stop = stops.left.plus(sum.number())?;
            Ok(Some(stop > Dyadic::ZERO || stop == Dyadic::ZERO && !stops.left_held))
        }
        _ => {
            let (lower, upper) = stop_bounds(store, sum)?;
            let zero = Dyadic::ZERO;
            Ok(if lower > zero {
                Some(true)
            } else if upper < zero {
                Some(false)
            } else {
                None
            })
        }
    }
}

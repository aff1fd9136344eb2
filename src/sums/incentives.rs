//! [`Incentives`]: moves that another move in the sum makes needless.
//!
//! What a move gains, its *incentive*, is the option less the game: `p - h` for the move from `h` to `p`. Where `p - h >= o - g`
//! the move from `g` to `o` need not be looked at while both games are in the sum, whatever else is (Winning Ways;
//! Müller & Li 2004 use it to prune a global search). When only stops are counted it is enough that the difference has a
//! right stop of at least 0, since `RS(a + b) >= RS(a) + RS(b)`.

use super::outcome::{Goal, Outcomes};
use super::{Counting, Failure, GameId, Store, Sum, Term};
use rustc_hash::FxHashMap;

/// A move: a game and the number of its left option.
pub type Move = (GameId, usize);

/// Comparisons of incentives, each made once.
#[derive(Default)]
pub struct Incentives {
    known: FxHashMap<(Move, Move), bool>,
}

/// Bytes of a comparison in the table, which is kept at most 7/8 full and doubles.
const ENTRY_BYTES: usize = size_of::<((Move, Move), bool)>() * 3 / 2;

impl Incentives {
    /// The moves that no other one makes needless; of equally good ones the hottest component's, then the first.
    pub fn undominated(
        &mut self,
        store: &mut Store,
        outcomes: &mut Outcomes,
        counting: Counting,
        mut moves: Vec<Move>,
    ) -> Result<Vec<Move>, Failure> {
        moves.sort_by_key(|&(game, option)| {
            (std::cmp::Reverse(store.get(game).walls().temperature), game, option)
        });
        let mut kept: Vec<Move> = Vec::with_capacity(moves.len());
        'moves: for candidate in moves {
            for &other in &kept {
                if self.at_least(store, outcomes, counting, other, candidate)? {
                    continue 'moves;
                }
            }
            kept.push(candidate);
        }
        Ok(kept)
    }

    /// Memory of the table, in bytes, as the store was charged for it.
    pub(super) fn bytes(&self) -> usize {
        self.known.len() * ENTRY_BYTES
    }

    /// The incentive of `better` is at least that of `worse`.
    fn at_least(
        &mut self,
        store: &mut Store,
        outcomes: &mut Outcomes,
        counting: Counting,
        better: Move,
        worse: Move,
    ) -> Result<bool, Failure> {
        if let Some(&known) = self.known.get(&(better, worse)) {
            return Ok(known);
        }
        let answer = compared(store, outcomes, counting, better, worse)?;
        store.charge(ENTRY_BYTES);
        self.known.insert((better, worse), answer);
        Ok(answer)
    }
}

fn compared(
    store: &mut Store,
    outcomes: &mut Outcomes,
    counting: Counting,
    better: Move,
    worse: Move,
) -> Result<bool, Failure> {
    let option = |store: &Store, (game, option): Move| store.get(game).left()[option];
    let (gained, lost) = (option(store, better), option(store, worse));
    // The mean of the difference is then negative.
    if gained.offset < lost.offset {
        return Ok(false);
    }
    let terms =
        [gained, Term::game(worse.0), store.negative(lost), Term::game(store.get(better.0).negative())];
    // Right moves first in the difference.
    let difference = Sum::of(store, terms)?.turned(store);
    let goal = match counting {
        Counting::Stops => Goal::Above,
        Counting::LastMove => Goal::Win,
    };
    Ok(!outcomes.reaches(store, &difference, goal)?)
}

//! The root inside of the tables: which moves keep what the position is worth.
//!
//! | the root is | moves that are kept, with distances | with outcomes only |
//! |---|---|---|
//! | won | those nearest to the next capture, pawn move or mate, in time for the fifty-move rule | those that win |
//! | won too slowly | the nearest ones: the opponent may err | those that win too slowly |
//! | a draw | those that draw | those that draw |
//! | lost too slowly | those that put it off for longest | those that lose too slowly |
//! | lost | all that lose | all |
//!
//! Each move of a win makes the distance shorter, so that nothing is shuffled; a search chooses among those kept. A move
//! after which the game is over, by repetition for instance, is worth what the rules say.

use super::{Outcome, Probing};
use crate::chess::Position;
use cozy_chess::Move;
use std::cmp::Ordering;

/// What the tables say of a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// The moves to choose from: at least one.
    pub moves: Vec<Move>,
    /// 1, 0 or -1: won, drawn or lost for the side to move, with the best of the moves that were asked about.
    pub sign: i32,
    /// Distances decided: what is kept of a win wins of itself, without look-ups in the search.
    pub by_distance: bool,
}

/// What a root move is worth. The greater the better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Worth {
    outcome: Outcome,
    /// Plies to zeroing where they tell good moves from better ones, else 0.
    distance: i32,
}

impl Worth {
    fn compare(self, other: Self) -> Ordering {
        let by_distance = match self.outcome {
            // The winner hurries; the loser does not.
            Outcome::Win | Outcome::CursedWin => other.distance.cmp(&self.distance),
            _ => self.distance.cmp(&other.distance),
        };
        self.outcome.cmp(&other.outcome).then(by_distance)
    }
}

impl Probing {
    /// Which of `moves`, legal ones of `position`, to choose from. `None` when the tables do not know all of them, or there
    /// are none.
    pub fn rule(&self, position: &Position, moves: &[Move]) -> Option<Ruling> {
        if !self.holds(position.board()) {
            return None;
        }
        let with_distances = self.weigh(moves, |action| self.by_distance(position, action));
        let by_distance = with_distances.is_some();
        let worths =
            with_distances.or_else(|| self.weigh(moves, |action| self.by_outcome(position, action)))?;
        self.tables.count_hits(worths.len());
        let best = worths.iter().map(|&(_, worth)| worth).max_by(|one, other| one.compare(*other))?;
        let kept = worths.iter().filter(|(_, worth)| worth.compare(best).is_eq());
        Some(Ruling {
            moves: kept.map(|&(action, _)| action).collect(),
            sign: best.outcome.sign(self.fifty_move_rule),
            by_distance,
        })
    }

    fn weigh(&self, moves: &[Move], worth: impl Fn(Move) -> Option<Worth>) -> Option<Vec<(Move, Worth)>> {
        moves.iter().map(|&action| Some((action, worth(action)?))).collect()
    }

    fn by_distance(&self, position: &Position, action: Move) -> Option<Worth> {
        if let Some(worth) = ended(position, action) {
            return Some(worth);
        }
        let distance = self.tables.distance_after(position.board(), action)?;
        let clock = i32::from(position.board().halfmove_clock());
        // A zeroing move comes in time as long as it may be played; so does a mate.
        let in_time = distance.abs() == 1 || distance.abs() + clock <= LAST_CERTAIN || !self.fifty_move_rule;
        let (outcome, distance) = match distance {
            0 => (Outcome::Draw, 0),
            1.. if in_time => (Outcome::Win, distance),
            1.. => (Outcome::CursedWin, distance),
            // To lose as slowly as possible is the search's business.
            _ if in_time => (Outcome::Loss, 0),
            _ => (Outcome::BlessedLoss, -distance),
        };
        Some(Worth { outcome, distance })
    }

    fn by_outcome(&self, position: &Position, action: Move) -> Option<Worth> {
        ended(position, action).or_else(|| {
            let mut after = position.board().clone();
            after.play_unchecked(action);
            let outcome = self.tables.outcome(&after)?.reversed();
            Some(Worth { outcome, distance: 0 })
        })
    }
}

/// Half-moves. A distance that ends with the clock here or earlier is in time even where the table counts in moves.
const LAST_CERTAIN: i32 = 99;

/// The worth of a move that ends the game.
fn ended(position: &Position, action: Move) -> Option<Worth> {
    let mut after = position.clone();
    after.play(action);
    let drawn = after.outcome()?.is_draw();
    let outcome = if drawn { Outcome::Draw } else { Outcome::Win };
    Some(Worth { outcome, distance: i32::from(!drawn) })
}

//! [`Score`]: what a sum is worth to the side to move.

use super::{Dyadic, Overflow};
use crate::bstar::Value;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Neg;

/// The number that is reached when every component has become a number; where that is 0, who then has the last move.
///
/// From the side to move: a positive score wins for it in normal play, a negative one loses. Compared by number
/// first. Best play by this order is best play for the number and, whenever the number decides nothing, for the win:
/// the sign of the best score is a monotone image of it, so one search answers both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score {
    /// The number.
    pub stop: Dyadic,
    /// Beside a stop of 0: 1 when the side to move wins, -1 when it loses. 0 beside any other stop, or where only
    /// stops are counted.
    pub last: i8,
}

impl Score {
    /// What `last`, from lost to won, weighs in [`Value::minus`] against a difference in numbers: less than any
    /// difference of a quarter, so that policies look at numbers first.
    const LAST_WEIGHT: f64 = 1.0 / 8.0;

    /// A number alone.
    pub const fn stop(stop: Dyadic) -> Self {
        Self { stop, last: 0 }
    }

    /// A stop with the win that it stands for: `wins` matters beside 0 only.
    pub fn decided(stop: Dyadic, wins: bool) -> Self {
        let last = if stop != Dyadic::ZERO {
            0
        } else if wins {
            1
        } else {
            -1
        };
        Self { stop, last }
    }

    /// Does the side to move win? `None` when a stop of 0 was not looked into.
    pub fn wins(self) -> Option<bool> {
        match self.cmp(&Self::stop(Dyadic::ZERO)) {
            Ordering::Greater => Some(true),
            Ordering::Less => Some(false),
            Ordering::Equal => None,
        }
    }

    /// By how much the number is less than another's, for regrets.
    pub fn short_of(self, best: Self) -> Result<Dyadic, Overflow> {
        best.stop.less(self.stop)
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self { stop: -self.stop, last: -self.last }
    }
}

impl Value for Score {
    const MIN: Self = Self { stop: Dyadic::MIN, last: -1 };
    const MAX: Self = Self { stop: Dyadic::MAX, last: 1 };

    fn minus(self, other: Self) -> f64 {
        self.stop.minus(other.stop) + f64::from(self.last - other.last) * (Self::LAST_WEIGHT / 2.0)
    }
}

/// The number; `0+` and `0-` where the side to move wins or loses by the last move.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.stop.is_end(), self.last) {
            (false, 1..) => f.pad(&format!("{}+", self.stop)),
            (false, ..=-1) => f.pad(&format!("{}-", self.stop)),
            _ => self.stop.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::Interval;

    #[test]
    fn zero_is_split_by_the_last_move() {
        let zero = Dyadic::ZERO;
        let (lost, won) = (Score::decided(zero, false), Score::decided(zero, true));
        assert!(lost < Score::stop(zero) && Score::stop(zero) < won && won < Score::stop(Dyadic::ONE));
        assert_eq!(-lost, won);
        assert_eq!(Score::decided(Dyadic::ONE, false), Score::stop(Dyadic::ONE));
        assert_eq!((won.wins(), lost.wins(), Score::stop(zero).wins()), (Some(true), Some(false), None));
    }

    #[test]
    fn the_laws_of_a_value_hold() {
        assert_eq!(-Score::MIN, Score::MAX);
        assert!(Score::MIN < Score::decided(Dyadic::ZERO, false));
        assert_eq!(Interval::<Score>::UNKNOWN.width(), f64::INFINITY);
        assert!(Score::MAX.minus(Score::MAX) == 0.0);
        let narrow =
            Interval::new(Score::decided(Dyadic::ZERO, false), Score::decided(Dyadic::ZERO, true)).unwrap();
        assert!(narrow.width() > 0.0 && narrow.width() < 0.25);
    }
}

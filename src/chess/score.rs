//! [`Score`]: the value of a chess position on the graph, and its conversion to and from a probe's plain integers.
//!
//! Every score is from the side to move at its own node, in centipawns. Three bands, from the middle outwards:
//!
//! | band | graph ([`Score`]) | probe (`i32`) |
//! |---|---|---|
//! | heuristic | up to ±[`Score::HEURISTIC_LIMIT`] | the same number |
//! | tablebase win | `31_000 - p` | `30_000 - d` |
//! | mate | `50_000 - p` | `32_000 - d` |
//!
//! `p` is the *game ply* (plies since the set-up position) at which the game ends; `d` counts the plies to it from the
//! probe's own root. The graph shares a node between all paths of one length, and [`Neg`] is its only conversion, so
//! a mate there is anchored at an absolute ply; a probe, whose values go to a table without plies, counts from itself.

use crate::bstar::Value;
use std::fmt;
use std::ops::Neg;

/// A value from the side to move: centipawns, or a win or loss at an absolute game ply. Totally ordered: a nearer
/// mate is worth more to the one who gives it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// The greatest game ply that a score tells apart; later ones saturate. A game of 5,000 moves.
const MAX_GAME_PLY: i32 = 10_000;
/// A mate given at game ply 0, were that possible.
const MATE: i32 = 50_000;
/// A tablebase win anchored at game ply 0.
const TABLEBASE: i32 = 31_000;

/// The probe's side of the conversion: integers that fit a table entry's 16 bits.
pub mod probe_scale {
    /// Outside of all values: an open window's end.
    pub const INFINITE: i32 = 32_500;
    /// Mate at the probe's root; a mate in `d` plies is `MATE - d`.
    pub const MATE: i32 = 32_000;
    /// A tablebase win at the probe's root; `d` plies away it is `TABLEBASE - d`.
    pub const TABLEBASE: i32 = 30_000;
    /// The greatest distance in plies that a mate or a tablebase win carries.
    pub const MAX_DISTANCE: i32 = 1_000;
    /// The least value of a mate.
    pub const MATE_FLOOR: i32 = MATE - MAX_DISTANCE;
    /// The least value of a tablebase win.
    pub const TABLEBASE_FLOOR: i32 = TABLEBASE - MAX_DISTANCE;
}

impl Score {
    /// A dead draw.
    pub const DRAW: Self = Self(0);
    /// Heuristic values lie within plus and minus this many centipawns.
    pub const HEURISTIC_LIMIT: i32 = 20_000;

    /// A heuristic value in centipawns, clamped to the heuristic band.
    pub fn centipawns(value: i32) -> Self {
        Self(value.clamp(-Self::HEURISTIC_LIMIT, Self::HEURISTIC_LIMIT))
    }

    /// The side to move mates; the mated position stands at game ply `ply`.
    pub fn mate_at(ply: usize) -> Self {
        Self(MATE - clamp_ply(ply))
    }

    /// The side to move is mated; the mated position stands at game ply `ply`.
    pub fn mated_at(ply: usize) -> Self {
        -Self::mate_at(ply)
    }

    /// The side to move wins by the tablebase, the win being known of the position at game ply `ply`.
    pub fn tablebase_win_at(ply: usize) -> Self {
        Self(TABLEBASE - clamp_ply(ply))
    }

    /// A mate, for either side.
    pub fn is_mate(self) -> bool {
        (MATE - MAX_GAME_PLY..=MATE).contains(&self.0.abs())
    }

    /// A tablebase win or loss.
    pub fn is_tablebase(self) -> bool {
        (TABLEBASE - MAX_GAME_PLY..=TABLEBASE).contains(&self.0.abs())
    }

    /// Neither a mate nor a tablebase result nor an infinity.
    pub fn is_heuristic(self) -> bool {
        self.0.abs() <= Self::HEURISTIC_LIMIT
    }

    /// Centipawns for the user, at game ply `ply`: the heuristic value, or of a tablebase result a number above all of those,
    /// less the plies until the table is reached. Mates keep their band.
    pub fn shown_centipawns(self, ply: usize) -> i32 {
        if !self.is_tablebase() {
            return self.0;
        }
        let plies = (TABLEBASE - self.0.abs() - clamp_ply(ply)).max(0);
        self.0.signum() * (Self::HEURISTIC_LIMIT - plies)
    }

    /// Centipawns for arithmetic: the heuristic value; mates and tablebase results keep their bands.
    pub fn to_centipawns(self) -> i32 {
        self.0
    }

    /// Full moves to mate counted from game ply `from_ply`, as UCI's `score mate`: positive when the side to move
    /// mates, negative when it is mated, 0 when it stands mated. `None` when this is no mate.
    pub fn mate_in_moves(self, from_ply: usize) -> Option<i32> {
        let plies = (MATE - self.0.abs() - clamp_ply(from_ply)).max(0);
        match self.is_mate() {
            true if self.0 > 0 => Some((plies + 1) / 2),
            true => Some(-(plies / 2)),
            false => None,
        }
    }

    /// The graph's score for `value`, a probe's result at game ply `ply`.
    pub fn from_probe(value: i32, ply: usize) -> Self {
        use probe_scale::{INFINITE, MATE_FLOOR, TABLEBASE_FLOOR};
        let size = value.abs();
        let after = |plies: i32| ply.saturating_add(plies.max(0).unsigned_abs() as usize);
        let positive = if size >= INFINITE {
            Self::MAX
        } else if size >= MATE_FLOOR {
            Self::mate_at(after(probe_scale::MATE - size))
        } else if size >= TABLEBASE_FLOOR {
            Self::tablebase_win_at(after(probe_scale::TABLEBASE - size))
        } else {
            Self::centipawns(size)
        };
        if value < 0 { -positive } else { positive }
    }

    /// The probe's value for this score, seen from game ply `ply`. Distances beyond the probe's reach saturate.
    pub fn to_probe(self, ply: usize) -> i32 {
        use probe_scale::{INFINITE, MAX_DISTANCE};
        let size = self.0.abs();
        let distance = |anchor: i32| (anchor - size - clamp_ply(ply)).clamp(0, MAX_DISTANCE);
        let positive = if self.is_mate() {
            probe_scale::MATE - distance(MATE)
        } else if self.is_tablebase() {
            probe_scale::TABLEBASE - distance(TABLEBASE)
        } else {
            size.min(INFINITE)
        };
        if self.0 < 0 { -positive } else { positive }
    }
}

fn clamp_ply(ply: usize) -> i32 {
    i32::try_from(ply).map_or(MAX_GAME_PLY, |ply| ply.min(MAX_GAME_PLY))
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Value for Score {
    const MIN: Self = Self(-i32::MAX);
    const MAX: Self = Self(i32::MAX);

    fn minus(self, other: Self) -> f64 {
        let infinite = |score: Self| score == Self::MIN || score == Self::MAX;
        if self == other {
            0.0
        } else if infinite(self) || infinite(other) {
            if self > other { f64::INFINITY } else { f64::NEG_INFINITY }
        } else {
            f64::from(self.0) - f64::from(other.0)
        }
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "+" };
        if *self == Self::MIN || *self == Self::MAX {
            write!(out, "{sign}inf")
        } else if self.is_mate() {
            write!(out, "{sign}mate@{}", MATE - self.0.abs())
        } else if self.is_tablebase() {
            write!(out, "{sign}table@{}", TABLEBASE - self.0.abs())
        } else {
            write!(out, "{:+}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_ordered() {
        let limit = Score::centipawns(i32::MAX);
        assert_eq!(limit.to_centipawns(), Score::HEURISTIC_LIMIT);
        assert!(limit < Score::tablebase_win_at(usize::MAX));
        assert!(Score::tablebase_win_at(0) < Score::mate_at(usize::MAX));
        assert!(Score::mate_at(7) > Score::mate_at(9));
        assert!(Score::mate_at(0) < Score::MAX);
        assert!(Score::MIN < Score::mated_at(0) && Score::mated_at(0) < Score::mated_at(2));
        assert_eq!(-Score::MIN, Score::MAX);
        assert!(!Score::MAX.is_mate() && !Score::MAX.is_heuristic() && !Score::MIN.is_tablebase());
    }

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_at(1).mate_in_moves(0), Some(1));
        assert_eq!(Score::mate_at(13).mate_in_moves(10), Some(2));
        assert_eq!(Score::mated_at(12).mate_in_moves(10), Some(-1));
        assert_eq!(Score::mated_at(10).mate_in_moves(10), Some(0));
        assert_eq!(Score::centipawns(300).mate_in_moves(0), None);
        assert_eq!(Score::MAX.mate_in_moves(0), None);
        assert_eq!(Score::tablebase_win_at(4).mate_in_moves(0), None);
    }

    #[test]
    fn a_tablebase_win_is_shown_above_what_is_estimated() {
        assert_eq!(Score::tablebase_win_at(47).shown_centipawns(40), 19_993);
        assert_eq!((-Score::tablebase_win_at(40)).shown_centipawns(40), -20_000);
        assert_eq!(Score::centipawns(-35).shown_centipawns(40), -35);
    }

    #[test]
    fn a_mate_is_the_same_from_every_ply() {
        // A probe two plies further on sees the mate two plies nearer; the graph sees one value.
        let far = Score::from_probe(probe_scale::MATE - 5, 40);
        let near = Score::from_probe(probe_scale::MATE - 3, 42);
        assert_eq!(far, near);
        assert_eq!(far, Score::mate_at(45));
        assert_eq!(-far, Score::from_probe(-(probe_scale::MATE - 4), 41));
    }

    #[test]
    fn conversion_returns() {
        for ply in [0, 1, 77, 1_300, 9_000] {
            for value in [0, 1, -35, 20_000, -20_000, 31_990, -31_999, 29_970, -29_999, 32_500, -32_500] {
                assert_eq!(Score::from_probe(value, ply).to_probe(ply), value, "{value} at {ply}");
            }
        }
    }

    #[test]
    fn plies_and_distances_saturate() {
        assert!(Score::from_probe(31_990, usize::MAX).is_mate());
        assert_eq!(Score::mate_at(9_000).to_probe(0), probe_scale::MATE_FLOOR);
        assert_eq!(Score::mate_at(10).to_probe(30), probe_scale::MATE);
        assert_eq!(Score::MAX.to_probe(5), probe_scale::INFINITE);
    }

    #[test]
    fn differences_are_never_nan() {
        assert_eq!(Score::MAX.minus(Score::MAX), 0.0);
        assert_eq!(Score::MAX.minus(Score::DRAW), f64::INFINITY);
        assert_eq!(Score::MIN.minus(Score::MAX), f64::NEG_INFINITY);
        assert_eq!(Score::centipawns(30).minus(Score::centipawns(-12)), 42.0);
    }
}

//! The error models: how far a probe's value is from what a deeper search says of the same position.
//!
//! For a probe of depth `d` plies the truth is taken to be the value of a search four plies deeper. What tells how far the two
//! are apart is a [`Basis`]:
//! - *Volatility*, the distance between the probe's value and the static value: [`half_width`] is the measured 80 %
//!   quantile of the absolute error for the depth and the class of the volatility.
//! - *Learned*, the network's own forecast for the position: [`narrowing`] is the measured percentage of its width on one
//!   side that is left at the depth, for the class of both widths' sum and for how far the probe's value has moved away from that
//!   end (see [`setback`]). It is the 90 % quantile of how far deeper values lie beyond the probe's on that side.
//!
//! Either way the interval around a realistic value holds the deeper value in four cases of five.
//!
//! The tables are made by `regulus error-model` (see [`measure`]); they belong to one evaluation and one probe search, and
//! are to be made anew when either changes.

mod measure;
mod table;

pub use measure::{Measurement, measure};
use table::{NARROWING, TABLE};

use super::Score;
use crate::bstar::{Effort, Estimate, Interval};

/// Depths that the tables tell apart; deeper probes use the last row. A row more makes its measurement about half as long
/// again, so that too few positions are left for it.
pub const DEPTHS: usize = 9;

/// The upper ends, in centipawns, of all volatility classes but the last, which is open.
pub const CLASS_ENDS: [i32; 4] = [10, 30, 70, 150];

/// The upper ends, in centipawns, of all classes of the network's widths (lower and upper together) but the last, which is
/// open: about the fifths of the network's report.
pub const WIDTH_ENDS: [i32; 4] = [210, 245, 280, 365];

/// Classes of either kind.
pub const CLASSES: usize = CLASS_ENDS.len() + 1;

/// The upper ends, in per cent of the network's width, of all classes of [`setback`] but the last, which is open: about
/// fifths of probes of four plies.
pub const SETBACK_ENDS: [i32; 4] = [-50, -15, 15, 50];

/// Plies by which the reference search is deeper than the probe.
pub const BEYOND: i32 = 4;

/// A row a depth from 0 (quiescence), a column a class.
pub type Table = [[i32; CLASSES]; DEPTHS];

/// For each depth and class of width, a number for each class of setback.
pub type Narrowing = [[[i32; CLASSES]; CLASSES]; DEPTHS];

/// What tells how wide a belief is at a position, from its side to move, in centipawns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basis {
    /// The static value.
    Volatility {
        /// The static value.
        statically: i32,
    },
    /// The network's forecast.
    Learned {
        /// Its realistic value.
        realistic: i32,
        /// From the realistic value down to the lower quantile.
        below: i32,
        /// From the realistic value up to the upper quantile.
        above: i32,
    },
}

/// One end of an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The pessimistic one.
    Lower,
    /// The optimistic one.
    Upper,
}

impl Basis {
    /// How far the truth may lie beyond this end of what a probe of `depth` plies established, in centipawns: the end is at
    /// `value`, which is exact or a bound.
    pub fn width(self, end: End, depth: u16, value: i32, is_exact: bool) -> i32 {
        match self {
            Self::Volatility { statically } => {
                let away = value - statically;
                // A bound says that the value moved from the static one only where it excludes the static one.
                let drift = match end {
                    _ if is_exact => away,
                    End::Lower => away.max(0),
                    End::Upper => away.min(0),
                };
                half_width(depth, drift)
            }
            Self::Learned { realistic, below, above } => {
                let predicted = if end == End::Lower { below } else { above };
                let moved = setback(end, value - realistic, predicted);
                // A bound says that the value moved from the static one only where it excludes the static one.
                let moved = if is_exact { moved } else { moved.max(0) };
                predicted * narrowing(depth, below + above, moved) / 100
            }
        }
    }
}

/// The 80 % quantile, in centipawns, of the error of a probe of `depth` plies whose value is `volatility` centipawns
/// away from the static value (the sign does not matter).
pub fn half_width(depth: u16, volatility: i32) -> i32 {
    TABLE[usize::from(depth).min(DEPTHS - 1)][class(&CLASS_ENDS, volatility.abs())]
}

/// The percentage of the network's width on one side that is left after a probe of `depth` plies, where both widths are
/// `width` centipawns together and the probe's value has the `setback` from that side.
pub fn narrowing(depth: u16, width: i32, setback: i32) -> i32 {
    let row = &NARROWING[usize::from(depth).min(DEPTHS - 1)][class(&WIDTH_ENDS, width)];
    row[class(&SETBACK_ENDS, setback)]
}

/// How far a probe's value has moved away from one end of the network's interval, in per cent of the predicted width there:
/// `moved` is the probe's value less the static one. Positive for a value that rose and the lower end, and for one that fell
/// and the upper end: deeper searches take part of such a step back.
pub fn setback(end: End, moved: i32, predicted: i32) -> i32 {
    let away = if end == End::Lower { moved } else { -moved };
    100 * away / predicted.max(1)
}

/// The class of a value by its upper ends.
fn class(ends: &[i32; CLASSES - 1], value: i32) -> usize {
    ends.iter().position(|&end| value < end).unwrap_or(CLASSES - 1)
}

/// The belief around what probes established of a position, from its side to move: each known end moved out by
/// `factor` widths for its own depth. A mate or a tablebase result is not moved.
pub fn belief(known: &Estimate<Score>, basis: Basis, factor: f64) -> Interval<Score> {
    let is_exact = known.searched.is_exact();
    let reach = |value: Score, effort: Effort, end: End, outwards: i32| {
        if !value.is_heuristic() || effort.is_proven() {
            return value;
        }
        let value = value.to_centipawns();
        let width = f64::from(basis.width(end, effort.units(), value, is_exact)) * factor;
        Score::centipawns(value + outwards * width as i32)
    };
    let lower = reach(known.searched.lower(), known.lower_effort, End::Lower, -1);
    let upper = reach(known.searched.upper(), known.upper_effort, End::Upper, 1);
    Interval::new(lower, upper).unwrap_or(known.searched)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setback_is_seen_from_each_end() {
        assert_eq!(
            setback(End::Lower, 30, 60),
            50,
            "it rose: half the width above where the lower end was put"
        );
        assert_eq!(setback(End::Upper, 30, 60), -50);
        assert_eq!(setback(End::Upper, -30, 60), 50);
        assert_eq!(setback(End::Lower, 5, 0), 500, "no width counts as one centipawn");
    }

    #[test]
    fn a_bound_does_not_count_as_a_move_towards_its_own_end() {
        let basis = Basis::Learned { realistic: 100, below: 80, above: 80 };
        let at_least = |value| basis.width(End::Lower, 4, value, false);
        assert_eq!(at_least(20), at_least(100), "the bound does not exclude the static value");
        assert_eq!(at_least(180), basis.width(End::Lower, 4, 180, true), "this one does");
    }

    #[test]
    fn every_cell_leaves_a_width() {
        for depth in 0..DEPTHS as u16 {
            for (width, back) in [(100, -100), (100, 100), (1_000, -100), (1_000, 100)] {
                assert!(narrowing(depth, width, back) > 0);
            }
        }
    }
}

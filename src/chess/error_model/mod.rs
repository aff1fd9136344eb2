//! The error model: how far a probe's value is from what a deeper search says of the same position.
//!
//! For a probe of depth `d` plies the truth is taken to be the value of a search four plies deeper. The error depends on
//! the depth and, much more, on the *volatility* of the position: the distance between the probe's value and the static
//! value. [`half_width`] gives the measured 80 % quantile of the absolute error: with it on either side, the interval
//! around a realistic value holds the deeper value in four cases of five.
//!
//! The table is made by `regulus error-model` (see [`measure`]); it belongs to one evaluation and one probe search, and
//! is to be made anew when either changes.

mod measure;
mod table;

pub use measure::{Measurement, measure};
use table::TABLE;

use super::Score;
use crate::bstar::{Effort, Estimate, Interval};

/// Depths that the table tells apart; deeper probes use the last row.
pub const DEPTHS: usize = 13;

/// The upper ends, in centipawns, of all volatility classes but the last, which is open.
pub const CLASS_ENDS: [i32; 4] = [10, 30, 70, 150];

/// Volatility classes.
pub const CLASSES: usize = CLASS_ENDS.len() + 1;

/// Plies by which the reference search is deeper than the probe.
pub const BEYOND: i32 = 4;

/// 80 % quantiles of the absolute error in centipawns: a row a depth from 0 (quiescence), a column a volatility class.
pub type Table = [[i32; CLASSES]; DEPTHS];

/// The 80 % quantile, in centipawns, of the error of a probe of `depth` plies whose value is `volatility` centipawns
/// away from the static value (the sign does not matter).
pub fn half_width(depth: u16, volatility: i32) -> i32 {
    TABLE[usize::from(depth).min(DEPTHS - 1)][class(volatility)]
}

/// The class of a volatility in centipawns.
fn class(volatility: i32) -> usize {
    CLASS_ENDS.iter().position(|&end| volatility.abs() < end).unwrap_or(CLASSES - 1)
}

/// The belief around what probes established of a position, from its side to move: each known end moved out by
/// `factor` half widths for its own depth and its own distance from the static value (centipawns, the same side). A mate
/// or a tablebase result is not moved.
pub fn belief(known: &Estimate<Score>, statically: i32, factor: f64) -> Interval<Score> {
    let searched = known.searched;
    let reach = |end: Score, effort: Effort, outwards: i32| {
        if !end.is_heuristic() || effort.is_proven() {
            return end;
        }
        let away = end.to_centipawns() - statically;
        // A bound says that the value moved from the static one only where it excludes the static one.
        let drift = if searched.is_exact() { away } else { (away * -outwards).max(0) };
        let width = f64::from(half_width(effort.units(), drift)) * factor;
        Score::centipawns(end.to_centipawns() + outwards * width as i32)
    };
    let lower = reach(searched.lower(), known.lower_effort, -1);
    let upper = reach(searched.upper(), known.upper_effort, 1);
    Interval::new(lower, upper).unwrap_or(searched)
}

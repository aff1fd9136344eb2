//! Making the tables: values of deepening searches compared with those four plies deeper.

use super::{
    BEYOND, CLASS_ENDS, CLASSES, DEPTHS, End, Narrowing, SETBACK_ENDS, Table, WIDTH_ENDS, class, setback,
};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::Position;
use crate::chess::eval::network::Forecast;
use crate::chess::probe::{Probe, RootMoves, Window};
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use std::fmt::Write;

/// Errors below this number are too few for a quantile; the cell then takes its neighbour's value.
const LEAST_SAMPLES: usize = 50;

/// The quantile that a half width stands for.
const BOTH_SIDES: f64 = 0.8;

/// The quantile that the width on one side stands for.
const ONE_SIDE: f64 = 0.9;

/// The least percentage that is left of a width: no interval shrinks to nothing.
const LEAST_LEFT: i32 = 5;

/// Errors collected position by position.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// For each depth and class of volatility, the absolute errors in centipawns.
    errors: Vec<[Vec<i32>; CLASSES]>,
    /// For each depth, class of the network's widths and class of setback, how far the deeper value lies beyond the probe's
    /// on one side, in per cent of the width there; negative where it lies on the other side.
    shares: Vec<[[Vec<i32>; CLASSES]; CLASSES]>,
}

/// Searches each position to `DEPTHS - 1 + BEYOND` plies with a probe that starts from a cleared table, and compares.
/// Positions in check, decided ones and ended ones are left out. `told` hears of each position done.
///
/// # Errors
/// [`Interrupted`] when the monitor says so.
pub fn measure(
    positions: &[Position],
    probe: &mut Probe,
    monitor: &mut dyn Monitor,
    mut told: impl FnMut(usize),
) -> Result<Measurement, Interrupted> {
    let mut measured =
        Measurement { errors: vec![Default::default(); DEPTHS], shares: vec![Default::default(); DEPTHS] };
    for (done, position) in positions.iter().enumerate() {
        if position.outcome().is_none() && position.board().checkers().is_empty() {
            let values = deepen(position, probe, monitor)?;
            let (statically, forecast) = (probe.static_value(), probe.forecast());
            for depth in 0..DEPTHS {
                measured.add(depth, (values[depth], values[depth + BEYOND as usize]), statically, forecast);
            }
        }
        told(done + 1);
    }
    Ok(measured)
}

/// The values at every depth from 0.
fn deepen(
    position: &Position,
    probe: &mut Probe,
    monitor: &mut dyn Monitor,
) -> Result<Vec<i32>, Interrupted> {
    probe.table().clear(1);
    probe.new_game();
    probe.set_position(position);
    let mut values = vec![probe.quiescence(Window::OPEN, monitor)?.value];
    for depth in 1..(DEPTHS as i32 + BEYOND) {
        values.push(probe.search_once(Window::OPEN, depth, RootMoves::All, monitor)?.value);
    }
    Ok(values)
}

/// The quantile of each cell of a row. One with too few samples takes the nearest one that has enough, and a row without any is
/// `above`.
fn quantiles(cells: &[Vec<i32>; CLASSES], quantile: f64, above: [i32; CLASSES]) -> [i32; CLASSES] {
    let known = cells.each_ref().map(|cell| {
        let mut cell = cell.clone();
        cell.sort_unstable();
        (cell.len() >= LEAST_SAMPLES).then(|| cell[(cell.len() as f64 * quantile) as usize])
    });
    std::array::from_fn(|class| {
        let filled = (0..CLASSES).filter(|&other| known[other].is_some());
        let nearest = filled.min_by_key(|&other| other.abs_diff(class));
        nearest.and_then(|other| known[other]).unwrap_or(above[class])
    })
}

/// The samples of a depth together with those of the depths beside it, which makes the quantiles steadier.
fn with_neighbours(
    shares: &[[[Vec<i32>; CLASSES]; CLASSES]],
    depth: usize,
    width: usize,
) -> [Vec<i32>; CLASSES] {
    let rows = &shares[depth.saturating_sub(1)..(depth + 2).min(shares.len())];
    std::array::from_fn(|class| rows.iter().flat_map(|row| row[width][class].iter().copied()).collect())
}

fn line(row: &[i32; CLASSES]) -> String {
    format!("[{}]", row.map(|cell| cell.to_string()).join(", "))
}

impl Measurement {
    /// One probe: its value and the deeper one, the static value and the network's forecast, in centipawns.
    fn add(&mut self, depth: usize, (value, truth): (i32, i32), statically: i32, forecast: Forecast) {
        if value.abs().max(truth.abs()) >= TABLEBASE_FLOOR {
            return;
        }
        let error = truth - value;
        self.errors[depth][class(&CLASS_ENDS, (value - statically).abs())].push(error.abs());
        let Forecast { lower, realistic, upper } = forecast;
        let row = &mut self.shares[depth][class(&WIDTH_ENDS, upper - lower)];
        for (end, width, beyond) in
            [(End::Lower, realistic - lower, -error), (End::Upper, upper - realistic, error)]
        {
            let moved = class(&SETBACK_ENDS, setback(end, value - realistic, width));
            row[moved].push(100 * beyond / width.max(1));
        }
    }

    fn table(&self) -> Table {
        let mut above = [0; CLASSES];
        std::array::from_fn(|depth| {
            above = quantiles(&self.errors[depth], BOTH_SIDES, above);
            above
        })
    }

    fn narrowing(&self) -> Narrowing {
        let mut above = [[100; CLASSES]; CLASSES];
        std::array::from_fn(|depth| {
            above = std::array::from_fn(|width| {
                let cells = with_neighbours(&self.shares, depth, width);
                quantiles(&cells, ONE_SIDE, above[width]).map(|left| left.max(LEAST_LEFT))
            });
            above
        })
    }

    /// The source text of the module that holds the tables.
    pub fn source(&self) -> String {
        let mut text = String::from(
            "//! The measured tables. Made by `regulus error-model`; not to be edited by hand.\n\nuse super::{Narrowing, Table};\n\n",
        );
        let samples: usize = self.errors.iter().flatten().map(Vec::len).sum();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "/// Centipawns, by depth and volatility; classes end at {CLASS_ENDS:?}. {samples} errors.\n\
             pub(super) const TABLE: Table = ["
        );
        for row in self.table() {
            let _ = writeln!(text, "    {},", line(&row));
        }
        let _ = writeln!(
            text,
            "];\n\n/// Per cent of the network's width on one side, by depth, both widths' sum (classes end at {WIDTH_ENDS:?}\n\
             /// centipawns) and setback (classes end at {SETBACK_ENDS:?} per cent).\n\
             #[rustfmt::skip]\npub(super) const NARROWING: Narrowing = ["
        );
        for row in self.narrowing() {
            let _ = writeln!(text, "    [{}],", row.each_ref().map(line).join(", "));
        }
        text.push_str("];\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_with_too_few_samples_takes_its_nearest_neighbours_quantile() {
        let mut cells = <[Vec<i32>; CLASSES]>::default();
        cells[1] = (0..200).rev().collect();
        cells[4] = vec![7; LEAST_SAMPLES];
        cells[3] = vec![1_000; LEAST_SAMPLES - 1];
        assert_eq!(quantiles(&cells, 0.9, [0; CLASSES]), [180, 180, 180, 7, 7]);
        assert_eq!(quantiles(&Default::default(), 0.9, [3; CLASSES]), [3; CLASSES], "the row above");
    }

    #[test]
    fn an_error_counts_for_both_ends() {
        let mut measured = Measurement {
            errors: vec![Default::default(); DEPTHS],
            shares: vec![Default::default(); DEPTHS],
        };
        // The deeper value lies 50 above the probe's, which is the static one.
        measured.add(3, (10, 60), 10, Forecast { lower: -90, realistic: 10, upper: 210 });
        let [width, still] = [class(&WIDTH_ENDS, 300), class(&SETBACK_ENDS, 0)];
        assert_eq!(
            measured.shares[3][width][still],
            [-50, 25],
            "half the width below, a quarter of the one above"
        );
        assert_eq!(measured.errors[3][0], [50]);
    }
}

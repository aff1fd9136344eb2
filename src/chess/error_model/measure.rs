//! Making the tables: values of deepening searches compared with those four plies deeper.

use super::{BEYOND, CLASS_ENDS, CLASSES, DEPTHS, Table, WIDTH_ENDS, class};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::Position;
use crate::chess::probe::{Probe, RootMoves, Window};
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use std::fmt::Write;

/// Errors below this number are too few for a quantile; the cell then takes its neighbour's value.
const LEAST_SAMPLES: usize = 30;

/// The quantile that a half width stands for.
const QUANTILE: f64 = 0.8;

/// Errors collected position by position.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// For each depth and class of volatility, the absolute errors in centipawns.
    errors: Vec<[Vec<i32>; CLASSES]>,
    /// For each depth and class of the network's widths, the errors in per cent of the width on their side.
    shares: Vec<[Vec<i32>; CLASSES]>,
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
    let empty = || vec![<[Vec<i32>; CLASSES]>::default(); DEPTHS];
    let mut measured = Measurement { errors: empty(), shares: empty() };
    for (done, position) in positions.iter().enumerate() {
        if position.outcome().is_none() && position.board().checkers().is_empty() {
            let values = deepen(position, probe, monitor)?;
            let statically = probe.static_value();
            let forecast = probe.forecast();
            let widths = (forecast.realistic - forecast.lower, forecast.upper - forecast.realistic);
            for depth in 0..DEPTHS {
                measured.add(depth, (values[depth], values[depth + BEYOND as usize]), statically, widths);
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
    probe.table().clear();
    probe.new_game();
    probe.set_position(position);
    let mut values = vec![probe.quiescence(Window::OPEN, monitor)?.value];
    for depth in 1..(DEPTHS as i32 + BEYOND) {
        values.push(probe.search_once(Window::OPEN, depth, RootMoves::All, monitor)?.value);
    }
    Ok(values)
}

/// The 80 % quantiles of each cell. One with too few samples takes the nearest one of its row that has enough, and a row without
/// any is the row above.
fn quantiles(samples: &[[Vec<i32>; CLASSES]]) -> Table {
    let quantile = |cell: &Vec<i32>| {
        let mut cell = cell.clone();
        cell.sort_unstable();
        (cell.len() >= LEAST_SAMPLES).then(|| cell[(cell.len() as f64 * QUANTILE) as usize])
    };
    let mut table = [[0; CLASSES]; DEPTHS];
    let mut above = [0; CLASSES];
    for (row, cells) in table.iter_mut().zip(samples) {
        let known: Vec<Option<i32>> = cells.iter().map(quantile).collect();
        for (class, cell) in row.iter_mut().enumerate() {
            let filled = (0..CLASSES).filter(|&other| known[other].is_some());
            let nearest = filled.min_by_key(|&other| other.abs_diff(class));
            *cell = nearest.and_then(|other| known[other]).unwrap_or(above[class]);
        }
        above = *row;
    }
    table
}

fn write_table(text: &mut String, name: &str, table: &Table) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "pub(super) const {name}: Table = [");
    for row in table {
        let cells: Vec<String> = row.iter().map(i32::to_string).collect();
        let _ = writeln!(text, "    [{}],", cells.join(", "));
    }
    text.push_str("];\n");
}

impl Measurement {
    /// One probe: its value and the deeper one, the static value and the network's widths below and above, in centipawns.
    fn add(&mut self, depth: usize, (value, truth): (i32, i32), statically: i32, widths: (i32, i32)) {
        if value.abs().max(truth.abs()) >= TABLEBASE_FLOOR {
            return;
        }
        let error = truth - value;
        self.errors[depth][class(&CLASS_ENDS, (value - statically).abs())].push(error.abs());
        let width = if error < 0 { widths.0 } else { widths.1 };
        self.shares[depth][class(&WIDTH_ENDS, widths.0 + widths.1)].push(100 * error.abs() / width.max(1));
    }

    /// The source text of the module that holds the tables.
    pub fn source(&self) -> String {
        let mut text = String::from(
            "//! The measured tables. Made by `regulus error-model`; not to be edited by hand.\n\nuse super::Table;\n\n",
        );
        let samples: usize = self.errors.iter().flatten().map(Vec::len).sum();
        let _ = writeln!(
            text,
            "/// Centipawns, by depth and volatility; classes end at {CLASS_ENDS:?}. {samples} errors."
        );
        write_table(&mut text, "TABLE", &quantiles(&self.errors));
        let _ = writeln!(
            text,
            "\n/// Per cent of the network's widths, by depth and their sum; classes end at {WIDTH_ENDS:?} centipawns."
        );
        write_table(&mut text, "NARROWING", &quantiles(&self.shares));
        text
    }
}

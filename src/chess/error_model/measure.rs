//! Making the table: values of deepening searches compared with those four plies deeper.

use super::{BEYOND, CLASS_ENDS, CLASSES, DEPTHS, Table, class};
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
    /// For each depth and class, the absolute errors in centipawns.
    errors: Vec<[Vec<i32>; CLASSES]>,
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
    let mut errors = vec![<[Vec<i32>; CLASSES]>::default(); DEPTHS];
    for (done, position) in positions.iter().enumerate() {
        if position.outcome().is_none() && position.board().checkers().is_empty() {
            let (values, statically) = deepen(position, probe, monitor)?;
            for (depth, cells) in errors.iter_mut().enumerate() {
                let (value, truth) = (values[depth], values[depth + BEYOND as usize]);
                if value.abs().max(truth.abs()) < TABLEBASE_FLOOR {
                    cells[class(value - statically)].push((truth - value).abs());
                }
            }
        }
        told(done + 1);
    }
    Ok(Measurement { errors })
}

/// The values at every depth from 0, and the static value.
fn deepen(
    position: &Position,
    probe: &mut Probe,
    monitor: &mut dyn Monitor,
) -> Result<(Vec<i32>, i32), Interrupted> {
    probe.table().clear();
    probe.new_game();
    probe.set_position(position);
    let statically = probe.static_value();
    let mut values = vec![probe.quiescence(Window::OPEN, monitor)?.value];
    for depth in 1..(DEPTHS as i32 + BEYOND) {
        values.push(probe.search_once(Window::OPEN, depth, RootMoves::All, monitor)?.value);
    }
    Ok((values, statically))
}

impl Measurement {
    /// The 80 % quantiles. A cell with too few samples takes the one to its left, then the one above.
    pub fn table(&self) -> Table {
        let mut table = [[0; CLASSES]; DEPTHS];
        for depth in 0..DEPTHS {
            for class in 0..CLASSES {
                let mut errors = self.errors[depth][class].clone();
                errors.sort_unstable();
                table[depth][class] = match errors.len() {
                    enough @ LEAST_SAMPLES.. => errors[(enough as f64 * QUANTILE) as usize],
                    _ if class > 0 => table[depth][class - 1],
                    _ if depth > 0 => table[depth - 1][class],
                    _ => 0,
                };
            }
        }
        table
    }

    /// The source text of the module that holds the table.
    pub fn source(&self) -> String {
        let mut text = String::from(
            "//! The measured table. Made by `regulus error-model`; not to be edited by hand.\n\nuse super::Table;\n\n",
        );
        let samples: usize = self.errors.iter().flatten().map(Vec::len).sum();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "/// {samples} errors; classes end at {CLASS_ENDS:?} centipawns.");
        text.push_str("pub(super) const TABLE: Table = [\n");
        for row in self.table() {
            let cells: Vec<String> = row.iter().map(i32::to_string).collect();
            let _ = writeln!(text, "    [{}],", cells.join(", "));
        }
        text.push_str("];\n");
        text
    }
}

//! `regulus calibrate`: how often the truth lies inside of an interval, and how wide the intervals are, by game phase and by
//! width.
//!
//! The interval is the network's static one, or what the interval model believes after a probe of some plies. The truth is
//! a search of this engine, so many plies deep or so many nodes long, or the score that the file has for the position.

mod positions;
mod report;

use super::datagen::NodeLimit;
use crate::bstar::{Domain, Effort, Estimate, Interrupted, Question, Unwatched};
use crate::chess::domain::Family;
use crate::chess::eval::network::Network;
use crate::chess::probe::{Probe, RootMoves, Table};
use crate::chess::twin::{TwinLimits, think};
use crate::chess::{ChessDomain, IntervalModel, Position};
use std::io;
use std::path::Path;
use std::sync::Arc;

pub use positions::{Scored, read};
pub use report::{Sample, picture, table};

/// Bytes of the probe's table.
const TABLE_BYTES: usize = 16 << 20;

/// Centipawns at which values and ends of intervals saturate: the score at which the games that the embedded network learned from
/// were adjudicated, as in the report of its training. What lies beyond is won, and how far says nothing.
pub const SATURATION: i32 = 1_200;

/// What the intervals are measured against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// The score in the file.
    Given,
    /// A search so many plies deep.
    Depth(u16),
    /// A search so many nodes long.
    Nodes(u64),
}

/// What to measure.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Positions drawn from the file.
    pub positions: usize,
    /// Where the draw starts from.
    pub seed: u64,
    /// The interval is what `model` believes after a probe of so many plies; `None` is the network's static one.
    pub probe: Option<u16>,
    /// The interval model; of no matter for static intervals.
    pub model: IntervalModel,
    /// What the intervals are measured against.
    pub truth: Truth,
    /// What evaluates.
    pub network: Arc<Network>,
}

/// Measures on positions of `file`. `told` hears of each one done, and of how many there are.
///
/// # Errors
/// When the file cannot be read, a line is neither a game nor a position, or a position has no score and is to have one.
pub fn run(settings: &Settings, file: &Path, mut told: impl FnMut(usize, usize)) -> io::Result<Vec<Sample>> {
    let drawn = read(file, settings.positions, settings.seed)?;
    let table = Arc::new(Table::new(TABLE_BYTES));
    let mut probe = Probe::new(Arc::clone(&table));
    probe.set_network(Arc::clone(&settings.network));
    let mut domain = ChessDomain::new(probe);
    domain.configure(settings.model, Family::Settled);
    let mut samples = Vec::with_capacity(drawn.len());
    for (done, scored) in drawn.iter().enumerate() {
        let interval = interval_of(&mut domain, &scored.position, settings.probe);
        let truth = match settings.truth {
            Truth::Given => scored.score.ok_or_else(|| {
                let reason = format!("{}: a position without a score; ask for a search", file.display());
                io::Error::new(io::ErrorKind::InvalidData, reason)
            })?,
            search => searched(domain.probe(), &scored.position, search),
        };
        // An unwatched probe is never interrupted.
        if let Ok((lower, upper)) = interval {
            samples.push(Sample::new(scored.position.board(), lower, upper, truth));
        }
        told(done + 1, drawn.len());
    }
    Ok(samples)
}

/// Forgets all that earlier positions taught, and stands at `position`.
fn start_at(probe: &mut Probe, position: &Position) {
    probe.table().clear(1);
    probe.new_game();
    probe.set_position(position);
}

fn interval_of(
    domain: &mut ChessDomain,
    position: &Position,
    depth: Option<u16>,
) -> Result<(i32, i32), Interrupted> {
    start_at(domain.probe(), position);
    let Some(depth) = depth else {
        let forecast = domain.probe().forecast();
        return Ok((forecast.lower, forecast.upper));
    };
    let found = domain.refine(&Estimate::UNKNOWN, Question::VALUE, Effort::of(depth), &mut Unwatched)?;
    Ok((found.belief.lower().to_centipawns(), found.belief.upper().to_centipawns()))
}

fn searched(probe: &mut Probe, position: &Position, truth: Truth) -> i32 {
    start_at(probe, position);
    let (depth, nodes) = match truth {
        Truth::Depth(depth) => (i32::from(depth.max(1)), u64::MAX),
        Truth::Nodes(nodes) => (i32::MAX, nodes),
        Truth::Given => (1, u64::MAX),
    };
    let limits = TwinLimits { depth, moves: RootMoves::All, lines: 1 };
    think(probe, position, limits, &mut NodeLimit::new(nodes), |_| true).value
}

#[cfg(test)]
mod tests;

//! `regulus error-model`: measures the error model's table on positions from a file, or on ones from quick games of its own,
//! and prints the source of the module that holds it.

use super::calibrate::read;
use super::chance::Chance;
use crate::bstar::Unwatched;
use crate::chess::Position;
use crate::chess::error_model::measure;
use crate::chess::eval::network::Network;
use crate::chess::probe::{Probe, RootMoves, Table, Window};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// MiB of the probe's table: a search of some hundred thousand nodes does not fill it.
const TABLE_BYTES: usize = 16 << 20;
/// Random plies at the beginning of a game.
const RANDOM_PLIES: usize = 8;
/// Plies of search for a game's other moves.
const GAME_DEPTH: i32 = 4;
/// Every so many plies a position is taken.
const TAKE_EVERY: u64 = 7;
/// Plies after which a game ends.
const LONGEST_GAME: usize = 160;

/// Measures `network` on `count` positions, drawn from `file` (games or positions, as [`read`] takes them) or from quick games,
/// and writes the module's source to `out` and progress to `progress`.
///
/// # Errors
/// When the file cannot be read, has a line that is no position, or `out` cannot be written.
pub fn print(
    file: Option<&Path>,
    count: usize,
    seed: u64,
    network: Arc<Network>,
    out: &mut dyn Write,
    progress: &mut dyn Write,
) -> io::Result<()> {
    let mut probe = Probe::new(Arc::new(Table::new(TABLE_BYTES)));
    probe.set_network(network);
    let positions = match file {
        Some(file) => read(file, count, seed)?.into_iter().map(|scored| scored.position).collect(),
        None => from_games(count, seed, &mut probe),
    };
    let total = positions.len();
    let measured = measure(&positions, &mut probe, &mut Unwatched, |done| {
        // Progress that nobody can see is no error.
        let _ = write!(progress, "\r{done}/{total}").and_then(|()| progress.flush());
    });
    // An unwatched measurement is never interrupted.
    let Ok(measured) = measured else { return Ok(()) };
    let _ = writeln!(progress);
    out.write_all(measured.source().as_bytes())
}

/// Positions from quick games: random at first, then the probe against itself.
fn from_games(count: usize, seed: u64, probe: &mut Probe) -> Vec<Position> {
    let mut chance = Chance::new(seed);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let mut position = Position::startpos();
        while position.outcome().is_none() && position.game_ply() < LONGEST_GAME {
            let moves = position.legal_moves();
            let random = moves.get(chance.below(moves.len() as u64) as usize).copied();
            let chosen =
                if position.game_ply() < RANDOM_PLIES { random } else { quick_move(&position, probe) };
            let Some(action) = chosen.or(random) else { break };
            position.play(action);
            if position.game_ply() > RANDOM_PLIES && chance.below(TAKE_EVERY) == 0 {
                positions.push(position.clone());
            }
        }
    }
    positions.truncate(count);
    positions
}

fn quick_move(position: &Position, probe: &mut Probe) -> Option<cozy_chess::Move> {
    probe.set_position(position);
    probe.search(Window::OPEN, GAME_DEPTH, RootMoves::All, &mut Unwatched).ok()?.best
}

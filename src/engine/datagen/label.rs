//! `regulus label`: positions near those of games, with a quick score each: much data for little time, from which the
//! value is trained before the games.
//!
//! A line of the output is `FEN|score`, in centipawns for the side to move.

use super::game::random_move;
use super::record::Record;
use crate::bstar::Unwatched;
use crate::chess::Position;
use crate::chess::fen::{Rules, write_fen};
use crate::chess::probe::ordering::is_noisy;
use crate::chess::probe::{Probe, RootMoves, Table, Window};
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use crate::engine::chance::Chance;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

/// Bytes of the table: the searches are tiny.
const TABLE_BYTES: usize = 1 << 20;
/// Random moves from a game's position: one up to so many.
const MOST_STEPS: u64 = 3;

/// What to label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Plies of the search that gives the score; 0 is the static value.
    pub depth: u16,
    /// Positions made from each one of a game.
    pub each: u32,
    /// Where chance starts from.
    pub seed: u64,
}

/// Makes positions from those of the games in `games` and writes the quiet ones to `into`: not in check, and no capture or
/// promotion is best. `told` hears of each game done and of the positions written so far.
///
/// # Errors
/// When a file cannot be read or written, or a line is not a game.
pub fn run(settings: &Settings, games: &Path, into: &Path, mut told: impl FnMut(u64, u64)) -> io::Result<()> {
    let lines = BufReader::new(File::open(games)?).lines();
    let mut output = BufWriter::new(File::create(into)?);
    let mut probe = Probe::new(Arc::new(Table::new(TABLE_BYTES)));
    let mut written = 0;
    for (number, line) in (1..).zip(lines) {
        let record = Record::read(&line?).map_err(|reason| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{}:{number}: {reason}", games.display()))
        })?;
        let mut chance = Chance::of_game(settings.seed, number);
        let mut position = record.start;
        for played in record.moves {
            for _ in 0..settings.each {
                let near = wandered(&position, &mut chance);
                if let Some(score) =
                    near.as_ref().and_then(|near| quiet_score(&mut probe, near, settings.depth))
                {
                    let fen = near.as_ref().map(|near| write_fen(near.board(), Rules::Chess960));
                    writeln!(output, "{}|{score}", fen.unwrap_or_default())?;
                    written += 1;
                }
            }
            position.play(played.action);
        }
        told(number, written);
    }
    output.flush()
}

/// A few random moves away from `position`; `None` when the game ended on the way.
fn wandered(position: &Position, chance: &mut Chance) -> Option<Position> {
    let mut near = Position::from_board(position.board().clone());
    for _ in 0..1 + chance.below(MOST_STEPS) {
        near.play(random_move(&near, chance)?);
    }
    near.outcome().is_none().then_some(near)
}

/// The score of a quiet position; `None` for others and where mate is found.
fn quiet_score(probe: &mut Probe, position: &Position, depth: u16) -> Option<i32> {
    let board = position.board();
    if !board.checkers().is_empty() {
        return None;
    }
    probe.new_game();
    probe.table().clear(1);
    probe.set_position(position);
    let score = if depth == 0 {
        let statically = probe.static_value();
        let quiet = probe.quiescence(Window::OPEN, &mut Unwatched).ok()?.value == statically;
        quiet.then_some(statically)
    } else {
        let found = probe.search(Window::OPEN, i32::from(depth), RootMoves::All, &mut Unwatched).ok()?;
        found.best.filter(|&best| !is_noisy(board, best)).map(|_| found.value)
    };
    score.filter(|score| score.abs() < TABLEBASE_FLOOR)
}

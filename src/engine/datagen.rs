//! `regulus datagen`: games of the engine against itself, from which networks are trained.
//!
//! A line of the output is a game, `START_FEN|RESULT|move,score move,score ...`:
//! - START_FEN: the position after a few random moves from the usual or a Chess960 start, castling rights by files
//!   (Shredder-FEN);
//! - RESULT: `1` White won, `0` Black won, `d` drawn; some games are adjudicated ([`Adjudication`]);
//! - move: UCI, castling as king takes rook;
//! - score: centipawns for the side to move, from the search that chose the move; a mate in n moves is ±(32000 - n). A
//!   trailing `*`: a random move was played instead of the searched one, whose score it still is.
//!
//! A game depends on the seed and its number alone, and games are written in order. So the output is the same for any
//! number of threads, and a run that was stopped goes on where it ended: the lines in the file are the games done.

mod game;
pub mod label;
pub mod openings;
pub mod record;

use crate::bstar::{Interrupted, Monitor};
use game::Player;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

pub use game::Adjudication;

/// What games to make.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Games in the file when all are done.
    pub games: u64,
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// Games played at the same time.
    pub threads: usize,
    /// Where chance starts from.
    pub seed: u64,
    /// Games from Chess960 starts, percent.
    pub chess960: u32,
    /// Random moves instead of searched ones, in thousandths.
    pub random: u32,
}

impl Default for Settings {
    /// A tenth from Chess960 starts and one random move in fifty, as in the games of the first network.
    fn default() -> Self {
        Self { games: 1_000, nodes: 5_000, threads: 1, seed: 1, chess960: 10, random: 20 }
    }
}

/// Plays the games that the file does not have yet, and appends them. `told` hears of each game written: how many the
/// file has, and the positions of this run.
///
/// # Errors
/// When the file cannot be read or written, or the system gives no thread.
pub fn run(settings: &Settings, path: &Path, mut told: impl FnMut(u64, u64)) -> io::Result<()> {
    let (mut file, done) = open_at_end(path)?;
    let next = AtomicU64::new(done);
    let stopped = AtomicBool::new(false);
    let (finished, games) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            let finished = finished.clone();
            thread::Builder::new().spawn_scoped(scope, || work(settings, &next, &stopped, finished))?;
        }
        drop(finished);
        let written = write_in_order(&mut file, done, games, &mut told);
        stopped.store(true, Ordering::Relaxed);
        written
    })
}

/// One thread: plays games until none is left to start or nobody listens.
fn work(settings: &Settings, next: &AtomicU64, stopped: &AtomicBool, finished: mpsc::Sender<(u64, String)>) {
    let mut player = Player::new(settings);
    while !stopped.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= settings.games || finished.send((number, player.game(number))).is_err() {
            return;
        }
    }
}

fn write_in_order(
    file: &mut File,
    mut next: u64,
    games: mpsc::Receiver<(u64, String)>,
    told: &mut impl FnMut(u64, u64),
) -> io::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut positions = 0;
    for (number, line) in games {
        waiting.insert(number, line);
        while let Some(line) = waiting.remove(&next) {
            writeln!(file, "{line}")?;
            next += 1;
            positions += line.matches(',').count() as u64;
            told(next, positions);
        }
    }
    Ok(())
}

/// Opens the file to be appended to, without the rest of a line that a stopped run may have left. Its lines.
fn open_at_end(path: &Path) -> io::Result<(File, u64)> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let (mut lines, mut whole) = (0, 0);
    let mut reader = BufReader::new(&file);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 || line.last() != Some(&b'\n') {
            break;
        }
        lines += 1;
        whole += length as u64;
    }
    file.set_len(whole)?;
    file.seek(SeekFrom::Start(whole))?;
    Ok((file, lines))
}

/// Ends a search after so many nodes.
pub struct NodeLimit(u64);

impl NodeLimit {
    /// So many.
    pub fn new(nodes: u64) -> Self {
        Self(nodes)
    }
}

impl Monitor for NodeLimit {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(units);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;

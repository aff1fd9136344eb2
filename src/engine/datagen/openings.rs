//! `genfens`: openings for games that others play, as OpenBench asks an engine for them before it has training games played.
//!
//! `genfens N seed S book FILE|None [chess960]` prints N lines `info string genfens FEN`: positions a few random moves
//! after one of the book's, or after the start. The same words give the same openings, on every machine.

use super::NodeLimit;
use super::game::random_move;
use crate::bstar::{Interrupted, Monitor};
use crate::chess::Position;
use crate::chess::fen::{Rules, read_fen, write_fen};
use crate::chess::probe::{Probe, RootMoves, Table};
use crate::chess::twin::{TwinLimits, think};
use crate::engine::chance::Chance;
use crate::engine::protocol::Task;
use cozy_chess::Board;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Random plies from a start position, and up to [`MORE`] more: as in the games of `regulus datagen`.
const FROM_START: u64 = 6;
/// Random plies after a book's position, and up to [`MORE`] more: the book has done the rest.
const FROM_BOOK: u64 = 2;
/// See above.
const MORE: u64 = 5;
/// Chess960 has so many start positions.
const CHESS960_STARTS: u64 = 960;
/// Nodes of the search that judges an opening: a few milliseconds, far from the 15 seconds that OpenBench waits for each.
const NODES: u64 = 2_000;
/// Centipawns by which a side may be ahead. The games of `regulus datagen` are decided from 1,200 on; half of that is clear
/// of it.
const MOST_AHEAD: i32 = 600;
/// After so many openings that are over or decided, one of these must do: a book may hold nothing else.
const TRIES: u32 = 100;
/// Bytes of the judging search's table.
const TABLE_BYTES: usize = 1 << 20;

/// What is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Openings {
    /// How many.
    pub count: u64,
    /// Where chance starts from.
    pub seed: u64,
    /// A file of positions, a FEN or EPD a line; `None` is the start position.
    pub book: Option<PathBuf>,
    /// From Chess960's start positions where there is no book, and castling rights by files in any case.
    pub chess960: bool,
}

/// The openings as work for the search thread: a line each, and a sentence when the book cannot be read.
pub fn task(wanted: Openings) -> Task {
    Task(Box::new(move |monitor, out| match starts(&wanted) {
        Ok(starts) => {
            let told = make(&wanted, &starts, monitor, &mut |fen| out(format!("info string genfens {fen}")));
            if told.is_err() {
                out("info string genfens stopped".to_owned());
            }
        }
        Err(reason) => out(format!("info string genfens: {reason}")),
    }))
}

/// Positions of the book to begin from, not more than are wanted; empty without a book.
fn starts(wanted: &Openings) -> Result<Vec<Board>, String> {
    let Some(file) = &wanted.book else { return Ok(Vec::new()) };
    let mut chance = Chance::new(wanted.seed);
    let drawn =
        draw(file, wanted.count, &mut chance).map_err(|error| format!("{}: {error}", file.display()))?;
    if drawn.is_empty() { Err(format!("{} holds no position", file.display())) } else { Ok(drawn) }
}

/// Draws up to `count` positions, each of the file's with the same chance (reservoir sampling, Vitter 1985).
fn draw(file: &Path, count: u64, chance: &mut Chance) -> io::Result<Vec<Board>> {
    let mut kept = Vec::new();
    let mut seen = 0;
    for line in BufReader::new(File::open(file)?).lines() {
        // Behind the fourth field stand counters in a FEN and operations in an EPD.
        let line = line?;
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let Ok(fen) = read_fen(&fields.join(" "), Rules::Chess960) else { continue };
        seen += 1;
        if (kept.len() as u64) < count {
            kept.push(fen.board);
        } else if let Some(place) = usize::try_from(chance.below(seen)).ok().and_then(|at| kept.get_mut(at)) {
            *place = fen.board;
        }
    }
    Ok(kept)
}

fn make(
    wanted: &Openings,
    starts: &[Board],
    monitor: &mut dyn Monitor,
    out: &mut dyn FnMut(String),
) -> Result<(), Interrupted> {
    let rules = if wanted.chess960 { Rules::Chess960 } else { Rules::Standard };
    let mut judge = Probe::new(Arc::new(Table::new(TABLE_BYTES)));
    for number in 0..wanted.count {
        let mut chance = Chance::of_game(wanted.seed, number);
        let start = usize::try_from(number).ok().and_then(|number| starts.get(number % starts.len().max(1)));
        let mut opening = None;
        for _ in 0..TRIES {
            monitor.work(NODES)?;
            let tried = walk(start, wanted.chess960, &mut chance);
            let fit = is_balanced(&mut judge, &tried);
            opening = Some(tried);
            if fit {
                break;
            }
        }
        if let Some(opening) = opening {
            out(write_fen(opening.board(), rules));
        }
    }
    Ok(())
}

/// A few random moves.
fn walk(start: Option<&Board>, chess960: bool, chance: &mut Chance) -> Position {
    let (board, least) = match start {
        Some(board) => (board.clone(), FROM_BOOK),
        None if chess960 => (Board::chess960_startpos(chance.below(CHESS960_STARTS) as u32), FROM_START),
        None => (Board::startpos(), FROM_START),
    };
    let mut position = Position::from_board(board);
    for _ in 0..least + chance.below(MORE + 1) {
        let Some(action) = random_move(&position, chance) else { break };
        position.play(action);
    }
    // Repetitions do not count beyond here: what is printed has no history.
    Position::from_board(position.board().clone())
}

/// There is a game left to play.
fn is_balanced(judge: &mut Probe, position: &Position) -> bool {
    if position.outcome().is_some() {
        return false;
    }
    judge.new_game();
    judge.table().clear(1);
    let limits = TwinLimits { depth: i32::MAX, moves: RootMoves::All, lines: 1 };
    think(judge, position, limits, &mut NodeLimit::new(NODES), |_| true).value.abs() <= MOST_AHEAD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::Unwatched;
    use std::collections::HashSet;

    fn made(wanted: &Openings) -> Vec<String> {
        let mut lines = Vec::new();
        let Task(work) = task(wanted.clone());
        work(&mut Unwatched, &mut |line| lines.push(line));
        lines
    }

    #[test]
    fn as_many_as_asked_for_all_different_and_the_same_for_a_seed() {
        let wanted = Openings { count: 20, seed: 7, book: None, chess960: false };
        let lines = made(&wanted);
        assert_eq!(lines.iter().collect::<HashSet<_>>().len(), 20);
        for line in &lines {
            let fen = line.strip_prefix("info string genfens ").expect(line);
            assert_eq!(fen.split(' ').count(), 6, "{fen}");
            let board = read_fen(fen, Rules::Standard).expect(fen).board;
            assert_eq!(Position::from_board(board).outcome(), None, "{fen}");
        }
        assert_eq!(lines, made(&wanted));
        assert_ne!(lines, made(&Openings { seed: 8, ..wanted.clone() }));
        assert_eq!(made(&Openings { count: 0, ..wanted }), [""; 0]);
    }

    #[test]
    fn chess960_openings_name_their_rooks() {
        let lines = made(&Openings { count: 20, seed: 1, book: None, chess960: true });
        let usual = |line: &&String| line.contains("KQ") || line.contains("kq");
        assert!(lines.iter().filter(usual).count() == 0, "{lines:#?}");
    }

    #[test]
    fn openings_grow_from_the_book() {
        let file = std::env::temp_dir().join(format!("regulus-book-{}.epd", std::process::id()));
        // One line is none.
        std::fs::write(
            &file,
            "8/5k2/8/8/4p3/8/3PK3/8 w - - hmvc 3;\nnonsense\n8/5k2/3p4/8/8/4P3/4K3/8 b - -\n",
        )
        .unwrap();
        let lines = made(&Openings { count: 5, seed: 1, book: Some(file.clone()), chess960: false });
        std::fs::remove_file(&file).unwrap();
        assert_eq!(lines.len(), 5);
        for line in &lines {
            let men =
                |letter| line["info string genfens ".len()..].split(' ').next().unwrap().contains(letter);
            assert!(men('k') && men('K') && !men('q') && !men('R'), "{line}");
        }
        let none = made(&Openings { count: 5, seed: 1, book: Some(file), chess960: false });
        assert!(none.len() == 1 && !none[0].starts_with("info string genfens "), "{none:?}");
    }
}

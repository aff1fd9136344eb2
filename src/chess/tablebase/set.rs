//! [`Tablebases`]: the tables that were found, and the small searches that go with a look-up.

use super::file::{TableError, TableFile};
use super::material::Material;
use super::table::{Distance, Kind, Table};
use super::{Outcome, can_castle};
use cozy_chess::{BitBoard, Board, Move, Piece, Rank, Square};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// All tables of some folders.
#[derive(Debug, Default)]
pub struct Tablebases {
    outcomes: FxHashMap<Material, Stored>,
    distances: FxHashMap<Material, Stored>,
    most_men: u32,
    hits: AtomicU64,
    faults: Mutex<Vec<String>>,
}

/// A table that is opened when it is first asked.
#[derive(Debug)]
struct Stored {
    path: PathBuf,
    table: OnceLock<Option<Table>>,
}

/// How the best outcome is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    /// By a capture or a pawn move, at once.
    Zeroing,
    /// By some other move, or it is not known.
    Other,
}

impl Tablebases {
    /// The tables in `folders`, a list as the operating system writes them (`;` between them on Windows, else `:`), and
    /// sentences about files that are no tables though their names say so. Of two tables of one name the first counts.
    pub fn open(folders: &str) -> (Self, Vec<String>) {
        let mut set = Self::default();
        let mut notes = Vec::new();
        for folder in env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
            if let Err(reason) = set.add_folder(&folder, &mut notes) {
                notes.push(format!("{}: {reason}", folder.display()));
            }
        }
        set.most_men = set.outcomes.keys().map(|material| material.men() as u32).max().unwrap_or(0);
        (set, notes)
    }

    fn add_folder(&mut self, folder: &Path, notes: &mut Vec<String>) -> std::io::Result<()> {
        // Sorted: the notes come in the same order on every machine.
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let words = path.file_stem().and_then(|stem| stem.to_str()).zip(path.extension());
            if let Some((name, extension)) = words
                && let Some(kind) =
                    [Kind::Outcomes, Kind::Distances].into_iter().find(|k| extension == k.extension())
                && let Some(material) = Material::named(name)
            {
                files.insert(path.clone(), (kind, material));
            }
        }
        for (path, (kind, material)) in files {
            match TableFile::open(&path, kind.magic()) {
                Ok(_) => {
                    let tables = match kind {
                        Kind::Outcomes => &mut self.outcomes,
                        Kind::Distances => &mut self.distances,
                    };
                    tables.entry(material).or_insert(Stored { path, table: OnceLock::new() });
                }
                Err(error) => notes.push(format!("{}: {error}", path.display())),
            }
        }
        Ok(())
    }

    /// The most men of any table of outcomes; 0 when there is none.
    pub fn most_men(&self) -> u32 {
        self.most_men
    }

    /// How many tables of outcomes and of distances there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.outcomes.len(), self.distances.len()]
    }

    /// Positions that were found in tables so far.
    pub fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    pub(super) fn count_hits(&self, count: usize) {
        self.hits.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// Sentences about tables that proved to be bad since this was last asked.
    pub fn take_faults(&self) -> Vec<String> {
        self.faults.lock().map(|mut faults| std::mem::take(&mut *faults)).unwrap_or_default()
    }

    /// What `board` is worth to the side to move; `None` when a table for it, or for what a capture leads to, is missing or
    /// bad, or a side may castle.
    pub fn outcome(&self, board: &Board) -> Option<Outcome> {
        if board.occupied().len() > self.most_men || can_castle(board) {
            return None;
        }
        let (outcome, _) = self.resolve(board, false)?;
        self.count_hits(1);
        Some(outcome)
    }

    /// Plies to the next capture or pawn move of a perfect game, or to mate: positive when the side to move wins, negative
    /// when it loses, 0 in a draw. Distances beyond 100 are of wins that the fifty-move rule makes draws. Where a table
    /// counts in moves it may be one ply too much. `None` as for [`outcome`](Self::outcome), and when there is no
    /// table of distances.
    pub fn distance(&self, board: &Board) -> Option<i32> {
        if board.occupied().len() > self.most_men || can_castle(board) {
            return None;
        }
        let distance = self.distance_of(board)?;
        self.count_hits(1);
        Some(distance)
    }

    /// The outcome, and how it is reached. Tables do not hold what is clear from a capture (or en passant), so captures
    /// are tried first; with `pawn_moves` these as well, which tables of distances leave out.
    fn resolve(&self, board: &Board, pawn_moves: bool) -> Option<(Outcome, By)> {
        let mut best: Option<Outcome> = None;
        let mut others = false;
        for action in moves(board) {
            if !(is_capture(board, action) || pawn_moves && is_pawn_move(board, action)) {
                others = true;
                continue;
            }
            let value = self.resolve(&played(board, action), false)?.0.reversed();
            if value == Outcome::Win {
                return Some((value, By::Zeroing));
            }
            best = best.max(Some(value));
        }
        // With nothing but captures the table need not know: it has no en-passant rights.
        let stored = match best {
            Some(best) if !others => return Some((best, By::Zeroing)),
            _ => self.stored_outcome(board)?,
        };
        match best {
            Some(best) if best >= stored => {
                Some((best, if best > Outcome::Draw { By::Zeroing } else { By::Other }))
            }
            _ => Some((stored, By::Other)),
        }
    }

    fn stored_outcome(&self, board: &Board) -> Option<Outcome> {
        if board.occupied().len() == 2 {
            return Some(Outcome::Draw);
        }
        self.ask(&self.outcomes, Kind::Outcomes, board, |table| {
            Ok(match table.outcome(board)? {
                -2 => Outcome::Loss,
                -1 => Outcome::BlessedLoss,
                0 => Outcome::Draw,
                1 => Outcome::CursedWin,
                _ => Outcome::Win,
            })
        })
    }

    fn distance_of(&self, board: &Board) -> Option<i32> {
        let (outcome, by) = self.resolve(board, true)?;
        if outcome == Outcome::Draw || by == By::Zeroing {
            return Some(before_zeroing(outcome));
        }
        let sign = outcome.sign(false);
        let stored =
            self.ask(&self.distances, Kind::Distances, board, |table| table.distance(board, code(outcome)))?;
        match stored {
            Distance::Plies(plies) => {
                let slow = matches!(outcome, Outcome::CursedWin | Outcome::BlessedLoss);
                Some((i32::from(plies) + if slow { 100 } else { 0 }) * sign)
            }
            Distance::OtherSide => self.distance_by_moves(board, sign),
        }
    }

    /// The distance where the table holds the other side's positions: the best of the moves. (Captures and pawn moves that
    /// win would have decided before.)
    fn distance_by_moves(&self, board: &Board, sign: i32) -> Option<i32> {
        let mut best: Option<i32> = None;
        for action in moves(board) {
            let distance = self.distance_after(board, action)?;
            if distance.signum() == sign {
                // The winner hurries, and the loser, with the same comparison of negative numbers, does not.
                best = Some(best.map_or(distance, |best| best.min(distance)));
            }
        }
        // No moves: mated.
        Some(best.unwrap_or(-1))
    }

    /// The distance of `action`, a legal move of `board`, from the side that makes it, itself counted.
    pub(super) fn distance_after(&self, board: &Board, action: Move) -> Option<i32> {
        let after = played(board, action);
        if is_capture(board, action) || is_pawn_move(board, action) {
            return Some(before_zeroing(self.resolve(&after, false)?.0.reversed()));
        }
        if !after.checkers().is_empty() && !after.generate_moves(|_| true) {
            return Some(1);
        }
        let distance = -self.distance_of(&after)?;
        Some(distance + distance.signum())
    }

    /// What `question` finds in the table for `board`.
    fn ask<T>(
        &self,
        tables: &FxHashMap<Material, Stored>,
        kind: Kind,
        board: &Board,
        question: impl FnOnce(&Table) -> Result<T, TableError>,
    ) -> Option<T> {
        let material = Material::of(board);
        let (material, stored) = [material, material.swapped()]
            .into_iter()
            .find_map(|material| tables.get(&material).map(|stored| (material, stored)))?;
        let table = stored.table.get_or_init(|| {
            let opened = Table::open(&stored.path, material, kind);
            opened.map_err(|error| self.blame(stored, &error)).ok()
        });
        question(table.as_ref()?).map_err(|error| self.blame(stored, &error)).ok()
    }

    /// Takes note of a fault, once for each table.
    fn blame(&self, stored: &Stored, error: &TableError) {
        let fault = format!("{}: {error}; the table is left out", stored.path.display());
        if let Ok(mut faults) = self.faults.lock()
            && !faults.contains(&fault)
        {
            faults.push(fault);
        }
    }
}

/// The distance of a capture or pawn move with this outcome.
fn before_zeroing(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Loss => -1,
        Outcome::BlessedLoss => -101,
        Outcome::Draw => 0,
        Outcome::CursedWin => 101,
        Outcome::Win => 1,
    }
}

/// The outcome as tables write it.
fn code(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Loss => -2,
        Outcome::BlessedLoss => -1,
        Outcome::Draw => 0,
        Outcome::CursedWin => 1,
        Outcome::Win => 2,
    }
}

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::with_capacity(32);
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

fn played(board: &Board, action: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(action);
    after
}

/// Also in passing. (Nobody may castle here.)
fn is_capture(board: &Board, action: Move) -> bool {
    let passed = board.en_passant().map_or(BitBoard::EMPTY, |file| {
        Square::new(file, Rank::Sixth.relative_to(board.side_to_move())).bitboard()
    });
    board.occupied().has(action.to) || passed.has(action.to) && is_pawn_move(board, action)
}

fn is_pawn_move(board: &Board, action: Move) -> bool {
    board.pieces(Piece::Pawn).has(action.from)
}

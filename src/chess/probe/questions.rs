//! What a tree above the probe asks of it: the probe's root is then an inner node of that tree.

use super::history::Context;
use super::margins::{self, MAX_PLY};
use super::ordering::{Picker, Sources, is_noisy};
use super::search::Run;
use super::see::{exchange_reaches, victim};
use super::table::Entry;
use super::{Bound, FRAMES_BEFORE_ROOT, PackedMove, Probe, ProbeResult, RootMoves, Window};
use crate::bstar::{Interrupted, Monitor};
use cozy_chess::{Move, Piece};

/// 1,024ths of a ply by which a checking move is reduced less: as inside the probe.
const CHECK_RELIEF: i32 = 900;
/// 1,024ths of a ply by which moves are reduced less on the principal line: as inside the probe.
const LINE_RELIEF: i32 = 900;
/// History units (of a quiet move's record, of a capture's) for one 1,024th of a ply: as inside the probe.
const HISTORY_UNITS: i32 = 12;

impl Probe {
    /// Answers `window` about the current position, `depth` plies deep, as a search answers about one of its inner nodes: by
    /// the table, a null move or a margin where one of them decides. A null window is searched once at this depth, an open one
    /// by deepening from what the table already knows. `cut`: the answer is expected to be "at least beta".
    ///
    /// # Errors
    /// As for [`search`](Self::search).
    pub fn answer(
        &mut self,
        window: Window,
        depth: i32,
        cut: bool,
        monitor: &mut dyn Monitor,
    ) -> Result<ProbeResult, Interrupted> {
        let board = self.board().clone();
        let depth = depth.clamp(1, MAX_PLY as i32 - 1);
        let known = self.known_depth().clamp(0, depth - 1);
        let first = if window.beta - window.alpha > 1 { known + 1 } else { depth };
        self.guarded(monitor, RootMoves::All, |run: &mut Run| {
            run.stand_inside();
            let mut result = run.root_as(&board, window, first, cut)?;
            for depth in first + 1..=depth {
                result = run.root_as(&board, window, depth, cut)?;
            }
            Ok(result)
        })
    }

    /// The depth to which the table knows the current position, 0 when it does not.
    fn known_depth(&self) -> i32 {
        self.table.get(self.key()).map_or(0, |entry| entry.depth)
    }

    /// The best move that the shared table has for the current position.
    pub fn table_move(&self) -> Option<Move> {
        let known = self.table.get(self.key()).and_then(|entry| entry.action.unpack());
        known.filter(|&action| self.board().is_legal(action))
    }

    /// Tells the shared table what a tree above found of the current position: a value from its side to move, what it
    /// is, how deep, and the best move. An entry that is deeper stays.
    pub fn remember(&mut self, value: i32, bound: Bound, depth: i32, best: Option<Move>) {
        if self.known_depth() > depth {
            return;
        }
        let action = best.or_else(|| self.table_move()).map_or(PackedMove::NONE, PackedMove::from);
        let entry = Entry { action, value, static_value: None, depth, bound, on_line: true };
        self.table.put(self.key(), entry);
    }

    /// All legal moves of the current position in the order in which a probe of it would try them.
    pub fn moves_by_promise(&mut self) -> Vec<Move> {
        let board = self.board().clone();
        let contexts = self.latest_contexts();
        let refutations = [PackedMove::NONE, PackedMove::NONE, self.histories.countermove(contexts[0])];
        let mut picker = Picker::new(&self.stacks, self.table_move(), refutations, contexts);
        let mut moves = Vec::with_capacity(48);
        loop {
            let sources = Sources { stacks: &mut self.stacks, histories: &self.histories };
            match picker.next(&board, sources) {
                Some(action) => moves.push(action),
                None => break,
            }
        }
        picker.finish(&mut self.stacks);
        moves
    }

    /// The last two moves that led to the current position, the latest first.
    fn latest_contexts(&self) -> [Context; FRAMES_BEFORE_ROOT] {
        let mut latest = self.path_contexts.iter().rev().copied();
        [(); FRAMES_BEFORE_ROOT].map(|()| latest.next().unwrap_or(Context::NONE))
    }

    /// `action` gives check and loses nothing by exchange: inside a probe such a move goes a ply deeper.
    pub fn is_good_check(&self, action: Move) -> bool {
        let mut after = self.board().clone();
        after.play_unchecked(action);
        !after.checkers().is_empty() && exchange_reaches(self.board(), action, 0)
    }

    /// Plies by which the `number`th move (from 1) of a node on the principal line, searched `depth` plies deep, is
    /// reduced: what the probe itself does there.
    pub fn late_move_reduction(&self, depth: i32, number: usize, action: Move) -> i32 {
        let board = self.board();
        let piece = board.piece_on(action.from).unwrap_or(Piece::Pawn);
        let mut reduction = self.reductions.get(depth, number) - LINE_RELIEF;
        if is_noisy(board, action) {
            let taken = victim(board, action).unwrap_or(Piece::Pawn);
            reduction = reduction / 2 - self.histories.capture(piece, action, taken) / HISTORY_UNITS;
        } else {
            let contexts = self.latest_contexts();
            let record = self.histories.quiet(board.side_to_move(), piece, action, contexts);
            reduction -= record / HISTORY_UNITS;
        }
        let mut after = board.clone();
        after.play_unchecked(action);
        if !after.checkers().is_empty() {
            reduction -= CHECK_RELIEF;
        }
        margins::whole_plies(reduction).max(0)
    }
}

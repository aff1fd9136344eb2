//! What a tree above the probe asks of it: the probe's root is then an inner node of that tree.

use super::history::Context;
use super::margins::{LINE_RELIEF, Lateness, MAX_PLY, late_reduction};
use super::ordering::{Picker, Sources, is_noisy};
use super::search::Run;
use super::see::{exchange_reaches, victim};
use super::table::Entry;
use super::{Bound, FRAMES_BEFORE_ROOT, PackedMove, Probe, ProbeResult, RootMoves, Window};
use crate::bstar::{Interrupted, Monitor};
use cozy_chess::{Move, Piece};

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
    /// reduced: by the formula of the probe itself, save that the line's relief is granted before a capture's reduction is
    /// halved, so that captures keep half of it.
    pub fn late_move_reduction(&self, depth: i32, number: usize, action: Move) -> i32 {
        let board = self.board();
        let piece = board.piece_on(action.from).unwrap_or(Piece::Pawn);
        let noisy = is_noisy(board, action);
        let record = if noisy {
            self.histories.capture(piece, action, victim(board, action).unwrap_or(Piece::Pawn))
        } else {
            self.histories.quiet(board.side_to_move(), piece, action, self.latest_contexts())
        };
        let mut after = board.clone();
        after.play_unchecked(action);
        let late = Lateness {
            noisy,
            record,
            killer: false,
            cut: false,
            improving: true,
            on_line: false,
            check: !after.checkers().is_empty(),
        };
        late_reduction(self.reductions.get(depth, number) - LINE_RELIEF, &late).max(0)
    }
}

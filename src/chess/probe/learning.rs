//! What a finished node teaches: the histories, the correction history, the table.

use super::history::Context;
use super::node::{Node, bound_of, to_table};
use super::ordering::is_noisy;
use super::search::Run;
use super::see::victim;
use super::table::{Entry, PackedMove};
use super::{Bound, margins};
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use cozy_chess::{Board, Color, Move, Piece};

/// Moves tried in vain before the refutation.
#[derive(Default)]
pub(super) struct Tried {
    pub quiet: Shortlist,
    pub noisy: Shortlist,
}

/// The first few moves of a kind: enough to debit, on the stack.
pub(super) struct Shortlist {
    moves: [PackedMove; 32],
    length: usize,
}

impl Default for Shortlist {
    fn default() -> Self {
        Self { moves: [PackedMove::NONE; 32], length: 0 }
    }
}

impl Shortlist {
    /// Adds a move, if there is room.
    pub fn push(&mut self, action: Move) {
        if let Some(slot) = self.moves.get_mut(self.length) {
            *slot = action.into();
            self.length += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.length].iter().filter_map(|packed| packed.unpack())
    }
}

impl Run<'_> {
    /// Credits the refutation and debits what was tried before it.
    pub(super) fn learn_refutation(&mut self, node: &Node, action: Move, tried: &Tried) {
        let Node { board, ply, depth, .. } = *node;
        let side = board.side_to_move();
        let contexts = self.contexts(ply);
        let (bonus, malus) = (margins::history_bonus(depth), -margins::history_malus(depth));
        if is_noisy(board, action) {
            self.pull_capture(board, action, bonus);
        } else {
            let packed = PackedMove::from(action);
            let frame = self.frame(ply);
            if frame.killers[0] != packed {
                frame.killers = [packed, frame.killers[0]];
            }
            self.probe.histories.set_countermove(contexts[0], packed);
            self.pull_quiet(board, side, action, contexts, bonus);
            for failed in tried.quiet.iter() {
                self.pull_quiet(board, side, failed, contexts, malus);
            }
        }
        for failed in tried.noisy.iter() {
            self.pull_capture(board, failed, malus);
        }
    }

    fn pull_quiet(&mut self, board: &Board, side: Color, action: Move, contexts: [Context; 2], bonus: i32) {
        if let Some(piece) = board.piece_on(action.from) {
            self.probe.histories.pull_quiet(side, piece, action, contexts, bonus);
        }
    }

    fn pull_capture(&mut self, board: &Board, action: Move, bonus: i32) {
        if let Some(piece) = board.piece_on(action.from) {
            let victim = victim(board, action).unwrap_or(Piece::Pawn);
            self.probe.histories.pull_capture(piece, action, victim, bonus);
        }
    }

    /// Stores a quiescence node.
    pub(super) fn store_quiet(&mut self, node: &Node, value: i32, best: Option<Move>) {
        self.put(node, node.key, 0, value, best);
    }

    /// Stores a node, and teaches the correction history.
    pub(super) fn store(&mut self, node: &Node, value: i32, best: Option<Move>) {
        let bound = bound_of(value, node.alpha, node.beta);
        let static_value = self.frame(node.ply).static_value;
        let quiet = best.is_none_or(|action| !is_noisy(node.board, action));
        if let Some(estimate) =
            static_value.filter(|_| quiet && !node.bare_king && value.abs() < TABLEBASE_FLOOR)
        {
            let informative = match bound {
                Bound::Exact => true,
                Bound::Lower => value > estimate,
                Bound::Upper => value < estimate,
            };
            if informative {
                self.probe.corrections.learn(node.board, estimate, value, node.depth);
            }
        }
        self.put(node, node.key, node.depth, value, best);
    }

    /// Puts what was found of a node into the table, under this key.
    pub(super) fn put(&self, node: &Node, key: u64, depth: i32, value: i32, best: Option<Move>) {
        let entry = Entry {
            action: best.map_or(PackedMove::NONE, PackedMove::from),
            value: to_table(value, node.ply),
            static_value: node.raw,
            depth,
            bound: bound_of(value, node.alpha, node.beta),
            on_line: node.on_line,
        };
        self.probe.table.put(key, entry);
    }
}

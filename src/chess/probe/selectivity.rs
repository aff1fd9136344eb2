//! What is decided without a full search: whole nodes before their moves are looked at, single moves that are skipped,
//! extended or reduced.

use super::history::Context;
use super::margins::*;
use super::node::Node;
use super::ordering::Picker;
use super::search::{Run, Step};
use super::see::{exchange_reaches, victim};
use super::{Bound, PackedMove};
use crate::chess::dials::Dial;
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use cozy_chess::{
    Board, Color, Move, Piece, get_bishop_moves, get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Neither a mate nor a tablebase result.
fn undecided(value: i32) -> bool {
    value.abs() < TABLEBASE_FLOOR
}

/// Pieces other than pawns and the king: without any, zugzwang is common and a pass no safe guess.
fn piece_count(board: &Board, color: Color) -> u32 {
    (board.colors(color) & !(board.pieces(Piece::Pawn) | board.pieces(Piece::King))).len()
}

/// `action` attacks the enemy king from where it goes (discovered checks are not seen).
fn gives_direct_check(board: &Board, action: Move) -> bool {
    let mover = board.side_to_move();
    let king = board.king(!mover);
    let piece = action.promotion.or_else(|| board.piece_on(action.from));
    let diagonal = || get_bishop_moves(king, board.occupied());
    let straight = || get_rook_moves(king, board.occupied());
    match piece {
        Some(Piece::Pawn) => get_pawn_attacks(king, !mover).has(action.to),
        Some(Piece::Knight) => get_knight_moves(king).has(action.to),
        Some(Piece::Bishop) => diagonal().has(action.to),
        Some(Piece::Rook) => straight().has(action.to),
        Some(Piece::Queen) => diagonal().has(action.to) || straight().has(action.to),
        _ => false,
    }
}

impl Run<'_> {
    /// A null-window node's value, when it can be told without looking at its moves one by one. Not in check.
    pub(super) fn decided_early(&mut self, node: &Node) -> Step<Option<i32>> {
        let Some(estimate) = node.estimate else { return Ok(None) };
        let Node { board, ply, depth, alpha, beta, .. } = *node;
        if !undecided(beta) || node.bare_king {
            return Ok(None);
        }
        // Reverse futility (static null move): so far above beta that the opponent's next moves will not matter.
        let margin = reverse_futility(depth, node.improving);
        if depth <= REVERSE_FUTILITY_DEPTH && undecided(estimate) && estimate - margin >= beta {
            return Ok(Some((estimate + beta) / 2));
        }
        // Razoring: so far below alpha that only captures can help; quiescence says whether they do.
        if depth <= RAZOR_DEPTH && estimate + razoring(depth) <= alpha {
            let value = self.quiescence(board, alpha, alpha + 1, ply)?;
            if value <= alpha {
                return Ok(Some(value));
            }
        }
        if let Some(value) = self.null_move(node, estimate)? {
            return Ok(Some(value));
        }
        self.probcut(node)
    }

    /// Null move (Beal 1989, Donninger 1993): if even a pass fails high, some move will. Zugzwang is the exception: not
    /// without pieces, and with one piece or deep in the tree the result is verified by a search that may not pass.
    fn null_move(&mut self, node: &Node, estimate: i32) -> Step<Option<i32>> {
        let Node { board, ply, depth, beta, .. } = *node;
        let pieces = piece_count(board, board.side_to_move());
        let just_passed = self.probe.pass_key > 0 && self.probe.pass_key + 1 == self.probe.keys.len();
        let static_value = self.frame(ply).static_value.unwrap_or(estimate);
        if depth < NULL_MOVE_DEPTH
            || pieces == 0
            || just_passed
            || ply < self.probe.no_pass_until
            || estimate < beta
            || static_value < beta + null_move_margin(depth)
        {
            return Ok(None);
        }
        // A table entry that expects to fail low knows better.
        if node.entry_value().is_some_and(|(entry, value)| entry.bound == Bound::Upper && value < beta) {
            return Ok(None);
        }
        let Some(passed) = board.null_move() else { return Ok(None) };
        let reduced = depth - null_move_reduction(depth, estimate - beta);
        self.frame(ply).context = Context::NONE;
        let pass_key = self.pass(&passed);
        let value = -self.node(&passed, reduced, -beta, -beta + 1, ply + 1, !node.cut)?;
        self.take_pass_back(pass_key);
        if value < beta {
            return Ok(None);
        }
        // A mate found after a pass is not proved.
        let value = if undecided(value) { value } else { beta };
        if self.probe.no_pass_until > 0 || depth < NULL_MOVE_VERIFY_DEPTH && pieces > 1 {
            return Ok(Some(value));
        }
        self.probe.no_pass_until = ply + 1 + (reduced.max(0) as usize) * 3 / 4;
        let verified = self.node(board, reduced.max(1), beta - 1, beta, ply, false);
        self.probe.no_pass_until = 0;
        Ok((verified? >= beta).then_some(value))
    }

    /// ProbCut (Buro 1995): a good capture that beats beta by a margin in a shallow search will beat it in a deep one.
    fn probcut(&mut self, node: &Node) -> Step<Option<i32>> {
        let Node { board, ply, depth, beta, .. } = *node;
        let raised = beta + Dial::ProbCutMargin.get();
        let shallow = depth - PROBCUT_REDUCTION;
        let doubted =
            node.entry_value().is_some_and(|(entry, value)| entry.depth >= shallow && value < raised);
        if depth < PROBCUT_DEPTH || !undecided(raised) || doubted {
            return Ok(None);
        }
        let static_value = self.frame(ply).static_value.unwrap_or(0);
        let table_move = node.table_move.filter(|&action| victim(board, action).is_some());
        let mut picker = Picker::noisy(&self.probe.stacks, table_move);
        let mut found = None;
        while let Some(action) = picker.next(board, self.sources()) {
            if !exchange_reaches(board, action, raised - static_value) {
                continue;
            }
            let after = self.make(board, action, ply);
            let mut value = -self.quiescence(&after, -raised, -raised + 1, ply + 1)?;
            if value >= raised {
                value = -self.node(&after, shallow, -raised, -raised + 1, ply + 1, !node.cut)?;
            }
            self.take_back();
            if value >= raised {
                found = Some(value);
                break;
            }
        }
        picker.finish(&mut self.probe.stacks);
        Ok(found)
    }

    /// This move need not be looked at: others did not lose, and it promises nothing.
    ///
    /// Late-move and futility pruning keep quiet direct checks that lose nothing by exchange: dropping those cost 113 Elo [64, 167] (200 games of
    /// the twin at 2,000 nodes a move with the hand-made evaluation, 2026-11-30).
    pub(super) fn skips(
        &mut self,
        node: &Node,
        alpha: i32,
        action: Move,
        noisy: bool,
        number: usize,
        picker: &mut Picker,
    ) -> bool {
        let Node { board, depth, .. } = *node;
        let side = board.side_to_move();
        // In search of a nearer mate no static value counts, and mate distance keeps the tree small.
        if piece_count(board, side) == 0 || !undecided(alpha) || node.bare_king {
            return false;
        }
        if noisy {
            return depth <= EXCHANGE_DEPTH && !exchange_reaches(board, action, noisy_exchange(depth));
        }
        let reduced = (depth - self.probe.reductions.get(depth, number) / PLY).max(0);
        let hopeless = !node.in_check()
            && reduced <= FUTILITY_DEPTH
            && node.estimate.is_some_and(|estimate| estimate + futility(reduced) <= alpha);
        if number > late_move_count(depth, node.improving) || hopeless {
            // All that follow are as late or as hopeless: only checks are of interest.
            picker.stop_sorting();
            return !(gives_direct_check(board, action) && exchange_reaches(board, action, 0));
        }
        if depth <= HISTORY_DEPTH && self.quiet_record(node, action) < history_floor(depth) {
            return true;
        }
        reduced <= EXCHANGE_DEPTH && !exchange_reaches(board, action, quiet_exchange(reduced))
    }

    fn quiet_record(&self, node: &Node, action: Move) -> i32 {
        let piece = node.board.piece_on(action.from).unwrap_or(Piece::Pawn);
        self.probe.histories.quiet(node.board.side_to_move(), piece, action, self.contexts(node.ply))
    }

    /// Singular extension (Anantharaman, Campbell and Hsu 1988, in the form with an excluded table move): when every
    /// other move fails low against a lowered target, the table's move is the only good one, and goes deeper. When
    /// another one also beats beta, the node is cut: `Err` holds its value.
    pub(super) fn extension(&mut self, node: &Node, action: Move) -> Step<Result<i32, i32>> {
        let Node { board, ply, depth, beta, .. } = *node;
        let inherited = self.frame_before(ply, 1).double_extensions;
        self.frame(ply).double_extensions = inherited;
        let Some((entry, value)) = node.entry_value().filter(|_| node.table_move == Some(action)) else {
            return Ok(Ok(0));
        };
        if self.is_root(ply)
            || depth < SINGULAR_DEPTH
            || self.frame(ply).excluded.is_some()
            || entry.bound == Bound::Upper
            || entry.depth + SINGULAR_ENTRY_LAG < depth
            || !undecided(value)
            || !self.may_extend(ply)
        {
            return Ok(Ok(0));
        }
        let target = value - singular_margin(depth);
        self.frame(ply).excluded = Some(action);
        let others = self.node(board, (depth - 1) / 2, target - 1, target, ply, node.cut);
        self.frame(ply).excluded = None;
        let others = others?;
        if others < target {
            let double = !node.open()
                && others < target - Dial::DoubleMargin.get()
                && inherited < MOST_DOUBLE_EXTENSIONS;
            self.frame(ply).double_extensions = inherited + u8::from(double);
            return Ok(Ok(if double { 2 } else { 1 }));
        }
        if target >= beta {
            return Ok(Err(target));
        }
        Ok(Ok(if value >= beta { -1 } else { 0 }))
    }

    fn may_extend(&self, ply: usize) -> bool {
        self.base + ply < extension_horizon(self.root_depth)
    }

    /// A check that loses nothing goes a ply deeper.
    pub(super) fn extends_check(&self, node: &Node, action: Move, after: &Board) -> bool {
        !after.checkers().is_empty() && self.may_extend(node.ply) && exchange_reaches(node.board, action, 0)
    }

    /// Plies by which a late move's first search is shallower; `relief`: 1,024ths of a ply less for where the node stands.
    pub(super) fn reduction(
        &mut self,
        node: &Node,
        after: &Board,
        action: Move,
        noisy: bool,
        number: usize,
        relief: i32,
    ) -> i32 {
        let piece = node.board.piece_on(action.from).unwrap_or(Piece::Pawn);
        let record = if noisy {
            let taken = victim(node.board, action).unwrap_or(Piece::Pawn);
            self.probe.histories.capture(piece, action, taken)
        } else {
            self.quiet_record(node, action)
        };
        let late = Lateness {
            noisy,
            record,
            killer: !noisy && self.frame(node.ply).killers.contains(&PackedMove::from(action)),
            cut: node.cut,
            improving: node.improving,
            relief,
            check: !after.checkers().is_empty(),
        };
        late_reduction(self.probe.reductions.get(node.depth, number), &late)
    }
}

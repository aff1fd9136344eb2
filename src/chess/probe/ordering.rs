//! Move ordering in stages: the table's move, good captures, refutations, quiet moves by history, bad captures.
//!
//! The moves of all plies lie in two shared stacks (noisy and quiet); a [`Picker`] owns the top of both while it lives
//! and gives it back at the end, so that a search allocates nothing.

use super::history::{Context, Histories};
use super::see::{EXCHANGE, exchange_reaches, victim};
use super::table::PackedMove;
use cozy_chess::{Board, Move, Piece, Rank};

/// A capture or a promotion: what quiescence looks at.
pub fn is_noisy(board: &Board, action: Move) -> bool {
    action.promotion.is_some() || victim(board, action).is_some()
}

#[derive(Clone, Copy)]
struct Scored {
    action: Move,
    score: i32,
}

/// The two stacks of generated moves.
#[derive(Default)]
pub struct MoveStacks {
    noisy: Vec<Scored>,
    quiet: Vec<Scored>,
}

impl MoveStacks {
    /// Room for a search `plies` deep of positions with the greatest number of moves that one in practice has: growing
    /// beyond it works, at the cost of an allocation.
    pub fn with_room(plies: usize) -> Self {
        Self { noisy: Vec::with_capacity(32 * plies), quiet: Vec::with_capacity(96 * plies) }
    }

    /// How high both stand.
    pub fn heights(&self) -> [usize; 2] {
        [self.noisy.len(), self.quiet.len()]
    }

    /// Drops what lies above these [`heights`](Self::heights).
    pub fn cut_to(&mut self, [noisy, quiet]: [usize; 2]) {
        self.noisy.truncate(noisy);
        self.quiet.truncate(quiet);
    }

    /// Drops what an interrupted search left.
    pub fn clear(&mut self) {
        self.noisy.clear();
        self.quiet.clear();
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    GoodNoisy,
    Refutations,
    ScoreQuiet,
    Quiet,
    BadNoisy,
}

/// What a picker may draw on besides the board.
pub struct Sources<'a> {
    /// The stacks.
    pub stacks: &'a mut MoveStacks,
    /// The probe's histories.
    pub histories: &'a Histories,
}

/// Hands out one node's moves, best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    refutations: [PackedMove; 3],
    contexts: [Context; 2],
    noisy_only: bool,
    /// The quiet moves' order no longer matters.
    unsorted: bool,
    /// Where this node's moves begin in the stacks, and the next ones to hand out.
    noisy_base: usize,
    quiet_base: usize,
    noisy_next: usize,
    quiet_next: usize,
    /// Bad captures gather at `noisy_base..bad_end`.
    bad_end: usize,
    bad_next: usize,
}

impl Picker {
    /// A picker of all moves. `table_move` must be legal.
    pub fn new(
        stacks: &MoveStacks,
        table_move: Option<Move>,
        refutations: [PackedMove; 3],
        contexts: [Context; 2],
    ) -> Self {
        let (noisy, quiet) = (stacks.noisy.len(), stacks.quiet.len());
        Self {
            stage: Stage::Table,
            table_move,
            refutations,
            contexts,
            noisy_only: false,
            unsorted: false,
            noisy_base: noisy,
            quiet_base: quiet,
            noisy_next: noisy,
            quiet_next: quiet,
            bad_end: noisy,
            bad_next: noisy,
        }
    }

    /// A picker of captures and queen promotions that do not lose material by exchange.
    pub fn noisy(stacks: &MoveStacks, table_move: Option<Move>) -> Self {
        let all = Self::new(stacks, table_move, [PackedMove::NONE; 3], [Context::NONE; 2]);
        Self { noisy_only: true, ..all }
    }

    /// From now on no more quiet moves.
    pub fn skip_quiets(&mut self) {
        self.noisy_only = true;
    }

    /// From now on the quiet moves may come in any order: few of them will be looked at.
    pub fn stop_sorting(&mut self) {
        self.unsorted = true;
    }

    /// Gives the stacks back. Every picker ends with this, unless the search is interrupted.
    pub fn finish(self, stacks: &mut MoveStacks) {
        stacks.noisy.truncate(self.noisy_base);
        stacks.quiet.truncate(self.quiet_base);
    }

    /// The next move, or `None` after the last one.
    pub fn next(&mut self, board: &Board, with: Sources) -> Option<Move> {
        let Sources { stacks, histories } = with;
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::Generate => {
                    self.generate(board, stacks);
                    self.score_noisy(board, stacks, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.good_noisy(board, stacks) {
                    Some(action) => return Some(action),
                    None if self.noisy_only => return None,
                    None => self.stage = Stage::Refutations,
                },
                Stage::Refutations => match self.refutation(stacks) {
                    _ if self.noisy_only => self.stage = Stage::BadNoisy,
                    Some(action) => return Some(action),
                    None => self.stage = Stage::ScoreQuiet,
                },
                Stage::ScoreQuiet => {
                    self.score_quiet(board, stacks, histories);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.quiet(stacks) {
                    Some(best) if !self.noisy_only => {
                        self.quiet_next += 1;
                        return Some(best.action);
                    }
                    _ => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    let bad = (self.bad_next < self.bad_end).then(|| stacks.noisy[self.bad_next])?;
                    self.bad_next += 1;
                    return Some(bad.action);
                }
            }
        }
    }

    /// One pass over the legal moves. The table's move was handed out already.
    fn generate(&mut self, board: &Board, stacks: &mut MoveStacks) {
        let mover = board.side_to_move();
        let enemy = board.colors(!mover);
        let last_rank = Rank::Eighth.relative_to(mover).bitboard();
        let en_passant = board.en_passant().map_or(cozy_chess::BitBoard::EMPTY, |file| {
            file.bitboard() & Rank::Sixth.relative_to(mover).bitboard()
        });
        let (table_move, noisy_only) = (self.table_move, self.noisy_only);
        board.generate_moves(|moves| {
            // A pawn that reaches the en-passant square by a push is no capture: its file tells.
            let noisy = match moves.piece {
                Piece::Pawn => enemy | last_rank | en_passant & !moves.from.file().bitboard(),
                _ => enemy,
            };
            let add = |to, stack: &mut Vec<Scored>| {
                for action in (cozy_chess::PieceMoves { to, ..moves }) {
                    if Some(action) != table_move {
                        stack.push(Scored { action, score: 0 });
                    }
                }
            };
            add(moves.to & noisy, &mut stacks.noisy);
            if !noisy_only {
                add(moves.to & !noisy, &mut stacks.quiet);
            }
            false
        });
    }

    /// Most valuable victim first, the capture history deciding among like ones; 20 makes a pawn worth 2,000 points
    /// against the history's share of at most 4,096.
    fn score_noisy(&self, board: &Board, stacks: &mut MoveStacks, histories: &Histories) {
        for scored in &mut stacks.noisy[self.noisy_base..] {
            let action = scored.action;
            let piece = board.piece_on(action.from).unwrap_or(Piece::Pawn);
            let taken = victim(board, action);
            let promoted = action.promotion.map_or(0, |piece| EXCHANGE[piece as usize]);
            let won = taken.map_or(0, |piece| EXCHANGE[piece as usize]) + promoted;
            scored.score = won * 20 + histories.capture(piece, action, taken.unwrap_or(Piece::Pawn)) / 4;
        }
    }

    fn good_noisy(&mut self, board: &Board, stacks: &mut MoveStacks) -> Option<Move> {
        while let Some(best) = take_best(&mut stacks.noisy, self.noisy_next) {
            let at = self.noisy_next;
            self.noisy_next += 1;
            let minor_promotion = best.action.promotion.is_some_and(|piece| piece != Piece::Queen);
            if !minor_promotion && exchange_reaches(board, best.action, 0) {
                return Some(best.action);
            }
            stacks.noisy.swap(at, self.bad_end);
            self.bad_end += 1;
        }
        None
    }

    /// The next refutation that is among this node's quiet moves.
    fn refutation(&mut self, stacks: &mut MoveStacks) -> Option<Move> {
        for slot in 0..self.refutations.len() {
            let packed = std::mem::take(&mut self.refutations[slot]);
            let Some(action) = packed.unpack() else { continue };
            let remaining = &mut stacks.quiet[self.quiet_next..];
            if let Some(found) = remaining.iter().position(|scored| scored.action == action) {
                remaining.swap(0, found);
                self.quiet_next += 1;
                return Some(action);
            }
        }
        None
    }

    fn quiet(&self, stacks: &mut MoveStacks) -> Option<Scored> {
        match self.unsorted {
            true => stacks.quiet.get(self.quiet_next).copied(),
            false => take_best(&mut stacks.quiet, self.quiet_next),
        }
    }

    fn score_quiet(&self, board: &Board, stacks: &mut MoveStacks, histories: &Histories) {
        let side = board.side_to_move();
        for scored in &mut stacks.quiet[self.quiet_next..] {
            let piece = board.piece_on(scored.action.from).unwrap_or(Piece::Pawn);
            scored.score = histories.quiet(side, piece, scored.action, self.contexts);
        }
    }
}

/// Brings the best-scored move of `stack[next..]` to its front.
fn take_best(stack: &mut [Scored], next: usize) -> Option<Scored> {
    let remaining = &mut stack[next..];
    let (mut best, mut high) = (0, i32::MIN);
    for (at, scored) in remaining.iter().enumerate() {
        // Selected, not branched upon: which move is best is not to be predicted.
        best = if scored.score > high { at } else { best };
        high = high.max(scored.score);
    }
    if !remaining.is_empty() {
        remaining.swap(0, best);
    }
    remaining.first().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(fen: &str, table_move: Option<&str>, killer: Option<&str>, noisy: bool) -> Vec<String> {
        let board: Board = fen.parse().unwrap();
        let mut stacks = MoveStacks::default();
        let histories = Histories::default();
        let parse = |text: &str| text.parse::<Move>().unwrap();
        let table_move = table_move.map(parse);
        let killer = killer.map_or(PackedMove::NONE, |text| parse(text).into());
        let mut picker = match noisy {
            true => Picker::noisy(&stacks, table_move),
            false => Picker::new(&stacks, table_move, [killer, killer, PackedMove::NONE], [Context::NONE; 2]),
        };
        let mut moves = Vec::new();
        while let Some(action) = picker.next(&board, Sources { stacks: &mut stacks, histories: &histories }) {
            moves.push(action.to_string());
        }
        picker.finish(&mut stacks);
        assert!(stacks.noisy.is_empty() && stacks.quiet.is_empty());
        moves
    }

    #[test]
    fn every_legal_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ] {
            let board: Board = fen.parse().unwrap();
            let mut expected = Vec::new();
            board.generate_moves(|set| {
                expected.extend(set.into_iter().map(|action| action.to_string()));
                false
            });
            expected.sort();
            for table_move in [None, expected.first(), expected.last()] {
                let table_move = table_move.map(String::as_str);
                let mut moves = order(fen, table_move, Some("e1d1"), false);
                moves.sort();
                assert_eq!(moves, expected, "{fen}");
            }
        }
    }

    #[test]
    fn stages_follow_each_other() {
        // Table move, the good capture, the killer, quiet moves, the bad capture.
        let moves = order("4k3/2p5/3p4/8/8/3Q3r/8/3RK3 w - - 0 1", Some("e1f2"), Some("d1c1"), false);
        assert_eq!(moves[..3], ["e1f2", "d3h3", "d1c1"]);
        assert_eq!(moves.last().unwrap(), "d3d6");
    }

    #[test]
    fn quiescence_sees_no_losing_capture_and_no_quiet_move() {
        let moves = order("4k3/2p5/3p4/8/8/3Q3r/8/3RK3 w - - 0 1", None, None, true);
        assert_eq!(moves, ["d3h3"]);
        assert_eq!(order("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", None, None, true), ["e5d6"]);
        assert_eq!(order("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", None, None, true), ["a7a8q"]);
    }
}

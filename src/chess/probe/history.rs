//! What the search remembers of moves: which ones refuted before, in which context; and how far the static value was
//! off for positions of one kind.
//!
//! All counters move by *gravity*: a bonus `b` changes a value `h` by `b - h * |b| / limit`, so that values stay inside
//! the limit and old experience fades (the form that is common since Stockfish 2016).

use super::table::PackedMove;
use crate::chess::dials::Dial;
use cozy_chess::{BitBoard, Board, Color, Move, Piece};

/// Counters stay within plus and minus this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// Distinct (colour, piece, square) triples: the contexts of the continuation tables.
const CONTEXTS: usize = 2 * 6 * 64;

/// The move that led to a position, as far as the answer's history needs it: who, which piece, where to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Context(u16);

impl Context {
    /// There was no move, or it was a pass. It has a row of its own in the tables.
    pub const NONE: Self = Self(CONTEXTS as u16);

    /// `color` moved `piece` to where `action` goes.
    pub fn of(color: Color, piece: Piece, action: Move) -> Self {
        Self(((color as usize * 6 + piece as usize) * 64 + action.to as usize) as u16)
    }
}

fn pull(counter: &mut i16, bonus: i32) {
    let value = i32::from(*counter);
    let bonus = bonus.clamp(-HISTORY_LIMIT, HISTORY_LIMIT);
    *counter = (value + bonus - value * bonus.abs() / HISTORY_LIMIT) as i16;
}

/// Success of moves as refutations, one set for each probe.
pub struct Histories {
    /// By side, from and to.
    butterfly: Box<[[[i16; 64]; 64]; 2]>,
    /// By moving piece, to and victim.
    captures: Box<[[[i16; 6]; 64]; 6]>,
    /// By the context one (or two) plies before, moving piece and to.
    continuation: [Box<[[[i16; 64]; 6]]>; 2],
    /// The refutation of the move that led here.
    countermoves: Box<[PackedMove]>,
}

impl Default for Histories {
    fn default() -> Self {
        let continuation = || vec![[[0; 64]; 6]; CONTEXTS + 1].into_boxed_slice();
        Self {
            butterfly: Box::new([[[0; 64]; 64]; 2]),
            captures: Box::new([[[0; 6]; 64]; 6]),
            continuation: [continuation(), continuation()],
            countermoves: vec![PackedMove::NONE; CONTEXTS + 1].into_boxed_slice(),
        }
    }
}

impl Histories {
    /// The record of a quiet move: butterfly plus both continuations.
    pub fn quiet(&self, side: Color, piece: Piece, action: Move, contexts: [Context; 2]) -> i32 {
        let (from, to) = (action.from as usize, action.to as usize);
        let continued =
            |n: usize| i32::from(self.continuation[n][contexts[n].0 as usize][piece as usize][to]);
        i32::from(self.butterfly[side as usize][from][to]) + continued(0) + continued(1)
    }

    /// Credits (or debits) a quiet move.
    pub fn pull_quiet(
        &mut self,
        side: Color,
        piece: Piece,
        action: Move,
        contexts: [Context; 2],
        bonus: i32,
    ) {
        let (from, to) = (action.from as usize, action.to as usize);
        pull(&mut self.butterfly[side as usize][from][to], bonus);
        for (table, context) in self.continuation.iter_mut().zip(contexts) {
            pull(&mut table[context.0 as usize][piece as usize][to], bonus);
        }
    }

    /// The record of a capture (or of a promotion, which counts as taking a pawn).
    pub fn capture(&self, piece: Piece, action: Move, victim: Piece) -> i32 {
        i32::from(self.captures[piece as usize][action.to as usize][victim as usize])
    }

    /// Credits (or debits) a capture.
    pub fn pull_capture(&mut self, piece: Piece, action: Move, victim: Piece, bonus: i32) {
        pull(&mut self.captures[piece as usize][action.to as usize][victim as usize], bonus);
    }

    /// The move that last refuted the one which led here.
    pub fn countermove(&self, context: Context) -> PackedMove {
        self.countermoves[context.0 as usize]
    }

    /// Remembers a refutation.
    pub fn set_countermove(&mut self, context: Context, action: PackedMove) {
        self.countermoves[context.0 as usize] = action;
    }
}

/// Entries of each correction table, by side; a power of two.
const CORRECTIONS: usize = 1 << 14;
/// Correction counters are in 256ths of a centipawn and stay within this: 128 centipawns.
const CORRECTION_LIMIT: i32 = 1 << 15;

/// How far the search found the static value off, for positions with the same pawns, or the same pieces of one side.
/// (Correction history, Caissa and Stockfish, 2023/24.)
pub struct Corrections {
    tables: [Box<[[i16; CORRECTIONS]; 2]>; Self::KINDS],
}

impl Default for Corrections {
    fn default() -> Self {
        Self { tables: std::array::from_fn(|_| Box::new([[0; CORRECTIONS]; 2])) }
    }
}

impl Corrections {
    /// Pawns of both sides, White's pieces, Black's pieces.
    const KINDS: usize = 3;

    /// The table indices of a position. The board has no separate pawn key, so the sets themselves are mixed.
    fn indices(board: &Board) -> [usize; Self::KINDS] {
        // Odd multipliers with random-looking bits (the constants of SplitMix64 and Murmur3's finalisers).
        const MIX: [u64; 2] = [0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB];
        let fold = |hash: u64| ((hash ^ hash >> 32).wrapping_mul(MIX[1]) >> 50) as usize;
        let mix = |hash: u64, set: BitBoard| (hash ^ set.0).wrapping_mul(MIX[0]).rotate_left(29);
        let pawns = board.pieces(Piece::Pawn);
        let side = |color: Color| {
            let own = board.colors(color) & !pawns;
            let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
            fold(pieces.iter().fold(1, |hash, &piece| mix(hash, own & board.pieces(piece))))
        };
        let structure = mix(mix(1, pawns & board.colors(Color::White)), pawns & board.colors(Color::Black));
        [fold(structure), side(Color::White), side(Color::Black)]
    }

    /// What to add to the static value, in centipawns.
    pub fn get(&self, board: &Board) -> i32 {
        let mover = board.side_to_move() as usize;
        let at = Self::indices(board);
        let sum: i32 = self.tables.iter().zip(at).map(|(table, at)| i32::from(table[mover][at])).sum();
        sum * Dial::CorrectionWeight.get() / (512 * 128)
    }

    /// The search found `value` where the corrected static value was `estimate`, `depth` plies deep.
    pub fn learn(&mut self, board: &Board, estimate: i32, value: i32, depth: i32) {
        let mover = board.side_to_move() as usize;
        let at = Self::indices(board);
        let bonus = ((value - estimate) * depth * 16).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for (table, at) in self.tables.iter_mut().zip(at) {
            let entry = &mut table[mover][at];
            let old = i32::from(*entry);
            let new = old + bonus - old * bonus.abs() / CORRECTION_LIMIT;
            *entry = new.clamp(-CORRECTION_LIMIT + 1, CORRECTION_LIMIT - 1) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_counters_inside() {
        let mut counter = 0;
        (0..1_000).for_each(|_| pull(&mut counter, 2_000));
        assert!(i32::from(counter) > HISTORY_LIMIT * 9 / 10 && i32::from(counter) <= HISTORY_LIMIT);
        let high = counter;
        pull(&mut counter, -2_000);
        assert!(high - counter > 3_500, "a refutal of an old success weighs double");
        (0..1_000).for_each(|_| pull(&mut counter, -40_000));
        assert!(i32::from(counter) >= -HISTORY_LIMIT);
    }

    #[test]
    fn continuation_belongs_to_its_context() {
        let mut histories = Histories::default();
        let action: Move = "g1f3".parse().unwrap();
        let after = |text: &str| Context::of(Color::Black, Piece::Pawn, text.parse().unwrap());
        let contexts = [after("e7e5"), Context::NONE];
        histories.pull_quiet(Color::White, Piece::Knight, action, contexts, 1_000);
        let seen = |contexts| histories.quiet(Color::White, Piece::Knight, action, contexts);
        assert_eq!(seen(contexts), 3_000);
        assert_eq!(seen([after("d7d5"), Context::NONE]), 2_000);
        assert_eq!(histories.quiet(Color::Black, Piece::Knight, action, contexts), 2_000);
    }

    #[test]
    fn corrections_move_towards_what_was_found() {
        let board = Board::startpos();
        let mut corrections = Corrections::default();
        assert_eq!(corrections.get(&board), 0);
        for _ in 0..50 {
            let estimate = corrections.get(&board);
            corrections.learn(&board, estimate, 40, 6);
        }
        assert!((20..=60).contains(&corrections.get(&board)), "{}", corrections.get(&board));
        let mut other = board.clone();
        other.play("e2e4".parse().unwrap());
        assert_eq!(corrections.get(&other), 0, "the other side's tables are its own");
    }
}

//! Bishop and knight against king, exactly: the moves to mate of all positions, found backwards from the mates (retrograde analysis,
//! Ströhlein 1970), for 64 squares of the knight at once.
//!
//! The board is turned so that the bishop stands on dark squares and the bare king in the triangle a1-a8-d4. For both kings and the
//! bishop there is then a *word*: a bit for each square of the knight. A knight's moves are shifts of a word; that the knight stands
//! in the bishop's way is a mask. A pass over the words finds what is mated in a move more than the pass before:
//!
//! | to move | in the word are the squares of the knight from which |
//! |---|---|
//! | the bare king | each legal move leads to a position lost in fewer moves, and it stands in check or has a move |
//! | the strong side | some move of king, knight or bishop leads to one that the bare king has lost |
//!
//! Moves to mate are kept in binary, a word a digit. Squares are numbers from 0 (a1) to 63 (h8).
//!
//! No rule of thumb won always. Tried against perfect defence (2026-11-30): the bare king's steps to the right corner and to the edge, the
//! strong king's and the knight's to it, the strong king's to the middle, worth 300, 120, 60, 40 and 10 centipawns, won 41 of 50 at 10,000
//! nodes a move (other worths won less; squares that the bare king can reach, counted, make the engine content to shut it in); the mean
//! distance to mate by the kings' squares won 29. In a plain search of 5 plies, 50 moves, the steps won 12 of 100; distances fitted by the
//! bare king's square with each other man's and the knight's place beside its king (4,065 numbers, 87 % of the variance explained) 9;
//! the exact distance all. A search finds those positions that a rule overrates, and stays near them.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves,
};
use std::sync::LazyLock;

/// The most moves to mate, when both sides play best.
pub(super) const MOST_MOVES: u32 = 33;
/// Binary digits of [`MOST_MOVES`].
const DIGITS: usize = 6;
/// Squares of the bare king, of the strong king, and of the bishop.
const WORDS: usize = 20 * 64 * 32;

/// Makes the tables, if that has not been done.
pub(super) fn prepare() {
    LazyLock::force(&TABLES);
}

/// Full moves until the bare king is mated, the strong side's to come; 0 when it stands mated. `None` when it is not to be mated.
pub(super) fn moves_to_mate(board: &Board, strong: Color) -> Option<u32> {
    let only = |piece| board.pieces(piece).next_square();
    let (bishop, knight) = (only(Piece::Bishop)?, only(Piece::Knight)?);
    let place = Placement { bare: board.king(!strong), mine: board.king(strong), bishop };
    let turn = Turn::of(place);
    let tables = &*TABLES;
    let side = if board.side_to_move() == strong { &tables.won } else { &tables.lost };
    side.moves(turn.placement(place).index(), turn.square(knight))
}

/// What is known with either side to move.
struct Tables {
    /// The strong side is to move, and wins.
    won: Distances,
    /// The bare king is to move, and loses.
    lost: Distances,
}

/// Made when first needed: some hundredths of a second, and 4 MB.
static TABLES: LazyLock<Tables> = LazyLock::new(solve);

/// The kings and the bishop.
#[derive(Clone, Copy)]
struct Placement {
    bare: Square,
    mine: Square,
    bishop: Square,
}

impl Placement {
    /// Of a turned board: which word.
    fn index(self) -> usize {
        let (file, rank) = (self.bare as usize % 8, self.bare as usize / 8);
        // The triangle's files have 8, 6, 4 and 2 squares; of two neighbours on a rank one is dark.
        let bare = file * (9 - file) + rank - file;
        (bare * 64 + self.mine as usize) * 32 + self.bishop as usize / 2
    }

    /// All of turned boards that are legal with a knight somewhere.
    fn all() -> impl Iterator<Item = Self> {
        let triangle = Square::ALL.into_iter().filter(|&square| {
            let (file, rank) = (square as usize % 8, square as usize / 8);
            file <= rank && file + rank <= 7
        });
        triangle.flat_map(|bare| {
            let kings = !(get_king_moves(bare) | bare.bitboard());
            kings.into_iter().flat_map(move |mine| {
                let free = BitBoard::DARK_SQUARES - bare.bitboard() - mine.bitboard();
                free.into_iter().map(move |bishop| Self { bare, mine, bishop })
            })
        })
    }

    /// Squares that the knight may stand on.
    fn free(self) -> BitBoard {
        !(self.bare.bitboard() | self.mine.bitboard() | self.bishop.bitboard())
    }

    /// Squares of the knight from which `target` is guarded by it or by the bishop. The bare king hides nothing: it is the one to
    /// go there.
    fn guarding(self, target: Square) -> BitBoard {
        let between = get_between_rays(self.bishop, target);
        let sees = get_bishop_rays(self.bishop).has(target) && !between.has(self.mine);
        let by_bishop = if sees { !between } else { BitBoard::EMPTY };
        get_knight_moves(target) | by_bishop
    }
}

/// How a board is to be turned.
#[derive(Clone, Copy)]
struct Turn {
    /// The files change places, a with h: the bishop goes to dark squares.
    flips: bool,
    /// By half a turn.
    rotates: bool,
    /// Files become ranks.
    transposes: bool,
}

impl Turn {
    fn of(place: Placement) -> Self {
        let flips = !BitBoard::DARK_SQUARES.has(place.bishop);
        let bare = place.bare as usize ^ if flips { 7 } else { 0 };
        let rotates = bare % 8 + bare / 8 > 7;
        let bare = bare ^ if rotates { 63 } else { 0 };
        Self { flips, rotates, transposes: bare % 8 > bare / 8 }
    }

    fn square(self, square: Square) -> Square {
        let flip = if self.flips { 7 } else { 0 } ^ if self.rotates { 63 } else { 0 };
        let flipped = square as usize ^ flip;
        Square::index(if self.transposes { flipped % 8 * 8 + flipped / 8 } else { flipped })
    }

    fn placement(self, place: Placement) -> Placement {
        let Placement { bare, mine, bishop } = place;
        Placement { bare: self.square(bare), mine: self.square(mine), bishop: self.square(bishop) }
    }

    /// What a word of the turned board says of this one. The files are not flipped.
    fn back(self, word: BitBoard) -> BitBoard {
        let word = if self.transposes { transposed(word) } else { word };
        if self.rotates { BitBoard(word.0.reverse_bits()) } else { word }
    }
}

/// Files become ranks: blocks of 4 x 4, of 2 x 2 and single squares change places across the diagonal from a1 to h8.
fn transposed(board: BitBoard) -> BitBoard {
    let swapped = |bits: u64, mask: u64, by: u32| {
        let change = mask & (bits ^ bits << by);
        bits ^ change ^ change >> by
    };
    let quarters = swapped(board.0, 0x0f0f_0f0f_0000_0000, 28);
    let pairs = swapped(quarters, 0x3333_0000_3333_0000, 14);
    BitBoard(swapped(pairs, 0x5500_5500_5500_5500, 7))
}

/// The squares a knight's move from some square of these.
fn knight_steps(from: BitBoard) -> BitBoard {
    let far_from = |files: u64| from.0 & !files;
    let (a, ab, h, gh) =
        (0x0101_0101_0101_0101, 0x0303_0303_0303_0303, 0x8080_8080_8080_8080, 0xc0c0_c0c0_c0c0_c0c0);
    let up = far_from(a) << 15 | far_from(h) << 17 | far_from(ab) << 6 | far_from(gh) << 10;
    let down = far_from(h) >> 15 | far_from(a) >> 17 | far_from(gh) >> 6 | far_from(ab) >> 10;
    BitBoard(up | down)
}

/// Moves to mate for every word and square of the knight.
struct Distances {
    /// Squares of the knight from which there is a mate.
    known: Box<[BitBoard]>,
    /// The moves in binary, lowest digit first; 0 where there is no mate.
    digits: Box<[[BitBoard; DIGITS]]>,
}

impl Distances {
    fn none() -> Self {
        Self {
            known: vec![BitBoard::EMPTY; WORDS].into_boxed_slice(),
            digits: vec![[BitBoard::EMPTY; DIGITS]; WORDS].into_boxed_slice(),
        }
    }

    fn moves(&self, index: usize, knight: Square) -> Option<u32> {
        let digits = self.digits[index].iter().rev();
        let moves = digits.fold(0, |sum, digit| sum << 1 | u32::from(digit.has(knight)));
        self.known[index].has(knight).then_some(moves)
    }

    /// All that `judge` finds among the squares that are not yet known is mated in so many moves.
    fn add(&mut self, moves: u32, places: &[Placement], judge: impl Fn(Placement, BitBoard) -> BitBoard) {
        for &place in places {
            let index = place.index();
            let found = judge(place, place.free() - self.known[index]);
            self.known[index] |= found;
            for (digit, word) in self.digits[index].iter_mut().enumerate() {
                if moves >> digit & 1 == 1 {
                    *word |= found;
                }
            }
        }
    }
}

fn solve() -> Tables {
    let places: Vec<Placement> = Placement::all().collect();
    let Tables { mut won, mut lost } = Tables { won: Distances::none(), lost: Distances::none() };
    for moves in 0..=MOST_MOVES {
        won.add(moves, &places, |place, asked| wins(place, asked, &lost.known));
        lost.add(moves, &places, |place, asked| loses(place, asked, &won.known));
    }
    Tables { won, lost }
}

/// From which of the squares asked about some move of the strong side's leads to a position that is `lost`.
fn wins(place: Placement, asked: BitBoard, lost: &[BitBoard]) -> BitBoard {
    let Placement { bare, mine, bishop } = place;
    let by_knight = knight_steps(lost[place.index()]);
    let by_king = (get_king_moves(mine) - get_king_moves(bare) - bishop.bitboard())
        .into_iter()
        .map(|mine| lost[Placement { mine, ..place }.index()]);
    let blockers = mine.bitboard() | bare.bitboard();
    let by_bishop = (get_bishop_moves(bishop, blockers) - blockers)
        .into_iter()
        .map(|to| lost[Placement { bishop: to, ..place }.index()] - get_between_rays(bishop, to));
    asked & by_king.chain(by_bishop).fold(by_knight, |all, word| all | word)
}

/// From which of the squares asked about the bare king is mated, or has a move and each leads to a position that is `won`. Taking a
/// piece does not.
fn loses(place: Placement, asked: BitBoard, won: &[BitBoard]) -> BitBoard {
    let (mut lost, mut no_move) = (asked, asked);
    for bare in get_king_moves(place.bare) - get_king_moves(place.mine) {
        let guarding = place.guarding(bare);
        no_move &= guarding;
        let after = Placement { bare, ..place };
        let turn = Turn::of(after);
        let taken = bare == place.bishop;
        let won = if taken { BitBoard::EMPTY } else { turn.back(won[turn.placement(after).index()]) };
        lost &= guarding | won;
        if lost.is_empty() {
            return lost;
        }
    }
    lost - (no_move - place.guarding(place.bare))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::BoardBuilder;

    #[test]
    fn known_positions() {
        for (fen, moves) in [
            ("8/8/8/8/8/1KN5/8/k1B5 b - - 0 1", None),
            ("8/8/8/8/8/1KN5/8/k1B5 w - - 0 1", Some(1)),
            ("8/8/8/8/8/1KN5/1B6/k7 b - - 0 1", Some(0)),
            ("K7/1b6/1kn5/8/8/8/8/8 w - - 0 1", Some(0)),
            ("k7/8/8/8/8/1Kn5/8/7b w - - 0 1", None),
            ("8/8/8/8/8/8/8/K1k1B1N1 w - - 0 1", Some(31)),
        ] {
            let board: Board = fen.parse().unwrap();
            let strong = if board.colors(Color::White).len() > 1 { Color::White } else { Color::Black };
            assert_eq!(moves_to_mate(&board, strong), moves, "{fen}");
        }
    }

    /// The `number`th way to put the men on the board, `strong` having the pieces: every square and side to move is reached.
    fn placed(number: u64, strong: Color) -> Option<Board> {
        let mut builder = BoardBuilder::empty();
        let men =
            [(Piece::King, !strong), (Piece::King, strong), (Piece::Bishop, strong), (Piece::Knight, strong)];
        for (shift, man) in (0..).step_by(6).zip(men) {
            let square = Square::index((number >> shift & 63) as usize);
            if builder.board[square as usize].replace(man).is_some() {
                return None;
            }
        }
        builder.side_to_move = if number >> 24 & 1 == 1 { strong } else { !strong };
        builder.build().ok().filter(|board| !get_king_moves(board.king(strong)).has(board.king(!strong)))
    }

    /// By the rules of chess: the best that the moves lead to, one move on where it is the strong side's.
    fn by_the_moves(board: &Board, strong: Color) -> Option<u32> {
        let mut after = Vec::new();
        board.generate_moves(|moves| {
            for action in moves {
                let mut next = board.clone();
                next.play_unchecked(action);
                after.push(if next.occupied().len() == 4 { moves_to_mate(&next, strong) } else { None });
            }
            false
        });
        if board.side_to_move() == strong {
            return after.into_iter().flatten().min().map(|moves| moves + 1);
        }
        let mated = (after.is_empty() && !board.checkers().is_empty()).then_some(0);
        let worst = after.into_iter().collect::<Option<Vec<u32>>>().and_then(|all| all.into_iter().max());
        worst.or(mated)
    }

    #[test]
    fn distances_follow_from_each_other_by_the_rules() {
        let (mut number, mut most, mut seen) = (1u64, 0, 0);
        for _ in 0..100_000 {
            // The numbers of Knuth's MMIX, 1999: full period.
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let strong = if number >> 63 == 1 { Color::White } else { Color::Black };
            let Some(board) = placed(number >> 20, strong) else { continue };
            let moves = moves_to_mate(&board, strong);
            assert_eq!(moves, by_the_moves(&board, strong), "{board}");
            most = most.max(moves.unwrap_or(0));
            seen += 1;
        }
        assert!(seen > 50_000, "{seen}");
        assert!((30..=MOST_MOVES).contains(&most), "{most}");
    }
}

//! King and pawn against king, exactly: a bitbase of all positions, made once (some milliseconds; by repeated passes as in
//! retrograde analysis, Ströhlein 1970).
//!
//! White has the pawn, on the files a-d; other positions are mirrored. Squares are numbers from 0 (a1) to 63 (h8).

use super::{Known, PAWN_STEP, PAWN_WIN};
use cozy_chess::{BitBoard, Board, Color, Piece, Square, get_king_moves, get_pawn_attacks};
use std::sync::LazyLock;

/// Positions: side to move, both kings, the pawn's square.
const COUNT: usize = 2 * 64 * 64 * 64;

/// Makes the bitbase, if that has not been done.
pub(super) fn prepare() {
    LazyLock::force(&WON);
}

/// What `strong`, the side with the pawn, has.
pub(super) fn known(board: &Board, strong: Color) -> Known {
    let Some(pawn) = board.colored_pieces(strong, Piece::Pawn).next_square() else { return Known::Draw };
    let ranks = if strong == Color::Black { 56 } else { 0 };
    let files = if pawn.file() as usize > 3 { 7 } else { 0 };
    let seen = |square: Square| square as usize ^ ranks ^ files;
    let position = Placement {
        white_moves: board.side_to_move() == strong,
        white: seen(board.king(strong)),
        black: seen(board.king(!strong)),
        pawn: seen(pawn),
    };
    if !bit(&WON, position.index()) {
        return Known::Draw;
    }
    Known::Win(PAWN_WIN + PAWN_STEP * (position.pawn / 8) as i32)
}

/// A bit for each position that is won.
static WON: LazyLock<Box<[u64]>> = LazyLock::new(solve);

#[derive(Clone, Copy)]
struct Placement {
    white_moves: bool,
    white: usize,
    black: usize,
    pawn: usize,
}

impl Placement {
    fn index(self) -> usize {
        ((usize::from(self.white_moves) * 64 + self.white) * 64 + self.black) * 64 + self.pawn
    }

    fn at(index: usize) -> Self {
        Self {
            white_moves: index >> 18 == 1,
            white: index >> 12 & 63,
            black: index >> 6 & 63,
            pawn: index & 63,
        }
    }

    /// No man stands on another, the pawn on a rank and file of the bitbase, and the side to move cannot take the king.
    fn is_legal(self) -> bool {
        let apart = self.white != self.black && self.white != self.pawn && self.black != self.pawn;
        let on_board = (8..56).contains(&self.pawn) && self.pawn % 8 < 4;
        apart
            && on_board
            && !king_reach(self.white).has(square(self.black))
            && !(self.white_moves && pawn_guards(self.pawn).has(square(self.black)))
    }
}

fn square(index: usize) -> Square {
    Square::index(index)
}

fn king_reach(king: usize) -> BitBoard {
    get_king_moves(square(king))
}

fn pawn_guards(pawn: usize) -> BitBoard {
    get_pawn_attacks(square(pawn), Color::White)
}

/// Passes over the positions not yet won until none adds a win. What is then left is drawn.
fn solve() -> Box<[u64]> {
    let mut rest: Vec<usize> = (0..COUNT).filter(|&index| Placement::at(index).is_legal()).collect();
    let mut won = vec![0u64; COUNT / 64].into_boxed_slice();
    loop {
        let before = rest.len();
        rest.retain(|&index| {
            let place = Placement::at(index);
            let is_won = |index: usize| bit(&won, index);
            let wins = if place.white_moves { white_wins(place, is_won) } else { black_loses(place, is_won) };
            won[index / 64] |= u64::from(wins) << (index % 64);
            !wins
        });
        if rest.len() == before {
            return won;
        }
    }
}

fn bit(words: &[u64], index: usize) -> bool {
    words[index / 64] >> (index % 64) & 1 == 1
}

/// Some move of White's reaches a win, or a queen that cannot be taken. (Where a queen would stalemate, a rook wins.)
fn white_wins(place: Placement, is_won: impl Fn(usize) -> bool) -> bool {
    let after = |white: usize, pawn: usize| Placement { white_moves: false, white, pawn, ..place };
    let king_moves = king_reach(place.white) - king_reach(place.black) - square(place.pawn).bitboard();
    if king_moves.into_iter().any(|to| is_won(after(to as usize, place.pawn).index())) {
        return true;
    }
    let free = |to: usize| to != place.white && to != place.black;
    let ahead = place.pawn + 8;
    if !free(ahead) {
        return false;
    }
    if ahead >= 56 {
        let guarded = king_reach(place.white).has(square(ahead));
        return guarded || !king_reach(place.black).has(square(ahead));
    }
    let double = place.pawn < 16 && free(ahead + 8) && is_won(after(place.white, ahead + 8).index());
    double || is_won(after(place.white, ahead).index())
}

/// Black has a move, and every one leads to a win for White. Taking the pawn does not.
fn black_loses(place: Placement, is_won: impl Fn(usize) -> bool) -> bool {
    let moves = king_reach(place.black) - king_reach(place.white) - pawn_guards(place.pawn);
    if moves.is_empty() {
        // Stalemate, or mate, which a lone pawn with its king gives only from squares that no play leads to.
        return pawn_guards(place.pawn).has(square(place.black));
    }
    moves.into_iter().all(|to| {
        let to = to as usize;
        to != place.pawn && is_won(Placement { white_moves: true, black: to, ..place }.index())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_positions() {
        let won = |fen: &str| {
            let board: Board = fen.parse().unwrap();
            let strong = if board.colored_pieces(Color::White, Piece::Pawn).is_empty() {
                Color::Black
            } else {
                Color::White
            };
            known(&board, strong) != Known::Draw
        };
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), "king on the sixth before the pawn's rank");
        assert!(won("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
        assert!(won("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1"), "with it");
        assert!(!won("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"));
        assert!(!won("k7/8/K7/P7/8/8/8/8 w - - 0 1"), "a rook's pawn");
        assert!(won("8/8/8/8/4p3/4k3/8/4K3 w - - 0 1"), "the same for Black");
        assert!(won("8/8/8/8/7k/8/P7/K7 w - - 0 1"), "outside of the square");
        assert!(!won("8/8/8/8/3k4/8/P7/K7 b - - 0 1"), "inside");
    }

    #[test]
    fn the_number_of_won_positions() {
        let count: u32 = WON.iter().map(|word| word.count_ones()).sum();
        // As counted by other engines' bitbases of 24 pawn squares.
        assert_eq!(count, 111_282);
    }
}

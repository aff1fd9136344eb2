//! What is known of a few endings, so that their value does not depend on how often the network has seen them: a bare king
//! against enough or too little. A draw is worth what draws are worth to the side to move (not 0 where there is contempt).
//!
//! | the strong side, against a bare king | value |
//! |---|---|
//! | a pawn | won or drawn as the bitbase says |
//! | two knights; bishops of one colour; a bishop of the wrong colour with pawns of one rook's file, the king in the corner | a draw |
//! | a bishop and a knight | won, the more the nearer the mate is, or drawn, as the tables say |
//! | a queen or rook and what else there may be, but no pawns; bishops of both colours | won, the more the nearer the mate looks |
//!
//! How near a mate looks is an old rule (the *mop-up* of Slate and Atkin, Chess 4.5, 1977): the bare king is to go to the edge,
//! and the other men near it. For bishop and knight no such rule was found that always wins (see its file), so that
//! the distance to mate is computed, for all positions at once, and the search takes it as the game's end ([`fate`]): as a value that only grows towards
//! the mate it was not always won, since a deep search's win a few moves further off may count for more than a shallow one's
//! nearer (at 1+0.1 47 and 49 of 50 starts, seeds 11 and 12). All values are centipawns.
//!
//! Known values are far from a network's: a step may be worth hundreds. The margins of the selective search mean nothing
//! on that scale; therefore the probe prunes nothing by margin or number where [`bare_side`] finds a bare king. Nor does it
//! correct values there by what it has learned of the network's errors, up to 192 centipawns: it would move a draw from
//! what a draw is worth, and steps of 40.

mod bishop_knight;
mod pawn;

use super::network::Forecast;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};
use std::sync::Once;
use std::thread;

/// Men of the largest ending that is known: two kings and three others.
const MOST_MEN: u32 = 5;

/// Every win by pieces is worth this and more: more than the network says of any won position, since its training scores
/// end at 2,000.
const WIN: i32 = 2_500;
/// A won pawn ending is worth less than the queen that it will bring.
const PAWN_WIN: i32 = 1_500;
/// A rank of the pawn on its way.
const PAWN_STEP: i32 = 25;

// Centipawns a step with heavy pieces or two bishops. A piece that were lost for a step would cost several times more, and the
// edge counts more than the strong king's steps, so that it comes first. First guesses, which win (docs/strength.md).
/// Of the bare king from the middle of the board to the edge.
const TO_THE_EDGE: i32 = 90;
/// Of the strong king to the bare one.
const KINGS_TOGETHER: i32 = 40;
/// Of the bare king to the nearest corner, against two bishops.
const TO_THE_CORNER: i32 = 45;

/// Centipawns a move less to the mate with bishop and knight. As the other steps: far less than a piece.
const MOVE_NEARER: i32 = 40;

/// By how much a few plies may find a known win further from the mate than it looks: three steps from the edge.
const BELOW_WIN: i32 = 300;
/// By how much they may find it nearer. (Narrower ones, down to 50 and 100, win as often.)
const ABOVE_WIN: i32 = 900;

/// From roots with so many men or fewer, four captures from the ending of bishop and knight, a search may well meet it.
const FEW_MEN: u32 = 8;

/// The side that has only its king, where few men are left.
pub fn bare_side(board: &Board) -> Option<Color> {
    if board.occupied().len() > MOST_MEN {
        return None;
    }
    Color::ALL.into_iter().find(|&color| board.colors(color).len() == 1)
}

/// Makes the small tables that the knowledge needs, so that no search has to.
pub fn prepare() {
    pawn::prepare();
}

/// Has the greater tables made aside, in time for a search from `board` that may need them. Without, the first search that
/// meets the ending makes them, and is held up so long; what it finds is the same.
pub fn foresee(board: &Board) {
    static ONCE: Once = Once::new();
    if board.occupied().len() <= FEW_MEN {
        // No thread to be had is no harm.
        ONCE.call_once(|| drop(thread::Builder::new().spawn(bishop_knight::prepare)));
    }
}

/// How a game ends when both sides play best.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is drawn.
    Draw,
    /// The bare king is mated in so many plies: an odd number when the other side is to move. On the way there nothing is taken.
    Mate(usize),
}

/// How a game ends, but for the fifty-move rule, where that is known for certain: bishop and knight against king.
pub fn fate(board: &Board) -> Option<Fate> {
    let is_one = |piece| board.pieces(piece).len() == 1;
    if board.occupied().len() != 4 || !is_one(Piece::Bishop) || !is_one(Piece::Knight) {
        return None;
    }
    let strong = !bare_side(board)?;
    let to_come = usize::from(board.side_to_move() == strong);
    Some(match bishop_knight::moves_to_mate(board, strong) {
        Some(moves) => Fate::Mate(2 * moves as usize - to_come),
        None => Fate::Draw,
    })
}

/// What is known of an ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// Nobody can win it, but by gross mistakes.
    Draw,
    /// The side that has more than its king wins: centipawns, the more the nearer the mate looks.
    Win(i32),
}

/// The value of `board` for its side to move, in centipawns, when its ending is known. `draw` is what a draw is worth to that side.
pub fn value(board: &Board, draw: i32) -> Option<i32> {
    forecast(board, draw).map(|known| known.realistic)
}

/// [`value`], and how far a deeper search may stray from it: not at all from a draw, and from a win rather upwards, where the
/// mate is.
pub fn forecast(board: &Board, draw: i32) -> Option<Forecast> {
    let weak = bare_side(board)?;
    Some(match known(board, !weak)? {
        Known::Draw => Forecast { lower: draw, realistic: draw, upper: draw },
        Known::Win(value) if board.side_to_move() == weak => {
            Forecast { lower: -value - ABOVE_WIN, realistic: -value, upper: -value + BELOW_WIN }
        }
        Known::Win(value) => {
            Forecast { lower: value - BELOW_WIN, realistic: value, upper: value + ABOVE_WIN }
        }
    })
}

/// What is known, when `strong` is the side that may have more than its king.
fn known(board: &Board, strong: Color) -> Option<Known> {
    if board.pieces(Piece::Pawn).is_empty() {
        known_of_pieces(board, strong)
    } else if board.occupied().len() == 3 {
        Some(pawn::known(board, strong))
    } else {
        is_wrong_bishop(board, strong).then_some(Known::Draw)
    }
}

/// The same without pawns.
fn known_of_pieces(board: &Board, strong: Color) -> Option<Known> {
    let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|piece| board.pieces(piece));
    let heavy = board.pieces(Piece::Queen) | board.pieces(Piece::Rook);
    let on_dark = (bishops & BitBoard::DARK_SQUARES).len();
    let one_color = on_dark == 0 || on_dark == bishops.len();
    let bare = board.king(!strong);
    let progress = match (heavy.len(), knights.len(), bishops.len()) {
        (1.., _, _) => mop_up(board, strong),
        (0, 0..=2, 0) | (0, 0, 1) => return Some(Known::Draw),
        (0, 0, _) if one_color => return Some(Known::Draw),
        (0, 0, _) => mop_up(board, strong) + TO_THE_CORNER * (7 - to_corner(bare, &CORNERS)),
        (0, 1, 1) => match bishop_knight::moves_to_mate(board, strong) {
            Some(moves) => MOVE_NEARER * (bishop_knight::MOST_MOVES - moves) as i32,
            None => return Some(Known::Draw),
        },
        _ => return None,
    };
    Some(Known::Win(WIN + material(board) + progress))
}

/// How near a mate looks that any edge will do for.
fn mop_up(board: &Board, strong: Color) -> i32 {
    let [mine, bare] = [board.king(strong), board.king(!strong)];
    TO_THE_EDGE * off_center(bare) + KINGS_TOGETHER * (7 - distance(mine, bare))
}

/// The side has bishops (or none) and pawns only, all pawns stand on one rook's file, no bishop guards the corner in which they would
/// promote, and the bare king is there or next to it.
fn is_wrong_bishop(board: &Board, strong: Color) -> bool {
    let [pawns, bishops, kings] = [Piece::Pawn, Piece::Bishop, Piece::King].map(|piece| board.pieces(piece));
    let Some(file) = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard())) else {
        return false;
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let dark = BitBoard::DARK_SQUARES.has(corner);
    let corner_colour = if dark { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
    board.occupied() == pawns | bishops | kings
        && bishops.is_disjoint(corner_colour)
        && distance(board.king(!strong), corner) <= 1
}

/// Centipawns of the pieces, as they are usually counted.
fn material(board: &Board) -> i32 {
    let counted = [(Piece::Knight, 300), (Piece::Bishop, 300), (Piece::Rook, 500), (Piece::Queen, 900)];
    counted.into_iter().map(|(piece, worth)| worth * board.pieces(piece).len() as i32).sum()
}

const CORNERS: [Square; 4] = [Square::A1, Square::A8, Square::H1, Square::H8];

/// Rook's steps to the nearest of these corners.
fn to_corner(square: Square, corners: &[Square]) -> i32 {
    corners.iter().map(|&corner| steps(square, corner)).min().unwrap_or(0)
}

/// Files and ranks between two squares.
fn apart(one: Square, other: Square) -> (i32, i32) {
    let between = |one: i32, other: i32| (one - other).abs();
    (between(one.file() as i32, other.file() as i32), between(one.rank() as i32, other.rank() as i32))
}

/// King's moves between two squares.
fn distance(one: Square, other: Square) -> i32 {
    let (files, ranks) = apart(one, other);
    files.max(ranks)
}

/// Rook's steps between two squares, one square a step.
fn steps(one: Square, other: Square) -> i32 {
    let (files, ranks) = apart(one, other);
    files + ranks
}

/// Rook's steps from the four middle squares: 0 to 6.
fn off_center(square: Square) -> i32 {
    let off = |line: i32| (2 * line - 7).abs() / 2;
    off(square.file() as i32) + off(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value_of(fen: &str) -> Option<i32> {
        value(&fen.parse().unwrap(), 0)
    }

    #[test]
    fn draws_are_draws() {
        for fen in [
            "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",
            "8/8/4k3/8/8/2B1K3/8/4B3 w - - 0 1",
            "k7/8/8/8/P7/2B1K3/8/8 w - - 0 1",
            "1k6/8/8/8/P7/P1B1K3/8/8 b - - 0 1",
            "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
            "k7/8/8/8/8/1Kn5/8/7b w - - 0 1",
            "8/8/8/8/8/3K4/1k6/1BN5 b - - 0 1",
        ] {
            assert_eq!(value_of(fen), Some(0), "{fen}");
            // Whoever is to move: it is told what a draw is worth to that side.
            let board: Board = fen.parse().unwrap();
            let told = forecast(&board, -37).unwrap();
            assert_eq!((told.lower, told.realistic, told.upper), (-37, -37, -37), "{fen}");
        }
    }

    #[test]
    fn other_endings_are_the_networks() {
        for fen in [
            "k7/8/8/8/P7/3BK3/8/8 w - - 0 1",
            "8/8/4k3/8/P7/2B1K3/8/8 w - - 0 1",
            "8/8/4k3/8/4r3/2Q1K3/8/8 w - - 0 1",
            "8/8/4k3/8/8/2NNK3/3N4/8 w - - 0 1",
        ] {
            assert_eq!(value_of(fen), None, "{fen}");
        }
    }

    #[test]
    fn wins_grow_towards_the_mate_and_change_sign_with_the_mover() {
        let at = |king: &str, mover: &str| value_of(&format!("{king} {mover} - - 0 1")).unwrap();
        let middle = at("8/8/8/3k4/8/2K5/8/2Q5", "w");
        let edge = at("3k4/8/8/8/8/2K5/8/2Q5", "w");
        let shut_in = at("3k4/8/3K4/8/8/8/8/2Q5", "w");
        assert!(WIN < middle && middle < edge && edge < shut_in && shut_in < 10_000);
        assert_eq!(at("3k4/8/3K4/8/8/8/8/2Q5", "b"), -shut_in);
        let far = at("k7/8/1K6/8/8/8/8/2B3N1", "b");
        let near = at("8/8/8/8/8/1K1N4/8/k1B5", "b");
        assert!(near < far && far < -WIN && -10_000 < near, "{near} {far}");
        for fen in ["8/8/8/3k4/8/2K5/8/2B3N1 w - - 0 1", "8/8/8/3k4/8/2K5/8/2Q5 b - - 0 1"] {
            let forecast = forecast(&fen.parse().unwrap(), 0).unwrap();
            assert!(forecast.lower < forecast.realistic && forecast.realistic < forecast.upper, "{fen}");
        }
        let pawn = at("4k3/8/4K3/4P3/8/8/8/8", "w");
        assert!((PAWN_WIN..WIN).contains(&pawn), "{pawn}");
    }
}

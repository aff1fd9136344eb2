//! Text in and out: positions in FEN, and moves in the coordinate notation of UCI.
//!
//! Reading is lenient where the meaning is clear and refuses, with a sentence for the user, where it is not:
//! - Fields after the side to move may be missing; counters that are no numbers are read as 0 and 1, numbers
//!   out of range as the nearest that fits; blanks may be repeated.
//! - Castling rights are read as X-FEN (`KQkq`: the outermost rook on that side of the king) and as
//!   Shredder-FEN (`HAha`: the rook's file). A right that cannot hold is dropped with a note.
//! - An en-passant square where no capture is legal is dropped: positions that FIDE calls the same are then
//!   equal.
//! - The board must have exactly eight ranks of eight squares, a king a side, at most 8 pawns and 16 men a
//!   side, no pawn on the first or last rank, and the side that is not to move must not be in check.

use super::position::has_en_passant_capture;
use cozy_chess::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square, get_king_moves,
};
use std::fmt;

/// Which castling there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// King on e1 or e8 with a rook in a corner; written as the king's two-square step.
    #[default]
    Standard,
    /// Any king between any two rooks (Fischer random, also with different set-ups for the two sides); written
    /// as king takes own rook.
    Chess960,
}

/// A position that was read from a FEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fen {
    /// The position.
    pub board: Board,
    /// What was put right while reading, a sentence each, for the user.
    pub notes: Vec<String>,
}

/// Why a text is no position. Its [`Display`](fmt::Display) is a sentence for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    /// Nothing was there.
    Empty,
    /// The placement has not eight ranks, but this many.
    Ranks(usize),
    /// A rank (1 to 8) has not eight squares.
    Squares(u8),
    /// No such man.
    Man(char),
    /// The side to move is neither `w` nor `b`; `None` when missing.
    Side(Option<String>),
    /// A side has this many kings.
    Kings(Color, u32),
    /// A side has this many pawns, more than 8.
    Pawns(Color, u32),
    /// A side has this many men, more than 16.
    Men(Color, u32),
    /// A pawn stands on the first or last rank.
    PawnOnLastRank,
    /// The side that is not to move could be captured: in check, or the kings touch.
    NotToMoveInCheck,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "the FEN is empty"),
            Self::Ranks(found) => write!(f, "the FEN has {found} ranks instead of 8"),
            Self::Squares(rank) => write!(f, "rank {rank} of the FEN has not exactly 8 squares"),
            Self::Man(letter) => write!(f, "{letter:?} in the FEN is no man and no count of empty squares"),
            Self::Side(None) => write!(f, "the FEN does not say which side is to move"),
            Self::Side(Some(text)) => write!(f, "{text:?} in the FEN is no side to move (w or b)"),
            Self::Kings(side, found) => write!(f, "{} has {found} kings instead of one", name(*side)),
            Self::Pawns(side, found) => write!(f, "{} has {found} pawns, more than 8", name(*side)),
            Self::Men(side, found) => write!(f, "{} has {found} men, more than 16", name(*side)),
            Self::PawnOnLastRank => write!(f, "a pawn stands on the first or last rank"),
            Self::NotToMoveInCheck => write!(f, "the side that is not to move is in check"),
        }
    }
}

impl std::error::Error for FenError {}

const fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// Reads a FEN of one to six fields (see the module's docs for what is forgiven).
///
/// ```
/// use regulus::chess::fen::{Rules, read_fen};
///
/// let read = read_fen("4k3/8/8/8/8/8/8/R3K2R w KQkq", Rules::Standard).unwrap();
/// assert_eq!(read.board.to_string(), "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
/// assert_eq!(read.notes.len(), 2, "Black has no rooks to castle with: {:?}", read.notes);
/// assert!(read_fen("4k3/8/8/8/8/8/8/8 w - - 0 1", Rules::Standard).is_err(), "no white king");
/// ```
///
/// # Errors
/// A [`FenError`] when the text is no legal position.
pub fn read_fen(text: &str, rules: Rules) -> Result<Fen, FenError> {
    let mut fields = text.split_whitespace();
    let mut notes = Vec::new();
    let mut builder = BoardBuilder::empty();
    builder.board = read_placement(fields.next().ok_or(FenError::Empty)?)?;
    builder.side_to_move = read_side(fields.next())?;
    check_men(&builder)?;
    builder.build().map_err(|_| FenError::NotToMoveInCheck)?;
    builder.castle_rights = read_castling(fields.next().unwrap_or("-"), &builder, rules, &mut notes);
    read_en_passant(fields.next().unwrap_or("-"), &mut builder, &mut notes);
    // A clock of 100 and more is at the fifty-move limit: cozy-chess counts no further either.
    builder.halfmove_clock = read_counter(fields.next(), 0, 100) as u8;
    builder.fullmove_number = read_counter(fields.next(), 1, u16::MAX).max(1);
    // Every part was checked; should the two ever disagree, that is a refusal and no panic.
    let board = builder.build().map_err(|_| FenError::NotToMoveInCheck)?;
    Ok(Fen { board, notes })
}

type Placement = [Option<(Piece, Color)>; Square::NUM];

fn read_placement(text: &str) -> Result<Placement, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != Rank::NUM {
        return Err(FenError::Ranks(ranks.len()));
    }
    let mut placement = [None; Square::NUM];
    for (text, &rank) in ranks.iter().zip(Rank::ALL.iter().rev()) {
        read_rank(text, rank, &mut placement)?;
    }
    Ok(placement)
}

fn read_rank(text: &str, rank: Rank, placement: &mut Placement) -> Result<(), FenError> {
    let wrong_length = FenError::Squares(rank as u8 + 1);
    let mut file = 0;
    for letter in text.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty as usize;
            continue;
        }
        let man = read_man(letter).ok_or(FenError::Man(letter))?;
        let Some(&on) = File::ALL.get(file) else { return Err(wrong_length) };
        placement[Square::new(on, rank) as usize] = Some(man);
        file += 1;
    }
    if file == File::NUM { Ok(()) } else { Err(wrong_length) }
}

fn read_man(letter: char) -> Option<(Piece, Color)> {
    let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let piece = match letter.to_ascii_lowercase() {
        'p' => Piece::Pawn,
        'n' => Piece::Knight,
        'b' => Piece::Bishop,
        'r' => Piece::Rook,
        'q' => Piece::Queen,
        'k' => Piece::King,
        _ => return None,
    };
    Some((piece, side))
}

fn read_side(text: Option<&str>) -> Result<Color, FenError> {
    match text {
        Some("w" | "W") => Ok(Color::White),
        Some("b" | "B") => Ok(Color::Black),
        other => Err(FenError::Side(other.map(str::to_owned))),
    }
}

/// What cozy-chess demands of the men, one by one, so that the user learns which it was.
fn check_men(builder: &BoardBuilder) -> Result<(), FenError> {
    let of = |wanted: (Piece, Color)| -> BitBoard {
        Square::ALL.into_iter().filter(|&square| builder.square(square) == Some(wanted)).collect()
    };
    for side in Color::ALL {
        let men: u32 = Piece::ALL.iter().map(|&piece| of((piece, side)).len()).sum();
        let kings = of((Piece::King, side)).len();
        let pawns = of((Piece::Pawn, side));
        if kings != 1 {
            return Err(FenError::Kings(side, kings));
        }
        if pawns.len() > 8 {
            return Err(FenError::Pawns(side, pawns.len()));
        }
        if men > 16 {
            return Err(FenError::Men(side, men));
        }
        if !(pawns & (Rank::First.bitboard() | Rank::Eighth.bitboard())).is_empty() {
            return Err(FenError::PawnOnLastRank);
        }
    }
    let black_king = of((Piece::King, Color::Black));
    let touch = of((Piece::King, Color::White))
        .into_iter()
        .any(|king| !(get_king_moves(king) & black_king).is_empty());
    if touch { Err(FenError::NotToMoveInCheck) } else { Ok(()) }
}

fn read_castling(
    text: &str,
    builder: &BoardBuilder,
    rules: Rules,
    notes: &mut Vec<String>,
) -> [CastleRights; Color::NUM] {
    let mut rights = [CastleRights::EMPTY; Color::NUM];
    for letter in text.chars().filter(|&letter| letter != '-') {
        let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let Some((king, rook)) = castling_pair(letter, side, builder) else {
            notes.push(format!("castling right {letter:?} dropped: no king and rook for it"));
            continue;
        };
        let usual = king == File::E && matches!(rook, File::A | File::H);
        if rules == Rules::Standard && !usual {
            notes.push(format!(
                "castling right {letter:?} dropped: only with UCI_Chess960 from these squares"
            ));
            continue;
        }
        let own = &mut rights[side as usize];
        let wing = if rook > king { &mut own.short } else { &mut own.long };
        if wing.is_some_and(|other| other != rook) {
            notes.push(format!("castling right {letter:?} dropped: there is another on the same wing"));
        } else {
            *wing = Some(rook);
        }
    }
    rights
}

/// The files of the king and of the rook that a castling letter means.
fn castling_pair(letter: char, side: Color, builder: &BoardBuilder) -> Option<(File, File)> {
    let rank = Rank::First.relative_to(side);
    let has = |file: File, piece| builder.square(Square::new(file, rank)) == Some((piece, side));
    let king = File::ALL.into_iter().find(|&file| has(file, Piece::King))?;
    let mut rooks = File::ALL.into_iter().filter(|&file| has(file, Piece::Rook));
    let rook = match letter.to_ascii_lowercase() {
        'k' => rooks.next_back().filter(|&rook| rook > king),
        'q' => rooks.next().filter(|&rook| rook < king),
        shredder @ 'a'..='h' => rooks.find(|&rook| char::from(rook) == shredder),
        _ => None,
    }?;
    Some((king, rook))
}

fn read_en_passant(text: &str, builder: &mut BoardBuilder, notes: &mut Vec<String>) {
    if text == "-" {
        return;
    }
    builder.en_passant = text.to_ascii_lowercase().parse().ok();
    let board = builder.en_passant.and_then(|_| builder.build().ok());
    let Some(board) = board else {
        notes.push(format!("en-passant square {text:?} dropped: no pawn has just passed it"));
        builder.en_passant = None;
        return;
    };
    if !has_en_passant_capture(&board) {
        builder.en_passant = None;
    }
}

/// `default` for what is missing or no number; numbers out of range become the nearest in `0..=most`.
fn read_counter(text: Option<&str>, default: u16, most: u16) -> u16 {
    let Some(text) = text else { return default };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        default
    } else if text.starts_with('-') {
        0
    } else {
        digits.parse().unwrap_or(most).min(most)
    }
}

/// The legal move that a text means, in UCI's coordinates (`e2e4`, `e7e8q`). Castling may be written as the
/// king's step (`e1g1`) or as king takes own rook (`e1h1`), whatever the rules; capitals are tolerated.
///
/// `None` when it is no legal move of this position.
pub fn read_move(board: &Board, text: &str) -> Option<Move> {
    if !matches!(text.len(), 4 | 5) {
        return None;
    }
    let written: Move = text.to_ascii_lowercase().parse().ok()?;
    if board.is_legal(written) {
        return Some(written);
    }
    let castling = king_step_as_castling(board, written)?;
    board.is_legal(castling).then_some(castling)
}

/// The castling that a king's step to the c- or g-file means, if there is the right to it.
fn king_step_as_castling(board: &Board, step: Move) -> Option<Move> {
    let side = board.side_to_move();
    let is_step = step.from == board.king(side)
        && step.to.rank() == step.from.rank()
        && step.promotion.is_none()
        && !board.colors(side).has(step.to);
    let rights = board.castle_rights(side);
    let rook = match step.to.file() {
        File::G => rights.short,
        File::C => rights.long,
        _ => None,
    }?;
    is_step.then_some(Move { to: Square::new(rook, step.from.rank()), ..step })
}

/// A legal move of this position in UCI's coordinates; castling as `rules` have it.
pub fn write_move(board: &Board, mv: Move, rules: Rules) -> String {
    let castling = board.colors(board.side_to_move()).has(mv.to);
    if !castling || rules == Rules::Chess960 {
        return mv.to_string();
    }
    let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
    Move { to: Square::new(file, mv.from.rank()), ..mv }.to_string()
}

/// The position as a FEN; castling rights as Shredder letters under [`Rules::Chess960`].
pub fn write_fen(board: &Board, rules: Rules) -> String {
    match rules {
        Rules::Standard => format!("{board}"),
        Rules::Chess960 => format!("{board:#}"),
    }
}

#[cfg(test)]
mod tests;

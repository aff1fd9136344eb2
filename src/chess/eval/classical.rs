//! The hand-made evaluation: material, piece squares by formula, mobility, pawns, king safety, threats.
//!
//! Each term is a pair of values, for the middlegame and for the endgame, blended by the pieces left (tapered
//! evaluation). Weights are centipawns of our own choosing on the usual scale, where a pawn is about 100.

use super::Evaluator;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The hand-made evaluation. It keeps no state: a board is all it needs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Classical;

impl Evaluator for Classical {
    fn refresh(&mut self, _board: &Board) {}

    fn play(&mut self, _before: &Board, _action: Move, _after: &Board) {}

    fn pass(&mut self) {}

    fn undo(&mut self) {}

    fn evaluate(&mut self, board: &Board) -> i32 {
        evaluate(board)
    }
}

/// A middlegame and an endgame value, packed into one integer so that both are added at once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Tapered(i32);

const fn tapered(middlegame: i32, endgame: i32) -> Tapered {
    Tapered((endgame << 16) + middlegame)
}

impl Tapered {
    /// The low half, sign-extended.
    fn middlegame(self) -> i32 {
        i32::from(self.0 as i16)
    }

    /// The high half, with the borrow that a negative low half took given back.
    fn endgame(self) -> i32 {
        (self.0 + 0x8000) >> 16
    }
}

impl Add for Tapered {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    fn mul(self, times: i32) -> Self {
        Self(self.0 * times)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

/// Pawn, knight, bishop, rook, queen, king.
const MATERIAL: [Tapered; 6] = [
    tapered(84, 110),
    tapered(335, 320),
    tapered(350, 335),
    tapered(465, 565),
    tapered(1010, 1050),
    tapered(0, 0),
];

/// What a piece counts towards the middlegame; all pieces of the start position make [`FULL_PHASE`].
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const FULL_PHASE: i32 = 24;

const TEMPO: i32 = 14;
const BISHOP_PAIR: Tapered = tapered(25, 55);
const ROOK_OPEN_FILE: Tapered = tapered(32, 10);
const ROOK_HALF_OPEN_FILE: Tapered = tapered(14, 6);
const ROOK_BEHIND_PASSER: Tapered = tapered(4, 18);
const DOUBLED: Tapered = tapered(-8, -20);
const ISOLATED: Tapered = tapered(-12, -14);
const BACKWARD: Tapered = tapered(-7, -10);
const SUPPORTED: Tapered = tapered(12, 9);
const PHALANX: Tapered = tapered(8, 6);
/// An outpost: defended by a pawn, and no enemy pawn can drive the piece away.
const KNIGHT_OUTPOST: Tapered = tapered(26, 16);
const BISHOP_OUTPOST: Tapered = tapered(16, 6);
const BAD_BISHOP_PAWN: Tapered = tapered(-3, -6);
/// A pawn attacks a piece; a minor a rook or queen; an undefended piece or pawn is attacked.
const THREAT_BY_PAWN: Tapered = tapered(55, 45);
const THREAT_BY_MINOR: Tapered = tapered(38, 34);
const THREAT_BY_ROOK: Tapered = tapered(42, 30);
const HANGING: Tapered = tapered(22, 18);

/// By the passed pawn's own rank, second to seventh.
const PASSED: [Tapered; 8] = [
    tapered(0, 0),
    tapered(2, 12),
    tapered(2, 18),
    tapered(8, 34),
    tapered(28, 64),
    tapered(62, 110),
    tapered(105, 165),
    tapered(0, 0),
];

/// Mobility: value of one more square, and the number of squares that counts as average.
const MOBILITY: [(Tapered, i32); 6] = [
    (tapered(0, 0), 0),
    (tapered(7, 7), 4),
    (tapered(6, 7), 6),
    (tapered(3, 6), 6),
    (tapered(2, 5), 12),
    (tapered(0, 0), 0),
];

/// Weight of an attacker on the king's surroundings, by piece.
const KING_ATTACK: [i32; 6] = [0, 22, 18, 26, 34, 0];

/// 0 on the rim to 3 in the two central files (or ranks).
const fn centrality(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// A piece-square value for the side that plays up the board.
const fn square_value(piece: usize, file: i32, rank: i32) -> Tapered {
    let (c, r) = (centrality(file), centrality(rank));
    match piece {
        0 => {
            let centre = if c == 3 { 8 } else { c };
            tapered(centre * (rank - 1) * 7 / 4 / 3 - 3 + centre, (rank - 1) * (rank - 1) * 2 - 4 - c * 2)
        }
        1 => {
            let advance = if rank < 6 { rank * 5 } else { 20 };
            tapered(-60 + 11 * (c + r) + advance, -42 + 11 * (c + r))
        }
        2 => tapered(-14 + 4 * (c + r) + if rank == 0 { -8 } else { 2 }, -12 + 4 * (c + r)),
        3 => {
            let seventh = if rank == 6 { 14 } else { 0 };
            tapered(-6 + 4 * c + seventh, rank * 3 - 8 + seventh)
        }
        4 => tapered(-8 + 2 * (c + r) + if rank > 3 { 4 } else { 0 }, -30 + 10 * (c + r)),
        _ => {
            let wing = if c == 3 { -26 } else { (2 - c) * 14 };
            let advance = if rank > 3 { 75 } else { rank * 24 };
            tapered(wing + 10 - advance, -52 + 14 * c + 13 * r)
        }
    }
}

/// Material and square value by piece and square, from White's view.
const SQUARES: [[Tapered; 64]; 6] = {
    let mut table = [[Tapered(0); 64]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let at = square_value(piece, square as i32 % 8, square as i32 / 8);
            table[piece][square] = Tapered(MATERIAL[piece].0 + at.0);
            square += 1;
        }
        piece += 1;
    }
    table
};

/// What both halves of the evaluation need to know of one side.
struct Side {
    color: Color,
    pawns: BitBoard,
    pawn_attacks: BitBoard,
    king: Square,
    /// Squares next to the king and the king's own.
    king_zone: BitBoard,
    attacks: BitBoard,
    minor_attacks: BitBoard,
    rook_attacks: BitBoard,
}

impl Side {
    fn of(board: &Board, color: Color) -> Self {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        let pawn_attacks = pawn_attacks(pawns, color);
        let king = board.king(color);
        let king_moves = get_king_moves(king);
        Self {
            color,
            pawns,
            pawn_attacks,
            king,
            king_zone: king_moves | king.bitboard(),
            attacks: pawn_attacks | king_moves,
            minor_attacks: BitBoard::EMPTY,
            rook_attacks: BitBoard::EMPTY,
        }
    }
}

/// The static value in centipawns, from the side to move.
fn evaluate(board: &Board) -> i32 {
    let mut white = Side::of(board, Color::White);
    let mut black = Side::of(board, Color::Black);
    let mut total = squares(board);
    total += pieces(board, &mut white, &black);
    total -= pieces(board, &mut black, &white);
    total += pawns(board, &white, &black);
    total -= pawns(board, &black, &white);
    total += threats(board, &white, &black);
    total -= threats(board, &black, &white);
    total += shelter(&white, &black);
    total -= shelter(&black, &white);

    let phase = Piece::ALL.iter().map(|&p| PHASE[p as usize] * board.pieces(p).len() as i32).sum::<i32>();
    let phase = phase.min(FULL_PHASE);
    let endgame = total.endgame() + mop_up(board, total.endgame());
    let endgame = endgame * scale(board, endgame) / 64;
    let value = (total.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE;
    let value = if board.side_to_move() == Color::White { value } else { -value };
    // Shuffling towards the fifty-move rule brings every value nearer to a draw.
    let value = value * (220 - i32::from(board.halfmove_clock())) / 220 + TEMPO;
    value.clamp(-crate::chess::Score::HEURISTIC_LIMIT, crate::chess::Score::HEURISTIC_LIMIT)
}

fn squares(board: &Board) -> Tapered {
    let mut total = Tapered(0);
    for piece in Piece::ALL {
        let table = &SQUARES[piece as usize];
        for square in board.colored_pieces(Color::White, piece) {
            total += table[square as usize];
        }
        for square in board.colored_pieces(Color::Black, piece) {
            total -= table[square as usize ^ 56];
        }
    }
    total
}

/// Mobility, outposts, files and the attack on the enemy king; records what `us` attacks.
fn pieces(board: &Board, us: &mut Side, them: &Side) -> Tapered {
    let occupied = board.occupied();
    let area = !(them.pawn_attacks | us.pawns | us.king.bitboard());
    let mut total = Tapered(0);
    let (mut attackers, mut weight) = (0, 0);
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in board.colored_pieces(us.color, piece) {
            let attacks = attacks(board, us.color, piece, square, occupied);
            us.attacks |= attacks;
            match piece {
                Piece::Knight | Piece::Bishop => us.minor_attacks |= attacks,
                Piece::Rook => us.rook_attacks |= attacks,
                _ => {}
            }
            let (step, average) = MOBILITY[piece as usize];
            total += step * ((attacks & area).len() as i32 - average);
            let near_king = (attacks & them.king_zone).len() as i32;
            if near_king > 0 {
                attackers += 1;
                weight += KING_ATTACK[piece as usize] + 6 * near_king;
            }
            total += placement(board, us, them, piece, square);
        }
    }
    if board.colored_pieces(us.color, Piece::Bishop).len() >= 2 {
        total += BISHOP_PAIR;
    }
    total + king_attack(board, us, attackers, weight)
}

/// A piece's attacks, through its own side's sliders of the same kind (batteries).
fn attacks(board: &Board, color: Color, piece: Piece, square: Square, occupied: BitBoard) -> BitBoard {
    let queens = board.colored_pieces(color, Piece::Queen);
    let behind = |others: BitBoard| occupied ^ (others & !square.bitboard());
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, behind(queens)),
        Piece::Rook => get_rook_moves(square, behind(queens | board.colored_pieces(color, Piece::Rook))),
        _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
    }
}

/// The danger grows with the square of the attackers' weight; one lone attacker is none, and without a queen it halves.
fn king_attack(board: &Board, us: &Side, attackers: i32, weight: i32) -> Tapered {
    if attackers < 2 {
        return Tapered(0);
    }
    let queens = board.colored_pieces(us.color, Piece::Queen);
    let danger = (weight * weight / 110).min(420);
    let danger = if queens.is_empty() { danger / 3 } else { danger };
    tapered(danger, danger / 8)
}

/// Outposts of minor pieces, bishops behind their own pawns, rooks on files.
fn placement(board: &Board, us: &Side, them: &Side, piece: Piece, square: Square) -> Tapered {
    let file = square.file().bitboard();
    match piece {
        Piece::Rook if (file & board.pieces(Piece::Pawn)).is_empty() => ROOK_OPEN_FILE,
        Piece::Rook if (file & us.pawns).is_empty() => ROOK_HALF_OPEN_FILE,
        Piece::Knight | Piece::Bishop => {
            let safe = us.pawn_attacks.has(square)
                && square.rank().relative_to(us.color) >= Rank::Fourth
                && (front_span(square, us.color) & square.file().adjacent() & them.pawns).is_empty();
            let outpost = if piece == Piece::Knight { KNIGHT_OUTPOST } else { BISHOP_OUTPOST };
            let blocked =
                if piece == Piece::Bishop { (us.pawns & same_color(square)).len() as i32 } else { 0 };
            BAD_BISHOP_PAWN * blocked + if safe { outpost } else { Tapered(0) }
        }
        _ => Tapered(0),
    }
}

/// Structure and passed pawns.
fn pawns(board: &Board, us: &Side, them: &Side) -> Tapered {
    let mut total = Tapered(0);
    for square in us.pawns {
        let neighbours = us.pawns & square.file().adjacent();
        let ahead = front_span(square, us.color);
        let forward = square.try_offset(0, if us.color == Color::White { 1 } else { -1 });
        if !(ahead & square.file().bitboard() & us.pawns).is_empty() {
            total += DOUBLED;
        }
        if neighbours.is_empty() {
            total += ISOLATED;
        } else if us.pawn_attacks.has(square) {
            total += SUPPORTED;
        } else if !(neighbours & square.rank().bitboard()).is_empty() {
            total += PHALANX;
        } else if (neighbours & !ahead).is_empty() && forward.is_some_and(|stop| them.pawn_attacks.has(stop))
        {
            total += BACKWARD;
        }
        let own_file = square.file().bitboard();
        let passed = (ahead & (own_file | square.file().adjacent()) & them.pawns).is_empty();
        if passed && (ahead & own_file & us.pawns).is_empty() {
            total += passed_pawn(board, us, them, square, forward.unwrap_or(square));
        }
    }
    total
}

/// A passed pawn's worth: its rank, whether the way is free and safe, the kings' distances to the square ahead of it,
/// a rook behind it.
fn passed_pawn(board: &Board, us: &Side, them: &Side, square: Square, stop: Square) -> Tapered {
    let rank = square.rank().relative_to(us.color) as usize;
    let mut total = PASSED[rank];
    let push = rank as i32 - 2;
    if push > 0 {
        let (ours, theirs) = (distance(us.king, stop), distance(them.king, stop));
        total += tapered(0, (theirs * 5 - ours * 3) * push / 2);
        if board.occupied().has(stop) {
            total -= tapered(5, 11) * push;
        } else if !them.attacks.has(stop) || us.attacks.has(stop) {
            total += tapered(4, 8) * push;
        }
        let behind = front_span(square, !us.color) & square.file().bitboard();
        if !(behind & board.colored_pieces(us.color, Piece::Rook)).is_empty() {
            total += ROOK_BEHIND_PASSER;
        }
    }
    total
}

/// Pieces attacked by lesser ones, and anything attacked and not defended.
fn threats(board: &Board, us: &Side, them: &Side) -> Tapered {
    let enemy = board.colors(them.color);
    let pieces = enemy & !them.pawns & !them.king.bitboard();
    let heavy = pieces & (board.pieces(Piece::Rook) | board.pieces(Piece::Queen));
    let count = |set: BitBoard| set.len() as i32;
    THREAT_BY_PAWN * count(us.pawn_attacks & pieces)
        + THREAT_BY_MINOR * count(us.minor_attacks & heavy)
        + THREAT_BY_ROOK * count(us.rook_attacks & pieces & board.pieces(Piece::Queen))
        + HANGING * count(us.attacks & enemy & !them.attacks & !them.king.bitboard())
}

/// Pawns before the king, enemy pawns that storm it, open files beside it. Middlegame only.
fn shelter(us: &Side, them: &Side) -> Tapered {
    let ahead = front_span(us.king, us.color) | us.king.rank().bitboard();
    let middle = (us.king.file() as usize).clamp(1, 6);
    let mut value = 0;
    for file in middle - 1..=middle + 1 {
        let file = File::index(file).bitboard();
        let own = nearest_rank_distance(us.pawns & file & ahead, us);
        let storm = nearest_rank_distance(them.pawns & file & ahead, us);
        value += match own {
            Some(0 | 1) => 18,
            Some(2) => 8,
            Some(_) => -8,
            None => -20,
        };
        value -= match storm {
            Some(1) if own == Some(0) => 0,
            Some(0..=2) => 16,
            Some(3) => 8,
            _ => 0,
        };
    }
    tapered(value, 0)
}

/// Ranks between the king and the nearest pawn of the set.
fn nearest_rank_distance(pawns: BitBoard, us: &Side) -> Option<i32> {
    let king = us.king.rank() as i32;
    pawns.into_iter().map(|square| (square.rank() as i32 - king).abs()).min()
}

/// How much of the endgame value counts, in 64ths: bishops of opposite colours and winners without pawns draw often.
fn scale(board: &Board, endgame: i32) -> i32 {
    let stronger = if endgame >= 0 { Color::White } else { Color::Black };
    let pawns = board.colored_pieces(stronger, Piece::Pawn).len() as i32;
    let worth = |color: Color| {
        let of = |piece: Piece, value: i32| board.colored_pieces(color, piece).len() as i32 * value;
        of(Piece::Knight, 3) + of(Piece::Bishop, 3) + of(Piece::Rook, 5) + of(Piece::Queen, 9)
    };
    let (ours, theirs) = (worth(stronger), worth(!stronger));
    if pawns == 0 && ours - theirs <= 3 {
        // At most a minor piece ahead and nothing to promote.
        return if ours <= 3 { 0 } else { 10 };
    }
    if opposite_bishops(board) {
        return if ours == 3 && theirs == 3 { 24 + 4 * pawns } else { 46 };
    }
    (44 + 4 * pawns).min(64)
}

/// One bishop each, on squares of different colours.
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.pieces(Piece::Bishop);
    bishops.len() == 2
        && (bishops & board.colors(Color::White)).len() == 1
        && (bishops & BitBoard::DARK_SQUARES).len() == 1
}

/// Against a bare king: drive it to the edge (with bishop and knight, to the bishop's corner) and bring the own king.
fn mop_up(board: &Board, endgame: i32) -> i32 {
    let stronger = if endgame >= 0 { Color::White } else { Color::Black };
    if board.colors(!stronger).len() > 1 || !board.pieces(Piece::Pawn).is_empty() {
        return 0;
    }
    let (ours, theirs) = (board.king(stronger), board.king(!stronger));
    let rim = 6 - centrality(theirs.file() as i32) - centrality(theirs.rank() as i32);
    let mut value = 14 * rim + 6 * (14 - 2 * distance(ours, theirs));
    let bishops = board.pieces(Piece::Bishop);
    let heavy = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if heavy.is_empty() && bishops.len() == 1 && !board.pieces(Piece::Knight).is_empty() {
        let dark = !(bishops & BitBoard::DARK_SQUARES).is_empty();
        let corners = if dark { [Square::A1, Square::H8] } else { [Square::H1, Square::A8] };
        let corner = corners.map(|corner| distance(theirs, corner)).into_iter().min().unwrap_or(0);
        value += 30 * (7 - corner);
    }
    if stronger == Color::White { value } else { -value }
}

/// King moves between two squares.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// All squares on the ranks ahead of `square`, as `color` plays.
fn front_span(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1u64 << (8 * rank)) - 1),
    }
}

/// The squares of `square`'s colour.
fn same_color(square: Square) -> BitBoard {
    if BitBoard::DARK_SQUARES.has(square) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES }
}

fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let (west, east) = (pawns & !File::A.bitboard(), pawns & !File::H.bitboard());
    match color {
        Color::White => BitBoard(west.0 << 7 | east.0 << 9),
        Color::Black => BitBoard(west.0 >> 9 | east.0 >> 7),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(fen: &str) -> i32 {
        evaluate(&fen.parse().unwrap())
    }

    /// The same position with colours and ranks swapped.
    fn mirrored(board: &Board) -> Board {
        let fen = board.to_string();
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            let flip = |c: char| {
                if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
            };
            text.chars().map(flip).collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let mover = if fields[1] == "w" { "b" } else { "w" };
        let text = format!("{} {mover} {} - {} {}", ranks.join("/"), swap(fields[2]), fields[4], fields[5]);
        text.parse().unwrap()
    }

    #[test]
    fn halves_are_packed_and_unpacked() {
        for (middlegame, endgame) in [(0, 0), (5, -7), (-5, 7), (-300, -1200), (1000, 2000)] {
            let pair = tapered(middlegame, endgame);
            assert_eq!((pair.middlegame(), pair.endgame()), (middlegame, endgame));
            assert_eq!((-pair).middlegame(), -middlegame);
            assert_eq!((pair * 3).endgame(), 3 * endgame);
        }
    }

    #[test]
    fn colours_are_treated_alike() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 3 10",
            "8/8/4k3/8/2B5/8/4N1K1/8 b - - 12 80",
            "2b1k3/1p4pp/8/8/2B5/8/PP3P2/4K3 w - - 0 30",
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(evaluate(&board), evaluate(&mirrored(&board)), "{fen}");
        }
    }

    #[test]
    fn the_start_position_is_worth_the_move() {
        assert_eq!(evaluate(&Board::startpos()), TEMPO);
    }

    #[test]
    fn terms_have_the_right_sign() {
        let queen_up = value("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert!(queen_up > 800, "{queen_up}");
        let nearer = value("8/1P2k3/8/8/8/8/8/4K3 w - - 0 1");
        let farther = value("8/4k3/8/8/1P6/8/8/4K3 w - - 0 1");
        assert!(nearer > farther);
        let lone_minor = value("8/8/4k3/8/8/8/3NK3/8 w - - 0 1");
        assert!(lone_minor.abs() < 60, "a lone minor piece cannot win: {lone_minor}");
        let edge = value("k7/8/2K5/8/8/8/8/1R6 w - - 0 1");
        let centre = value("8/8/8/4k3/8/2K5/8/1R6 w - - 0 1");
        assert!(edge > centre);
    }

    #[test]
    fn bishop_and_knight_drive_to_the_right_corner() {
        // The bishop on a light square mates in a8 or h1.
        let right = value("k7/8/8/3K4/8/8/8/2N2B2 w - - 0 1");
        let wrong = value("7k/8/8/4K3/8/8/8/2N2B2 w - - 0 1");
        assert!(right > wrong + 100, "{right} {wrong}");
    }
}

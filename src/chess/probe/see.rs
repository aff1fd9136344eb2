//! Static exchange evaluation: what a capture sequence on one square brings, least valuable attackers first.

use cozy_chess::{
    BitBoard, Board, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

/// Exchange values of pawn, knight, bishop, rook, queen, king, in centipawns: the usual ratios, with both minor pieces
/// alike so that trading one for the other is even.
pub const EXCHANGE: [i32; 6] = [100, 330, 330, 500, 950, 20_000];

/// The piece that `action` takes, en passant included; castling takes nothing.
pub fn victim(board: &Board, action: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(action.to) {
        return board.piece_on(action.to);
    }
    is_en_passant(board, action).then_some(Piece::Pawn)
}

fn is_en_passant(board: &Board, action: Move) -> bool {
    action.from.file() != action.to.file()
        && board.pieces(Piece::Pawn).has(action.from)
        && !board.occupied().has(action.to)
}

/// Every piece of either side that attacks `square` when `occupied` blocks the lines.
fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    use cozy_chess::Color::{Black, White};
    let queens = board.pieces(Piece::Queen);
    get_pawn_attacks(square, Black) & board.colored_pieces(White, Piece::Pawn)
        | get_pawn_attacks(square, White) & board.colored_pieces(Black, Piece::Pawn)
        | get_knight_moves(square) & board.pieces(Piece::Knight)
        | get_king_moves(square) & board.pieces(Piece::King)
        | get_bishop_moves(square, occupied) & (board.pieces(Piece::Bishop) | queens)
        | get_rook_moves(square, occupied) & (board.pieces(Piece::Rook) | queens)
}

/// The exchange that the legal move `action` begins is worth at least `threshold` centipawns to the mover, if both
/// sides take with their least valuable piece and may stop at any time. Pins are not seen.
pub fn exchange_reaches(board: &Board, action: Move, threshold: i32) -> bool {
    let mover = board.side_to_move();
    if board.colors(mover).has(action.to) {
        return threshold <= 0; // castling
    }
    let Some(moved) = board.piece_on(action.from) else { return false };
    let value = |piece: Piece| EXCHANGE[piece as usize];
    let promoted = action.promotion.map_or(0, |piece| value(piece) - value(Piece::Pawn));
    let mut balance = victim(board, action).map_or(0, value) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    // The worst case: the moved piece is lost for nothing more.
    balance -= value(action.promotion.unwrap_or(moved));
    if balance >= 0 {
        return true;
    }
    let mut occupied = board.occupied() & !action.from.bitboard() | action.to.bitboard();
    if is_en_passant(board, action) {
        occupied ^= Square::new(action.to.file(), Rank::Fifth.relative_to(mover)).bitboard();
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut all = attackers(board, action.to, occupied) & occupied;
    let mut side = !mover;
    while let Some((piece, from)) = least_attacker(board, all & board.colors(side)) {
        occupied ^= from.bitboard();
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            all |= get_bishop_moves(action.to, occupied) & diagonal;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            all |= get_rook_moves(action.to, occupied) & straight;
        }
        all &= occupied;
        side = !side;
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            // A king cannot take what is still defended: then its side ran out of moves one capture earlier.
            if piece == Piece::King && !(all & board.colors(side)).is_empty() {
                side = !side;
            }
            break;
        }
    }
    side != mover
}

fn least_attacker(board: &Board, attackers: BitBoard) -> Option<(Piece, Square)> {
    Piece::ALL.into_iter().find_map(|piece| Some((piece, (attackers & board.pieces(piece)).next_square()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The greatest threshold that the exchange reaches.
    fn worth(fen: &str, action: &str) -> i32 {
        let board: Board = fen.parse().unwrap();
        let action = action.parse().unwrap();
        assert!(board.is_legal(action), "{fen} {action}");
        (-3_000..3_000).rev().find(|&threshold| exchange_reaches(&board, action, threshold)).unwrap()
    }

    #[test]
    fn known_exchanges() {
        let [pawn, knight, bishop, rook, queen, _] = EXCHANGE;
        for (fen, action, expected) in [
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", pawn),
            ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 0),
            ("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", pawn - knight),
            ("4k3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn), // x-ray through the front rook
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", pawn - rook),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", 0),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", pawn),
            ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", queen - pawn),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -pawn),
            ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", rook + queen - pawn),
            ("4k3/8/5b2/8/3r4/4P3/8/4K3 w - - 0 1", "e3d4", rook - pawn),
            ("4k3/8/8/8/3pb3/8/4Q3/4K3 w - - 0 1", "e2e4", bishop),
            ("4k3/8/5p2/4p3/8/8/8/4KQ2 w - - 0 1", "f1f6", pawn),
            ("8/8/8/3k4/4p3/8/4R3/4K3 w - - 0 1", "e2e4", pawn - rook),
            ("8/8/8/3k4/4p3/8/4R3/4R2K w - - 0 1", "e2e4", pawn), // the king may not retake
            ("4k3/8/8/8/8/2n5/8/B3K3 b - - 0 1", "c3e2", -knight),
        ] {
            assert_eq!(worth(fen, action), expected, "{fen} {action}");
        }
    }
}

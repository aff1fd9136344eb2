//! [`Position`]: a board with the game that led to it, and the rules that need that game: repetition, fifty moves,
//! bare material.

use cozy_chess::{BitBoard, Board, Color, GameStatus, Move, Piece, Rank, Square, get_pawn_attacks};

/// Why a game is over at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Fifty moves by each side without a capture or a pawn move. Mate on the hundredth half-move comes first.
    FiftyMoves,
    /// The position has occurred often enough.
    Repetition,
    /// Neither side can mate.
    BareMaterial,
}

impl Outcome {
    /// A draw by whichever rule.
    pub fn is_draw(self) -> bool {
        self != Self::Checkmate
    }
}

/// The half-move clock from which a key tells clocks apart: below it the fifty-move rule is too far away (ten moves
/// and more) to change a position's value.
const CLOCK_IN_KEY_FROM: u8 = 80;

/// A board and the keys of the positions before it, back to the one that was set up.
///
/// ```
/// use regulus::chess::Position;
/// let mut position = Position::startpos();
/// for moved in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     position.play(moved.parse().unwrap());
/// }
/// assert_eq!(position.game_ply(), 4);
/// assert_eq!(position.occurrences_before(), 1);
/// assert_eq!(position.outcome(), None); // twice is not three times
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    board: Board,
    /// Repetition keys of the set-up position and all that followed; the last one is the current position's.
    keys: Vec<u64>,
}

impl Position {
    /// The usual start position.
    pub fn startpos() -> Self {
        Self::from_board(Board::startpos())
    }

    /// A position set up without a past.
    pub fn from_board(board: Board) -> Self {
        let keys = vec![repetition_key(&board)];
        Self { board, keys }
    }

    /// The current board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Makes a legal move (castling is king takes rook).
    ///
    /// # Panics
    /// When the move is not legal.
    pub fn play(&mut self, action: Move) {
        self.board.play(action);
        self.keys.push(repetition_key(&self.board));
    }

    /// The same game as if a pawn had just moved: for going on where nobody has claimed a draw by the fifty-move rule.
    pub fn with_clock_restarted(&self) -> Self {
        let mut restarted = self.clone();
        restarted.board.set_halfmove_clock(0);
        restarted
    }

    /// Plies since the set-up position.
    pub fn game_ply(&self) -> usize {
        self.keys.len() - 1
    }

    /// All legal moves, in the generator's order.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(48);
        self.board.generate_moves(|set| {
            moves.extend(set);
            false
        });
        moves
    }

    /// The position's identity for tables and graphs: pieces, side to move, castling rights, an en-passant right only
    /// when it can be used, and the half-move clock where the fifty-move rule is near.
    pub fn key(&self) -> u64 {
        key(&self.board)
    }

    /// The keys of the set-up position and all that followed, without the half-move clock, the current one last.
    pub fn repetition_keys(&self) -> &[u64] {
        &self.keys
    }

    /// How often the current position stood on the board earlier in the game.
    pub fn occurrences_before(&self) -> usize {
        self.earlier_occurrences().count()
    }

    /// The game plies, latest first, at which the current position stood before.
    fn earlier_occurrences(&self) -> impl Iterator<Item = usize> {
        earlier_occurrences(&self.keys, usize::from(self.board.halfmove_clock()))
    }

    /// The end of the *game* by its rules, with the third occurrence a draw.
    pub fn outcome(&self) -> Option<Outcome> {
        board_outcome(&self.board).or_else(|| (self.occurrences_before() >= 2).then_some(Outcome::Repetition))
    }

    /// The end of the game as a *search* sees it whose root stands at game ply `root_ply`: a position that occurred
    /// once before after the root, or twice before at all, is a draw. The root itself is never judged a repetition.
    pub fn outcome_in_search(&self, root_ply: usize) -> Option<Outcome> {
        board_outcome(&self.board)
            .or_else(|| is_search_repetition(self.earlier_occurrences(), root_ply, self.game_ply()))
    }
}

/// The rule of [`Position::outcome_in_search`] over the plies of the earlier occurrences, latest first.
fn is_search_repetition(
    mut earlier: impl Iterator<Item = usize>,
    root_ply: usize,
    ply: usize,
) -> Option<Outcome> {
    let latest = earlier.next().filter(|_| ply > root_ply)?;
    (latest > root_ply || earlier.next().is_some()).then_some(Outcome::Repetition)
}

/// The indices in `keys`, latest first, that hold the same key as the last one, at most `reversible` plies before it.
fn earlier_occurrences(keys: &[u64], reversible: usize) -> impl Iterator<Item = usize> {
    let last = keys.len() - 1;
    let first = last.saturating_sub(reversible);
    // Four plies are the shortest way back to a position; the same side is to move at every second one.
    (first..(last + 1).saturating_sub(4))
        .rev()
        .filter(move |&at| (last - at).is_multiple_of(2) && keys[at] == keys[last])
}

/// Whether the last of `keys` counts as a draw by repetition in a search whose root is at index `root` of `keys`;
/// `reversible` plies before it can be the same position. The rule of [`Position::outcome_in_search`].
pub fn repeats_in_search(keys: &[u64], reversible: usize, root: usize) -> bool {
    is_search_repetition(earlier_occurrences(keys, reversible), root, keys.len() - 1).is_some()
}

/// The end of the game that the board alone shows: mate, stalemate, fifty moves, bare material.
pub fn board_outcome(board: &Board) -> Option<Outcome> {
    match board.status() {
        GameStatus::Won => Some(Outcome::Checkmate),
        GameStatus::Drawn if board.generate_moves(|_| true) => Some(Outcome::FiftyMoves),
        GameStatus::Drawn => Some(Outcome::Stalemate),
        GameStatus::Ongoing => is_bare(board).then_some(Outcome::BareMaterial),
    }
}

/// No sequence of legal moves mates: bare kings, one minor piece, or one bishop each on squares of one colour.
pub fn is_bare(board: &Board) -> bool {
    let occupied = board.occupied();
    let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    if occupied != board.pieces(Piece::King) | minors {
        return false;
    }
    match minors.len() {
        0 | 1 => true,
        2 => {
            let bishops = board.pieces(Piece::Bishop);
            let apart = board.colored_pieces(Color::White, Piece::Bishop).len() == 1;
            let on_dark = (bishops & BitBoard::DARK_SQUARES).len();
            bishops == minors && apart && on_dark != 1
        }
        _ => false,
    }
}

/// [`Position::key`] of a board.
pub fn key(board: &Board) -> u64 {
    clocked_key(repetition_key(board), board)
}

/// [`Position::key`] of `board`, whose [`repetition_key`] is at hand.
pub fn clocked_key(repetition_key: u64, board: &Board) -> u64 {
    let clock = board.halfmove_clock();
    if clock < CLOCK_IN_KEY_FROM {
        return repetition_key;
    }
    // The odd constant is 2^64 divided by the golden ratio (Knuth): consecutive clocks spread over all bits.
    repetition_key ^ (u64::from(clock)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The position's identity for repetition: no clock, and an en-passant right only when it can be used.
///
/// The board's own hash also holds the file of a double step that nobody can capture, so by it the position after
/// 1.e4 would differ from the same one a few moves later.
pub fn repetition_key(board: &Board) -> u64 {
    match board.en_passant() {
        Some(_) if has_en_passant_capture(board) => board.hash(),
        _ => board.hash_without_ep(),
    }
}

/// There is a double step that a pawn may legally capture in passing.
pub fn has_en_passant_capture(board: &Board) -> bool {
    let mover = board.side_to_move();
    board.en_passant().is_some_and(|file| {
        let to = Square::new(file, Rank::Sixth.relative_to(mover));
        let takers = get_pawn_attacks(to, !mover) & board.colored_pieces(mover, Piece::Pawn);
        takers.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_up(fen: &str) -> Position {
        Position::from_board(fen.parse().unwrap())
    }

    fn play(position: &mut Position, line: &str) {
        line.split_whitespace().for_each(|text| position.play(text.parse().unwrap()));
    }

    #[test]
    fn third_occurrence_ends_the_game() {
        let mut game = Position::startpos();
        play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert_eq!(game.outcome(), None);
        play(&mut game, "f6g8");
        assert_eq!(game.outcome(), Some(Outcome::Repetition));
    }

    #[test]
    fn an_uncapturable_double_step_is_no_difference() {
        // After 1.e4 the board's own hash holds the e-file; the position comes back twice without it.
        let mut game = Position::startpos();
        play(&mut game, "e2e4");
        let (key, hash) = (game.key(), game.board().hash());
        play(&mut game, "g8f6 g1f3 f6g8 f3g1");
        assert_ne!(game.board().hash(), hash, "the trap is there");
        assert_eq!(game.key(), key);
        assert_eq!(game.occurrences_before(), 1);
        play(&mut game, "g8f6 g1f3 f6g8 f3g1");
        assert_eq!(game.outcome(), Some(Outcome::Repetition));
    }

    #[test]
    fn a_usable_en_passant_right_is_a_difference() {
        let with = set_up("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        let without = set_up("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
        assert_ne!(with.key(), without.key());
        // The capture would open the fifth rank to the rook: not legal, so no right.
        let pinned = set_up("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
        let plain = set_up("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
        assert_eq!(pinned.key(), plain.key());
    }

    #[test]
    fn castling_rights_are_a_difference() {
        assert_ne!(
            set_up("r3k3/8/8/8/8/8/8/4K2R w K - 0 1").key(),
            set_up("r3k3/8/8/8/8/8/8/4K2R w - - 0 1").key()
        );
    }

    #[test]
    fn the_clock_enters_the_key_near_the_limit_only() {
        let at = |clock: u8| set_up(&format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 90")).key();
        assert_eq!(at(0), at(CLOCK_IN_KEY_FROM - 1));
        assert_ne!(at(0), at(CLOCK_IN_KEY_FROM));
        assert_ne!(at(90), at(91));
    }

    #[test]
    fn mate_on_the_hundredth_half_move_is_mate() {
        let mut game = set_up("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88");
        play(&mut game, "e8h8");
        assert_eq!(game.outcome(), Some(Outcome::Checkmate));
        let mut quiet = set_up("4kr2/8/8/8/8/8/8/3RK3 b - - 99 1");
        play(&mut quiet, "f8f7");
        assert_eq!(quiet.outcome(), Some(Outcome::FiftyMoves));
    }

    #[test]
    fn bare_material() {
        let bare = |fen: &str| set_up(fen).outcome() == Some(Outcome::BareMaterial);
        assert!(bare("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(bare("4k3/8/8/8/8/8/8/4KN2 w - - 0 1"));
        assert!(bare("4kb2/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(bare("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1"), "both on dark squares");
        assert!(!bare("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1"), "a dark and a light one");
        assert!(!bare("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1"));
        assert!(!bare("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1"), "a helped mate exists");
        assert!(!bare("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"));
    }

    #[test]
    fn in_a_search_one_earlier_occurrence_after_the_root_is_a_draw() {
        let mut game = Position::startpos();
        play(&mut game, "e2e4 e7e5");
        let root = game.game_ply();
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!(
            game.outcome_in_search(root),
            None,
            "back at the root: only once before, and not after it"
        );
        play(&mut game, "g1f3");
        assert_eq!(game.outcome_in_search(root), Some(Outcome::Repetition));
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn before_the_root_two_earlier_occurrences_are_needed() {
        let mut game = Position::startpos();
        play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3");
        let root = game.game_ply();
        play(&mut game, "g8f6");
        assert_eq!(game.outcome_in_search(root), None, "one occurrence before the root");
        play(&mut game, "f3g1 f6g8");
        assert_eq!(
            game.outcome_in_search(root),
            Some(Outcome::Repetition),
            "the start position's third time"
        );
        assert_eq!(game.outcome_in_search(game.game_ply()), None, "the root is never a repetition");
    }

    #[test]
    fn an_irreversible_move_ends_the_search_for_repetitions() {
        let mut game = set_up("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1");
        play(&mut game, "h1h2 e8d8 h2h1 d8e8 e2e3");
        assert_eq!(game.occurrences_before(), 0);
        play(&mut game, "e8d8 h1h2 d8e8 h2h1");
        assert_eq!(game.occurrences_before(), 1);
    }

    #[test]
    fn long_games_keep_their_history() {
        let mut game = Position::startpos();
        for _ in 0..400 {
            play(&mut game, "g1f3 g8f6 f3g1 f6g8");
        }
        assert_eq!(game.game_ply(), 1_600);
        // The clock is capped at 100, so 25 of the occurrences lie within its reach.
        assert_eq!(game.occurrences_before(), 25);
        assert_eq!(game.outcome(), Some(Outcome::FiftyMoves));
    }
}

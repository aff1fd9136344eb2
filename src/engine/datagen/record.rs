//! Reads games as [`datagen`](super) writes them.

use crate::chess::Position;
use crate::chess::fen::{Rules, read_fen, read_move};
use cozy_chess::Move;

/// A game with a score for every move.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it starts.
    pub start: Position,
    /// Its moves.
    pub moves: Vec<Played>,
}

/// A move of a [`Record`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move.
    pub action: Move,
    /// Centipawns for the side to move, from the search that chose the move.
    pub score: i32,
    /// It is a random move; the score is that of the move that was not played.
    pub random: bool,
}

impl Record {
    /// Reads a line.
    ///
    /// # Errors
    /// A sentence for the user when it is not a game.
    pub fn read(line: &str) -> Result<Self, String> {
        let mut fields = line.trim_end().splitn(3, '|');
        let mut field = || fields.next().ok_or("a game has three fields, start|result|moves");
        let start = read_fen(field()?, Rules::Chess960).map_err(|error| error.to_string())?;
        let result = field()?;
        if !["1", "0", "d"].contains(&result) {
            return Err(format!("{result:?} is no result (1, 0 or d)"));
        }
        let start = Position::from_board(start.board);
        let mut board = start.board().clone();
        let mut moves = Vec::new();
        for item in field()?.split_whitespace() {
            let wrong = || format!("{item:?} is no legal move with a score");
            let (action, score) = item.split_once(',').ok_or_else(wrong)?;
            let action = read_move(&board, action).ok_or_else(wrong)?;
            let searched = score.trim_end_matches('*');
            let random = searched.len() < score.len();
            moves.push(Played { action, score: searched.parse().map_err(|_| wrong())?, random });
            board.play(action);
        }
        Ok(Self { start, moves })
    }
}

//! Endgame tables in the Syzygy format (Ronald de Man, 2013): who wins with few men on the board, and how soon a capture or
//! a pawn move comes.
//!
//! The reader is our own and in safe Rust: no file, however damaged, does more than fail. A table is opened when it is first
//! asked; one that proves to be bad is told of once and is from then on as good as missing.
//!
//! - [`Tablebases`]: the set of tables, and what it says of a position;
//! - [`Probing`]: how a search uses it;
//! - [`root`]: which moves to choose from at the root;
//! - `material`, `table`, `indexing`, `pairs`, `file`: names, one table, the numbering of positions, the compression, the
//!   bytes.
//!
//! A table of outcomes (WDL) holds for a half-move clock of zero: a win is one that the fifty-move rule leaves if the clock
//! has just begun. Distances (DTZ) are plies to the next capture, pawn move or mate. Positions with castling
//! rights are in no table.

mod file;
mod indexing;
mod material;
mod pairs;
pub mod root;
mod set;
mod table;
#[cfg(test)]
mod tests;

pub use set::Tablebases;

use cozy_chess::{Board, Color};
use std::sync::Arc;

/// What a position is worth to the side to move, with the half-move clock at zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// Lost.
    Loss,
    /// Lost, but too slowly for the fifty-move rule.
    BlessedLoss,
    /// A draw.
    Draw,
    /// Won, but too slowly for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl Outcome {
    /// The same from the other side.
    fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// 1, 0 or -1: with the fifty-move rule, what is too slow is a draw.
    pub fn sign(self, fifty_move_rule: bool) -> i32 {
        match self {
            Self::Win => 1,
            Self::CursedWin => i32::from(!fifty_move_rule),
            Self::Draw => 0,
            Self::BlessedLoss => -i32::from(!fifty_move_rule),
            Self::Loss => -1,
        }
    }
}

/// How a search uses the tables.
#[derive(Clone, Debug)]
pub struct Probing {
    /// The tables.
    pub tables: Arc<Tablebases>,
    /// Positions with more men are not looked up.
    pub most_men: u32,
    /// Plies. Positions with the most men that are looked up at all are so in a probe only where it searches this deep.
    pub least_depth: i32,
    /// Wins that the fifty-move rule makes draws are draws.
    pub fifty_move_rule: bool,
}

impl PartialEq for Probing {
    fn eq(&self, other: &Self) -> bool {
        let terms = |probing: &Self| (probing.most_men, probing.least_depth, probing.fifty_move_rule);
        let none = self.tables.most_men() == 0 && other.tables.most_men() == 0;
        (none || Arc::ptr_eq(&self.tables, &other.tables)) && terms(self) == terms(other)
    }
}

impl Probing {
    /// 1, 0 or -1: a win, a draw, a loss for the side to move of `board`, about which a search `depth` plies deep is to
    /// begin; `None` when it is in no table or is not to be looked up. Only the moves that zero the half-move clock
    /// lead to an answer: at other clocks a win may be too slow.
    pub fn sign(&self, board: &Board, depth: i32) -> Option<i32> {
        let men = board.occupied().len();
        let most = self.most_men.min(self.tables.most_men());
        let wanted = men < most || men == most && depth >= self.least_depth;
        if !wanted || board.halfmove_clock() != 0 {
            return None;
        }
        self.tables.outcome(board).map(|outcome| outcome.sign(self.fifty_move_rule))
    }

    /// There are tables for `board`, and they are to be asked.
    pub fn holds(&self, board: &Board) -> bool {
        board.occupied().len() <= self.most_men.min(self.tables.most_men()) && !can_castle(board)
    }
}

fn can_castle(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rights = board.castle_rights(color);
        rights.short.is_some() || rights.long.is_some()
    })
}

//! What a node of the search knows before its moves are searched.

use super::Bound;
use super::table::Entry;
use crate::chess::score::probe_scale::TABLEBASE_FLOOR;
use cozy_chess::{Board, Move};

/// A decided value (mate, tablebase) counted from the root, as the table stores it: counted from the node.
pub(super) fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        TABLEBASE_FLOOR.. => value + ply as i32,
        _ if value <= -TABLEBASE_FLOOR => value - ply as i32,
        _ => value,
    }
}

pub(super) fn from_table(value: i32, ply: usize) -> i32 {
    match value {
        TABLEBASE_FLOOR.. => value - ply as i32,
        _ if value <= -TABLEBASE_FLOOR => value + ply as i32,
        _ => value,
    }
}

/// What a node knows when its moves are about to be searched. Values from its side to move.
pub(super) struct Node<'a> {
    pub board: &'a Board,
    pub ply: usize,
    pub depth: i32,
    pub alpha: i32,
    pub beta: i32,
    /// A cut node is expected to fail high (Knuth and Moore's type 2).
    pub cut: bool,
    pub key: u64,
    pub entry: Option<Entry>,
    /// The table's move, checked against the board.
    pub table_move: Option<Move>,
    /// The uncorrected evaluation; `None` in check.
    pub raw: Option<i32>,
    /// The static value, sharpened by the table's bound; `None` in check.
    pub estimate: Option<i32>,
    /// A side has only its king, and few men are left: the margins of the selective search and the corrections of the network do not fit
    /// [what is known](crate::chess::eval::endings) of such endings.
    pub bare_king: bool,
    /// The static value is better than two plies ago.
    pub improving: bool,
    /// An entry of the table says that this position was on a principal line.
    pub on_line: bool,
}

impl Node<'_> {
    /// The window is open: the exact value is wanted.
    pub fn open(&self) -> bool {
        self.beta - self.alpha > 1
    }

    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// The entry's value counted from the root, if it is deep enough and its bound settles the window.
    pub fn settled_by_table(&self, depth: i32) -> Option<i32> {
        let entry = self.entry.filter(|entry| entry.depth >= depth)?;
        let value = from_table(entry.value, self.ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => value >= self.beta,
            Bound::Upper => value <= self.alpha,
        };
        settles.then_some(value)
    }

    /// The entry, and its value counted from the root.
    pub fn entry_value(&self) -> Option<(Entry, i32)> {
        self.entry.map(|entry| (entry, from_table(entry.value, self.ply)))
    }
}

/// What a fail-soft value is, given the window it was searched with.
pub(super) fn bound_of(value: i32, alpha: i32, beta: i32) -> Bound {
    if value <= alpha {
        Bound::Upper
    } else if value >= beta {
        Bound::Lower
    } else {
        Bound::Exact
    }
}

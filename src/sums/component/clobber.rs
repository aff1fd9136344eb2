//! Clobber on a strip (Albert, Grossman, Nowakowski & Wolfe 2005): a stone moves onto a neighbouring one of the other
//! colour, which is removed.

use super::board::{Board, Cell};
use crate::sums::Side;

pub(super) fn parts(board: &Board) -> Vec<Board> {
    let rows = board.cells().split(|&cell| cell == Cell::Empty);
    let alive = |row: &&[Cell]| row.contains(&Cell::Black) && row.contains(&Cell::White);
    rows.filter(alive)
        .map(|row| {
            let strip = Board::strip(row);
            strip.mirrored().min(strip)
        })
        .collect()
}

pub(super) fn moves(board: &Board, side: Side) -> Vec<Board> {
    let (own, other) = match side {
        Side::Left => (Cell::Black, Cell::White),
        Side::Right => (Cell::White, Cell::Black),
    };
    let cells = board.cells();
    let mut boards = Vec::new();
    for index in 1..cells.len() {
        for (from, to) in [(index - 1, index), (index, index - 1)] {
            if cells[from] == own && cells[to] == other {
                boards.push(board.with(&[(from, Cell::Empty), (to, own)]));
            }
        }
    }
    boards
}

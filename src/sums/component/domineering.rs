//! Domineering: Left covers two free cells of a column, Right two of a row.

use super::board::{Board, Cell};
use crate::sums::Side;

const NEIGHBOURS: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

pub(super) fn parts(board: &Board) -> Vec<Board> {
    let regions = board.regions(&NEIGHBOURS).into_iter();
    regions.filter(|region| region.cells().len() > 1).map(Board::least_reflection).collect()
}

pub(super) fn moves(board: &Board, side: Side) -> Vec<Board> {
    let direction = match side {
        Side::Left => (1, 0),
        Side::Right => (0, 1),
    };
    let free = |index: &usize| board.cells()[*index] == Cell::Empty;
    (0..board.cells().len())
        .filter(free)
        .filter_map(|index| Some((index, board.step(index, direction).filter(free)?)))
        .map(|(a, b)| board.with(&[(a, Cell::Blocked), (b, Cell::Blocked)]))
        .collect()
}

/// Dominoes that fit into the board's free columns, or rows.
pub(super) fn most_moves(board: &Board, side: Side) -> usize {
    let turned = if side == Side::Left { board.transposed() } else { board.clone() };
    let rows = turned.cells().chunks(turned.width());
    rows.flat_map(|row| row.split(|&cell| cell != Cell::Empty)).map(|run| run.len() / 2).sum()
}

//! Toppling Dominoes (Albert, Nowakowski & Wolfe 2007): a player topples a domino of the own colour, or a grey one, to
//! the left or to the right; all dominoes on that side fall with it, as far as the row is unbroken.

use super::board::{Board, Cell};
use crate::sums::Side;

pub(super) fn parts(board: &Board) -> Vec<Board> {
    let rows = board.cells().split(|&cell| cell == Cell::Empty).filter(|row| !row.is_empty());
    rows.map(|row| {
        let strip = Board::strip(row);
        strip.mirrored().min(strip)
    })
    .collect()
}

pub(super) fn moves(board: &Board, side: Side) -> Vec<Board> {
    let own = own_of(side);
    let cells = board.cells();
    let mut boards = Vec::new();
    for index in (0..cells.len()).filter(|&index| cells[index] == own || cells[index] == Cell::Blocked) {
        let before = cells[..index].iter().rposition(|&cell| cell == Cell::Empty).map_or(0, |gap| gap + 1);
        let after = cells[index..]
            .iter()
            .position(|&cell| cell == Cell::Empty)
            .map_or(cells.len(), |gap| index + gap);
        for fallen in [before..index + 1, index..after] {
            boards.push(board.with(&fallen.map(|index| (index, Cell::Empty)).collect::<Vec<_>>()));
        }
    }
    boards
}

/// Each move topples a domino that the side may topple.
pub(super) fn most_moves(board: &Board, side: Side) -> usize {
    board.cells().iter().filter(|&&cell| cell == own_of(side) || cell == Cell::Blocked).count()
}

fn own_of(side: Side) -> Cell {
    match side {
        Side::Left => Cell::Black,
        Side::Right => Cell::White,
    }
}

//! Amazons: a queen moves like one in chess over empty cells, then shoots an arrow from where it stands, likewise, and
//! the cell hit is blocked for good. Regions that blocked cells separate are independent.

use super::board::{Board, Cell};
use crate::sums::Side;

const DIRECTIONS: [(isize, isize); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

pub(super) fn parts(board: &Board) -> Vec<Board> {
    let alive = |region: &Board| {
        let cells = region.cells();
        cells.contains(&Cell::Empty) && cells.iter().any(|cell| matches!(cell, Cell::Black | Cell::White))
    };
    board.regions(&DIRECTIONS).into_iter().filter(alive).map(least_symmetric).collect()
}

/// The least of the eight boards that the square's symmetries make of this one: all are worth the same.
fn least_symmetric(board: Board) -> Board {
    board.transposed().least_reflection().min(board.least_reflection())
}

pub(super) fn moves(board: &Board, side: Side) -> Vec<Board> {
    let queen = queen_of(side);
    let mut boards = Vec::new();
    for from in (0..board.cells().len()).filter(|&index| board.cells()[index] == queen) {
        let lifted = board.with(&[(from, Cell::Empty)]);
        for to in reached(&lifted, from) {
            let moved = lifted.with(&[(to, queen)]);
            for arrow in reached(&moved, to) {
                boards.push(moved.with(&[(arrow, Cell::Blocked)]));
            }
        }
    }
    boards
}

/// The empty cells that a queen's move from `from` reaches.
fn reached(board: &Board, from: usize) -> Vec<usize> {
    let mut cells = Vec::new();
    for direction in DIRECTIONS {
        let mut at = from;
        while let Some(next) = board.step(at, direction).filter(|&next| board.cells()[next] == Cell::Empty) {
            cells.push(next);
            at = next;
        }
    }
    cells
}

/// Each move blocks an empty cell of a region that has a queen of the side.
pub(super) fn most_moves(board: &Board, side: Side) -> usize {
    let queen = queen_of(side);
    let regions = board.regions(&DIRECTIONS).into_iter().filter(|region| region.cells().contains(&queen));
    regions.map(|region| region.cells().iter().filter(|&&cell| cell == Cell::Empty).count()).sum()
}

fn queen_of(side: Side) -> Cell {
    match side {
        Side::Left => Cell::Black,
        Side::Right => Cell::White,
    }
}

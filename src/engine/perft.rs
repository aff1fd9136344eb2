//! Perft: the number of positions that a given number of plies leads to, the usual test of a move generator.

use crate::bstar::{Interrupted, Monitor};
use cozy_chess::{Board, Move};

/// For each legal move of `board`, how many leaves the tree of legal moves of `depth` plies has below it; the
/// sum of all is the perft number. At depth 0 the list is empty, and the number is 1.
///
/// # Errors
/// [`Interrupted`] when the monitor says so, which is told the leaves.
pub fn divide(board: &Board, depth: u32, monitor: &mut dyn Monitor) -> Result<Vec<(Move, u64)>, Interrupted> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
        .into_iter()
        .map(|mv| {
            let mut next = board.clone();
            next.play_unchecked(mv);
            Ok((mv, count(&next, depth - 1, monitor)?))
        })
        .collect()
}

/// The leaves of the tree of legal moves of `depth` plies.
///
/// # Errors
/// [`Interrupted`] when the monitor says so, which is told the leaves.
pub fn count(board: &Board, depth: u32, monitor: &mut dyn Monitor) -> Result<u64, Interrupted> {
    match depth {
        0 => return Ok(1),
        // Moves need not be made to be counted.
        1 => {
            let mut leaves = 0;
            board.generate_moves(|set| {
                leaves += set.len() as u64;
                false
            });
            monitor.work(leaves)?;
            return Ok(leaves);
        }
        _ => {}
    }
    Ok(divide(board, depth, monitor)?.iter().map(|(_, leaves)| leaves).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::Unwatched;

    struct Impatient;
    impl Monitor for Impatient {
        fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
            Err(Interrupted)
        }
    }

    #[test]
    fn known_numbers() {
        let start = Board::startpos();
        assert_eq!(count(&start, 0, &mut Unwatched), Ok(1));
        assert_eq!(count(&start, 1, &mut Unwatched), Ok(20));
        assert_eq!(count(&start, 4, &mut Unwatched), Ok(197_281));
        let parts = divide(&start, 3, &mut Unwatched).unwrap();
        assert_eq!((parts.len(), parts.iter().map(|part| part.1).sum::<u64>()), (20, 8_902));
        assert_eq!(count(&start, 2, &mut Impatient), Err(Interrupted));
    }
}

//! The chances of win, draw and loss that go with a score.
//!
//! A logistic model, as is usual: with `x` the score, the chance of a win is 1 / (1 + exp((a - x) / b)) and that of a loss
//! the same with -x, so that `a` is the score at which a win is as likely as not. Both `a` and `b` are straight lines in the
//! number of men. They were fitted by maximum likelihood (2026-11-30) to 96,081 positions of 2,500 games between equals at
//! 1,000 to 2,000 nodes a move, of the kind that the network was trained on and on the scale of its scores: those after
//! the last random move, within 2,000 centipawns.

use crate::chess::{Position, Score};

/// Men on the board at the start of a game.
const ALL_MEN: f64 = 32.0;

/// Centipawns at which a win is as likely as not: on an empty board, and how that changes towards a full one.
const EVEN: (f64, f64) = (288.8, -256.9);

/// Centipawns over which the odds change by a factor of e: on an empty board, and how that changes towards a full one.
const SPREAD: (f64, f64) = (94.4, 14.4);

/// The chances that the side to move wins, draws and loses when `score` is what a search of `position` says, in thousandths
/// that add up to 1,000. A mate and a tablebase's word leave no doubt.
pub fn chances(score: Score, position: &Position) -> [u16; 3] {
    if !score.is_heuristic() {
        return if score > Score::DRAW { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let share = f64::from(position.board().occupied().len()) / ALL_MEN;
    let (even, spread) = (EVEN.0 + EVEN.1 * share, SPREAD.0 + SPREAD.1 * share);
    let chance = |score: i32| {
        let odds = ((even - f64::from(score)) / spread).exp();
        (1000.0 / (1.0 + odds)).round() as u16
    };
    let (win, loss) = (chance(score.to_centipawns()), chance(-score.to_centipawns()));
    // The least number of men, two, leaves room for draws at every score: `even` is positive.
    [win, 1000_u16.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(fen: &str, score: Score) -> [u16; 3] {
        chances(score, &Position::from_board(fen.parse().unwrap()))
    }

    #[test]
    fn they_add_up_follow_the_score_and_are_fair() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/5pk1/6p1/8/8/6P1/5PK1/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            let mut before = 0;
            for score in (-Score::HEURISTIC_LIMIT..=Score::HEURISTIC_LIMIT).step_by(5) {
                let [win, draw, loss] = at(fen, Score::centipawns(score));
                assert_eq!(win + draw + loss, 1000, "{score}");
                assert_eq!([loss, draw, win], at(fen, Score::centipawns(-score)), "{score}");
                assert!(win >= before && (score <= 0 || win >= loss), "{score}");
                before = win;
            }
        }
    }

    #[test]
    fn fewer_men_are_more_draws_and_a_mate_is_none() {
        let [_, few, _] = at("8/5pk1/6p1/8/8/6P1/5PK1/8 w - - 0 1", Score::centipawns(50));
        let [_, many, _] =
            at("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Score::centipawns(50));
        assert!(few > 2 * many);
        let fen = "7k/8/5K2/8/8/8/8/6R1 w - - 0 1";
        assert_eq!(at(fen, Score::mate_at(3)), [1000, 0, 0]);
        assert_eq!(at(fen, Score::mated_at(2)), [0, 0, 1000]);
        assert_eq!(at(fen, Score::tablebase_win_at(1)), [1000, 0, 0]);
    }
}

//! When a search on a clock has thought enough. Both modes ask here; B\* knows more of its root, and uses it.

use crate::chess::dials::Dial;

/// Centipawns. What counts as the usual overlap of B\*'s root moves: so chosen that B\* uses the clock as its twin does. With 500 it spent
/// 38.6 ms a move at 2+0.02 where the twin spent 40.4 (518 games, 2026-11-30), with 415 99.3 ms at 5+0.05 where the twin spent 101.4 (233 games), with
/// this 102.3 and 102.8 (400 games, 2026-12-01).
const USUAL_OVERLAP: f64 = 395.0;

/// A dial that is a percentage, as a part of the whole.
fn part(dial: Dial) -> f64 {
    f64::from(dial.get()) / 100.0
}

/// The part of the soft budget after which no deepening is begun. `share`: of the work so far, what went below the best
/// move (0 to 1). `stability`: complete deepenings in a row, the last one included, with the same best move.
///
/// The more of the work went below the best move, and the longer it has been the best, the sooner; a fresh change of mind
/// may take more than the whole. The form is the usual one of alpha-beta engines; how much each counts is for the [dials](Dial::TimeScale) to say.
/// A fall of the value from deepening to deepening does not count: SPSA left its weight at none.
pub fn patience(share: f64, stability: u32) -> f64 {
    let by_work = 1.0 + part(Dial::TimeShare) * (0.6 - share.clamp(0.0, 1.0));
    let by_stability: f64 = match stability {
        0 | 1 => 1.3,
        2 => 1.1,
        3 => 0.95,
        4 => 0.85,
        _ => 0.75,
    };
    part(Dial::TimeScale) * by_work * by_stability.powf(part(Dial::TimeStability))
}

/// The factor by which B\* has more or less patience, near 1 on average. `overlap`: centipawns from the lower end of the best move's
/// interval to the greatest upper end of a rival's, negative where they are apart. `moves`: root moves to choose from.
///
/// Of all that a root shows, the overlap tells best what twice the nodes would gain: in 6,361 deepenings of 1,934 positions
/// between 8,000 and 45,000 nodes (2026-11-30; Stockfish at 100,000 nodes as judge) 0.7 +- 0.8 centipawns in the fifth with the least
/// overlap, 9.2 +- 2.7 in that with the most; the share of the best move 8.3 to 0.1, its stability 8.5 to 0.9. Replayed at
/// equal mean nodes [`patience`] loses 1.2 centipawns a move less than a fixed number of nodes, and with this factor 0.1 +- 0.9
/// (20,000 nodes) to 0.3 +- 0.4 (40,000) less again. (That was with the square root of the overlap; the dials' tuning made it a little more, and counts
/// the moves less.)
pub fn doubt(overlap: i32, moves: usize) -> f64 {
    let overlap = f64::from(overlap.clamp(60, 2_000)) / USUAL_OVERLAP;
    let moves = moves.clamp(2, 60) as f64 / 30.0;
    overlap.powf(part(Dial::TimeOverlap)) * moves.powf(part(Dial::TimeMoves))
}

#[cfg(test)]
mod tests {
    use super::{doubt, patience};

    #[test]
    fn who_may_be_wrong_thinks_longer() {
        assert!(doubt(900, 30) > doubt(300, 30));
        assert!(doubt(300, 40) > doubt(300, 20));
        assert!((0.9..1.1).contains(&doubt(450, 30)));
        for overlap in [i32::MIN, -50, 0, i32::MAX] {
            assert!((0.1..3.2).contains(&doubt(overlap, 0)), "{overlap}");
            assert!((0.1..3.2).contains(&doubt(overlap, usize::MAX)), "{overlap}");
        }
    }

    #[test]
    fn who_is_sure_stops_sooner() {
        assert!(patience(0.9, 3) < patience(0.4, 3));
        assert!(patience(0.6, 6) < patience(0.6, 1));
        assert!(patience(0.3, 1) > 1.0, "a change of mind may take more than the whole");
        assert!(patience(7.0, 9) > 0.0);
    }
}

//! [`Lag`]: what a move loses between the clock and the engine, as the clocks of a game tell.
//!
//! From one `go` to the next of the same game our clock falls by what we took, less the increment; what it falls beyond that was
//! lost on the way. The option *Move Overhead* is what the worst move is to survive, ten times what a usual one loses on the same machine:
//! planned for every move to come it is thrown away. At 2+0.02 with the 10 ms of the default both modes ended their games with 0.9 s of
//! 3.3 s unused.

use super::clock::clock_of;
use super::protocol::Limits;
use crate::chess::Position;
use cozy_chess::Move;
use std::time::Duration;

/// A move counts for one part in so many, those before it for the rest.
const WEIGHT: i64 = 6;

/// Microseconds. A clock that has lost or won as much was set by somebody. Less may be rounding, to whole seconds even.
const GREATEST: i64 = 1_000_000;

/// What the clocks of the games so far have told.
#[derive(Default)]
pub struct Lag {
    answered: Option<Answered>,
    /// The mean loss in microseconds.
    mean: Option<i64>,
}

/// Our last move and clock.
struct Answered {
    /// Plies of the game with our move.
    ply: usize,
    /// The position after it.
    key: u64,
    /// Microseconds that our clock shows at the next move if nothing is lost.
    left: i64,
}

fn whole_micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

impl Lag {
    /// What each of the next moves will lose: `overhead` until a game has told.
    pub fn expected(&self, overhead: Duration) -> Duration {
        self.mean.map_or(overhead, |mean| Duration::from_micros(mean.max(0).unsigned_abs()))
    }

    /// We are asked for a move: compares our clock with what it should show.
    pub fn hear(&mut self, position: &Position, limits: &Limits, overhead: Duration) {
        let (Some(last), (Some(told), _)) =
            (self.answered.take(), clock_of(limits, position.board().side_to_move().into()))
        else {
            return;
        };
        let goes_on = position.game_ply() == last.ply + 1
            && position.repetition_keys().get(last.ply).is_some_and(|&key| key == last.key);
        let lost = last.left.saturating_sub(told.saturating_mul(1_000));
        if goes_on && (-GREATEST..GREATEST).contains(&lost) {
            let mean = self.mean.unwrap_or_else(|| whole_micros(overhead));
            self.mean = Some(mean + (lost - mean) / WEIGHT);
        }
    }

    /// We have answered `position` with `chosen`, after having had the move for so long.
    pub fn answer(
        &mut self,
        position: &Position,
        chosen: Option<Move>,
        limits: &Limits,
        had: Option<Duration>,
    ) {
        let (time, increment) = clock_of(limits, position.board().side_to_move().into());
        // After the last move before a time control the clock is another one.
        let time = time.filter(|_| limits.moves_to_go != Some(1));
        self.answered = chosen.zip(had).zip(time).map(|((chosen, had), time)| {
            let mut after = position.clone();
            after.play(chosen);
            let told = time.saturating_add(increment.unwrap_or(0)).saturating_mul(1_000);
            let key = after.repetition_keys().last().copied().unwrap_or_default();
            Answered { ply: after.game_ply(), key, left: told.saturating_sub(whole_micros(had)) }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn clock(time: i64) -> Limits {
        Limits { white_time: Some(time), white_increment: Some(20), ..Limits::default() }
    }

    /// Plays the first legal move.
    fn play(position: &mut Position) -> Move {
        let first = position.legal_moves()[0];
        position.play(first);
        first
    }

    /// A game in which our clock, at first 10 s, loses so many milliseconds with each move beside the 30 that we have it.
    fn game(lag: &mut Lag, losses: &[i64]) -> Duration {
        let mut position = Position::startpos();
        let mut time = 10_000;
        for &lost in losses {
            lag.hear(&position, &clock(time), OVERHEAD);
            let before = position.clone();
            let chosen = play(&mut position);
            lag.answer(&before, Some(chosen), &clock(time), Some(Duration::from_millis(30)));
            play(&mut position);
            time += 20 - 30 - lost;
        }
        lag.hear(&position, &clock(time), OVERHEAD);
        lag.expected(OVERHEAD)
    }

    #[test]
    fn the_overhead_is_expected_until_a_clock_has_told() {
        let mut lag = Lag::default();
        assert_eq!(lag.expected(OVERHEAD), OVERHEAD);
        assert_eq!(game(&mut lag, &[]), OVERHEAD);
        assert!(game(&mut lag, &[2]) < OVERHEAD);
    }

    #[test]
    fn what_moves_lose_on_average_is_expected() {
        let near = |losses: &[i64], least, most| {
            let expected = game(&mut Lag::default(), losses).as_micros();
            assert!((least..most).contains(&expected), "{losses:?}: {expected}");
        };
        near(&[2; 3], 5_000, 8_000);
        near(&[2; 40], 1_900, 2_100);
        near(&[200; 40], 198_000, 200_001);
        // A move is expected to lose more after one that has; a clock that rounds to seconds tells the mean all the same.
        near(&[vec![2; 40], vec![60]].concat(), 10_000, 13_000);
        let rounding: Vec<i64> = (0..200).map(|k| if k % 50 == 49 { 5 - 980 } else { 5 + 20 }).collect();
        near(&rounding, 0, 40_000);
        near(&[-30; 40], 0, 1);
    }

    #[test]
    fn another_game_and_a_clock_that_was_set_tell_nothing() {
        let mut lag = Lag::default();
        let position = Position::startpos();
        let chosen = position.legal_moves()[0];
        let had = Some(Duration::from_millis(30));
        let mut other = position.clone();
        play(&mut other);
        other.play(other.legal_moves()[3]);
        let mut wrong = position.clone();
        wrong.play(position.legal_moves()[1]);
        play(&mut wrong);
        for (next, time) in
            [(&position, 9_980), (&wrong, 9_980), (&other, 70_000), (&other, 8_000), (&other, i64::MIN)]
        {
            lag.answer(&position, Some(chosen), &clock(10_000), had);
            lag.hear(next, &clock(time), OVERHEAD);
            assert_eq!(lag.expected(OVERHEAD), OVERHEAD, "{time}");
        }
        for (chosen, limits, had) in [
            (None, clock(10_000), had),
            (Some(chosen), Limits::default(), had),
            (Some(chosen), clock(10_000), None),
        ] {
            lag.answer(&position, chosen, &limits, had);
            lag.hear(&other, &clock(9_980), OVERHEAD);
            assert_eq!(lag.expected(OVERHEAD), OVERHEAD);
        }
        let last = Limits { moves_to_go: Some(1), ..clock(10_000) };
        lag.answer(&position, Some(chosen), &last, had);
        lag.hear(&other, &clock(9_980), OVERHEAD);
        assert_eq!(lag.expected(OVERHEAD), OVERHEAD, "a new time control");
        lag.answer(&position, Some(chosen), &clock(i64::MAX), had);
        lag.hear(&other, &clock(i64::MAX), OVERHEAD);
    }
}

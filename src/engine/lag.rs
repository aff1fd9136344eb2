//! [`Lag`]: what a move loses between the clock and the engine, as the clocks of a game tell.
//!
//! From one `go` to the next of the same game our clock falls by what we took, less the increment; what it falls beyond that was
//! lost on the way. The option *Move Overhead* is what the worst move is to survive, ten times what a usual one loses on the same machine:
//! planned for every move to come it is thrown away. At 2+0.02 with the 10 ms of the default both modes ended their games with 0.9 s of
//! 3.3 s unused.

use super::clock::{Side, clock_of};
use super::protocol::Limits;
use crate::chess::Position;
use cozy_chess::{Color, Move};
use std::time::Duration;

/// A smaller loss than was expected brings the expectation down by one part in so many of the difference, a greater one up at once.
const CAUTION: u32 = 4;

/// A clock that has lost more was changed by somebody: no connection on which such clocks are played is as slow.
const GREATEST: Duration = Duration::from_secs(1);

/// Milliseconds by which a clock that rounds may seem to have won.
const ROUNDING: i64 = 2;

/// What the clocks of the games so far have told.
#[derive(Default)]
pub struct Lag {
    answered: Option<Answered>,
    expected: Option<Duration>,
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

/// Whose clock runs at `position`.
pub fn mover(position: &Position) -> Side {
    match position.board().side_to_move() {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}

impl Lag {
    /// What each of the next moves will lose: `overhead` until a game has told.
    pub fn expected(&self, overhead: Duration) -> Duration {
        self.expected.unwrap_or(overhead)
    }

    /// We are asked for a move: compares our clock with what it should show.
    pub fn hear(&mut self, position: &Position, limits: &Limits, overhead: Duration) {
        let (Some(last), (Some(told), _)) = (self.answered.take(), clock_of(limits, mover(position))) else {
            return;
        };
        let goes_on = position.game_ply() == last.ply + 1
            && position.repetition_keys().get(last.ply).is_some_and(|&key| key == last.key);
        let lost = last.left.saturating_sub(told.saturating_mul(1_000));
        let lost = if (-ROUNDING * 1_000..0).contains(&lost) { 0 } else { lost };
        let Some(lost) = u64::try_from(lost).ok().map(Duration::from_micros) else { return };
        if goes_on && lost <= GREATEST {
            let before = self.expected(overhead);
            let easier = before.saturating_sub(lost) / CAUTION;
            self.expected = Some(lost.max(before - easier));
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
        let (time, increment) = clock_of(limits, mover(position));
        self.answered = chosen.zip(had).zip(time).map(|((chosen, had), time)| {
            let mut after = position.clone();
            after.play(chosen);
            let told = time.saturating_add(increment.unwrap_or(0)).saturating_mul(1_000);
            let had = i64::try_from(had.as_micros()).unwrap_or(i64::MAX);
            let key = after.repetition_keys().last().copied().unwrap_or_default();
            Answered { ply: after.game_ply(), key, left: told.saturating_sub(had) }
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
    fn small_losses_are_believed_slowly_and_a_great_one_at_once() {
        let slowly = game(&mut Lag::default(), &[2; 3]);
        assert!(slowly > Duration::from_millis(4) && slowly < Duration::from_millis(6), "{slowly:?}");
        let quiet = game(&mut Lag::default(), &[2; 20]);
        assert!(quiet < Duration::from_millis(3), "{quiet:?}");
        assert_eq!(game(&mut Lag::default(), &[2, 2, 2, 2, 60]), Duration::from_millis(60));
        assert_eq!(
            game(&mut Lag::default(), &[-1, -2, 60]),
            Duration::from_millis(60),
            "a clock that rounds"
        );
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
        lag.answer(&position, Some(chosen), &clock(i64::MAX), had);
        lag.hear(&other, &clock(i64::MAX), OVERHEAD);
    }
}

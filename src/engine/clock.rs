//! [`Limits`] and options to a [`Budget`]: how long a move may take. Pure; every number is clamped first, so
//! that no input overflows.
//!
//! With `t` left on the clock and `m` moves to go (told, or [`Dial::TimeHorizon`] when not), the *usable* time is `t` less
//! one move's overhead, and the *pool* for the `m` moves adds the increments that will come and takes off what the later moves
//! will lose on the way: the overhead, or what the game's clocks have shown to be lost ([`Lag`](super::lag::Lag)), and a
//! reserve then for the move that loses more. The soft budget is an equal share of the pool, the hard one [`Dial::TimeStretch`]
//! tenths of that, but never more than `1 / sqrt(m)` of what is usable *now*: increments that have not come yet cannot be
//! spent. As the clock runs down both shrink in proportion, so a clock with an increment settles where a move
//! costs what it brings.

use super::protocol::Limits;
use crate::chess::dials::Dial;
use cozy_chess::Color;
use std::time::Duration;

/// Milliseconds; 31 years. Larger clocks are read as this, and sums of a few hundred of them fit 64 bits.
const LONGEST: i64 = 1_000_000_000_000;

/// Percent of the usable time that the last move before a time control may take: nothing is left to save for,
/// but the operating system needs room.
const LAST_MOVE_PERCENT: i64 = 90;

/// Milliseconds: what a move is given at least of a clock that the asker did not tell (see [`own_clock`]).
const UNKNOWN_CLOCK: i64 = 1_000;

/// Where moves lose less than the overhead, so many times the difference stay on the clock: room for a machine that is busy for a
/// twentieth of a second.
const RESERVE: i64 = 5;

/// Whose clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// White's.
    White,
    /// Black's.
    Black,
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// What the user set that bears on time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// What a move may lose between the clock and the engine, at most.
    pub overhead: Duration,
    /// What the moves to come are expected to lose, each.
    pub lag: Duration,
    /// The game is played with pondering on.
    pub ponder: bool,
}

/// The time allotted to one move. `None` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Meant to be used: past it, begin nothing new. Only a clock gives one; a time for this move is used up
    /// whole.
    pub soft: Option<Duration>,
    /// Never to be exceeded.
    pub hard: Option<Duration>,
}

/// The budget that `limits` allow the side to move. A ponder search has the budget that counts after the hit.
///
/// ```
/// use regulus::engine::clock::{Pace, Side, allot};
/// use regulus::engine::protocol::Limits;
/// use std::time::Duration;
///
/// let overhead = Duration::from_millis(10);
/// let pace = Pace { overhead, lag: overhead, ponder: false };
/// let limits = Limits { white_time: Some(60_000), ..Limits::default() };
/// let budget = allot(&limits, Side::White, pace);
/// assert!(budget.soft.unwrap() < budget.hard.unwrap());
/// assert!(budget.hard.unwrap() < Duration::from_secs(12));
/// ```
pub fn allot(limits: &Limits, side: Side, pace: Pace) -> Budget {
    if limits.infinite {
        return Budget::default();
    }
    let overhead = whole_millis(pace.overhead);
    let whole = limits.move_time.map(|asked| (clamped(asked) - overhead).max(1));
    let (soft, hard) = own_clock(limits, side).map_or((None, None), |(time, increment)| {
        let (soft, hard) = share(time, increment, limits.moves_to_go, pace);
        (Some(soft), Some(hard))
    });
    let hard = match (whole, hard) {
        (Some(whole), Some(hard)) => Some(whole.min(hard)),
        (one, other) => one.or(other),
    };
    // An explicit limit is searched to its end: only the clock's hard budget cuts it short.
    let soft = soft.filter(|_| !limits.is_explicit());
    Budget { soft: soft.map(millis), hard: hard.map(millis) }
}

/// A side's time and increment as they were told, milliseconds.
pub fn clock_of(limits: &Limits, side: Side) -> (Option<i64>, Option<i64>) {
    match side {
        Side::White => (limits.white_time, limits.white_increment),
        Side::Black => (limits.black_time, limits.black_increment),
    }
}

/// The mover's clock and increment in milliseconds. A clock that is not told is taken to be like the
/// opponent's, but no more than [`UNKNOWN_CLOCK`]: to think for ever on a clock that runs loses, and so does to
/// move without a thought.
fn own_clock(limits: &Limits, side: Side) -> Option<(i64, i64)> {
    let (own, other) = (clock_of(limits, side), clock_of(limits, side.other()));
    if !limits.has_clock() {
        return None;
    }
    let increment = own.1.map_or(0, clamped);
    let time = match (own.0, other.0) {
        (Some(time), _) => clamped(time),
        (None, Some(time)) => clamped(time).min(UNKNOWN_CLOCK),
        (None, None) => UNKNOWN_CLOCK,
    };
    Some((time, increment))
}

/// Soft and hard milliseconds; see the module's docs.
fn share(time: i64, increment: i64, moves_to_go: Option<i64>, pace: Pace) -> (i64, i64) {
    let (overhead, lag) = (whole_millis(pace.overhead), whole_millis(pace.lag));
    let horizon = i64::from(Dial::TimeHorizon.get());
    let moves = moves_to_go.filter(|&moves| moves > 0).map_or(horizon, |moves| moves.min(horizon));
    let usable = (time - overhead).max(0);
    let later = (moves - 1) * (increment - lag) - RESERVE * (overhead - lag).max(0);
    // Where overheads would eat the whole clock, plan as if they were half as bad: moves must be made all the
    // same.
    let pool = (usable + later).max(usable / 2);
    let most = if moves == 1 { percent(usable, LAST_MOVE_PERCENT) } else { over_root(usable, moves) };
    let soft = pool / moves;
    // On half of its moves or so a pondering engine finds its thinking done (Stockfish's share, too, is a
    // quarter).
    let soft = if pace.ponder { soft + soft / 4 } else { soft };
    let hard = (i64::from(Dial::TimeStretch.get()) * soft / 10).min(most);
    (soft.min(percent(hard, 75)), hard)
}

fn whole_millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(LONGEST).min(LONGEST)
}

fn clamped(milliseconds: i64) -> i64 {
    milliseconds.clamp(0, LONGEST)
}

fn percent(of: i64, percent: i64) -> i64 {
    of / 100 * percent + of % 100 * percent / 100
}

/// `of / sqrt(root)`; both positive, at most [`LONGEST`], which a 64-bit float holds exactly.
fn over_root(of: i64, root: i64) -> i64 {
    (of as f64 / (root as f64).sqrt()) as i64
}

fn millis(milliseconds: i64) -> Duration {
    Duration::from_millis(milliseconds.max(0).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OVERHEAD: Duration = Duration::from_millis(10);
    const PACE: Pace = Pace { overhead: OVERHEAD, lag: OVERHEAD, ponder: false };

    fn white(time: i64, increment: i64, moves_to_go: Option<i64>) -> Limits {
        Limits { white_time: Some(time), white_increment: Some(increment), moves_to_go, ..Limits::default() }
    }

    fn hard(limits: &Limits) -> i64 {
        allot(limits, Side::White, PACE).hard.unwrap().as_millis() as i64
    }

    #[test]
    fn without_time_there_is_no_budget() {
        for limits in [
            Limits::default(),
            Limits { depth: Some(3), ..Limits::default() },
            Limits { moves_to_go: Some(3), ..Limits::default() },
            Limits { infinite: true, ..white(100, 0, None) },
        ] {
            assert_eq!(allot(&limits, Side::White, PACE), Budget::default());
        }
    }

    #[test]
    fn an_empty_or_negative_clock_moves_at_once() {
        for time in [0, -1, -170_671, i64::MIN, 10] {
            assert_eq!(hard(&white(time, 0, None)), 0);
            assert_eq!(hard(&white(time, i64::MAX, None)), 0, "an increment comes after the move");
        }
    }

    #[test]
    fn the_other_sides_clock_means_nothing_for_ours() {
        let alone = allot(&white(165_661, 2_000, None), Side::White, PACE);
        let odd =
            Limits { black_time: Some(-170_671), black_increment: Some(-5), ..white(165_661, 2_000, None) };
        assert_eq!(allot(&odd, Side::White, PACE), alone);
    }

    #[test]
    fn a_missing_own_clock_gives_a_short_thought() {
        let told = Limits { black_time: Some(50_000), ..Limits::default() };
        let budget = allot(&told, Side::White, PACE);
        assert!(budget.soft.unwrap() >= Duration::from_millis(10), "{budget:?}");
        assert!(budget.hard.unwrap() <= Duration::from_millis(300), "{budget:?}");
        let increment = Limits { black_increment: Some(5), ..Limits::default() };
        assert_eq!(allot(&increment, Side::White, PACE), budget);
    }

    #[test]
    fn a_move_time_is_used_whole_less_the_overhead() {
        let limits = |asked| Limits { move_time: Some(asked), ..Limits::default() };
        assert_eq!(
            allot(&limits(1_000), Side::White, PACE),
            Budget { soft: None, hard: Some(Duration::from_millis(990)) }
        );
        for asked in [1, 10, 0, -7, i64::MIN] {
            assert_eq!(hard(&limits(asked)), 1, "{asked}");
        }
        assert!(allot(&limits(i64::MAX), Side::Black, PACE).hard.is_some());
    }

    #[test]
    fn moves_to_go_are_used() {
        let last = allot(&white(1_000, 0, Some(1)), Side::White, PACE);
        assert!(last.soft.unwrap() > Duration::from_millis(600), "{last:?}");
        assert!(last.hard.unwrap() <= Duration::from_millis(900), "{last:?}");
        assert!(hard(&white(1_000, 0, Some(2))) < hard(&white(1_000, 0, Some(1))));
        let endless = hard(&white(1_000, 0, None));
        for odd in [0, -3, 1_000, i64::MAX, i64::MIN] {
            assert_eq!(hard(&white(1_000, 0, Some(odd))), endless, "{odd}");
        }
    }

    #[test]
    fn explicit_limits_have_no_soft_end() {
        let limits = Limits { nodes: Some(5), ..white(60_000, 0, None) };
        let budget = allot(&limits, Side::White, PACE);
        assert_eq!(budget.soft, None);
        assert!(budget.hard.is_some());
    }

    /// A game of 500 moves in which each costs its whole hard budget, the overhead and `lost` ms more, in the
    /// worst case: the clock never runs out.
    fn outlives(time: i64, increment: i64, lost: i64) -> bool {
        let mut clock = time;
        (0..500).all(|_| {
            clock -= hard(&white(clock, increment, None)) + 10 + lost;
            let alive = clock >= 0;
            clock += increment;
            alive
        })
    }

    #[test]
    fn a_clock_with_an_increment_never_runs_out() {
        assert!(outlives(1_000, 20, 5), "1+0.02");
        assert!(outlives(10_000, 100, 20), "10+0.1");
        // At 1+0.01 the increment is eaten by 10 ms of overhead alone; where only 1 ms is truly lost it lasts.
        assert!(outlives(1_000, 11, 0), "1+0.011 with 10 ms lost");
    }

    #[test]
    fn one_second_with_ten_milliseconds_lasts_when_a_move_loses_half_of_the_overhead() {
        let mut clock = 1_000;
        for move_number in 0..500 {
            clock -= hard(&white(clock, 10, None)) + 5;
            assert!(clock > 0, "move {move_number}");
            clock += 10;
        }
        assert!(clock >= 10, "{clock}");
    }

    /// At 2+0.02 on a connection that loses a millisecond a move, where ten were reserved, with three quarters of the soft budget for
    /// each move: what is left after eighty moves.
    fn left_at_2_seconds(lag: Duration) -> i64 {
        let pace = Pace { lag, ..PACE };
        (0..80).fold(2_000, |clock, _| {
            let budget = allot(&white(clock, 20, None), Side::White, pace);
            clock - budget.soft.unwrap().as_millis() as i64 * 3 / 4 - 1 + 20
        })
    }

    #[test]
    fn what_is_not_lost_is_thought() {
        let (blind, told) = (left_at_2_seconds(OVERHEAD), left_at_2_seconds(Duration::from_millis(1)));
        assert!(told + 200 < blind, "{told} {blind}");
        assert!(told > 250, "a stall of a quarter of a second does not lose: {told}");
    }

    #[test]
    fn who_loses_more_than_the_overhead_plans_for_it() {
        let soft = |lag| {
            let pace = Pace { lag: Duration::from_millis(lag), ..PACE };
            allot(&white(60_000, 1_000, None), Side::White, pace).soft.unwrap()
        };
        assert!(soft(200) < soft(10) && soft(10) < soft(0));
    }

    proptest! {
        #[test]
        fn never_more_than_the_clock(
            time: i64, increment: i64, moves_to_go: Option<i64>, overhead in 0u64..10_000, lag in 0u64..10_000, ponder: bool,
        ) {
            let pace = Pace { overhead: Duration::from_millis(overhead), lag: Duration::from_millis(lag), ponder };
            let budget = allot(&white(time, increment, moves_to_go), Side::White, pace);
            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
            prop_assert!(soft <= hard);
            prop_assert!(hard.as_millis() as i128 <= i128::from(time).max(0));
        }

        #[test]
        fn more_time_is_never_less_thought(time in 0i64..10_000_000, more in 0i64..1_000_000) {
            prop_assert!(hard(&white(time, 0, None)) <= hard(&white(time + more, 0, None)));
        }
    }
}

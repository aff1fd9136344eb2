//! Sound bounds on the left stop of a sum, Left to move, from its components' thermographs.
//!
//! Write `L(t)`, `R(t)` for the walls of a game at temperature `t`: the stops of the game cooled by `t`. Cooling is additive, and
//! stops of sums obey `LS(a + b) >= LS(a) + RS(b)`, `RS(a + b) >= RS(a) + RS(b)` and `LS(a + b) <= LS(a) + LS(b)`.
//!
//! | bound | holds because |
//! |---|---|
//! | `LS >= sum R_i(t) + max (L_i(t) - R_i(t))` | the left wall of the sum falls with `t`, and at `t` the sum is made of cooled games; this is thermostrat's guarantee (Berlekamp, Conway & Guy 1982) |
//! | `LS <= t + sum L_i(t)` | cooling by `t` costs Left at most one `t`, as Left makes at most one move more than Right |
//!
//! Both hold at every `t >= 0`. Between the corners the first is convex and the second straight, so the best is found at
//! a corner. At the highest temperature the second says that the stop exceeds the mean by at most that temperature; at
//! the same place the first says that it is no less than the mean.

use super::{Dyadic, Overflow, Store, Sum};

/// Between what the left stop of `sum` lies, Left to move.
pub fn stop_bounds(store: &Store, sum: &Sum) -> Result<(Dyadic, Dyadic), Overflow> {
    let (mut lower, mut upper) = (None, None);
    for temperature in corner_temperatures(store, sum) {
        let (low, high) = bounds_at(store, sum, temperature)?;
        lower = lower.max(Some(low));
        upper = Some(upper.map_or(high, |upper: Dyadic| upper.min(high)));
    }
    Ok((lower.unwrap_or(sum.number()), upper.unwrap_or(sum.number())))
}

/// Both bounds at one temperature.
pub fn bounds_at(store: &Store, sum: &Sum, temperature: Dyadic) -> Result<(Dyadic, Dyadic), Overflow> {
    let (mut lefts, mut rights, mut widest) = (sum.number(), sum.number(), Dyadic::ZERO);
    for &game in sum.games() {
        let walls = store.get(game).walls();
        if walls.temperature <= temperature {
            continue;
        }
        let (left, right) = (walls.left.at(temperature)?, walls.right.at(temperature)?);
        lefts = lefts.plus(left)?;
        rights = rights.plus(right)?;
        widest = widest.max(left.less(right)?);
    }
    Ok((rights.plus(widest)?, lefts.plus(temperature)?))
}

/// The temperatures, rising, at which a wall of a component has a corner.
pub fn corner_temperatures(store: &Store, sum: &Sum) -> Vec<Dyadic> {
    let mut all = Vec::new();
    for &game in sum.games() {
        let walls = store.get(game).walls();
        let corners = walls.left.corners().iter().chain(walls.right.corners());
        all.extend(corners.map(|corner| corner.temperature));
    }
    all.sort_unstable();
    all.dedup();
    all
}

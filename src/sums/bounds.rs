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

use super::thermograph::{Corner, Wall};
use super::{Dyadic, Overflow, Store, Sum};

/// Between what the left stop of `sum` lies, Left to move.
pub fn stop_bounds(store: &Store, sum: &Sum) -> Result<(Dyadic, Dyadic), Overflow> {
    match Scale::of(store, sum) {
        Some(scale) => scale.stop_bounds(store, sum),
        None => stop_bounds_by_definition(store, sum),
    }
}

/// The same, corner by corner in dyadic arithmetic: for numbers that no common scale holds, and to test the other way.
pub fn stop_bounds_by_definition(store: &Store, sum: &Sum) -> Result<(Dyadic, Dyadic), Overflow> {
    let (mut lower, mut upper) = (None, None);
    for temperature in corner_temperatures(store, sum) {
        let (low, high) = bounds_at(store, sum, temperature)?;
        lower = lower.max(Some(low));
        upper = Some(upper.map_or(high, |upper: Dyadic| upper.min(high)));
    }
    Ok((lower.unwrap_or(sum.number()), upper.unwrap_or(sum.number())))
}

/// All numbers of a sum as integers, over a common denominator of two to this exponent.
struct Scale(u32);

impl Scale {
    /// Every sum of the sum's numbers over the denominator fits into 62 bits. `None`: it may not.
    fn of(store: &Store, sum: &Sum) -> Option<Self> {
        let (mut exponent, mut largest) = (sum.number().exponent(), whole_bits(sum.number()));
        for corner in corners(store, sum) {
            for number in [corner.value, corner.temperature] {
                exponent = exponent.max(number.exponent());
                largest = largest.max(whole_bits(number));
            }
        }
        let terms = usize::BITS - (2 * sum.games().len() + 2).leading_zeros();
        (exponent + largest + terms <= 62).then_some(Self(exponent))
    }

    fn scaled(&self, number: Dyadic) -> i64 {
        number.numerator() << (self.0 - number.exponent())
    }

    fn stop_bounds(&self, store: &Store, sum: &Sum) -> Result<(Dyadic, Dyadic), Overflow> {
        let mut grid: Vec<i64> = corners(store, sum).map(|corner| self.scaled(corner.temperature)).collect();
        grid.sort_unstable();
        grid.dedup();
        let number = self.scaled(sum.number());
        // At each temperature of the grid: the sums of the walls, and the greatest distance between two.
        let mut at = vec![(number, number, 0); grid.len()];
        for &game in sum.games() {
            let walls = store.get(game).walls();
            let (mut left, mut right) = (Walk::new(self, &walls.left), Walk::new(self, &walls.right));
            for (&temperature, (lefts, rights, widest)) in grid.iter().zip(&mut at) {
                let (l, r) = (left.at(temperature), right.at(temperature));
                *lefts += l;
                *rights += r;
                *widest = (l - r).max(*widest);
            }
        }
        let lower = at.iter().map(|(_, rights, widest)| rights + widest).max().unwrap_or(number);
        let upper = at.iter().zip(&grid).map(|((lefts, ..), t)| lefts + t).min().unwrap_or(number);
        Ok((Dyadic::new(lower.into(), self.0)?, Dyadic::new(upper.into(), self.0)?))
    }
}

/// Bits of the whole part.
fn whole_bits(number: Dyadic) -> u32 {
    let bits = u64::BITS - number.numerator().unsigned_abs().leading_zeros();
    bits.saturating_sub(number.exponent())
}

/// Reads a wall's values at rising temperatures.
struct Walk<'a> {
    scale: &'a Scale,
    corners: &'a [Corner],
    here: (i64, i64),
    next: Option<(i64, i64)>,
}

impl<'a> Walk<'a> {
    fn new(scale: &'a Scale, wall: &'a Wall) -> Self {
        let mut walk = Self { scale, corners: wall.corners(), here: (0, 0), next: None };
        walk.next = walk.take();
        walk
    }

    /// The next corner: its temperature and value.
    fn take(&mut self) -> Option<(i64, i64)> {
        let (first, rest) = self.corners.split_first()?;
        self.corners = rest;
        Some((self.scale.scaled(first.temperature), self.scale.scaled(first.value)))
    }

    /// The value at a temperature that is not below that of the last call, nor below the wall's first corner.
    fn at(&mut self, temperature: i64) -> i64 {
        while let Some(next) = self.next.filter(|next| next.0 <= temperature) {
            self.here = next;
            self.next = self.take();
        }
        let slope = self.next.map_or(0, |next| (next.1 - self.here.1).signum());
        self.here.1 + slope * (temperature - self.here.0)
    }
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
    let mut all: Vec<Dyadic> = corners(store, sum).map(|corner| corner.temperature).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The corners of all walls.
fn corners<'a>(store: &'a Store, sum: &'a Sum) -> impl Iterator<Item = &'a Corner> + 'a {
    sum.games().iter().flat_map(|&game| {
        let walls = store.get(game).walls();
        walls.left.corners().iter().chain(walls.right.corners())
    })
}

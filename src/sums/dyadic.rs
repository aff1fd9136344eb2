//! [`Dyadic`]: exact rationals whose denominator is a power of two, with checked arithmetic.
//!
//! The numbers of short combinatorial games, their stops, means and temperatures are all of this kind. An operation
//! whose result does not fit says [`Overflow`]; none is ever rounded.

use super::Failure;
use crate::bstar::Value;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Bound, Neg};

/// `numerator / 2^exponent` in lowest terms.
///
/// [`Value::MIN`] and [`Value::MAX`] are the two ends beyond every number; arithmetic never yields them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dyadic {
    numerator: i64,
    exponent: u8,
}

/// Numerators stay below this in size, so that the ends `i64::MAX` and `-i64::MAX` are no numbers.
const LIMIT: i128 = 1 << 62;
/// The greatest exponent: a numerator of 62 bits is not shifted out of an `i128` by the difference of two exponents.
const FINEST: u8 = 62;

/// A number does not fit: beyond 2^62 in size, or finer than 1/2^62.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

impl Dyadic {
    /// 0.
    pub const ZERO: Self = Self { numerator: 0, exponent: 0 };
    /// 1.
    pub const ONE: Self = Self { numerator: 1, exponent: 0 };
    /// -1: where an extended thermograph begins.
    pub const MINUS_ONE: Self = Self { numerator: -1, exponent: 0 };

    /// `numerator / 2^exponent`, brought to lowest terms.
    pub fn new(numerator: i128, exponent: u32) -> Result<Self, Overflow> {
        if numerator == 0 {
            return Ok(Self::ZERO);
        }
        let shift = numerator.trailing_zeros().min(exponent);
        let (numerator, exponent) = (numerator >> shift, exponent - shift);
        if numerator.abs() >= LIMIT || exponent > u32::from(FINEST) {
            return Err(Overflow);
        }
        Ok(Self { numerator: numerator as i64, exponent: exponent as u8 })
    }

    /// The integer `n`.
    pub fn integer(n: i64) -> Result<Self, Overflow> {
        Self::new(i128::from(n), 0)
    }

    /// `numerator / denominator`, or `None` when the denominator (in lowest terms) is no power of two.
    pub fn fraction(numerator: i64, denominator: i64) -> Option<Result<Self, Overflow>> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
        let size = denominator.unsigned_abs() / divisor;
        if !size.is_power_of_two() {
            return None;
        }
        let sign = if denominator < 0 { -1 } else { 1 };
        Some(Self::new(i128::from(numerator) / i128::from(divisor) * sign, size.trailing_zeros()))
    }

    /// The numerator in lowest terms.
    pub const fn numerator(self) -> i64 {
        self.numerator
    }

    /// The binary logarithm of the denominator in lowest terms.
    pub const fn exponent(self) -> u32 {
        self.exponent as u32
    }

    /// A whole number?
    pub const fn is_integer(self) -> bool {
        self.exponent == 0
    }

    /// One of the two ends beyond every number?
    pub const fn is_end(self) -> bool {
        self.numerator == i64::MAX || self.numerator == -i64::MAX
    }

    /// -1, 0 or 1.
    pub const fn signum(self) -> i8 {
        self.numerator.signum() as i8
    }

    /// The numerator over `2^exponent`, for an exponent that is no less than its own.
    fn over(self, exponent: u8) -> i128 {
        i128::from(self.numerator) << (exponent - self.exponent)
    }

    /// `self + other`.
    pub fn plus(self, other: Self) -> Result<Self, Overflow> {
        if self.is_end() || other.is_end() {
            return Err(Overflow);
        }
        if self.exponent == 0 && other.exponent == 0 {
            return Self::new(i128::from(self.numerator) + i128::from(other.numerator), 0);
        }
        let exponent = self.exponent.max(other.exponent);
        Self::new(self.over(exponent) + other.over(exponent), u32::from(exponent))
    }

    /// `self - other`.
    pub fn less(self, other: Self) -> Result<Self, Overflow> {
        self.plus(-other)
    }

    /// `self / 2`.
    pub fn half(self) -> Result<Self, Overflow> {
        if self.is_end() {
            return Err(Overflow);
        }
        Self::new(i128::from(self.numerator), u32::from(self.exponent) + 1)
    }

    /// Without its sign.
    pub const fn abs(self) -> Self {
        Self { numerator: self.numerator.abs(), exponent: self.exponent }
    }

    /// The nearest real number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / (1u64 << self.exponent) as f64
    }

    /// The simplest number between the two ends (Conway 1976): the integer nearest to 0, else the number with the
    /// smallest denominator, of which there is then one. `None` when nothing lies between, or nothing coarser than
    /// 1/2^62, which is an [`Overflow`].
    pub fn simplest(lower: Bound<Self>, upper: Bound<Self>) -> Result<Option<Self>, Overflow> {
        if is_empty(lower, upper) {
            return Ok(None);
        }
        if above(Self::ZERO, lower) && below(Self::ZERO, upper) {
            return Ok(Some(Self::ZERO));
        }
        if above(Self::ZERO, lower) {
            // All of it is negative.
            return Ok(Self::simplest(mirror(upper), mirror(lower))?.map(|x| -x));
        }
        for exponent in 0..=FINEST {
            let candidate = least_multiple(lower, exponent)?;
            if below(candidate, upper) {
                return Ok(Some(candidate));
            }
        }
        Err(Overflow)
    }

    /// The options of a number's canonical form, Left's and Right's: `n = {n-1|}` for a positive integer, `-n =
    /// {|-(n-1)}`, `0 = {|}`, and `m/2^k = {(m-1)/2^k | (m+1)/2^k}`.
    pub fn options(self) -> Result<(Option<Self>, Option<Self>), Overflow> {
        if self.exponent > 0 {
            let step = Self { numerator: 1, exponent: self.exponent };
            return Ok((Some(self.less(step)?), Some(self.plus(step)?)));
        }
        Ok(match self.numerator.cmp(&0) {
            Ordering::Greater => (Some(self.less(Self::ONE)?), None),
            Ordering::Equal => (None, None),
            Ordering::Less => (None, Some(self.plus(Self::ONE)?)),
        })
    }
}

/// The least multiple of `1/2^exponent` above a bound that excludes 0 and everything below it.
fn least_multiple(lower: Bound<Dyadic>, exponent: u8) -> Result<Dyadic, Overflow> {
    let (end, open) = match lower {
        Bound::Included(end) => (end, false),
        Bound::Excluded(end) => (end, true),
        Bound::Unbounded => (Dyadic::ZERO, true),
    };
    let (floor, whole) = if end.exponent <= exponent {
        (end.over(exponent), true)
    } else {
        (i128::from(end.numerator) >> (end.exponent - exponent), false)
    };
    Dyadic::new(if whole && !open { floor } else { floor + 1 }, u32::from(exponent))
}

fn above(x: Dyadic, lower: Bound<Dyadic>) -> bool {
    match lower {
        Bound::Included(end) => x >= end,
        Bound::Excluded(end) => x > end,
        Bound::Unbounded => true,
    }
}

fn below(x: Dyadic, upper: Bound<Dyadic>) -> bool {
    above(-x, mirror(upper))
}

fn mirror(bound: Bound<Dyadic>) -> Bound<Dyadic> {
    bound.map(|end| -end)
}

fn is_empty(lower: Bound<Dyadic>, upper: Bound<Dyadic>) -> bool {
    match (lower, upper) {
        (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
        (Bound::Included(a), Bound::Included(b)) => a > b,
        (Bound::Included(a) | Bound::Excluded(a), Bound::Included(b) | Bound::Excluded(b)) => a >= b,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Neg for Dyadic {
    type Output = Self;
    fn neg(self) -> Self {
        Self { numerator: -self.numerator, exponent: self.exponent }
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.numerator.cmp(&other.numerator);
        }
        let exponent = self.exponent.max(other.exponent);
        self.over(exponent).cmp(&other.over(exponent))
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_end(), self.exponent) {
            (true, _) => f.pad(if self.numerator > 0 { "inf" } else { "-inf" }),
            (false, 0) => f.pad(&self.numerator.to_string()),
            (false, exponent) => f.pad(&format!("{}/{}", self.numerator, 1u64 << exponent)),
        }
    }
}

impl fmt::Debug for Dyadic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Value for Dyadic {
    const MIN: Self = Self { numerator: -i64::MAX, exponent: 0 };
    const MAX: Self = Self { numerator: i64::MAX, exponent: 0 };

    fn minus(self, other: Self) -> f64 {
        if self == other {
            0.0
        } else if self.is_end() || other.is_end() {
            if self > other { f64::INFINITY } else { f64::NEG_INFINITY }
        } else {
            self.to_f64() - other.to_f64()
        }
    }
}

impl fmt::Display for Overflow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a number is too large or too fine (limits: 2^62 and 1/2^62)")
    }
}

impl std::error::Error for Overflow {}

impl From<Overflow> for Failure {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(numerator: i64, denominator: i64) -> Dyadic {
        Dyadic::fraction(numerator, denominator).unwrap().unwrap()
    }

    #[test]
    fn fractions_are_brought_to_lowest_terms() {
        assert_eq!(d(6, 8), d(3, 4));
        assert_eq!(d(-39, 13), d(-3, 1));
        assert_eq!(d(3, -4), d(-3, 4));
        assert_eq!(d(3, 4).to_string(), "3/4");
        assert_eq!(Dyadic::fraction(1, 3), None);
        assert_eq!(Dyadic::fraction(1, 0), None);
    }

    #[test]
    fn order_and_arithmetic_are_exact() {
        assert!(d(1, 2) < d(3, 4) && d(-1, 2) > d(-3, 4) && d(5, 1) < Dyadic::MAX && Dyadic::MIN < d(-5, 8));
        assert_eq!(d(1, 2).plus(d(1, 4)), Ok(d(3, 4)));
        assert_eq!(d(1, 2).less(d(1, 2)), Ok(Dyadic::ZERO));
        assert_eq!(d(3, 1).half(), Ok(d(3, 2)));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let large = Dyadic::integer((1 << 62) - 1).unwrap();
        assert_eq!(large.plus(Dyadic::ONE), Err(Overflow));
        assert_eq!(Dyadic::integer(i64::MAX), Err(Overflow));
        assert_eq!(Dyadic::new(1, 62).unwrap().half(), Err(Overflow));
        assert_eq!(Dyadic::MAX.plus(Dyadic::MINUS_ONE), Err(Overflow));
        assert_eq!(large.plus(Dyadic::new(1, 62).unwrap()), Err(Overflow));
    }

    #[test]
    fn the_simplest_number_follows_conway() {
        use Bound::{Excluded as E, Included as I, Unbounded as U};
        let simplest = |lower, upper| Dyadic::simplest(lower, upper).unwrap();
        assert_eq!(simplest(U, U), Some(Dyadic::ZERO));
        assert_eq!(simplest(E(d(2, 1)), U), Some(d(3, 1)));
        assert_eq!(simplest(E(d(0, 1)), E(d(1, 1))), Some(d(1, 2)));
        assert_eq!(simplest(E(d(1, 4)), E(d(1, 1))), Some(d(1, 2)));
        assert_eq!(simplest(E(d(-7, 2)), E(d(-5, 4))), Some(d(-2, 1)));
        assert_eq!(simplest(I(d(1, 4)), E(d(1, 2))), Some(d(1, 4)));
        assert_eq!(simplest(E(d(5, 8)), E(d(3, 4))), Some(d(11, 16)));
        assert_eq!(simplest(I(d(3, 8)), I(d(3, 8))), Some(d(3, 8)));
        assert_eq!(simplest(E(d(3, 8)), I(d(3, 8))), None);
        assert_eq!(simplest(U, E(d(-3, 1))), Some(d(-4, 1)));
    }
}

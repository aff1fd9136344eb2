//! A plain integer value for the unit tests of the core.

use super::Value;
use std::ops::Neg;

/// An integer between -1000 and 1000.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Points(pub i32);

impl Neg for Points {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Value for Points {
    const MIN: Self = Self(-1000);
    const MAX: Self = Self(1000);
    fn minus(self, other: Self) -> f64 {
        f64::from(self.0 - other.0)
    }
}

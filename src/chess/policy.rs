//! [`ChessPolicy`]: which question is asked next, by the name under which a user chooses it.

use crate::bstar::strategy::Policy;
use std::fmt;
use std::str::FromStr;

/// A policy of either family.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChessPolicy {
    /// Recursive updates that return settled: see [`settled`](crate::bstar::settled).
    #[default]
    Settled,
    /// One leaf at a time, by one of B\*'s classical rules.
    Stepwise(Policy),
}

/// The name of [`ChessPolicy::Settled`].
const SETTLED: &str = "Settled";

impl ChessPolicy {
    /// All policies that have a name of their own, the default first.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Settled).chain(Policy::NAMED.into_iter().map(Self::Stepwise))
    }

    /// The name by which a user chooses it.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Settled => SETTLED,
            Self::Stepwise(policy) => policy.name(),
        }
    }
}

impl fmt::Display for ChessPolicy {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settled => out.write_str(SETTLED),
            Self::Stepwise(policy) => policy.fmt(out),
        }
    }
}

impl FromStr for ChessPolicy {
    type Err = String;

    /// The policy of this name, without regard to case; else what names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        if name.eq_ignore_ascii_case(SETTLED) {
            return Ok(Self::Settled);
        }
        let names: Vec<_> = Self::all().map(|policy| policy.name()).collect();
        name.parse().map(Self::Stepwise).map_err(|_| format!("one of {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for policy in ChessPolicy::all() {
            assert_eq!(policy.name().to_uppercase().parse(), Ok(policy));
        }
        assert!("fastest".parse::<ChessPolicy>().unwrap_err().contains("Settled, BestFirst"));
    }
}

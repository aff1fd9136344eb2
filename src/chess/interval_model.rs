//! Which interval is put around what a probe found.

use std::fmt;
use std::str::FromStr;

/// A source of intervals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IntervalModel {
    /// The network's own quantiles of what a deeper search will say, narrowed by a measured share with the probe's depth
    /// ([`error_model`](super::error_model)).
    #[default]
    Learned,
    /// The realistic value plus and minus a measured quantile of the probe's error by depth and volatility.
    ErrorModel,
    /// What each side reaches when the other one passes once (Palay 1985).
    NullMove,
}

impl IntervalModel {
    /// All models, the default first.
    pub const ALL: [Self; 3] = [Self::Learned, Self::ErrorModel, Self::NullMove];

    /// The name by which a user chooses it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learned => "Learned",
            Self::ErrorModel => "ErrorModel",
            Self::NullMove => "NullMove",
        }
    }
}

impl fmt::Display for IntervalModel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for IntervalModel {
    type Err = String;

    /// The model of this name, without regard to case; else what names there are.
    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|model| model.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| format!("one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

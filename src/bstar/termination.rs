//! Why a search ended.

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// One root move was proved at least as good as every other, as far as the intervals can be trusted.
    Separated,
    /// There was only one move.
    OnlyMove,
    /// What the search was allowed to spend is spent, or nothing is left to ask.
    Budget,
    /// Its monitor interrupted it.
    Stopped,
}

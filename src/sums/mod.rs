//! Sums of combinatorial games: a second game for the B\* core, with bounds that are facts.

pub mod bounds;
pub mod component;
mod domain;
mod dyadic;
mod game;
mod guard;
mod outcome;
pub mod parse;
mod score;
mod sum;
pub mod thermograph;

pub use domain::{Action, Counting, SumDomain};
pub use dyadic::{Dyadic, Overflow};
pub use game::{Game, GameId, Side, Stops, Store, Term};
pub use guard::{Failure, Guard};
pub use outcome::Outcomes;
pub use score::Score;
pub use sum::Sum;

//! Sums of combinatorial games: a second game for the B\* core, with bounds that are facts.

pub mod component;
mod dyadic;
mod game;
mod guard;
pub mod parse;
pub mod thermograph;

pub use dyadic::{Dyadic, Overflow};
pub use game::{Game, GameId, Side, Stops, Store, Term};
pub use guard::{Failure, Guard};

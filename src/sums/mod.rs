//! Sums of combinatorial games: a second game for the B\* core, with bounds that are facts.

pub mod alphabeta;
pub mod bounds;
pub mod command;
pub mod compare;
pub mod component;
mod domain;
mod dyadic;
mod game;
mod guard;
mod incentives;
mod json;
pub mod names;
mod outcome;
pub mod parse;
pub mod problem;
pub mod random;
pub mod report;
mod score;
pub mod session;
pub mod solve;
pub mod strategies;
mod sum;
pub mod svg;
pub mod thermograph;

pub use domain::{Action, Counting, FirstMove, Scope, SumDomain};
pub use dyadic::{Dyadic, Overflow};
pub use game::{Game, GameId, Side, Stops, Store, Term};
pub use guard::{Failure, Guard};
pub use incentives::{Incentives, Move};
pub use outcome::{Goal, Outcomes};
pub use score::Score;
pub use sum::Sum;

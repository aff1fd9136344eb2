//! Sums of combinatorial games: a second game for the B\* core, with bounds that are facts.
//!
//! A position is a sum of independent components, of which the mover plays in one. What is counted is the number that
//! is reached when every component has become a number (the *stop*), and, where that is 0, who has the last move.
//! Thermographs of the components bound the stop of the whole, and the core does the rest: it knows nothing of games.
//!
//! From below upwards:
//! - [`Dyadic`]: exact numbers. [`Store`], [`Term`]: canonical forms, each held once. [`thermograph`]: stops under cooling.
//! - [`component`]: trees and boards, and their values. [`parse`]: reading them. [`names`]: writing values.
//! - [`Sum`]: the normal form of a sum. [`bounds`]: what thermographs prove of it. [`Outcomes`]: exact answers where they
//!   cannot. [`Incentives`]: moves that need not be looked at.
//! - [`Score`], [`SumDomain`]: the [`Domain`](crate::bstar::Domain) of all this. [`solve`]: best moves, stops and winners.
//! - [`alphabeta`], [`strategies`], [`random`], [`compare`]: what B\* is measured against, and on what.
//! - [`command`]: `regulus sum`, with [`session`], [`problem`], [`report`] and [`svg`].
//!
//! Left is the maximiser and is called Black on boards. Inside a [`Sum`] and everything searched the side to move is always
//! Left: after a move the sum is turned.

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

//! B\*: best-first search with an interval at every node.

pub mod backup;
mod domain;
pub mod graph;
mod interval;
mod monitor;
pub mod search;
pub mod settled;
pub mod strategy;
mod termination;
#[cfg(test)]
mod test_value;
pub mod validate;

pub use domain::{Domain, LeafStep, Successor};
pub use graph::{Edge, Full, Graph, NodeId};
pub use interval::{Effort, Estimate, Interval, Question, Value};
pub use monitor::{Interrupted, Monitor, Unwatched};
pub use search::{Decision, Search, Settings};
pub use strategy::Policy;
pub use termination::Termination;
pub use validate::validate;

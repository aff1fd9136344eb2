//! B\*: best-first search with an interval at every node.

pub mod backup;
mod domain;
pub mod graph;
mod interval;
mod monitor;
pub mod settled;
mod termination;
#[cfg(test)]
mod test_value;

pub use domain::{Domain, LeafStep, Successor};
pub use graph::{Edge, Full, Graph, NodeId};
pub use interval::{Effort, Estimate, Interval, Question, Value};
pub use monitor::{Interrupted, Monitor, Unwatched};
pub use termination::Termination;

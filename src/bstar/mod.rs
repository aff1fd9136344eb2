//! B\*: best-first search with an interval at every node.

mod domain;
mod interval;
mod monitor;

pub use domain::{Domain, LeafStep, Successor};
pub use interval::{Effort, Estimate, Interval, Question, Value};
pub use monitor::{Interrupted, Monitor, Unwatched};

//! [`Guard`]: the limits within which games are simplified and searched, and [`Failure`], what hitting one is called.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why a computation ended without a result. Nothing that was stored before is wrong afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A number did not fit; see [`Overflow`](super::Overflow).
    Overflow,
    /// The memory limit was reached.
    Memory,
    /// The limit on expansions was reached.
    Nodes,
    /// The time is over, or the user said stop.
    Interrupted,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow => super::Overflow.fmt(f),
            Self::Memory => write!(f, "out of memory (--memory)"),
            Self::Nodes => write!(f, "out of nodes (--nodes)"),
            Self::Interrupted => write!(f, "interrupted (--time, or the user)"),
        }
    }
}

impl std::error::Error for Failure {}

/// Time, a stop flag, and memory. Cheap to ask: it looks at the clock every [`Guard::STRIDE`] steps only.
#[derive(Clone, Debug)]
pub struct Guard {
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    bytes: usize,
    countdown: u32,
    ended: bool,
}

impl Guard {
    /// Steps (comparisons of two games, about a microsecond each) between two looks at the clock.
    pub const STRIDE: u32 = 256;

    /// Ends at `deadline`, if any, or when `stop` is set; stored games may take `bytes`.
    pub fn new(deadline: Option<Instant>, stop: Arc<AtomicBool>, bytes: usize) -> Self {
        Self { deadline, stop, bytes, countdown: 0, ended: false }
    }

    /// No limit at all.
    pub fn none() -> Self {
        Self::new(None, Arc::new(AtomicBool::new(false)), usize::MAX)
    }

    /// One step was done, and `bytes` are in use.
    pub fn step(&mut self, bytes: usize) -> Result<(), Failure> {
        if bytes > self.bytes {
            return Err(Failure::Memory);
        }
        if self.countdown > 0 && !self.ended {
            self.countdown -= 1;
            return Ok(());
        }
        self.countdown = Self::STRIDE;
        self.look()
    }

    /// Looks at the clock and the flag now.
    pub fn look(&mut self) -> Result<(), Failure> {
        self.ended |= self.stop.load(Ordering::Relaxed);
        self.ended |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.ended { Err(Failure::Interrupted) } else { Ok(()) }
    }

    /// Bytes allowed in all.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

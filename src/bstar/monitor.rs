//! [`Monitor`]: progress goes out, go on or stop comes back. The core reads no clock and prints nothing.

/// The monitor said stop: the step under way was left without a result, and everything stored stays as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Watches a search from outside and ends it.
///
/// Once it has said [`Interrupted`] it must go on saying so until the search has returned.
pub trait Monitor {
    /// `units` of work were done since the last call (chess: probe nodes; a domain without probes counts one for
    /// each expansion or refinement). Called often: at every expansion and every few hundred units inside a step.
    fn work(&mut self, units: u64) -> Result<(), Interrupted>;

    /// Units of work that may be done before the next call: who does more at a time oversteps a limit. At least 1, and a
    /// guide only: a step that cannot be cut so fine may be taken whole.
    fn allowance(&self) -> u64 {
        u64::MAX
    }

    /// Asked at separation: is the answer good enough, or shall the search widen what it only believes and go on?
    fn good_enough(&mut self) -> bool {
        true
    }

    /// For who records a search: until the matching [`ends`](Self::ends) one of the choices at the position under way is asked about,
    /// of this rank, from 1. Told where several workers would share the choices,
    /// by a domain perhaps in some builds only.
    fn begins(&mut self, _rank: usize, _layer: Layer) {}

    /// The choice that was begun last is answered; `decides`: the position needs no other one. Not told when the search is interrupted.
    fn ends(&mut self, _decides: bool, _layer: Layer) {}
}

/// Who asks about a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// The search of the graph.
    Graph,
    /// What the domain does to answer it (chess: a probe).
    Domain,
}

/// Never stops, counts nothing.
pub struct Unwatched;

impl Monitor for Unwatched {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        Ok(())
    }
}

/// Passes everything on to another monitor, and adds up the work.
pub(super) struct Meter<'m> {
    monitor: &'m mut dyn Monitor,
    /// Units so far.
    pub work: u64,
}

impl<'m> Meter<'m> {
    /// A meter that shows nothing yet.
    pub fn new(monitor: &'m mut dyn Monitor) -> Self {
        Self { monitor, work: 0 }
    }
}

impl Monitor for Meter<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.work += units;
        self.monitor.work(units)
    }

    fn allowance(&self) -> u64 {
        self.monitor.allowance()
    }

    fn good_enough(&mut self) -> bool {
        self.monitor.good_enough()
    }

    fn begins(&mut self, rank: usize, layer: Layer) {
        self.monitor.begins(rank, layer);
    }

    fn ends(&mut self, decides: bool, layer: Layer) {
        self.monitor.ends(decides, layer);
    }
}

//! The crew: threads that help the search thread, kept from move to move, each with a state of its own.
//!
//! ```text
//!   search thread --- work, FIFO ---> helper 1 (its own state)
//!                 --- work, FIFO ---> helper 2 ...
//!                 <--- mishaps -----
//! ```
//! A helper that is still busy takes the next piece of work when it has ended the last one, so nobody waits for
//! a helper to stop: who has told it to end ([`Shift::end`]) may go on at once. A helper that panics reports a
//! mishap, gets a fresh state, and is there for the next piece of work; the others go on.

use crate::bstar::{Interrupted, Monitor};
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, JoinHandle};

/// What a helper does: with its state, and its number, from 1 (the search thread is 0).
type Work<S> = Arc<dyn Fn(&mut S, usize) + Send + Sync>;

/// Makes a helper's state.
type Make<S> = Arc<dyn Fn() -> S + Send + Sync>;

/// So many helpers. Dropping the crew waits until each has ended its work.
pub struct Crew<S> {
    helpers: Vec<Helper<S>>,
    mishaps: Receiver<String>,
}

struct Helper<S> {
    work: Sender<Work<S>>,
    thread: JoinHandle<()>,
}

impl<S: 'static> Crew<S> {
    /// No helpers.
    pub fn none() -> Self {
        Self { helpers: Vec::new(), mishaps: unbounded().1 }
    }

    /// Starts `count` threads, or as many as the operating system gives, each of which makes its own state.
    pub fn muster(count: usize, make: impl Fn() -> S + Send + Sync + 'static) -> Self {
        let make: Make<S> = Arc::new(make);
        let (report, mishaps) = unbounded();
        let helpers = (1..=count).map_while(|number| {
            let (work, inbox) = unbounded();
            let (make, report) = (Arc::clone(&make), report.clone());
            let thread = Builder::new()
                .name(format!("helper {number}"))
                .stack_size(super::STACK)
                .spawn(move || serve(number, &make, &inbox, &report));
            Some(Helper { work, thread: thread.ok()? })
        });
        Self { helpers: helpers.collect(), mishaps }
    }

    /// How many helpers there are.
    pub fn len(&self) -> usize {
        self.helpers.len()
    }

    /// Gives all helpers this work, and does not wait for its end.
    pub fn set_off(&self, work: impl Fn(&mut S, usize) + Send + Sync + 'static) {
        let work: Work<S> = Arc::new(work);
        for helper in &self.helpers {
            // A helper ends only with its crew.
            let _ = helper.work.send(Arc::clone(&work));
        }
    }

    /// Has all helpers do this, after what they are at, and waits until it is done.
    pub fn each(&self, work: impl Fn(&mut S) + Send + Sync + 'static) {
        let (done, all_done) = bounded::<()>(0);
        self.set_off(move |state, _| {
            let _held = &done;
            work(state);
        });
        // Nothing is ever sent: it disconnects when the last helper has let go of the work.
        let _ = all_done.recv();
    }

    /// What went wrong since this was last asked: sentences for the user.
    pub fn mishaps(&self) -> impl Iterator<Item = String> + '_ {
        self.mishaps.try_iter()
    }
}

impl<S> Drop for Crew<S> {
    fn drop(&mut self) {
        let threads: Vec<_> = self.helpers.drain(..).map(|helper| helper.thread).collect();
        for thread in threads {
            if thread.join().is_err() {
                log::error!("a helper thread has panicked");
            }
        }
    }
}

/// A helper's life.
fn serve<S>(number: usize, make: &Make<S>, inbox: &Receiver<Work<S>>, report: &Sender<String>) {
    let mut state = make();
    while let Ok(work) = inbox.recv() {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&mut state, number))) {
            let words = super::words_of(&*panic);
            let _ = report.send(format!("internal error in helper {number}: {words}; the others go on"));
            state = make();
        }
    }
}

/// One search by all workers: what all of them have done, and whether it is over.
///
/// The count and the flag share a cache line, and it is its only inhabitant: whoever counts has the line anyway.
/// Relaxed orders suffice, for nothing is published through them.
#[repr(align(128))]
pub struct Shift {
    spent: AtomicU64,
    /// The search is over when all together have done so many.
    limit: u64,
    workers: u64,
    over: AtomicBool,
}

impl Shift {
    /// A search of at most so many nodes by so many workers.
    pub fn new(limit: Option<u64>, workers: usize) -> Self {
        Self {
            spent: AtomicU64::new(0),
            limit: limit.unwrap_or(u64::MAX),
            workers: u64::try_from(workers).unwrap_or(1).max(1),
            over: AtomicBool::new(false),
        }
    }

    /// Nodes that each worker may do before it counts them: its share of what is left. Since the others may be about to count
    /// theirs, the limit can be overstepped by what they do between two counts, some hundred nodes each.
    pub fn allowance(&self) -> u64 {
        (self.limit.saturating_sub(self.spent.load(Relaxed)) / self.workers).max(1)
    }

    /// A worker did so much. Returns what all have done.
    pub fn count(&self, units: u64) -> u64 {
        self.spent.fetch_add(units, Relaxed) + units
    }

    /// Tells all helpers to end; each hears it within a few hundred nodes, a fraction of a millisecond.
    pub fn end(&self) {
        self.over.store(true, Relaxed);
    }
}

/// A helper's part in a search.
pub struct OnShift(pub Arc<Shift>);

impl Monitor for OnShift {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        let spent = self.0.count(units);
        if self.0.over.load(Relaxed) || spent >= self.0.limit { Err(Interrupted) } else { Ok(()) }
    }

    fn allowance(&self) -> u64 {
        self.0.allowance()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn each_helper_keeps_its_state() {
        let crew = Crew::muster(3, || 0u32);
        assert_eq!(crew.len(), 3);
        crew.each(|state| *state += 1);
        crew.each(|state| *state += 10);
        let sum = Arc::new(AtomicUsize::new(0));
        let total = Arc::clone(&sum);
        crew.each(move |state| {
            total.fetch_add(*state as usize, Relaxed);
        });
        assert_eq!(sum.load(Relaxed), 33);
    }

    #[test]
    fn a_panic_is_told_and_the_helper_serves_on_with_a_fresh_state() {
        let crew = Crew::muster(2, || 7u32);
        crew.set_off(|state, number| {
            *state = 0;
            assert_ne!(number, 2, "a test's poison");
        });
        let sum = Arc::new(AtomicUsize::new(0));
        let total = Arc::clone(&sum);
        crew.each(move |state| {
            total.fetch_add(*state as usize, Relaxed);
        });
        assert_eq!(sum.load(Relaxed), 7, "the first one's 0 and a fresh 7");
        let told: Vec<_> = crew.mishaps().collect();
        assert!(matches!(&told[..], [one] if one.contains("helper 2") && one.contains("poison")), "{told:?}");
    }

    #[test]
    fn a_shift_ends_at_its_limit_and_by_order() {
        let shift = Arc::new(Shift::new(Some(100), 2));
        let mut helper = OnShift(Arc::clone(&shift));
        assert_eq!(helper.work(60), Ok(()));
        assert_eq!(helper.allowance(), 20, "two workers share what is left");
        assert_eq!(shift.count(40), 100);
        assert_eq!(helper.work(0), Err(Interrupted));
        let endless = Arc::new(Shift::new(None, 2));
        let mut helper = OnShift(Arc::clone(&endless));
        assert_eq!(helper.work(1 << 40), Ok(()));
        endless.end();
        assert_eq!(helper.work(0), Err(Interrupted));
    }

    #[test]
    fn a_crew_that_goes_ends_its_work_first() {
        let ended = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&ended);
        let crew = Crew::muster(2, || ());
        crew.set_off(move |(), _| {
            count.fetch_add(1, Relaxed);
        });
        drop(crew);
        assert_eq!(ended.load(Relaxed), 2);
    }
}

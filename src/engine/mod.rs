//! The service: a search thread behind two channels. A front end sends [`Command`]s and receives [`Event`]s; it
//! never waits for the search.
//!
//! ```text
//!   front end --- Command, FIFO ---> search thread (worker)
//!             <--- Event, FIFO ----
//! ```
//! Every command that concerns the search thread goes through the one channel, `Stop` included, so there is no
//! flag that could outlive the search that it was meant for. The worker looks into the channel every few
//! hundred nodes. With several threads the helpers of a crew search along; commands and events are the search
//! thread's alone.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod calibrate;
pub mod chance;
pub mod clock;
mod crew;
pub mod datagen;
pub mod error_table;
mod inbox;
pub mod journal;
pub mod lag;
pub mod modes;
pub mod options;
pub mod perft;
pub mod protocol;
pub mod searcher;
mod session;
pub mod setup;
pub mod strength;
pub mod wdl;
mod worker;

use crossbeam_channel::{Receiver, Sender, unbounded};
use journal::Journal;
use protocol::{Command, Event};
use searcher::Searcher;
use std::any::Any;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;
use worker::{MakeSearcher, Worker};

/// Bytes of the search thread's stack: a probe's recursion over a few hundred plies fits many times; it costs
/// only what is used.
const STACK: usize = 64 << 20;

/// The handle that a front end holds. Dropping it ends the search thread.
pub struct Engine {
    commands: Sender<Command>,
    events: Sender<Event>,
    unanswered: Arc<AtomicUsize>,
    journal: Journal,
    worker: JoinHandle<()>,
}

impl Engine {
    /// Starts a search thread; `make_searcher` makes its search, and a fresh one should that ever panic. The
    /// events come out of the receiver, which ends when the thread has ended and the handle is gone.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn start(
        make_searcher: impl Fn() -> Box<dyn Searcher> + Send + 'static,
    ) -> io::Result<(Self, Receiver<Event>)> {
        let (commands, inbox) = unbounded();
        let (events, outbox) = unbounded();
        let unanswered = Arc::new(AtomicUsize::new(0));
        let make_searcher: MakeSearcher = Box::new(make_searcher);
        let journal = Journal::default();
        let (sender, counter, log) = (events.clone(), Arc::clone(&unanswered), journal.clone());
        let worker = Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || Worker::new(inbox, sender, counter, log, make_searcher).run())?;
        Ok((Self { commands, events, unanswered, journal, worker }, outbox))
    }

    /// The debug log, which an option opens; the front end writes to it what comes in and goes out.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Asks for a search, from now on the clock.
    pub fn go(&self, limits: protocol::Limits) -> bool {
        self.unanswered.fetch_add(1, Ordering::AcqRel);
        self.send(Command::Go { limits, received: Instant::now() })
    }

    /// Sends a command; for `Go` there is [`Engine::go`]. `false` when the search thread has ended.
    pub fn send(&self, command: Command) -> bool {
        self.commands.send(command).is_ok()
    }

    /// Asks for [`Event::Ready`]. While a search runs it comes at once; with none it comes when all that was
    /// asked before is done. `false` when the search thread has ended.
    pub fn ask_ready(&self) -> bool {
        if self.is_searching() { self.say(Event::Ready) } else { self.send(Command::Ready) }
    }

    /// Puts an event of the front end's own among the others.
    pub fn say(&self, event: Event) -> bool {
        self.events.send(event).is_ok()
    }

    /// A `go` was sent whose answer is still to come.
    pub fn is_searching(&self) -> bool {
        self.unanswered.load(Ordering::Acquire) > 0
    }

    /// Waits for the search thread's end, which `Quit` or `EndOfInput`, sent before, brings about.
    pub fn join(self) {
        if self.worker.join().is_err() {
            log::error!("the search thread has panicked");
        }
    }
}

/// What a panic said.
fn words_of(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic")
}

#[cfg(test)]
mod tests;

//! The search thread's end of the command channel: commands in their order, and, while a search runs, which of
//! them end it and which wait for its end.
//!
//! | command during a search | what happens |
//! |---|---|
//! | `Stop` | ends it |
//! | `PonderHit` | puts it on the clock |
//! | `Ready`, `Debug`, `Moves` | obeyed at once (`Ready` and `Moves` after a perft or a task, which are no searches) |
//! | `Go`, `Quit` | ends it, and comes next; nothing that was sent after it is looked at before |
//! | `EndOfInput` | ends it if nothing else would; comes next |
//! | all others | wait for its end |

use super::protocol::{Command, Event};
use crossbeam_channel::{Receiver, Sender, TryRecvError};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The search thread's link to the front end: both channels, and how much the front end wants to be told.
pub struct Link {
    /// What is asked.
    pub inbox: Inbox,
    /// Where the answers go.
    pub events: Sender<Event>,
    /// `go`s that were asked and not yet answered; the front end counts up, and each best move down.
    pub unanswered: Arc<AtomicUsize>,
    /// The last `go` taken out of the inbox has its answer.
    pub answered: bool,
    /// Whether to say more about what is done.
    pub debug: bool,
}

impl Link {
    /// Sends an event; `false` when nobody takes it any more. An answer is counted before it is sent: who has
    /// read it and then asks whether we are ready is told so when all is done, not at once as during a search.
    pub fn send(&mut self, event: Event) -> bool {
        if matches!(event, Event::BestMove { .. }) {
            self.answered = true;
            self.unanswered.fetch_sub(1, Ordering::AcqRel);
        }
        self.events.send(event).is_ok()
    }

    /// A sentence for the user.
    pub fn note(&mut self, text: impl Into<String>) -> bool {
        self.send(Event::Note(text.into()))
    }
}

/// What concerns a search in progress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signal {
    /// End it.
    Stop,
    /// Put it on the clock.
    PonderHit,
    /// Nobody is there any more to end it.
    EndOfInput,
    /// Say that the engine is ready.
    Ready,
    /// Say more, or no more.
    Debug(bool),
    /// Tell how the root moves stand.
    Moves,
}

/// Commands in their order.
pub struct Inbox {
    channel: Receiver<Command>,
    /// Taken from the channel during a search, and due after it.
    later: VecDeque<Command>,
}

impl Inbox {
    /// An inbox at this channel.
    pub fn new(channel: Receiver<Command>) -> Self {
        Self { channel, later: VecDeque::new() }
    }

    /// The next command; sleeps until there is one. A front end that is gone has quit.
    pub fn next(&mut self) -> Command {
        self.later.pop_front().or_else(|| self.channel.recv().ok()).unwrap_or(Command::Quit)
    }

    /// The next signal for the search in progress, if there is one now. After [`Signal::Stop`] it must not be
    /// asked again before that search has ended.
    pub fn poll(&mut self) -> Option<Signal> {
        if self.has_end() {
            return Some(Signal::Stop);
        }
        loop {
            let command = match self.channel.try_recv() {
                Ok(command) => command,
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => Command::Quit,
            };
            if let Some(signal) = self.sort(command) {
                return Some(signal);
            }
        }
    }

    /// The same, but sleeps until there is one.
    pub fn wait(&mut self) -> Signal {
        if self.has_end() {
            return Signal::Stop;
        }
        loop {
            let command = self.channel.recv().unwrap_or(Command::Quit);
            if let Some(signal) = self.sort(command) {
                return signal;
            }
        }
    }

    /// What ends everything before it is already here, perhaps since an earlier search. What comes after it, a
    /// stop for instance, is meant for that, not for what is going on now.
    fn has_end(&self) -> bool {
        matches!(self.later.back(), Some(Command::Go { .. } | Command::Quit))
    }

    /// Makes `command`, taken out by [`Inbox::poll`], wait for its turn after all.
    pub fn postpone(&mut self, command: Command) {
        self.later.push_back(command);
    }

    fn sort(&mut self, command: Command) -> Option<Signal> {
        let signal = match command {
            Command::Stop => return Some(Signal::Stop),
            Command::PonderHit => return Some(Signal::PonderHit),
            Command::Ready => return Some(Signal::Ready),
            Command::Debug(on) => return Some(Signal::Debug(on)),
            Command::Moves => return Some(Signal::Moves),
            Command::Go { .. } | Command::Quit => Some(Signal::Stop),
            Command::EndOfInput => Some(Signal::EndOfInput),
            _ => None,
        };
        self.later.push_back(command);
        signal
    }
}

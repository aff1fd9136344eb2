//! The front end: UCI on standard input and output. It reads lines, turns them into commands for the
//! [`Engine`], and a second thread writes events as they come, whole lines, each flushed; neither ever waits
//! for the search.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod command;
pub mod format;

use crate::engine::Engine;
use crate::engine::datagen::openings;
use crate::engine::journal::{Direction, Journal};
use crate::engine::protocol::{Command, Event, Task};
use crate::engine::searcher::Searcher;
use command::{Line, Parsed, parse};
use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, Write};
use std::thread;
use std::time::Duration;

/// How long the end of the program waits for its last lines to be read. They take no time but where the writer gets no processor: half
/// a second was too short once in 800 random sessions on a machine with several times the work that it could do.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Speaks UCI until `quit` or the end of `input`. `bench` makes the work that the command of that name does.
///
/// # Errors
/// When the input cannot be read or the operating system gives no thread.
pub fn run(
    mut input: impl BufRead,
    output: impl Write + Send + 'static,
    make_searcher: impl Fn() -> Box<dyn Searcher> + Send + 'static,
    bench: fn() -> Task,
) -> io::Result<()> {
    let (engine, events) = Engine::start(make_searcher)?;
    let (done, finished) = bounded::<()>(0);
    let journal = engine.journal().clone();
    thread::Builder::new().name("writer".to_owned()).spawn(move || {
        write_events(&events, output, &journal);
        drop(done);
    })?;
    let end = read_lines(&mut input, &engine, bench);
    engine.join();
    // If nobody reads our output the writer hangs in it, and the program ends all the same.
    let _ = finished.recv_timeout(LAST_WORDS);
    end
}

/// Reads until `quit`, the end of the input, or the end of the search thread.
fn read_lines(input: &mut impl BufRead, engine: &Engine, bench: fn() -> Task) -> io::Result<()> {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => {
                engine.send(Command::EndOfInput);
                return Ok(());
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                engine.send(Command::Quit);
                return Err(error);
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        log::debug!("input {:?}", text.trim_end());
        engine.journal().note(Direction::In, text.trim_end());
        let Parsed { line, notes } = parse(&text);
        notes.into_iter().for_each(|note| {
            engine.say(Event::Note(note));
        });
        let quits = line == Line::Quit;
        if !obey(line, engine, bench) {
            // Nobody reads our output any more, so nobody is there to end the search thread either.
            engine.send(Command::Quit);
            return Ok(());
        }
        if quits {
            return Ok(());
        }
    }
}

/// Passes a line on; `false` when nobody is there any more.
fn obey(line: Line, engine: &Engine, bench: fn() -> Task) -> bool {
    match line {
        Line::Empty | Line::Register => true,
        Line::Identify => engine.say(Event::Text(format::identity().join("\n"))),
        Line::Help => engine.say(Event::Text(format::help().join("\n"))),
        Line::Refused(reason) => engine.say(Event::Note(reason)),
        Line::IsReady => engine.ask_ready(),
        Line::Go(limits) => engine.go(limits),
        Line::Debug(on) => engine.send(Command::Debug(on)),
        Line::SetOption { name, value } => engine.send(Command::SetOption { name, value }),
        Line::NewGame => engine.send(Command::NewGame),
        Line::Position(setup) => engine.send(Command::Position(setup)),
        Line::Stop => engine.send(Command::Stop),
        Line::PonderHit => engine.send(Command::PonderHit),
        Line::Show => engine.send(Command::Show),
        Line::Moves => engine.send(Command::Moves),
        Line::Evaluate => engine.send(Command::Evaluate),
        Line::ExportNetwork(file) => engine.send(Command::ExportNetwork(file)),
        Line::Bench => engine.send(Command::Task(bench())),
        Line::GenerateOpenings(wanted) => engine.send(Command::Task(openings::task(wanted))),
        Line::Perft(depth) => engine.send(Command::Perft(depth)),
        Line::Quit => engine.send(Command::Quit),
    }
}

/// Writes events until there are no more or nobody reads them.
fn write_events(events: &Receiver<Event>, mut output: impl Write, journal: &Journal) {
    for event in events {
        let lines = format::event(&event);
        lines.iter().for_each(|line| journal.note(Direction::Out, line));
        let mut text = lines.join("\n");
        text.push('\n');
        // One write for whole lines; a reader that is gone wants no more, and the search thread learns it by
        // its sender.
        if output.write_all(text.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::modes::Modes;
    use std::io::{BufReader, Read};

    /// A user who asks for help for ever.
    struct Helpless;
    impl Read for Helpless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            thread::yield_now();
            let line = b"help\n";
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    /// An output that nobody reads any more.
    struct Broken;
    impl Write for Broken {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_program_ends_when_its_output_is_closed() {
        let (done, finished) = bounded(1);
        thread::spawn(move || {
            let input = BufReader::new(Helpless);
            done.send(run(input, Broken, Modes::boxed, || Task(Box::new(|_, _| ())))).unwrap();
        });
        // The patience only turns a hang into a failure.
        finished.recv_timeout(Duration::from_secs(60)).expect("it hangs").unwrap();
    }
}

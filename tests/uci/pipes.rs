//! What the process does with its pipes and with its time when nobody reads, writes, or asks for anything. No client here:
//! it would read.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// After so long it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

fn start() -> Child {
    Command::new(env!("CARGO_BIN_EXE_regulus"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn assert_ends(mut child: Child) {
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if since.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("the engine does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn input_is_read_while_nobody_reads_the_output() {
    let mut child = start();
    let mut input = child.stdin.take().unwrap();
    let (done, finished) = channel();
    // Some megabytes of answers, far more than a pipe holds.
    thread::spawn(move || {
        let written =
            input.write_all(&b"uci\n".repeat(3_000)).and_then(|()| input.write_all(b"go infinite\nquit\n"));
        done.send((written.is_ok(), input)).unwrap();
    });
    let (written, _input) = finished.recv_timeout(PATIENCE).expect("the engine stopped reading");
    assert!(written);
    assert_ends(child);
}

#[test]
fn the_engine_ends_when_its_runner_has_died() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go", "isready"] {
        let mut child = start();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (mut input, mut output) = (input.unwrap(), BufReader::new(output.unwrap()));
        say(&mut input, go);
        say(&mut input, "isready");
        let mut line = String::new();
        while line != "readyok\n" && line != "readyok\r\n" {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "{go}");
        }
        drop(output);
        drop(input);
        assert_ends(child);
    }
}

fn say(input: &mut ChildStdin, line: &str) {
    writeln!(input, "{line}").and_then(|()| input.flush()).unwrap();
}

/// Ticks of processor time, ten milliseconds each; `None` where `/proc` does not tell.
fn ticks(child: &Child) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name, in brackets, may hold blanks; user and system time are the 12th and 13th fields after it.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

/// An engine that waits, for a stop, a ponderhit or anything, sleeps: there are half seconds without any work.
#[test]
fn waiting_costs_no_processor_time() {
    for lines in [
        &["isready"][..],
        &["go ponder depth 2"],
        &["go infinite depth 2"],
        &["position startpos moves f2f3 e7e5 g2g4 d8h4", "go infinite"],
        &["position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go ponder wtime 1000"],
    ] {
        let mut child = start();
        let mut input = child.stdin.take().unwrap();
        lines.iter().for_each(|line| say(&mut input, line));
        let since = Instant::now();
        while let Some(before) = ticks(&child) {
            thread::sleep(Duration::from_millis(500));
            if ticks(&child) == Some(before) {
                break;
            }
            assert!(since.elapsed() < PATIENCE, "{lines:?}: it works without end");
        }
        drop(input);
        assert_ends(child);
    }
}

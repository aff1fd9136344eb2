//! A UCI client that knows chess and judges each line it reads.

use regulus::chess::Position;
use regulus::chess::fen::{Rules, read_move};
use regulus::engine::options::Options;
use regulus::engine::setup::read_setup;
use regulus::uci::command::{Line, parse};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// After so long a silence the engine hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// One `go` that is still to be answered.
struct Asked {
    position: Position,
    rules: Rules,
    /// First move of the last exact line.
    said: Option<String>,
}

/// The engine, and what it was asked.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    position: Position,
    options: Options,
    asked: VecDeque<Asked>,
    /// Answers so far.
    pub best_moves: usize,
    /// `readyok`s so far.
    pub readies: usize,
}

impl Client {
    /// A running engine.
    ///
    /// Its memory is measured. By default glibc raises the size from which blocks are mapped one by one each time that such a block
    /// is freed, up to 32 MiB, and keeps what is smaller when it is freed; a size that is set stays, so that tables go back
    /// to the system. Other allocators do not read this.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_regulus"))
            .env("MALLOC_MMAP_THRESHOLD_", "1048576")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self {
            input: child.stdin.take(),
            child,
            lines,
            position: Position::startpos(),
            options: Options::default(),
            asked: VecDeque::new(),
            best_moves: 0,
            readies: 0,
        }
    }

    /// A running engine that has said who it is.
    pub fn identified() -> Self {
        let mut client = Self::start();
        client.send("uci");
        client.until("uciok");
        client
    }

    /// Sends a line and remembers what it means. An engine that has ended takes no more, which is no fault.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// The same for a line of bytes, text or not.
    pub fn send_bytes(&mut self, line: &[u8]) {
        self.note(&String::from_utf8_lossy(line));
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(&[line, b"\n"].concat()).and_then(|()| input.flush());
    }

    /// Sends bytes as they are, without a line end; they must mean nothing to the client.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    fn note(&mut self, line: &str) {
        match parse(line).line {
            Line::Position(setup) => {
                if let Ok((position, _)) = read_setup(&setup, self.options.rules()) {
                    self.position = position;
                }
            }
            Line::SetOption { name, value } => {
                let _ = self.options.set(&name, value.as_deref());
            }
            Line::Go(_) => self.asked.push_back(Asked {
                position: self.position.clone(),
                rules: self.options.rules(),
                said: None,
            }),
            _ => {}
        }
    }

    /// The next line, judged; `None` when the engine has closed its output.
    pub fn line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.judge(&line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine hangs"),
        }
    }

    /// Reads up to and including the first line that begins with `start`; returns all of them.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.line().unwrap_or_else(|| panic!("the engine ended before {start:?}: {lines:#?}"));
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends `isready` and reads up to its answer.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// Sends a `go` (or another line) and reads up to the answer; returns the lines and the move.
    pub fn search(&mut self, line: &str) -> (Vec<String>, String) {
        self.send(line);
        self.best_move()
    }

    /// Reads up to the next answer; returns the lines and the move.
    pub fn best_move(&mut self) -> (Vec<String>, String) {
        let lines = self.until("bestmove");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        (lines, best)
    }

    /// Reads until there have been so many answers in all.
    pub fn until_answers(&mut self, count: usize) {
        while self.best_moves < count {
            self.line().expect("an answer before the end");
        }
        assert_eq!(self.best_moves, count);
    }

    /// What the process holds now and the most that it ever held, in bytes; `None` where `/proc` does not tell.
    pub fn memory(&self) -> Option<(u64, u64)> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let kib = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        Some((kib("VmRSS:")? << 10, kib("VmHWM:")? << 10))
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Reads to the end of the output and waits for the process.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            lines.push(line);
        }
        assert!(self.asked.is_empty(), "{} searches without an answer", self.asked.len());
        let since = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (lines, status);
            }
            assert!(since.elapsed() < PATIENCE, "the engine does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// As [`Client::end`], and how many answers and `readyok`s there were in all.
    pub fn end_counted(mut self) -> ((usize, usize), ExitStatus) {
        while self.line().is_some() {}
        let counts = (self.best_moves, self.readies);
        (counts, self.end().1)
    }

    /// Sends `quit`, and the engine ends well.
    pub fn quit(mut self) {
        self.send("quit");
        let (_, status) = self.end();
        assert!(status.success(), "{status}");
    }

    fn judge(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["info", "string", ..] => {}
            ["info", ..] => self.judge_info(line, &words),
            ["bestmove", best] => self.judge_best(line, best, None),
            ["bestmove", best, "ponder", reply] => self.judge_best(line, best, Some(reply)),
            ["bestmove", ..] => panic!("{line}"),
            ["readyok"] => self.readies += 1,
            _ => {
                let glued = ["readyok", "bestmove", "info "].iter().any(|word| line.contains(word));
                assert!(!glued, "two lines in one: {line}");
            }
        }
    }

    fn judge_info(&mut self, line: &str, words: &[&str]) {
        let asked = self.asked.front_mut().unwrap_or_else(|| panic!("unasked: {line}"));
        let number = |name: &str| -> i64 {
            let at =
                words.iter().position(|word| *word == name).unwrap_or_else(|| panic!("no {name}: {line}"));
            words[at + 1].parse().unwrap_or_else(|_| panic!("{name}: {line}"))
        };
        let depth = number("depth");
        assert!(depth >= 1 && number("seldepth") >= depth, "{line}");
        assert!(number("nps") >= 1 && number("nodes") >= 0 && number("time") >= 0, "{line}");
        assert!((0..=1000).contains(&number("hashfull")), "{line}");
        let score =
            words.iter().position(|word| *word == "score").unwrap_or_else(|| panic!("no score: {line}"));
        let mate = words[score + 1] == "mate";
        let value = number(words[score + 1]);
        let is_bound = ["lowerbound", "upperbound"].contains(&words[score + 3]);
        assert!(!(mate && is_bound), "{line}");
        let pv = words.iter().position(|word| *word == "pv").map_or(&[][..], |at| &words[at + 1..]);
        let end = judge_line(line, asked, pv);
        if mate && !is_bound {
            let plies = if value > 0 { 2 * value - 1 } else { -2 * value };
            assert!(pv.len() as i64 <= plies.max(1), "a line longer than the mate: {line}");
            let mated = end.board().status() == cozy_chess::GameStatus::Won;
            assert!((pv.len() as i64) < plies || mated, "the line does not mate: {line}");
        }
        let is_first = !line.contains(" multipv ") || line.contains(" multipv 1 ");
        if !is_bound && is_first {
            asked.said = pv.first().map(|text| (*text).to_owned());
        }
    }

    fn judge_best(&mut self, line: &str, best: &str, reply: Option<&str>) {
        let asked = self.asked.pop_front().unwrap_or_else(|| panic!("unasked: {line}"));
        self.best_moves += 1;
        if best == "(none)" {
            assert!(asked.position.legal_moves().is_empty(), "{line}");
            assert_eq!(reply, None, "{line}");
            return;
        }
        assert_eq!(asked.said.as_deref(), Some(best), "the last line began otherwise: {line}");
        let mut played = vec![best];
        played.extend(reply);
        let end = judge_line(line, &asked, &played);
        assert!(reply.is_none() || end.outcome().is_none(), "the ponder move ends the game: {line}");
    }
}

/// Every move is legal, in the right notation, and played before the game ended; returns the end of the line.
fn judge_line(line: &str, asked: &Asked, moves: &[&str]) -> Position {
    let mut position = asked.position.clone();
    for (index, text) in moves.iter().enumerate() {
        assert!(index == 0 || position.outcome().is_none(), "the line goes on after the end: {line}");
        let mv = read_move(position.board(), text).unwrap_or_else(|| panic!("{text} is not legal: {line}"));
        let written = regulus::chess::fen::write_move(position.board(), mv, asked.rules);
        assert_eq!(written, **text, "{line}");
        position.play(mv);
    }
    position
}

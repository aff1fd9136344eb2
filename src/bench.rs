//! `bench`: fixed positions, fixed work, one thread. The total of the nodes is the engine's *signature*: a change that is not
//! meant to change the search must leave it alone; `tests/bench.rs` compares it with `tests/bench.signature`. The last line
//! is what OpenBench reads: `N nodes N nps`, whole numbers without separators.

use crate::engine::modes::Modes;
use crate::engine::options::{Options, SearchMode};
use crate::engine::protocol::{Bound, Setup, Task};
use crate::engine::searcher::{Finding, Interrupted, Monitor, Request, Searcher, Watch};
use crate::engine::setup::{choose_root_moves, read_setup};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The positions: openings, middle games quiet and sharp, endings, and the odd ones that have caught engines (a mate on the
/// hundredth half-move, no move but one, many queens). From games that Regulus played against itself, but for the odd ones.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
];

/// What is searched in which mode.
struct Work {
    /// Named in the output.
    name: &'static str,
    /// The plies that each position is searched.
    depth: u32,
    /// The options that choose the mode.
    options: fn() -> Options,
}

/// The modes. The depths are such that all take a few seconds together.
const WORK: &[Work] = &[
    Work { name: "BStar", depth: 10, options: Options::default },
    Work {
        name: "AlphaBeta",
        depth: 10,
        options: || Options { search_mode: SearchMode::AlphaBeta, ..Options::default() },
    },
];

/// What a run amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// Nodes of all searches: the signature.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

impl Total {
    /// Nodes per second, at least 1.
    pub fn nodes_per_second(self) -> u64 {
        let per_second = u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1);
        u64::try_from(per_second).unwrap_or(u64::MAX).max(1)
    }

    fn add(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// The bench as work for the search thread. It has a search of its own and leaves the engine's alone.
pub fn task() -> Task {
    Task(Box::new(|monitor, out| {
        if run(monitor, out).is_err() {
            out("bench stopped".to_owned());
        }
    }))
}

/// Prints the bench.
///
/// # Errors
/// When it cannot be written.
pub fn print(output: &mut dyn Write) -> io::Result<()> {
    let mut written = Ok(());
    let _ = run(&mut Patient, &mut |line| {
        if written.is_ok() {
            written = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    });
    written
}

/// Searches all positions in all modes, a line each through `out`, and at the end the total.
///
/// # Errors
/// [`Interrupted`] when the monitor says so.
pub fn run(monitor: &mut dyn Monitor, out: &mut dyn FnMut(String)) -> Result<Total, Interrupted> {
    let mut total = Total::default();
    for work in WORK {
        total.add(run_mode(work, monitor, out)?);
    }
    if let Some(mib) = peak_memory_mib() {
        out(format!("peak memory {mib} MiB"));
    }
    out(format!("{} nodes {} nps", total.nodes, total.nodes_per_second()));
    Ok(total)
}

fn run_mode(
    work: &Work,
    monitor: &mut dyn Monitor,
    out: &mut dyn FnMut(String),
) -> Result<Total, Interrupted> {
    let options = (work.options)();
    let mut searcher = Modes::default();
    // The default memory is there on every machine that can start the program.
    let _ = searcher.prepare(&options);
    let mut total = Total::default();
    for (index, fen) in POSITIONS.iter().enumerate() {
        searcher.clear();
        let mut watch = Counting { monitor, nodes: 0, stopped: false };
        let started = Instant::now();
        let found = search(fen, work.depth, &options, &mut searcher, &mut watch);
        let one = Total { nodes: watch.nodes, time: started.elapsed() };
        if watch.stopped {
            return Err(Interrupted);
        }
        let first = found.and_then(|finding| finding.line.first().copied());
        let best = first.map_or_else(|| "none".to_owned(), |mv| mv.to_string());
        out(format!("{} {:2} nodes {} best {best}", work.name, index + 1, one.nodes));
        total.add(one);
    }
    out(format!("{}: {} nodes {} nps", work.name, total.nodes, total.nodes_per_second()));
    Ok(total)
}

fn search(
    fen: &str,
    depth: u32,
    options: &Options,
    searcher: &mut Modes,
    watch: &mut dyn Watch,
) -> Option<Finding> {
    let setup = Setup { fen: Some(fen.to_owned()), moves: Vec::new() };
    let (position, _) = read_setup(&setup, options.rules()).ok()?;
    let (root_moves, _) = choose_root_moves(&position, &[]);
    let request = Request { position: &position, root_moves: &root_moves, depth: Some(depth), options };
    (!root_moves.is_empty()).then(|| searcher.search(&request, watch)).flatten()
}

/// Counts, passes on what the outer monitor says, and shows nothing.
struct Counting<'a> {
    monitor: &'a mut dyn Monitor,
    nodes: u64,
    stopped: bool,
}

impl Monitor for Counting<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes += units;
        let result = self.monitor.work(units);
        self.stopped |= result.is_err();
        result
    }
}

impl Watch for Counting<'_> {
    fn spent(&self) -> Option<f64> {
        None
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn nodes_left(&self) -> Option<u64> {
        None
    }

    fn report(&mut self, finding: Finding) {
        debug_assert!(finding.bound != Bound::Exact || !finding.line.is_empty());
    }
}

/// From the command line nobody interrupts.
struct Patient;

impl Monitor for Patient {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        Ok(())
    }
}

/// The most memory that the process has held so far, where the system tells (Linux).
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

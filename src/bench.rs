//! `bench`: fixed positions, fixed work, one thread. The total of the nodes is the engine's *signature*: a
//! change that is not meant to change the search must leave it alone; `tests/bench.rs` compares it with
//! `tests/bench.signature`. The last line is what OpenBench reads: `N nodes N nps`, whole numbers without
//! separators.

use crate::engine::modes::Modes;
use crate::engine::options::{Options, SearchMode};
use crate::engine::protocol::{Setup, Task};
use crate::engine::searcher::{
    Finding, Interrupted, Monitor, Request, RootFinding, Searcher, Unwatched, Watch,
};
use crate::engine::setup::{choose_root_moves, read_setup};
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The start; positions from 10 to 120 plies deep in games that Regulus's twin played against itself after
/// eight random plies; and three that have caught other engines: a mate on the hundredth half-move, 218 legal
/// moves, an easy draw.
const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbq1bnr/pp1ppkp1/2p4p/5p2/5N2/3P2P1/PPP1PP1P/RNBQKBR1 w Q - 2 6",
    "r1bqkb2/p1ppnppr/5n1p/1P2p3/Q7/2PPP2P/5PP1/RNB1KBNR w KQq - 1 9",
    "r1bqk3/1pppn1r1/p1n1ppNp/7B/3P4/2P1P3/P1P2PPP/R1BQ1RK1 w q - 1 12",
    "r1b2bkr/1p2p1pp/p1np4/q2n1pN1/P1P5/1P2BP2/4P1PP/R2Q1BKR w - - 0 15",
    "r6r/2pn2k1/p2p2pp/3bppq1/2NP4/1P2PP2/P1K3PP/R2Q1B1R w - - 1 18",
    "r2q1rk1/2p1b1pp/1p2p1n1/3p1p1Q/P2P4/P1N1P1P1/3B1PBP/R4bK1 w - - 0 21",
    "r2q2rk/1p5p/3pb1n1/1Pp2p1Q/p1P5/P1NRP2P/1K2B3/6R1 w - - 1 24",
    "rr5k/2pn1p1p/2p1q3/p1Bp1b2/P2PpPp1/1PP3P1/5P1P/1R1QRB1K w - - 15 27",
    "3r4/4bkpp/2Rp1n2/p7/4rPBP/8/P1P1N3/3R3K w - - 2 30",
    "8/p4pk1/1pn5/4P3/2P1R3/2P5/P1K3r1/7R w - - 5 34",
    "1R6/3r2kp/p2p4/3P1pP1/7P/P7/6PK/8 w - - 2 38",
    "8/1p3kpp/8/N6P/3nP3/p1r2PK1/PnP5/2R5 w - - 5 42",
    "8/8/6p1/p2R1pk1/8/r3PK2/8/8 w - - 0 46",
    "R7/6pk/3B1p1p/5P1P/4P2r/p7/5K2/8 w - - 14 51",
    "8/2Q5/8/7p/K7/6q1/7k/8 w - - 12 56",
    "R7/5k2/4p2p/2b1p3/4P2P/6P1/2r5/5K2 w - - 9 61",
    "4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "8/8/8/6B1/8/8/4k3/1K5N b - - 0 1",
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
    Work { name: "BStar", depth: 12, options: Options::default },
    Work {
        name: "AlphaBeta",
        depth: 12,
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

/// What B\* tells of its roots, summed.
#[derive(Clone, Copy, Default)]
struct Tale {
    expansions: u64,
    prove_best: u64,
    disprove_rest: u64,
    violations: u64,
    /// Roots that ended separated.
    separated: u64,
}

impl Tale {
    fn add(&mut self, root: &RootFinding) {
        self.expansions += root.tally.expansions;
        self.prove_best += root.tally.prove_best;
        self.disprove_rest += root.tally.disprove_rest;
        self.violations += root.tally.violations;
        self.separated += u64::from(root.separated);
    }
}

impl fmt::Display for Tale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expansions, violations, separated, .. } = self;
        let questions = self.prove_best + self.disprove_rest;
        if questions == 0 {
            return Ok(());
        }
        let share = 100 * self.prove_best / questions;
        write!(
            f,
            ", {expansions} expansions, prove-best {share} %, separated roots {separated}, bound violations {violations}"
        )
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
    // From the command line nobody interrupts.
    let _ = run(&mut Unwatched, &mut |line| {
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
    let mut tale = Tale::default();
    for (index, fen) in POSITIONS.iter().enumerate() {
        searcher.clear();
        let mut watch = Counting { monitor, nodes: 0, stopped: false, last: None };
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
        watch.last.iter().for_each(|root| tale.add(root));
    }
    out(format!("{}: {} nodes {} nps{tale}", work.name, total.nodes, total.nodes_per_second()));
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
    let request = Request {
        position: &position,
        root_moves: &root_moves,
        depth: Some(depth),
        lines: 1,
        contempt: 0,
        strength: None,
        options,
        ask_tablebases: true,
    };
    (!root_moves.is_empty()).then(|| searcher.search(&request, watch)).flatten()
}

/// Counts, passes on what the outer monitor says, and shows nothing.
struct Counting<'a> {
    monitor: &'a mut dyn Monitor,
    nodes: u64,
    stopped: bool,
    /// What B\* told last of the root.
    last: Option<RootFinding>,
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

    fn report(&mut self, finding: Finding) {
        self.last = finding.root.or(self.last.take());
    }
}

/// The most memory that the process has held so far, where the system tells (Linux).
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

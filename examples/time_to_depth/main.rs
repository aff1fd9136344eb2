//! How much sooner several threads reach the same depth: fixed-depth searches of 50 positions, one thread and several by
//! turns, each from empty memory.
//!
//! ```text
//! cargo run --release --example time_to_depth -- [--mode BStar|AlphaBeta] [--depth 14] [--threads 1,2] [--hash 64]
//!     [--option NAME=VALUE] [--positions 50] [--rounds 1] [--clock wall|virtual|model|model-of-whole-probes] [--turn 16]
//! ```
//!
//! The positions are made, not read: up to 250 openings of `scripts/openings.epd` (every fifth of them for 50), and from there 0, 12, 24, 36
//! or 48 plies that the twin plays at depth 4. Output: for each number of threads the sum of the times, the median over the positions of
//! the ratio to the first number's time, the nodes of all threads and the speed. `own` is the processor time of the search thread
//! alone (Linux): on a machine that is busy with other things its ratio says more than the clock's. With `--clock virtual` all
//! workers run by turns of `--turn` nodes each, and time is counted in nodes of the first ([`lockstep`]): so
//! more workers can be tried than the machine has processors, and what else it does does not count. The geometric mean's error is one
//! standard error over the positions; another length of a turn is another sample of the same. With `--clock model` (`--features tuning`) a
//! search by one worker is recorded and replayed by a model of many ([`model`]); with `--clock model-of-whole-probes` each of B\*'s probes is one question, which nobody shares.

mod lockstep;
mod model;
mod record;
mod walk;

use model::{Crowd, Plan};
use regulus::chess::Position;
use regulus::chess::probe::{Probe, RootMoves, TELLS_CHOICES, Table};
use regulus::chess::twin::{self, TwinLimits};
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::searcher::{Finding, Interrupted, Monitor, Request, Searcher, Unwatched, Watch};
use std::sync::Arc;
use std::time::Instant;

/// Counts nodes, ends nothing.
struct Count(u64);

impl Monitor for Count {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 += units;
        Ok(())
    }
}

impl Watch for Count {
    fn spent(&self) -> Option<f64> {
        None
    }
    fn nodes(&self) -> u64 {
        self.0
    }
    fn report(&mut self, _finding: Finding) {}
}

/// What one search took.
#[derive(Clone, Copy, Default)]
struct Cost {
    seconds: f64,
    own: f64,
    nodes: u64,
}

/// Processor seconds of this thread so far; the wall clock's where the system does not tell.
fn own_seconds(since: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| since.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn positions(count: usize) -> Vec<Position> {
    let openings = include_str!("../../scripts/openings.epd");
    let mut probe = Probe::new(Arc::new(Table::new(1 << 20)));
    let step = (openings.lines().count() / count.max(1)).max(1);
    let made = openings.lines().step_by(step).enumerate().map(|(index, line)| {
        let fen = line.split_whitespace().take(4).chain(["0", "1"]).collect::<Vec<_>>().join(" ");
        let mut position = Position::from_board(fen.parse().expect("openings.epd holds positions"));
        for _ in 0..12 * (index % 5) {
            let limits = TwinLimits { depth: 4, moves: RootMoves::All, lines: 1 };
            let choice = twin::think(&mut probe, &position, limits, &mut Unwatched, |_| true);
            let Some(best) = choice.best.filter(|_| position.outcome().is_none()) else { break };
            position.play(best);
        }
        position
    });
    made.filter(|position| position.outcome().is_none()).take(count).collect()
}

fn search(modes: &mut Modes, options: &Options, position: &Position, depth: u32) -> Cost {
    modes.clear();
    let root_moves = position.legal_moves();
    let request = Request {
        position,
        root_moves: &root_moves,
        depth: Some(depth),
        lines: 1,
        contempt: 0,
        strength: None,
        options,
        ask_tablebases: true,
    };
    let (started, mut watch) = (Instant::now(), Count(0));
    let own = own_seconds(started);
    modes.search(&request, &mut watch);
    Cost { seconds: started.elapsed().as_secs_f64(), own: own_seconds(started) - own, nodes: watch.0 }
}

/// What time is.
#[derive(Clone, Copy)]
enum Clock {
    Wall,
    Virtual,
    Model { whole_probes: bool },
}

impl Clock {
    fn of(name: &str) -> Result<Self, String> {
        match name {
            "wall" => Ok(Self::Wall),
            "virtual" => Ok(Self::Virtual),
            name if name.starts_with("model") && !TELLS_CHOICES => {
                Err(format!("--clock {name} needs a laboratory build: --features tuning"))
            }
            "model" => Ok(Self::Model { whole_probes: false }),
            "model-of-whole-probes" => Ok(Self::Model { whole_probes: true }),
            _ => Err(format!("--clock {name} is not known: wall, virtual, model or model-of-whole-probes")),
        }
    }
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// With its standard error.
fn geometric_mean(ratios: &[f64]) -> (f64, f64) {
    let count = ratios.len() as f64;
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count;
    let variance = ratios.iter().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>() / count;
    (mean.exp(), mean.exp() * (variance / count).sqrt())
}

fn main() -> Result<(), String> {
    let mut options = Options { hash_mib: 64, ..Options::default() };
    let (mut depth, mut count, mut rounds, mut turn, mut crews) = (14, 50, 1, 16, vec![1, 2]);
    let mut clock = Clock::Wall;
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a value"))?;
        let number = || value.parse::<u32>().map_err(|_| format!("{name} needs a number"));
        match name.as_str() {
            "--mode" => {
                options.set("SearchMode", Some(&value)).map_err(|refusal| refusal.to_string())?;
            }
            "--option" => {
                let (name, value) = value.split_once('=').ok_or("--option needs NAME=VALUE")?;
                options.set(name, Some(value)).map_err(|refusal| refusal.to_string())?;
            }
            "--depth" => depth = number()?,
            "--positions" => count = number()? as usize,
            "--clock" => clock = Clock::of(&value)?,
            "--rounds" => rounds = number()?,
            "--turn" => turn = u64::from(number()?.max(1)),
            "--hash" => options.hash_mib = number()?,
            "--threads" => {
                let parsed = value.split(',').map(|text| text.parse().map_err(|_| format!("{text:?}?")));
                crews = parsed.collect::<Result<_, _>>()?;
            }
            _ => return Err(format!("{name} is not known; see the top of examples/time_to_depth/main.rs")),
        }
    }
    match clock {
        Clock::Wall => {}
        Clock::Virtual => {
            run_virtually(&options, depth, count, &crews, turn);
            return Ok(());
        }
        Clock::Model { whole_probes } => {
            run_model(&options, depth, count, &crews, whole_probes);
            return Ok(());
        }
    }
    let mut searchers: Vec<_> = crews.iter().map(|_| Modes::default()).collect();
    let mut costs = vec![Vec::new(); crews.len()];
    for position in positions(count) {
        for _ in 0..rounds {
            for (which, &threads) in crews.iter().enumerate() {
                let options = Options { threads, ..options.clone() };
                searchers[which].prepare(&options)?;
                costs[which].push(search(&mut searchers[which], &options, &position, depth));
            }
        }
    }
    println!("{} {} positions, depth {depth}", options.search_mode.name(), costs[0].len());
    for (threads, mine) in crews.iter().zip(&costs) {
        let ratio = |part: fn(&Cost) -> f64| {
            median(mine.iter().zip(&costs[0]).map(|(a, b)| part(a) / part(b)).collect())
        };
        let sum = |part: fn(&Cost) -> f64| mine.iter().map(part).sum::<f64>();
        let (seconds, own, nodes) = (sum(|c| c.seconds), sum(|c| c.own), sum(|c| c.nodes as f64));
        println!(
            "{threads} threads: {seconds:.2} s (sum ratio {:.3}, median {:.3}), own {own:.2} s (sum ratio {:.3}, median {:.3}), \
             {nodes:.0} nodes, {:.0} nps",
            seconds / costs[0].iter().map(|c| c.seconds).sum::<f64>(),
            ratio(|c| c.seconds),
            own / costs[0].iter().map(|c| c.own).sum::<f64>(),
            ratio(|c| c.own),
            nodes / seconds
        );
    }
    Ok(())
}

fn run_virtually(options: &Options, depth: u32, count: usize, crews: &[u32], turn: u64) {
    println!("{} {count} positions, depth {depth}, virtual time", options.search_mode.name());
    let positions = positions(count);
    let mut first = Vec::new();
    for &threads in crews {
        let mut workers = lockstep::Workers::new(threads as usize, options.hash_mib as usize, turn);
        let costs: Vec<_> =
            positions.iter().map(|position| workers.search(position, depth, options)).collect();
        if first.is_empty() {
            first.clone_from(&costs);
        }
        let ratios: Vec<_> =
            costs.iter().zip(&first).map(|(mine, first)| mine.0 as f64 / first.0 as f64).collect();
        let (mean, error) = geometric_mean(&ratios);
        let (own, all): (u64, u64) = costs.iter().fold((0, 0), |sum, cost| (sum.0 + cost.0, sum.1 + cost.1));
        let (one, lone): (u64, u64) = first.iter().fold((0, 0), |sum, cost| (sum.0 + cost.0, sum.1 + cost.1));
        println!(
            "{threads} workers: time {own} (sum ratio {:.3}, median {:.3}, geometric mean {mean:.3} +- {error:.3}), \
             all nodes {all} ({:.2} times)",
            own as f64 / one as f64,
            median(ratios),
            all as f64 / lone as f64
        );
    }
}

fn run_model(options: &Options, depth: u32, count: usize, crews: &[u32], whole_probes: bool) {
    println!("{} {count} positions, depth {depth}, model", options.search_mode.name());
    let searches: Vec<_> = positions(count)
        .iter()
        .map(|position| record::search(position, depth, options, whole_probes))
        .collect();
    let lone: Vec<_> = searches.iter().map(|steps| model::nodes(steps)).collect();
    let work: u64 = lone.iter().sum();
    let plans: Vec<_> = searches.iter().map(|steps| Plan::of(steps)).collect();
    for &threads in crews {
        let times: Vec<_> = plans.iter().map(|plan| plan.time(threads as usize)).collect();
        let ratios = times.iter().zip(&lone).map(|(mine, lone)| *mine as f64 / *lone as f64).collect();
        let share = times.iter().sum::<u64>() as f64 / work as f64;
        println!(
            "{threads} workers: sum ratio {share:.3}, median {:.3}, {:.1} times as fast",
            median(ratios),
            1.0 / share
        );
    }
    let mut crowd = Crowd::default();
    plans.iter().for_each(|plan| crowd.add(&plan.questions()));
    let at_most = [0.1, 0.5, 0.9, 0.99, 1.0].map(|share| crowd.quantile(share).to_string()).join(", ");
    println!(
        "no limit, nothing in vain: sum ratio {:.3}, {:.1} times as fast; of {work} nodes",
        crowd.time() as f64 / work as f64,
        work as f64 / crowd.time() as f64
    );
    println!("questions at once: at most {at_most} in 10, 50, 90, 99, 100 % of that time");
}

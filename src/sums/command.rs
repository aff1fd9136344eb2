//! `regulus sum`: the command line.

use super::bounds::stop_bounds;
use super::compare::{Allowance, Player, Row, choose, curves, exact_stop, table};
use super::component::Component;
use super::json::{Object, array, string};
use super::parse::{Problem, parse};
use super::random::{Chance, Shape};
use super::report::solve_problem;
use super::session::{Limits, Session};
use super::strategies::Rule;
use super::thermograph::{Extended, Thermograph};
use super::{Dyadic, Failure, Side, Term, svg};
use crate::bstar::Policy;
use clap::{Args, Subcommand};
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Solves sums of combinatorial games: which component to play in, by how much it is best, who wins. B* on bounds that
/// are facts.
///
/// Sums are read from files or standard input: MCGS .test files, or text with a sum a line, such as
/// `{3|1} + {4||2|-5} - 1/2 + *2 + ^`.
#[derive(Args, Debug)]
pub struct SumArguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// The best move of each side, proved bounds on the stop, and the winner; one line a sum. Claims in the file are checked.
    Solve {
        #[command(flatten)]
        input: Input,
        #[command(flatten)]
        limits: LimitArguments,
        /// Write a JSON object a sum.
        #[arg(long)]
        json: bool,
        /// Search on until the stop itself is known.
        #[arg(long)]
        exact: bool,
        /// B*'s policy.
        #[arg(long, default_value_t = Policy::AR)]
        policy: Policy,
    },
    /// The thermograph of every component: walls from temperature -1, mean, temperature.
    Thermograph {
        #[command(flatten)]
        input: Input,
        #[command(flatten)]
        limits: LimitArguments,
        /// Draw them into this file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Also that of the whole sum, whose canonical form must then be worked out.
        #[arg(long)]
        whole: bool,
    },
    /// What thermographs alone prove of the stops, without search.
    Bounds {
        #[command(flatten)]
        input: Input,
        #[command(flatten)]
        limits: LimitArguments,
        /// Write a JSON object a sum.
        #[arg(long)]
        json: bool,
    },
    /// B* under each policy, alpha-beta with the same bounds, and the rules of thumb, side by side.
    Compare {
        #[command(flatten)]
        input: Input,
        #[command(flatten)]
        limits: LimitArguments,
        /// Compare on so many random sums of each size instead.
        #[arg(long, value_name = "SUMS")]
        random: Option<usize>,
        /// Sizes of the random sums: from .. to, by step.
        #[arg(long, num_args = 1..=3, value_names = ["FROM", "TO", "STEP"], default_values_t = [2, 8, 1])]
        components: Vec<usize>,
        /// Depth of the random components.
        #[arg(long, default_value_t = Shape::USUAL.depth, value_parser = clap::value_parser!(u32).range(1..=8))]
        depth: u32,
        /// Largest number at their leaves.
        #[arg(long, default_value_t = Shape::USUAL.largest, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        largest: u32,
        /// Seed of the random sums.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Policies of B*; all that have a name, unless given.
        #[arg(long, value_delimiter = ',')]
        policies: Vec<Policy>,
        /// Also B* on a tree, where positions that several ways lead to are not shared.
        #[arg(long)]
        tree: bool,
        /// Give every player all moves, also those that another one makes needless.
        #[arg(long)]
        all_moves: bool,
        /// Leave out the rules of thumb, whose regret takes a full search.
        #[arg(long)]
        no_rules: bool,
        /// Draw the mean expansions by number of components into this file.
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct Input {
    /// Files; standard input without any, or for `-`.
    files: Vec<PathBuf>,
    /// A sum as text, instead of files.
    #[arg(long, short, value_name = "TEXT", conflicts_with = "files", allow_hyphen_values = true)]
    expression: Option<String>,
}

#[derive(Args, Debug)]
struct LimitArguments {
    /// Most seconds for a sum; what is proved by then is the answer.
    #[arg(long, value_parser = seconds)]
    time: Option<Duration>,
    /// Most expansions for each side to move.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// Most memory, in MiB: half for games, half for the search.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(2..))]
    memory: u32,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is expected".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

impl LimitArguments {
    fn limits(&self) -> Limits {
        let bytes = usize::try_from(u64::from(self.memory) << 20).unwrap_or(usize::MAX);
        Limits { time: self.time, nodes: self.nodes, bytes }
    }
}

/// Exit status when a claim of a file does not hold, or could not be decided.
const NOT_AS_EXPECTED: u8 = 1;
/// Exit status for input that cannot be read, or output that cannot be written; also clap's.
const BAD_INPUT: u8 = 2;
/// Exit status after Ctrl-C, as shells have it.
const INTERRUPTED: u8 = 130;

/// What ends the command early.
struct Fault(String);

impl<E: Display> From<E> for Fault {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

/// Runs the command; results go to `out`, complaints to standard error.
pub fn run(arguments: &SumArguments, out: &mut impl Write) -> ExitCode {
    let stop = Arc::new(AtomicBool::new(false));
    match obey(arguments, &stop, out) {
        Ok(status) if status != 0 => ExitCode::from(status),
        Ok(_) if stop.load(std::sync::atomic::Ordering::Relaxed) => ExitCode::from(INTERRUPTED),
        Ok(_) => ExitCode::SUCCESS,
        Err(Fault(message)) => {
            eprintln!("regulus sum: {message}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The first Ctrl-C asks for what is known so far, a second one ends the program.
fn heed_ctrl_c(stop: &Arc<AtomicBool>) -> Result<(), Fault> {
    let signal = signal_hook::consts::SIGINT;
    signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED.into(), stop.clone())?;
    signal_hook::flag::register(signal, stop.clone())?;
    Ok(())
}

fn obey(arguments: &SumArguments, stop: &Arc<AtomicBool>, out: &mut impl Write) -> Result<u8, Fault> {
    heed_ctrl_c(stop)?;
    let session = |limits: &LimitArguments| Session::new(limits.limits(), stop.clone());
    match &arguments.task {
        Task::Solve { input, limits, json, exact, policy } => {
            solve(&mut session(limits)?, &input.read()?, *json, *exact, *policy, out)
        }
        Task::Thermograph { input, limits, svg, whole } => {
            thermograph(&mut session(limits)?, &input.read()?, svg.as_deref(), *whole, out)
        }
        Task::Bounds { input, limits, json } => bounds(&mut session(limits)?, &input.read()?, *json, out),
        Task::Compare { input, limits, random, svg, policies, tree, all_moves, no_rules, .. } => {
            let players = players(policies, *tree, *no_rules);
            let mut contest = Contest { session: session(limits)?, players, all_moves: *all_moves };
            let rows = match random {
                Some(sums) => contest.on_random(&arguments.task, *sums)?,
                None => contest.on_given(&input.read()?)?,
            };
            write!(out, "{}", table(&rows))?;
            if let Some(path) = svg {
                let title = "Expansions until a first move is proved best (geometric mean)";
                write_file(path, &svg::growth(title, "components", "expansions", &curves(&rows)))?;
            }
            Ok(0)
        }
    }
}

impl Input {
    /// All sums, each file's in turn.
    fn read(&self) -> Result<Vec<Problem>, Fault> {
        if let Some(text) = &self.expression {
            return Ok(parse(text)?);
        }
        let standard = [PathBuf::from("-")];
        let files = if self.files.is_empty() { &standard[..] } else { &self.files };
        let mut problems = Vec::new();
        for file in files {
            let text = read_text(file).map_err(|error| Fault(format!("{}: {error}", file.display())))?;
            problems.extend(parse(&text).map_err(|error| Fault(format!("{}: {error}", file.display())))?);
        }
        Ok(problems)
    }
}

fn read_text(file: &Path) -> io::Result<String> {
    if file != Path::new("-") {
        return std::fs::read_to_string(file);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

fn write_file(path: &Path, text: &str) -> Result<(), Fault> {
    std::fs::write(path, text).map_err(|error| Fault(format!("{}: {error}", path.display())))
}

fn solve(
    session: &mut Session,
    problems: &[Problem],
    json: bool,
    exact: bool,
    policy: Policy,
    out: &mut impl Write,
) -> Result<u8, Fault> {
    let mut status = 0;
    for problem in problems {
        let solved = solve_problem(session, problem, policy, exact);
        if !solved.check.is_good() {
            status = NOT_AS_EXPECTED;
        }
        writeln!(out, "{}", if json { solved.json() } else { solved.text() })?;
        out.flush()?;
        if session.stopped() {
            break;
        }
    }
    Ok(status)
}

fn thermograph(
    session: &mut Session,
    problems: &[Problem],
    picture: Option<&Path>,
    whole: bool,
    out: &mut impl Write,
) -> Result<u8, Fault> {
    let mut extended = Extended::default();
    let mut panels: Vec<(String, Thermograph)> = Vec::new();
    for problem in problems {
        session.begin()?;
        let position = session.position(&problem.components)?;
        let mut games: Vec<(String, Term)> = Vec::new();
        for component in position.components() {
            let value =
                component.parts.iter().try_fold(Term::ZERO, |sum, &part| session.store().add(sum, part))?;
            games.push((component.form.to_string(), value));
        }
        if whole && games.len() > 1 {
            games.push(("whole".to_owned(), position.value(session.store())?));
        }
        for (name, value) in games {
            let walls = extended.of(session.store(), value)?;
            let (mean, temperature) = (walls.mean, walls.temperature);
            writeln!(out, "{}: {name} = {}", problem.line, session.show(value))?;
            writeln!(
                out,
                "  L: {}\n  R: {}\n  mean {mean}, temperature {temperature}",
                walls.left, walls.right
            )?;
            panels.push((name, walls));
        }
        // Terms may be renumbered when the next sum begins.
        extended = Extended::default();
    }
    if let Some(path) = picture {
        write_file(path, &svg::thermographs(&panels)?)?;
    }
    Ok(0)
}

fn bounds(
    session: &mut Session,
    problems: &[Problem],
    json: bool,
    out: &mut impl Write,
) -> Result<u8, Fault> {
    for problem in problems {
        session.begin()?;
        let position = session.position(&problem.components)?;
        let (left, right) = stops_between(session, &position)?;
        let store = session.store();
        let sum = position.sum(store, Side::Left)?;
        let hottest = sum.games().iter().map(|&game| store.get(game).walls().temperature).max();
        let hottest = hottest.map_or_else(|| "none".to_owned(), |hottest| hottest.to_string());
        if json {
            let pair = |(low, high): (Dyadic, Dyadic)| array([low, high].map(|end| string(&end.to_string())));
            let object =
                Object::default().count("line", problem.line as u64).text("mean", &sum.number().to_string());
            let object = object.text("temperature", &hottest).raw("left_stop", &pair(left));
            writeln!(out, "{}", object.raw("right_stop", &pair(right)).done())?;
        } else {
            let (line, mean) = (problem.line, sum.number());
            let told = |(low, high): (Dyadic, Dyadic)| format!("{low}..{high}");
            let stops = format!("left stop {}, right stop {}", told(left), told(right));
            writeln!(out, "{line}: mean {mean}, highest temperature {hottest}, {stops}")?;
        }
    }
    Ok(0)
}

type Pair = (Dyadic, Dyadic);

/// Bounds on the left and the right stop, as Left counts.
fn stops_between(
    session: &mut Session,
    position: &super::problem::Position,
) -> Result<(Pair, Pair), Failure> {
    let store = session.store();
    let [for_left, for_right] = [position.sum(store, Side::Left)?, position.sum(store, Side::Right)?];
    let right = stop_bounds(store, &for_right)?;
    Ok((stop_bounds(store, &for_left)?, (-right.1, -right.0)))
}

fn players(policies: &[Policy], tree: bool, no_rules: bool) -> Vec<Player> {
    let policies = if policies.is_empty() { &Policy::NAMED[..] } else { policies };
    let graphs = policies.iter().map(|&policy| Player::BStar(policy));
    let trees = policies.iter().filter(|_| tree).map(|&policy| Player::TreeBStar(policy));
    let rules = Rule::ALL.into_iter().filter(|_| !no_rules).map(Player::Rule);
    graphs.chain(trees).chain([Player::AlphaBeta]).chain(rules).collect()
}

/// Who is compared, and with what.
struct Contest {
    session: Session,
    players: Vec<Player>,
    all_moves: bool,
}

impl Contest {
    /// So many random sums of each size that `task` asks for.
    fn on_random(&mut self, task: &Task, sums: usize) -> Result<Vec<Row>, Fault> {
        let Task::Compare { components, depth, largest, seed, .. } = task else { return Ok(Vec::new()) };
        let shape = Shape { depth: *depth, largest: *largest };
        let (from, to) = (components[0], components.get(1).copied().unwrap_or(components[0]));
        let step = components.get(2).copied().unwrap_or(1).max(1);
        let mut rows = Vec::new();
        for count in (from..=to).step_by(step) {
            let mut table = self.new_rows(count);
            for round in 0..sums {
                // Every sum has a seed of its own, so that it does not depend on how many there are.
                let number = (count * 100_003 + round) as u64;
                let mut chance = Chance::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
                self.session.begin()?;
                let components = self.session.random(shape, count, &mut chance)?;
                self.on_one(&components, &mut table)?;
                if self.session.stopped() {
                    rows.extend(table);
                    return Ok(rows);
                }
            }
            rows.extend(table);
        }
        Ok(rows)
    }

    fn on_given(&mut self, problems: &[Problem]) -> Result<Vec<Row>, Fault> {
        let mut rows = Vec::new();
        for problem in problems {
            let mut table = self.new_rows(problem.components.len());
            self.on_one(&problem.components, &mut table)?;
            rows.extend(table);
            if self.session.stopped() {
                break;
            }
        }
        Ok(rows)
    }

    fn new_rows(&self, components: usize) -> Vec<Row> {
        self.players.iter().map(|&player| Row { components, player, trials: Vec::new() }).collect()
    }

    /// Every player's choice for Left, who is to move.
    fn on_one(&mut self, components: &[Component], rows: &mut [Row]) -> Result<(), Fault> {
        let session = &mut self.session;
        session.begin()?;
        let position = session.position(components)?;
        let sum = position.sum(session.store(), Side::Left)?;
        let wants_exact = self.players.iter().any(|player| matches!(player, Player::Rule(_)));
        let allowance = session.allowance();
        let exact = if wants_exact { exact_stop(session.store(), &sum, &allowance)? } else { None };
        for row in rows {
            let allowance = Allowance { all_moves: self.all_moves, ..session.allowance() };
            session.store().set_guard(allowance.guard.clone());
            row.trials.push(choose(row.player, session.store(), &sum, exact, &allowance)?);
        }
        session.end();
        Ok(())
    }
}

//! The command line of Regulus: arguments only.

use clap::{Parser, Subcommand};
use regulus::chess::IntervalModel;
use regulus::chess::eval::network::Network;
use regulus::engine::calibrate::{self, Truth};
use regulus::engine::datagen::{self, Settings, label};
use regulus::engine::error_table;
use regulus::engine::modes::Modes;
use regulus::sums::command::{SumArguments, run as run_sum};
use regulus::uci::command::{Line, parse};
use regulus::{bench, uci};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// A UCI chess engine that searches by B*. Without a command it speaks UCI on standard input and output: load
/// it into a chess program, or type `help`. Arguments that are UCI lines, each in quotes, are obeyed instead of the
/// input: regulus "position startpos moves e2e4" "go depth 12".
///
/// REGULUS_LOG (or RUST_LOG) set to error, warn, info, debug or trace makes it write a log to standard error.
#[derive(Parser)]
#[command(name = "regulus", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Searches fixed positions and prints the node count (the signature) and the speed.
    Bench,
    /// Plays games against itself and appends them to a file: training data for networks. A stopped run goes on where it
    /// ended.
    Datagen(Datagen),
    /// Makes positions near those of games and scores them quickly: training data for a network's first lessons.
    Label(Label),
    Calibrate(Calibrate),
    ErrorModel(ErrorModel),
    Sum(SumArguments),
    /// UCI lines.
    #[command(external_subcommand)]
    Lines(Vec<String>),
}

/// Measures how often a search's value lies inside of the intervals, and how wide they are, by phase and by width.
#[derive(clap::Args)]
struct Calibrate {
    /// Games as `datagen` writes them, or positions: `FEN` or `FEN|score` lines.
    file: PathBuf,
    /// Positions drawn from the file.
    #[arg(long, default_value_t = 2_000)]
    positions: usize,
    /// The interval after a probe of so many plies; without it, the network's static one.
    #[arg(long)]
    probe: Option<u16>,
    /// Where intervals after a probe come from.
    #[arg(long, default_value_t)]
    model: IntervalModel,
    /// The truth is a search so many plies deep.
    #[arg(long, conflicts_with = "nodes")]
    depth: Option<u16>,
    /// The truth is a search so many nodes long. Without this and --depth it is the file's score.
    #[arg(long)]
    nodes: Option<u64>,
    /// A network file instead of the embedded network.
    #[arg(long)]
    network: Option<PathBuf>,
    /// Where the draw starts from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A picture (SVG) to write.
    #[arg(long)]
    picture: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Label {
    /// The file of games.
    games: PathBuf,
    /// The file of positions to write.
    file: PathBuf,
    /// Plies of the search that gives the score; 0 is the static value.
    #[arg(long, default_value_t = 1)]
    depth: u16,
    /// Positions made from each one of a game.
    #[arg(long, default_value_t = 1)]
    each: u32,
    /// Where chance starts from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct Datagen {
    /// The file of games, one a line.
    file: PathBuf,
    /// Games in the file when all are done.
    #[arg(long, default_value_t = Settings::default().games)]
    games: u64,
    /// Nodes of the search for each move.
    #[arg(long, default_value_t = Settings::default().nodes)]
    nodes: u64,
    /// Games played at the same time.
    #[arg(long, default_value_t = Settings::default().threads)]
    threads: usize,
    /// Where chance starts from.
    #[arg(long, default_value_t = Settings::default().seed)]
    seed: u64,
    /// Games from Chess960 starts, percent.
    #[arg(long, default_value_t = Settings::default().chess960)]
    chess960: u32,
    /// Random moves instead of searched ones, in thousandths.
    #[arg(long, default_value_t = Settings::default().random)]
    random: u32,
}

/// Measures how far probes of each depth are from searches four plies deeper, and prints the table of the error model.
///
/// To be run when the evaluation or the probe has changed: the output is the new `src/chess/error_model/table.rs`.
#[derive(clap::Args)]
struct ErrorModel {
    /// Games as `datagen` writes them, or positions (FENs), to draw from; without it, quick games of its own.
    file: Option<PathBuf>,
    /// Positions drawn.
    #[arg(long, default_value_t = 1_000)]
    positions: usize,
    /// A network file instead of the embedded network.
    #[arg(long)]
    network: Option<PathBuf>,
    /// Where chance starts from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    start_log();
    let done = match Arguments::parse().command {
        None => speak_uci(),
        Some(Command::Lines(lines)) => obey_lines(lines),
        Some(Command::Bench) => bench::print(&mut io::stdout().lock()),
        Some(Command::Datagen(datagen)) => generate(&datagen),
        Some(Command::Label(label)) => make_labels(&label),
        Some(Command::Calibrate(calibrate)) => measure_intervals(&calibrate),
        Some(Command::ErrorModel(asked)) => measure_errors(&asked),
        Some(Command::Sum(arguments)) => return run_sum(&arguments, &mut io::stdout().lock()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn network(file: Option<&Path>) -> io::Result<Arc<Network>> {
    file.map_or_else(|| Ok(Network::embedded()), |file| Network::read(file).map_err(io::Error::other))
}

fn measure_errors(asked: &ErrorModel) -> io::Result<()> {
    let network = network(asked.network.as_deref())?;
    let (out, progress) = (&mut io::stdout().lock(), &mut io::stderr());
    error_table::print(asked.file.as_deref(), asked.positions, asked.seed, network, out, progress)
}

/// Tells the progress on standard error.
fn measure_intervals(asked: &Calibrate) -> io::Result<()> {
    let network = network(asked.network.as_deref())?;
    let truth = match (asked.depth, asked.nodes) {
        (Some(depth), _) => Truth::Depth(depth),
        (None, Some(nodes)) => Truth::Nodes(nodes),
        (None, None) => Truth::Given,
    };
    let &Calibrate { positions, seed, probe, model, .. } = asked;
    let settings = calibrate::Settings { positions, seed, probe, model, truth, network };
    let samples = calibrate::run(&settings, &asked.file, |done, all| eprint!("\r{done}/{all} "))?;
    eprintln!();
    print!("{}", calibrate::table(&samples));
    let title = match probe {
        Some(plies) => format!("{model} after {plies} plies, truth {truth:?}"),
        None => format!("static intervals, truth {truth:?}"),
    };
    match &asked.picture {
        Some(file) => fs::write(file, calibrate::picture(&samples, &title)),
        None => Ok(()),
    }
}

/// Tells the progress on standard error.
fn make_labels(asked: &Label) -> io::Result<()> {
    let settings = label::Settings { depth: asked.depth, each: asked.each, seed: asked.seed };
    label::run(&settings, &asked.games, &asked.file, |games, written| {
        eprint!("\r{games} games, {written} positions ");
    })?;
    eprintln!();
    Ok(())
}

/// Tells the progress on standard error.
fn generate(asked: &Datagen) -> io::Result<()> {
    let &Datagen { games, nodes, threads, seed, chess960, random, .. } = asked;
    let settings = Settings { games, nodes, threads, seed, chess960, random };
    let began = Instant::now();
    datagen::run(&settings, &asked.file, |done, positions| {
        let speed = positions as f64 / began.elapsed().as_secs_f64().max(1e-3);
        eprint!("\r{done} of {games} games; {positions} positions in this run, {speed:.0} a second ");
    })?;
    eprintln!();
    Ok(())
}

fn speak_uci() -> io::Result<()> {
    if io::stdin().is_terminal() {
        println!("Regulus {} speaks UCI; try help", env!("CARGO_PKG_VERSION"));
    }
    uci::run(io::stdin().lock(), io::stdout(), Modes::boxed, bench::task)
}

/// Obeys UCI lines to their end. What is asked for is finished, also before a `quit`, which only says that this was all.
fn obey_lines(lines: Vec<String>) -> io::Result<()> {
    if let Some(Line::Refused(reason)) = lines.first().map(|line| parse(line).line) {
        return Err(io::Error::other(format!("{reason}; try --help")));
    }
    let lines: Vec<String> = lines.into_iter().take_while(|line| parse(line).line != Line::Quit).collect();
    uci::run(io::Cursor::new(lines.join("\n")), io::stdout(), Modes::boxed, bench::task)
}

/// Silent unless asked. A panic is logged instead of printed: the worker has told the user already.
fn start_log() {
    let variable = if std::env::var_os("REGULUS_LOG").is_some() { "REGULUS_LOG" } else { "RUST_LOG" };
    env_logger::Builder::from_env(env_logger::Env::default().filter(variable))
        .target(env_logger::Target::Stderr)
        .init();
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

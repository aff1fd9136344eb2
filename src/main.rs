//! The command line of Regulus: arguments only.

use clap::{Parser, Subcommand};
use regulus::engine::modes::Modes;
use regulus::{bench, uci};
use std::io::{self, IsTerminal};
use std::process::ExitCode;

/// A UCI chess engine that searches by B*. Without a command it speaks UCI on standard input and output: load
/// it into a chess program, or type `help`.
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
}

fn main() -> ExitCode {
    start_log();
    let done = match Arguments::parse().command {
        None => speak_uci(),
        Some(Command::Bench) => bench::print(&mut io::stdout().lock()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn speak_uci() -> io::Result<()> {
    if io::stdin().is_terminal() {
        println!("Regulus {} speaks UCI; try help", env!("CARGO_PKG_VERSION"));
    }
    uci::run(io::stdin().lock(), io::stdout(), Modes::boxed, bench::task)
}

/// Silent unless asked. A panic is logged instead of printed: the worker has told the user already.
fn start_log() {
    let variable = if std::env::var_os("REGULUS_LOG").is_some() { "REGULUS_LOG" } else { "RUST_LOG" };
    env_logger::Builder::from_env(env_logger::Env::default().filter(variable))
        .target(env_logger::Target::Stderr)
        .init();
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
}

//! Runs the Python tests in `tests/python` with the real binary: python-chess as a client of the engine, and the match
//! runner of `scripts/`. Where Python or its package `chess` is missing they are left out, and that is said aloud.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output};

/// The names under which Python 3 is found on the usual systems.
const PYTHON_NAMES: [&str; 2] = ["python3", "python"];

/// The first Python that has the package `chess`.
fn python() -> Option<&'static str> {
    PYTHON_NAMES.into_iter().find(|name| {
        Command::new(name).args(["-c", "import chess.engine"]).output().is_ok_and(|run| run.status.success())
    })
}

/// Runs one test file; its report goes to standard error.
fn run(python: &str, file: &str) -> Output {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("python");
    Command::new(python)
        .args(["-B", "-m", "unittest", "-v", file])
        .current_dir(folder)
        .env("REGULUS", env!("CARGO_BIN_EXE_regulus"))
        .output()
        .expect("Python starts: it did before")
}

/// Past the test harness, which keeps what passing tests print to itself.
fn say_aloud(text: &str) {
    // Whoever closed standard error does not want to know.
    let _ = writeln!(io::stderr(), "{text}");
}

fn check(file: &str) {
    let Some(python) = python() else {
        say_aloud(&format!("{file} LEFT OUT: no Python 3 with the package chess (pip install chess)"));
        return;
    };
    let output = run(python, file);
    let report = String::from_utf8_lossy(&output.stderr);
    for line in report.lines().filter(|line| line.contains("skipped")) {
        say_aloud(line);
    }
    assert!(output.status.success(), "{file} failed:\n{report}");
}

#[test]
fn python_chess_finds_nothing_to_complain_about() {
    check("test_clients");
}

#[test]
fn the_readmes_python_runs() {
    check("test_readme");
}

#[test]
fn the_match_runner_works() {
    check("test_match");
}

#[test]
fn the_match_statistics_are_right() {
    check("test_stats");
}

#[test]
fn the_regret_test_works() {
    check("test_regret");
}

#[test]
fn the_report_is_made_of_its_results() {
    check("test_report");
}

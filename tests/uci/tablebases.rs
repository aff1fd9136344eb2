//! Endgame tables. Those of three and four men are taken from the folders that the environment variable `REGULUS_SYZYGY` names.

use crate::client::Client;
use std::env;
use std::io::{self, Write};

/// An engine with the tables, or nothing and a word about it past the test harness.
fn with_tables(test: &str) -> Option<Client> {
    let Ok(folders) = env::var("REGULUS_SYZYGY") else {
        let _ = writeln!(io::stderr(), "{test} LEFT OUT: no Syzygy tables in REGULUS_SYZYGY");
        return None;
    };
    let mut client = Client::identified();
    client.send(&format!("setoption name SyzygyPath value {folders}"));
    let told = client.ready();
    assert!(told.iter().any(|line| line.contains("tables of outcomes (WDL)")), "{told:?}");
    Some(client)
}

/// The number behind `name` in the last line that has it.
fn number(lines: &[String], name: &str) -> i64 {
    let line = lines.iter().rev().find(|line| line.contains(&format!(" {name} "))).expect(name);
    let value = line.split_whitespace().skip_while(|word| *word != name).nth(1);
    value.and_then(|value| value.parse().ok()).expect(name)
}

/// Each mode, and a stepwise policy.
const MODES: [&[&str]; 3] = [
    &["SearchMode value BStar", "Policy value Settled"],
    &["SearchMode value BStar", "Policy value DisproveBest"],
    &["SearchMode value AlphaBeta"],
];

#[test]
fn a_missing_folder_is_a_sentence() {
    let mut client = Client::identified();
    client.send("setoption name SyzygyPath value no/such/folder");
    let told = client.ready();
    assert!(
        told.iter().any(|line| line.starts_with("info string") && line.contains("no/such/folder")),
        "{told:?}"
    );
    client.send("position fen 8/8/8/8/3k4/8/8/KBN5 w - - 0 1");
    assert_eq!(number(&client.search("go nodes 1000").0, "tbhits"), 0);
    client.quit();
}

#[test]
fn the_roots_value_is_the_tables() {
    let Some(mut client) = with_tables("the_roots_value_is_the_tables") else { return };
    for options in MODES {
        options.iter().for_each(|option| client.send(&format!("setoption name {option}")));
        for (fen, least, most) in [
            ("8/8/8/8/3k4/8/8/KBN5 w - - 0 1", 19_000, 20_000),
            ("8/8/8/8/3k4/8/8/KBN5 b - - 0 1", -20_000, -19_000),
            ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", 0, 0),
            // A bishop and a knight win, but not in one move.
            ("8/8/8/8/3k4/8/8/KBN5 w - - 98 90", 0, 0),
        ] {
            client.send(&format!("position fen {fen}"));
            let (lines, _) = client.search("go nodes 2000");
            let score = number(&lines, "cp");
            assert!((least..=most).contains(&score), "{options:?} {fen}: {score}");
            assert!(number(&lines, "tbhits") > 0, "{options:?} {fen}");
        }
    }
    client.quit();
}

#[test]
fn a_capture_into_the_tables_is_solved() {
    let Some(mut client) = with_tables("a_capture_into_the_tables_is_solved") else { return };
    for options in MODES {
        options.iter().for_each(|option| client.send(&format!("setoption name {option}")));
        // Five men: the capture of the rook leads to king and rook against king and pawn, won.
        client.send("position fen 8/8/8/8/8/k5p1/3r4/K2R4 w - - 0 1");
        let (lines, best) = client.search("go nodes 4000");
        assert_eq!(best, "d1d2", "{options:?}");
        assert!(number(&lines, "tbhits") > 0, "{options:?}");
        // A choice of the asker's is kept to.
        let (_, best) = client.search("go nodes 2000 searchmoves d1c1");
        assert_eq!(best, "d1c1", "{options:?}");
    }
    client.quit();
}

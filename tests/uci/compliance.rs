//! What match runners and graphical programs ask first. The steps of fastchess's `--compliance`, and the
//! options.

use crate::client::Client;
use regulus::engine::options::{Kind, TABLE};

fn go(client: &mut Client, line: &str) {
    let (lines, best) = client.search(line);
    let scored = lines.iter().filter(|line| line.contains(" score ") && line.contains(" pv ")).count();
    assert!(scored >= 1, "{line}: {lines:#?}");
    assert!(best.len() == 4 || best.len() == 5, "{best}");
}

#[test]
fn the_compliance_steps_of_fastchess() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(lines.iter().any(|line| line.starts_with("id name Regulus")));
    assert!(lines.iter().any(|line| line.starts_with("id author ")));
    client.ready();
    client.send("ucinewgame");
    client.ready();
    client.send("position startpos");
    client.ready();
    client.send("position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27");
    client.ready();
    go(&mut client, "go wtime 100");
    client.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    go(&mut client, "go btime 100");
    go(&mut client, "go wtime 100 winc 100 btime 100 binc 100");
    go(&mut client, "go btime 100 binc 100 wtime 100 winc 100");
    client.send("ucinewgame");
    client.ready();
    client.send("position startpos");
    go(&mut client, "go wtime 100 btime 100");
    client.send("position startpos moves e2e4 e7e5");
    go(&mut client, "go wtime 100 btime 100");
    client.quit();
}

#[test]
fn options_are_declared_as_the_tools_read_them() {
    let mut client = Client::start();
    client.send("uci");
    for line in client.until("uciok").iter().filter(|line| line.starts_with("option ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = |name: &str| words.iter().position(|word| *word == name);
        let number = |name: &str| words[at(name).unwrap() + 1].parse::<i64>().unwrap();
        match words[at("type").unwrap() + 1] {
            "spin" => {
                assert!(number("min") <= number("default") && number("default") <= number("max"), "{line}");
            }
            "check" => assert!(["true", "false"].contains(&words[at("default").unwrap() + 1]), "{line}"),
            "combo" => {
                let default = words[at("default").unwrap() + 1];
                let choices: Vec<&str> =
                    words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]).collect();
                assert!(choices.contains(&default), "{line}");
            }
            "button" => assert_eq!(at("default"), None, "{line}"),
            "string" => assert!(at("default").is_some_and(|at| words.len() > at + 1), "{line}"),
            other => panic!("type {other}: {line}"),
        }
    }
    client.quit();
}

#[test]
fn options_are_obeyed_in_any_case_and_refused_aloud() {
    let mut client = Client::identified();
    client.send("setoption name hash value 1");
    client.send("SETOPTION name Hash value 2");
    client.send("setoption name Hash value many");
    client.send("setoption name Nonsense value 1");
    client.send("setoption name cLEAR hASH");
    let told: Vec<String> =
        client.ready().into_iter().filter(|line| line.starts_with("info string")).collect();
    assert_eq!(told.len(), 3, "{told:#?}");
    for option in
        ["Hash value 1", "Hash value 32", "Move Overhead value 0", "Ponder value true", "Ponder value false"]
    {
        client.send(&format!("setoption name {option}"));
        client.search("go depth 3");
        assert!(client.ready().iter().all(|line| line == "readyok"));
    }
    client.quit();
}

#[test]
fn a_hash_beyond_the_machine_is_refused_and_the_engine_plays_on() {
    let mut client = Client::identified();
    client.send("setoption name Hash value 999999999999");
    assert!(client.ready().iter().any(|line| line.contains("stays as it was")));
    client.search("go depth 3");
    client.quit();
}

/// Runners match names letter by letter.
#[test]
fn the_usual_options_have_their_usual_names() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    for name in [
        "Hash",
        "Clear Hash",
        "Ponder",
        "Move Overhead",
        "MultiPV",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "UCI_Elo",
    ] {
        let start = format!("option name {name} type ");
        assert_eq!(lines.iter().filter(|line| line.starts_with(&start)).count(), 1, "{name}");
    }
    client.quit();
}

/// Both ends of each range and every choice, the one that switches something off among them.
#[test]
fn the_engine_plays_with_every_value_of_every_option() {
    let mut client = Client::identified();
    client.send("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    for row in TABLE {
        let values: Vec<String> = match row.kind {
            Kind::Check { default, .. } => vec![(!default).to_string()],
            // Above a machine's means nothing is to be tried.
            Kind::Spin { min, max, .. } => {
                let means = if ["Hash", "Threads"].contains(&row.name) { 4 } else { u32::MAX };
                vec![min.to_string(), max.min(means).to_string()]
            }
            Kind::Combo { choices, .. } => choices().iter().map(|choice| (*choice).to_owned()).collect(),
            Kind::Text { .. } => vec!["<empty>".to_owned(), "no/such file".to_owned()],
            Kind::Button(_) => vec![String::new()],
        };
        for value in values {
            client.send(&format!("setoption name {} value {value}", row.name));
            for go in ["go nodes 400", "go wtime 30 btime 30"] {
                assert_ne!(client.search(go).1, "(none)", "{} {value}", row.name);
            }
        }
        let default = row.kind.default_text().unwrap_or_default();
        client.send(&format!("setoption name {} value {default}", row.name));
    }
    client.quit();
}

#[test]
fn own_commands() {
    let mut client = Client::identified();
    client.send("position startpos moves e2e4");
    client.send("d");
    assert!(client.ready().iter().any(|line| line.contains("/4P3/")));
    client.send("eval");
    assert!(client.ready().iter().any(|line| line.starts_with("eval: lower ")));
    client.send("go perft 3");
    assert!(client.ready().iter().any(|line| line == "Nodes searched: 13160"));
    client.send("help");
    assert!(client.ready().iter().any(|line| line.contains("go perft")));
    client.send("xyzzy");
    assert!(client.ready().iter().any(|line| line.starts_with("info string unknown command")));
    client.send("debug on");
    assert!(client.search("go depth 1").0.iter().any(|line| line.starts_with("info string budget")));
    client.send("debug off");
    client.quit();
}

#[test]
fn silent_but_for_the_protocol() {
    let mut client = Client::start();
    client.send("position startpos");
    client.send("ucinewgame");
    client.send("");
    client.send("register later");
    client.send("stop");
    client.send("ponderhit");
    assert_eq!(client.ready(), ["readyok"]);
    client.quit();
}

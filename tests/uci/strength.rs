//! Weaker play: `UCI_LimitStrength`, `UCI_Elo`, `StrengthSeed`.

use crate::client::Client;
use regulus::engine::strength::{LADDER, LEAST, MOST, Strength};

const MIDDLEGAME: &str =
    "position fen r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 1 6";

const MODES: [&str; 4] = [
    "setoption name SearchMode value AlphaBeta",
    "setoption name SearchMode value BStar",
    "setoption name Policy value BestFirst",
    "setoption name Policy value DisproveBest-Alternation",
];

/// The search is asked for its limit every few hundred nodes at most, and a first finding may cost more than the limit.
const SLACK: u64 = 1_000;

fn limited(elo: u32) -> Client {
    let mut client = Client::identified();
    client.send("setoption name UCI_LimitStrength value true");
    client.send(&format!("setoption name UCI_Elo value {elo}"));
    client.send(MIDDLEGAME);
    client
}

fn nodes(lines: &[String]) -> u64 {
    let of = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse().ok();
    lines.iter().filter(|line| line.starts_with("info depth ")).filter_map(of).max().unwrap()
}

/// What is told of the limit; `None` when there is none.
fn told(lines: &[String]) -> Option<&str> {
    lines.iter().find_map(|line| line.strip_prefix("info string strength limited to Elo "))
}

#[test]
fn the_options_are_declared_and_bad_values_change_nothing() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    let declared = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
    assert_eq!(declared("option name UCI_LimitStrength type check default false"), 1);
    assert_eq!(declared("option name UCI_Elo type spin default "), 1);
    assert!(lines.iter().any(|line| line.ends_with(&format!(" min {LEAST} max {MOST}"))), "{lines:#?}");
    client.send("position startpos");
    assert_eq!(told(&client.search("go nodes 100").0), None, "off by default");
    client.send(&format!("setoption name UCI_Elo value {LEAST}"));
    assert_eq!(told(&client.search("go nodes 100").0), None, "a rating alone limits nothing");
    client.send("setoption name uci_limitstrength value TRUE");
    let before = told(&client.search("go nodes 100").0).map(str::to_owned);
    assert!(before.as_ref().is_some_and(|told| told.starts_with(&LEAST.to_string())), "{before:?}");
    for bad in [
        &format!("UCI_Elo value {}", LEAST - 1),
        &format!("UCI_Elo value {}", MOST + 1),
        "UCI_Elo value strong",
        "UCI_Elo value -1500",
        "UCI_Elo",
        "UCI_LimitStrength value maybe",
        "UCI_LimitStrength",
        "StrengthSeed value -1",
        "StrengthSeed value 65536",
    ] {
        client.send(&format!("setoption name {bad}"));
        let refused = client.ready().iter().filter(|line| line.contains("stays as it was")).count();
        assert_eq!(refused, 1, "{bad}");
    }
    assert_eq!(told(&client.search("go nodes 100").0).map(str::to_owned), before);
    client.quit();
}

#[test]
fn a_limited_search_ends_at_its_nodes_in_every_mode_and_whatever_is_asked() {
    // So many nodes that what a search takes beyond its limit is less.
    let limit = Strength::of(MOST, 0).nodes;
    let mut client = limited(MOST);
    let ends = |client: &mut Client, mode: &str, go: &str, limit: u64| {
        client.send("ucinewgame");
        let (lines, _) = client.search(go);
        assert!(nodes(&lines) <= limit + SLACK, "{mode} {go}: {}", nodes(&lines));
        assert!(told(&lines).is_some_and(|told| told.starts_with(&format!("{MOST}: "))), "{lines:#?}");
    };
    for mode in MODES {
        client.send(mode);
        for go in [
            "go",
            "go depth 100",
            "go movetime 600000",
            "go nodes 100000000",
            "go wtime 60000000 btime 60000000",
            "go searchmoves a2a3 h2h3",
        ] {
            ends(&mut client, mode, go, limit);
        }
        client.send("setoption name Threads value 2");
        ends(&mut client, mode, "go wtime 60000000 btime 60000000", limit);
        client.send("setoption name Threads value 1");
        // The smaller limit counts.
        ends(&mut client, mode, "go nodes 1", 1);
    }
    client.quit();
}

/// More rating is more nodes, whatever the clock: the search is the one that `go nodes` makes.
#[test]
fn a_higher_rating_is_more_nodes() {
    for mode in &MODES[..2] {
        let mut last = 0;
        for elo in LADDER.iter().filter(|rung| rung.margin == 0).map(|rung| rung.elo) {
            let limit = Strength::of(elo, 0).nodes;
            let mut client = limited(elo);
            client.send(mode);
            let on_the_clock = client.search("go wtime 60000000 btime 60000000");
            client.send("setoption name UCI_LimitStrength value false");
            client.send("ucinewgame");
            let by_nodes = client.search(&format!("go nodes {limit}"));
            assert_eq!(on_the_clock.1, by_nodes.1, "{mode} {elo}");
            let told = nodes(&on_the_clock.0);
            assert_eq!(told, nodes(&by_nodes.0), "{mode} {elo}");
            assert!(told > last, "{mode} {elo}: {told} after {last}");
            last = told;
            client.quit();
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_game_and_others_play_others() {
    let mut client = limited(LEAST);
    for mode in &MODES[..2] {
        client.send(mode);
        let mut game = |seed: u32| {
            client.send(&format!("setoption name StrengthSeed value {seed}"));
            client.send("ucinewgame");
            let mut moves = String::from("position startpos moves");
            for _ in 0..8 {
                client.send(&moves);
                let (_, best) = client.search("go wtime 60000 btime 60000");
                moves = format!("{moves} {best}");
            }
            moves
        };
        let (one, other) = (game(1), game(2));
        assert_eq!(game(1), one, "{mode}");
        assert_ne!(one, other, "{mode}");
    }
    client.quit();
}

#[test]
fn a_mate_in_one_is_played_at_every_rating() {
    for elo in [LEAST, LADDER[LADDER.len() / 2].elo, MOST] {
        let mut client = limited(elo);
        for mode in &MODES[..2] {
            client.send(mode);
            for seed in 0..6 {
                client.send(&format!("setoption name StrengthSeed value {seed}"));
                client.send("position fen 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1");
                assert_eq!(client.search("go wtime 1000 btime 1000").1, "b1b8", "{mode} {elo} {seed}");
            }
        }
        client.quit();
    }
}

#[test]
fn analysis_is_at_full_strength() {
    let mut client = limited(LEAST);
    for mode in &MODES[..2] {
        client.send(mode);
        client.send("setoption name UCI_AnalyseMode value true");
        let (lines, _) = client.search("go nodes 8000");
        assert_eq!(told(&lines), None);
        assert!(nodes(&lines) > 7_000, "{mode}: {lines:#?}");
        client.send("setoption name UCI_AnalyseMode value false");
        client.send("position fen r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1");
        assert_eq!(client.search("go mate 2").1, "f5g6", "{mode}");
        client.send(MIDDLEGAME);
        client.send("go infinite");
        while nodes(&client.until("info depth ")) < 8_000 {}
        client.send("stop");
        assert_eq!(told(&client.best_move().0), None);
    }
    client.quit();
}

#[test]
fn lines_chances_and_pondering_go_on_at_any_rating() {
    for elo in [LEAST, MOST] {
        let mut client = limited(elo);
        client.send("setoption name MultiPV value 3");
        client.send("setoption name UCI_ShowWDL value true");
        client.send("setoption name Contempt value 20");
        for mode in MODES {
            client.send(mode);
            let (lines, best) = client.search("go wtime 60000 btime 60000");
            let last = |number: u32| {
                let word = format!(" multipv {number} ");
                lines.iter().rfind(|line| line.contains(&word)).unwrap_or_else(|| panic!("{lines:#?}"))
            };
            assert!((1..=3).all(|number| last(number).contains(" wdl ")), "{mode}");
            assert!(last(1).contains(&format!(" pv {best}")), "{mode}");
            assert!(!lines.iter().any(|line| line.contains(" multipv 4 ")), "{mode}: {lines:#?}");
            let before = client.best_moves;
            for end in ["ponderhit", "stop"] {
                client.send("go ponder wtime 60000 btime 60000");
                client.ready();
                client.send(end);
                client.best_move();
            }
            client.ready();
            assert_eq!(client.best_moves, before + 2, "{mode}");
        }
        client.quit();
    }
}

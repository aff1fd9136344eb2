use super::*;
use crate::engine::datagen;
use cozy_chess::Board;
use std::fs;
use std::path::PathBuf;

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("regulus-calibrate-{}-{name}", std::process::id()))
}

fn settings() -> Settings {
    Settings {
        positions: 40,
        seed: 1,
        probe: None,
        model: IntervalModel::default(),
        truth: Truth::Given,
        network: Network::embedded(),
    }
}

#[test]
fn intervals_are_measured_on_games() {
    let games = temporary("games");
    let few = datagen::Settings { games: 3, nodes: 60, ..datagen::Settings::default() };
    datagen::run(&few, &games, |_, _| {}).unwrap();
    let given = run(&settings(), &games, |_, _| {}).unwrap();
    assert_eq!(given.len(), 40);
    assert_eq!(given, run(&settings(), &games, |_, _| {}).unwrap());
    let probed = Settings { probe: Some(2), truth: Truth::Depth(3), ..settings() };
    let probed = run(&probed, &games, |_, _| {}).unwrap();
    assert_ne!(probed, given);
    let by_nodes = Settings { truth: Truth::Nodes(300), ..settings() };
    assert_eq!(run(&by_nodes, &games, |_, _| {}).unwrap().len(), 40);
    fs::remove_file(&games).unwrap();
}

#[test]
fn positions_need_a_search_or_a_score() {
    let file = temporary("positions");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let measured = |text: &str, truth| {
        fs::write(&file, text).unwrap();
        run(&Settings { truth, ..settings() }, &file, |_, _| {}).map_err(|error| error.to_string())
    };
    assert_eq!(measured(&format!("{start}|25\n\n"), Truth::Given).unwrap().len(), 1);
    assert_eq!(measured(start, Truth::Depth(2)).unwrap().len(), 1);
    assert!(measured(start, Truth::Given).unwrap_err().contains("without a score"));
    assert!(measured("nothing", Truth::Given).unwrap_err().contains(":1: "));
    assert!(measured(&format!("{start}|much"), Truth::Given).unwrap_err().contains("\"much\""));
    fs::remove_file(&file).unwrap();
}

#[test]
fn the_table_counts_and_the_picture_shows() {
    let start = Board::startpos();
    let bare = Board::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false).unwrap();
    let mut samples = vec![Sample::new(&start, -50, 50, 0); 8];
    samples.push(Sample::new(&bare, 100, 400, 31_990));
    samples.push(Sample::new(&bare, 100, 400, 0));
    let table = table(&samples);
    assert!(table.contains("| all | 10 | 80.0 % | 10.0 % | 10.0 % | 140 |"), "{table}");
    assert!(table.contains("| endgame | 2 | 0.0 % | 50.0 % | 50.0 % | 300 |"), "{table}");
    assert!(table.contains("| opening | 8 | 100.0 % | 0.0 % | 0.0 % | 100 |"), "{table}");
    assert!(table.contains("| fifth 5 by width | 2 | 0.0 % |"), "{table}");
    let picture = picture(&samples, "a < b");
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n") && picture.contains("a &lt; b"));
    assert_eq!(picture.matches("#6a9fd4").count(), 18);
    assert!(!super::table(&[]).contains("NaN"));
}

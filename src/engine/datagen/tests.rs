use super::*;
use crate::chess::fen::{Rules, read_fen, read_move};
use crate::chess::{Outcome, Position};
use std::fs;

const FEW: Settings = Settings { games: 4, nodes: 60, threads: 1, seed: 3, chess960: 50, random: 100 };

fn made(settings: &Settings, name: &str) -> String {
    let path = std::env::temp_dir().join(format!("regulus-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    run(settings, &path, |_, _| {}).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    text
}

#[test]
fn games_replay_and_end_as_they_say() {
    let text = made(&FEW, "replay");
    assert_eq!(text.lines().count(), 4);
    let mut random = 0;
    for line in text.lines() {
        let [start, result, moves] = line.split('|').collect::<Vec<_>>().try_into().unwrap();
        let mut position = Position::from_board(read_fen(start, Rules::Chess960).unwrap().board);
        for item in moves.split(' ') {
            assert_eq!(position.outcome(), None, "{line}");
            let (action, score) = item.split_once(',').unwrap();
            random += usize::from(score.ends_with('*'));
            let score: i32 = score.trim_end_matches('*').parse().unwrap();
            assert!(score.abs() < 32_000, "{line}");
            position.play(read_move(position.board(), action).unwrap());
        }
        match position.outcome() {
            Some(Outcome::Checkmate) => {
                let black_moves = position.board().side_to_move() == cozy_chess::Color::Black;
                assert_eq!(result, if black_moves { "1" } else { "0" });
            }
            Some(_) => assert_eq!(result, "d"),
            None => assert!(["1", "0", "d"].contains(&result)),
        }
    }
    assert!(random > 0);
}

#[test]
fn the_same_for_any_number_of_threads_and_after_a_stop() {
    let whole = made(&FEW, "whole");
    assert_eq!(made(&Settings { threads: 3, ..FEW }, "threads"), whole);
    let path = std::env::temp_dir().join(format!("regulus-{}-stopped", std::process::id()));
    let second = whole.lines().next().unwrap().len() + 1;
    fs::write(&path, &whole[..second + 50]).unwrap();
    let mut told = Vec::new();
    run(&FEW, &path, |games, _| told.push(games)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), whole);
    assert_eq!(told, [2, 3, 4]);
    fs::remove_file(&path).unwrap();
}

#[test]
fn another_seed_makes_other_games() {
    let one = Settings { games: 1, ..FEW };
    assert_ne!(made(&one, "one"), made(&Settings { seed: 4, ..one }, "other"));
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let folder = std::env::temp_dir();
    assert!(run(&FEW, &folder, |_, _| {}).is_err());
}

#[test]
fn clear_games_are_ended() {
    let mut won = Adjudication::default();
    let scores = [1300, 1300, 1199, 1300, -1300, -1300, -1300, -1300, -1300, -1300];
    let judged: Vec<_> = scores.iter().map(|&score| won.judge(20, score)).collect();
    assert_eq!(judged.iter().flatten().count(), 1);
    assert_eq!(judged[9], Some('0'));
    let mut drawn = Adjudication::default();
    assert!((0..103).all(|ply| drawn.judge(ply, -8).is_none()));
    assert_eq!(drawn.judge(103, 8), Some('d'));
    assert_eq!(drawn.judge(104, 9), None);
}

#[test]
fn labels_are_of_quiet_positions() {
    let games = std::env::temp_dir().join(format!("regulus-{}-games", std::process::id()));
    let into = std::env::temp_dir().join(format!("regulus-{}-labels", std::process::id()));
    fs::write(&games, made(&FEW, "for-labels")).unwrap();
    for depth in [0, 1] {
        let settings = label::Settings { depth, each: 1, seed: 1 };
        let mut told = (0, 0);
        label::run(&settings, &games, &into, |games, written| told = (games, written)).unwrap();
        let text = fs::read_to_string(&into).unwrap();
        assert_eq!(told, (4, text.lines().count() as u64));
        assert!(told.1 > 20, "{told:?}");
        for line in text.lines() {
            let (fen, score) = line.split_once('|').unwrap();
            assert!(read_fen(fen, Rules::Chess960).unwrap().board.checkers().is_empty());
            assert!(score.parse::<i32>().unwrap().abs() < 30_000);
        }
    }
    fs::write(&games, "no game\n").unwrap();
    let refused = label::run(&label::Settings { depth: 0, each: 1, seed: 1 }, &games, &into, |_, _| {});
    assert!(refused.unwrap_err().to_string().contains(":1: "));
    fs::remove_file(&games).unwrap();
    fs::remove_file(&into).unwrap();
}

#[test]
fn bad_games_are_told_apart() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    let read = |rest: &str| record::Record::read(&format!("{start}{rest}"));
    assert_eq!(read("|d|e2e4,12 e7e5,-3*").unwrap().moves.len(), 2);
    for (bad, told) in [
        ("|d", "three fields"),
        ("|x|e2e4,1", "no result"),
        ("|d|e2e5,1", "\"e2e5,1\""),
        ("|d|e2e4", "\"e2e4\""),
        ("|d|e2e4,one", "\"e2e4,one\""),
    ] {
        let reason = read(bad).unwrap_err();
        assert!(reason.contains(told), "{reason}");
    }
}

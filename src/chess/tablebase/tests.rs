//! Positions with known answers. They need tables of three and four men, in the folders that the environment variable
//! `REGULUS_SYZYGY` names.

use super::*;
use crate::chess::Position;
use cozy_chess::{Move, Piece, Square};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The tables, or nothing and a word about it past the test harness, which keeps to itself what passing tests print.
fn tables(test: &str) -> Option<Tablebases> {
    let found = std::env::var("REGULUS_SYZYGY").ok().map(|folders| Tablebases::open(&folders));
    match found {
        Some((tables, notes)) if tables.most_men() >= 4 => {
            assert_eq!(notes, [""; 0]);
            Some(tables)
        }
        _ => {
            let _ = writeln!(io::stderr(), "{test} LEFT OUT: no Syzygy tables of four men in REGULUS_SYZYGY");
            None
        }
    }
}

fn board(fen: &str) -> Board {
    fen.parse().unwrap()
}

fn probing(tables: Tablebases) -> Probing {
    Probing { tables: Arc::new(tables), most_men: 7, least_depth: 1, fifty_move_rule: true }
}

/// An empty folder of this test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("regulus-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn known_positions() {
    let Some(tables) = tables("known_positions") else { return };
    for (fen, outcome, distance) in [
        ("8/8/8/8/8/8/1Q6/k1K5 b - - 0 1", Outcome::Loss, -1),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", Outcome::Win, 1),
        ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", Outcome::Draw, 0),
        ("8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", Outcome::Draw, 0),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Outcome::Loss, -4),
        ("8/8/8/8/8/8/8/K1k1B1N1 w - - 0 1", Outcome::Win, 60),
        ("8/8/8/3pP3/8/8/8/K1k5 w - d6 0 1", Outcome::Win, 1),
        ("8/8/8/8/8/2k5/8/K1nn4 b - - 0 1", Outcome::Draw, 0),
    ] {
        assert_eq!(tables.outcome(&board(fen)), Some(outcome), "{fen}");
        let found = tables.distance(&board(fen)).unwrap();
        assert_eq!(found.signum(), outcome.sign(false), "{fen}");
        assert_eq!(found, distance, "{fen}");
    }
    assert_eq!(tables.hits(), 16);
}

/// The outcome of a position is the best of what its moves lead to, and a distance is one more than a move's.
#[test]
fn neighbours_agree() {
    let Some(tables) = tables("neighbours_agree") else { return };
    let mut random = 0x2545_F491_4F6C_DD1Du64;
    let mut checked = 0;
    for men in ["KQvKR", "KRvKP", "KBNvK", "KPvKP", "KPPvK", "KNNvK", "KRvKR", "KQvKQ", "KBvKP"] {
        for _ in 0..60 {
            let Some(board) = random_board(men, &mut random) else { continue };
            let outcome = tables.outcome(&board).expect(men);
            let distance = tables.distance(&board).expect(men);
            let moves = Position::from_board(board.clone()).legal_moves();
            let after = |action: &Move| {
                let mut after = board.clone();
                after.play(*action);
                tables.outcome(&after).unwrap().reversed()
            };
            if let Some(best) = moves.iter().map(after).max() {
                assert_eq!(outcome, best, "{board}");
            }
            let distances: Vec<i32> =
                moves.iter().map(|&action| tables.distance_after(&board, action).unwrap()).collect();
            let same = distances.iter().filter(|found| found.signum() == distance.signum());
            if let Some(&best) = same.min() {
                // A table that counts in moves may be one ply off.
                assert!(distance == 0 || (best - distance).abs() <= 1, "{board}: {distance}, {distances:?}");
            }
            checked += 1;
        }
    }
    assert!(checked > 200);
}

/// A legal position with these men, or by bad luck none.
fn random_board(men: &str, random: &mut u64) -> Option<Board> {
    let mut builder = cozy_chess::BoardBuilder::empty();
    let mut color = cozy_chess::Color::White;
    for letter in men.chars() {
        let Ok(piece) = letter.to_ascii_lowercase().to_string().parse::<Piece>() else {
            color = cozy_chess::Color::Black;
            continue;
        };
        *random ^= *random << 13;
        *random ^= *random >> 7;
        *random ^= *random << 17;
        let square = builder.square_mut(Square::index((*random >> 20) as usize % 64));
        if square.is_some() {
            return None;
        }
        *square = Some((piece, color));
    }
    builder.side_to_move = if *random & 1 == 0 { cozy_chess::Color::White } else { cozy_chess::Color::Black };
    let board = builder.build().ok()?;
    // The library lets kings touch.
    let [white, black] = cozy_chess::Color::ALL.map(|color| board.king(color));
    (!cozy_chess::get_king_moves(white).has(black)).then_some(board)
}

#[test]
fn castling_and_missing_tables_are_not_answered() {
    let Some(tables) = tables("castling_and_missing_tables_are_not_answered") else { return };
    assert_eq!(tables.outcome(&board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")), None);
    assert!(tables.outcome(&board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")).is_some());
    assert_eq!(tables.outcome(&board("4k3/pppp4/8/8/8/8/PPPP4/4K2R w - - 0 1")), None);
    assert_eq!(tables.hits(), 1);
}

#[test]
fn a_won_root_comes_nearer_with_every_move() {
    let Some(tables) = tables("a_won_root_comes_nearer_with_every_move") else { return };
    let probing = probing(tables);
    let mut game = Position::from_board(board("8/8/8/8/3k4/8/8/KBN5 w - - 0 1"));
    while game.outcome().is_none() {
        let moves = game.legal_moves();
        let ruling = probing.rule(&game, &moves).unwrap();
        assert_eq!(ruling.sign, if game.game_ply().is_multiple_of(2) { 1 } else { -1 });
        game.play(ruling.moves[ruling.moves.len() - 1]);
    }
    assert_eq!(game.outcome(), Some(crate::chess::Outcome::Checkmate));
    assert!(game.game_ply() <= 66, "{}", game.game_ply());
}

#[test]
fn the_root_obeys_what_it_is_asked() {
    let Some(tables) = tables("the_root_obeys_what_it_is_asked") else { return };
    let probing = probing(tables);
    let rule = |fen: &str, asked: &[&str]| {
        let position = Position::from_board(board(fen));
        let asked: Vec<Move> = asked.iter().map(|action| action.parse().unwrap()).collect();
        let moves = if asked.is_empty() { position.legal_moves() } else { asked };
        let ruling = probing.rule(&position, &moves).unwrap();
        (ruling.moves.iter().map(Move::to_string).collect::<Vec<_>>(), ruling.sign)
    };
    let capture = "6k1/8/8/8/8/3q4/8/K2R4 w - - 0 1";
    assert_eq!(rule(capture, &[]), (vec!["d1d3".to_owned()], 1));
    assert_eq!(rule(capture, &["d1d2", "d1c1"]).1, -1);
    let pawn = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    assert_eq!(rule(pawn, &["e6d5", "e6d6"]), (vec!["e6d6".to_owned()], 1));
    assert_eq!(rule(pawn, &["e6d5"]), (vec!["e6d5".to_owned()], 0));
    // Mate with the hundredth half-move, and no other win.
    assert_eq!(rule("k7/8/1K6/8/8/8/8/7R w - - 99 90", &[]), (vec!["h1h8".to_owned()], 1));
    // At that clock nothing but the draw is left to a side that cannot mate or zero at once.
    assert_eq!(rule("8/8/8/3k4/8/8/8/K6R w - - 99 90", &[]).1, 0);
}

#[test]
fn other_files_are_told_of_and_left_out() {
    let folder = scratch("bad-tables");
    for (name, bytes) in [
        ("KQvK.rtbw", vec![0; 80]),
        ("KRvK.rtbw", vec![0x71; 79]),
        ("KBvK.rtbz", vec![]),
        ("KXvK.rtbw", vec![0; 80]),
        ("notes.txt", vec![1]),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    // Rightly begun, and nothing in it.
    let mut hollow = vec![0xff; 80];
    hollow[..4].copy_from_slice(&[0x71, 0xe8, 0x23, 0x5d]);
    fs::write(folder.join("KPvK.rtbw"), hollow).unwrap();
    let missing = folder.join("missing");
    let list = std::env::join_paths([folder.as_path(), Path::new(""), &missing]).unwrap();
    let (tables, notes) = Tablebases::open(list.to_str().unwrap());
    assert_eq!((tables.counts(), notes.len()), ([1, 0], 4), "{notes:?}");
    assert!(notes[3].contains("missing"), "{notes:?}");
    let pawn = board("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1");
    assert_eq!((tables.outcome(&pawn), tables.distance(&pawn)), (None, None));
    assert_eq!(tables.outcome(&pawn), None);
    assert_eq!(tables.take_faults().len(), 1);
    assert!(tables.take_faults().is_empty());
    fs::remove_dir_all(&folder).unwrap();
}

/// Whatever bytes are wrong in a file, a probe answers something or nothing.
#[test]
fn damaged_files_do_no_harm() {
    let Some(_) = tables("damaged_files_do_no_harm") else { return };
    let from = std::env::var("REGULUS_SYZYGY").unwrap();
    let folder = scratch("damaged-tables");
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 16) as usize % below
    };
    for name in ["KRvKP.rtbw", "KRvKP.rtbz", "KBNvK.rtbw", "KBNvK.rtbz", "KPvK.rtbw", "KPvK.rtbz"] {
        let path = std::env::split_paths(&from).map(|folder| folder.join(name)).find(|path| path.exists());
        let whole = fs::read(path.unwrap()).unwrap();
        for round in 0..40 {
            let mut bytes = whole.clone();
            // Most faults where they do most: in the head.
            for _ in 0..1 + round % 8 {
                let at = if round % 2 == 0 {
                    4 + next(200.min(bytes.len() - 4))
                } else {
                    4 + next(bytes.len() - 4)
                };
                bytes[at] ^= 1 << next(8);
            }
            if round % 5 == 0 {
                bytes.truncate(16 + 64 * next(bytes.len() / 64));
            }
            for other in
                ["KRvK.rtbw", "KPvK.rtbw", "KQvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KQvKR.rtbw", "KRvKR.rtbw"]
            {
                let path =
                    std::env::split_paths(&from).map(|folder| folder.join(other)).find(|path| path.exists());
                if let Some(path) = path.filter(|_| !folder.join(other).exists() && other != name) {
                    fs::copy(path, folder.join(other)).unwrap();
                }
            }
            fs::write(folder.join(name), bytes).unwrap();
            let (tables, _) = Tablebases::open(folder.to_str().unwrap());
            for _ in 0..8 {
                if let Some(board) =
                    random_board(&name[..name.len() - 5], &mut 0u64.wrapping_add(next(1 << 40) as u64))
                {
                    let _ = (tables.outcome(&board), tables.distance(&board));
                }
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

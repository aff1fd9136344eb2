//! What is said of a position: mates in moves and with the right sign, draws where they are draws. That each
//! line is legal and well formed is judged by the client at every line of every test.

use crate::client::Client;

/// The last exact score before the answer, as UCI writes it.
fn score(client: &mut Client, position: &str, go: &str) -> (String, String) {
    client.send("ucinewgame");
    client.send(position);
    let (lines, best) = client.search(go);
    let last = lines.iter().rev().find(|line| {
        line.contains(" score ") && !line.contains("lowerbound") && !line.contains("upperbound")
    });
    let words: Vec<&str> = last.unwrap().split(' ').collect();
    let at = words.iter().position(|word| *word == "score").unwrap();
    (words[at + 1..at + 3].join(" "), best)
}

#[test]
fn mates_are_counted_in_moves() {
    let mut client = Client::identified();
    for (fen, mate) in [
        ("k7/8/1K6/5R2/8/8/8/8 b - - 0 1", "mate -1"),
        ("1k6/8/1K6/5R2/8/8/8/8 w - - 0 1", "mate 1"),
        ("k7/8/1K6/1R6/8/8/8/8 w - - 0 1", "mate 2"),
        ("Qk6/8/1K6/1R6/8/8/8/8 b - - 0 1", "mate -2"),
        ("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"),
        // Mate on the hundredth half-move is mate.
        ("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88", "mate 1"),
    ] {
        assert_eq!(score(&mut client, &format!("position fen {fen}"), "go depth 16").0, mate, "{fen}");
    }
    client.quit();
}

#[test]
fn terminal_roots_have_no_move() {
    let mut client = Client::identified();
    for fen in ["7k/6Q1/5K2/8/8/8/8/8 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        for go in ["go depth 5", "go movetime 10", "go wtime 100 btime 100", "go nodes 10", "go"] {
            assert_eq!(score(&mut client, &format!("position fen {fen}"), go).1, "(none)");
        }
    }
    client.quit();
}

#[test]
fn a_forced_move_has_a_score_and_a_line() {
    let mut client = Client::identified();
    let line = "position startpos moves h2h4 e7e5 h4h5 d7d5 h5h6 g8h6 g2g4 h6g4 f2f4 f8e7 f4e5 e7h4";
    let (value, best) = score(&mut client, line, "go nodes 1000");
    assert_eq!(best, "h1h4");
    assert!(value.starts_with("cp ") || value.starts_with("mate "));
    assert_eq!(score(&mut client, line, "go wtime 1000 btime 1000").1, "h1h4");
    client.quit();
}

#[test]
fn a_move_that_hangs_the_rook_is_not_chosen_at_the_fifty_move_limit() {
    let mut client = Client::identified();
    let (_, best) = score(&mut client, "position fen 4kr2/8/8/8/8/8/8/3RK3 b - - 100 1", "go depth 6");
    assert_ne!(best, "f8f1");
    client.quit();
}

#[test]
fn a_mate_that_the_fifty_move_rule_kills_is_none() {
    let mut client = Client::identified();
    // Mate in two moves, three plies: on the hundredth half-move it is mate, after it a draw.
    let position = |clock: u32| format!("position fen k7/8/1K6/1R6/8/8/8/8 w - - {clock} 90");
    assert_eq!(score(&mut client, &position(97), "go depth 12").0, "mate 2");
    let (value, _) = score(&mut client, &position(98), "go nodes 20000");
    assert!(value.starts_with("cp "), "{value}");
    client.quit();
}

#[test]
fn promotions_are_written_small() {
    let mut client = Client::identified();
    let root = "position fen 5k2/1P6/5p2/8/8/8/5PP1/3K4 w - - 1 61";
    assert_eq!(score(&mut client, root, "go depth 6").1, "b7b8q");
    client.quit();
}

/// White is lost, but for a position that the game has seen twice and that its king can bring about once more.
#[test]
fn the_game_so_far_can_save_a_lost_position() {
    let mut client = Client::identified();
    let root = "position fen 3q2k1/8/8/8/8/8/K7/8 w - - 0 1";
    let game = "a2b1 d8d7 b1a1 d7d8 a1b1 d8d7 b1a1 d7d8";
    assert_eq!(
        score(&mut client, &format!("{root} moves {game}"), "go depth 8"),
        ("cp 0".to_owned(), "a1b1".to_owned())
    );
    let alone = "position fen 3q2k1/8/8/8/8/8/8/K7 w - - 8 5";
    assert_ne!(score(&mut client, alone, "go depth 8").0, "cp 0", "without that game it is lost");
    client.quit();
}

#[test]
fn a_saving_repetition_is_seen() {
    // White is a queen down and gives perpetual check: e8h5+ and back. The history knows it twice already.
    let mut client = Client::identified();
    let fen = "position fen 6k1/5pp1/8/7Q/8/8/1q3PPP/6K1 w - - 0 1";
    let (value, _) = score(&mut client, &format!("{fen} moves h5e8 g8h7 e8h5 h7g8"), "go depth 8");
    assert!(value.starts_with("cp "), "{value}");
    client.quit();
}

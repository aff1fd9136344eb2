use super::*;
use proptest::prelude::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN as it was understood (Shredder letters), and the number of notes.
fn understood(text: &str, rules: Rules) -> (String, usize) {
    let fen = read_fen(text, rules).unwrap_or_else(|error| panic!("{text}: {error}"));
    (write_fen(&fen.board, Rules::Chess960), fen.notes.len())
}

fn assert_read(text: &str, rules: Rules, expected: &str, notes: usize) {
    assert_eq!(understood(text, rules), (expected.to_owned(), notes), "{text}");
}

#[test]
fn a_plain_fen_comes_back() {
    for fen in [
        START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    ] {
        let read = read_fen(fen, Rules::Standard).unwrap();
        assert_eq!(write_fen(&read.board, Rules::Standard), fen);
        assert!(read.notes.is_empty(), "{:?}", read.notes);
        assert_eq!(read.board, fen.parse().unwrap());
    }
}

#[test]
fn missing_fields_are_filled_in() {
    let bare = "4k3/8/8/8/8/8/8/4K2R";
    for (text, expected) in [
        (format!("{bare} b"), format!("{bare} b - - 0 1")),
        (format!("{bare} b K"), format!("{bare} b H - 0 1")),
        (format!("{bare} w K -"), format!("{bare} w H - 0 1")),
        (format!("{bare} w K - 7"), format!("{bare} w H - 7 1")),
        (format!("  {bare}   w\tK  -  7   30  "), format!("{bare} w H - 7 30")),
        (format!("{bare} w K - 7 30 bm Rh8"), format!("{bare} w H - 7 30")),
    ] {
        assert_read(&text, Rules::Standard, &expected, 0);
    }
}

#[test]
fn bad_counters_become_the_nearest_sane_ones() {
    let bare = "4k3/8/8/8/8/8/8/4K2R w - -";
    for (text, expected) in [
        ("- -", "0 1"),
        ("x y", "0 1"),
        ("-3 -1", "0 1"),
        ("0 0", "0 1"),
        ("100 88", "100 88"),
        ("101 88", "100 88"),
        ("99999999999999999999 99999999999999999999", "100 65535"),
        ("65536 65536", "100 65535"),
        ("1.5 2.5", "0 1"),
        ("+5 +6", "5 6"),
    ] {
        assert_read(&format!("{bare} {text}"), Rules::Standard, &format!("{bare} {expected}"), 0);
    }
}

#[test]
fn rights_that_cannot_hold_are_dropped_with_a_word() {
    for (text, rights, notes) in [
        ("3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15", "A", 1),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-", 4),
        ("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-", 2),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQXkq? - 0 1", "HAha", 2),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KHkh - 0 1", "Hh", 0),
        // In standard chess no king castles from b1, and none with a rook from g1.
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "-", 2),
        ("4k3/8/8/8/8/8/8/4K1R1 w K - 0 1", "-", 1),
    ] {
        let (fen, told) = understood(text, Rules::Standard);
        assert_eq!((fen.split(' ').nth(2).unwrap(), told), (rights, notes), "{text}");
    }
}

#[test]
fn chess960_rights_by_wing_and_by_file() {
    for (text, rights, notes) in [
        ("nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w KQkq - 0 1", "HChc", 0),
        ("nqrnbbkr/pppppppp/8/8/8/8/PPPPPPPP/NQRNBBKR w HChc - 0 1", "HChc", 0),
        // The outermost rook is meant; where there is none on the wing, nothing is.
        ("4k3/8/8/8/8/8/8/R1RK1R1R w KQ - 0 1", "HA", 0),
        ("4k3/8/8/8/8/8/8/R1RK1R1R w FC - 0 1", "FC", 0),
        ("4k3/8/8/8/8/8/8/R1RK1R1R w KF - 0 1", "H", 1),
        ("nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8", "GDd", 0),
        ("q1kn1br1/3p1p1p/1rpB2p1/1p6/p7/P4P2/BPPP2PP/QRKN3R w KQq - 1 13", "HB", 1),
        // Different set-ups for the two sides.
        ("rkr5/pppppppp/8/8/8/8/PPPPPPPP/1R2K2R w KQkq - 0 1", "HBca", 0),
    ] {
        let (fen, told) = understood(text, Rules::Chess960);
        assert_eq!((fen.split(' ').nth(2).unwrap(), told), (rights, notes), "{text}");
    }
}

#[test]
fn en_passant_squares_that_mean_nothing_are_dropped() {
    for (text, square, notes) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "-", 0),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "e3", 0),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - E3 0 1", "e3", 0),
        // The capture would open the rank to the rook.
        ("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "-", 0),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e6 0 1", "-", 1),
        ("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1", "-", 1),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e9 0 1", "-", 1),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - xyz 0 1", "-", 1),
    ] {
        let (fen, told) = understood(text, Rules::Standard);
        assert_eq!((fen.split(' ').nth(3).unwrap(), told), (square, notes), "{text}");
    }
}

#[test]
fn what_is_no_position_is_refused_with_a_reason() {
    use FenError::*;
    for (text, reason) in [
        ("", Empty),
        ("   ", Empty),
        ("4k3/8/4K3 w - - 0 1", Ranks(3)),
        ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", Ranks(9)),
        ("4k3/8/8/8/8/7/8/4K3 w - - 0 1", Squares(3)),
        ("4k3/8/8/8/8/44p/8/4K3 w - - 0 1", Squares(3)),
        ("4k3/8/8/8/8/9/8/4K3 w - - 0 1", Man('9')),
        ("4k3/8/8/8/8/0p7/8/4K3 w - - 0 1", Man('0')),
        ("4k3/8/8/8/8/x7/8/4K3 w - - 0 1", Man('x')),
        ("4k3/8/8/8/8/\u{e9}7/8/4K3 w - - 0 1", Man('\u{e9}')),
        ("4k3/8/8/8/8/8/8/4K3", Side(None)),
        ("4k3/8/8/8/8/8/8/4K3 white - - 0 1", Side(Some("white".to_owned()))),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", Kings(Color::White, 0)),
        ("6r1/5p1k/4b2P/4P1P1/8/8/8/2Q5 w - - 0 1", Kings(Color::White, 0)),
        ("kk6/8/8/8/8/8/8/4K3 w - - 0 1", Kings(Color::Black, 2)),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", Pawns(Color::Black, 9)),
        ("4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ w - - 0 1", Men(Color::White, 17)),
        ("QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1", Men(Color::White, 27)),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", PawnOnLastRank),
        ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", PawnOnLastRank),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", NotToMoveInCheck),
        ("rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w", NotToMoveInCheck),
        ("8/8/8/3kK3/8/8/8/8 w - - 0 1", NotToMoveInCheck),
    ] {
        let refusal = read_fen(text, Rules::Standard);
        assert_eq!(refusal, Err(reason), "{text}");
        assert!(!refusal.unwrap_err().to_string().is_empty());
    }
}

#[test]
fn odd_but_legal_positions_are_accepted() {
    for (text, moves) in [
        ("2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1", 3),
        ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - -", 218),
        ("8/8/8/8/8/4k3/8/4K2r w - - 0 1", 0),
    ] {
        let board = read_fen(text, Rules::Standard).unwrap().board;
        let mut found = 0;
        board.generate_moves(|set| {
            found += set.len();
            false
        });
        assert_eq!(found, moves, "{text}");
    }
}

fn board(text: &str, rules: Rules) -> Board {
    read_fen(text, rules).unwrap().board
}

#[test]
fn castling_is_read_in_both_notations_and_written_in_the_one_asked_for() {
    let standard = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Rules::Standard);
    for (text, step, capture) in [
        ("e1g1", "e1g1", "e1h1"),
        ("e1h1", "e1g1", "e1h1"),
        ("e1c1", "e1c1", "e1a1"),
        ("E1A1", "e1c1", "e1a1"),
    ] {
        let castling = read_move(&standard, text).unwrap();
        assert_eq!(write_move(&standard, castling, Rules::Standard), step);
        assert_eq!(write_move(&standard, castling, Rules::Chess960), capture);
    }
    // King g8 takes rook h8 is castling here; on f1 the step to g1 is an ordinary move.
    let black = board("nqrnb1kr/pppppppp/6b1/8/8/8/PPPPPPPP/NQRNBBKR b KQkq - 0 1", Rules::Chess960);
    assert_eq!(read_move(&black, "g8h8").unwrap().to_string(), "g8h8");
    let near = board("4k3/8/8/8/8/8/8/5K1R w K - 0 1", Rules::Chess960);
    assert_eq!(write_move(&near, read_move(&near, "f1h1").unwrap(), Rules::Chess960), "f1h1");
    let step = read_move(&near, "f1g1").unwrap();
    assert_eq!(write_move(&near, step, Rules::Chess960), "f1g1");
    let blocked = board("nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8", Rules::Chess960);
    assert_eq!(read_move(&blocked, "e8d8").unwrap().to_string(), "e8d8");
}

#[test]
fn castling_out_of_check_is_no_move() {
    let text = "r1b1k1nr/p2pp1bp/2p2pp1/q7/2B1P3/3Q4/PPP2PPP/RNB1K2R w KQkq - 0 1";
    let checked = board(text, Rules::Standard);
    assert_eq!(read_move(&checked, "e1g1"), None);
    assert!(read_move(&checked, "e1e2").is_some());
}

#[test]
fn moves_in_odd_writing() {
    let promotion = board("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", Rules::Standard);
    for text in ["e7e8q", "e7e8Q", "E7E8Q"] {
        assert_eq!(read_move(&promotion, text).unwrap().to_string(), "e7e8q");
    }
    for text in
        ["e7e8", "e7e8k", "e7e8p", "0000", "", "e7", "e2e4e", "(none)", "e7e8q ", "\u{e9}7e8q", "a1a1"]
    {
        assert_eq!(read_move(&promotion, text), None, "{text:?}");
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "[ -~]{0,90}") {
        let _ = read_fen(&text, Rules::Chess960);
        let _ = read_move(&Board::startpos(), &text);
    }

    /// A good FEN with one character put somewhere: read or refused, and what was read can be written and read
    /// again.
    #[test]
    fn no_misprint_panics(at in 0..START.len(), letter: char, chess960: bool) {
        let rules = if chess960 { Rules::Chess960 } else { Rules::Standard };
        let mut text: Vec<char> = START.chars().collect();
        text[at] = letter;
        if let Ok(fen) = read_fen(&text.into_iter().collect::<String>(), rules) {
            let again = read_fen(&write_fen(&fen.board, rules), rules).unwrap();
            prop_assert_eq!(again.board, fen.board);
            prop_assert!(again.notes.is_empty());
        }
    }
}

//! `position`: odd, broken and long ones, and one after the other.

use crate::client::Client;

/// Positions that other engines crashed on.
const REFUSED: &[&str] = &[
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
    "6r1/5p1k/4b2P/4P1P1/8/8/8/2Q5 w - - 0 1",
    "rnk2bnr/p3p2p/5p2/1BQP2pP/3PP3/5PB1/PP5P/RN2K1NR w",
    "QQQQQQBk/Q6B/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    "4k3/8/4K3 w - - 0 1",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    "",
    "startpos",
];

const ACCEPTED: &[&str] = &[
    "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15",
    "r1b1k1nr/p2pp1bp/2p2pp1/q7/2B1P3/3Q4/PPP2PPP/RNB1K2R w KQkq - 0 1",
    "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",
    "2N5/8/1B1R4/q7/1K6/8/3b4/5k2 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - -",
    "4k3/8/8/8/8/8/8/4K2R w K - x y",
    "4k3/8/8/8/8/8/8/4K2R w - - 100 1",
    "4kr2/8/8/8/8/8/8/3RK3 b - - 100 1",
    "1q2B2q/2q1B1q1/3qkq2/qrr1rRRQ/3QKQ2/2Q3Q1/1Q2n2Q/Q3n3 w - - 10",
    "8/8/8/6B1/8/8/4k3/1K5N b - - 0 1",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
];

#[test]
fn what_is_refused_leaves_the_position_before() {
    let mut client = Client::identified();
    for fen in REFUSED {
        client.send("position startpos moves e2e4");
        client.send(&format!("position fen {fen}"));
        let told = client.ready();
        assert!(told.iter().any(|line| line.starts_with("info string position refused")), "{fen}: {told:?}");
        // Judged by the client: a move of Black's after 1.e4.
        client.search("go depth 1");
    }
    for line in [
        "position",
        "position startpos moves e2e4 e2e4",
        "position startpos e2e4",
        "position fen x moves e2e4",
    ] {
        client.send("position startpos");
        client.send(line);
        assert!(client.ready().len() > 1, "{line}");
        client.search("go depth 1");
    }
    client.quit();
}

#[test]
fn odd_but_legal_positions_are_searched() {
    let mut client = Client::identified();
    for fen in ACCEPTED {
        client.send(&format!("position fen {fen}"));
        let (_, best) = client.search("go nodes 3000");
        assert_ne!(best, "(none)", "{fen}");
    }
    client.quit();
}

#[test]
fn chess960_is_played_in_its_notation() {
    let mut client = Client::identified();
    client.send("setoption name UCI_Chess960 value true");
    for (fen, castling) in [
        ("nn1rkq1b/ppp1p1rP/8/2Np4/3P4/2P5/bP3PPP/2BRKQRB b KQq - 1 8", "e8d8"),
        // The rooks of X-FEN's letters stand on c and h here.
        ("2r1k2r/pppppppp/8/8/8/8/PPPPPPPP/2R1K2R w KQkq - 0 1", "e1c1"),
        ("6kr/pppppppp/8/8/8/8/PPPPPPPP/6KR b Kk - 0 1", "g8h8"),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8h8"),
    ] {
        client.send(&format!("position fen {fen}"));
        assert_eq!(client.search(&format!("go depth 2 searchmoves {castling}")).1, castling, "{fen}");
        client.send(&format!("position fen {fen} moves {castling}"));
        client.search("go depth 2");
    }
    client.send("setoption name UCI_Chess960 value false");
    client.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(client.search("go depth 2 searchmoves e1g1").1, "e1g1");
    client.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1c1 e8g8");
    client.search("go depth 2");
    assert_eq!(client.ready(), ["readyok"]);
    client.quit();
}

/// The line of the game in which engines with short input buffers and short histories failed: knights to and
/// fro.
fn shuffle(plies: usize) -> String {
    let moves = ["g1f3", "g8f6", "f3g1", "f6g8"];
    moves.iter().cycle().take(plies).copied().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_of_1200_plies() {
    let mut client = Client::identified();
    client.send(&format!("position startpos moves {}", shuffle(1_200)));
    client.search("go depth 4");
    client.send(&format!("position startpos moves {} e2e4 e7e5", shuffle(1_200)));
    client.search("go depth 4");
    client.quit();
}

/// Two rooks on the king's left: the letter Q means the outer one, and c8g8 is no castling of anybody's.
#[test]
fn an_ambiguous_right_is_the_outermost_rooks() {
    let mut client = Client::identified();
    client.send("setoption name UCI_Chess960 value true");
    client.send("position fen q1kn1br1/3p1p1p/1rpB2p1/1p6/p7/P4P2/BPPP2PP/QRKN3R w KQq - 1 13");
    assert!(client.ready().iter().any(|line| line.contains("'q' dropped")));
    client.search("go nodes 20000");
    client.send("position fen 4k3/8/8/8/8/8/8/RR2K3 w Q - 0 1");
    client.send("d");
    assert!(client.ready().iter().any(|line| line.contains("/RR2K3 w A - ")));
    let (lines, _) = client.search("go depth 2 searchmoves e1b1");
    assert!(lines.iter().any(|line| line.contains("not legal here: e1b1")), "{lines:#?}");
    client.quit();
}

/// The search of a position that then becomes a third occurrence, in one session: what was learned of it and the draw do not
/// mix.
#[test]
fn a_drawn_root_is_searched_also_when_it_is_known_already() {
    let mut client = Client::identified();
    for plies in 0..13 {
        client.send(&format!("position startpos moves {}", shuffle(plies)));
        let (_, best) = client.search("go nodes 3000");
        assert_ne!(best, "(none)", "after {plies} plies");
    }
    client.quit();
}

#[test]
fn a_bench_leaves_the_position_alone() {
    let mut client = Client::identified();
    client.send("position startpos moves e2e4");
    client.send("bench");
    client.send("stop");
    // Judged by the client: a move of Black's.
    client.search("go depth 4");
    client.quit();
}

#[test]
fn a_root_that_is_a_draw_by_rule_still_has_a_move() {
    let mut client = Client::identified();
    for line in [
        // The third time, and the fifth.
        format!("position startpos moves {}", shuffle(8)),
        format!("position startpos moves {}", shuffle(16)),
        "position fen 8/p4k2/1p2pn2/8/8/2N2b1P/PP3PrK/3R1R2 w - - 100 80".to_owned(),
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned(),
    ] {
        client.send(&line);
        let (_, best) = client.search("go nodes 2000");
        assert_ne!(best, "(none)", "{line}");
    }
    client.quit();
}

/// After one search, positions that are related to it in every way: nothing of the old root may show.
#[test]
fn what_was_learned_never_leaks_into_another_position() {
    let mut client = Client::identified();
    for line in [
        "position startpos moves g1f3",
        "position startpos moves g1f3 g8f6 b1c3",
        "position startpos moves g1f3 g8f6 b1c3",
        "position startpos moves d2d4",
        "position startpos moves g1f3",
        "position startpos",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 a1a1",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 99 90 moves e1g1",
        "setoption name UCI_Chess960 value true",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "position startpos moves g1f3 g8f6",
        "setoption name UCI_Chess960 value false",
        "setoption name Hash value 1",
        "position startpos moves g1f3 g8f6",
        "ucinewgame",
    ] {
        client.send(line);
        client.search("go nodes 4000");
    }
    client.quit();
}

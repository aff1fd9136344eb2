//! Stop, quit, ponder, readiness and the end of input, in all the orders that have hung other engines.

use crate::client::Client;

const MATED: &str = "position startpos moves f2f3 e7e5 g2g4 d8h4";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// Black is mated in four at most.
const LOST: &str = "position fen 8/8/8/8/8/1k6/1q6/K7 w - - 0 1";

#[test]
fn stop_during_ponder_and_at_once_a_new_search() {
    let mut client = Client::identified();
    for _ in 0..20 {
        client.send("position startpos moves e2e4 e7e5");
        client.send("go ponder wtime 10000 btime 10000");
        client.send("stop");
        client.send("position startpos moves e2e4 c7c5");
        client.send("go wtime 50 btime 50");
        client.best_move();
        client.best_move();
    }
    client.quit();
}

#[test]
fn no_answer_while_pondering_or_analysing_even_when_all_is_known() {
    let mut client = Client::identified();
    for position in ["position startpos", MATED, STALEMATE, LOST] {
        for (go, release) in [
            ("go ponder wtime 51942 btime 62649", "stop"),
            ("go ponder wtime 51942 btime 62649", "ponderhit"),
            ("go ponder depth 1", "ponderhit"),
            ("go ponder nodes 1", "stop"),
            ("go infinite depth 1", "stop"),
            ("go infinite nodes 1", "stop"),
            ("go infinite", "stop"),
        ] {
            client.send(position);
            client.send(go);
            let before = client.best_moves;
            // Readiness is answered at once, so this gives the search no time of its own; the fuzz does.
            client.ready();
            client.ready();
            assert_eq!(client.best_moves, before, "{position}, {go}");
            client.send(release);
            // Without a limit, the hit search goes on until its clock says; on a clock of a minute that is too
            // long here.
            client.send("stop");
            client.best_move();
            assert_eq!(client.best_moves, before + 1, "{position}, {go}");
        }
    }
    client.quit();
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut client = Client::identified();
    client.send("position startpos");
    client.send("go ponder wtime 200 btime 200");
    client.ready();
    client.send("ponderhit");
    client.best_move();
    client.send("go ponder movetime 20");
    client.send("ponderhit");
    client.best_move();
    client.quit();
}

#[test]
fn a_stale_stop_does_not_end_the_next_search() {
    let mut client = Client::identified();
    client.send("go infinite");
    client.send("stop");
    client.send("stop");
    client.send("position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1");
    client.send("go infinite");
    client.best_move();
    assert_eq!(client.ready().iter().filter(|line| line.starts_with("bestmove")).count(), 0);
    client.send("stop");
    client.best_move();
    client.quit();
}

#[test]
fn position_and_go_during_a_search() {
    let mut client = Client::identified();
    client.send("go infinite");
    // The client judges every line by the position that its `go` was sent for.
    client.send("position startpos moves d2d4");
    client.send("go infinite");
    client.send("setoption name Hash value 2");
    client.send("ucinewgame");
    client.send("position startpos moves d2d4 d7d5");
    client.send("go depth 2");
    for _ in 0..3 {
        client.best_move();
    }
    client.quit();
}

#[test]
fn readiness_during_a_search() {
    let mut client = Client::identified();
    client.send("go infinite");
    for _ in 0..50 {
        client.ready();
    }
    assert_eq!((client.best_moves, client.readies), (0, 50));
    client.send("stop");
    client.best_move();
    client.quit();
}

#[test]
fn a_burst_that_nobody_reads_is_answered_when_somebody_does() {
    let mut client = Client::identified();
    for _ in 0..2_000 {
        client.send("setoption name Hash value 1");
        client.send("isready");
        client.send("uci");
        client.send("d");
    }
    client.send("go depth 2");
    while client.readies < 2_000 {
        client.line().unwrap();
    }
    while client.best_moves < 1 {
        client.line().unwrap();
    }
    client.quit();
}

#[test]
fn quit_ends_at_once_whatever_runs() {
    for lines in [
        &["go infinite"][..],
        &["go ponder"],
        &["go"],
        &["go depth 100"],
        &["go perft 12"],
        &["bench"],
        &["go infinite", "position startpos", "go infinite", "go ponder"],
        &[MATED, "go infinite"],
    ] {
        let mut client = Client::identified();
        lines.iter().for_each(|line| client.send(line));
        client.quit();
    }
}

#[test]
fn the_end_of_input_ends_what_would_not_end_by_itself() {
    for lines in [
        &[][..],
        &["go infinite"],
        &["go ponder wtime 1000"],
        &["go"],
        &["go mate 1"],
        &[MATED, "go infinite"],
    ] {
        let mut client = Client::identified();
        lines.iter().for_each(|line| client.send(line));
        client.close();
        assert!(client.end().1.success(), "{lines:?}");
    }
}

#[test]
fn the_end_of_input_lets_a_bounded_search_finish() {
    let mut client = Client::identified();
    client.send("position startpos");
    client.send("go depth 7");
    client.close();
    let (lines, status) = client.end();
    assert!(status.success());
    assert!(lines.iter().any(|line| line.starts_with("info depth 7 ")), "{lines:#?}");
    let mut client = Client::identified();
    client.send("go nodes 30000");
    client.close();
    let (lines, _) = client.end();
    let nodes = |line: &String| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
    assert!(lines.iter().filter_map(nodes).max().unwrap() >= 10_000, "{lines:#?}");
}

#[test]
fn line_ends_blanks_and_bytes_of_all_kinds() {
    let mut client = Client::start();
    client.send_raw(b"\xef\xbb\xbfuci\r\n");
    client.until("uciok");
    client.send_raw(b"\t isready \t\r\n\r\n \r\n");
    client.until("readyok");
    client.send_raw(b"\xff\xfe\x00garbage\xc3\x28\n");
    client.until("info string unknown command");
    client.send("  go \t depth   1 \r");
    client.best_move();
    // The last line may have no end.
    client.send_raw(b"isready");
    client.close();
    assert_eq!(client.end().0, ["readyok"]);
}

#[test]
fn two_engines_do_not_mind_each_other() {
    let mut one = Client::identified();
    let mut other = Client::identified();
    one.send("go infinite");
    other.search("go depth 3");
    one.send("stop");
    one.best_move();
    one.quit();
    other.quit();
}

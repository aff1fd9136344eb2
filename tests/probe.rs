//! The probe by its public face: mates, draws, windows, interruption, determinism.

use cozy_chess::{Board, Move};
use regulus::bstar::{Interrupted, Monitor, Unwatched};
use regulus::chess::probe::table::Entry;
use regulus::chess::probe::{Bound, PackedMove, Probe, ProbeResult, RootMoves, Table, Window};
use regulus::chess::score::probe_scale::{MATE, MATE_FLOOR};
use regulus::chess::{Position, Score};
use std::sync::Arc;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn new_probe() -> Probe {
    Probe::new(Arc::new(Table::new(1 << 20)))
}

fn set_up(fen: &str) -> Position {
    Position::from_board(fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")))
}

fn probe_at(fen: &str) -> Probe {
    let mut probe = new_probe();
    probe.set_position(&set_up(fen));
    probe
}

fn open(probe: &mut Probe, depth: i32) -> ProbeResult {
    probe.search(Window::OPEN, depth, RootMoves::All, &mut Unwatched).unwrap()
}

fn moves(line: &str) -> Vec<Move> {
    line.split_whitespace().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn mates_have_the_right_length_and_sign() {
    for (fen, expected) in [
        ("k7/8/1K6/5R2/8/8/8/8 b - - 0 1", -1),
        ("1k6/8/1K6/5R2/8/8/8/8 w - - 0 1", 1),
        ("k7/8/1K6/1R6/8/8/8/8 w - - 0 1", 2),
        ("Qk6/8/1K6/1R6/8/8/8/8 b - - 0 1", -2),
        ("3R4/8/8/2p3K1/2p5/5B2/R1pPNB2/1b1k4 w - - 0 1", 2),
        ("8/3R4/b2p3p/2p3nk/1p2N1p1/p2BP3/r2PN1P1/3K4 w - - 0 1", 2),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("1k5r/pP3ppp/3p2b1/1BN1n3/1Q2P3/P1B5/KP3P1P/7q w - - 1 1", 3),
    ] {
        let mut probe = probe_at(fen);
        let result = open(&mut probe, 10);
        assert_eq!(Score::from_probe(result.value, 0).mate_in_moves(0), Some(expected), "{fen}");
        let line = probe.principal_variation();
        assert!(line.len() as i32 <= MATE - result.value.abs(), "{fen}: the line goes on after the mate");
    }
}

#[test]
fn the_fifty_move_rule_kills_late_mates_only() {
    // Mate in two takes three plies: the third is the hundredth half-move, and mates.
    let mut in_time = probe_at("k7/8/1K6/1R6/8/8/8/8 w - - 97 100");
    assert_eq!(open(&mut in_time, 8).value, MATE - 3);
    let mut too_late = probe_at("k7/8/1K6/1R6/8/8/8/8 w - - 98 100");
    assert_eq!(open(&mut too_late, 8).value, 0);
    let mut hundredth = probe_at("4Q3/8/1p4pk/1PbB1p1p/7P/p3P1PK/P3qP2/8 w - - 99 88");
    let result = open(&mut hundredth, 6);
    assert_eq!((result.value, result.best), (MATE - 1, Some("e8h8".parse().unwrap())));
}

#[test]
fn a_root_that_the_rules_call_drawn_is_searched() {
    // Nobody has claimed the draw at a clock of 100, so nobody will: Black must not offer the rook.
    let mut probe = probe_at("4kr2/8/8/8/8/8/8/3RK3 b - - 100 1");
    let best = open(&mut probe, 6).best.unwrap();
    assert!(!moves("f8f1 f8f2").contains(&best), "{best} hangs the rook");
    // The root is the third occurrence.
    let mut position = Position::startpos();
    moves("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8").into_iter().for_each(|action| position.play(action));
    probe.set_position(&position);
    assert!(probe.is_repetition() || probe.path_ply() == 0);
    assert!(open(&mut probe, 4).best.is_some());
}

#[test]
fn perpetual_check_is_a_draw() {
    // Black is a rook and a piece ahead; White has Qe8+ and Qh5+ for ever.
    let mut probe = probe_at("6k1/5pp1/8/7Q/8/1r3n2/1r6/7K w - - 0 1");
    assert_eq!(open(&mut probe, 9).value, 0);
}

#[test]
fn the_game_so_far_counts() {
    // White, far ahead, has been at the position after Kf1 twice: going there a third time would be a draw.
    let mut position = set_up("7k/8/8/8/8/Q7/8/6K1 w - - 0 1");
    moves("g1f1 h8g8 f1g1 g8h8 g1f1 h8g8 f1g1 g8h8").into_iter().for_each(|action| position.play(action));
    let mut probe = new_probe();
    probe.set_position(&position);
    let back = moves("g1f1");
    let result = probe.search(Window::OPEN, 4, RootMoves::Only(&back), &mut Unwatched).unwrap();
    assert_eq!((result.value, result.best), (0, Some(back[0])));
    assert!(open(&mut probe, 4).value > 500);
}

#[test]
fn repetitions_are_seen_along_a_path() {
    let mut probe = new_probe();
    probe.set_position(&Position::startpos());
    let root_key = probe.key();
    for action in moves("g1f3 g8f6 f3g1 f6g8") {
        assert!(!probe.is_repetition());
        probe.play(action);
    }
    assert!(!probe.is_repetition(), "the root itself, once before and not after the root");
    probe.play("g1f3".parse().unwrap());
    assert!(probe.is_repetition());
    assert_eq!((probe.path_ply(), probe.game_ply()), (5, 5));
    (0..5).for_each(|_| probe.undo());
    assert_eq!(probe.key(), root_key);
    probe.undo();
    assert_eq!((probe.path_ply(), probe.key()), (0, root_key), "nothing to undo");
}

#[test]
fn a_move_that_repeats_is_known_before_it_is_made() {
    let (mut state, mut repeating, mut fresh) = (5, 0, 0);
    let mut probe = new_probe();
    // Few moves, a castling, a double step that may be taken in passing: random walks come back often.
    for fen in ["4k3/8/8/8/5p2/8/4P3/4K2R w K - 0 1", "7k/8/8/8/8/8/p7/K7 b - - 0 1"] {
        for _ in 0..20 {
            probe.set_position(&set_up(fen));
            for _ in 0..40 {
                let legal = Position::from_board(probe.board().clone()).legal_moves();
                for &action in &legal {
                    let told = probe.repeats_by(action);
                    probe.play(action);
                    assert_eq!(told, probe.is_repetition(), "{action} to {}", probe.board());
                    probe.undo();
                    *(if told { &mut repeating } else { &mut fresh }) += 1;
                }
                let Some(&action) = legal.get(random(&mut state) % legal.len().max(1)) else { break };
                probe.play(action);
            }
        }
    }
    assert!(repeating > 100 && fresh > 100, "{repeating} {fresh}");
}

#[test]
fn null_windows_agree_with_the_open_one() {
    for (fen, depth) in [
        ("k7/8/1K6/1R6/8/8/8/8 w - - 0 1", 6),
        ("Qk6/8/1K6/1R6/8/8/8/8 b - - 0 1", 10),
        ("6k1/5pp1/8/7Q/8/1r3n2/1r6/7K w - - 0 1", 9),
        (MIDDLEGAME, 1),
        (KIWIPETE, 1),
    ] {
        let value = open(&mut probe_at(fen), depth).value;
        for target in [value - 1, value - 40, value, value + 25] {
            let mut probe = probe_at(fen);
            let result = probe.search(Window::above(target), depth, RootMoves::All, &mut Unwatched).unwrap();
            let expected = if value > target { Bound::Lower } else { Bound::Upper };
            assert_eq!(result.bound, expected, "{fen}: {value} against {target}");
            assert_eq!(result.best.is_some(), expected == Bound::Lower);
        }
    }
}

#[test]
fn a_stronger_question_is_answered_from_the_table() {
    let mut probe = probe_at(MIDDLEGAME);
    let value = open(&mut probe, 8).value;
    let again = probe.search(Window::above(value - 50), 8, RootMoves::All, &mut Unwatched).unwrap();
    assert_eq!((again.bound, again.nodes), (Bound::Lower, 1));
}

/// Interrupts after a number of calls, and remembers the largest step.
struct Fuse {
    calls: u64,
    nodes: u64,
    largest: u64,
}

impl Monitor for Fuse {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes += units;
        self.largest = self.largest.max(units);
        self.calls = self.calls.saturating_sub(1);
        if self.calls == 0 { Err(Interrupted) } else { Ok(()) }
    }
}

#[test]
fn an_interrupted_probe_stands_where_it_stood() {
    let mut probe = probe_at(KIWIPETE);
    moves("e2a6 b4c3").into_iter().for_each(|action| probe.play(action));
    let (board, ply) = (probe.board().clone(), probe.game_ply());
    for calls in 1..40 {
        let mut fuse = Fuse { calls, nodes: 0, largest: 0 };
        let outcome = match calls % 3 {
            0 => probe.search_after_pass(Window::OPEN, 20, &mut fuse).map(|_| ()),
            _ => probe.search(Window::OPEN, 20, RootMoves::All, &mut fuse).map(|_| ()),
        };
        assert_eq!(outcome, Err(Interrupted));
        assert!(fuse.largest <= 256, "{}", fuse.largest);
        assert_eq!(fuse.nodes, probe.nodes(), "every node is reported");
        assert!(probe.nodes() < 256 * calls, "obeyed at once");
        assert_eq!((probe.board(), probe.game_ply()), (&board, ply));
    }
    let after = open(&mut probe, 6);
    assert!(board.is_legal(after.best.unwrap()));
    probe.undo();
    probe.undo();
    assert_eq!(probe.board(), &KIWIPETE.parse::<Board>().unwrap());
}

/// Interrupts after a number of nodes.
struct Nodes(u64);

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0 = self.0.saturating_sub(units);
        if self.0 == 0 { Err(Interrupted) } else { Ok(()) }
    }

    fn allowance(&self) -> u64 {
        self.0.min(16)
    }
}

/// One search of each position, cut off after every 16 nodes.
#[test]
fn a_root_move_that_was_proved_better_is_the_best_before_its_value_is_known() {
    let mut put_forward = 0;
    for fen in [MIDDLEGAME, "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P1B2/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 9"] {
        let search = |monitor: &mut dyn Monitor| {
            let mut probe = probe_at(fen);
            let result = probe.search_once(Window::OPEN, 6, RootMoves::All, monitor);
            (probe, result)
        };
        let whole = search(&mut Unwatched).1.unwrap();
        let mut before: Option<(Move, i32)> = None;
        for nodes in (16..whole.nodes).step_by(16) {
            let (probe, result) = search(&mut Nodes(nodes));
            let Some((best, value)) = probe.root_best().filter(|_| result.is_err()) else { continue };
            let line = probe.principal_variation();
            assert_eq!(line.first(), Some(&best));
            let is_new = before.is_some_and(|(other, least)| other != best && value > least);
            put_forward += u32::from(is_new && line.len() == 1);
            before = Some((best, value));
        }
        assert_eq!(before.map(|(best, _)| best), whole.best);
    }
    assert!(put_forward > 0);
}

#[test]
fn the_same_calls_give_the_same_nodes() {
    let run = || {
        let mut probe = probe_at(MIDDLEGAME);
        let first = open(&mut probe, 8);
        let second = probe.search(Window::above(60), 9, RootMoves::All, &mut Unwatched).unwrap();
        (first, second, probe.principal_variation())
    };
    assert_eq!(run(), run());
    // A new game on a cleared table is a fresh start.
    let mut probe = probe_at(MIDDLEGAME);
    let first = open(&mut probe, 8);
    probe.table().clear(1);
    probe.new_game();
    assert_eq!(open(&mut probe, 8), first);
}

#[test]
fn an_illegal_move_in_the_table_is_never_played() {
    let mut probe = probe_at(MIDDLEGAME);
    for text in ["e2e8", "a8a1", "h7h8q", "e1c1"] {
        let action = PackedMove::from(text.parse::<Move>().unwrap());
        let entry =
            Entry { action, value: 900, static_value: None, depth: 60, bound: Bound::Exact, on_line: true };
        probe.table().put(probe.key(), entry);
        let result = probe.search(Window::above(0), 5, RootMoves::All, &mut Unwatched).unwrap();
        assert!(result.best.is_none_or(|best| probe.board().is_legal(best)), "{text}");
        let best = open(&mut probe, 5).best.unwrap();
        assert!(probe.board().is_legal(best), "{text}");
    }
}

#[test]
fn root_moves_are_obeyed() {
    let mut probe = probe_at(KIWIPETE);
    let only = moves("a2a3 a2a4");
    let result = probe.search(Window::OPEN, 5, RootMoves::Only(&only), &mut Unwatched).unwrap();
    assert!(only.contains(&result.best.unwrap()));
    let none = probe.search(Window::OPEN, 5, RootMoves::Only(&[]), &mut Unwatched).unwrap();
    assert_eq!((none.best, none.bound), (None, Bound::Upper));
}

#[test]
fn a_terminal_root_has_its_value_and_no_move() {
    let mut mated = probe_at("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    let result = open(&mut mated, 5);
    assert_eq!((result.value, result.best), (-MATE, None));
    let mut stalemated = probe_at("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1");
    let result = open(&mut stalemated, 5);
    assert_eq!((result.value, result.best), (0, None));
}

#[test]
fn a_pass_is_refused_in_check_and_judged_from_the_other_side() {
    let mut probe = probe_at("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    assert_eq!(probe.search_after_pass(Window::OPEN, 3, &mut Unwatched).unwrap(), None);
    // White threatens the queen; after White's pass Black saves it, after Black's pass it is lost.
    let mut black = probe_at("4k3/8/8/3q4/8/2N5/PPP5/4K3 b - - 0 1");
    let lost = black.search_after_pass(Window::OPEN, 4, &mut Unwatched).unwrap().unwrap();
    let kept = open(&mut black, 4);
    assert!(lost.value > 500 && kept.value > 200, "{lost:?} {kept:?}");
    assert_eq!(black.path_ply(), 0);
}

#[test]
fn quiescence_takes_what_hangs() {
    let mut probe = probe_at("4k3/ppp5/8/3q4/4P3/8/PPP5/4K3 w - - 0 1");
    let quiet = probe.quiescence(Window::OPEN, &mut Unwatched).unwrap();
    assert!(quiet.value > probe.static_value() + 700);
    assert_eq!(quiet.best, Some("e4d5".parse().unwrap()));
}

#[test]
fn odd_positions_are_searched() {
    for fen in [
        "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", // 218 moves
        "2Nq4/2K5/1b6/8/7R/3k4/7P/8 w - - 0 1",                 // a check that no move gives
        "qrkbnrbn/pppppppp/8/8/8/8/PPPPPPPP/QRKBNRBN w FBfb - 0 1",
        "q1kn1br1/3p1p1p/1rpB2p1/1p6/p7/P4P2/BPPP2PP/QRKN3R w HBg - 1 13",
    ] {
        let mut probe = probe_at(fen);
        let result = open(&mut probe, 4);
        assert!(result.best.is_some_and(|best| probe.board().is_legal(best)), "{fen}");
    }
}

/// A small congruential generator (Knuth's MMIX constants): the games below are the same on every machine.
fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn random_games_keep_the_invariants() {
    let mut state = 7;
    let mut probe = Probe::new(Arc::new(Table::new(1 << 14))); // small: collisions of buckets all the time
    for _ in 0..20 {
        let mut position = Position::startpos();
        while position.outcome().is_none() && position.game_ply() < 160 {
            let legal = position.legal_moves();
            probe.set_position(&position);
            let depth = 1 + random(&mut state) as i32 % 4;
            let result = open(&mut probe, depth);
            assert!(result.best.is_some_and(|best| legal.contains(&best)));
            assert!(
                result.value.abs() <= MATE
                    && (result.value.abs() <= 20_000 || result.value.abs() >= MATE_FLOOR)
            );
            assert_eq!(probe.principal_variation().first(), result.best.as_ref());
            assert!(result.seldepth >= 1 && result.nodes > 0);
            position.play(legal[random(&mut state) % legal.len()]);
        }
    }
}

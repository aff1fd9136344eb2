//! What an analyst asks for: several lines, chances, how the root moves stand, limits that are used up, games stepped back.

use crate::client::Client;

const MIDDLEGAME: &str =
    "position fen r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 1 6";
const MATED: &str = "position startpos moves f2f3 e7e5 g2g4 d8h4";
/// Three moves only.
const THREE_MOVES: &str = "position fen k7/8/8/8/8/8/2R5/1K6 b - - 0 1";

const MODES: [&str; 4] = [
    "setoption name SearchMode value AlphaBeta",
    "setoption name SearchMode value BStar",
    "setoption name Policy value BestFirst",
    "setoption name Policy value DisproveBest-Alternation",
];

/// What stands behind this word of a line.
fn after<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|at| *at == word)?;
    words.next()
}

/// The sets of lines that were told, each with the numbers, scores and first moves.
fn sets(lines: &[String]) -> Vec<Vec<(usize, String, i64, String)>> {
    let mut sets: Vec<Vec<_>> = Vec::new();
    for line in lines.iter().filter(|line| line.starts_with("info depth ")) {
        let number: usize =
            after(line, "multipv").unwrap_or_else(|| panic!("no number: {line}")).parse().unwrap();
        let score: i64 = match after(line, "score").unwrap() {
            "cp" => after(line, "cp").unwrap().parse().unwrap(),
            // A nearer mate is better.
            _ => match after(line, "mate").unwrap().parse::<i64>().unwrap() {
                mate if mate > 0 => 1_000_000 - mate,
                mate => -1_000_000 - mate,
            },
        };
        let first = after(line, "pv").unwrap().to_owned();
        let depth = after(line, "depth").unwrap().to_owned();
        if number == 1 {
            sets.push(Vec::new());
        }
        sets.last_mut().expect("the first line comes first").push((number, depth, score, first));
    }
    sets
}

fn judge_sets(lines: &[String], best: &str, wanted: usize) {
    let sets = sets(lines);
    assert!(!sets.is_empty(), "{lines:#?}");
    for set in &sets {
        assert_eq!(set.len(), wanted, "{set:?}");
        assert!(set.iter().enumerate().all(|(at, line)| line.0 == at + 1), "{set:?}");
        assert!(set.windows(2).all(|pair| pair[0].2 >= pair[1].2), "not in order: {set:?}");
        assert!(set.iter().all(|line| line.1 == set[0].1), "of several depths: {set:?}");
        let mut firsts: Vec<_> = set.iter().map(|line| &line.3).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), wanted, "a move twice: {set:?}");
    }
    assert_eq!(sets.last().unwrap()[0].3, best);
}

#[test]
fn several_lines_come_together_in_order_and_of_different_moves() {
    let mut client = Client::identified();
    for mode in MODES {
        client.send(mode);
        client.send("setoption name MultiPV value 4");
        client.send(MIDDLEGAME);
        for go in
            ["go nodes 1", "go nodes 300", "go nodes 20000", "go depth 5", "go movetime 50", "go wtime 300"]
        {
            client.send("ucinewgame");
            let (lines, best) = client.search(go);
            judge_sets(&lines, &best, 4);
        }
        let (lines, best) = client.search("go nodes 3000 searchmoves a2a3 h2h3");
        judge_sets(&lines, &best, 2);
        client.send(THREE_MOVES);
        let (lines, best) = client.search("go nodes 3000");
        judge_sets(&lines, &best, 3);
        client.send("setoption name MultiPV value 256");
        client.send("position startpos");
        let (lines, best) = client.search("go nodes 20000");
        judge_sets(&lines, &best, 20);
        client.send(MATED);
        assert_eq!(client.search("go nodes 100").1, "(none)");
    }
    client.quit();
}

#[test]
fn the_lines_of_b_star_have_their_intervals_beside_them() {
    let mut client = Client::identified();
    client.send("setoption name MultiPV value 3");
    client.send(MIDDLEGAME);
    let (lines, best) = client.search("go nodes 20000");
    let told = lines.iter().rfind(|line| line.starts_with("info string intervals ")).unwrap();
    assert!(told.starts_with(&format!("info string intervals {best} [")), "{told}");
    assert_eq!(told.matches('[').count(), 3, "{told}");
    client.quit();
}

#[test]
fn chances_go_with_the_score_and_add_up() {
    let mut client = Client::identified();
    client.send("setoption name UCI_ShowWDL value true");
    client.send("setoption name MultiPV value 2");
    for mode in &MODES[..2] {
        client.send(mode);
        for position in [MIDDLEGAME, "position fen 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", MATED] {
            client.send(position);
            for line in client.search("go nodes 5000").0.iter().filter(|line| line.starts_with("info depth "))
            {
                let words: Vec<&str> = line.split(' ').collect();
                let at = words.iter().position(|word| *word == "wdl").unwrap_or_else(|| panic!("{line}"));
                let [win, draw, loss] = [1, 2, 3].map(|more| words[at + more].parse::<i64>().unwrap());
                assert_eq!(win + draw + loss, 1000, "{line}");
                let score: i64 = words[at - 1].parse().unwrap();
                assert!(score * (win - loss) >= 0, "{line}");
                if words[at - 2] == "mate" {
                    assert!(win == 1000 || loss == 1000, "{line}");
                }
            }
        }
    }
    client.quit();
}

fn is_of_a_move(line: &str) -> bool {
    line.starts_with("info string move ")
}

#[test]
fn how_the_root_moves_stand_is_told_when_it_is_asked_for() {
    let mut client = Client::identified();
    for mode in MODES {
        client.send(mode);
        client.send(MIDDLEGAME);
        client.send("go infinite");
        while !client.line().unwrap().contains(" pv ") {}
        client.send("moves");
        client.until("info string move ");
        client.send("stop");
        let (lines, _) = client.best_move();
        let unasked =
            lines.iter().skip_while(|line| is_of_a_move(line)).filter(|line| is_of_a_move(line)).count();
        assert_eq!(unasked, 0, "{mode}");
        // From empty memory: else all nodes may go into a deepening that is cut off before it tells anything.
        client.send("ucinewgame");
        let (_, best) = client.search("go nodes 60000");
        client.send("moves");
        let afterwards: Vec<_> = client.ready().into_iter().filter(|line| is_of_a_move(line)).collect();
        assert!(afterwards[0].starts_with(&format!("info string move {best} ")), "{mode}: {afterwards:#?}");
        let permille: f64 =
            afterwards.iter().map(|line| after(line, "effort").unwrap().parse::<f64>().unwrap()).sum();
        assert!((95.0..=100.1).contains(&permille), "{mode}: {permille}");
        client.send("position startpos moves e2e4");
        client.send("moves");
        assert!(client.ready().iter().any(|line| line.contains("not searched yet")));
    }
    client.send("setoption name LogLiveStats value true");
    client.send(MIDDLEGAME);
    let (lines, _) = client.search("go nodes 10000");
    let shown = lines.iter().filter(|line| line.contains(" pv ")).count();
    let legal = lines.iter().filter(|line| is_of_a_move(line)).count();
    assert!(shown >= 1 && legal >= 30 * shown / 2, "{lines:#?}");
    client.quit();
}

fn nodes(lines: &[String]) -> u64 {
    lines.iter().filter_map(|line| after(line, "nodes")?.parse().ok()).max().unwrap()
}

#[test]
fn a_node_limit_is_used_up_and_not_overstepped() {
    let mut client = Client::identified();
    for mode in MODES {
        client.send(mode);
        client.send(MIDDLEGAME);
        for limit in [1_000, 1_001, 7_777] {
            client.send("ucinewgame");
            let (lines, _) = client.search(&format!("go nodes {limit}"));
            let told = nodes(&lines);
            assert!(told <= limit + 50 && told + 200 >= limit, "{mode} {limit}: {told}");
        }
    }
    client.quit();
}

/// The nodes until depth 8 is told, of a search that goes a ply deeper: the last ply may have been found with less effort, and is
/// looked at again.
fn cost(client: &mut Client, position: &str) -> u64 {
    client.send(position);
    let (lines, _) = client.search("go depth 9");
    let told: Vec<_> = lines.into_iter().filter(|line| after(line, "depth") == Some("8")).collect();
    nodes(&told)
}

#[test]
fn a_game_stepped_back_and_forth_keeps_what_was_learned() {
    let mut client = Client::identified();
    let (one, other) = ("position startpos moves e2e4 e7e5", "position startpos moves e2e4 e7e5 g1f3 b8c6");
    let (first, second) = (cost(&mut client, one), cost(&mut client, other));
    assert!(cost(&mut client, one) < first / 4, "stepped back");
    assert!(cost(&mut client, other) < second / 4, "and forth");
    for forget in ["setoption name Clear Hash", "ucinewgame"] {
        client.send("setoption name UCI_AnalyseMode value true");
        client.send(forget);
        assert!(cost(&mut client, one) > first / 2, "{forget}");
    }
    client.quit();
}

#[test]
fn a_mate_that_is_asked_for_ends_the_search() {
    let mut client = Client::identified();
    for mode in &MODES[..2] {
        client.send(mode);
        client.send("position fen r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1");
        let (lines, best) = client.search("go mate 2");
        assert_eq!(best, "f5g6", "{mode}");
        assert!(lines.iter().any(|line| line.contains(" score mate 2 ")), "{lines:#?}");
        let line = lines.iter().rfind(|line| line.contains(" score mate 2 ")).unwrap();
        let length = line.split(" pv ").nth(1).unwrap().split(' ').count();
        assert_eq!(length, 3, "the line is as long as the mate: {line}");
    }
    client.quit();
}

/// The hit search goes on where it was: what it tells next is deeper and counts on.
#[test]
fn a_ponder_hit_loses_nothing() {
    let mut client = Client::identified();
    for mode in &MODES[..2] {
        client.send(mode);
        client.send("ucinewgame");
        client.send("position startpos moves e2e4 e7e5 g1f3");
        client.send("go ponder wtime 3000 btime 3000");
        let mut before = (0, 0);
        let of = |line: &str| -> Option<(u64, u64)> {
            Some((after(line, "depth")?.parse().ok()?, after(line, "nodes")?.parse().ok()?))
        };
        while before.0 < 6 {
            let line = client.line().unwrap();
            before = of(&line).filter(|_| line.starts_with("info depth ")).unwrap_or(before);
        }
        assert_eq!(client.best_moves, usize::from(*mode == MODES[1]), "no answer before the hit");
        client.send("ponderhit");
        let (lines, _) = client.best_move();
        let told = lines.iter().filter(|line| line.starts_with("info depth ")).filter_map(|line| of(line));
        let all: Vec<_> = told.collect();
        assert!(all.iter().all(|now| now.0 >= before.0 && now.1 >= before.1), "{mode}: {before:?} {all:?}");
    }
    client.quit();
}

/// White's only good move leaves bare kings, or nobody can win the ending.
#[test]
fn contempt_is_the_price_of_a_draw_in_games_only() {
    let mut client = Client::identified();
    let of = |client: &mut Client, go: &str| {
        let (lines, _) = client.search(go);
        let line = lines.iter().rfind(|line| line.contains(" score cp ")).unwrap().clone();
        after(&line, "cp").unwrap().parse::<i64>().unwrap()
    };
    let positions = ["4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"];
    for (mode, fen) in MODES[..2].iter().flat_map(|mode| positions.map(|fen| (mode, fen))) {
        client.send(mode);
        client.send(&format!("position fen {fen}"));
        client.send("setoption name Contempt value 0");
        assert_eq!(of(&mut client, "go depth 4"), 0, "{mode} {fen}");
        client.send("setoption name Contempt value 37");
        assert_eq!(of(&mut client, "go depth 4"), -37, "{mode} {fen}");
        client.send("go infinite depth 4");
        while !client.line().unwrap().contains(" score cp 0 ") {}
        client.send("stop");
        client.best_move();
        client.send("setoption name UCI_AnalyseMode value true");
        assert_eq!(of(&mut client, "go depth 4"), 0, "{mode} {fen}");
        client.send("setoption name UCI_AnalyseMode value false");
    }
    client.quit();
}

#[test]
fn the_debug_log_has_every_line_and_a_bad_path_is_told() {
    let file = std::env::temp_dir().join(format!("regulus log {}.txt", std::process::id()));
    let mut client = Client::identified();
    client.send("setoption name Debug Log File value /no/such/folder/log.txt");
    assert!(
        client.ready().iter().any(|line| line.starts_with("info string option Debug Log File: cannot write"))
    );
    client.send(&format!("setoption name Debug Log File value {}", file.display()));
    client.ready();
    client.send("position startpos");
    let (_, best) = client.search("go depth 2");
    client.send("setoption name Debug Log File value <empty>");
    client.ready();
    client.search("go depth 3");
    client.quit();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    for wanted in
        ["<< position startpos", "<< go depth 2", ">> info depth 1 ", &format!(">> bestmove {best}")]
    {
        assert!(
            text.lines().any(|line| line.get(13..).is_some_and(|rest| rest.starts_with(wanted))),
            "{wanted}: {text}"
        );
    }
    assert!(!text.contains("go depth 3"), "closed: {text}");
}

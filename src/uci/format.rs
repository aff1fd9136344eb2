//! [`Event`] to text: pure. Lines are whole and without their line end.

use crate::engine::options::{DIALS, Dial, Kind, Row, TABLE};
use crate::engine::protocol::{Bound, Ending, Event, Forecast, MoveView, OtherView, Report, RootView, Value};

/// The lines of an event; most have one.
pub fn event(event: &Event) -> Vec<String> {
    match event {
        Event::Ready => vec!["readyok".to_owned()],
        Event::Info(report) => {
            let mut lines = vec![info(report)];
            lines.extend((2..).zip(&report.others).map(|(number, line)| other(report, number, line)));
            lines.extend(report.root.as_ref().map(root));
            lines.extend(intervals(report));
            lines.extend(report.moves.iter().map(root_move));
            lines
        }
        Event::Moves(moves) if moves.is_empty() => {
            vec!["info string moves: this position was not searched yet".to_owned()]
        }
        Event::Moves(moves) => moves.iter().map(root_move).collect(),
        Event::Note(text) => text.lines().map(|line| format!("info string {line}")).collect(),
        Event::Text(text) => text.lines().map(str::to_owned).collect(),
        Event::Evaluation { board, chances, forecast, statically, probed, interval } => {
            let [win, draw, loss] = chances;
            let Forecast { lower, realistic, upper } = forecast;
            let mut lines: Vec<String> = board.lines().map(str::to_owned).collect();
            lines.push("What each man is worth is in pawns, for White; all below in centipawns, for the side to move.".to_owned());
            lines.push(format!("win {win} draw {draw} loss {loss} (thousandths)"));
            lines.push(format!(
                "static {}, searched {} in {}",
                end(*statically),
                end(*probed),
                self::interval(*interval)
            ));
            lines.push(format!("eval: lower {lower} realistic {realistic} upper {upper}"));
            lines
        }
        Event::BestMove { best: None, .. } => vec!["bestmove (none)".to_owned()],
        Event::BestMove { best: Some(best), ponder: None } => vec![format!("bestmove {best}")],
        Event::BestMove { best: Some(best), ponder: Some(reply) } => {
            vec![format!("bestmove {best} ponder {reply}")]
        }
    }
}

/// The answer to `uci`: who this is, every option, `uciok`.
pub fn identity() -> Vec<String> {
    let mut lines = vec![
        format!("id name Regulus {}", env!("CARGO_PKG_VERSION")),
        "id author the Regulus authors".to_owned(),
    ];
    lines.extend(TABLE.iter().map(option));
    lines.extend(DIALS.iter().map(dial));
    lines.push("uciok".to_owned());
    lines
}

/// A number of the search, in a laboratory build.
fn dial(row: &Dial) -> String {
    let Dial { name, default, least, most, .. } = row;
    format!("option name {name} type spin default {default} min {least} max {most}")
}

fn option(row: &Row) -> String {
    let mut line = format!("option name {} type {}", row.name, row.kind.name());
    if let Some(default) = row.kind.default_text() {
        line += &format!(" default {default}");
    }
    match row.kind {
        Kind::Spin { min, max, .. } => line += &format!(" min {min} max {max}"),
        Kind::Combo { choices, .. } => choices().iter().for_each(|choice| line += &format!(" var {choice}")),
        Kind::Check { .. } | Kind::Text { .. } | Kind::Button(_) => {}
    }
    line
}

fn info(report: &Report) -> String {
    let bound = match report.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let value = format!("{}{}{bound}", score(report.value), chances(report.chances));
    line(report, report.numbered.then_some(1), &value, &report.line)
}

fn other(report: &Report, number: usize, other: &OtherView) -> String {
    let value = format!("{}{}", score(other.value), chances(other.chances));
    line(report, Some(number), &value, &other.line)
}

/// A line of this number with its value.
fn line(report: &Report, number: Option<usize>, value: &str, moves: &[String]) -> String {
    let milliseconds = report.time.as_millis();
    // Whole numbers, and never 0: some tools take 0 for missing.
    let per_second = (u128::from(report.nodes) * 1000 / milliseconds.max(1)).max(1);
    let depth = report.depth.max(1);
    let number = number.map_or_else(String::new, |number| format!(" multipv {number}"));
    let mut line = format!(
        "info depth {depth} seldepth {}{number} score {value} nodes {} nps {per_second} hashfull {} tbhits {} time {milliseconds}",
        report.selective_depth.max(depth),
        report.nodes,
        report.hash_full.min(1000),
        report.table_hits,
    );
    if !moves.is_empty() {
        line += " pv ";
        line += &moves.join(" ");
    }
    line
}

fn chances(chances: Option<[u16; 3]>) -> String {
    chances.map_or_else(String::new, |[win, draw, loss]| format!(" wdl {win} {draw} {loss}"))
}

/// The intervals of several lines, in their order. Standard fields have no room for them, so that programs that know nothing
/// of intervals are not disturbed.
fn intervals(report: &Report) -> Option<String> {
    let first = report.line.first().zip(report.root.as_ref()).map(|(name, root)| (name, root.best));
    let others = report.others.iter().filter_map(|other| other.line.first().zip(other.interval));
    let all: Vec<String> = first
        .into_iter()
        .chain(others)
        .map(|(name, interval)| format!("{name} {}", self::interval(interval)))
        .collect();
    (all.len() > 1).then(|| format!("info string intervals {}", all.join(" ")))
}

fn root_move(view: &MoveView) -> String {
    let (lower, upper) =
        view.interval.map_or(("?".to_owned(), "?".to_owned()), |(lower, upper)| (end(lower), end(upper)));
    let realistic = match view.realistic {
        None => "?".to_owned(),
        Some((value, Bound::Exact)) => end(value),
        Some((value, Bound::Lower)) => format!(">={}", end(value)),
        Some((value, Bound::Upper)) => format!("<={}", end(value)),
    };
    format!(
        "info string move {} {} lower {lower} realistic {realistic} upper {upper} depth {} expansions {} nodes {} \
         effort {}.{} %",
        view.name,
        view.status,
        view.depth,
        view.expansions,
        view.nodes,
        view.share / 10,
        view.share % 10,
    )
}

/// UCI has no open end: it is not for `score`, and shown as the nearest number that cannot be mistaken for a
/// mate.
fn score(value: Value) -> String {
    match value {
        Value::Centipawns(centipawns) => format!("cp {centipawns}"),
        Value::Mate(moves) => format!("mate {moves}"),
        Value::Open { above: true } => "cp 100000".to_owned(),
        Value::Open { above: false } => "cp -100000".to_owned(),
    }
}

fn root(view: &RootView) -> String {
    let rival = view.rival.as_ref().map_or_else(
        || "no rival".to_owned(),
        |(name, interval)| format!("rival {name} {}", self::interval(*interval)),
    );
    let ending = view.ending.as_ref().map(ending).unwrap_or_default();
    format!(
        "info string best {} {rival}{} strategy {} expansions {} graph {} nodes, line {} plies{ending}",
        interval(view.best),
        if view.separated { " separated" } else { "" },
        view.strategy,
        view.expansions,
        view.graph_nodes,
        view.line_plies
    )
}

fn ending(ending: &Ending) -> String {
    let time =
        ending.percent_of_time.map_or_else(String::new, |percent| format!(" after {percent} % of the time"));
    format!(", ended {} with a tree of {} nodes{time}", ending.why, ending.tree_nodes)
}

/// An interval for people: `[-12, +30]`, `[+5, +mate 3]`.
pub fn interval((lower, upper): (Value, Value)) -> String {
    format!("[{}, {}]", end(lower), end(upper))
}

fn end(value: Value) -> String {
    match value {
        Value::Centipawns(centipawns) => format!("{centipawns:+}"),
        Value::Mate(moves) => format!("mate {moves}"),
        Value::Open { above: true } => "+inf".to_owned(),
        Value::Open { above: false } => "-inf".to_owned(),
    }
}

/// The answer to `help`.
pub fn help() -> Vec<String> {
    let text = "\
Regulus speaks UCI, the protocol of chess programs; usually a chess program talks to it, not a person.
  uci, isready, ucinewgame, debug on|off, quit
  setoption name NAME [value VALUE]
  position startpos|fen FEN [moves MOVE ...]
  go [searchmoves MOVE ...] [ponder] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
     [depth N] [nodes N] [mate N] [movetime MS] [infinite]
  stop, ponderhit
Of its own it has
  d            shows the position
  moves        shows how each root move stands, also during a search: interval, value, depth, share of the effort
  eval         shows what each man is worth, the shortest search's value and interval, and the network's
  export_net [FILE]   writes the network in use to a file
  genfens N seed S book FILE|None [chess960]   prints N openings for training games
  go perft N   counts the positions N plies from here
  bench        searches fixed positions and prints the node count
  help         this";
    text.lines().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn report() -> Report {
        Report {
            depth: 7,
            selective_depth: 11,
            time: Duration::from_micros(1_999),
            nodes: 5_000,
            hash_full: 12,
            table_hits: 3,
            value: Value::Centipawns(-34),
            bound: Bound::Exact,
            line: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            chances: None,
            numbered: false,
            others: vec![],
            root: None,
            moves: vec![],
        }
    }

    #[test]
    fn info_lines() {
        assert_eq!(
            event(&Event::Info(report())),
            [
                "info depth 7 seldepth 11 score cp -34 nodes 5000 nps 5000000 hashfull 12 tbhits 3 time 1 pv e2e4 e7e5"
            ]
        );
        let bound = Report { value: Value::Mate(-2), bound: Bound::Lower, line: vec![], ..report() };
        assert!(info(&bound).contains("score mate -2 lowerbound nodes"));
        assert!(!info(&bound).contains("pv"));
    }

    #[test]
    fn numbers_at_their_ends() {
        let none = Report { depth: 0, selective_depth: 0, nodes: 0, time: Duration::ZERO, ..report() };
        assert!(info(&none).starts_with("info depth 1 seldepth 1 "));
        assert!(info(&none).contains(" nps 1 "));
        let most = Report { nodes: u64::MAX, time: Duration::ZERO, hash_full: 2_000, ..report() };
        assert!(info(&most).contains(&format!(" nps {} ", u128::from(u64::MAX) * 1000)));
        assert!(info(&most).contains(" hashfull 1000 "));
        let fast = Report { nodes: 19_188_854_339, time: Duration::from_millis(150_803), ..report() };
        assert!(info(&fast).contains(" nps 127244513 "));
    }

    #[test]
    fn the_root_is_told_in_a_line_of_its_own() {
        let view = RootView {
            best: (Value::Centipawns(-12), Value::Centipawns(30)),
            rival: Some(("d2d4".to_owned(), (Value::Open { above: false }, Value::Mate(3)))),
            separated: true,
            strategy: "prove-best",
            expansions: 41,
            graph_nodes: 99,
            line_plies: 4,
            ending: None,
        };
        let lines = event(&Event::Info(Report { root: Some(view.clone()), ..report() }));
        assert_eq!(
            lines[1],
            "info string best [-12, +30] rival d2d4 [-inf, mate 3] separated strategy prove-best expansions 41 \
             graph 99 nodes, line 4 plies"
        );
        let ending = |percent_of_time| Some(Ending { why: "separated", tree_nodes: 51, percent_of_time });
        for (ending, told) in [
            (
                ending(Some(43)),
                ", line 4 plies, ended separated with a tree of 51 nodes after 43 % of the time",
            ),
            (ending(None), ", line 4 plies, ended separated with a tree of 51 nodes"),
        ] {
            let view = RootView { ending, ..view.clone() };
            let lines = event(&Event::Info(Report { root: Some(view), ..report() }));
            assert!(lines[1].ends_with(told), "{}", lines[1]);
        }
    }

    #[test]
    fn several_lines_come_with_their_numbers_and_intervals() {
        let root = RootView {
            best: (Value::Centipawns(-40), Value::Centipawns(-30)),
            rival: None,
            separated: false,
            strategy: "disprove-rest",
            expansions: 1,
            graph_nodes: 2,
            line_plies: 3,
            ending: None,
        };
        let other = OtherView {
            value: Value::Mate(-3),
            chances: Some([0, 0, 1000]),
            line: vec!["d2d4".to_owned()],
            interval: Some((Value::Centipawns(-90), Value::Centipawns(-50))),
        };
        let lines = event(&Event::Info(Report {
            chances: Some([400, 150, 450]),
            numbered: true,
            others: vec![other],
            root: Some(root),
            ..report()
        }));
        assert!(
            lines[0]
                .starts_with("info depth 7 seldepth 11 multipv 1 score cp -34 wdl 400 150 450 nodes 5000 ")
        );
        assert!(
            lines[1].starts_with("info depth 7 seldepth 11 multipv 2 score mate -3 wdl 0 0 1000 nodes 5000 ")
        );
        assert!(lines[1].ends_with(" pv d2d4"));
        assert_eq!(lines[3], "info string intervals e2e4 [-40, -30] d2d4 [-90, -50]");
    }

    #[test]
    fn root_moves_are_told_one_a_line() {
        let view = MoveView {
            name: "e2e4".to_owned(),
            interval: Some((Value::Centipawns(-12), Value::Centipawns(30))),
            realistic: Some((Value::Centipawns(9), Bound::Upper)),
            depth: 9,
            expansions: 4,
            nodes: 321,
            share: 123,
            status: "open",
        };
        let blank = MoveView { interval: None, realistic: None, ..view.clone() };
        assert_eq!(
            event(&Event::Moves(vec![view, blank])),
            [
                "info string move e2e4 open lower -12 realistic <=+9 upper +30 depth 9 expansions 4 nodes 321 effort 12.3 %",
                "info string move e2e4 open lower ? realistic ? upper ? depth 9 expansions 4 nodes 321 effort 12.3 %",
            ]
        );
        assert_eq!(event(&Event::Moves(vec![])).len(), 1, "there is always an answer");
    }

    #[test]
    fn best_moves() {
        let best = |best: Option<&str>, ponder: Option<&str>| {
            event(&Event::BestMove { best: best.map(str::to_owned), ponder: ponder.map(str::to_owned) })
        };
        assert_eq!(best(Some("e2e4"), Some("e7e5")), ["bestmove e2e4 ponder e7e5"]);
        assert_eq!(best(Some("e2e4"), None), ["bestmove e2e4"]);
        assert_eq!(best(None, None), ["bestmove (none)"]);
    }

    #[test]
    fn a_note_of_several_lines_stays_uci() {
        assert_eq!(event(&Event::Note("a\nb".to_owned())), ["info string a", "info string b"]);
    }

    #[test]
    fn every_option_is_declared_as_the_tools_expect() {
        let lines = identity();
        assert!(lines.contains(&"option name Hash type spin default 16 min 1 max 131072".to_owned()));
        assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
        assert!(lines.contains(&"option name Ponder type check default false".to_owned()));
        assert_eq!(lines.last().map(String::as_str), Some("uciok"));
    }
}

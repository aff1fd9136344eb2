//! One line of input to a [`Line`]: pure, and whatever the line holds, no panic.
//!
//! As the protocol asks, words before the first known command are skipped (`joho debug on` is `debug on`);
//! Regulus's own commands, being shorter and less telling, count only as the first word.

use crate::engine::datagen::openings::Openings;
use crate::engine::protocol::{Limits, Setup};
use std::path::PathBuf;

/// What a line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// Nothing: a blank line.
    Empty,
    /// `uci`
    Identify,
    /// `debug on`, `debug off`
    Debug(bool),
    /// `isready`
    IsReady,
    /// `setoption name N value V`
    SetOption {
        /// The words between `name` and `value`.
        name: String,
        /// All that follows `value`, blanks inside kept; `None` without the word.
        value: Option<String>,
    },
    /// `ucinewgame`
    NewGame,
    /// `position`
    Position(Setup),
    /// `go`
    Go(Limits),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// `d`: show the position.
    Show,
    /// `eval`: show the static evaluation.
    Evaluate,
    /// `moves`: show how the root moves stand.
    Moves,
    /// `export_net [FILE]`: write the network to a file.
    ExportNetwork(Option<String>),
    /// `bench`
    Bench,
    /// `genfens N [seed S] [book FILE|None] [chess960]`: print openings.
    GenerateOpenings(Openings),
    /// `go perft N`
    Perft(u32),
    /// `help`
    Help,
    /// `register ...`: there is nothing to register.
    Register,
    /// A known command that makes no sense as it stands, or an unknown one: a sentence for the user.
    Refused(String),
}

/// A line's meaning, and what was passed over in reading it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// What it asks for.
    pub line: Line,
    /// Sentences for the user.
    pub notes: Vec<String>,
}

/// The words that begin a command anywhere in a line.
const PROTOCOL_WORDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// Reads one line, with or without its line end.
///
/// ```
/// use regulus::uci::command::{Line, parse};
/// assert_eq!(parse("\u{feff} \tisready \r\n").line, Line::IsReady);
/// assert!(matches!(parse("xyzzy").line, Line::Refused(_)));
/// ```
pub fn parse(text: &str) -> Parsed {
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut notes = Vec::new();
    let line = read(text, &mut notes);
    Parsed { line, notes }
}

fn read(text: &str, notes: &mut Vec<String>) -> Line {
    let (word, rest) = first_word(text);
    match word {
        "" => Line::Empty,
        "d" => Line::Show,
        "eval" => Line::Evaluate,
        "moves" => Line::Moves,
        "export_net" => Line::ExportNetwork((!rest.is_empty()).then(|| rest.to_owned())),
        "bench" => Line::Bench,
        "genfens" => read_genfens(rest, notes),
        "help" => Line::Help,
        _ => read_protocol(word, rest, notes)
            .or_else(|| {
                let mut tail = rest;
                while !tail.is_empty() {
                    let (word, rest) = first_word(tail);
                    if let Some(line) = read_protocol(word, rest, notes) {
                        return Some(line);
                    }
                    tail = rest;
                }
                None
            })
            .unwrap_or_else(|| Line::Refused(format!("unknown command {text:?}; try help"))),
    }
}

fn read_protocol(word: &str, rest: &str, notes: &mut Vec<String>) -> Option<Line> {
    Some(match *PROTOCOL_WORDS.iter().find(|known| **known == word)? {
        "uci" => Line::Identify,
        "debug" => read_debug(rest),
        "isready" => Line::IsReady,
        "setoption" => read_set_option(rest),
        "register" => Line::Register,
        "ucinewgame" => Line::NewGame,
        "position" => read_position(rest),
        "go" => read_go(rest, notes),
        "stop" => Line::Stop,
        "ponderhit" => Line::PonderHit,
        "quit" => Line::Quit,
        _ => return None,
    })
}

/// The first word and what follows it, blanks trimmed.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.trim_start())
}

fn read_debug(rest: &str) -> Line {
    match first_word(rest).0 {
        "on" => Line::Debug(true),
        "off" => Line::Debug(false),
        other => Line::Refused(format!("debug is on or off, not {other:?}")),
    }
}

fn read_set_option(rest: &str) -> Line {
    let ("name", mut tail) = first_word(rest) else {
        return Line::Refused("setoption needs: name NAME [value VALUE]".to_owned());
    };
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while !tail.is_empty() {
        let (word, rest) = first_word(tail);
        if word == "value" {
            value = Some(rest.trim_end().to_owned());
            break;
        }
        name.push(word);
        tail = rest;
    }
    if name.is_empty() {
        return Line::Refused("setoption needs a name".to_owned());
    }
    Line::SetOption { name: name.join(" "), value }
}

fn read_position(rest: &str) -> Line {
    let mut words = rest.split_whitespace().peekable();
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(fen_words(&mut words)),
        // A FEN whose keyword was forgotten: no other word here holds a slash.
        Some(placement) if placement.contains('/') => {
            Some(format!("{placement} {}", fen_words(&mut words)).trim_end().to_owned())
        }
        _ => return Line::Refused("position needs: startpos or fen FEN, then [moves ...]".to_owned()),
    };
    match words.next() {
        None => Line::Position(Setup { fen, moves: Vec::new() }),
        Some("moves") => Line::Position(Setup { fen, moves: words.map(str::to_owned).collect() }),
        Some(other) => Line::Refused(format!("position: {other:?} where \"moves\" should stand")),
    }
}

fn fen_words<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> String {
    let mut fen = Vec::new();
    while let Some(word) = words.next_if(|&word| word != "moves") {
        fen.push(word);
    }
    fen.join(" ")
}

/// The words that mean something after `go`.
const GO_WORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

fn read_go(rest: &str, notes: &mut Vec<String>) -> Line {
    let mut limits = Limits::default();
    let mut perft = None;
    let mut broken = false;
    let mut words = rest.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let slot = match word {
            "ponder" => {
                limits.ponder = true;
                continue;
            }
            "infinite" => {
                limits.infinite = true;
                continue;
            }
            "searchmoves" => {
                while let Some(text) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    limits.search_moves.push(text.to_owned());
                }
                continue;
            }
            "wtime" => &mut limits.white_time,
            "btime" => &mut limits.black_time,
            "winc" => &mut limits.white_increment,
            "binc" => &mut limits.black_increment,
            "movestogo" => &mut limits.moves_to_go,
            "depth" => &mut limits.depth,
            "nodes" => &mut limits.nodes,
            "mate" => &mut limits.mate,
            "movetime" => &mut limits.move_time,
            "perft" => &mut perft,
            other => {
                notes.push(format!("go: {other:?} ignored"));
                continue;
            }
        };
        match words.next_if(|word| !GO_WORDS.contains(word)).map(|text| (text, read_number(text))) {
            Some((_, Some(number))) => *slot = Some(number),
            Some((text, None)) => {
                notes.push(format!("go {word}: {text:?} is no whole number; ignored"));
                broken |= word != "movestogo";
            }
            None => {
                notes.push(format!("go {word}: the number is missing; ignored"));
                broken |= word != "movestogo";
            }
        }
    }
    if let Some(depth) = perft {
        return Line::Perft(u32::try_from(depth.max(0)).unwrap_or(u32::MAX));
    }
    if broken && !limits.has_clock() && !limits.is_explicit() && !limits.infinite && !limits.ponder {
        // Some limit was meant. Whoever meant it waits for an answer, so the shortest search is given.
        limits.depth = Some(1);
    }
    Line::Go(limits)
}

fn read_genfens(rest: &str, notes: &mut Vec<String>) -> Line {
    let mut words = rest.split_whitespace();
    let count = words.next().and_then(|text| text.parse().ok());
    let mut wanted = Openings { count: count.unwrap_or(0), seed: 1, book: None, chess960: false };
    let mut seed = Some(wanted.seed);
    while let Some(word) = words.next() {
        match word {
            "seed" => seed = words.next().and_then(|text| text.parse().ok()),
            "book" => {
                wanted.book =
                    words.next().filter(|file| !file.eq_ignore_ascii_case("none")).map(PathBuf::from)
            }
            "chess960" => wanted.chess960 = true,
            other => notes.push(format!("genfens: {other:?} ignored")),
        }
    }
    match (count, seed) {
        (Some(_), Some(seed)) => Line::GenerateOpenings(Openings { seed, ..wanted }),
        _ => Line::Refused("genfens needs: N seed S book FILE|None [chess960]".to_owned()),
    }
}

/// A whole number, signed; one that does not fit becomes the nearest that does.
fn read_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size: i64 = digits.parse().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn go(text: &str) -> (Limits, usize) {
        let parsed = parse(text);
        match parsed.line {
            Line::Go(limits) => (limits, parsed.notes.len()),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn blanks_carriage_returns_and_byte_order_marks() {
        assert_eq!(parse("").line, Line::Empty);
        assert_eq!(parse(" \t\r\n").line, Line::Empty);
        assert_eq!(parse("\u{feff}uci\r\n").line, Line::Identify);
        assert_eq!(parse("debug \t on\r").line, Line::Debug(true));
        assert_eq!(
            parse("position\tstartpos  moves\te2e4\r\n").line,
            Line::Position(Setup { fen: None, moves: vec!["e2e4".to_owned()] })
        );
    }

    #[test]
    fn unknown_words_in_front_are_skipped() {
        assert_eq!(parse("joho debug on").line, Line::Debug(true));
        assert_eq!(parse("please now stop").line, Line::Stop);
        assert!(matches!(parse("find the d").line, Line::Refused(_)), "only protocol words count");
        assert!(matches!(parse("UCI").line, Line::Refused(_)));
    }

    #[test]
    fn options_with_blanks_in_name_and_value() {
        let option = |text: &str| match parse(text).line {
            Line::SetOption { name, value } => (name, value),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(
            option("setoption name Move  Overhead value 20"),
            ("Move Overhead".to_owned(), Some("20".to_owned()))
        );
        assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".to_owned(), None));
        assert_eq!(
            option("setoption name EvalFile value C:\\My  Nets\\a b.bin \r\n"),
            ("EvalFile".to_owned(), Some("C:\\My  Nets\\a b.bin".to_owned()))
        );
        assert_eq!(option("setoption name Hash value"), ("Hash".to_owned(), Some(String::new())));
        for broken in ["setoption", "setoption name", "setoption name value 3", "setoption Hash 3"] {
            assert!(matches!(parse(broken).line, Line::Refused(_)), "{broken}");
        }
    }

    #[test]
    fn positions() {
        let setup = |text: &str| match parse(text).line {
            Line::Position(setup) => (setup.fen, setup.moves.len()),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(setup("position startpos"), (None, 0));
        assert_eq!(setup("position startpos moves"), (None, 0));
        assert_eq!(setup("position startpos moves e2e4 e7e5"), (None, 2));
        assert_eq!(setup("position fen 8/8 w  -  - moves a1a2"), (Some("8/8 w - -".to_owned()), 1));
        assert_eq!(setup("position fen"), (Some(String::new()), 0));
        assert_eq!(setup("position 8/8 w - -"), (Some("8/8 w - -".to_owned()), 0));
        for broken in ["position", "position moves e2e4", "position startpos e2e4"] {
            assert!(matches!(parse(broken).line, Line::Refused(_)), "{broken}");
        }
    }

    #[test]
    fn openings_as_openbench_asks_for_them() {
        let wanted = |text: &str| match parse(text) {
            Parsed { line: Line::GenerateOpenings(wanted), notes } => (wanted, notes.len()),
            other => panic!("{text}: {other:?}"),
        };
        let plain = Openings { count: 64, seed: 5, book: None, chess960: false };
        assert_eq!(wanted("genfens 64 seed 5 book None "), (plain.clone(), 0));
        let book = Some(PathBuf::from("Books/a.epd"));
        assert_eq!(
            wanted("genfens 64 seed 5 book Books/a.epd chess960 moves=3"),
            (Openings { book, chess960: true, ..plain }, 1)
        );
        for broken in ["genfens", "genfens x", "genfens -1 seed 3", "genfens 3 seed", "genfens 3 seed x"] {
            assert!(matches!(parse(broken).line, Line::Refused(_)), "{broken}");
        }
    }

    #[test]
    fn go_with_everything() {
        let (limits, notes) =
            go("go searchmoves e2e4 d2d4 ponder wtime 1 btime -2 winc 3 binc 4 movestogo 5 \
             depth 6 nodes 7 mate 8 movetime 9 infinite");
        assert_eq!(notes, 0);
        assert_eq!(
            limits,
            Limits {
                search_moves: vec!["e2e4".to_owned(), "d2d4".to_owned()],
                ponder: true,
                infinite: true,
                white_time: Some(1),
                black_time: Some(-2),
                white_increment: Some(3),
                black_increment: Some(4),
                moves_to_go: Some(5),
                depth: Some(6),
                nodes: Some(7),
                mate: Some(8),
                move_time: Some(9),
            }
        );
    }

    #[test]
    fn numbers_that_do_not_fit_saturate() {
        assert_eq!(go("go nodes 9223372036854775808").0.nodes, Some(i64::MAX));
        assert_eq!(go("go wtime -99999999999999999999").0.white_time, Some(-i64::MAX));
        assert_eq!(parse("go perft -3").line, Line::Perft(0));
        assert_eq!(parse("go perft 99999999999").line, Line::Perft(u32::MAX));
    }

    #[test]
    fn a_limit_without_its_number_is_answered_all_the_same() {
        for word in ["depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc"] {
            for text in [format!("go {word}"), format!("go {word} x"), format!("go {word} 1.5")] {
                let (limits, notes) = go(&text);
                assert_eq!((limits.depth, notes), (Some(1), 1), "{text}");
            }
        }
        let (limits, notes) = go("go depth wtime 100");
        assert_eq!((limits.depth, limits.white_time, notes), (None, Some(100), 1));
        assert_eq!(go("go movestogo").0, Limits::default());
    }

    proptest! {
        #[test]
        fn no_line_panics(text in ".{0,200}") {
            parse(&text);
        }

        #[test]
        fn no_line_of_known_words_panics(words in prop::collection::vec(
            prop::sample::select([&PROTOCOL_WORDS[..], &GO_WORDS[..],
                &["name", "value", "fen", "moves", "startpos", "on", "-1", "0", "99999999999999999999", "e2e4"]].concat()),
            0..12,
        )) {
            parse(&words.join(" "));
        }
    }
}

//! Random command lines: sensible ones, odd ones, and broken ones.

use cozy_chess::{Board, Move};
use regulus::chess::fen::{Rules, read_fen, write_move};
use regulus::engine::options::{Kind, TABLE};
use regulus::engine::protocol::Limits;
use regulus::uci::command::{Line, parse};

/// A small deterministic generator (splitmix64, Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn choose<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// Lines of a usual session, and some that have upset other engines.
const LINES: &[&str] = &[
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves f2f3 e7e5 g2g4 d8h4",
    "position startpos moves e2e4 e2e4",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "position fen 1k6/8/1K6/5R2/8/8/8/8 w - - 0 1",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "go infinite",
    "go infinite",
    "go ponder wtime 300 btime 300",
    "go ponder",
    "go wtime 50 btime 50 winc 5 binc 5",
    "go wtime -5 btime 10",
    "go depth 3",
    "go nodes 500",
    "go nodes 0",
    "go movetime 5",
    "go mate 1",
    "go searchmoves e2e4 e8g8",
    "go",
    "stop",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit",
    "isready",
    "isready",
    "ucinewgame",
    "setoption name Hash value 1",
    "setoption name Hash value 4",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name Threads value 3",
    "setoption name Clear Hash",
    "setoption name UCI_Chess960 value true",
    "setoption name UCI_Chess960 value false",
    "debug on",
    "debug off",
    "d",
    "eval",
    "moves",
    "go perft 2",
    "uci",
    "",
    "garbage",
];

const GO_WORDS: &[&str] = &[
    "ponder",
    "infinite",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "searchmoves",
    "nonsense",
];

const NUMBERS: &[&str] =
    &["0", "1", "2", "3", "40", "300", "-1", "-170671", "x", "1.5", "", "9223372036854775808"];

/// The next line of a session, such that no session takes long.
pub fn line(random: &mut Random) -> Vec<u8> {
    loop {
        let line = match random.below(16) {
            0 => go(random),
            1 | 2 => option(random),
            3 | 4 => position(random),
            _ => random.choose(LINES).to_owned(),
        };
        let mut bytes = line.into_bytes();
        if random.once_in(8) {
            (0..=random.below(3)).for_each(|_| break_line(random, &mut bytes));
        }
        if is_short(&String::from_utf8_lossy(&bytes)) {
            return bytes;
        }
    }
}

/// The engine does not work for long on it, does not end, and writes no file.
fn is_short(text: &str) -> bool {
    match parse(text).line {
        Line::Go(limits) => limits.infinite || is_small(&limits),
        Line::Perft(depth) => depth <= 2,
        Line::SetOption { name, value } => {
            let number = value.as_deref().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
            let large = name.eq_ignore_ascii_case("Hash") && number > MOST_HASH_MIB
                || name.eq_ignore_ascii_case("Threads") && number > MOST_THREADS;
            let writes =
                name.to_ascii_lowercase().contains("file") && value.is_some_and(|text| text != EMPTY);
            !large && !writes
        }
        Line::Bench | Line::ExportNetwork(_) | Line::GenerateOpenings(_) | Line::Quit => false,
        _ => true,
    }
}

/// The most that a session asks for.
pub const MOST_HASH_MIB: u64 = 8;

/// The most threads that a session asks for.
pub const MOST_THREADS: u64 = 4;

/// UCI's way to write no text.
const EMPTY: &str = "<empty>";

fn is_small(limits: &Limits) -> bool {
    let at_most = |value: Option<i64>, most: i64| value.is_none_or(|value| value <= most);
    at_most(limits.depth, 4)
        && at_most(limits.nodes, 3_000)
        && at_most(limits.move_time, 50)
        && at_most(limits.white_time, 500)
        && at_most(limits.black_time, 500)
        && at_most(limits.white_increment, 50)
        && at_most(limits.black_increment, 50)
}

fn go(random: &mut Random) -> String {
    let mut text = "go".to_owned();
    for _ in 0..random.below(5) {
        text += &format!(" {} {}", random.choose(GO_WORDS), random.choose(NUMBERS));
    }
    text
}

/// Any of the engine's options, whatever they are, with a value that fits or not.
fn option(random: &mut Random) -> String {
    let row = &TABLE[random.below(TABLE.len())];
    let value = match row.kind {
        _ if random.once_in(6) => random.choose(NUMBERS).to_owned(),
        Kind::Check { .. } => random.choose(&["true", "false"]).to_owned(),
        // The small numbers.
        Kind::Spin { min, max, .. } => (min + random.below(4) as u32).min(max).to_string(),
        Kind::Combo { choices, .. } => random.choose(&choices()).to_owned(),
        Kind::Text { .. } => EMPTY.to_owned(),
        Kind::Button(_) => return format!("setoption name {}", row.name),
    };
    format!("setoption name {} value {value}", row.name)
}

/// A position with few or many men anywhere, and legal moves from there; sometimes one that is not.
fn position(random: &mut Random) -> String {
    let start = if random.once_in(3) { "startpos".to_owned() } else { format!("fen {}", fen(random)) };
    let board = match start.strip_prefix("fen ") {
        Some(text) => read_fen(text, Rules::Standard).map(|fen| fen.board),
        None => Ok(Board::startpos()),
    };
    let mut text = format!("position {start} moves");
    if let Ok(mut board) = board {
        for _ in 0..random.below(30) {
            let Some(mv) = any_move(random, &board) else { break };
            text += &format!(" {}", write_move(&board, mv, Rules::Standard));
            board.play(mv);
        }
    }
    if random.once_in(10) {
        text += " a1a1";
    }
    text
}

fn any_move(random: &mut Random, board: &Board) -> Option<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    (!moves.is_empty()).then(|| moves[random.below(moves.len())])
}

fn fen(random: &mut Random) -> String {
    let mut squares = [None; 64];
    for man in ["K", "k"] {
        squares[random.below(64)] = Some(man);
    }
    for _ in 0..random.below(20) {
        let man = random.choose(&["P", "p", "P", "p", "N", "n", "B", "b", "R", "r", "Q", "q"]);
        let at = random.below(64);
        let pawn_on_its_last_rank = man.eq_ignore_ascii_case("p") && !(8..56).contains(&at);
        if squares[at].is_none() && !pawn_on_its_last_rank {
            squares[at] = Some(man);
        }
    }
    let ranks: Vec<String> =
        squares.chunks(8).map(|rank| rank.iter().map(|man| man.unwrap_or("1")).collect()).collect();
    format!(
        "{} {} {} {} {} 1",
        ranks.join("/"),
        random.choose(&["w", "b"]),
        random.choose(&["-", "KQkq", "HAha", "Gb"]),
        random.choose(&["-", "-", "e3", "d6", "a6", "x9"]),
        random.choose(&["0", "0", "3", "97", "99", "100", "-1", "x"]),
    )
}

/// One misprint.
fn break_line(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len() + 1);
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => bytes.insert(at, b' '),
        2 => {
            // Any byte, text or not, but no line end.
            let byte = random.below(256) as u8;
            bytes.insert(at, if byte == b'\n' { b'\r' } else { byte });
        }
        3 => {
            bytes.drain(..at);
        }
        4 => {
            let again = bytes[at..].to_vec();
            bytes.extend_from_slice(&again);
        }
        // Longer than any pipe's buffer, now and then.
        _ => bytes.resize(bytes.len() + if random.once_in(8) { 70_000 } else { 3 }, b'x'),
    }
}

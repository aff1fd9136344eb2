//! What the examples that play games in one process share: sides that search a fixed number of nodes, games between
//! them, the Elo difference that pairs of games show.

use cozy_chess::{Board, Color, Move};
use regulus::bstar::{Interrupted, Monitor};
use regulus::chess::{Outcome, Position};
use regulus::engine::clock;
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::protocol::Limits;
use regulus::engine::searcher::{Finding, Request, RootFinding, Searcher, Watch};
use std::time::{Duration, Instant};

/// Plies after which a game is a draw.
const LONGEST_GAME: usize = 400;

/// Plies from which a game may be drawn by agreement.
const AGREED_FROM: usize = 70;

/// So many moves in a row, of both sides, see no more than so many centipawns: a draw.
const AGREED_DRAW: (usize, i32) = (10, 10);

/// So many moves in a row, of both sides, see the same side ahead by so many centipawns: it has won.
const AGREED_WIN: (usize, i32) = (8, 700);

/// How long a side may think.
#[derive(Clone, Copy)]
pub enum Pace {
    /// So many nodes a move.
    Nodes(u64),
    /// So many plies a move, whatever they cost.
    Depth(u32),
    /// A clock that nodes run down: what a clocked game asks of the engine, without a clock's noise.
    Clock(Clock),
}

/// A clock in milliseconds of an engine that makes so many nodes in each.
#[derive(Clone, Copy)]
pub struct Clock {
    /// Milliseconds at the start.
    pub base: u64,
    /// Milliseconds more after each move.
    pub increment: u64,
    /// Nodes a millisecond.
    pub speed: u64,
}

impl Pace {
    /// `N` nodes a move, `dN` plies, or `BASE+INCREMENT@SPEED` as a [`Clock`] has it.
    pub fn read(text: &str) -> Result<Self, String> {
        let number = |part: &str| part.parse::<u64>().map_err(|error| format!("{text:?}: {error}"));
        if let Some(depth) = text.strip_prefix('d') {
            return Ok(Self::Depth(depth.parse().map_err(|error| format!("{text:?}: {error}"))?));
        }
        let Some((clock, speed)) = text.split_once('@') else { return Ok(Self::Nodes(number(text)?)) };
        let (base, increment) = clock.split_once('+').unwrap_or((clock, "0"));
        let clock = Clock { base: number(base)?, increment: number(increment)?, speed: number(speed)? };
        if clock.speed == 0 {
            Err(format!("{text:?}: no nodes a millisecond"))
        } else {
            Ok(Self::Clock(clock))
        }
    }
}

/// What a move may take, in nodes.
#[derive(Clone, Copy)]
struct Allowed {
    soft: Option<u64>,
    hard: u64,
}

/// Ends a search after so many nodes.
struct Nodes {
    spent: u64,
    allowed: Allowed,
    last: Option<RootFinding>,
}

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.spent += units;
        if self.spent < self.allowed.hard { Ok(()) } else { Err(Interrupted) }
    }

    fn allowance(&self) -> u64 {
        self.allowed.hard.saturating_sub(self.spent).max(1)
    }
}

impl Watch for Nodes {
    fn spent(&self) -> Option<f64> {
        self.allowed.soft.map(|soft| self.spent as f64 / soft.max(1) as f64)
    }
    fn nodes(&self) -> u64 {
        self.spent
    }
    fn report(&mut self, finding: Finding) {
        self.last = finding.root.or(self.last.take());
    }
}

/// What B\* was seen to do, summed over its moves.
#[derive(Default)]
pub struct Seen {
    /// Moves.
    pub moves: usize,
    /// Nodes.
    pub nodes: u64,
    /// Nodes of the tree below the root at the decision.
    pub tree: usize,
    /// Stored plies of the principal line at the decision.
    pub line: usize,
    /// Decisions at which the best move was separated.
    pub separated: usize,
    /// What each side took for its moves, the first one's first.
    pub took: [Took; 2],
}

/// What a side took for its moves, and how deep it came, summed over them.
#[derive(Clone, Copy, Default)]
pub struct Took {
    /// Moves.
    pub moves: usize,
    /// Nodes.
    pub nodes: u64,
    /// Time on the wall: the sides take turns on one thread, so that other work on the machine slows both alike.
    pub time: Duration,
    /// Plies of its last depth.
    pub depth: u64,
}

impl Took {
    /// Another game's moves.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.nodes += other.nodes;
        self.time += other.time;
        self.depth += other.depth;
    }
}

/// One player: the engine's own search under its own options.
pub struct Side {
    /// Its options; dials among them may be turned between games.
    pub options: Options,
    modes: Modes,
    /// Nodes left on its clock.
    left: u64,
    /// What it said last.
    said: i32,
}

impl Side {
    /// A side from its description: see [`settings`].
    pub fn new(described: &str, hash: &str) -> Result<Self, String> {
        let mut options = Options::default();
        set(&mut options, "Hash", hash)?;
        for (name, value) in settings(described)? {
            set(&mut options, name, value)?;
        }
        let mut modes = Modes::default();
        modes.prepare(&options)?;
        Ok(Self { options, modes, left: 0, said: 0 })
    }

    /// What its pace gives it for this move.
    fn allowed(&self, pace: Pace) -> Allowed {
        let Clock { increment, speed, .. } = match pace {
            Pace::Nodes(hard) => return Allowed { soft: None, hard },
            Pace::Depth(_) => return Allowed { soft: None, hard: u64::MAX },
            Pace::Clock(clock) => clock,
        };
        self.options.dials.install();
        let (time, increment) = ((self.left / speed) as i64, increment as i64);
        let limits = Limits {
            white_time: Some(time),
            white_increment: Some(increment),
            black_time: Some(time),
            black_increment: Some(increment),
            ..Limits::default()
        };
        // Nothing is lost on this clock.
        let pace = clock::Pace { overhead: self.options.move_overhead, lag: Duration::ZERO, ponder: false };
        let budget = clock::allot(&limits, clock::Side::White, pace);
        let nodes = |time: Duration| (time.as_millis() as u64 * speed).max(1);
        Allowed { soft: budget.soft.map(nodes), hard: budget.hard.map_or(1, nodes) }
    }

    /// Takes so many nodes from its clock, and adds the increment.
    fn pay(&mut self, nodes: u64, pace: Pace) {
        if let Pace::Clock(clock) = pace {
            self.left = self.left.saturating_sub(nodes) + clock.increment * clock.speed;
        }
    }

    /// Its move and what it says of it, in centipawns from its side.
    fn choose(&mut self, position: &Position, pace: Pace, turn: usize, seen: &mut Seen) -> (Move, i32) {
        let root_moves = position.legal_moves();
        let allowed = self.allowed(pace);
        if root_moves.len() == 1 && allowed.soft.is_some() {
            self.pay(0, pace);
            return (root_moves[0], self.said);
        }
        let mut watch = Nodes { spent: 0, allowed, last: None };
        let request = Request {
            position,
            root_moves: &root_moves,
            depth: if let Pace::Depth(depth) = pace { Some(depth) } else { None },
            lines: 1,
            contempt: 0,
            strength: None,
            options: &self.options,
            ask_tablebases: true,
        };
        let begun = Instant::now();
        let found = self.modes.search(&request, &mut watch);
        let depth = found.as_ref().map_or(0, |finding| finding.depth.into());
        seen.took[turn].add(Took { moves: 1, nodes: watch.spent, time: begun.elapsed(), depth });
        let root = found.as_ref().and_then(|finding| finding.root.clone()).or(watch.last);
        if let Some(root) = root {
            seen.moves += 1;
            seen.nodes += watch.spent;
            seen.tree += root.ending.map_or(0, |ending| ending.tree_nodes as usize);
            seen.line += root.line_plies as usize;
            seen.separated += usize::from(root.separated);
        }
        self.pay(watch.spent, pace);
        self.said = found.as_ref().map_or(0, |finding| finding.score.to_centipawns());
        let score = self.said;
        (found.and_then(|finding| finding.line.first().copied()).unwrap_or(root_moves[0]), score)
    }
}

/// What both sides say of a game, move by move.
#[derive(Default)]
struct Agreement {
    level: usize,
    /// Above 0: moves in a row that saw White that far ahead; below: Black.
    decided: isize,
}

impl Agreement {
    /// The side to move has chosen its move and sees `score` for White, in centipawns. The game's score for White when both
    /// have agreed for long enough: 2 a win, 1 a draw, 0 a loss.
    fn after(&mut self, ply: usize, score: i32) -> Option<usize> {
        self.level = if ply >= AGREED_FROM && score.abs() <= AGREED_DRAW.1 { self.level + 1 } else { 0 };
        let sign = score.signum() as isize;
        self.decided = match score.abs() >= AGREED_WIN.1 {
            true if self.decided.signum() == sign => self.decided + sign,
            true => sign,
            false => 0,
        };
        if self.decided.unsigned_abs() >= AGREED_WIN.0 {
            return Some(if sign > 0 { 2 } else { 0 });
        }
        (self.level >= AGREED_DRAW.0).then_some(1)
    }
}

/// The options that a description of a side names: `NAME=VALUE`, separated by commas; `twin` for `SearchMode=AlphaBeta`, and
/// `POLICY/MODEL` for both of these.
pub fn settings(described: &str) -> Result<Vec<(&str, &str)>, String> {
    let mut named = Vec::new();
    for word in described.split(',').filter(|word| !word.is_empty()) {
        match (word.split_once('='), word.split_once('/')) {
            (Some(setting), _) => named.push(setting),
            (None, Some((policy, model))) => named.extend([("Policy", policy), ("IntervalModel", model)]),
            (None, None) if word == "twin" => named.push(("SearchMode", "AlphaBeta")),
            (None, None) => return Err(format!("{word:?} is neither NAME=VALUE, POLICY/MODEL nor twin")),
        }
    }
    Ok(named)
}

/// Sets an option by its name.
pub fn set(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
    options.set(name, Some(value)).map(|_| ()).map_err(|refusal| refusal.to_string())
}

/// How a game is played.
#[derive(Clone, Copy)]
pub struct Terms {
    /// How long either side may think.
    pub paces: [Pace; 2],
    /// The game ends when both sides have agreed on its outcome for long enough, as match runners have it.
    pub adjudicated: bool,
    /// Both sides forget everything before each move.
    pub forgetful: bool,
}

/// One game. The first side's score: 2 a win, 1 a draw, 0 a loss.
pub fn play(sides: &mut [Side; 2], opening: &Board, first_is: Color, terms: Terms, seen: &mut Seen) -> usize {
    for (side, pace) in sides.iter_mut().zip(terms.paces) {
        side.modes.clear();
        side.said = 0;
        if let Pace::Clock(clock) = pace {
            side.left = clock.base * clock.speed;
        }
    }
    let mut agreement = Agreement::default();
    let mut position = Position::from_board(opening.clone());
    loop {
        let mover = position.board().side_to_move();
        match position.outcome() {
            Some(Outcome::Checkmate) => return if mover == first_is { 0 } else { 2 },
            Some(_) => return 1,
            None if position.game_ply() >= LONGEST_GAME => return 1,
            None => {}
        }
        let turn = usize::from(mover != first_is);
        let side = &mut sides[turn];
        if terms.forgetful {
            side.modes.clear();
        }
        let (chosen, score) = side.choose(&position, terms.paces[turn], turn, seen);
        position.play(chosen);
        let score = if mover == Color::White { score } else { -score };
        if terms.adjudicated
            && let Some(for_white) = agreement.after(position.game_ply(), score)
        {
            return if first_is == Color::White { for_white } else { 2 - for_white };
        }
    }
}

/// The positions of an EPD file.
pub fn openings(file: &str) -> Result<Vec<Board>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let boards: Vec<Board> = text
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            format!("{} 0 1", fields.join(" ")).parse().ok()
        })
        .collect();
    if boards.is_empty() { Err(format!("{file}: no positions")) } else { Ok(boards) }
}

/// The words of the command line: a file, then pairs of `--NAME VALUE`.
pub struct Words(Vec<String>);

impl Words {
    /// Those that the program was given. Every name must be one of `known`.
    pub fn given(known: &[&str]) -> Result<Self, String> {
        let words: Vec<String> = std::env::args().skip(1).collect();
        for pair in words.get(1..).unwrap_or_default().chunks(2) {
            if !known.contains(&pair[0].as_str()) || pair.len() < 2 {
                return Err(format!("{:?} is not one of {}, with a value", pair[0], known.join(", ")));
            }
        }
        Ok(Self(words))
    }

    /// The file.
    pub fn file(&self) -> Result<&str, String> {
        self.0.first().map(String::as_str).ok_or_else(|| "which file of openings?".to_owned())
    }

    /// A value.
    pub fn text<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        let at = self.0.iter().position(|word| word == name);
        at.and_then(|at| self.0.get(at + 1)).map_or(default, String::as_str)
    }

    /// A whole number.
    pub fn number(&self, name: &str, default: &str) -> Result<u64, String> {
        self.text(name, default).parse().map_err(|error| format!("{name}: {error}"))
    }
}

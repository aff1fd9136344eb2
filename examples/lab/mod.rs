//! What the examples that play games in one process share: sides that search a fixed number of nodes, games between
//! them, the Elo difference that pairs of games show.

use cozy_chess::{Board, Color, Move};
use regulus::bstar::{Interrupted, Monitor};
use regulus::chess::{Outcome, Position};
use regulus::engine::modes::Modes;
use regulus::engine::options::Options;
use regulus::engine::searcher::{Finding, Request, RootFinding, Searcher, Watch};

/// Plies after which a game is a draw.
const LONGEST_GAME: usize = 400;

/// Ends a search after so many nodes.
struct Nodes {
    spent: u64,
    limit: u64,
    last: Option<RootFinding>,
}

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.spent += units;
        if self.spent < self.limit { Ok(()) } else { Err(Interrupted) }
    }

    fn allowance(&self) -> u64 {
        self.limit.saturating_sub(self.spent).max(1)
    }
}

impl Watch for Nodes {
    fn spent(&self) -> Option<f64> {
        None
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
    /// Nodes of the tree below the root at the decision.
    pub tree: usize,
    /// Stored plies of the principal line at the decision.
    pub line: usize,
    /// Decisions at which the best move was separated.
    pub separated: usize,
}

/// One player: the engine's own search under its own options.
pub struct Side {
    /// Its options; dials among them may be turned between games.
    pub options: Options,
    modes: Modes,
}

impl Side {
    /// A side from its description: options as `NAME=VALUE`, separated by commas; `twin` for `SearchMode=AlphaBeta`, and
    /// `POLICY/MODEL` for both of these.
    pub fn new(described: &str, hash: &str) -> Result<Self, String> {
        let mut options = Options::default();
        set(&mut options, "Hash", hash)?;
        for word in described.split(',').filter(|word| !word.is_empty()) {
            match (word.split_once('='), word.split_once('/')) {
                (Some((name, value)), _) => set(&mut options, name, value)?,
                (None, Some((policy, model))) => {
                    set(&mut options, "Policy", policy)?;
                    set(&mut options, "IntervalModel", model)?;
                }
                (None, None) if word == "twin" => set(&mut options, "SearchMode", "AlphaBeta")?,
                (None, None) => return Err(format!("{word:?} is neither NAME=VALUE, POLICY/MODEL nor twin")),
            }
        }
        let mut modes = Modes::default();
        modes.prepare(&options)?;
        Ok(Self { options, modes })
    }

    fn choose(&mut self, position: &Position, limit: u64, seen: &mut Seen) -> Move {
        let root_moves = position.legal_moves();
        let mut watch = Nodes { spent: 0, limit, last: None };
        let request = Request {
            position,
            root_moves: &root_moves,
            depth: None,
            lines: 1,
            contempt: 0,
            strength: None,
            options: &self.options,
            ask_tablebases: true,
        };
        let found = self.modes.search(&request, &mut watch);
        let root = found.as_ref().and_then(|finding| finding.root.clone()).or(watch.last);
        if let Some(root) = root {
            seen.moves += 1;
            seen.tree += root.ending.map_or(0, |ending| ending.tree_nodes as usize);
            seen.line += root.line_plies as usize;
            seen.separated += usize::from(root.separated);
        }
        found.and_then(|finding| finding.line.first().copied()).unwrap_or(root_moves[0])
    }
}

/// Sets an option by its name.
pub fn set(options: &mut Options, name: &str, value: &str) -> Result<(), String> {
    options.set(name, Some(value)).map(|_| ()).map_err(|refusal| refusal.to_string())
}

/// One game at `limit` nodes a move. The first side's score: 2 a win, 1 a draw, 0 a loss.
pub fn play(sides: &mut [Side; 2], opening: &Board, first_is: Color, limit: u64, seen: &mut Seen) -> usize {
    sides.iter_mut().for_each(|side| side.modes.clear());
    let mut position = Position::from_board(opening.clone());
    loop {
        let mover = position.board().side_to_move();
        match position.outcome() {
            Some(Outcome::Checkmate) => return if mover == first_is { 0 } else { 2 },
            Some(_) => return 1,
            None if position.game_ply() >= LONGEST_GAME => return 1,
            None => {}
        }
        let chosen = sides[usize::from(mover != first_is)].choose(&position, limit, seen);
        position.play(chosen);
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

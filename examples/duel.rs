//! A fixed-node match between B\* and its alpha-beta twin, in one process: no clock, no pipes, the same moves every
//! time. For questions about the search; questions about time need a clocked match (`scripts/match.py`).
//!
//! ```text
//! cargo run --release --example duel -- scripts/openings.epd --games 200 --nodes 10000
//!     [--hash 16] [--first SIDE] [--second SIDE] [--skip N]
//! ```
//!
//! A side is `twin`, or `POLICY/MODEL` such as `Settled/Learned` (the default of the first side) or
//! `DisproveBest/NullMove`. Each opening is played twice, with colours changed. Games end by the rules of chess, or as a
//! draw after 400 plies. Output: wins, draws and losses of the first side, the Elo difference with its 95 % interval over pairs of
//! games, and the mean size of the graph at the decision.

use cozy_chess::{Board, Color, Move};
use regulus::bstar::settled::root::{Overseer, Progress, Verdict};
use regulus::bstar::{Interrupted, Monitor};
use regulus::chess::probe::{Probe, RootMoves, Table};
use regulus::chess::tree_search::{Settings, TreeSearch};
use regulus::chess::twin::{self, TwinLimits};
use regulus::chess::{Outcome, Position, Score};
use std::sync::Arc;

const LONGEST_GAME: usize = 400;

/// Ends a search after so many nodes.
struct Nodes {
    spent: u64,
    limit: u64,
    graph: usize,
    line: usize,
    separated: bool,
}

impl Monitor for Nodes {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.spent += units;
        if self.spent < self.limit { Ok(()) } else { Err(Interrupted) }
    }
}

impl Overseer<Move, Score> for Nodes {
    fn progress(&mut self, progress: &Progress<Move, Score>) -> Verdict {
        (self.graph, self.line, self.separated) = (progress.nodes, progress.line.len(), progress.separated);
        Verdict::Continue
    }
    fn wants_separation(&self) -> bool {
        false
    }
    fn spent(&self) -> u64 {
        self.spent
    }
    fn left(&self) -> Option<u64> {
        Some(self.limit.saturating_sub(self.spent))
    }
}

enum Side {
    Twin(Box<Probe>),
    BStar(Box<TreeSearch>, Settings, Arc<Table>),
}

#[derive(Default)]
struct Seen {
    moves: usize,
    graph: usize,
    line: usize,
    separated: usize,
}

impl Side {
    fn new(name: &str, hash: usize) -> Result<Self, String> {
        if name == "twin" {
            return Ok(Self::Twin(Box::new(Probe::new(Arc::new(Table::new(hash << 20))))));
        }
        let (policy, model) = name.split_once('/').ok_or("a side is twin or POLICY/MODEL")?;
        let settings = Settings { policy: policy.parse()?, model: model.parse()?, lines: 1 };
        let table = Arc::new(Table::new((hash << 20) / 8 * 7));
        Ok(Self::BStar(Box::new(TreeSearch::new(Arc::clone(&table), (hash << 20) / 8)), settings, table))
    }

    fn new_game(&mut self) {
        match self {
            Self::Twin(probe) => {
                probe.table().clear();
                probe.new_game();
            }
            Self::BStar(search, _, table) => {
                table.clear();
                search.clear();
            }
        }
    }

    fn choose(&mut self, position: &Position, limit: u64, seen: &mut Seen) -> Move {
        let mut nodes = Nodes { spent: 0, limit, graph: 0, line: 0, separated: false };
        let chosen = match self {
            Self::Twin(probe) => {
                probe.table().new_search();
                let limits = TwinLimits { depth: 100, moves: RootMoves::All, lines: 1 };
                twin::think(probe, position, limits, &mut nodes, |_| true).best
            }
            Self::BStar(search, settings, table) => {
                table.new_search();
                let outcome = search.search(position, &[], *settings, 100, &mut nodes);
                seen.moves += 1;
                seen.graph += nodes.graph;
                seen.line += nodes.line;
                seen.separated += usize::from(nodes.separated);
                outcome.action
            }
        };
        chosen.expect("a move")
    }
}

/// The first side's score: 2 a win, 1 a draw, 0 a loss.
fn play(sides: &mut [Side; 2], opening: &Board, first_is: Color, limit: u64, seen: &mut Seen) -> usize {
    sides.iter_mut().for_each(Side::new_game);
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

/// Elo difference and the half width of its 95 % interval, from the scores of pairs (0 to 4).
fn elo(pairs: &[usize]) -> (f64, f64) {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<usize>() as f64 / 4.0 / count;
    let variance = pairs.iter().map(|&pair| (pair as f64 / 4.0 - mean).powi(2)).sum::<f64>() / count;
    let error = 1.96 * (variance / count).sqrt();
    let difference = |share: f64| -400.0 * (1.0 / share.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
    (difference(mean), (difference(mean + error) - difference(mean - error)) / 2.0)
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value = |name: &str, default: &str| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1).cloned()).unwrap_or_else(|| default.to_owned())
    };
    let number = |name: &str, default: &str| {
        value(name, default).parse::<usize>().map_err(|error| format!("{name}: {error}"))
    };
    let file = arguments.first().ok_or("which file of openings?")?;
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let openings: Vec<Board> = text
        .lines()
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            format!("{} 0 1", fields.join(" ")).parse().ok()
        })
        .collect();
    let (hash, games, limit) =
        (number("--hash", "16")?, number("--games", "100")?, number("--nodes", "10000")? as u64);
    let mut sides = [
        Side::new(&value("--first", "Settled/Learned"), hash)?,
        Side::new(&value("--second", "twin"), hash)?,
    ];
    let (mut counts, mut pairs, mut seen) = ([0; 3], Vec::new(), Seen::default());
    for opening in openings.iter().cycle().skip(number("--skip", "0")?).take(games.div_ceil(2)) {
        let mut pair = 0;
        for color in Color::ALL {
            let score = play(&mut sides, opening, color, limit, &mut seen);
            counts[2 - score] += 1;
            pair += score;
        }
        pairs.push(pair);
        if pairs.len() % 10 == 0 || pairs.len() == games.div_ceil(2) {
            let (difference, error) = elo(&pairs);
            let [wins, draws, losses] = counts;
            let mean = |sum: usize| sum as f64 / seen.moves.max(1) as f64;
            println!(
                "{} games: +{wins} ={draws} -{losses}, Elo {difference:+.0} +- {error:.0}; graph {:.0} nodes, line {:.1} plies, separated {:.0} %",
                2 * pairs.len(),
                mean(seen.graph),
                mean(seen.line),
                100.0 * mean(seen.separated)
            );
        }
    }
    Ok(())
}

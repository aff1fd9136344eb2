//! A fixed-node match in one process, B\* against its alpha-beta twin or any two settings: no clock, no pipes, the same
//! moves every time. For questions about the search; questions about time need a clocked match (`scripts/match.py`).
//!
//! ```text
//! cargo run --release --example duel -- scripts/openings.epd --games 200 --nodes 10000
//!     [--hash 16] [--first SIDE] [--second SIDE] [--skip N] [--threads 2] [--second-nodes 10000] [--adjudicate yes]
//!     [--forget yes] [--result FILE --name NAME --label COMMIT --date YYYY-MM-DD]
//! ```
//!
//! `--nodes` is so many a move; or `dN`, N plies a move, to tell what a ply is worth, whatever it costs; or `BASE+INCREMENT@SPEED`, a clock
//! of milliseconds that a side runs down by its nodes, so many in each: questions about time without a clock's noise, on a
//! machine that is busy besides. What a mode's node costs is then left to the speeds of the two.
//!
//! A side is `twin`, or `POLICY/MODEL` such as `Settled/Learned` (the default of the first side) or
//! `DisproveBest/NullMove`, or any options as `NAME=VALUE,NAME=VALUE`; in a laboratory build (`--features tuning`) the dials
//! of the search are options too. Each opening is played twice, with colours changed, `--threads` games at a time. Games end by
//! the rules of chess, or as a draw after 400 plies; with `--adjudicate yes` also when both sides have agreed long enough that it is won (8
//! moves in a row at 700 centipawns) or drawn (10 moves within 10, after 70 plies). With `--forget yes` both sides begin every move
//! with an empty memory. `--result` writes the match to a file of `docs/results`, which `scripts/report.py --render` puts into the report: a
//! name such as `twin-nodes:17000` or `frontier:8`. Output: wins, draws and losses of the first side, the Elo difference with its 95 % interval over
//! pairs of games, what each side took for a move (nodes, milliseconds on the wall) and how deep it came, and what B\* did: nodes of the
//! tree below the root at the decision, stored plies of the principal line, and the share of the decisions that were separated.

mod lab;

use cozy_chess::Color;
use lab::{Pace, Seen, Side, Terms, Took, Words, openings, play, settings};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Nodes a move where nobody says.
const NODES: &str = "10000";

/// Elo difference and the half width of its 95 % interval, from the scores of pairs (0 to 4).
fn elo(pairs: &[usize]) -> (f64, f64) {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<usize>() as f64 / 4.0 / count;
    let variance = pairs.iter().map(|&pair| (pair as f64 / 4.0 - mean).powi(2)).sum::<f64>() / count;
    let error = 1.96 * (variance / count).sqrt();
    let difference = |share: f64| -400.0 * (1.0 / share.clamp(1e-6, 1.0 - 1e-6) - 1.0).log10();
    (difference(mean), (difference(mean + error) - difference(mean - error)) / 2.0)
}

/// What was played so far.
#[derive(Default)]
struct Standings {
    counts: [usize; 3],
    pairs: Vec<usize>,
    seen: Seen,
}

impl Standings {
    fn enter(&mut self, scores: [usize; 2], seen: &Seen, rounds: usize) {
        scores.into_iter().for_each(|score| self.counts[2 - score] += 1);
        self.pairs.push(scores.iter().sum());
        self.seen.moves += seen.moves;
        self.seen.nodes += seen.nodes;
        self.seen.tree += seen.tree;
        self.seen.line += seen.line;
        self.seen.separated += seen.separated;
        self.seen.took.iter_mut().zip(seen.took).for_each(|(sum, took)| sum.add(took));
        if self.pairs.len().is_multiple_of(10) || self.pairs.len() == rounds {
            self.tell();
        }
    }

    fn tell(&self) {
        let (difference, error) = elo(&self.pairs);
        let [wins, draws, losses] = self.counts;
        let mean = |sum: usize| sum as f64 / self.seen.moves.max(1) as f64;
        let both = |sum: fn(&Took) -> f64| self.seen.took.map(|took| sum(&took) / took.moves.max(1) as f64);
        let nodes = both(|took| took.nodes as f64);
        let time = both(|took| 1e3 * took.time.as_secs_f64());
        let depth = both(|took| took.depth as f64);
        println!(
            "{} games: +{wins} ={draws} -{losses}, Elo {difference:+.0} +- {error:.0}; nodes {:.0} and {:.0}, ms {:.2} and {:.2}, plies {:.2} and {:.2}; tree {:.0} nodes, line {:.1} plies, separated {:.0} %",
            2 * self.pairs.len(),
            nodes[0],
            nodes[1],
            time[0],
            time[1],
            depth[0],
            depth[1],
            mean(self.seen.tree),
            mean(self.seen.line),
            100.0 * mean(self.seen.separated)
        );
    }
}

/// The standings as `scripts/report.py` reads them: a file of `docs/results`.
fn result(words: &Words, described: [&str; 2], standings: &Standings) -> Result<String, String> {
    let [wins, draws, losses] = standings.counts;
    let pairs = [0, 1, 2, 3, 4].map(|score| standings.pairs.iter().filter(|&&pair| pair == score).count());
    let Seen { moves, nodes, tree, line, separated, .. } = standings.seen;
    let own = words.text("--nodes", NODES);
    let other = words.text("--second-nodes", own);
    let limit = if own == other { in_words(own) } else { format!("{} / {}", in_words(own), in_words(other)) };
    let [name, label, date] = ["--name", "--label", "--date"].map(|word| words.text(word, ""));
    let (first, second) = (members(described[0])?, members(described[1])?);
    Ok(format!(
        r#"{{
 "name": {name:?}, "label": {label:?}, "date": {date:?}, "limit": "{limit}",
 "first": {{{first}}}, "second": {{{second}}},
 "games": {games}, "wins": {wins}, "draws": {draws}, "losses": {losses}, "pairs": {pairs:?},
 "stats": [{{
  "moves": {moves}, "nodes": {nodes}, "node_moves": {moves},
  "ended_moves": {moves}, "tree_nodes": {tree}, "graph_moves": {moves}, "line_plies": {line},
  "root_moves": {moves}, "separated": {separated}
 }}, {{}}],
 "faults": [0, 0]
}}
"#,
        games = wins + draws + losses,
    ))
}

/// What a side may take for a move, from what was given for it.
fn in_words(pace: &str) -> String {
    pace.strip_prefix('d').map_or_else(|| format!("{pace} nodes"), |plies| format!("{plies} plies"))
}

/// The options of a described side as members of an object.
fn members(described: &str) -> Result<String, String> {
    let named = settings(described)?;
    Ok(named.iter().map(|(name, value)| format!("{name:?}: {value:?}")).collect::<Vec<_>>().join(", "))
}

/// `yes` or `no`.
fn is_wanted(words: &Words, name: &str) -> Result<bool, String> {
    match words.text(name, "no") {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("{name}: {other:?} is neither yes nor no")),
    }
}

fn main() -> Result<(), String> {
    let words = Words::given(&[
        "--games",
        "--nodes",
        "--second-nodes",
        "--hash",
        "--first",
        "--second",
        "--skip",
        "--threads",
        "--adjudicate",
        "--forget",
        "--result",
        "--name",
        "--label",
        "--date",
    ])?;
    let openings = openings(words.file()?)?;
    let (hash, nodes) = (words.text("--hash", "16"), words.text("--nodes", NODES));
    let terms = Terms {
        paces: [Pace::read(nodes)?, Pace::read(words.text("--second-nodes", nodes))?],
        adjudicated: is_wanted(&words, "--adjudicate")?,
        forgetful: is_wanted(&words, "--forget")?,
    };
    let rounds = words.number("--games", "100")?.div_ceil(2) as usize;
    let skip = words.number("--skip", "0")? as usize;
    let described = [words.text("--first", "Settled/Learned"), words.text("--second", "twin")];
    let threads = words.number("--threads", "1")?.clamp(1, 512);
    let (next, standings) = (AtomicUsize::new(0), Mutex::new(Standings::default()));
    let player = || -> Result<(), String> {
        let [first, second] = described;
        let mut sides = [Side::new(first, hash)?, Side::new(second, hash)?];
        loop {
            let round = next.fetch_add(1, Ordering::Relaxed);
            if round >= rounds {
                return Ok(());
            }
            let mut seen = Seen::default();
            let opening = &openings[(skip + round) % openings.len()];
            let scores = Color::ALL.map(|color| play(&mut sides, opening, color, terms, &mut seen));
            standings.lock().unwrap_or_else(PoisonError::into_inner).enter(scores, &seen, rounds);
        }
    };
    std::thread::scope(|scope| {
        let players: Vec<_> = (0..threads).map(|_| scope.spawn(player)).collect();
        let mut ends = players.into_iter().map(|player| player.join());
        ends.try_for_each(|end| end.map_err(|_| "a game has panicked".to_owned())?)
    })?;
    let standings = standings.into_inner().unwrap_or_else(PoisonError::into_inner);
    match words.text("--result", "") {
        "" => Ok(()),
        file => std::fs::write(file, result(&words, described, &standings)?)
            .map_err(|error| format!("{file}: {error}")),
    }
}

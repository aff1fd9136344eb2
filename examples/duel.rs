//! A fixed-node match in one process, B\* against its alpha-beta twin or any two settings: no clock, no pipes, the same
//! moves every time. For questions about the search; questions about time need a clocked match (`scripts/match.py`).
//!
//! ```text
//! cargo run --release --example duel -- scripts/openings.epd --games 200 --nodes 10000
//!     [--hash 16] [--first SIDE] [--second SIDE] [--skip N]
//! ```
//!
//! A side is `twin`, or `POLICY/MODEL` such as `Settled/Learned` (the default of the first side) or
//! `DisproveBest/NullMove`, or any options as `NAME=VALUE,NAME=VALUE`; in a laboratory build (`--features tuning`) the dials
//! of the search are options too. Each opening is played twice, with colours changed. Games end by the rules of chess, or as
//! a draw after 400 plies. Output: wins, draws and losses of the first side, the Elo difference with its 95 % interval over
//! pairs of games, and what B\* did: nodes of the tree below the root at the decision, stored plies of the principal line, and the
//! share of the decisions that were separated.

mod lab;

use cozy_chess::Color;
use lab::{Seen, Side, Words, openings, play};

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
    let words = Words::given(&["--games", "--nodes", "--hash", "--first", "--second", "--skip"])?;
    let openings = openings(words.file()?)?;
    let (hash, limit) = (words.text("--hash", "16"), words.number("--nodes", "10000")?);
    let rounds = words.number("--games", "100")?.div_ceil(2) as usize;
    let mut sides = [
        Side::new(words.text("--first", "Settled/Learned"), hash)?,
        Side::new(words.text("--second", "twin"), hash)?,
    ];
    let (mut counts, mut pairs, mut seen) = ([0; 3], Vec::new(), Seen::default());
    for opening in openings.iter().cycle().skip(words.number("--skip", "0")? as usize).take(rounds) {
        let mut pair = 0;
        for color in Color::ALL {
            let score = play(&mut sides, opening, color, limit, &mut seen);
            counts[2 - score] += 1;
            pair += score;
        }
        pairs.push(pair);
        if pairs.len() % 10 == 0 || pairs.len() == rounds {
            let (difference, error) = elo(&pairs);
            let [wins, draws, losses] = counts;
            let mean = |sum: usize| sum as f64 / seen.moves.max(1) as f64;
            println!(
                "{} games: +{wins} ={draws} -{losses}, Elo {difference:+.0} +- {error:.0}; tree {:.0} nodes, line {:.1} plies, separated {:.0} %",
                2 * pairs.len(),
                mean(seen.tree),
                mean(seen.line),
                100.0 * mean(seen.separated)
            );
        }
    }
    Ok(())
}

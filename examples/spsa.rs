//! Tunes dials of the search by SPSA (simultaneous perturbation stochastic approximation, Spall 1992), in one process, at fixed
//! nodes a move:
//!
//! ```text
//! cargo run --release --features tuning --target-dir target/tuning --example spsa -- scripts/openings.epd
//!     --dials FutilityBase,FutilityPly --state data/spsa.txt
//!     [--pairs 5000] [--nodes 3000] [--hash 4] [--base SIDE] [--seed 1]
//! ```
//!
//! In each step all dials are moved at once by their step, each to a random side, and a pair of games is played between
//! the engine moved so and the engine moved the other way; then each dial goes a little to the side that won. The
//! steps shrink as `1 / k^0.101`, the gains as `1 / (A + k)^0.602` with `A` a tenth of all steps (Spall 1998); a dial's step at the
//! end is a twentieth of its range, and its gain there 0.002 of that for a game won (what the Fishtest project uses). `--base` is what
//! both sides have in common, as in `examples/duel.rs`: `twin` tunes the probe by alpha-beta.
//!
//! The state is written after each ten pairs, and read when it is there: the same command goes on. What comes out is a
//! proposal; `examples/duel.rs` of the same build plays it against the defaults.

mod lab;

use cozy_chess::Color;
use lab::{Seen, Side, Terms, Words, openings, play, set};
use regulus::chess::dials::{Row, TURNABLE};
use regulus::engine::chance::Chance;
use std::fmt::Write as _;
use std::fs;

/// Spall's exponents, of the steps and of the gains.
const STEP_DECAY: f64 = 0.101;
const GAIN_DECAY: f64 = 0.602;
/// The gain at the end, in squared steps for each game won of a pair.
const LAST_GAIN: f64 = 0.002;
/// Steps in a dial's range, at the end.
const STEPS_IN_RANGE: f64 = 20.0;
/// Pairs between two writings of the state.
const PAIRS_A_WRITING: u64 = 10;

/// A dial on its way.
struct Turning {
    row: &'static Row,
    value: f64,
}

impl Turning {
    /// The dial's step after so much of the way, and its gain in units of the dial for each game won.
    fn step_and_gain(&self, pair: u64, pairs: u64) -> (f64, f64) {
        let (k, all) = (pair as f64 + 1.0, pairs as f64);
        let last = (f64::from(self.row.most - self.row.least) / STEPS_IN_RANGE).max(0.5);
        let delay = 0.1 * all;
        let step = last * (all / k).powf(STEP_DECAY);
        let gain = LAST_GAIN * last * last * ((all + delay) / (k + delay)).powf(GAIN_DECAY);
        (step, gain / step)
    }

    /// The nearest setting to a value; between two, by lot, so that small steps count too.
    fn setting(&self, value: f64, chance: &mut Chance) -> i32 {
        let lot = chance.below(1 << 20) as f64 / f64::from(1 << 20);
        ((value + lot).floor() as i32).clamp(self.row.least, self.row.most)
    }
}

fn find(name: &str) -> Result<Turning, String> {
    let row = TURNABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name));
    let row = row.ok_or_else(|| {
        let names: Vec<_> = TURNABLE.iter().map(|row| row.name).collect();
        format!("there is no dial {name:?}; there are {}", names.join(", "))
    })?;
    Ok(Turning { row, value: f64::from(row.default) })
}

/// Reads how far an earlier run came: `pairs N` and a line `NAME VALUE` for each dial. Without a file, nothing yet.
fn read_state(file: &str, dials: &mut [Turning]) -> Result<u64, String> {
    let Ok(text) = fs::read_to_string(file) else { return Ok(0) };
    let mut done = None;
    for line in text.lines() {
        let wrong = || format!("{file}: {line:?} does not fit the dials asked for");
        let (name, value) = line.split_once(' ').ok_or_else(wrong)?;
        if name == "pairs" {
            done = value.parse().ok();
        } else {
            let dial = dials.iter_mut().find(|dial| dial.row.name == name).ok_or_else(wrong)?;
            dial.value = value.parse().map_err(|_| wrong())?;
        }
    }
    done.ok_or_else(|| format!("{file}: it does not say how many pairs were played"))
}

fn write_state(file: &str, done: u64, dials: &[Turning]) -> Result<(), String> {
    let mut text = format!("pairs {done}\n");
    for dial in dials {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {:.4}", dial.row.name, dial.value);
    }
    let new = format!("{file}.new");
    fs::write(&new, &text)
        .and_then(|()| fs::rename(&new, file))
        .map_err(|error| format!("{file}: {error}"))?;
    let told: Vec<_> = dials.iter().map(|dial| format!("{}={:.1}", dial.row.name, dial.value)).collect();
    println!("{done} pairs: {}", told.join(" "));
    Ok(())
}

fn main() -> Result<(), String> {
    let words = Words::given(&["--dials", "--state", "--pairs", "--nodes", "--hash", "--base", "--seed"])?;
    let openings = openings(words.file()?)?;
    let mut dials: Vec<Turning> = words.text("--dials", "").split(',').map(find).collect::<Result<_, _>>()?;
    let (file, base) = (words.text("--state", "spsa.txt"), words.text("--base", ""));
    let (pairs, nodes, seed) =
        (words.number("--pairs", "5000")?, words.number("--nodes", "3000")?, words.number("--seed", "1")?);
    let hash = words.text("--hash", "4");
    let mut sides = [Side::new(base, hash)?, Side::new(base, hash)?];
    let done = read_state(file, &mut dials)?;
    for pair in done..pairs {
        let mut chance = Chance::of_game(seed, pair);
        let directions: Vec<f64> =
            dials.iter().map(|_| if chance.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        for (dial, direction) in dials.iter().zip(&directions) {
            let (step, _) = dial.step_and_gain(pair, pairs);
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                let setting = dial.setting(dial.value + sign * direction * step, &mut chance);
                set(&mut side.options, dial.row.name, &setting.to_string())?;
            }
        }
        let opening = &openings[chance.below(openings.len() as u64) as usize];
        let terms = Terms { nodes: [nodes; 2], adjudicated: false, forgetful: false };
        let scores = Color::ALL.map(|color| play(&mut sides, opening, color, terms, &mut Seen::default()));
        // Games won less games lost, from -2 to 2.
        let won = scores.iter().sum::<usize>() as f64 - 2.0;
        for (dial, direction) in dials.iter_mut().zip(&directions) {
            let (_, gain) = dial.step_and_gain(pair, pairs);
            let (least, most) = (f64::from(dial.row.least), f64::from(dial.row.most));
            dial.value = (dial.value + gain * won * direction).clamp(least, most);
        }
        if (pair + 1) % PAIRS_A_WRITING == 0 || pair + 1 == pairs {
            write_state(file, pair + 1, &dials)?;
        }
    }
    Ok(())
}

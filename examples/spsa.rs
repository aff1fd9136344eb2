//! Tunes dials of the search by SPSA (simultaneous perturbation stochastic approximation, Spall 1992), in one process, at fixed
//! nodes a move or on a clock of nodes:
//!
//! ```text
//! cargo run --release --features tuning --target-dir target/tuning --example spsa -- scripts/openings.epd
//!     --dials FutilityBase,FutilityPly --state data/spsa.txt
//!     [--pairs 5000] [--nodes 3000] [--hash 4] [--base SIDE] [--seed 1] [--steps 20] [--gain 2]
//! ```
//!
//! In each step all dials are moved at once by their step, each to a random side, and a pair of games is played between
//! the engine moved so and the engine moved the other way; then each dial goes a little to the side that won. The
//! steps shrink as `1 / k^0.101`, the gains as `1 / (A + k)^0.602` with `A` a tenth of all steps (Spall 1998); a dial's step at the
//! end is one of `--steps` in its range, and its gain there `--gain` thousandths of that for a game won. The defaults are what the Fishtest project
//! uses for some 30,000 games; a few thousand want larger steps and gains (8 and 10). `--base` is what both sides have in common, and `--nodes` how
//! long they may think, as in `examples/duel.rs`: `twin` tunes the probe by alpha-beta, and the dials of time need a clock.
//!
//! The state is written after each ten pairs, and read when it is there: the same command goes on. What comes out is a
//! proposal; `examples/duel.rs` of the same build plays it against the defaults.

mod lab;

use cozy_chess::Color;
use lab::{Pace, Seen, Side, Terms, Words, openings, play, set};
use regulus::chess::dials::{Row, TURNABLE};
use regulus::engine::chance::Chance;
use std::fmt::Write as _;
use std::fs;

/// Spall's exponents, of the steps and of the gains.
const STEP_DECAY: f64 = 0.101;
const GAIN_DECAY: f64 = 0.602;
/// Pairs between two writings of the state.
const PAIRS_A_WRITING: u64 = 10;

/// Where the steps end.
#[derive(Clone, Copy)]
struct Last {
    /// Steps in a dial's range.
    steps: f64,
    /// The gain, in squared steps for each game won of a pair.
    gain: f64,
}

/// A dial on its way.
struct Turning {
    row: &'static Row,
    value: f64,
}

impl Turning {
    /// The dial's step after so much of the way, and its gain in units of the dial for each game won.
    fn step_and_gain(&self, pair: u64, pairs: u64, last: Last) -> (f64, f64) {
        let (k, all) = (pair as f64 + 1.0, pairs as f64);
        let size = (f64::from(self.row.most - self.row.least) / last.steps).max(0.5);
        let delay = 0.1 * all;
        let step = size * (all / k).powf(STEP_DECAY);
        let gain = last.gain * size * size * ((all + delay) / (k + delay)).powf(GAIN_DECAY);
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
    let words = Words::given(&[
        "--dials", "--state", "--pairs", "--nodes", "--hash", "--base", "--seed", "--steps", "--gain",
    ])?;
    let openings = openings(words.file()?)?;
    let mut dials: Vec<Turning> = words.text("--dials", "").split(',').map(find).collect::<Result<_, _>>()?;
    let (file, base) = (words.text("--state", "spsa.txt"), words.text("--base", ""));
    let (pairs, seed) = (words.number("--pairs", "5000")?, words.number("--seed", "1")?);
    let pace = Pace::read(words.text("--nodes", "3000"))?;
    let last = Last {
        steps: words.number("--steps", "20")? as f64,
        gain: words.number("--gain", "2")? as f64 / 1000.0,
    };
    let hash = words.text("--hash", "4");
    let mut sides = [Side::new(base, hash)?, Side::new(base, hash)?];
    let done = read_state(file, &mut dials)?;
    for pair in done..pairs {
        let mut chance = Chance::of_game(seed, pair);
        let directions: Vec<f64> =
            dials.iter().map(|_| if chance.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        for (dial, direction) in dials.iter().zip(&directions) {
            let (step, _) = dial.step_and_gain(pair, pairs, last);
            for (side, sign) in sides.iter_mut().zip([1.0, -1.0]) {
                let setting = dial.setting(dial.value + sign * direction * step, &mut chance);
                set(&mut side.options, dial.row.name, &setting.to_string())?;
            }
        }
        let opening = &openings[chance.below(openings.len() as u64) as usize];
        let terms = Terms { paces: [pace; 2], adjudicated: true, forgetful: false };
        let scores = Color::ALL.map(|color| play(&mut sides, opening, color, terms, &mut Seen::default()));
        // Games won less games lost, from -2 to 2.
        let won = scores.iter().sum::<usize>() as f64 - 2.0;
        for (dial, direction) in dials.iter_mut().zip(&directions) {
            let (_, gain) = dial.step_and_gain(pair, pairs, last);
            let (least, most) = (f64::from(dial.row.least), f64::from(dial.row.most));
            dial.value = (dial.value + gain * won * direction).clamp(least, most);
        }
        if (pair + 1) % PAIRS_A_WRITING == 0 || pair + 1 == pairs {
            write_state(file, pair + 1, &dials)?;
        }
    }
    Ok(())
}

//! What was measured, as a table and as a picture.

use super::SATURATION;
use cozy_chess::{Board, Piece};
use std::fmt::Write;

/// One position's interval and truth, in centipawns from its side to move, saturated at [`SATURATION`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The count of pieces that tells the phase: knight and bishop 1, rook 2, queen 4.
    phase: u32,
    lower: i32,
    upper: i32,
    truth: i32,
}

impl Sample {
    /// A position's interval and truth.
    pub fn new(board: &Board, lower: i32, upper: i32, truth: i32) -> Self {
        let weights = [(Piece::Knight, 1), (Piece::Bishop, 1), (Piece::Rook, 2), (Piece::Queen, 4)];
        let phase = weights.iter().map(|(piece, weight)| board.pieces(*piece).len() * weight).sum();
        let [lower, upper, truth] = [lower, upper, truth].map(|value| value.clamp(-SATURATION, SATURATION));
        Self { phase, lower, upper, truth }
    }

    fn width(&self) -> i32 {
        self.upper - self.lower
    }
}

/// A group's share of truths inside, below and above, and its mean width.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
struct Summary {
    count: usize,
    inside: f64,
    below: f64,
    above: f64,
    width: f64,
}

impl Summary {
    fn of<'a>(samples: impl Iterator<Item = &'a Sample>) -> Self {
        let mut sum = Self::default();
        for sample in samples {
            sum.count += 1;
            sum.below += f64::from(sample.truth < sample.lower);
            sum.above += f64::from(sample.truth > sample.upper);
            sum.width += f64::from(sample.width());
        }
        let count = sum.count.max(1) as f64;
        let (below, above) = (sum.below / count, sum.above / count);
        Self { count: sum.count, inside: 1.0 - below - above, below, above, width: sum.width / count }
    }
}

/// The groups with their names: all, the phases, the fifths by width.
fn groups(samples: &[Sample]) -> Vec<(String, Summary)> {
    let phase = |from: u32, to: u32| Summary::of(samples.iter().filter(|s| (from..=to).contains(&s.phase)));
    let mut groups = vec![
        ("all".to_owned(), Summary::of(samples.iter())),
        ("endgame".to_owned(), phase(0, 8)),
        ("middlegame".to_owned(), phase(9, 19)),
        ("opening".to_owned(), phase(20, u32::MAX)),
    ];
    let mut sorted = samples.to_vec();
    sorted.sort_by_key(Sample::width);
    for fifth in 0..5 {
        let part = sorted
            .iter()
            .skip(sorted.len() * fifth / 5)
            .take(sorted.len() * (fifth + 1) / 5 - sorted.len() * fifth / 5);
        groups.push((format!("fifth {} by width", fifth + 1), Summary::of(part)));
    }
    groups
}

/// The table, in Markdown.
pub fn table(samples: &[Sample]) -> String {
    let mut text =
        String::from("| | positions | inside | below | above | mean width |\n|---|---|---|---|---|---|\n");
    for (name, group) in groups(samples) {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {:.0} |",
            group.count,
            percent(group.inside),
            percent(group.below),
            percent(group.above),
            group.width
        );
    }
    text
}

/// Pixels of the picture's bars.
const BAR: f64 = 44.0;
const GAP: f64 = 16.0;
const HEIGHT: f64 = 200.0;
const TOP: f64 = 40.0;

/// A picture in SVG: for each group the share inside (with the nominal 80 %) and the mean width.
pub fn picture(samples: &[Sample], title: &str) -> String {
    let groups = groups(samples);
    let across = groups.len() as f64 * (BAR + GAP) + GAP;
    let widest = groups.iter().map(|(_, group)| group.width).fold(1.0, f64::max);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across:.0}\" height=\"{:.0}\" font-family=\"sans-serif\" \
         font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{GAP}\" y=\"18\" \
         font-size=\"13\">{}</text>\n",
        2.0 * (TOP + HEIGHT) + 40.0,
        escaped(title)
    );
    let share = |group: &Summary| (group.inside, format!("{:.1} %", 100.0 * group.inside));
    bars(&mut svg, TOP, "share inside", &groups, share);
    let nominal = TOP + HEIGHT * 0.2;
    let _ = writeln!(
        svg,
        "<line x1=\"0\" x2=\"{across:.0}\" y1=\"{nominal}\" y2=\"{nominal}\" stroke=\"black\"/>"
    );
    let width = |group: &Summary| (group.width / widest, format!("{:.0}", group.width));
    bars(&mut svg, 2.0 * TOP + HEIGHT, "mean width, centipawns", &groups, width);
    svg + "</svg>\n"
}

/// One row of bars. `value` is a share of the height, and what stands at the bar.
fn bars(
    svg: &mut String,
    top: f64,
    name: &str,
    groups: &[(String, Summary)],
    value: impl Fn(&Summary) -> (f64, String),
) {
    let _ = writeln!(svg, "<text x=\"{GAP}\" y=\"{:.0}\">{name}</text>", top - 8.0);
    for (index, (group, summary)) in groups.iter().enumerate() {
        let (share, told) = value(summary);
        let (x, height) = (GAP + index as f64 * (BAR + GAP), HEIGHT * share);
        let y = top + HEIGHT - height;
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.0}\" y=\"{y:.1}\" width=\"{BAR}\" height=\"{height:.1}\" fill=\"#6a9fd4\"/>\n\
             <text x=\"{x:.0}\" y=\"{:.1}\">{told}</text>\n<text x=\"{x:.0}\" y=\"{:.0}\">{}</text>",
            y - 3.0,
            top + HEIGHT + 12.0,
            group.trim_end_matches(" by width")
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

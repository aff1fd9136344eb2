//! The rules of the selective search, each with its unit: the usual forms at usual sizes for an evaluation on which a pawn is
//! about 100. The numbers that a laboratory turns are [dials](crate::chess::dials).

use crate::chess::dials::Dial;

/// Longest line from a probe's root, in plies.
pub const MAX_PLY: usize = 128;

/// Reverse futility: a node this many plies deep at most ...
pub const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// Razoring.
pub const RAZOR_DEPTH: i32 = 3;
/// The least depth at which a pass is tried.
pub const NULL_MOVE_DEPTH: i32 = 2;
/// From this depth a pass that failed high is verified by a search without passing.
pub const NULL_MOVE_VERIFY_DEPTH: i32 = 12;
/// ProbCut: the least depth, and centipawns above beta that a shallow search must confirm.
pub const PROBCUT_DEPTH: i32 = 5;
/// See [`PROBCUT_DEPTH`].
pub const PROBCUT_MARGIN: i32 = 190;
/// How many plies less the confirming search goes.
pub const PROBCUT_REDUCTION: i32 = 4;
/// Internal iterative reduction: one ply less where no move is known, from this depth.
pub const IIR_DEPTH: i32 = 4;
/// Singular extension: the least depth.
pub const SINGULAR_DEPTH: i32 = 7;
/// The table's entry may be this many plies shallower.
pub const SINGULAR_ENTRY_LAG: i32 = 3;
/// Extended by two where all others fail low by this many centipawns more.
pub const DOUBLE_EXTENSION_MARGIN: i32 = 22;
/// Extended by two at most so many times on a line.
pub const MOST_DOUBLE_EXTENSIONS: u8 = 6;
/// The greatest depth at which quiet moves are judged by their record.
pub const HISTORY_DEPTH: i32 = 4;
/// The greatest reduced depth at which quiet moves are judged by futility.
pub const FUTILITY_DEPTH: i32 = 8;
/// The greatest depth at which captures and quiet moves are judged by exchange.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Quiescence: centipawns that a capture may win beyond the victim.
pub const DELTA: i32 = 160;

/// Centipawns above beta at which a node is believed to fail high without a search.
pub fn reverse_futility(depth: i32, improving: bool) -> i32 {
    let relief = if improving { Dial::ReverseFutilityImproving.get() } else { 0 };
    Dial::ReverseFutilityPly.get() * depth - relief
}

/// Centipawns below alpha at which only captures are looked at.
pub fn razoring(depth: i32) -> i32 {
    Dial::RazorBase.get() + Dial::RazorPly.get() * depth
}

/// Centipawns by which the static value must be above beta before a pass is tried; deep in the tree it may be below.
pub fn null_move_margin(depth: i32) -> i32 {
    Dial::NullMoveBase.get() - Dial::NullMovePly.get() * depth
}

/// Plies that a pass takes off the depth.
pub fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    3 + depth / 3 + (above_beta / Dial::NullMoveSlope.get()).min(3)
}

/// Singular extension: centipawns below the table's value that all other moves must stay.
pub fn singular_margin(depth: i32) -> i32 {
    Dial::SingularPly.get() * depth / 8
}

/// The ply up to which lines are extended in a search of this root depth, so that no line outgrows its question.
pub fn extension_horizon(root_depth: usize) -> usize {
    2 * root_depth + 4
}

/// Quiet moves looked at before the rest is skipped.
pub fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = 4 + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// Centipawns that a quiet move may win at this reduced depth.
pub fn futility(reduced_depth: i32) -> i32 {
    Dial::FutilityBase.get() + Dial::FutilityPly.get() * reduced_depth
}

/// The exchange value in centipawns that a quiet move must keep.
pub fn quiet_exchange(reduced_depth: i32) -> i32 {
    -Dial::QuietExchange.get() * reduced_depth * reduced_depth
}

/// The exchange value in centipawns that a capture must keep.
pub fn noisy_exchange(depth: i32) -> i32 {
    -Dial::NoisyExchange.get() * depth
}

/// The record below which a quiet move is skipped; each ply asks less.
pub fn history_floor(depth: i32) -> i32 {
    -Dial::HistoryFloor.get() * depth
}

/// The credit of a refutation.
pub fn history_bonus(depth: i32) -> i32 {
    (170 * depth - 60).min(1_800)
}

/// The debit of a move tried in vain before it.
pub fn history_malus(depth: i32) -> i32 {
    (180 * depth - 30).min(1_500)
}

/// One ply in the unit of reductions.
pub const PLY: i32 = 1_024;

/// The natural logarithms of 0 (taken as 0) to 63 in 2^-20ths: written out, since a library's logarithm may differ in the
/// last bit from one machine to the next, and the search with it.
#[rustfmt::skip]
const LOGARITHMS: [i64; 64] = [
    0, 0, 726_817, 1_151_978, 1_453_635, 1_687_618, 1_878_796, 2_040_435, 2_180_452, 2_303_957, 2_414_435, 2_514_375,
    2_605_613, 2_689_544, 2_767_252, 2_839_596, 2_907_270, 2_970_840, 3_030_774, 3_087_468, 3_141_253, 3_192_413,
    3_241_193, 3_287_804, 3_332_431, 3_375_236, 3_416_362, 3_455_935, 3_494_070, 3_530_866, 3_566_414, 3_600_797,
    3_634_087, 3_666_354, 3_697_657, 3_728_053, 3_757_592, 3_786_322, 3_814_286, 3_841_523, 3_868_070, 3_893_963,
    3_919_231, 3_943_904, 3_968_010, 3_991_575, 4_014_621, 4_037_172, 4_059_248, 4_080_869, 4_102_053, 4_122_818,
    4_143_179, 4_163_153, 4_182_753, 4_201_993, 4_220_887, 4_239_447, 4_257_683, 4_275_608, 4_293_231, 4_310_564,
    4_327_614, 4_344_392,
];

/// 0.8 + a * b / 2.2 plies in the unit of reductions, rounded down: 1,024 * (44 + 25 * a * b) / 55.
fn first_reduction(depth: usize, number: usize) -> i32 {
    // Fractional bits of a product of two logarithms; it stays below 2^45 and all below 2^60.
    const SCALE: i64 = 1 << 40;
    let product = LOGARITHMS[depth] * LOGARITHMS[number];
    ((1_024 * (44 * SCALE + 25 * product)) / (55 * SCALE)) as i32
}

/// Late-move reductions in 1,024ths of a ply, by depth and move number: 0.8 + ln(depth) * ln(number) / 2.2.
pub struct Reductions(Box<[[i32; 64]; 64]>);

impl Default for Reductions {
    fn default() -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = first_reduction(depth, number);
            }
        }
        Self(table)
    }
}

impl Reductions {
    /// The reduction of the `number`th move (from 1).
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        self.0[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

/// 1,024ths of a ply by which moves are reduced less on a principal line.
const LINE_RELIEF: i32 = 900;

/// What bears on a late move's reduction besides depth and number.
pub struct Lateness {
    /// A capture or a promotion: half the reduction.
    pub noisy: bool,
    /// Its history: as a capture or as a quiet move.
    pub record: i32,
    /// A quiet move that refuted a sibling.
    pub killer: bool,
    /// A refutation is expected at the node.
    pub cut: bool,
    /// The side to move is better off than two plies before.
    pub improving: bool,
    /// The node was on a principal line.
    pub on_line: bool,
    /// It gives check.
    pub check: bool,
}

/// Plies by which a late move's first search is shallower, from the table's reduction (1,024ths of a ply); negative is
/// deeper.
pub fn late_reduction(first: i32, late: &Lateness) -> i32 {
    let when = |holds: bool, size: i32| if holds { size } else { 0 };
    let reduction = if late.noisy { first / 2 } else { first }
        - late.record / Dial::HistoryUnits.get()
        - when(late.killer, Dial::KillerRelief.get())
        + when(late.cut, Dial::CutBurden.get())
        + when(!late.improving, Dial::DeclineBurden.get())
        - when(late.on_line, LINE_RELIEF)
        - when(late.check, Dial::CheckRelief.get());
    reduction.div_euclid(PLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::default();
        assert_eq!(reductions.get(0, 5), 0);
        assert!(reductions.get(3, 4) < reductions.get(10, 4));
        assert!(reductions.get(10, 4) < reductions.get(10, 40));
        assert_eq!(reductions.get(200, 300), reductions.get(63, 63));
        assert!((2_000..6_500).contains(&reductions.get(12, 20)));
    }
    #[test]
    fn reductions_are_the_formula_rounded_down() {
        let reductions = Reductions::default();
        for depth in 1..64_u8 {
            for number in 1..64_u8 {
                let plies = 0.8 + f64::from(depth).ln() * f64::from(number).ln() / 2.2;
                let error = plies * 1_024.0 - f64::from(reductions.get(depth.into(), number.into()));
                assert!((-0.01..1.01).contains(&error), "{depth} {number}");
            }
        }
    }
}

//! The rules of the selective search, each with its unit: the usual forms. Their numbers are [dials](crate::chess::dials), which a
//! laboratory turns; what stands here decides where a rule holds at all.

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
/// ProbCut: the least depth.
pub const PROBCUT_DEPTH: i32 = 5;
/// How many plies less the confirming search goes.
pub const PROBCUT_REDUCTION: i32 = 4;
/// Internal iterative reduction: one ply less where no move is known, from this depth.
pub const IIR_DEPTH: i32 = 4;
/// Singular extension: the least depth.
pub const SINGULAR_DEPTH: i32 = 7;
/// The table's entry may be this many plies shallower.
pub const SINGULAR_ENTRY_LAG: i32 = 3;
/// Extended by two at most so many times on a line.
pub const MOST_DOUBLE_EXTENSIONS: u8 = 6;
/// The greatest depth at which quiet moves are judged by their record.
pub const HISTORY_DEPTH: i32 = 4;
/// The greatest reduced depth at which quiet moves are judged by futility.
pub const FUTILITY_DEPTH: i32 = 8;
/// The greatest depth at which captures and quiet moves are judged by exchange.
pub const EXCHANGE_DEPTH: i32 = 8;

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
    let count = Dial::LateMoveBase.get() + Dial::LateMoveSquare.get() * depth * depth / 64;
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
    (Dial::HistoryBonus.get() * depth - 60).min(1_800)
}

/// The debit of a move tried in vain before it.
pub fn history_malus(depth: i32) -> i32 {
    (Dial::HistoryMalus.get() * depth - 30).min(1_500)
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

/// The product of the logarithms of both in 1,024ths, rounded down.
fn lateness(depth: usize, number: usize) -> i32 {
    ((LOGARITHMS[depth] * LOGARITHMS[number]) >> 30) as i32
}

/// How much later than the first ones a move comes, by depth and number: the product of their logarithms.
pub struct Reductions(Box<[[i32; 64]; 64]>);

impl Default for Reductions {
    fn default() -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = lateness(depth, number);
            }
        }
        Self(table)
    }
}

impl Reductions {
    /// The reduction of the `number`th move (from 1), in 1,024ths of a ply: [a base](Dial::ReductionBase), and more for how late it comes.
    pub fn get(&self, depth: i32, number: usize) -> i32 {
        let product = self.0[depth.clamp(0, 63) as usize][number.min(63)];
        Dial::ReductionBase.get() + Dial::ReductionSlope.get() * product / 1_024
    }
}

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
    /// 1,024ths of a ply less for where the node stands: on a principal line, in B\*'s tree, at its root; elsewhere 0.
    pub relief: i32,
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
        - late.relief
        - when(late.check, Dial::CheckRelief.get());
    reduction.div_euclid(PLY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::default();
        assert_eq!(reductions.get(1, 5), Dial::ReductionBase.get(), "the logarithm of 1 is 0");
        assert!(reductions.get(3, 4) < reductions.get(10, 4));
        assert!(reductions.get(10, 4) < reductions.get(10, 40));
        assert_eq!(reductions.get(200, 300), reductions.get(63, 63));
        assert!((2_000..6_500).contains(&reductions.get(12, 20)));
    }

    #[test]
    fn lateness_is_the_product_of_logarithms_rounded_down() {
        for depth in 1..64_u8 {
            for number in 1..64_u8 {
                let product = f64::from(depth).ln() * f64::from(number).ln();
                let error = product * 1_024.0 - f64::from(lateness(depth.into(), number.into()));
                assert!((-0.01..1.01).contains(&error), "{depth} {number}");
            }
        }
    }
}

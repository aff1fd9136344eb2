//! The dials of the selective search, each with its unit. They are the usual forms at usual sizes for an evaluation on
//! which a pawn is about 100; a dial that a match has set says so.

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
/// The greatest reduced depth at which quiet moves are judged by futility.
pub const FUTILITY_DEPTH: i32 = 8;
/// The greatest depth at which captures and quiet moves are judged by exchange.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Quiescence: centipawns that a capture may win beyond the victim.
pub const DELTA: i32 = 160;

/// Centipawns above beta at which a node is believed to fail high without a search.
pub fn reverse_futility(depth: i32, improving: bool) -> i32 {
    78 * depth - if improving { 70 } else { 0 }
}

/// Centipawns below alpha at which only captures are looked at.
pub fn razoring(depth: i32) -> i32 {
    240 + 180 * depth
}

/// Plies that a pass takes off the depth.
pub fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    3 + depth / 3 + (above_beta / 180).min(3)
}

/// Quiet moves looked at before the rest is skipped.
pub fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = 4 + depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// Centipawns that a quiet move may win at this reduced depth.
pub fn futility(reduced_depth: i32) -> i32 {
    110 + 85 * reduced_depth
}

/// The exchange value in centipawns that a quiet move must keep.
pub fn quiet_exchange(reduced_depth: i32) -> i32 {
    -26 * reduced_depth * reduced_depth
}

/// The exchange value in centipawns that a capture must keep.
pub fn noisy_exchange(depth: i32) -> i32 {
    -95 * depth
}

/// The record below which a quiet move is skipped; each ply asks less.
pub fn history_floor(depth: i32) -> i32 {
    -4_000 * depth
}

/// The credit of a refutation.
pub fn history_bonus(depth: i32) -> i32 {
    (170 * depth - 60).min(1_800)
}

/// The debit of a move tried in vain before it.
pub fn history_malus(depth: i32) -> i32 {
    (180 * depth - 30).min(1_500)
}

/// Late-move reductions in 1,024ths of a ply, by depth and move number: 0.8 + ln(depth) * ln(number) / 2.2.
pub struct Reductions(Box<[[i32; 64]; 64]>);

impl Default for Reductions {
    fn default() -> Self {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                let plies = 0.8 + (depth as f64).ln() * (number as f64).ln() / 2.2;
                *reduction = (plies * 1024.0) as i32;
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

/// 1,024ths of a ply, rounded down to plies.
pub fn whole_plies(reduction: i32) -> i32 {
    reduction.div_euclid(1024)
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
}

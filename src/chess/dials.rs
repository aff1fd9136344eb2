//! The numbers of search and clock that a laboratory turns: one table, with a default and a range each.
//!
//! In the usual build a dial *is* its default, a constant to the compiler. Built with cargo's feature `tuning`, each is a UCI
//! option of the same name, and [`Values::install`] sets those of the thread that searches. `examples/spsa.rs` tunes them; what is
//! found becomes the new default, with the match that chose it.

/// A number of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dial {
    /// Reverse futility: centipawns above beta for each ply of depth.
    ReverseFutilityPly,
    /// Reverse futility: centipawns less where the side to move is better off than two plies before.
    ReverseFutilityImproving,
    /// Razoring: centipawns below alpha.
    RazorBase,
    /// Razoring: centipawns more for each ply of depth.
    RazorPly,
    /// Null move: centipawns above beta that the static value must be.
    NullMoveBase,
    /// Null move: centipawns less for each ply of depth.
    NullMovePly,
    /// Null move: centipawns above beta for one ply more of reduction.
    NullMoveSlope,
    /// Singular extension: eighths of a centipawn below the table's value for each ply of depth.
    SingularPly,
    /// Futility: centipawns that a quiet move may win.
    FutilityBase,
    /// Futility: centipawns more for each ply of reduced depth.
    FutilityPly,
    /// Exchange pruning of quiet moves: centipawns for each squared ply of reduced depth.
    QuietExchange,
    /// Exchange pruning of captures: centipawns for each ply of depth.
    NoisyExchange,
    /// History pruning: the record for each ply of depth below which a quiet move is skipped.
    HistoryFloor,
    /// Late-move reductions: history units for one 1,024th of a ply.
    HistoryUnits,
    /// Late-move reductions: 1,024ths of a ply less for a killer.
    KillerRelief,
    /// Late-move reductions: 1,024ths of a ply more where a refutation is expected.
    CutBurden,
    /// Late-move reductions: 1,024ths of a ply more where the side to move is not better off than two plies before.
    DeclineBurden,
    /// Late-move reductions: 1,024ths of a ply less for a checking move.
    CheckRelief,
    /// Late-move reductions: 1,024ths of a ply, for every late move.
    ReductionBase,
    /// Late-move reductions: 1,024ths of a ply more for the product 1 of the logarithms of depth and move number.
    ReductionSlope,
    /// Late-move reductions: 1,024ths of a ply less on a principal line.
    LineRelief,
    /// Late-move reductions, B\*: the same at the nodes of the tree below its root.
    TreeRelief,
    /// Late-move reductions, B\*: the same at its root.
    RootRelief,
    /// Late-move pruning: quiet moves looked at before the rest is skipped.
    LateMoveBase,
    /// Late-move pruning: 64ths of a move more for each squared ply of depth.
    LateMoveSquare,
    /// The histories: the credit of a refutation for each ply of depth.
    HistoryBonus,
    /// The histories: the debit of a move tried in vain before it, for each ply of depth.
    HistoryMalus,
    /// ProbCut: centipawns above beta that a shallow search must confirm.
    ProbCutMargin,
    /// Quiescence: centipawns that a capture may win beyond the victim.
    Delta,
    /// Singular extension: by two where all others fail low by this many centipawns more.
    DoubleMargin,
    /// Correction history: 128ths of what the search has learned that count.
    CorrectionWeight,
    /// Centipawns: half of the first window around the value that the root is expected to have. Each miss widens it by half and a
    /// little, and moves it to the side of the miss.
    Aspiration,
    /// B\*: plies of effort from which a node of the principal line is replaced by its successors; 127 keeps the tree at its
    /// root. In 37 ms a move along games (docs/strength.md, "Depth in the time of a move") 8 and 6 reach 0.15 plies more than 10, and 12 reaches
    /// 0.24 less. At 25,000 nodes a move 8 gives a tree of 327 nodes and a line of 5.4 plies at the decision.
    ///
    /// By games no difference was ever found. At 17,000 nodes a move against the twin (400 games each, 2026-11-30): 8 plies +23 +- 29 Elo, 10 plies +9
    /// +- 25, root moves only +10 +- 27. When nodes that had left the principal line were still asked by their successors, at 12,000
    /// nodes: 8 plies +20 +- 25, 10 plies -35 +- 34.
    GrowsFrom,
    /// Time: moves to plan for when nobody tells. What is left of a game, seen from anywhere in it, is rarely more than 30 to 40 moves.
    ///
    /// This and the following were tuned together for B\* by `examples/spsa.rs` (1,530 pairs of games on a clock of nodes, `--nodes
    /// 3000+30@120`, `--steps 8 --gain 10`, 2026-11-30), which left the horizon where it was. With what came out, on the
    /// same clock against the numbers before (stretch 40, scale 75, share 100, stability 100; overlap 50, moves 40): B\* 507-540-453 = +13 +- 14
    /// Elo (1,500 games), the twin 328-372-300 = +10 +- 16 (1,000).
    TimeHorizon,
    /// Time: the hard budget, in tenths of soft ones: room for a deepening that has begun, and for a change of mind.
    TimeStretch,
    /// Time: percent of the soft budget after which a usual move begins no deepening. A deepening costs about as much as all before it.
    TimeScale,
    /// Time: percent by which it is less for a best move that took all the work than for one that took none.
    TimeShare,
    /// Time: percent by which the stability of the best move counts (the exponent of its factor).
    TimeStability,
    /// Time, B\*: percent by which the overlap of the root's intervals counts (the exponent).
    TimeOverlap,
    /// Time, B\*: percent by which the number of root moves counts (the exponent).
    TimeMoves,
}

/// What a dial may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which.
    pub dial: Dial,
    /// Its name, as an option too.
    pub name: &'static str,
    /// What the usual build has.
    pub default: i32,
    /// The least that makes sense, 0 or more.
    pub least: i32,
    /// The greatest that makes sense.
    pub most: i32,
}

const fn row(dial: Dial, name: &'static str, default: i32, least: i32, most: i32) -> Row {
    assert!(0 <= least && least <= default && default <= most);
    Row { dial, name, default, least, most }
}

/// All dials, in the order of the enumeration.
///
/// Those of the search, down to the aspiration window, began at the usual sizes for an evaluation on which a pawn is about 100, and were
/// tuned for B\* by `examples/spsa.rs` on a clock of nodes (`--nodes 3000+30@120 --hash 4 --steps 8 --gain 10`, both sides with
/// `GrowsFrom=7`, which gives these short searches a tree like that of longer ones; 2026-11-30), reductions and pruning in two runs
/// side by side: 980 and 1,020 pairs, then 730 and 700 from what came out. By `examples/duel.rs` on that clock, B\* with the numbers of the
/// first round against those before: 266-280-154 = **+56 +- 20** Elo (700 games); with those of the second against the first: 213-294-193 = +10 +- 20
/// (700). The twin has the same numbers, but for the reliefs of tree and root, which it has not.
pub const TABLE: [Row; 40] = [
    row(Dial::ReverseFutilityPly, "ReverseFutilityPly", 72, 30, 160),
    row(Dial::ReverseFutilityImproving, "ReverseFutilityImproving", 31, 0, 160),
    row(Dial::RazorBase, "RazorBase", 251, 80, 500),
    row(Dial::RazorPly, "RazorPly", 146, 60, 400),
    row(Dial::NullMoveBase, "NullMoveBase", 106, 0, 300),
    row(Dial::NullMovePly, "NullMovePly", 14, 0, 60),
    row(Dial::NullMoveSlope, "NullMoveSlope", 166, 80, 400),
    row(Dial::SingularPly, "SingularPly", 21, 4, 48),
    row(Dial::FutilityBase, "FutilityBase", 109, 30, 250),
    row(Dial::FutilityPly, "FutilityPly", 65, 30, 180),
    row(Dial::QuietExchange, "QuietExchange", 22, 8, 60),
    row(Dial::NoisyExchange, "NoisyExchange", 99, 30, 200),
    row(Dial::HistoryFloor, "HistoryFloor", 4_368, 1_000, 9_000),
    row(Dial::HistoryUnits, "HistoryUnits", 10, 5, 30),
    row(Dial::KillerRelief, "KillerRelief", 731, 0, 2_000),
    row(Dial::CutBurden, "CutBurden", 1_108, 0, 2_500),
    row(Dial::DeclineBurden, "DeclineBurden", 685, 0, 1_500),
    row(Dial::CheckRelief, "CheckRelief", 907, 0, 2_000),
    row(Dial::ReductionBase, "ReductionBase", 675, 100, 1_600),
    row(Dial::ReductionSlope, "ReductionSlope", 586, 250, 700),
    row(Dial::LineRelief, "LineRelief", 541, 0, 2_000),
    row(Dial::TreeRelief, "TreeRelief", 653, 0, 2_000),
    row(Dial::RootRelief, "RootRelief", 1_056, 0, 2_000),
    row(Dial::LateMoveBase, "LateMoveBase", 6, 1, 10),
    row(Dial::LateMoveSquare, "LateMoveSquare", 98, 30, 130),
    row(Dial::HistoryBonus, "HistoryBonus", 188, 60, 350),
    row(Dial::HistoryMalus, "HistoryMalus", 203, 60, 400),
    row(Dial::ProbCutMargin, "ProbCutMargin", 233, 90, 320),
    row(Dial::Delta, "Delta", 104, 50, 320),
    row(Dial::DoubleMargin, "DoubleMargin", 14, 4, 70),
    row(Dial::CorrectionWeight, "CorrectionWeight", 119, 40, 250),
    row(Dial::Aspiration, "Aspiration", 11, 5, 30),
    row(Dial::GrowsFrom, "GrowsFrom", 8, 2, 127),
    row(Dial::TimeHorizon, "TimeHorizon", 32, 14, 48),
    row(Dial::TimeStretch, "TimeStretch", 32, 15, 80),
    row(Dial::TimeScale, "TimeScale", 70, 40, 140),
    row(Dial::TimeShare, "TimeShare", 96, 0, 160),
    row(Dial::TimeStability, "TimeStability", 67, 0, 200),
    row(Dial::TimeOverlap, "TimeOverlap", 56, 0, 100),
    row(Dial::TimeMoves, "TimeMoves", 31, 0, 100),
];

/// The dials that can be turned: all in a laboratory build, else none.
pub const TURNABLE: &[Row] = if cfg!(feature = "tuning") { &TABLE } else { &[] };

impl Dial {
    /// The value that holds on this thread.
    #[inline]
    pub fn get(self) -> i32 {
        #[cfg(feature = "tuning")]
        let value = laboratory::get(self);
        #[cfg(not(feature = "tuning"))]
        let value = TABLE[self as usize].default;
        value
    }
}

/// A value for each dial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values(Vec<i32>);

impl Default for Values {
    fn default() -> Self {
        Self(TURNABLE.iter().map(|row| row.default).collect())
    }
}

impl Values {
    /// Sets a dial from text. `None`: no dial of this name can be turned. `Some(Err)`: the value does not fit it.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Option<Result<(), &'static Row>> {
        let place = TURNABLE.iter().position(|row| row.name.eq_ignore_ascii_case(name))?;
        let row = &TURNABLE[place];
        let number = value.and_then(|text| text.parse().ok());
        Some(match number.filter(|number| (row.least..=row.most).contains(number)) {
            Some(number) => {
                self.0[place] = number;
                Ok(())
            }
            None => Err(row),
        })
    }

    /// Makes these the values of the current thread's searches. In the usual build there is nothing to set.
    pub fn install(&self) {
        #[cfg(feature = "tuning")]
        laboratory::install(&self.0);
    }
}

#[cfg(feature = "tuning")]
mod laboratory {
    use super::{Dial, TABLE};
    use std::cell::Cell;

    thread_local! {
        static VALUES: [Cell<i32>; TABLE.len()] = const {
            let mut values = [const { Cell::new(0) }; TABLE.len()];
            let mut place = 0;
            while place < TABLE.len() {
                values[place] = Cell::new(TABLE[place].default);
                place += 1;
            }
            values
        };
    }

    pub fn get(dial: Dial) -> i32 {
        VALUES.with(|values| values[dial as usize].get())
    }

    pub fn install(wanted: &[i32]) {
        VALUES.with(|values| values.iter().zip(wanted).for_each(|(value, &wanted)| value.set(wanted)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_dials_say() {
        for (place, row) in TABLE.iter().enumerate() {
            assert_eq!(row.dial as usize, place, "{}", row.name);
            assert_eq!(format!("{:?}", row.dial), row.name);
        }
    }

    #[test]
    fn a_dial_is_its_default_until_it_is_turned() {
        let mut values = Values::default();
        values.install();
        assert!(TABLE.iter().all(|row| row.dial.get() == row.default));
        let row = TABLE[0];
        let turned = values.set(&row.name.to_uppercase(), Some(&row.most.to_string()));
        values.install();
        if cfg!(feature = "tuning") {
            assert_eq!((turned, row.dial.get()), (Some(Ok(())), row.most));
            for bad in [None, Some("x"), Some("-1"), Some("1000000")] {
                assert_eq!(values.set(row.name, bad), Some(Err(&TABLE[0])), "{bad:?}");
            }
        } else {
            assert_eq!((turned, row.dial.get()), (None, row.default), "nothing can be turned");
        }
        Values::default().install();
        assert_eq!(row.dial.get(), row.default);
    }
}

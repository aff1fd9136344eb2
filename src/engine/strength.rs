//! [`Strength`]: weaker play by two means that can be looked up here: fewer nodes a move, and, below what few nodes can do, a
//! seeded choice among the root's moves.
//!
//! The nodes are the same on every machine and at every clock. Where they cannot get weak enough, all root moves get exact values
//! (they are the lines of MultiPV), each value gets a bonus of up to *margin* centipawns by chance, and the move with the best sum is
//! played. So a move is the less likely the worse it is, none is played that is worse than the best by the margin or more, and
//! a win that is proved is always played. The bonuses come from the seed, the position and its place in the game:
//! the same game is played again with the same seed, on every machine.
//!
//! Chance on the values of several lines is Stockfish's means, too (its *Skill Level*, which `UCI_Elo` sets there); few nodes are
//! that of the Maia bots.

use super::chance::Chance;
use super::options::Options;
use super::protocol::Limits;
use super::searcher::{Finding, OtherLine};
use crate::chess::probe::PackedMove;
use crate::chess::{Position, Score};
use cozy_chess::Move;
use std::fmt;

/// How strong to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The rating that is asked for, on the scale of [`LADDER`].
    pub elo: u32,
    /// Nodes a move. A first look at all moves is brought to its end, which can take some hundred more.
    pub nodes: u64,
    /// Centipawns: moves that are worse than the best by this much are never played; 0 plays the best.
    pub margin: u32,
    /// Chance begins here.
    seed: u32,
}

/// A rating with what plays at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rung {
    /// The rating.
    pub elo: u32,
    /// Nodes a move.
    pub nodes: u64,
    /// Centipawns, as in [`Strength`].
    pub margin: u32,
}

const fn rung(elo: u32, nodes: u64, margin: u32) -> Rung {
    Rung { elo, nodes, margin }
}

/// The ratings, from the least to the greatest, with what plays at them. `docs/elo.md` has the matches that they come from.
///
/// - *Nodes*: a parabola through the ratings that 50 to 6,400 nodes a move were measured to have, 1584 + 55.3 x + 9.4 x^2 with x
///   doublings of 50, rounded down a little.
/// - *Margin*: a line through those of 0, 100 and 200 centipawns, 2 Elo for each, and on from there to that of 400.
pub const LADDER: [Rung; 11] = [
    rung(900, 50, 380),
    rung(1_175, 50, 200),
    rung(1_375, 50, 100),
    rung(1_580, 50, 0),
    rung(1_650, 100, 0),
    rung(1_735, 200, 0),
    rung(1_835, 400, 0),
    rung(1_955, 800, 0),
    rung(2_095, 1_600, 0),
    rung(2_250, 3_200, 0),
    rung(2_420, 6_400, 0),
];

/// The least rating.
pub const LEAST: u32 = LADDER[0].elo;

/// The greatest rating.
pub const MOST: u32 = {
    let [.., most] = LADDER;
    most.elo
};

impl Strength {
    /// What plays at this rating; beyond the ladder's ends, at the end. Between two rungs it is interpolated, in whole numbers, so
    /// that it is the same everywhere.
    pub fn of(elo: u32, seed: u32) -> Self {
        let elo = elo.clamp(LEAST, MOST);
        let steps = LADDER.iter().zip(LADDER.iter().skip(1));
        let (below, above) =
            steps.rev().find(|(below, _)| below.elo <= elo).unwrap_or((&LADDER[0], &LADDER[0]));
        let width = u64::from(above.elo - below.elo).max(1);
        let part = u64::from(elo - below.elo);
        let between = |from: u64, to: u64| (from * (width - part) + to * part) / width;
        let margin = between(u64::from(below.margin), u64::from(above.margin));
        Self {
            elo,
            nodes: between(below.nodes, above.nodes),
            margin: u32::try_from(margin).unwrap_or(u32::MAX),
            seed,
        }
    }

    /// The strength for a search with these limits; `None` is the full one. Who analyses asks for the truth: with
    /// `UCI_AnalyseMode`, `go infinite` and `go mate` there is no limit.
    pub fn asked(options: &Options, limits: &Limits) -> Option<Self> {
        let analysis = options.analyse_mode || limits.infinite || limits.mate.is_some();
        (options.limit_strength && !analysis).then(|| Self::of(options.elo, options.strength_seed))
    }

    /// The move to play instead of the best of `finding`, whose `others` are all other moves; with its value and line.
    pub fn choose(&self, finding: Finding, position: &Position) -> Finding {
        let won = finding.score > Score::DRAW && !finding.score.is_heuristic();
        if self.margin == 0 || won {
            return finding;
        }
        let sum = |score: Score, line: &[Move]| {
            let bonus = line.first().map_or(0, |&action| self.bonus(action, position));
            i64::from(score.to_centipawns()) + i64::from(bonus)
        };
        let best = (sum(finding.score, &finding.line), None);
        let others = finding.others.iter().enumerate();
        let sums = others.map(|(at, other)| (sum(other.score, &other.line), Some(at)));
        // Of equal sums the first.
        let chosen = sums.fold(best, |most, next| if next.0 > most.0 { next } else { most }).1;
        match chosen {
            None => finding,
            Some(at) => led_by(finding, at),
        }
    }

    /// Centipawns that chance adds to the value of a move: from 0 to the margin, that excluded.
    fn bonus(&self, action: Move, position: &Position) -> u32 {
        let place = Chance::of_game(u64::from(self.seed), position.game_ply() as u64).bits();
        let spread = u64::from(PackedMove::from(action).bits());
        let mut chance = Chance::of_game(place ^ position.key(), spread);
        // Below the margin, which is 32 bits wide.
        u32::try_from(chance.below(u64::from(self.margin))).unwrap_or(0)
    }
}

/// What is told of a limited search.
impl fmt::Display for Strength {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "strength limited to Elo {}: {} nodes a move", self.elo, self.nodes)?;
        if self.margin > 0 {
            write!(out, ", moves worse by less than {} centipawns may be played", self.margin)?;
        }
        Ok(())
    }
}

/// `finding` with the other line at this place as the first one; the rest stay in their order.
fn led_by(mut finding: Finding, at: usize) -> Finding {
    let OtherLine { score, line, .. } = finding.others.remove(at);
    let best = OtherLine {
        score: finding.score,
        line: finding.line,
        interval: finding.root.as_ref().map(|root| root.best),
    };
    finding.others.insert(0, best);
    // What is known of the root is about the best move.
    Finding { score, line, root: None, ..finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLEGAME: &str = "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 1 6";

    fn position() -> Position {
        Position::from_board(MIDDLEGAME.parse().unwrap())
    }

    /// The moves of the position, each worth so many centipawns less than the one before.
    fn falling(step: i32) -> Finding {
        let lines = (0..).zip(position().legal_moves());
        let mut others: Vec<_> = lines
            .map(|(at, action)| OtherLine {
                score: Score::centipawns(30 - step * at),
                line: vec![action],
                interval: None,
            })
            .collect();
        let first = others.remove(0);
        Finding { others, ..Finding::of_one_move(first.score, first.line) }
    }

    fn with_margin(margin: u32, seed: u32) -> Strength {
        Strength { elo: LEAST, nodes: 100, margin, seed }
    }

    #[test]
    fn the_ladder_rises() {
        for (below, above) in LADDER.iter().zip(&LADDER[1..]) {
            assert!(below.elo < above.elo && below.nodes <= above.nodes && below.margin >= above.margin);
            assert!(below.nodes < above.nodes || below.margin > above.margin, "{above:?}");
        }
        let all: Vec<_> = (LEAST..=MOST).map(|elo| Strength::of(elo, 0)).collect();
        for (below, above) in all.iter().zip(&all[1..]) {
            assert!(below.nodes <= above.nodes && below.margin >= above.margin, "{above:?}");
        }
        for rung in LADDER {
            let strength = Strength::of(rung.elo, 0);
            assert_eq!((strength.nodes, strength.margin), (rung.nodes, rung.margin));
        }
        assert_eq!(Strength::of(0, 3), Strength::of(LEAST, 3));
        assert_eq!(Strength::of(u32::MAX, 3), Strength::of(MOST, 3));
    }

    #[test]
    fn no_move_is_played_that_is_worse_by_the_margin() {
        let mut played = std::collections::BTreeSet::new();
        for seed in 0..300 {
            let chosen = with_margin(100, seed).choose(falling(15), &position());
            assert!(chosen.score > Score::centipawns(30 - 100), "{chosen:?}");
            assert_eq!(chosen.others.len() + 1, position().legal_moves().len());
            assert!(chosen.others.iter().all(|other| other.line != chosen.line), "no move twice");
            played.insert(chosen.score);
        }
        assert!((4..=7).contains(&played.len()), "several moves within the margin: {played:?}");
        for margin in [0, 1, 15] {
            assert_eq!(with_margin(margin, 7).choose(falling(15), &position()), falling(15));
        }
    }

    #[test]
    fn a_proved_win_is_played_and_a_proved_loss_is_not() {
        let won = Finding { score: Score::mate_at(3), ..falling(1) };
        let mut lost = falling(1);
        lost.others.iter_mut().for_each(|other| other.score = Score::mated_at(20));
        for seed in 0..50 {
            assert_eq!(with_margin(2_000, seed).choose(won.clone(), &position()), won);
            assert_eq!(with_margin(2_000, seed).choose(lost.clone(), &position()), lost);
        }
    }

    #[test]
    fn who_analyses_is_not_limited() {
        let options = Options { limit_strength: true, elo: LEAST, ..Options::default() };
        let limits = Limits::default();
        assert!(Strength::asked(&options, &limits).is_some());
        assert!(Strength::asked(&options, &Limits { ponder: true, ..limits.clone() }).is_some());
        assert!(Strength::asked(&Options { limit_strength: false, ..options.clone() }, &limits).is_none());
        assert!(Strength::asked(&Options { analyse_mode: true, ..options.clone() }, &limits).is_none());
        assert!(Strength::asked(&options, &Limits { infinite: true, ..limits.clone() }).is_none());
        assert!(Strength::asked(&options, &Limits { mate: Some(2), ..limits }).is_none());
    }
}

//! [`ChessDomain`]: chess for the B\* core. A position's successors and answers about it come from [probes](super::probe),
//! the intervals around them from an [`IntervalModel`].
//!
//! One domain serves both families of policies. The *settled* ones grow nodes of the principal line only
//! ([`Dial::GrowsFrom`]) and ask everything else as a whole, with the effort in plies of probe depth, also what was on the
//! principal line once. For the *stepwise* ones
//! each successor of an expanded node is probed at once, [`STEPWISE_DEPTH`] plies deep, and its full interval stored.
//!
//! Effort is plies of depth below the node. A mate that a probe finds is a fact for the side that gives it: at least
//! this good. Under [`IntervalModel::NullMove`] the leaves that were asked for their value have null-move intervals, and what
//! was only bounded keeps the error model's; inner nodes back their children's up.

use super::dials::Dial;
use super::error_model::{self, Basis, End};
use super::interval_model::IntervalModel;
use super::probe::margins::{SINGULAR_DEPTH, SINGULAR_ENTRY_LAG, singular_margin};
use super::probe::{Bound, Probe, Window};
use super::{Outcome, Score};
use crate::bstar::settled::{Missed, SettledDomain, Standing};
use crate::bstar::{
    Domain, Effort, Estimate, Interrupted, Interval, LeafStep, Monitor, Question, Successor, Value,
};
use cozy_chess::{Color, Move, Piece};

/// Plies to which the stepwise policies probe every successor of an expanded node.
pub const STEPWISE_DEPTH: u16 = 3;

/// Centipawns. A window that would be wider is open.
const WIDEST_WINDOW: i32 = 1_500;
/// Plies. Below this depth values jump too much for a window to pay.
const WINDOW_FROM: u16 = 5;

/// Which family of policies the domain serves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// One leaf at a time, expanded and backed up.
    Stepwise,
    /// Recursive updates that return settled.
    Settled,
}

/// Chess as a [`Domain`]: a probe that stands at the current position, and the model of its errors.
pub struct ChessDomain {
    probe: Probe,
    model: IntervalModel,
    family: Family,
}

impl ChessDomain {
    /// A domain that stands where `probe` stands.
    pub fn new(probe: Probe) -> Self {
        Self { probe, model: IntervalModel::default(), family: Family::Settled }
    }

    /// Sets how the next search is to be served.
    pub fn configure(&mut self, model: IntervalModel, family: Family) {
        (self.model, self.family) = (model, family);
    }

    /// The probe. Move it only between searches.
    pub fn probe(&mut self) -> &mut Probe {
        &mut self.probe
    }

    /// The value of the current position where the board alone ends the game, or the endgame tables know it.
    fn ending(&self) -> Option<Score> {
        let ply = self.probe.game_ply();
        match self.probe.board_outcome() {
            Some(Outcome::Checkmate) => Some(Score::mated_at(ply)),
            Some(_) => Some(self.draw()),
            None => self.probe.tablebase_sign().map(|sign| match sign {
                1 => Score::tablebase_win_at(ply),
                0 => self.draw(),
                _ => -Score::tablebase_win_at(ply),
            }),
        }
    }

    /// What a draw is worth to the side to move.
    fn draw(&self) -> Score {
        Score::centipawns(self.probe.draw_for(self.probe.board().side_to_move()))
    }

    /// What a probe of the current position is asked.
    fn window_of(&self, question: Question<Score>) -> Window {
        let ply = self.probe.game_ply();
        match question {
            Question::Within { floor, ceiling } => {
                Window { alpha: floor.to_probe(ply), beta: ceiling.to_probe(ply) }
            }
            Question::Exceeds(target) => Window::above(target.to_probe(ply)),
            Question::Reaches(target) => Window::above(target.to_probe(ply) - 1),
        }
    }

    /// Asks a probe, and returns the answer as an interval of scores.
    fn ask(
        &mut self,
        question: Question<Score>,
        depth: u16,
        monitor: &mut dyn Monitor,
    ) -> Result<Interval<Score>, Interrupted> {
        let ply = self.probe.game_ply();
        let window = self.window_of(question);
        // What the other side asks of its rivals: the answer is mostly yes.
        let cut = matches!(question, Question::Reaches(_));
        let result = match depth {
            0 => self.probe.quiescence(window, monitor)?,
            _ => self.probe.answer(window, i32::from(depth), cut, monitor)?,
        };
        let value = Score::from_probe(result.value, ply);
        Ok(told(value, result.bound))
    }

    /// What is known after a probe of `depth` answered.
    fn learned(&mut self, known: &Estimate<Score>, answer: Interval<Score>, depth: u16) -> Estimate<Score> {
        let mut estimate = prove_mates(known.revised(answer, Effort::of(depth)), self.probe.game_ply());
        estimate.belief = self.modelled(&estimate);
        estimate
    }

    /// What the error model goes by at the current position.
    fn basis(&mut self) -> Basis {
        match self.model {
            IntervalModel::Learned => {
                let forecast = self.probe.forecast();
                Basis::Learned {
                    realistic: forecast.realistic,
                    below: forecast.realistic - forecast.lower,
                    above: forecast.upper - forecast.realistic,
                }
            }
            IntervalModel::ErrorModel | IntervalModel::NullMove => {
                Basis::Volatility { statically: self.probe.static_value() }
            }
        }
    }

    /// The error model's belief around what was searched.
    fn modelled(&mut self, estimate: &Estimate<Score>) -> Interval<Score> {
        if estimate.is_solved() {
            return estimate.searched;
        }
        error_model::belief(estimate, self.basis(), 1.0)
    }

    /// Palay's interval around the realistic value `real` of the current position, found `depth` plies deep: the mover's
    /// pessimism is what remains when it passes at once, its optimism what it reaches when the opponent passes after the
    /// best move. `None` where passing is not allowed or proves nothing: in check, and for a side without pieces, to
    /// whom a pass may be welcome (zugzwang).
    fn null_move_interval(
        &mut self,
        real: Score,
        depth: u16,
        monitor: &mut dyn Monitor,
    ) -> Result<Option<Interval<Score>>, Interrupted> {
        let depth = i32::from(depth.max(2));
        if !has_pieces(&self.probe, Color::White) || !has_pieces(&self.probe, Color::Black) {
            return Ok(None);
        }
        let Some(passed) = self.probe.search_after_pass(Window::OPEN, depth - 1, monitor)? else {
            return Ok(None);
        };
        let ply = self.probe.game_ply();
        // After a pass the opponent is to move at the same game ply as after a move.
        let lower = (-Score::from_probe(passed.value, ply + 1)).min(real);
        let Some(best) = self.probe.table_move() else { return Ok(None) };
        self.probe.play(best);
        let reached = self.probe.search_after_pass(Window::OPEN, depth - 1, monitor);
        self.probe.undo();
        let upper = reached?.map_or(real, |reached| Score::from_probe(reached.value, ply + 2)).max(real);
        Ok(Interval::new(lower, upper))
    }

    /// A successor's estimate, standing at it: for the stepwise policies a probe's. The settled ones ask when they need to; what
    /// they would not ask of a successor is not worth an evaluation.
    fn first_estimate(&mut self, monitor: &mut dyn Monitor) -> Result<Estimate<Score>, Interrupted> {
        match (self.family, self.ending()) {
            (_, Some(value)) => Ok(Estimate::solved(value)),
            (Family::Stepwise, None) => {
                self.probed(&Estimate::UNKNOWN, Question::VALUE, STEPWISE_DEPTH, monitor)
            }
            (Family::Settled, None) => Ok(Estimate::UNKNOWN),
        }
    }

    /// A probe's answer with the belief that the chosen model puts around it.
    fn probed(
        &mut self,
        known: &Estimate<Score>,
        question: Question<Score>,
        depth: u16,
        monitor: &mut dyn Monitor,
    ) -> Result<Estimate<Score>, Interrupted> {
        let answer = self.ask(question, depth, monitor)?;
        let mut estimate = self.learned(known, answer, depth);
        if self.model == IntervalModel::NullMove && depth > 0 && !estimate.is_solved() && answer.is_exact() {
            let belief = self.null_move_interval(answer.lower(), depth, monitor)?;
            estimate.belief = belief.unwrap_or(estimate.belief);
        }
        Ok(estimate)
    }
}

/// What a value of this kind establishes.
fn told(value: Score, bound: Bound) -> Interval<Score> {
    match bound {
        Bound::Exact => Interval::exact(value),
        Bound::Lower => Interval::at_least(value),
        Bound::Upper => Interval::at_most(value),
    }
}

/// `side` has more than king and pawns.
fn has_pieces(probe: &Probe, side: Color) -> bool {
    let board = probe.board();
    let pieces = board.pieces(Piece::King) | board.pieces(Piece::Pawn);
    !(board.colors(side) - pieces).is_empty()
}

/// Turns the ends that a found mate establishes into facts: who can mate within so many plies has at least that. That there is
/// no nearer mate, a probe does not prove (it reduces late moves), but where the mate comes at once.
fn prove_mates(mut estimate: Estimate<Score>, ply: usize) -> Estimate<Score> {
    let wins = |score: Score| score.is_mate() && score > Score::DRAW;
    if wins(estimate.searched.lower()) {
        estimate.lower_effort = Effort::PROVEN;
    }
    if wins(-estimate.searched.upper()) || estimate.searched.lower() == Score::mate_at(ply + 1) {
        estimate.upper_effort = Effort::PROVEN;
    }
    estimate
}

impl Domain for ChessDomain {
    type Value = Score;
    type Action = Move;

    fn key(&self) -> u64 {
        self.probe.key()
    }

    fn play(&mut self, action: Move) {
        self.probe.play(action);
    }

    fn undo(&mut self) {
        self.probe.undo();
    }

    fn path_value(&self) -> Option<Score> {
        self.probe.is_repetition().then(|| self.draw())
    }

    fn path_value_behind(&mut self, action: Move) -> Option<Score> {
        let opponent = !self.probe.board().side_to_move();
        self.probe.repeats_by(action).then(|| Score::centipawns(self.probe.draw_for(opponent)))
    }

    /// Four plies without a capture or a pawn move are the shortest way back to a position.
    fn path_matters(&self) -> bool {
        self.probe.board().halfmove_clock() >= 3
    }

    /// In the order in which a probe would try the moves.
    fn successors(
        &mut self,
        into: &mut Vec<Successor<Move, Score>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        for action in self.probe.moves_by_promise() {
            self.probe.play(action);
            let estimate = self.first_estimate(monitor);
            let key = self.probe.key();
            self.probe.undo();
            into.push(Successor { action, key, estimate: estimate? });
        }
        Ok(())
    }

    fn leaf_step(&self, _estimate: &Estimate<Score>) -> LeafStep {
        LeafStep::Expand
    }

    fn refine(
        &mut self,
        known: &Estimate<Score>,
        question: Question<Score>,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<Estimate<Score>, Interrupted> {
        match self.ending() {
            Some(value) => Ok(Estimate::solved(value)),
            None => self.probed(known, question, effort.units(), monitor),
        }
    }

    fn widen(&self, estimate: &Estimate<Score>, factor: f64) -> Interval<Score> {
        let stretch = |end: Score, from: Score| {
            if !end.is_heuristic() || !from.is_heuristic() {
                return end;
            }
            let from = from.to_centipawns();
            Score::centipawns(from + (f64::from(end.to_centipawns() - from) * factor) as i32)
        };
        let lower = stretch(estimate.belief.lower(), estimate.searched.lower().min(estimate.belief.upper()));
        let upper = stretch(estimate.belief.upper(), estimate.searched.upper().max(estimate.belief.lower()));
        Interval::new(lower, upper).unwrap_or(estimate.belief)
    }
}

/// Checks are extended inside the probes, not in the tree. Without, B\* won 362-348-290 = +25 +- 16 Elo at 10,000 nodes a move (1,000 games,
/// 2026-11-30); at 50,000 no difference was found (0 +- 19; docs/strength.md).
impl SettledDomain for ChessDomain {
    /// Plies, as in the twin.
    const LENIENCE: u16 = 3;

    fn grows(&self, standing: Standing) -> bool {
        standing.principal && i32::from(standing.effort.units()) >= Dial::GrowsFrom.get()
    }

    /// On the principal line only. A node that has left it is asked null-window questions, which a probe answers cheaper: by a
    /// null move or a margin. In games the graph fills with such nodes, for it is kept from move to move. Asked by their
    /// successors they cost 61 +- 33 Elo at 17,000 nodes a move against the twin (2026-11-30): -41 +- 25 in 400 games, and +19 +- 19 in
    /// 820 as it is here. From an empty memory no difference was found (docs/strength.md).
    fn descends(&self, standing: Standing) -> bool {
        standing.principal
    }

    /// Not on the principal line, where alpha-beta searches take no table cut-offs either. To the same depth (10 plies) against the twin reuse
    /// there scored 68-217-115 = -41 +- 22, and asking anew 103-200-97 = +5 +- 23 (400 games each, 2026-12-01); at 50,000 nodes a move asking anew
    /// won 124-218-98 = +21 +- 22 against reuse (docs/strength.md, "What a ply is worth").
    fn reuses(&self, standing: Standing) -> bool {
        !standing.principal
    }

    fn reach(&self) -> u32 {
        u32::try_from(self.probe.reach()).unwrap_or(u32::MAX)
    }

    fn arrange(&mut self, rivals: &mut [Move]) {
        let mut rest = rivals;
        for action in self.probe.moves_by_promise() {
            if let Some(at) = rest.iter().position(|&rival| rival == action) {
                rest[..=at].rotate_right(1);
                rest = &mut rest[1..];
            }
        }
    }

    /// As inside a probe, which goes a ply deeper then: no other move comes near the best one's value in a search half as deep.
    /// (Singular extensions: Anantharaman, Campbell & Hsu 1988.) At 50,000 nodes a move they are worth +22 +- 20 Elo (2026-12-01, docs/strength.md); at
    /// 17,000 no difference was found. What the graph knows for nothing is no substitute: a best move whose rivals' stored uppers were all far behind
    /// lost 203-333-284 = -34 +- 19 at 10,000 when it got a ply more, and when it got one less 178-190-192 = -9 +- 23.
    fn is_singular(
        &mut self,
        standing: Standing,
        best: Move,
        known: &Estimate<Score>,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        let depth = i32::from(standing.effort.units());
        let value = known.searched.lower();
        let stored = i32::from(known.lower_effort.units()) + 1;
        if known.lower_effort.is_proven()
            || !value.is_heuristic()
            || depth < SINGULAR_DEPTH
            || stored + SINGULAR_ENTRY_LAG < depth
        {
            return Ok(false);
        }
        let target = value.to_centipawns() - singular_margin(depth);
        self.probe.stands_alone(best, target, (depth - 1) / 2, monitor)
    }

    fn owed(&mut self, standing: Standing, whole: Effort, rank: usize, action: Move) -> Effort {
        let depth = i32::from(standing.effort.units());
        let reduction = self.probe.late_move_reduction(depth, rank + 1, action);
        whole.less(u16::try_from(reduction.max(0)).unwrap_or(0)).max(Effort::of(1).min(whole))
    }

    fn window(
        &self,
        expected: Score,
        effort: Effort,
        attempt: u32,
        missed: Option<Missed<Score>>,
    ) -> Question<Score> {
        let width = (0..attempt).fold(Dial::Aspiration.get(), |width, _| width + width / 2 + 4);
        let open = effort.units() < WINDOW_FROM || width > WIDEST_WINDOW || !expected.is_heuristic();
        let shifted = |from: Score, by: i32| {
            if from.is_heuristic() { Score::centipawns(from.to_centipawns() + by) } else { from }
        };
        match missed {
            _ if open => Question::VALUE,
            None | Some(Missed { question: Question::Exceeds(_) | Question::Reaches(_), .. }) => {
                Question::Within { floor: shifted(expected, -width), ceiling: shifted(expected, width) }
            }
            Some(Missed { question: Question::Within { floor, ceiling }, found })
                if found.upper() <= floor =>
            {
                let middle = (floor.to_centipawns() + ceiling.to_centipawns()) / 2;
                Question::Within { floor: shifted(found.upper(), -width), ceiling: Score::centipawns(middle) }
            }
            Some(Missed { question: Question::Within { floor, .. }, found }) => {
                Question::Within { floor, ceiling: shifted(found.lower(), width) }
            }
        }
    }

    fn believe(&mut self, settled: &Estimate<Score>) -> Interval<Score> {
        if self.model == IntervalModel::NullMove {
            // Palay's intervals are backed up, and nothing else bounds them.
            return Interval::UNKNOWN;
        }
        self.modelled(settled)
    }

    fn separation_target(&mut self, bar: Score, effort: Effort, factor: f64) -> Score {
        if !bar.is_heuristic() {
            return bar;
        }
        // The rival's own view: its lower end must be proved that much above.
        let basis = self.basis();
        let width = |target: i32| {
            (f64::from(basis.width(End::Lower, effort.units(), -target, false)) * factor) as i32
        };
        let bar = bar.to_centipawns();
        let target = bar - width(bar);
        Score::centipawns(bar - width(target))
    }

    fn is_taken(&self, action: Move) -> bool {
        self.probe.is_taken(action)
    }

    fn take_up(&mut self, action: Move) {
        self.probe.take_up(action);
    }

    fn lay_down(&mut self) {
        self.probe.lay_down();
    }

    fn pose(&mut self, question: Question<Score>, effort: Effort) {
        self.probe.pose(self.window_of(question), i32::from(effort.units()));
    }

    fn withdraw(&mut self) -> bool {
        self.probe.withdraw()
    }

    fn told_best(&self) -> Option<Move> {
        self.probe.table_move()
    }

    fn recall(
        &mut self,
        known: &Estimate<Score>,
        question: Question<Score>,
        effort: Effort,
    ) -> Option<Estimate<Score>> {
        let (value, bound) = self.probe.told_by_others(i32::from(effort.units()))?;
        let answer = told(Score::from_probe(value, self.probe.game_ply()), bound);
        let answers = known.revised(answer, effort).answers(question, effort);
        answers.then(|| self.learned(known, answer, effort.units()))
    }

    fn remember(&mut self, settled: &Estimate<Score>, best: Option<Move>) {
        let ply = self.probe.game_ply();
        let searched = settled.searched;
        let (value, bound, effort) = if searched.is_exact() {
            (searched.lower(), Bound::Exact, settled.effort())
        } else if settled.lower_effort >= settled.upper_effort && searched.lower() > Score::MIN {
            (searched.lower(), Bound::Lower, settled.lower_effort)
        } else if searched.upper() < Score::MAX {
            (searched.upper(), Bound::Upper, settled.upper_effort)
        } else {
            return;
        };
        self.probe.remember(
            value.to_probe(ply),
            bound,
            i32::from(effort.units().min(u16::from(u8::MAX))),
            best,
        );
    }
}

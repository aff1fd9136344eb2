//! Solving a sum: the best move of each side, proved bounds on what is reached, and who wins.

use super::component::Values;
use super::domain::Action;
use super::names::Names;
use super::problem::{GivenMove, Position};
use super::{Counting, Dyadic, Failure, Guard, Score, Side, Store, SumDomain};
use crate::bstar::{
    Domain, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Policy, Search, Settings, Termination,
};

/// How to search.
#[derive(Clone, Debug)]
pub struct Method {
    /// The policy of B\*.
    pub policy: Policy,
    /// Most expansions for one side to move.
    pub nodes: u64,
    /// Bytes for the search graph.
    pub graph_bytes: usize,
    /// Time and the stop flag.
    pub guard: Guard,
    /// Ask on until the score itself is known, beyond what best move and winner need.
    pub exact: bool,
}

/// What was found for one side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    /// The side to move.
    pub side: Side,
    /// Proved bounds on the score, from the side to move.
    pub bounds: Interval<Score>,
    /// The best move found; none where play is over.
    pub best: Option<GivenMove>,
    /// It is proved that no move is better.
    pub proved: bool,
    /// The line that follows, best play as far as the search saw it, in words; the best move first.
    pub line: Vec<String>,
    /// Expansions of B\*.
    pub expansions: u64,
    /// Why it is not known better, if it is not.
    pub cut: Option<Failure>,
}

impl Verdict {
    /// No move was found; the stop lies between two numbers of Left's.
    pub fn without_move(side: Side, (low, high): (Dyadic, Dyadic), cut: Failure) -> Self {
        let (lower, upper) = (Score::decided(low, false), Score::decided(high, true));
        let (lower, upper) = if side == Side::Left { (lower, upper) } else { (-upper, -lower) };
        let bounds = Interval::new(lower, upper).unwrap_or(Interval::UNKNOWN);
        Self { side, bounds, best: None, proved: false, line: Vec::new(), expansions: 0, cut: Some(cut) }
    }

    /// Does the side to move win? `None` when it is not known.
    pub fn wins(&self) -> Option<bool> {
        winner(self.bounds)
    }
}

fn winner(bounds: Interval<Score>) -> Option<bool> {
    let zero = Score::stop(Dyadic::ZERO);
    if bounds.lower() > zero {
        Some(true)
    } else if bounds.upper() < zero {
        Some(false)
    } else {
        None
    }
}

/// Greater than `score`, and no greater than any value of a sum that is greater than `score`.
fn just_above(score: Score) -> Score {
    Score { last: score.last + 1, ..score }
}

/// Plies of a line that are told.
const LONGEST_LINE: usize = 16;

/// Solves `position` for one side to move.
pub fn solve(
    store: &mut Store,
    values: &mut Values,
    names: &Names,
    position: &Position,
    side: Side,
    method: &Method,
) -> Result<Verdict, Failure> {
    let moves = position.moves(store, values, side)?;
    let sum = position.sum(store, side)?;
    let mut known = SumDomain::new(store, sum.clone(), Counting::LastMove).known(&sum)?;
    let mut verdict =
        Verdict { side, bounds: known, best: None, proved: true, line: Vec::new(), expansions: 0, cut: None };
    if moves.is_empty() {
        return Ok(verdict);
    }
    let sums = moves.iter().map(|first| first.after.clone()).collect();
    let domain = SumDomain::with_first_moves(store, sums, Counting::LastMove)?;
    let mut solver =
        Solver { graph: Graph::with_budget(method.graph_bytes), domain, method, expansions: 0, cut: None };
    let best = solver.find_move(known);
    known = solver.known(known);
    if winner(known).is_none() {
        solver.compare(Score::stop(Dyadic::ZERO));
        known = solver.known(known);
    }
    while method.exact && !known.is_exact() && solver.cut.is_none() {
        solver.compare(just_above(known.lower()));
        let narrower = solver.known(known);
        if narrower == known {
            break;
        }
        known = narrower;
    }
    verdict.bounds = known;
    (verdict.expansions, verdict.cut) = (solver.expansions, solver.cut);
    if let Some((first, proved)) = best {
        verdict.proved = proved;
        let first_move = moves[first as usize].clone();
        verdict.line = solver.line(names, position, first, &first_move, side);
        verdict.best = Some(first_move);
    }
    Ok(verdict)
}

/// The searches of one position, which share a graph. Plies: the question at 0, the first position at 1.
struct Solver<'a, 'm> {
    graph: Graph<Score, Action>,
    domain: SumDomain<'a>,
    method: &'m Method,
    expansions: u64,
    cut: Option<Failure>,
}

/// The ply of the first position.
const FIRST_PLY: u16 = 1;

impl Solver<'_, '_> {
    /// Looks for the best move; the number of the best first move, and whether it is proved to be that.
    fn find_move(&mut self, known: Interval<Score>) -> Option<(u32, bool)> {
        self.domain.stop_asking();
        let decision = self.search(FIRST_PLY, Estimate::proven(known));
        match decision.action {
            Some(Action::First(index)) => {
                let proved = matches!(decision.termination, Termination::Separated | Termination::OnlyMove);
                Some((index, proved))
            }
            _ => None,
        }
    }

    /// Finds out on which side of `score` the value lies.
    fn compare(&mut self, score: Score) {
        if self.cut.is_none() {
            self.domain.ask(score);
            self.search(FIRST_PLY - 1, Estimate::UNKNOWN);
            self.domain.stop_asking();
        }
    }

    fn search(&mut self, ply: u16, estimate: Estimate<Score>) -> crate::bstar::Decision<Action, Score> {
        let steps = self.method.nodes.saturating_sub(self.expansions);
        let settings = Settings { steps, ..Settings::new(self.method.policy) };
        let mut watch = Watch(self.method.guard.clone());
        let decision =
            Search::new(&mut self.graph, &mut self.domain, ply, estimate, settings).run(&mut watch);
        self.expansions += decision.counters.expansions;
        match decision.termination {
            Termination::Stopped => self.cut = Some(self.domain.failure().unwrap_or(Failure::Interrupted)),
            Termination::Budget => self.cut = Some(Failure::Nodes),
            _ => {}
        }
        decision
    }

    /// The first position's node.
    fn first(&mut self) -> Option<NodeId> {
        self.graph.find(self.domain.key(), FIRST_PLY)
    }

    /// What the graph knows of the value, and what was known before.
    fn known(&mut self, before: Interval<Score>) -> Interval<Score> {
        let found = self.first().map(|node| self.graph.estimate(node).belief);
        found.and_then(|found| found.intersection(before)).unwrap_or(before)
    }

    /// The first move and what follows in the graph, in words.
    fn line(
        &mut self,
        names: &Names,
        position: &Position,
        first: u32,
        first_move: &GivenMove,
        side: Side,
    ) -> Vec<String> {
        let from = &position.components()[first_move.component].form;
        let mut line = vec![format!("{from} -> {}", first_move.to)];
        let mut node = self.first().and_then(|node| self.child(node, Action::First(first)));
        self.domain.play(Action::First(first));
        let mut side = side.other();
        while let Some(here) = node.filter(|_| line.len() < LONGEST_LINE) {
            let Some(action) = self.best_action(here) else { break };
            line.push(self.words(names, action, side));
            self.domain.play(action);
            node = self.child(here, action);
            side = side.other();
        }
        self.domain.stop_asking();
        line
    }

    fn child(&self, node: NodeId, action: Action) -> Option<NodeId> {
        self.graph.edges(node).iter().find(|edge| edge.action == action).map(|edge| edge.child)
    }

    /// The move with the best bounds of an expanded node.
    fn best_action(&self, node: NodeId) -> Option<Action> {
        let rated = self.graph.edges(node).iter().map(|edge| {
            let belief = -self.graph.estimate(edge.child).belief;
            ((belief.lower(), belief.upper()), edge.action)
        });
        rated.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, action)| action)
    }

    /// A move below the first, in Left's terms: games are told with mean 0, as the search holds them.
    fn words(&mut self, names: &Names, action: Action, side: Side) -> String {
        let Action::Move { game, option } = action else { return String::new() };
        let store = self.domain.store();
        let (mut from, mut to) = (super::Term::game(game), store.get(game).left()[option as usize]);
        if side == Side::Right {
            (from, to) = (store.negative(from), store.negative(to));
        }
        format!("{} -> {}", names.show(store, from), names.show(store, to))
    }
}

/// Time and the user's wish, for the core.
struct Watch(Guard);

impl Monitor for Watch {
    fn work(&mut self, _units: u64) -> Result<(), Interrupted> {
        self.0.step(0).map_err(|_| Interrupted)
    }
}

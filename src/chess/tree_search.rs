//! [`TreeSearch`]: B\* on chess. A graph that is kept from move to move, and a domain to ask about it.

use super::domain::{ChessDomain, Family, STEPWISE_DEPTH};
use super::eval::network::Network;
use super::interval_model::IntervalModel;
use super::policy::ChessPolicy;
use super::probe::margins::MAX_PLY;
use super::probe::{Probe, Table};
use super::tablebase::Probing;
use super::{Position, Score};
use crate::bstar::search::{self, Search, Step};
use crate::bstar::settled::root::{Alternative, Candidate, Outcome, Overseer, Phase, Progress, Verdict};
use crate::bstar::settled::{Settled, SettledDomain, Spent, Tally};
use crate::bstar::strategy::{Policy, Strategy};
use crate::bstar::{
    Domain, Effort, Estimate, Graph, Interrupted, Interval, NodeId, Question, Termination, Unwatched,
};
use cozy_chess::Move;
use std::cmp::Reverse;
use std::sync::Arc;

/// 80 % quantiles of the error model on either side that a separation must leave free: one is too few (the prototype
/// lost 117 Elo with it), two and more pay.
const SEPARATION_CAUTION: f64 = 2.0;

/// Plies: a probe goes no deeper, so that more effort would say nothing new.
const DEEPEST: u16 = MAX_PLY as u16 - 1;

/// Steps of a stepwise search between two reports, some milliseconds; the first ones come after 1, 2, 4 and 8 steps.
const STEPS_A_REPORT: u64 = 16;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    /// Which question is next.
    pub policy: ChessPolicy,
    /// Where intervals come from.
    pub model: IntervalModel,
    /// How many root moves are wanted with their values; 0 is read as 1.
    pub lines: usize,
}

/// Best-first search with its memory: the graph, and the probe that shares its table with others.
pub struct TreeSearch {
    domain: ChessDomain,
    graph: Graph<Score, Move>,
    /// What the stored beliefs came from.
    stored_by: (IntervalModel, Family),
    /// A stepwise search has widened the stored beliefs: they are not what the model says.
    widened: bool,
}

impl TreeSearch {
    /// A search whose graph takes at most `graph_bytes`, with `table` for its probes.
    pub fn new(table: Arc<Table>, graph_bytes: usize) -> Self {
        Self {
            domain: ChessDomain::new(Probe::new(table)),
            graph: Graph::with_budget(graph_bytes),
            stored_by: (IntervalModel::default(), Family::Settled),
            widened: false,
        }
    }

    /// Forgets the graph and what the probe learned. The shared table is the owner's to clear.
    pub fn clear(&mut self) {
        self.graph.clear();
        self.domain.probe().new_game();
    }

    /// Evaluates with another network from now on. What was learned is forgotten; the shared table is the owner's to clear.
    pub fn set_network(&mut self, network: Arc<Network>) {
        self.domain.probe().set_network(network);
        self.graph.clear();
    }

    /// Asks these endgame tables from now on. With other ones, or by other rules, what the graph holds as a fact would be none:
    /// it is forgotten.
    pub fn set_tablebases(&mut self, tablebases: Option<Probing>) {
        if self.domain.probe().tablebases() != tablebases.as_ref() {
            self.domain.probe().set_tablebases(tablebases);
            self.graph.clear();
        }
    }

    /// The graph.
    pub fn graph(&self) -> &Graph<Score, Move> {
        &self.graph
    }

    /// The probe, which the graph's searches and others may use by turns.
    pub fn probe(&mut self) -> &mut Probe {
        self.domain.probe()
    }

    /// What a probe of one ply says of `position`, with the interval that `model` puts around it. Nothing is stored in the graph.
    pub fn at_a_glance(&mut self, position: &Position, model: IntervalModel) -> Estimate<Score> {
        let (_, family) = self.stored_by;
        self.domain.probe().set_position(position);
        self.domain.configure(model, family);
        let glance = self.domain.refine(&Estimate::UNKNOWN, Question::VALUE, Effort::of(1), &mut Unwatched);
        self.domain.configure(self.stored_by.0, family);
        glance.unwrap_or(Estimate::UNKNOWN)
    }

    /// Stands at `position`. What is stored under another model or for another family, or was widened, is forgotten.
    fn stand_at(&mut self, position: &Position, model: IntervalModel, family: Family) {
        if self.stored_by != (model, family) || self.widened {
            self.stored_by = (model, family);
            self.widened = false;
            self.graph.clear();
        }
        self.domain.configure(model, family);
        self.domain.probe().set_position(position);
    }

    /// Searches `position`, which has legal moves, by `policy`, choosing from `root_moves` (empty: all), at most `depth` plies
    /// deep. A single move leaves nothing to separate; its value is found by the settled policies, whatever `policy` says.
    pub fn search(
        &mut self,
        position: &Position,
        root_moves: &[Move],
        settings: Settings,
        depth: u16,
        overseer: &mut impl Overseer<Move, Score>,
    ) -> Outcome<Move, Score> {
        let choices = if root_moves.is_empty() { position.legal_moves() } else { root_moves.to_vec() };
        let outcome = match settings.policy {
            ChessPolicy::Settled => {
                self.stand_at(position, settings.model, Family::Settled);
                let graph = &mut self.graph;
                search_settled(&mut self.domain, graph, position, root_moves, settings.lines, depth, overseer)
            }
            ChessPolicy::Stepwise(policy) if choices.len() > 1 => {
                self.search_stepwise(position, root_moves, settings, policy, depth, overseer)
            }
            ChessPolicy::Stepwise(_) => {
                // In a graph of its own: the stepwise one stays as it is.
                let mut graph = Graph::with_budget(Graph::<Score, Move>::LEAST_BUDGET);
                self.domain.configure(settings.model, Family::Settled);
                self.domain.probe().set_position(position);
                search_settled(&mut self.domain, &mut graph, position, root_moves, 1, depth, overseer)
            }
        };
        if outcome.action.is_some() { outcome } else { self.at_first_sight(&choices, outcome.termination) }
    }

    /// What to answer when the search was interrupted before it knew anything: the move that the table has, else the one
    /// with the best static value behind it.
    fn at_first_sight(&mut self, choices: &[Move], termination: Termination) -> Outcome<Move, Score> {
        let known = self.domain.probe().table_move();
        let judged = self.static_values(choices);
        let best = judged.into_iter().max_by_key(|&(action, value)| (Some(action) == known, value));
        let value = best.map_or(Score::DRAW, |(_, value)| value);
        Outcome {
            action: best.map(|(action, _)| action),
            estimate: Estimate::realistic(value, Interval::exact(value), Effort::NONE),
            termination,
        }
    }

    /// The static value behind each of these moves of the position at which the last search began, from its side to move.
    pub fn static_values(&mut self, moves: &[Move]) -> Vec<(Move, Score)> {
        let probe = self.domain.probe();
        let judge = |&action: &Move| {
            probe.play(action);
            let value = -probe.static_value();
            probe.undo();
            (action, Score::centipawns(value))
        };
        moves.iter().map(judge).collect()
    }

    fn search_stepwise(
        &mut self,
        position: &Position,
        root_moves: &[Move],
        asked: Settings,
        policy: Policy,
        depth: u16,
        overseer: &mut impl Overseer<Move, Score>,
    ) -> Outcome<Move, Score> {
        self.stand_at(position, asked.model, Family::Stepwise);
        let ply = graph_ply(position);
        let only = (!root_moves.is_empty()).then(|| root_moves.to_vec());
        let settings = search::Settings { only, ..search::Settings::new(policy) };
        let mut search = Search::new(&mut self.graph, &mut self.domain, ply, Estimate::UNKNOWN, settings);
        let termination = step_to_the_end(&mut search, asked.lines, u32::from(depth), overseer);
        let decision = search.decide(termination);
        self.widened = decision.counters.widenings > 0;
        Outcome {
            action: decision.action,
            estimate: decision.best.map_or(Estimate::UNKNOWN, |best| best.estimate),
            termination,
        }
    }
}

fn graph_ply(position: &Position) -> u16 {
    u16::try_from(position.game_ply()).unwrap_or(u16::MAX)
}

fn search_settled(
    domain: &mut ChessDomain,
    graph: &mut Graph<Score, Move>,
    position: &Position,
    root_moves: &[Move],
    lines: usize,
    depth: u16,
    overseer: &mut impl Overseer<Move, Score>,
) -> Outcome<Move, Score> {
    let root = graph.re_root(position.key(), graph_ply(position), Estimate::UNKNOWN);
    let mut search = Settled::new(domain, graph, root, root_moves.to_vec());
    search.stretch(SEPARATION_CAUTION);
    search.want_lines(lines);
    search.run(Effort::of(depth.clamp(1, DEEPEST)), overseer)
}

/// Steps until the overseer has enough, nothing is left to do, or the tree is `depth` plies deep and the probes' depth is added.
fn step_to_the_end(
    search: &mut Search<'_, ChessDomain>,
    lines: usize,
    depth: u32,
    overseer: &mut impl Overseer<Move, Score>,
) -> Termination {
    let mut told = 0;
    loop {
        let step = match search.step(overseer) {
            Ok(step) => step,
            Err(Interrupted) => return Termination::Stopped,
        };
        let counters = *search.counters();
        let separated = step == Step::Separated;
        if separated || counters.steps() >= told + told.clamp(1, STEPS_A_REPORT) {
            told = counters.steps();
            let progress = progress_of(search, lines, separated);
            if progress.is_some_and(|progress| overseer.progress(&progress) == Verdict::Finish) {
                return if separated { Termination::Separated } else { Termination::Budget };
            }
        }
        match step {
            Step::Separated if !search.widen() => return Termination::Separated,
            Step::OnlyMove => return Termination::OnlyMove,
            Step::NoMove => return Termination::Budget,
            _ if counters.depth + u32::from(STEPWISE_DEPTH) > depth => return Termination::Budget,
            _ => {}
        }
    }
}

/// The state of a stepwise search in the terms of the settled one's. With several lines the order is that of the realistic
/// values, and the first one's move is the best; with one it is the move nearest to separation.
fn progress_of(
    search: &Search<'_, ChessDomain>,
    lines: usize,
    separated: bool,
) -> Option<Progress<Move, Score>> {
    let decision = search.decide(Termination::Budget);
    let nearest = decision.best?.action;
    let mut moves: Vec<_> = search.moves().iter().map(|root_move| candidate(search, root_move)).collect();
    moves.sort_by_key(|candidate| {
        let nearest = candidate.action == nearest;
        if lines > 1 {
            (Reverse(candidate.estimate.expected()), !nearest)
        } else {
            (Reverse(Score::DRAW), !nearest)
        }
    });
    let best = *moves.first()?;
    let line = |first: Move| {
        let child =
            search.moves().iter().find(|root_move| root_move.action == first).map(|found| found.child);
        child.map_or_else(|| vec![first], |child| expected_line(search.graph(), first, child))
    };
    let other = |candidate: &Candidate<Move, Score>| Alternative {
        action: candidate.action,
        estimate: candidate.estimate,
        belief: candidate.belief,
        line: line(candidate.action),
    };
    let rivals = moves.iter().filter(|candidate| candidate.action != best.action);
    let rival = rivals.max_by_key(|candidate| (candidate.belief.upper(), candidate.belief.lower()));
    let counters = decision.counters;
    let depth = counters.depth + u32::from(STEPWISE_DEPTH);
    Some(Progress {
        effort: Effort::of(u16::try_from(depth).unwrap_or(u16::MAX)),
        phase: match search.last_strategy() {
            Strategy::ProveBest => Phase::ProveBest,
            Strategy::DisproveRest => Phase::DisproveRest,
        },
        action: best.action,
        estimate: best.estimate,
        belief: best.belief,
        rival: rival.map(|rival| (rival.action, rival.belief)),
        separated,
        widenings: u32::try_from(counters.widenings).unwrap_or(u32::MAX),
        tally: Tally {
            expansions: counters.expansions,
            unexpanded: counters.in_vain,
            prove_best: counters.prove_best,
            disprove_rest: counters.disprove_rest,
            violations: counters.violations,
        },
        nodes: search.graph().node_count(),
        line: line(best.action),
        others: moves.iter().skip(1).take(lines.saturating_sub(1)).map(other).collect(),
        moves,
        bytes: search.graph().bytes_in_use(),
        reach: search.domain().reach(),
    })
}

fn candidate(search: &Search<'_, ChessDomain>, root_move: &search::RootMove<Move>) -> Candidate<Move, Score> {
    let estimate = search.estimate(root_move);
    let spent = Spent { action: root_move.action, work: root_move.work, expansions: root_move.steps };
    Candidate { action: root_move.action, estimate, belief: estimate.belief, spent }
}

/// `first`, then at each expanded node the move that is expected to be best for the side to move there.
fn expected_line(graph: &Graph<Score, Move>, first: Move, child: NodeId) -> Vec<Move> {
    let mut line = vec![first];
    let mut node = child;
    while let Some(edge) = graph.edges(node).iter().min_by_key(|edge| graph.estimate(edge.child).expected()) {
        line.push(edge.action);
        node = edge.child;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::settled::root::{Progress, Verdict};
    use crate::bstar::{Interrupted, Monitor};
    use crate::chess::line::principal_line;

    struct Nodes {
        spent: u64,
        limit: u64,
        last: Option<Progress<Move, Score>>,
    }

    impl Monitor for Nodes {
        fn work(&mut self, units: u64) -> Result<(), Interrupted> {
            self.spent += units;
            if self.spent < self.limit { Ok(()) } else { Err(Interrupted) }
        }
    }

    impl Overseer<Move, Score> for Nodes {
        fn progress(&mut self, progress: &Progress<Move, Score>) -> Verdict {
            self.last = Some(progress.clone());
            Verdict::Continue
        }
        fn wants_separation(&self) -> bool {
            false
        }
    }

    fn think(fen: &str, settings: Settings, limit: u64, only: &[&str]) -> (Outcome<Move, Score>, Nodes) {
        let position = Position::from_board(fen.parse().unwrap());
        let mut search = TreeSearch::new(Arc::new(Table::new(4 << 20)), 1 << 20);
        let mut overseer = Nodes { spent: 0, limit, last: None };
        let only: Vec<Move> = only.iter().map(|action| action.parse().unwrap()).collect();
        let outcome = search.search(&position, &only, settings, 60, &mut overseer);
        assert_eq!(search.domain.probe().path_ply(), 0, "the cursor is back");
        (outcome, overseer)
    }

    fn all_settings() -> impl Iterator<Item = Settings> {
        ChessPolicy::all().flat_map(|policy| {
            IntervalModel::ALL.into_iter().map(move |model| Settings { policy, model, lines: 1 })
        })
    }

    const MATE_IN_TWO: &str = "r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w - - 1 1";

    #[test]
    fn every_policy_and_model_sees_a_mate_in_one() {
        for settings in all_settings() {
            let (outcome, _) = think("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", settings, 30_000, &[]);
            assert_eq!(outcome.action.unwrap().to_string(), "b1b8", "{settings:?}");
            assert_eq!(outcome.estimate.expected(), Score::mate_at(1), "{settings:?}");
        }
    }

    #[test]
    fn a_mate_in_two_is_a_fact() {
        let (outcome, _) = think(MATE_IN_TWO, Settings::default(), 200_000, &[]);
        assert_eq!(outcome.action.unwrap().to_string(), "f5g6");
        assert_eq!(outcome.estimate.searched.lower(), Score::mate_at(3));
        assert!(outcome.estimate.lower_effort.is_proven());
    }

    #[test]
    fn the_same_search_has_the_same_nodes() {
        let fen = "r1bqk2r/p1pp1ppp/2p2n2/8/1b2P3/2N5/PPP2PPP/R1BQKB1R w KQkq - 2 7";
        for settings in all_settings() {
            let [one, other] = [(); 2].map(|()| think(fen, settings, 12_000, &[]));
            let known = |(outcome, nodes): &(Outcome<Move, Score>, Nodes)| {
                (outcome.action, outcome.estimate, nodes.spent)
            };
            assert_eq!(known(&one), known(&other));
            assert!(one.0.action.is_some(), "{settings:?}");
        }
    }

    #[test]
    fn only_the_given_root_moves_are_chosen_from() {
        for settings in all_settings() {
            for only in [&["g2g3", "h2h4"] as &[_], &["g2g3"]] {
                let (outcome, _) = think(MATE_IN_TWO, settings, 8_000, only);
                assert!(only.contains(&outcome.action.unwrap().to_string().as_str()), "{settings:?}");
            }
        }
    }

    /// A search of a hopeless choice of moves must not teach later ones that the position is hopeless.
    #[test]
    fn a_search_of_some_moves_says_nothing_of_the_position() {
        let play = |moves: &[&str]| {
            let mut position = Position::startpos();
            moves.iter().for_each(|action| position.play(action.parse().unwrap()));
            position
        };
        let mut search = TreeSearch::new(Arc::new(Table::new(4 << 20)), 1 << 20);
        let mut overseer = Nodes { spent: 0, limit: 60_000, last: None };
        let only: Vec<Move> = vec!["h5f7".parse().unwrap()];
        let after = play(&["e2e4", "e7e5", "d1h5", "b8c6"]);
        let poor = search.search(&after, &only, Settings::default(), 9, &mut overseer);
        assert!(poor.estimate.expected() < Score::centipawns(-300), "{:?}", poor.estimate);
        let mut overseer = Nodes { spent: 0, limit: 60_000, last: None };
        let before = play(&["e2e4", "e7e5", "d1h5"]);
        let found = search.search(&before, &[], Settings::default(), 8, &mut overseer);
        assert!(found.estimate.expected() < Score::centipawns(300), "{:?}", found.estimate);
    }

    #[test]
    fn the_stored_line_of_a_mate_is_legal_and_no_longer_than_it() {
        let (_, overseer) = think(MATE_IN_TWO, Settings::default(), 200_000, &[]);
        let position = Position::from_board(MATE_IN_TWO.parse().unwrap());
        let line = principal_line(&position, &overseer.last.unwrap().line, &Table::new(1 << 20));
        let mut last = position;
        line.iter().for_each(|&action| last.play(action));
        assert!((1..=3).contains(&line.len()));
    }

    /// The positions at which the prototype's tree collapsed: after a drop of the best move's main reply, a move known to
    /// be worthless was played, at a value from -90 down to a mate. Here, wherever the search is cut off, the move chosen is another
    /// one, with an exact value above that. From 24,000 nodes on g4c8 counts as worthless, too, which the prototype played in
    /// the first, and no value is below -50. With fewer nodes the queen's move g4h4 (+133 by Stockfish), the twin's choice, is
    /// hidden: a value of its reply that the table has from three plies is so high that reverse futility refutes g4h4 at once
    /// up to eight plies below the root; g4d1 or g4c8 (-70, -31) are chosen until a deepening passes that.
    #[test]
    fn the_collapse_positions_do_not_collapse() {
        for (fen, worthless, worthless_later) in [
            ("8/k5p1/Pb1p4/1Q2p2p/2n3qN/2B1P3/5PP1/6K1 b - - 0 1", &["b6c5"][..], &["b6c5", "g4c8"][..]),
            ("2Q2bk1/p6p/1p4p1/PP6/4qP2/6P1/2p2K1P/8 b - - 0 1", &["e4d3", "e4f3"], &["e4d3", "e4f3"]),
        ] {
            for limit in (2..=20).map(|step| step * 3_000) {
                let (worthless, least) =
                    if limit < 24_000 { (worthless, -90) } else { (worthless_later, -50) };
                let (outcome, overseer) = think(fen, Settings::default(), limit, &[]);
                let chosen = outcome.action.unwrap().to_string();
                assert!(!worthless.contains(&chosen.as_str()), "{fen} {limit}: {chosen}");
                let found = outcome.estimate.searched;
                assert!(found.lower() > Score::centipawns(least), "{fen} {limit}: {chosen} {found:?}");
                assert!(overseer.last.unwrap().estimate.searched.is_exact());
            }
        }
    }
}

//! B\* on the worker's clock.

use super::patience::{doubt, patience};
use crate::bstar::settled::root::{Alternative, Candidate, Overseer, Phase, Progress, Verdict};
use crate::bstar::{Interrupted, Monitor, Value as _};
use crate::chess::line::{mate_line, principal_line};
use crate::chess::probe::Table;
use crate::chess::tree_search::Settings;
use crate::chess::{ChessPolicy, Position, Score, TreeSearch};
use crate::engine::protocol::Bound;
use crate::engine::searcher::{
    Ending, Finding, MoveFinding, MoveStatus, OtherLine, Request, RootFinding, Watch,
};
use cozy_chess::Move;
use std::sync::Arc;

/// The part of the soft budget before which a separation does not end the search but widens the intervals. The
/// prototype that found such a stop to cost nothing asked for 40 % (100 games, 2026-11).
const SEPARATION_FLOOR: f64 = 0.4;

/// The part of the soft budget from which rivals are asked whether they are separated. A separation before
/// [`SEPARATION_FLOOR`] widens the intervals, one after it ends the search. Without a soft budget nothing is gained by asking.
const SEPARATION_TRIAL: f64 = 0.25;

/// Nodes: a larger tree is not counted to its end when a search is over, for that is time on the clock: this many take a
/// millisecond or less.
const LARGEST_TREE: usize = 10_000;

/// Searches by B\*.
pub fn search(tree: &mut TreeSearch, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    let options = request.options;
    let settings = Settings { policy: options.policy, model: options.interval_model, lines: request.lines };
    let most = u32::from(u16::MAX);
    let depth = u16::try_from(request.depth.unwrap_or(most).min(most)).unwrap_or(u16::MAX);
    let table = Arc::clone(tree.probe().table());
    let mut told = Told {
        position: request.position,
        table: &table,
        graph_budget: tree.graph().budget(),
        watch,
        settled: options.policy == ChessPolicy::Settled,
        stable: None,
        last: None,
    };
    let outcome = tree.search(request.position, request.root_moves, settings, depth, &mut told);
    if request.lines > 1 {
        // Several lines are of one moment: what came after the last complete set does not count.
        return told.last.take().or_else(|| lines_at_first_sight(tree, request));
    }
    let ending = Ending {
        termination: outcome.termination,
        tree_nodes: tree.graph().tree_size(LARGEST_TREE) as u64,
        spent: told.watch.spent(),
    };
    let chosen = outcome.action?;
    // Where the search was cut off the incumbent may have moved on since it was last told.
    let last = told.last.take();
    let moves = last.as_ref().map_or_else(Vec::new, |finding| led_by(chosen, &finding.moves));
    let before = last.filter(|finding| finding.line.first() == Some(&chosen));
    let line = before
        .as_ref()
        .map_or_else(|| principal_line(request.position, &[chosen], &table), |finding| finding.line.clone());
    let depth = u32::from(outcome.estimate.effort().units()).min(most - 1);
    // An expected value that the interruption left as a lower bound is all the same told as exact: programs take the
    // first move of the last exact line for the one to be played.
    Some(Finding {
        depth: before.as_ref().map_or(depth.max(1), |finding| finding.depth),
        selective_depth: before.as_ref().map_or(depth.max(1), |finding| finding.selective_depth),
        score: outcome.estimate.expected(),
        bound: Bound::Exact,
        line,
        hash_full: table.permille_full(),
        root: before
            .and_then(|finding| finding.root)
            .map(|root| RootFinding { ending: Some(ending), ..root }),
        others: Vec::new(),
        moves,
    })
}

/// The root moves as they were last told, with `chosen` as the best.
fn led_by(chosen: Move, told: &[MoveFinding]) -> Vec<MoveFinding> {
    let mut moves = told.to_vec();
    if moves.first().is_some_and(|first| first.action != chosen) {
        for found in &mut moves {
            found.status = if found.action == chosen { MoveStatus::Best } else { MoveStatus::Open };
        }
        moves.sort_by_key(|found| found.action != chosen);
    }
    moves
}

/// As many lines as are wanted when the search was interrupted before it had them: by the static values.
fn lines_at_first_sight(tree: &mut TreeSearch, request: &Request<'_>) -> Option<Finding> {
    let mut judged = tree.static_values(request.root_moves);
    judged.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
    let mut lines = judged.into_iter().take(request.lines).map(|(action, score)| OtherLine {
        score,
        line: vec![action],
        interval: None,
    });
    let first = lines.next()?;
    Some(Finding { others: lines.collect(), ..Finding::of_one_move(first.score, first.line) })
}

/// The worker's watch as the tree's overseer.
struct Told<'a> {
    position: &'a Position,
    table: &'a Table,
    /// Bytes that the graph may take.
    graph_budget: usize,
    watch: &'a mut dyn Watch,
    /// The policy is a settled one, which deepens.
    settled: bool,
    /// The best move of the last deepening, and for how many deepenings in a row it has been that.
    stable: Option<(Move, u32)>,
    last: Option<Finding>,
}

impl Monitor for Told<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.watch.work(units)
    }

    fn allowance(&self) -> u64 {
        self.watch.allowance()
    }
}

impl Overseer<Move, Score> for Told<'_> {
    fn progress(&mut self, progress: &Progress<Move, Score>) -> Verdict {
        let patience = self.patience(progress);
        let finding = self.finding(progress);
        self.last = Some(finding.clone());
        self.watch.report(finding);
        let spent = |part: f64| self.watch.spent().is_some_and(|spent| spent >= part);
        let separated = progress.separated && spent(SEPARATION_FLOOR);
        // A mate that was looked for to twice its distance will hardly get nearer.
        let ply = self.position.game_ply();
        let mate = progress.estimate.expected().mate_in_moves(ply).filter(|&moves| moves > 0);
        let mated = mate.is_some_and(|moves| 4 * moves <= i32::from(progress.effort.units())) && spent(0.0);
        if separated || mated || spent(patience) { Verdict::Finish } else { Verdict::Continue }
    }

    fn wants_separation(&self) -> bool {
        self.watch.spent().is_some_and(|spent| spent >= SEPARATION_TRIAL)
    }
}

impl Told<'_> {
    /// The part of the soft budget after which no question is begun.
    fn patience(&mut self, progress: &Progress<Move, Score>) -> f64 {
        if !self.settled {
            return 1.0;
        }
        if progress.phase == Phase::ProveBest {
            let before = self.stable.filter(|(action, _)| *action == progress.action);
            self.stable = Some((progress.action, before.map_or(0, |(_, deepenings)| deepenings) + 1));
        }
        let total: u64 = progress.moves.iter().map(|candidate| candidate.spent.work).sum();
        let best = progress.moves.iter().find(|candidate| candidate.action == progress.action);
        let share = best.map_or(0, |best| best.spent.work) as f64 / total.max(1) as f64;
        let overlap = progress.rival.map_or(0, |(_, rival)| {
            rival.upper().to_centipawns().saturating_sub(progress.belief.lower().to_centipawns())
        });
        patience(share, self.stable.map_or(1, |(_, deepenings)| deepenings))
            * doubt(overlap, progress.moves.len())
    }

    fn finding(&self, progress: &Progress<Move, Score>) -> Finding {
        let depth = u32::from(progress.effort.units()).max(1);
        let line = self.line(&progress.line, progress.estimate.expected());
        Finding {
            depth,
            selective_depth: depth.max(progress.reach),
            score: progress.estimate.expected(),
            bound: Bound::Exact,
            line,
            hash_full: self.permille_full(progress.bytes),
            root: Some(RootFinding {
                best: progress.belief,
                rival: progress.rival,
                strategy: match progress.phase {
                    Phase::ProveBest => "prove-best",
                    Phase::DisproveRest => "disprove-rest",
                },
                separated: progress.separated,
                tally: progress.tally,
                graph_nodes: progress.nodes as u64,
                line_plies: u32::try_from(progress.line.len()).unwrap_or(u32::MAX),
                ending: None,
            }),
            others: progress.others.iter().map(|other| self.other(other)).collect(),
            moves: moves_of(progress),
        }
    }

    fn other(&self, other: &Alternative<Move, Score>) -> OtherLine {
        let score = other.estimate.expected();
        OtherLine { score, line: self.line(&other.line, score), interval: Some(other.belief) }
    }

    fn line(&self, stored: &[Move], score: Score) -> Vec<Move> {
        mate_line(self.position, principal_line(self.position, stored, self.table), score, self.table)
    }

    /// Graph and table together: `graph` is what the graph takes, in bytes.
    fn permille_full(&self, graph: usize) -> u32 {
        let table = u64::from(self.table.permille_full()) * self.table.bytes() as u64;
        let all = (self.table.bytes() + self.graph_budget) as u64;
        u32::try_from((table + 1000 * graph as u64) / all.max(1)).unwrap_or(1000).min(1000)
    }
}

/// How the root moves stand, the best first, then by what they may be worth.
fn moves_of(progress: &Progress<Move, Score>) -> Vec<MoveFinding> {
    let finding = |candidate: &Candidate<Move, Score>| {
        let Candidate { action, estimate, belief, spent } = *candidate;
        let status = match action == progress.action {
            true if progress.separated => MoveStatus::Separated,
            true => MoveStatus::Best,
            false if progress.belief.separated_from(belief) => MoveStatus::Out,
            false => MoveStatus::Open,
        };
        let known = |end: Score| end > Score::MIN && end < Score::MAX;
        let searched = estimate.searched;
        let bound = match (known(searched.lower()), known(searched.upper())) {
            _ if searched.is_exact() => Some(Bound::Exact),
            (true, false) => Some(Bound::Lower),
            (false, true) => Some(Bound::Upper),
            (false, false) => None,
            _ if estimate.upper_effort > estimate.lower_effort => Some(Bound::Upper),
            _ => Some(Bound::Lower),
        };
        let effort = match bound {
            Some(Bound::Upper) => estimate.upper_effort,
            Some(Bound::Lower) => estimate.lower_effort,
            _ => estimate.effort(),
        };
        MoveFinding {
            action,
            interval: Some(belief),
            realistic: bound.map(|bound| (estimate.expected(), bound)),
            // A fact counts as deep as the whole search.
            depth: if effort.is_proven() { progress.effort } else { effort.above() }.units().into(),
            expansions: spent.expansions,
            nodes: spent.work,
            status,
        }
    };
    let mut moves: Vec<_> = progress.moves.iter().map(finding).collect();
    moves.sort_by_key(|found| {
        let upper = found.interval.map(|interval| (interval.upper(), interval.lower()));
        std::cmp::Reverse((found.action == progress.action, upper))
    });
    moves
}

//! B\* on the worker's clock.

use crate::bstar::settled::root::{Overseer, Phase, Progress, Verdict};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::probe::Table;
use crate::chess::tree_search::{Settings, principal_line};
use crate::chess::{ChessPolicy, Position, Score, TreeSearch};
use crate::engine::protocol::Bound;
use crate::engine::searcher::{Finding, Request, RootFinding, Watch};
use cozy_chess::Move;
use std::sync::Arc;

/// The part of the soft budget before which a separation does not end the search but widens the intervals. The
/// prototype that found such a stop to cost nothing asked for 40 % (100 games, 2026-11).
const SEPARATION_FLOOR: f64 = 0.4;

/// The part of the soft budget from which rivals are asked whether they are separated. A separation before
/// [`SEPARATION_FLOOR`] widens the intervals, one after it ends the search. Without a soft budget nothing is gained by asking.
const SEPARATION_TRIAL: f64 = 0.25;

/// The part of the soft budget after which the settled policies deepen no more: a deepening costs about as much
/// as all before it, so the mean use lies near the whole. Not tuned by matches yet.
const LAST_DEEPENING: f64 = 0.6;

/// Searches by B\*.
pub fn search(tree: &mut TreeSearch, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    let options = request.options;
    let settings = Settings { policy: options.policy, model: options.interval_model };
    let most = u32::from(u16::MAX);
    let depth = u16::try_from(request.depth.unwrap_or(most).min(most)).unwrap_or(u16::MAX);
    let table = Arc::clone(tree.probe().table());
    let mut told = Told {
        position: request.position,
        table: &table,
        watch,
        patience: match options.policy {
            ChessPolicy::Settled => LAST_DEEPENING,
            ChessPolicy::Stepwise(_) => 1.0,
        },
        last: None,
    };
    let outcome = tree.search(request.position, request.root_moves, settings, depth, &mut told);
    let chosen = outcome.action?;
    // Where the search was cut off the incumbent may have moved on since it was last told.
    let before = told.last.take().filter(|finding| finding.line.first() == Some(&chosen));
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
        root: before.and_then(|finding| finding.root),
    })
}

/// The worker's watch as the tree's overseer.
struct Told<'a> {
    position: &'a Position,
    table: &'a Table,
    watch: &'a mut dyn Watch,
    /// The part of the soft budget after which no question is begun.
    patience: f64,
    last: Option<Finding>,
}

impl Monitor for Told<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.watch.work(units)
    }
}

impl Overseer<Move, Score> for Told<'_> {
    fn progress(&mut self, progress: &Progress<Move, Score>) -> Verdict {
        let finding = self.finding(progress);
        self.last = Some(finding.clone());
        self.watch.report(finding);
        let spent = |part: f64| self.watch.spent().is_some_and(|spent| spent >= part);
        let separated = progress.separated && spent(SEPARATION_FLOOR);
        // A mate that was looked for to twice its distance will hardly get nearer.
        let ply = self.position.game_ply();
        let mate = progress.estimate.expected().mate_in_moves(ply).filter(|&moves| moves > 0);
        let mated = mate.is_some_and(|moves| 4 * moves <= i32::from(progress.effort.units())) && spent(0.0);
        if separated || mated || spent(self.patience) { Verdict::Finish } else { Verdict::Continue }
    }

    fn wants_separation(&self) -> bool {
        self.watch.spent().is_some_and(|spent| spent >= SEPARATION_TRIAL)
    }

    fn spent(&self) -> u64 {
        self.watch.nodes()
    }

    fn left(&self) -> Option<u64> {
        self.watch.nodes_left()
    }
}

impl Told<'_> {
    fn finding(&self, progress: &Progress<Move, Score>) -> Finding {
        let depth = u32::from(progress.effort.units()).max(1);
        let line = principal_line(self.position, &progress.line, self.table);
        let length = u32::try_from(line.len()).unwrap_or(u32::MAX);
        Finding {
            depth,
            selective_depth: depth.max(length),
            score: progress.estimate.expected(),
            bound: Bound::Exact,
            line,
            hash_full: self.table.permille_full(),
            root: Some(RootFinding {
                best: progress.belief,
                rival: progress.rival,
                strategy: match progress.phase {
                    Phase::ProveBest => "prove-best",
                    Phase::DisproveRest => "disprove-rest",
                    Phase::Verify => "verify",
                },
                separated: progress.separated,
                tally: progress.tally,
                graph_nodes: progress.nodes as u64,
                line_plies: u32::try_from(progress.line.len()).unwrap_or(u32::MAX),
            }),
        }
    }
}

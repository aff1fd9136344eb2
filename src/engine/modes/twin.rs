//! The alpha-beta twin on the worker's clock.

use super::{Shared, plies};
use crate::chess::Score;
use crate::chess::probe::{self, Probe, RootMoves};
use crate::chess::twin::{self, Iteration, TwinLimits};
use crate::engine::protocol::Bound;
use crate::engine::searcher::{Finding, Request, Watch};
use std::cell::RefCell;
use std::sync::Arc;

/// Searches by alpha-beta.
pub fn search(probe: &mut Probe, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    let table = Arc::clone(probe.table());
    let ply = request.position.game_ply();
    let limits = TwinLimits {
        depth: request.depth.and_then(|plies| i32::try_from(plies).ok()).unwrap_or(i32::MAX),
        moves: RootMoves::Only(request.root_moves),
    };
    // The twin counts nodes by one hand and reports by the other; both are the worker's.
    let watch = RefCell::new(watch);
    let mut selective_depth = 1;
    let choice = twin::think(probe, request.position, limits, &mut Shared(&watch), |iteration| {
        let finding = finding_of(iteration, ply, table.permille_full());
        selective_depth = finding.selective_depth;
        let mut watch = watch.borrow_mut();
        watch.report(finding);
        iteration.bound != probe::Bound::Exact
            || watch.spent().is_none_or(|spent| spent < patience(iteration))
    });
    choice.best?;
    // A move that failed high when the search was interrupted has only a lower bound, which was told as one. The last
    // word is all the same told as exact: programs take the first move of the last exact line for the one to be played.
    Some(Finding {
        depth: plies(choice.depth),
        selective_depth,
        score: Score::from_probe(choice.value, ply),
        bound: Bound::Exact,
        line: choice.line,
        hash_full: table.permille_full(),
        root: None,
    })
}

/// The part of the soft budget after which this iteration is the last. The more of the work went below the best
/// move, and the longer it has been the best, the sooner; a fresh change of mind may take more than the whole.
/// An iteration costs about as much as all before it, so the mean lies well below 1. Not tuned by matches yet.
fn patience(iteration: &Iteration) -> f64 {
    let by_work = 1.6 - iteration.best_share.clamp(0.0, 1.0);
    let by_stability = match iteration.stability {
        0 | 1 => 1.3,
        2 => 1.1,
        3 => 0.95,
        4 => 0.85,
        _ => 0.75,
    };
    0.75 * by_work * by_stability
}

fn finding_of(iteration: &Iteration, ply: usize, hash_full: u32) -> Finding {
    Finding {
        depth: plies(iteration.depth),
        selective_depth: u32::try_from(iteration.seldepth).unwrap_or(u32::MAX),
        score: Score::from_probe(iteration.value, ply),
        bound: match iteration.bound {
            probe::Bound::Exact => Bound::Exact,
            probe::Bound::Lower => Bound::Lower,
            probe::Bound::Upper => Bound::Upper,
        },
        line: iteration.line.clone(),
        hash_full,
        root: None,
    }
}

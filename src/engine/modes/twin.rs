//! The alpha-beta twin on the worker's clock.

use super::patience::patience;
use super::{Shared, plies};
use crate::chess::line::mate_line;
use crate::chess::probe::{self, Probe, RootMoves};
use crate::chess::twin::{self, Iteration, Ranked, TwinLimits};
use crate::chess::{Position, Score};
use crate::engine::protocol::Bound;
use crate::engine::searcher::{Finding, MoveFinding, MoveStatus, OtherLine, Request, Watch};
use cozy_chess::Move;
use std::cell::RefCell;
use std::sync::Arc;

/// Searches by alpha-beta.
pub fn search(probe: &mut Probe, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    let table = Arc::clone(probe.table());
    let ply = request.position.game_ply();
    let limits = TwinLimits {
        depth: request.depth.and_then(|plies| i32::try_from(plies).ok()).unwrap_or(i32::MAX),
        moves: permitted(request.position, request.root_moves),
        lines: request.lines,
    };
    // The twin counts nodes by one hand and reports by the other; both are the worker's.
    let watch = RefCell::new(watch);
    let (mut selective_depth, mut moves) = (1, Vec::new());
    let choice = twin::think(probe, request.position, limits, &mut Shared(&watch), |iteration| {
        let mut finding = finding_of(iteration, ply, table.permille_full());
        finding.line = mate_line(request.position, finding.line, finding.score, &table);
        (selective_depth, moves) = (finding.selective_depth, finding.moves.clone());
        let mut watch = watch.borrow_mut();
        // A bound is of one line: where several are wanted, they are told together.
        if request.lines == 1 || iteration.bound == probe::Bound::Exact {
            watch.report(finding);
        }
        iteration.bound != probe::Bound::Exact
            || watch.spent().is_none_or(|spent| spent < patience(iteration.best_share, iteration.stability))
    });
    choice.best?;
    let score = Score::from_probe(choice.value, ply);
    // A move that failed high, or beat the best, when the search was interrupted has only a lower bound. The last
    // word is all the same told as exact: programs take the first move of the last exact line for the one to be played.
    Some(Finding {
        depth: plies(choice.depth),
        selective_depth,
        score,
        bound: Bound::Exact,
        line: mate_line(request.position, choice.line, score, &table),
        hash_full: table.permille_full(),
        root: None,
        others: others_of(&choice.others, ply),
        moves,
    })
}

/// The permitted moves as the probe wants them: a root of some moves only says nothing of the position, and stays out of the
/// table; one of all does not.
pub fn permitted<'a>(position: &Position, moves: &'a [Move]) -> RootMoves<'a> {
    if moves.len() == position.legal_moves().len() { RootMoves::All } else { RootMoves::Only(moves) }
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
        others: others_of(&iteration.others, ply),
        moves: moves_of(iteration, ply),
    }
}

fn others_of(ranked: &[Ranked], ply: usize) -> Vec<OtherLine> {
    let other = |ranked: &Ranked| OtherLine {
        score: Score::from_probe(ranked.value, ply),
        line: ranked.line.clone(),
        interval: None,
    };
    ranked.iter().map(other).collect()
}

/// The root moves by the nodes that went below them, the best first. Only those that have a line have a value.
fn moves_of(iteration: &Iteration, ply: usize) -> Vec<MoveFinding> {
    let best = iteration.line.first();
    let value = |action: Move| {
        if best == Some(&action) {
            let bound = match iteration.bound {
                probe::Bound::Exact => Bound::Exact,
                probe::Bound::Lower => Bound::Lower,
                probe::Bound::Upper => Bound::Upper,
            };
            return Some((Score::from_probe(iteration.value, ply), bound));
        }
        let other = iteration.others.iter().find(|ranked| ranked.line.first() == Some(&action))?;
        Some((Score::from_probe(other.value, ply), Bound::Exact))
    };
    let mut effort = iteration.effort.clone();
    effort.sort_by_key(|&(action, nodes)| std::cmp::Reverse((Some(&action) == best, nodes)));
    let finding = |(action, nodes)| MoveFinding {
        action,
        interval: None,
        realistic: value(action),
        depth: plies(iteration.depth),
        expansions: 0,
        nodes,
        status: if Some(&action) == best { MoveStatus::Best } else { MoveStatus::Open },
    };
    effort.into_iter().map(finding).collect()
}

//! [`Modes`]: the engine's own [`Searcher`]: the search modes behind the one seam, with the memory that they share.

use super::options::Options;
use super::protocol::Bound;
use super::searcher::{Evaluation, Finding, Request, Searcher, Watch};
use crate::bstar::{Interrupted, Interval, Monitor};
use crate::chess::probe::{self, Probe, RootMoves, Table};
use crate::chess::twin::{self, Iteration, TwinLimits};
use crate::chess::{Position, Score};
use std::cell::RefCell;
use std::sync::Arc;

/// Bytes in a MiB.
const MIB: usize = 1 << 20;

/// All searches with their memory.
#[derive(Default)]
pub struct Modes {
    /// Made when first needed: nothing large is allocated for a program that only says who it is.
    probe: Option<Probe>,
}

impl Modes {
    /// A boxed one, as the worker wants it.
    pub fn boxed() -> Box<dyn Searcher> {
        Box::new(Self::default())
    }

    fn table_mib(&self) -> Option<usize> {
        self.probe.as_ref().map(|probe| probe.table().bytes() / MIB)
    }

    /// The probe, with a table as large as the options ask or, if there is not so much, the least.
    fn probe(&mut self, options: &Options) -> &mut Probe {
        self.probe.get_or_insert_with(|| {
            Probe::new(allocate(options.hash_mib).unwrap_or_else(|| Arc::new(Table::new(MIB))))
        })
    }
}

/// A table of so many MiB, if there is so much memory.
fn allocate(mib: u32) -> Option<Arc<Table>> {
    Table::try_new(usize::try_from(mib).ok()?.checked_mul(MIB)?).map(Arc::new)
}

impl Searcher for Modes {
    fn prepare(&mut self, options: &Options) -> Result<(), String> {
        let wanted = options.hash_mib;
        let before = self.table_mib();
        if before == usize::try_from(wanted).ok() {
            return Ok(());
        }
        // The old table goes first: both at once could be more than there is.
        self.probe = None;
        if let Some(table) = allocate(wanted) {
            self.probe = Some(Probe::new(table));
            return Ok(());
        }
        let kept = before.and_then(|mib| u32::try_from(mib).ok()).unwrap_or(1);
        self.probe(&Options { hash_mib: kept, ..options.clone() });
        Err(format!("there are no {wanted} MiB for Hash; it stays at {kept}"))
    }

    fn clear(&mut self) {
        if let Some(probe) = &mut self.probe {
            probe.table().clear();
            probe.new_game();
        }
    }

    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
        alpha_beta(self.probe(request.options), request, watch)
    }

    fn evaluate(&mut self, position: &Position, options: &Options) -> Evaluation {
        let probe = self.probe(options);
        probe.set_position(position);
        let score = Score::from_probe(probe.static_value(), position.game_ply());
        Evaluation { score, interval: Interval::exact(score) }
    }
}

/// The alpha-beta twin on the worker's clock.
fn alpha_beta(probe: &mut Probe, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    let table = Arc::clone(probe.table());
    table.new_search();
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
    (choice.depth > 0).then(|| Finding {
        depth: plies(choice.depth),
        selective_depth,
        score: Score::from_probe(choice.value, ply),
        bound: Bound::Exact,
        line: choice.line,
        hash_full: table.permille_full(),
        root: None,
    })
}

/// The part of the soft budget after which this iteration is the last. The more of the work went below the best move,
/// and the longer it has been the best, the sooner; a fresh change of mind may take more than the whole. An iteration costs
/// about as much as all before it, so the mean lies well below 1. Not tuned by matches yet.
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

fn plies(depth: i32) -> u32 {
    u32::try_from(depth).unwrap_or(0).max(1)
}

/// One hand on the worker's watch.
struct Shared<'a, 'b>(&'a RefCell<&'b mut dyn Watch>);

impl Monitor for Shared<'_, '_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0.borrow_mut().work(units)
    }
}

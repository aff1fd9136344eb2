//! [`Modes`]: the engine's own [`Searcher`]: the search modes behind the one seam, with the memory that they
//! share.

mod patience;
mod tree;
mod twin;

use super::options::{Options, SearchMode};
use super::searcher::{Evaluation, Finding, Request, Searcher, Watch};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::eval::network::Network;
use crate::chess::probe::Table;
use crate::chess::{Position, Score, TreeSearch};
use cozy_chess::Color;
use std::cell::RefCell;
use std::sync::Arc;

/// Bytes in a MiB.
const MIB: usize = 1 << 20;

/// One part in so many of the memory is the graph's, the rest the probes' table. The settled policies store
/// little more than the principal line; the stepwise ones run on when their graph is full. Not tuned by matches
/// yet.
const GRAPH_SHARE: usize = 8;

/// All searches with their memory.
#[derive(Default)]
pub struct Modes {
    /// Made when first needed: nothing large is allocated for a program that only says who it is.
    memory: Option<Memory>,
    /// MiB that the machine did not have when they were last asked for: asking again would cost what was learned.
    refused: Option<u32>,
}

/// The memory that all modes share: the twin uses the tree's own probe, so neither has more than the other.
struct Memory {
    tree: TreeSearch,
    mib: u32,
    network: Arc<Network>,
    /// What a draw is worth to White, in centipawns.
    draw_for_white: i32,
}

impl Memory {
    /// So many MiB, if the machine has them.
    fn of(mib: u32) -> Option<Self> {
        let bytes = usize::try_from(mib).ok()?.checked_mul(MIB)?;
        let graph = bytes / GRAPH_SHARE;
        let table = Arc::new(Table::try_new(bytes - graph)?);
        Some(Self {
            tree: TreeSearch::new(table, graph),
            mib,
            network: Network::embedded(),
            draw_for_white: 0,
        })
    }

    /// The least there is; every machine that could start the program has it.
    fn least() -> Self {
        let graph = MIB / GRAPH_SHARE;
        let table = Arc::new(Table::new(MIB - graph));
        Self { tree: TreeSearch::new(table, graph), mib: 1, network: Network::embedded(), draw_for_white: 0 }
    }

    /// What a draw is worth to White from now on. What was learned with another worth is forgotten: it lies in all values.
    fn set_draw_for_white(&mut self, value: i32) {
        if self.draw_for_white != value {
            self.draw_for_white = value;
            self.tree.probe().set_draw_for_white(value);
            self.tree.clear();
            self.tree.probe().table().clear();
        }
    }

    /// Evaluates with this network from now on; all that was learned with another one is forgotten.
    fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            self.network = Arc::clone(network);
            self.tree.set_network(Arc::clone(network));
            self.tree.probe().table().clear();
        }
    }
}

impl Modes {
    /// A boxed one, as the worker wants it.
    pub fn boxed() -> Box<dyn Searcher> {
        Box::new(Self::default())
    }

    /// Memory of so many MiB, as [`Searcher::prepare`] has it.
    fn prepare_memory(&mut self, wanted: u32) -> Result<(), String> {
        let before = self.memory.as_ref().map(|memory| memory.mib);
        if before.is_some() && self.refused == Some(wanted) {
            return Ok(());
        }
        self.refused = None;
        if before == Some(wanted) {
            return Ok(());
        }
        // The old memory goes first: both at once could be more than there is.
        self.memory = None;
        self.memory = Memory::of(wanted);
        if self.memory.is_some() {
            return Ok(());
        }
        self.refused = Some(wanted);
        let usual = before.unwrap_or(Options::default().hash_mib);
        self.memory = Memory::of(usual);
        let kept = self.memory.get_or_insert_with(Memory::least).mib;
        Err(format!("there are no {wanted} MiB for Hash; it stays at {kept}"))
    }

    /// The memory, as large as it was prepared; one that was not is the least.
    fn tree(&mut self) -> &mut TreeSearch {
        &mut self.memory.get_or_insert_with(Memory::least).tree
    }
}

impl Searcher for Modes {
    fn prepare(&mut self, options: &Options) -> Result<(), String> {
        let enough = self.prepare_memory(options.hash_mib);
        self.memory.get_or_insert_with(Memory::least).set_network(&options.network);
        enough
    }

    fn clear(&mut self) {
        if let Some(Memory { tree, .. }) = &mut self.memory {
            tree.clear();
            tree.probe().table().clear();
        }
    }

    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
        request.options.dials.install();
        let sign = if request.position.board().side_to_move() == Color::White { -1 } else { 1 };
        let memory = self.memory.get_or_insert_with(Memory::least);
        memory.set_draw_for_white(sign * request.contempt);
        let tree = &mut memory.tree;
        tree.probe().table().new_search();
        match request.options.search_mode {
            SearchMode::BStar => tree::search(tree, request, watch),
            SearchMode::AlphaBeta => twin::search(tree.probe(), request, watch),
        }
    }

    fn evaluate(&mut self, position: &Position, options: &Options) -> Evaluation {
        options.dials.install();
        let tree = self.tree();
        tree.probe().set_position(position);
        let statically = Score::from_probe(tree.probe().static_value(), position.game_ply());
        let estimate = tree.at_a_glance(position, options.interval_model);
        Evaluation { statically, probed: estimate.expected(), interval: estimate.belief }
    }
}

/// A number of plies for the user.
fn plies(depth: i32) -> u32 {
    u32::try_from(depth).unwrap_or(0).max(1)
}

/// One hand on the worker's watch, where a search wants to count nodes by one and report by the other.
struct Shared<'a, 'b>(&'a RefCell<&'b mut dyn Watch>);

impl Monitor for Shared<'_, '_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.0.borrow_mut().work(units)
    }

    fn allowance(&self) -> u64 {
        self.0.borrow().allowance()
    }
}

#[cfg(test)]
mod tests;

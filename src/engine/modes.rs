//! [`Modes`]: the engine's own [`Searcher`]: the search modes behind the one seam, with the memory that they
//! share.

mod company;
mod patience;
mod tree;
mod twin;

use super::crew::Crew;
use super::options::{Options, SearchMode};
use super::searcher::{Evaluation, Finding, Request, Searcher, Watch};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::eval::network::Network;
use crate::chess::probe::Table;
use crate::chess::probe::busy::Busy;
use crate::chess::tablebase::Probing;
use crate::chess::{Position, Score, TreeSearch};
use company::{Company, same_search};
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
    /// What the machine did not have when it was last asked for: asking again would cost what was learned.
    refused: Option<Size>,
}

/// How large everything is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Size {
    mib: u32,
    threads: u32,
}

impl Size {
    const LEAST: Self = Self { mib: 1, threads: 1 };

    fn threads(self) -> usize {
        usize::try_from(self.threads).unwrap_or(1).max(1)
    }
}

/// The memory that all modes share: the twin uses the tree's own probe, so neither has more than the other.
struct Memory {
    tree: TreeSearch,
    /// The other workers, each with a probe and a small graph of its own.
    crew: Crew<TreeSearch>,
    size: Size,
    network: Arc<Network>,
    /// What a draw is worth to White, in centipawns.
    draw_for_white: i32,
    /// What rating is played for; `None` is full strength.
    elo: Option<u32>,
    /// The endgame tables that values were found with.
    tablebases: Option<Probing>,
}

impl Memory {
    /// So much, if the machine has it.
    fn of(size: Size, network: &Arc<Network>) -> Option<Self> {
        let bytes = usize::try_from(size.mib).ok()?.checked_mul(MIB)?;
        let table = Arc::new(Table::try_new(bytes - bytes / GRAPH_SHARE, size.threads())?);
        Some(Self::with_table(table, size, network))
    }

    /// The least there is; every machine that could start the program has it.
    fn least() -> Self {
        let table = Arc::new(Table::new(MIB - MIB / GRAPH_SHARE));
        Self::with_table(table, Size::LEAST, &Network::embedded())
    }

    fn with_table(table: Arc<Table>, size: Size, network: &Arc<Network>) -> Self {
        let graph = usize::try_from(size.mib).unwrap_or(1) * MIB / GRAPH_SHARE;
        let helpers = size.threads() - 1;
        if helpers == 0 {
            let tree = worker(&table, graph, network, None);
            return Self {
                tree,
                crew: Crew::none(),
                size,
                network: Arc::clone(network),
                draw_for_white: 0,
                elo: None,
                tablebases: None,
            };
        }
        // The search thread's graph is the one that answers; the helpers share what is left.
        let marks = Arc::new(Busy::new(size.threads()));
        let tree = worker(&table, graph / 2, network, Some(&marks));
        let share = graph / 2 / helpers;
        let theirs = Arc::clone(network);
        let crew = Crew::muster(helpers, move || worker(&table, share, &theirs, Some(&marks)));
        Self {
            tree,
            crew,
            size,
            network: Arc::clone(network),
            draw_for_white: 0,
            elo: None,
            tablebases: None,
        }
    }

    /// What a draw is worth to White from now on. What was learned with another worth is forgotten: it lies in all values.
    fn set_draw_for_white(&mut self, value: i32) {
        if self.draw_for_white != value {
            self.draw_for_white = value;
            self.tree.probe().set_draw_for_white(value);
            self.clear();
        }
    }

    /// What was learned at another strength is forgotten: a weak search is not to know what a strong one has seen.
    fn set_elo(&mut self, elo: Option<u32>) {
        if self.elo != elo {
            self.elo = elo;
            self.clear();
        }
    }

    /// What was learned with other endgame tables, or by other rules about them, is forgotten.
    fn set_tablebases(&mut self, tablebases: &Probing) {
        let wanted = (tablebases.tables.most_men() > 0).then(|| tablebases.clone());
        if self.tablebases != wanted {
            self.tablebases = wanted;
            self.clear();
        }
    }

    /// Evaluates with this network from now on; all that was learned with another one is forgotten.
    fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(&self.network, network) {
            let table = Arc::clone(self.tree.probe().table());
            // The helpers go before the table is cleared.
            self.crew = Crew::none();
            table.clear(self.size.threads());
            *self = Self::with_table(table, self.size, network);
        }
    }

    fn clear(&mut self) {
        self.crew.each(TreeSearch::clear);
        self.tree.clear();
        self.tree.probe().table().clear(self.size.threads());
    }

    /// Are there as many threads as were asked for?
    fn check_threads(&self) -> Result<(), String> {
        let there = self.crew.len() + 1;
        if there == self.size.threads() {
            return Ok(());
        }
        Err(format!("the system gives no {} threads; the search goes on with {there}", self.size.threads))
    }
}

/// The endgame tables that this search is to ask about positions below its root.
fn asked_tablebases(request: &Request<'_>) -> Option<Probing> {
    let tablebases = &request.options.tablebases;
    (request.ask_tablebases && tablebases.tables.most_men() > 0).then(|| tablebases.clone())
}

/// A worker's own memory.
fn worker(table: &Arc<Table>, graph: usize, network: &Arc<Network>, marks: Option<&Arc<Busy>>) -> TreeSearch {
    let mut tree = TreeSearch::new(Arc::clone(table), graph);
    tree.probe().join(marks.cloned());
    if !Arc::ptr_eq(network, &Network::embedded()) {
        tree.set_network(Arc::clone(network));
    }
    tree
}

impl Modes {
    /// A boxed one, as the worker wants it.
    pub fn boxed() -> Box<dyn Searcher> {
        Box::new(Self::default())
    }

    /// Memory and threads as wanted, as [`Searcher::prepare`] has it.
    fn prepare_memory(&mut self, wanted: Size, network: &Arc<Network>) -> Result<(), String> {
        let before = self.memory.as_ref().map(|memory| memory.size);
        if before.is_some() && self.refused == Some(wanted) {
            return Ok(());
        }
        self.refused = None;
        if before == Some(wanted) {
            return Ok(());
        }
        // The old memory goes first: both at once could be more than there is.
        self.memory = None;
        self.memory = Memory::of(wanted, network);
        if let Some(memory) = &self.memory {
            return memory.check_threads();
        }
        self.refused = Some(wanted);
        let usual = before.map_or(Options::default().hash_mib, |size| size.mib);
        self.memory = Memory::of(Size { mib: usual, ..wanted }, network);
        let kept = self.memory.get_or_insert_with(Memory::least).size.mib;
        Err(format!("there are no {} MiB for Hash; it stays at {kept}", wanted.mib))
    }

    /// The memory, as large as it was prepared; one that was not is the least.
    fn memory(&mut self) -> &mut Memory {
        self.memory.get_or_insert_with(Memory::least)
    }
}

impl Searcher for Modes {
    fn prepare(&mut self, options: &Options) -> Result<(), String> {
        let wanted = Size { mib: options.hash_mib, threads: options.threads };
        let enough = self.prepare_memory(wanted, &options.network);
        self.memory().set_network(&options.network);
        self.memory().set_tablebases(&options.tablebases);
        enough
    }

    fn clear(&mut self) {
        if let Some(memory) = &mut self.memory {
            memory.clear();
        }
    }

    fn search(&mut self, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
        request.options.dials.install();
        let sign = if request.position.board().side_to_move() == Color::White { -1 } else { 1 };
        let memory = self.memory();
        memory.set_draw_for_white(sign * request.contempt);
        memory.set_elo(request.strength.map(|strength| strength.elo));
        let Memory { tree, crew, draw_for_white, .. } = memory;
        tree.probe().table().new_search();
        tree.set_tablebases(asked_tablebases(request));
        if crew.len() == 0 || request.strength.is_some() {
            return search_by(tree, request, watch);
        }
        search_by(tree, request, &mut Company::new(watch, crew, same_search(request, *draw_for_white)))
    }

    fn evaluate(&mut self, position: &Position, options: &Options) -> Evaluation {
        options.dials.install();
        let tree = &mut self.memory().tree;
        tree.probe().set_position(position);
        let statically = Score::from_probe(tree.probe().static_value(), position.game_ply());
        let estimate = tree.at_a_glance(position, options.interval_model);
        Evaluation { statically, probed: estimate.expected(), interval: estimate.belief }
    }
}

fn search_by(tree: &mut TreeSearch, request: &Request<'_>, watch: &mut dyn Watch) -> Option<Finding> {
    match request.options.search_mode {
        SearchMode::BStar => tree::search(tree, request, watch),
        SearchMode::AlphaBeta => twin::search(tree.probe(), request, watch),
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

//! A search in company: the watch that counts for all workers, and what the helpers do meanwhile.

use super::asked_tablebases;
use super::twin::permitted;
use crate::bstar::settled::root::{Overseer, Progress, Verdict};
use crate::bstar::{Interrupted, Monitor};
use crate::chess::tree_search::Settings;
use crate::chess::twin::{self, TwinLimits};
use crate::chess::{ChessPolicy, Score, TreeSearch};
use crate::engine::crew::{Crew, OnShift, Shift};
use crate::engine::options::SearchMode;
use crate::engine::searcher::{Finding, Request, Watch};
use cozy_chess::Move;
use std::sync::Arc;

/// The search thread's watch while helpers search along. They join when it has found its first move: until then
/// the search is the one that a lone worker makes, and a search that is to end at once has no helpers to end.
/// When the watch goes, the helpers are told to end.
pub struct Company<'a> {
    watch: &'a mut dyn Watch,
    crew: &'a Crew<TreeSearch>,
    shift: Arc<Shift>,
    /// What the watch has heard of.
    told: u64,
    /// What the helpers will do once they join.
    errand: Option<Errand>,
}

/// What a helper does during a search.
pub type Errand = Box<dyn Fn(&mut TreeSearch, OnShift) + Send + Sync>;

impl<'a> Company<'a> {
    /// A search by the search thread, while the crew is on this errand.
    pub fn new(watch: &'a mut dyn Watch, crew: &'a Crew<TreeSearch>, errand: Errand) -> Self {
        let shift = Arc::new(Shift::new(watch.node_limit(), crew.len() + 1));
        Self { watch, crew, shift, told: 0, errand: Some(errand) }
    }

    fn tell_mishaps(&mut self) {
        for mishap in self.crew.mishaps() {
            self.watch.note(mishap);
        }
    }
}

impl Drop for Company<'_> {
    fn drop(&mut self) {
        self.shift.end();
        self.tell_mishaps();
    }
}

impl Monitor for Company<'_> {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        let spent = self.shift.count(units);
        let news = spent - self.told;
        self.told = spent;
        self.watch.work(news)
    }

    fn allowance(&self) -> u64 {
        self.watch.allowance().min(self.shift.allowance())
    }

    fn good_enough(&mut self) -> bool {
        self.watch.good_enough()
    }
}

impl Watch for Company<'_> {
    fn spent(&self) -> Option<f64> {
        self.watch.spent()
    }

    fn nodes(&self) -> u64 {
        self.watch.nodes()
    }

    fn node_limit(&self) -> Option<u64> {
        self.watch.node_limit()
    }

    fn report(&mut self, finding: Finding) {
        self.watch.report(finding);
        self.tell_mishaps();
        if let Some(errand) = self.errand.take() {
            let shift = Arc::clone(&self.shift);
            self.crew.set_off(move |tree, _| errand(tree, OnShift(Arc::clone(&shift))));
        }
    }

    fn note(&mut self, text: String) {
        self.watch.note(text);
    }
}

/// The same search as the search thread's, for the shared table's sake. For a stepwise policy it is the settled one: of one
/// question at a time there is nothing to share, but what the settled one finds helps its probes.
pub fn same_search(request: &Request<'_>, draw_for_white: i32) -> Errand {
    let (position, root_moves) = (request.position.clone(), request.root_moves.to_vec());
    let (lines, dials) = (request.lines, request.options.dials.clone());
    let tablebases = asked_tablebases(request);
    match request.options.search_mode {
        SearchMode::BStar => {
            let settings =
                Settings { policy: ChessPolicy::Settled, model: request.options.interval_model, lines };
            let depth = request.depth.map_or(u16::MAX, |plies| u16::try_from(plies).unwrap_or(u16::MAX));
            Box::new(move |tree, mut shift| {
                dials.install();
                tree.probe().set_draw_for_white(draw_for_white);
                tree.set_tablebases(tablebases.clone());
                tree.search(&position, &root_moves, settings, depth, &mut shift);
            })
        }
        SearchMode::AlphaBeta => {
            let depth = request.depth.and_then(|plies| i32::try_from(plies).ok()).unwrap_or(i32::MAX);
            Box::new(move |tree, mut shift| {
                dials.install();
                tree.probe().set_draw_for_white(draw_for_white);
                tree.set_tablebases(tablebases.clone());
                let limits = TwinLimits { depth, moves: permitted(&position, &root_moves), lines };
                twin::think(tree.probe(), &position, limits, &mut shift, |_| true);
            })
        }
    }
}

/// A helper goes on until it is told to end: the search thread decides.
impl Overseer<Move, Score> for OnShift {
    fn progress(&mut self, _progress: &Progress<Move, Score>) -> Verdict {
        Verdict::Continue
    }

    fn wants_separation(&self) -> bool {
        false
    }
}

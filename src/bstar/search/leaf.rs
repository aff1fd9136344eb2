//! Work on a leaf: expand it or refine it, and tell its ancestors.

use super::super::monitor::Meter;
use super::super::{
    Domain, Edge, Effort, Estimate, Interrupted, Interval, LeafStep, Monitor, NodeId, Question, backup,
};
use super::{RootMove, Search, Step, widened};

impl<D: Domain> Search<'_, D> {
    /// The first step of a search whose root is a leaf.
    pub(super) fn expand_root(&mut self, monitor: &mut dyn Monitor) -> Result<Step, Interrupted> {
        let step = self.expand(self.root, monitor)?;
        self.list_moves();
        Ok(if step == Step::Expanded && self.moves.is_empty() { Step::NoMove } else { step })
    }

    /// Lists the root's moves (those that the settings allow), and which of them repeat a position.
    pub(super) fn list_moves(&mut self) {
        for &Edge { action, child } in self.graph.edges(self.root) {
            if self.settings.only.as_ref().is_none_or(|only| only.contains(&action)) {
                self.moves.push(RootMove { action, child, steps: 0, work: 0 });
            }
        }
        self.note_draws(self.root);
    }

    /// Works on the leaf at the cursor, found below a root move.
    pub(super) fn work_on(
        &mut self,
        leaf: NodeId,
        index: usize,
        monitor: &mut dyn Monitor,
    ) -> Result<Step, Interrupted> {
        let mut meter = Meter::new(monitor);
        let step = match self.domain.leaf_step(&self.graph.estimate(leaf)) {
            LeafStep::Refine(effort) if self.refine(leaf, effort, &mut meter)? => Step::Refined,
            _ => self.expand(leaf, &mut meter)?,
        };
        let root_move = &mut self.moves[index];
        root_move.work += meter.work;
        root_move.steps += 1;
        self.counters.depth = self.counters.depth.max(self.path.len() as u32);
        self.note_draws(leaf);
        Ok(step)
    }

    /// Replaces the leaf at the cursor by its successors, whatever must be freed for them.
    fn expand(&mut self, leaf: NodeId, monitor: &mut dyn Monitor) -> Result<Step, Interrupted> {
        self.successors.clear();
        self.domain.successors(&mut self.successors, monitor)?;
        for successor in &mut self.successors {
            successor.estimate = widened(self.domain, successor.estimate, self.width);
        }
        let before = self.graph.estimate(leaf);
        if self.successors.is_empty() {
            // Terminal, and the domain should have said so before: nothing is left to find out.
            backup::store(
                self.graph,
                leaf,
                Estimate { belief: Interval::exact(before.expected()), ..before },
            );
        }
        if !self.make_children(leaf) {
            return self.without_room(leaf, monitor);
        }
        self.counters.expansions += 1;
        self.count_violation(before, leaf);
        Ok(Step::Expanded)
    }

    /// Puts the successors into the graph. False: there is no room for them, even when all else is freed.
    fn make_children(&mut self, leaf: NodeId) -> bool {
        let mut pinned: Vec<NodeId> = Vec::new();
        while backup::expand(self.graph, leaf, &self.successors).is_err() {
            if pinned.is_empty() {
                pinned.extend(self.path.nodes().chain([self.root, leaf]));
            }
            let freed = self.graph.make_room(&pinned);
            if freed == 0 {
                return false;
            }
            self.counters.freed += freed as u64;
        }
        true
    }

    /// There is no room to expand: ask for a better estimate instead.
    fn without_room(&mut self, leaf: NodeId, monitor: &mut dyn Monitor) -> Result<Step, Interrupted> {
        let effort = self.graph.estimate(leaf).effort().above();
        if !effort.is_proven() && self.refine(leaf, effort, monitor)? {
            return Ok(Step::Refined);
        }
        monitor.work(1)?;
        self.counters.in_vain += 1;
        Ok(Step::InVain)
    }

    /// Estimates the leaf at the cursor better. False: the domain knows nothing better.
    fn refine(
        &mut self,
        leaf: NodeId,
        effort: Effort,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Interrupted> {
        let before = self.graph.estimate(leaf);
        let refined = self.domain.refine(&before, Question::VALUE, effort, monitor)?;
        if refined == before {
            return Ok(false);
        }
        backup::store(self.graph, leaf, widened(self.domain, refined, self.width));
        self.counters.refinements += 1;
        self.count_violation(before, leaf);
        Ok(true)
    }

    fn count_violation(&mut self, before: Estimate<D::Value>, leaf: NodeId) {
        if !before.belief.encloses(self.graph.estimate(leaf).belief) {
            self.counters.violations += 1;
        }
    }
}

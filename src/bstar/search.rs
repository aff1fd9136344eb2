//! The stepwise search: select a leaf, expand or refine it, back up, test separation, ask the monitor.
//!
//! *A step.* The policy picks a root move and a way down to a leaf that is not settled. The leaf is expanded
//! or refined, as the domain says, and the news go to every ancestor. The choice made at the root holds until
//! the chosen root move's own estimate changes (Berliner 1979: only then does the search return to the root).
//!
//! *Draws by history* ([`Domain::path_value`]) belong to the path. Every child of the nodes on the way is
//! asked for one; it replaces the child's stored estimate for what is chosen and backed up along this path.
//! The search remembers them by the moves that led there, until it ends; nothing of this is ever stored in
//! the graph. At separation the lines on which it rests are searched for draws that no visit has met.
//!
//! *Widening* (Sheppard's Maven). At separation, when the [`Monitor`] does not call the answer good enough,
//! the belief of every leaf grows by a factor, except for facts; the graph is backed up anew and the search
//! goes on. Leaves that come later are born as wide: the error model has been found too narrow. Repeated,
//! this outgrows any wrong interval.
//!
//! *Memory.* When the graph is full, what matters least is freed. When nothing can be freed (the path and its
//! siblings fill the budget) the leaf is refined, and failing that the step is spent in vain; the search goes
//! on until its limits end it.

mod decision;
mod descent;
mod leaf;
mod trails;

pub use decision::{Decision, Evidence};

use super::backup;
use super::strategy::{Aims, Policy, RootFacts, Standing, Strategy};
use super::{Domain, Estimate, Graph, Interrupted, Interval, Monitor, NodeId, Termination};
use trails::Trails;

/// How to search.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings<A> {
    /// Which leaf is next.
    pub policy: Policy,
    /// Most steps that work on a leaf; then the search ends with [`Termination::Budget`].
    pub steps: u64,
    /// By which factor beliefs grow at each widening; above 1.
    pub widening: f64,
    /// Seed of the choices that a policy leaves to chance.
    pub seed: u64,
    /// Only these root moves, where given; those that are not legal are ignored.
    pub only: Option<Vec<A>>,
}

impl<A> Settings<A> {
    /// A policy, no limits. Beliefs grow by half at each widening: a few repetitions outgrow an interval that
    /// was too narrow by its own width, and one does not throw away the search so far. (A starting point, not
    /// measured.)
    pub fn new(policy: Policy) -> Self {
        Self { policy, steps: u64::MAX, widening: 1.5, seed: 0, only: None }
    }
}

/// What the search has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Leaves replaced by their successors, the root included.
    pub expansions: u64,
    /// Leaves estimated better.
    pub refinements: u64,
    /// Steps for which there was no memory and nothing to refine.
    pub in_vain: u64,
    /// Steps taken to raise the best move's lower.
    pub prove_best: u64,
    /// Steps taken to bring down a rival.
    pub disprove_rest: u64,
    /// Maven's widenings.
    pub widenings: u64,
    /// Expansions and refinements after which the node's belief was not inside its old one: somebody's
    /// interval was wrong.
    pub violations: u64,
    /// Nodes freed to make room.
    pub freed: u64,
    /// Depth of the deepest leaf worked on, in plies below the root.
    pub depth: u32,
}

impl Counters {
    /// Steps that worked on a leaf.
    pub fn steps(&self) -> u64 {
        self.expansions + self.refinements + self.in_vain
    }
}

/// A root move and what the search did below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootMove<A> {
    /// The move.
    pub action: A,
    /// The node behind it.
    pub child: NodeId,
    /// Expansions and refinements below it, in this search.
    pub steps: u64,
    /// Work reported to the monitor meanwhile, in the domain's units.
    pub work: u64,
}

/// What one step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A leaf was expanded (at the first step: the root).
    Expanded,
    /// A leaf was estimated better.
    Refined,
    /// No leaf: draws by history were met, and with them a root move is settled or separation is off.
    Resolved,
    /// No memory for the leaf's successors, and nothing to refine.
    InVain,
    /// Nothing: one root move is separated from all others.
    Separated,
    /// Nothing: there is one move only.
    OnlyMove,
    /// Nothing: there is no move.
    NoMove,
}

/// The choice made at the root, and what for.
struct Plan<V> {
    index: usize,
    strategy: Strategy,
    /// Disprove-best's aims, from the root's side to move.
    aims: Option<Aims<V>>,
}

/// One search of one position. Owns nothing: the graph outlives it, with all that was learned.
pub struct Search<'a, D: Domain> {
    graph: &'a mut Graph<D::Value, D::Action>,
    domain: &'a mut D,
    settings: Settings<D::Action>,
    root: NodeId,
    /// Empty until the root was expanded.
    moves: Vec<RootMove<D::Action>>,
    plan: Option<Plan<D::Value>>,
    last_strategy: Strategy,
    /// By what all beliefs have been widened so far.
    width: f64,
    chance: Chance,
    counters: Counters,
    path: descent::Path<D::Action, D::Value>,
    trails: Trails<D::Action, D::Value>,
    successors: Vec<super::Successor<D::Action, D::Value>>,
}

impl<'a, D: Domain> Search<'a, D> {
    /// A search of the position at which `domain` stands, `ply` half-moves into the game. `estimate`: what is
    /// known of it, from its side to move; [`Estimate::UNKNOWN`] will do. Its node in the graph, if it has
    /// one, is searched on.
    pub fn new(
        graph: &'a mut Graph<D::Value, D::Action>,
        domain: &'a mut D,
        ply: u16,
        estimate: Estimate<D::Value>,
        settings: Settings<D::Action>,
    ) -> Self {
        let root = graph.re_root(domain.key(), ply, estimate);
        let chance = Chance(settings.seed);
        let mut search = Self {
            graph,
            domain,
            settings,
            root,
            moves: Vec::new(),
            plan: None,
            last_strategy: Strategy::DisproveRest,
            width: 1.0,
            chance,
            counters: Counters::default(),
            path: descent::Path::new(),
            trails: Trails::new(),
            successors: Vec::new(),
        };
        if search.graph.is_expanded(root) {
            search.list_moves();
        }
        search
    }

    /// The graph, as it is now.
    pub fn graph(&self) -> &Graph<D::Value, D::Action> {
        self.graph
    }

    /// The domain, which stands at the root between steps.
    pub fn domain(&self) -> &D {
        self.domain
    }

    /// The root's node.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The root moves; none before the first step of a search whose root is new.
    pub fn moves(&self) -> &[RootMove<D::Action>] {
        &self.moves
    }

    /// What the last plan at the root was for.
    pub fn last_strategy(&self) -> Strategy {
        self.plan.as_ref().map_or(self.last_strategy, |plan| plan.strategy)
    }

    /// What has been done.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// What is known of a root move, draws by history included, from the *root's* side to move.
    pub fn estimate(&self, root_move: &RootMove<D::Action>) -> Estimate<D::Value> {
        let stored = || self.graph.estimate(root_move.child);
        -trails::instead(self.trails.after(&[]), root_move.action).unwrap_or_else(stored)
    }

    /// The root's belief: the moves' beliefs backed up. Without moves, the root's own.
    pub fn belief(&self) -> Interval<D::Value> {
        let beliefs = self.moves.iter().map(|root_move| self.estimate(root_move).belief);
        beliefs.reduce(Interval::or).unwrap_or_else(|| self.graph.estimate(self.root).belief)
    }

    /// Searches to the end: separation that is good enough, the settings' limit, or the monitor's word.
    pub fn run(&mut self, monitor: &mut dyn Monitor) -> Decision<D::Action, D::Value> {
        let termination = loop {
            if self.counters.steps() >= self.settings.steps {
                break Termination::Budget;
            }
            match self.step(monitor) {
                Err(Interrupted) => break Termination::Stopped,
                Ok(Step::NoMove) => break Termination::Budget,
                Ok(Step::OnlyMove) => break Termination::OnlyMove,
                Ok(Step::Separated) if monitor.good_enough() || !self.widen() => {
                    break Termination::Separated;
                }
                Ok(_) => {}
            }
        };
        self.decide(termination)
    }

    /// One step. When the monitor interrupts it, it leaves nothing behind.
    pub fn step(&mut self, monitor: &mut dyn Monitor) -> Result<Step, Interrupted> {
        monitor.work(0)?;
        if !self.graph.is_expanded(self.root) {
            return self.expand_root(monitor);
        }
        self.trails.refresh(self.graph, self.root, &[]);
        let beliefs = self.moves.iter().map(|root_move| self.estimate(root_move).belief).collect();
        let Some(standing) = Standing::of(beliefs) else { return Ok(Step::NoMove) };
        if self.moves.len() == 1 {
            return Ok(Step::OnlyMove);
        }
        if let Some(best) = standing.separated() {
            return Ok(if self.verify(best) { Step::Resolved } else { Step::Separated });
        }
        let plan = self.plan.take().unwrap_or_else(|| self.make_plan(&standing));
        let before = self.estimate(&self.moves[plan.index]);
        let chance = self.chance;
        let outcome = self.visit(&plan, monitor);
        let Ok(step) = outcome else {
            (self.plan, self.chance) = (Some(plan), chance);
            return outcome;
        };
        if step != Step::Resolved {
            match plan.strategy {
                Strategy::ProveBest => self.counters.prove_best += 1,
                Strategy::DisproveRest => self.counters.disprove_rest += 1,
            }
        }
        if self.estimate(&self.moves[plan.index]) == before {
            self.plan = Some(plan);
        }
        Ok(step)
    }

    /// Makes every heuristic leaf's belief wider by the settings' factor, and backs the graph up anew. False:
    /// nothing could be widened.
    pub fn widen(&mut self) -> bool {
        let mut changed = false;
        for slot in 0..self.graph.slots() {
            let Some(id) = self.graph.node_in(slot).filter(|&id| !self.graph.is_expanded(id)) else {
                continue;
            };
            let before = self.graph.estimate(id);
            let after = widened(self.domain, before, self.settings.widening);
            changed |= after != before;
            self.graph.store(id, after);
        }
        if changed {
            backup::propagate_all(self.graph);
            self.plan = None;
            self.width *= self.settings.widening;
            self.counters.widenings += 1;
        }
        changed
    }

    fn make_plan(&mut self, standing: &Standing<D::Value>) -> Plan<D::Value> {
        let facts = RootFacts {
            expansions: &|index| self.moves[index].steps,
            depth: &|index| descent::depth_of_upper(self.graph, self.moves[index].child),
            last: self.last_strategy,
        };
        let strategy = self.settings.policy.root.choose(standing, &facts);
        let forced = standing.prove_best_is_forced();
        if !forced {
            self.last_strategy = strategy;
        }
        let index = match (strategy, standing.second) {
            (Strategy::DisproveRest, Some(second)) => second,
            _ => standing.best,
        };
        let aims = (forced && self.settings.policy.disprove_best).then(|| Aims::at_root(standing)).flatten();
        Plan { index, strategy, aims }
    }
}

/// A leaf's estimate with its belief made `factor` times as wide; facts stay.
fn widened<D: Domain>(domain: &D, estimate: Estimate<D::Value>, factor: f64) -> Estimate<D::Value> {
    if factor == 1.0 || estimate.is_solved() {
        return estimate;
    }
    let belief = domain.widen(&estimate, factor);
    Estimate { belief, ..estimate }.keeping_facts_of(&estimate)
}

/// A source of chance that gives the same numbers for the same seed (SplitMix64; Steele, Lea and Flood 2014).
#[derive(Clone, Copy)]
struct Chance(u64);

impl Chance {
    /// True in `per_cent` per cent of the calls.
    fn strikes(&mut self, per_cent: u8) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The high half, scaled to 0..100.
        ((x >> 32) * 100) >> 32 < u64::from(per_cent)
    }
}

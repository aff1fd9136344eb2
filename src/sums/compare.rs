//! Comparing ways to play sums: B\* under each policy, alpha-beta with a table and the same bounds, and the rules of
//! thumb. All choose Left's first move, or Right's, by counting stops.

use super::alphabeta::AlphaBeta;
use super::strategies::{Guarantee, Rule};
use super::svg::{Curve, CurvePoint};
use super::{Action, Counting, Dyadic, Failure, Guard, Scope, Score, Store, Sum, SumDomain};
use crate::bstar::{Graph, Interrupted, Interval, Monitor, Policy, Search, Settings, Termination};
use std::fmt;
use std::time::{Duration, Instant};

/// A way to choose a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Player {
    /// B\*.
    BStar(Policy),
    /// B\* on a tree: positions that several ways lead to are not shared.
    TreeBStar(Policy),
    /// Alpha-beta that stops at separation, as B\* does.
    AlphaBeta,
    /// A rule of thumb.
    Rule(Rule),
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BStar(policy) => f.pad(&format!("B* {policy}")),
            Self::TreeBStar(policy) => f.pad(&format!("B* {policy} on a tree")),
            Self::AlphaBeta => f.pad("alpha-beta"),
            Self::Rule(rule) => rule.fmt(f),
        }
    }
}

/// Positions looked at, at most, to find out what a rule of thumb is sure of: some seconds' work. (Its opponent tries everything,
/// without bounds.)
const MOST_REPLIES: u64 = 200_000;

/// Limits of one choice.
#[derive(Clone, Debug)]
pub struct Allowance {
    /// Most expansions.
    pub nodes: u64,
    /// Bytes for a search's graph or table.
    pub bytes: usize,
    /// Time and the stop flag.
    pub guard: Guard,
    /// Give every player all moves, also those that another one makes needless.
    pub all_moves: bool,
}

/// One choice of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The move is proved best.
    pub proved: bool,
    /// Expansions; a rule of thumb has none.
    pub nodes: u64,
    /// Time of the choice.
    pub time: Duration,
    /// How much less than the best play the player is sure of against the best opponent; `None` where that is not known. A
    /// proved move costs nothing; a search cut short costs at most what is told.
    pub regret: Option<Dyadic>,
    /// Nodes in the graph, and parent links to them: with one link a node it is a tree.
    pub graph: Option<(u64, u64)>,
}

/// The exact stop, from the side to move, for the regrets of the rules of thumb; `None` beyond the limits.
pub fn exact_stop(store: &mut Store, sum: &Sum, allowance: &Allowance) -> Result<Option<Dyadic>, Failure> {
    let mut domain = SumDomain::new(store, sum.clone(), Counting::Stops);
    let known = domain.estimate()?.belief;
    let value = AlphaBeta::new(&mut domain, allowance.bytes).value(known, &mut Watch::of(allowance));
    Ok(value.ok().filter(|value| value.is_exact()).map(|value| value.lower().stop))
}

/// Lets a player choose a move of `sum`, whose side to move is Left.
pub fn choose(
    player: Player,
    store: &mut Store,
    sum: &Sum,
    exact: Option<Dyadic>,
    allowance: &Allowance,
) -> Result<Trial, Failure> {
    match player {
        Player::BStar(policy) => with_bstar(policy, false, store, sum, allowance),
        Player::TreeBStar(policy) => with_bstar(policy, true, store, sum, allowance),
        Player::AlphaBeta => with_alpha_beta(store, sum, allowance),
        Player::Rule(rule) => by_rule(rule, store, sum, exact, allowance),
    }
}

fn with_bstar(
    policy: Policy,
    apart: bool,
    store: &mut Store,
    sum: &Sum,
    allowance: &Allowance,
) -> Result<Trial, Failure> {
    let scope = Scope { all_moves: allowance.all_moves, apart };
    let mut domain = SumDomain::new(store, sum.clone(), Counting::Stops).within(scope);
    let known = domain.estimate()?;
    let mut graph: Graph<Score, Action> = Graph::with_budget(allowance.bytes);
    let settings = Settings { steps: allowance.nodes, ..Settings::new(policy) };
    let start = Instant::now();
    let decision = Search::new(&mut graph, &mut domain, 0, known, settings).run(&mut Watch::of(allowance));
    let time = start.elapsed();
    let proved = !matches!(decision.termination, Termination::Stopped | Termination::Budget);
    let regret = match (decision.best, decision.rival) {
        _ if proved => Some(Dyadic::ZERO),
        (Some(best), Some(rival)) => Some(at_most(best.estimate.belief, rival.estimate.belief)?),
        _ => None,
    };
    let links = graph.nodes().map(|node| graph.parents(node).count() as u64).sum();
    let graph = Some((graph.node_count() as u64, links));
    Ok(Trial { proved, nodes: decision.counters.expansions, time, regret, graph })
}

/// What choosing `best` can cost when a rival may be better.
fn at_most(best: Interval<Score>, rival: Interval<Score>) -> Result<Dyadic, Failure> {
    Ok(best.lower().short_of(rival.upper())?.max(Dyadic::ZERO))
}

fn with_alpha_beta(store: &mut Store, sum: &Sum, allowance: &Allowance) -> Result<Trial, Failure> {
    let scope = Scope { all_moves: allowance.all_moves, apart: false };
    let mut domain = SumDomain::new(store, sum.clone(), Counting::Stops).within(scope);
    let mut search = AlphaBeta::new(&mut domain, allowance.bytes);
    let start = Instant::now();
    let proved = search.best_move(&mut Watch::of(allowance)).is_ok();
    let (time, nodes) = (start.elapsed(), search.nodes());
    Ok(Trial { proved, nodes, time, regret: proved.then_some(Dyadic::ZERO), graph: None })
}

fn by_rule(
    rule: Rule,
    store: &mut Store,
    sum: &Sum,
    exact: Option<Dyadic>,
    allowance: &Allowance,
) -> Result<Trial, Failure> {
    let start = Instant::now();
    rule.choose(store, sum, super::strategies::Memory::NONE)?;
    let time = start.elapsed();
    let sure = match exact {
        Some(_) => match Guarantee::new(rule, allowance.nodes.min(MOST_REPLIES)).of(store, sum) {
            Err(Failure::Overflow) => return Err(Failure::Overflow),
            sure => sure.ok().flatten(),
        },
        None => None,
    };
    let regret = match (exact, sure) {
        (Some(best), Some(sure)) => Some(best.less(sure)?),
        _ => None,
    };
    Ok(Trial { proved: false, nodes: 0, time, regret, graph: None })
}

/// Expansions, time and the user's wish.
struct Watch {
    nodes: u64,
    guard: Guard,
}

impl Watch {
    fn of(allowance: &Allowance) -> Self {
        Self { nodes: allowance.nodes, guard: allowance.guard.clone() }
    }
}

impl Monitor for Watch {
    fn work(&mut self, units: u64) -> Result<(), Interrupted> {
        self.nodes = self.nodes.checked_sub(units).ok_or(Interrupted)?;
        self.guard.step(0).map_err(|_| Interrupted)
    }
}

/// All trials of one player on sums of one size.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Components of each sum.
    pub components: usize,
    /// Who.
    pub player: Player,
    /// One for each sum.
    pub trials: Vec<Trial>,
}

impl Row {
    fn sorted_nodes(&self) -> Vec<u64> {
        let mut nodes: Vec<u64> = self.trials.iter().map(|trial| trial.nodes).collect();
        nodes.sort_unstable();
        nodes
    }

    /// The given quantile of the expansions, 0.5 being the median.
    pub fn nodes_at(&self, quantile: f64) -> u64 {
        let nodes = self.sorted_nodes();
        let place = (quantile * (nodes.len().saturating_sub(1)) as f64).round() as usize;
        nodes.get(place).copied().unwrap_or(0)
    }

    fn proved(&self) -> usize {
        self.trials.iter().filter(|trial| trial.proved).count()
    }

    fn milliseconds(&self) -> f64 {
        let all: Duration = self.trials.iter().map(|trial| trial.time).sum();
        all.as_secs_f64() * 1000.0 / self.trials.len().max(1) as f64
    }

    /// Mean and greatest regret, and from how many sums they are known.
    fn regrets(&self) -> Option<(f64, Dyadic, usize)> {
        let known: Vec<Dyadic> = self.trials.iter().filter_map(|trial| trial.regret).collect();
        let most = known.iter().copied().max()?;
        let sum: f64 = known.iter().map(|regret| regret.to_f64()).sum();
        Some((sum / known.len() as f64, most, known.len()))
    }

    /// Parent links for each node of the graphs but the roots.
    fn links_a_node(&self) -> Option<f64> {
        let graphs: Vec<(u64, u64)> = self.trials.iter().filter_map(|trial| trial.graph).collect();
        let nodes: u64 = graphs.iter().map(|graph| graph.0.saturating_sub(1)).sum();
        (nodes > 0).then(|| graphs.iter().map(|graph| graph.1).sum::<u64>() as f64 / nodes as f64)
    }

    /// The geometric mean of the expansions: of search trees that grow by factors it says more than a median.
    pub fn mean_nodes(&self) -> f64 {
        let logarithms = self.trials.iter().map(|trial| (trial.nodes.max(1) as f64).ln());
        (logarithms.sum::<f64>() / self.trials.len().max(1) as f64).exp()
    }

    /// The names of [`Row::cells`].
    pub const HEADINGS: [&'static str; 11] = [
        "components",
        "player",
        "sums",
        "proved",
        "geo. mean",
        "median",
        "90 %",
        "most",
        "ms",
        "regret: mean, most (known)",
        "links",
    ];

    /// The row as text.
    pub fn cells(&self) -> [String; 11] {
        let regrets = self
            .regrets()
            .map_or_else(String::new, |(mean, most, known)| format!("{mean:.3}, {most} ({known})"));
        let searches = !matches!(self.player, Player::Rule(_));
        let nodes = |quantile| if searches { self.nodes_at(quantile).to_string() } else { "-".to_owned() };
        [
            self.components.to_string(),
            self.player.to_string(),
            self.trials.len().to_string(),
            if searches { self.proved().to_string() } else { "-".to_owned() },
            if searches { format!("{:.1}", self.mean_nodes()) } else { "-".to_owned() },
            nodes(0.5),
            nodes(0.9),
            nodes(1.0),
            format!("{:.2}", self.milliseconds()),
            regrets,
            self.links_a_node().map_or_else(String::new, |links| format!("{links:.2}")),
        ]
    }
}

/// A table in Markdown.
pub fn table(rows: &[Row]) -> String {
    let mut lines = vec![Row::HEADINGS.map(str::to_owned)];
    lines.extend(rows.iter().map(Row::cells));
    let widths: Vec<usize> = (0..Row::HEADINGS.len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let padded: Vec<String> =
            line.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}")).collect();
        text.push_str(&format!("| {} |\n", padded.join(" | ")));
        if index == 0 {
            let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
            text.push_str(&format!("| {} |\n", rules.join(" | ")));
        }
    }
    text
}

/// The geometric mean of the expansions of every searching player, by number of components. Where searches were cut off it is
/// marked as a lower limit.
pub fn curves(rows: &[Row]) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows.iter().filter(|row| !matches!(row.player, Player::Rule(_))) {
        let point = CurvePoint {
            x: row.components as f64,
            y: row.mean_nodes(),
            at_least: row.proved() < row.trials.len(),
        };
        let name = row.player.to_string();
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name, points: vec![point] }),
        }
    }
    curves
}

//! The stepwise policies: which root move to work on, and which child to follow below it.
//!
//! At the root there are two [strategies](Strategy). *Prove-best* works below the move with the highest
//! upper, to raise its lower above the rivals' uppers; *disprove-rest* works below the move with the second
//! highest upper, to bring that down. As long as the move with the highest upper has not also the highest
//! lower, disprove-rest is pointless: bringing a rival down cannot separate a move that is not even the
//! safest. A [`RootRule`] chooses where both make sense.
//!
//! Below the root B\* follows the highest upper (the mover's, at each node), the child that alone can lower
//! its parent's upper. Two refinements change that choice: [`Policy::disprove_best`] and
//! [`Policy::pessimist_share`].

use super::{Interval, Value};
use std::fmt;
use std::str::FromStr;

/// What a step at the root is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Raise the lower of the move with the highest upper.
    ProveBest,
    /// Bring down the move with the second highest upper.
    DisproveRest,
}

/// How many root moves a criterion looks at, in the order of their uppers, the best included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// The best and its first rival.
    Two,
    /// The best and two rivals.
    Three,
    /// All whose upper is above the best lower: the others are out of the race.
    All,
}

/// Chooses between the two strategies where disprove-rest is not pointless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootRule {
    /// Always prove-best: plain best-first search.
    BestFirst,
    /// The two in turn (Sheppard's Maven).
    Alternation,
    /// The alternative below which this search has expanded less.
    SmallerTree,
    /// Berliner's (1979) criterion D: disprove-rest when the squared depths from which the rivals' uppers
    /// were backed up add up to less than the best move's.
    Depth(Among),
    /// Criterion R: as D, each squared depth divided by the width of the move's interval.
    Range(Among),
}

/// A stepwise policy: a rule for the root and one for below.
///
/// ```
/// use regulus::bstar::Policy;
/// let policy: Policy = "AR".parse().unwrap();
/// assert_eq!(policy, Policy::AR);
/// assert_eq!("DisproveBest+P30".parse::<Policy>().unwrap().pessimist_share, 30);
/// assert!(Policy::NAMED.iter().all(|p| p.to_string().parse() == Ok(*p)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Chooses the strategy.
    pub root: RootRule,
    /// While prove-best is forced, head below the root for the cheaper of the two ways to end it: the best
    /// move's lower above the second best upper, or its upper below the best lower (Anema 2025).
    pub disprove_best: bool,
    /// Share of the choices below the root, in per cent, that follow the child with the best lower instead of
    /// the best upper (Anema 2026: 30 helps in big trees). Which ones, is drawn from the search's seed.
    pub pessimist_share: u8,
}

impl Policy {
    /// Plain best-first search.
    pub const BEST_FIRST: Self = Self::at_root(RootRule::BestFirst);
    /// Prove-best and disprove-rest in turn.
    pub const ALTERNATION: Self = Self::at_root(RootRule::Alternation);
    /// The alternative with the smaller tree.
    pub const SMALLER_TREE: Self = Self::at_root(RootRule::SmallerTree);
    /// Criterion R over all moves.
    pub const AR: Self = Self::at_root(RootRule::Range(Among::All));
    /// Criterion R over all moves, and disprove-best below the root.
    pub const DISPROVE_BEST: Self = Self { disprove_best: true, ..Self::AR };

    /// The policies with a name of their own; `+P` and a percentage behind a name adds a pessimist share.
    pub const NAMED: [Self; 11] = [
        Self::BEST_FIRST,
        Self::ALTERNATION,
        Self::SMALLER_TREE,
        Self::at_root(RootRule::Depth(Among::Two)),
        Self::at_root(RootRule::Depth(Among::Three)),
        Self::at_root(RootRule::Depth(Among::All)),
        Self::at_root(RootRule::Range(Among::Two)),
        Self::at_root(RootRule::Range(Among::Three)),
        Self::AR,
        Self::DISPROVE_BEST,
        Self { disprove_best: true, ..Self::ALTERNATION },
    ];

    /// A rule for the root, and the highest upper below it.
    pub const fn at_root(root: RootRule) -> Self {
        Self { root, disprove_best: false, pessimist_share: 0 }
    }

    /// The name, without the pessimist share.
    pub const fn name(&self) -> &'static str {
        match (self.disprove_best, self.root) {
            (false, RootRule::BestFirst) => "BestFirst",
            (false, RootRule::Alternation) => "Alternation",
            (false, RootRule::SmallerTree) => "SmallerTree",
            (false, RootRule::Depth(Among::Two)) => "2D",
            (false, RootRule::Depth(Among::Three)) => "3D",
            (false, RootRule::Depth(Among::All)) => "AD",
            (false, RootRule::Range(Among::Two)) => "2R",
            (false, RootRule::Range(Among::Three)) => "3R",
            (false, RootRule::Range(Among::All)) => "AR",
            (true, RootRule::BestFirst) => "DisproveBest-BestFirst",
            (true, RootRule::Alternation) => "DisproveBest-Alternation",
            (true, RootRule::SmallerTree) => "DisproveBest-SmallerTree",
            (true, RootRule::Depth(Among::Two)) => "DisproveBest-2D",
            (true, RootRule::Depth(Among::Three)) => "DisproveBest-3D",
            (true, RootRule::Depth(Among::All)) => "DisproveBest-AD",
            (true, RootRule::Range(Among::Two)) => "DisproveBest-2R",
            (true, RootRule::Range(Among::Three)) => "DisproveBest-3R",
            (true, RootRule::Range(Among::All)) => "DisproveBest",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pessimist_share {
            0 => f.write_str(self.name()),
            share => write!(f, "{}+P{share}", self.name()),
        }
    }
}

/// No policy has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownPolicy(String);

impl fmt::Display for UnknownPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no policy is called \"{}\"; there are", self.0)?;
        Policy::NAMED.iter().try_for_each(|policy| write!(f, " {policy}"))
    }
}

impl std::error::Error for UnknownPolicy {}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    /// Case does not matter.
    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let unknown = || UnknownPolicy(text.to_owned());
        let lower = text.to_ascii_lowercase();
        let (name, share) = match lower.split_once("+p") {
            None => (lower.as_str(), 0),
            Some((name, share)) => (name, share.parse().map_err(|_| unknown())?),
        };
        let named = Self::NAMED.into_iter().find(|policy| policy.name().eq_ignore_ascii_case(name));
        match named {
            Some(policy) if share <= 100 => Ok(Self { pessimist_share: share, ..policy }),
            _ => Err(unknown()),
        }
    }
}

/// How the root moves stand, each from the root's side to move.
pub(super) struct Standing<V> {
    /// The beliefs, in the order of the moves.
    pub beliefs: Vec<Interval<V>>,
    /// The move with the highest upper; of equals the one with the higher lower, then the first.
    pub best: usize,
    /// The same among the others.
    pub second: Option<usize>,
    /// The highest lower of all.
    pub best_lower: V,
}

impl<V: Value> Standing<V> {
    /// `None` without moves.
    pub fn of(beliefs: Vec<Interval<V>>) -> Option<Self> {
        let best = highest(&beliefs, |_| true)?;
        let second = highest(&beliefs, |index| index != best);
        let best_lower = beliefs.iter().map(|belief| belief.lower()).max()?;
        Some(Self { best, second, best_lower, beliefs })
    }

    /// The move that is separated from all others, if one is.
    ///
    /// It has the highest lower, and is then the best or ties with the best at an exact value: so looking at
    /// `best` is enough.
    pub fn separated(&self) -> Option<usize> {
        let separated = self.second.is_none_or(|s| self.beliefs[self.best].separated_from(self.beliefs[s]));
        separated.then_some(self.best)
    }

    /// Disprove-rest cannot lead to separation yet.
    pub fn prove_best_is_forced(&self) -> bool {
        self.beliefs[self.best].lower() < self.best_lower
    }

    /// The rivals that a criterion looks at, the highest upper first.
    fn rivals(&self, among: Among) -> Vec<usize> {
        let in_race = |&index: &usize| index != self.best && self.beliefs[index].upper() > self.best_lower;
        let mut rivals: Vec<usize> = (0..self.beliefs.len()).filter(in_race).collect();
        rivals.sort_by_key(|&index| std::cmp::Reverse(self.beliefs[index].upper()));
        rivals.truncate(match among {
            Among::Two => 1,
            Among::Three => 2,
            Among::All => rivals.len(),
        });
        rivals
    }
}

/// What [`RootRule::choose`] may want to know beyond the beliefs.
pub(super) struct RootFacts<'a> {
    /// Expansions of this search below a move.
    pub expansions: &'a dyn Fn(usize) -> u64,
    /// Plies below the root from which a move's upper was backed up; at least 1.
    pub depth: &'a dyn Fn(usize) -> u32,
    /// Alternation's memory: the strategy of its last turn.
    pub last: Strategy,
}

impl RootRule {
    /// The strategy for the next step.
    pub(super) fn choose<V: Value>(self, standing: &Standing<V>, facts: &RootFacts<'_>) -> Strategy {
        let Some(second) = standing.second else { return Strategy::ProveBest };
        if standing.prove_best_is_forced() {
            return Strategy::ProveBest;
        }
        let best = standing.best;
        let square = |index: usize| f64::from((facts.depth)(index)).powi(2);
        let by_range = |index: usize| square(index) / standing.beliefs[index].width();
        let disprove = match self {
            Self::BestFirst => false,
            Self::Alternation => facts.last == Strategy::ProveBest,
            Self::SmallerTree => (facts.expansions)(second) < (facts.expansions)(best),
            Self::Depth(among) => standing.rivals(among).into_iter().map(square).sum::<f64>() < square(best),
            Self::Range(among) => {
                standing.rivals(among).into_iter().map(by_range).sum::<f64>() < by_range(best)
            }
        };
        if disprove { Strategy::DisproveRest } else { Strategy::ProveBest }
    }
}

/// What disprove-best wants of a node, from the side to move there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Aims<V> {
    /// One way to end it: a single child whose lower reaches this.
    pub reach: V,
    /// The other: no child's upper above this.
    pub stay: V,
}

impl<V: Value> Aims<V> {
    /// The root's aims: the best move's lower up to the second best upper, or its upper down to the best lower.
    pub fn at_root(standing: &Standing<V>) -> Option<Self> {
        let second = standing.second?;
        Some(Self { reach: standing.beliefs[second].upper(), stay: standing.best_lower })
    }

    /// The same aims as the opponent sees them, a ply further down.
    pub fn turned(self) -> Self {
        Self { reach: -self.stay, stay: -self.reach }
    }
}

/// The child with the highest upper that is not settled; `None` when all are exact.
pub(super) fn best_upper<V: Value>(beliefs: &[Interval<V>]) -> Option<usize> {
    highest(beliefs, |index| !beliefs[index].is_exact())
}

/// The child with the highest lower that is not settled.
pub(super) fn best_lower<V: Value>(beliefs: &[Interval<V>]) -> Option<usize> {
    let open = (0..beliefs.len()).filter(|&index| !beliefs[index].is_exact());
    first_max(open, |index| (beliefs[index].lower(), beliefs[index].upper()))
}

/// Disprove-best (Anema 2025) at a node with the given children, seen from its mover.
///
/// A single child is enough to reach, but all must stay: the sum of what each lacks counts, discounted by `2
/// / n`, as one of `n` children's moves is enough a ply further down. A child that stays already matters to
/// neither; one whose whole width is less than what it lacks cannot reach.
pub(super) fn disprove_best<V: Value>(beliefs: &[Interval<V>], aims: Aims<V>) -> Option<usize> {
    let mut to_reach: Option<(f64, usize)> = None;
    let mut to_stay: Option<(f64, usize)> = None;
    let mut sum = 0.0;
    for (index, belief) in beliefs.iter().enumerate() {
        if belief.upper() <= aims.stay {
            continue;
        }
        let (reach, stay) = (aims.reach.minus(belief.lower()), belief.upper().minus(aims.stay));
        sum += stay;
        if belief.is_exact() {
            continue;
        }
        if reach <= belief.width() && to_reach.is_none_or(|(least, _)| reach < least) {
            to_reach = Some((reach, index));
        }
        if to_stay.is_none_or(|(most, _)| stay > most) {
            to_stay = Some((stay, index));
        }
    }
    let ratio = 2.0 / beliefs.len() as f64;
    match (to_reach, to_stay) {
        (Some((least, reach)), Some((_, stay))) => Some(if ratio * sum <= least { stay } else { reach }),
        (reach, stay) => stay.or(reach).map(|(_, index)| index),
    }
}

/// The first of those with the highest upper and, of these, the highest lower.
fn highest<V: Value>(beliefs: &[Interval<V>], among: impl Fn(usize) -> bool) -> Option<usize> {
    first_max((0..beliefs.len()).filter(|&index| among(index)), |index| {
        (beliefs[index].upper(), beliefs[index].lower())
    })
}

/// The first index with the greatest key.
fn first_max<K: Ord>(
    indices: impl DoubleEndedIterator<Item = usize>,
    key: impl Fn(usize) -> K,
) -> Option<usize> {
    // `max_by_key` keeps the last of equals.
    indices.rev().max_by_key(|&index| key(index))
}

#[cfg(test)]
mod tests;

//! [`Interval`] and its laws, and [`Estimate`]: what is known of one position.
//!
//! Point of view: every value is for the side to move at its own node. [`Neg`] carries an interval, an estimate
//! or a question to the other side (it swaps the ends); nothing else in the crate converts.

use std::fmt::Debug;
use std::ops::Neg;

/// A totally ordered value with a sign change, on which B\* runs: centipawns, exact rationals, plain integers.
///
/// `-(-v) == v`, `a < b` exactly when `-b < -a`, `-MIN == MAX`, and no other value lies outside `MIN..=MAX`.
pub trait Value: Copy + Ord + Neg<Output = Self> + Debug + Send + Sync + 'static {
    /// Below every value of a game: the lower end of an interval about which nothing is known.
    const MIN: Self;
    /// Above every value of a game.
    const MAX: Self;

    /// `self - other` as a real number, for policies that weigh widths. Infinite when an end is unknown; never NaN.
    fn minus(self, other: Self) -> f64;
}

/// A closed interval `[lower, upper]` with `lower <= upper`, from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Interval<V> {
    lower: V,
    upper: V,
}

impl<V: Value> Interval<V> {
    /// The interval about which nothing is known.
    pub const UNKNOWN: Self = Self { lower: V::MIN, upper: V::MAX };

    /// `[lower, upper]`, or `None` when the ends are crossed.
    pub fn new(lower: V, upper: V) -> Option<Self> {
        (lower <= upper).then_some(Self { lower, upper })
    }

    /// `[value, value]`.
    pub const fn exact(value: V) -> Self {
        Self { lower: value, upper: value }
    }

    /// `[value, MAX]`: at least `value`.
    pub const fn at_least(value: V) -> Self {
        Self { lower: value, upper: V::MAX }
    }

    /// `[MIN, value]`: at most `value`.
    pub const fn at_most(value: V) -> Self {
        Self { lower: V::MIN, upper: value }
    }

    /// The pessimistic end.
    pub const fn lower(self) -> V {
        self.lower
    }

    /// The optimistic end.
    pub const fn upper(self) -> V {
        self.upper
    }

    /// Both ends are the same value.
    pub fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// `value` lies inside, ends included.
    pub fn contains(self, value: V) -> bool {
        self.lower <= value && value <= self.upper
    }

    /// `other` lies wholly inside this one.
    pub fn encloses(self, other: Self) -> bool {
        self.lower <= other.lower && other.upper <= self.upper
    }

    /// Proved at least as good as `rival`: its lower is no less than the rival's upper. Separation of two moves.
    pub fn separated_from(self, rival: Self) -> bool {
        self.lower >= rival.upper
    }

    /// What the mover has who may choose between the two: the better lower and the better upper, which different
    /// alternatives may supply. B\*'s back-up (Berliner 1979) is this, folded over the moves.
    pub fn or(self, other: Self) -> Self {
        Self { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The smallest interval that encloses both.
    pub fn hull(self, other: Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    /// The part that both have, or `None` when they are apart.
    pub fn intersection(self, other: Self) -> Option<Self> {
        Self::new(self.lower.max(other.lower), self.upper.min(other.upper))
    }

    /// The interval's value nearest to `value`.
    pub fn clamp(self, value: V) -> V {
        value.max(self.lower).min(self.upper)
    }

    /// `other` with each end moved to the nearest value of this interval.
    pub fn clamp_ends(self, other: Self) -> Self {
        Self { lower: self.clamp(other.lower), upper: self.clamp(other.upper) }
    }

    /// `upper - lower` as a real number: zero when exact, infinite when an end is unknown.
    pub fn width(self) -> f64 {
        if self.is_exact() { 0.0 } else { self.upper.minus(self.lower) }
    }
}

impl<V: Value> Neg for Interval<V> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { lower: -self.upper, upper: -self.lower }
    }
}

/// The effort behind a bound, in the domain's unit (chess: plies of probe depth below the node).
///
/// [`Effort::PROVEN`] is above all others: the bound is a fact (terminal, tablebase, proven mate, or a sound bound
/// of the domain). It is never widened, and heuristic knowledge never replaces it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Effort(u16);

impl Effort {
    /// Nothing was done: a static guess.
    pub const NONE: Self = Self(0);
    /// The greatest effort of a heuristic bound.
    pub const MOST: Self = Self(u16::MAX - 1);
    /// A fact.
    pub const PROVEN: Self = Self(u16::MAX);

    /// `units` of effort, at most [`Effort::MOST`].
    pub const fn of(units: u16) -> Self {
        if units < u16::MAX { Self(units) } else { Self::MOST }
    }

    /// The units; `u16::MAX` for a fact.
    pub const fn units(self) -> u16 {
        self.0
    }

    /// A fact?
    pub const fn is_proven(self) -> bool {
        self.0 == u16::MAX
    }

    /// One unit more: what a child's effort is worth at its parent. A fact stays a fact.
    #[must_use]
    pub const fn above(self) -> Self {
        if self.is_proven() { self } else { Self::of(self.0.saturating_add(1)) }
    }

    /// `units` less, not below none: what a parent's effort asks of a child. A fact stays a fact.
    #[must_use]
    pub const fn less(self, units: u16) -> Self {
        if self.is_proven() { self } else { Self(self.0.saturating_sub(units)) }
    }
}

/// What is known of one position, from its own side to move.
///
/// Two intervals, which must not be confused:
/// - [`belief`](Self::belief): where the true value is thought to lie. B\*'s own interval: it carries the width of the
///   error model, decides separation, and may be wrong.
/// - [`searched`](Self::searched): what questions to the domain have established, at the effort behind each end.
///   Exact after an open question (then it is the *realistic value*), one-sided after a null-window question: a
///   fail low says nothing about where below the value lies.
///
/// With sound bounds (a domain whose bounds are facts) the two are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Estimate<V> {
    /// Where the true value is believed to lie.
    pub belief: Interval<V>,
    /// What questions have established.
    pub searched: Interval<V>,
    /// The effort behind `searched.lower()`.
    pub lower_effort: Effort,
    /// The effort behind `searched.upper()`.
    pub upper_effort: Effort,
}

impl<V: Value> Estimate<V> {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        belief: Interval::UNKNOWN,
        searched: Interval::UNKNOWN,
        lower_effort: Effort::NONE,
        upper_effort: Effort::NONE,
    };

    /// A fact of zero width: terminal, tablebase, proven mate.
    pub const fn solved(value: V) -> Self {
        Self::proven(Interval::exact(value))
    }

    /// Sound bounds: facts that need not meet.
    pub const fn proven(bounds: Interval<V>) -> Self {
        Self { belief: bounds, searched: bounds, lower_effort: Effort::PROVEN, upper_effort: Effort::PROVEN }
    }

    /// A realistic value found with `effort`, believed right to within `belief`.
    pub const fn realistic(value: V, belief: Interval<V>, effort: Effort) -> Self {
        Self { belief, searched: Interval::exact(value), lower_effort: effort, upper_effort: effort }
    }

    /// Both ends are facts and meet: nothing is left to ask.
    pub fn is_solved(&self) -> bool {
        self.searched.is_exact() && self.lower_effort.is_proven() && self.upper_effort.is_proven()
    }

    /// The lesser of the two efforts: that of the whole value.
    pub fn effort(&self) -> Effort {
        self.lower_effort.min(self.upper_effort)
    }

    /// This estimate with the facts of another one of the same position: a fact once known is never forgotten, and
    /// what is believed or merely searched never contradicts it. Idempotent.
    #[must_use]
    pub fn keeping_facts_of(self, other: &Self) -> Self {
        let facts = other.facts();
        let mut kept = self;
        kept.searched = facts.clamp_ends(self.searched);
        kept.belief = facts.clamp_ends(self.belief);
        if other.lower_effort.is_proven() && kept.searched.lower == facts.lower {
            kept.lower_effort = Effort::PROVEN;
        }
        if other.upper_effort.is_proven() && kept.searched.upper == facts.upper {
            kept.upper_effort = Effort::PROVEN;
        }
        kept
    }

    /// What is proven: `searched`, with an end that is not a fact left open.
    pub fn facts(&self) -> Interval<V> {
        Interval {
            lower: if self.lower_effort.is_proven() { self.searched.lower } else { V::MIN },
            upper: if self.upper_effort.is_proven() { self.searched.upper } else { V::MAX },
        }
    }

    /// The realistic value: the searched one where it is exact, else the established bound nearest to what is
    /// believed. For ordering and display; a bound is not a value, so back-up never uses this.
    pub fn expected(&self) -> V {
        match (self.searched.lower() > V::MIN, self.searched.upper() < V::MAX) {
            (true, false) => self.searched.lower(),
            (false, true) => self.searched.upper(),
            _ if self.searched.is_exact() => self.searched.lower(),
            // Both or neither end: the end behind which there is more work.
            _ if self.upper_effort > self.lower_effort => self.searched.upper(),
            _ => self.searched.lower(),
        }
    }

    /// The question is answered at `effort` or better: the value is above, below or exact, whichever was asked.
    pub fn answers(&self, question: Question<V>, effort: Effort) -> bool {
        let lower = self.lower_effort >= effort;
        let upper = self.upper_effort >= effort;
        match question {
            Question::Exceeds(target) => {
                lower && self.searched.lower() > target || upper && self.searched.upper() <= target
            }
            Question::Reaches(target) => {
                lower && self.searched.lower() >= target || upper && self.searched.upper() < target
            }
            Question::Within { floor, ceiling } => {
                lower && upper && self.searched.is_exact()
                    || lower && self.searched.lower() >= ceiling
                    || upper && self.searched.upper() <= floor
            }
        }
    }

    /// After an answer found with `effort`: `answer` is exact or one-sided and takes the place of the ends of which
    /// it speaks. An older opposite end that contradicts it is forgotten. Facts stay: the answer is bent to them. The
    /// belief is left as it was.
    #[must_use]
    pub fn revised(mut self, answer: Interval<V>, effort: Effort) -> Self {
        let facts = Interval {
            lower: if self.lower_effort.is_proven() { self.searched.lower } else { V::MIN },
            upper: if self.upper_effort.is_proven() { self.searched.upper } else { V::MAX },
        };
        let answer = Interval { lower: facts.clamp(answer.lower), upper: facts.clamp(answer.upper) };
        if answer.lower > facts.lower {
            (self.searched.lower, self.lower_effort) = (answer.lower, effort);
        }
        if answer.upper < facts.upper {
            (self.searched.upper, self.upper_effort) = (answer.upper, effort);
        }
        if self.searched.lower > self.searched.upper {
            // Only one end is new, else they could not have crossed.
            if answer.upper < facts.upper {
                (self.searched.lower, self.lower_effort) =
                    (facts.lower, proven_or_none(facts.lower > V::MIN));
            } else {
                (self.searched.upper, self.upper_effort) =
                    (facts.upper, proven_or_none(facts.upper < V::MAX));
            }
        }
        self
    }
}

/// The effort behind an end that is a fact, or about which nothing is known.
fn proven_or_none(proven: bool) -> Effort {
    if proven { Effort::PROVEN } else { Effort::NONE }
}

impl<V: Value> Neg for Estimate<V> {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            belief: -self.belief,
            searched: -self.searched,
            lower_effort: self.upper_effort,
            upper_effort: self.lower_effort,
        }
    }
}

/// A question about a position's value, from its side to move. `Neg` asks the same of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question<V> {
    /// The value itself where it lies strictly between the two, else on which side it lies.
    /// `Within { floor: MIN, ceiling: MAX }` asks for the value, wherever it is. Chess: an open window.
    Within {
        /// An answer "at most this" settles the question.
        floor: V,
        /// An answer "at least this" settles the question.
        ceiling: V,
    },
    /// Is the value greater than this? Chess: a null window just above.
    Exceeds(V),
    /// Is the value at least this? Chess: a null window just below.
    Reaches(V),
}

impl<V: Value> Question<V> {
    /// The value, wherever it lies.
    pub const VALUE: Self = Self::Within { floor: V::MIN, ceiling: V::MAX };
}

impl<V: Value> Neg for Question<V> {
    type Output = Self;
    fn neg(self) -> Self {
        match self {
            Self::Within { floor, ceiling } => Self::Within { floor: -ceiling, ceiling: -floor },
            // v > t exactly when not (-v >= -t).
            Self::Exceeds(target) => Self::Reaches(-target),
            Self::Reaches(target) => Self::Exceeds(-target),
        }
    }
}

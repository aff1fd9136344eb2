//! [`Tree`]: games written out: numbers, nimbers, ups, options in braces, and sums and negatives of these.

use crate::sums::{Dyadic, Failure, Overflow, Side, Store, Term};
use std::fmt;

/// The largest nimber that is accepted: a nimber has as many options as its size.
pub const LARGEST_NIMBER: u32 = 255;
/// The most ups, or downs, in one term.
pub const MOST_UPS: u32 = 255;

/// A game as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Tree {
    /// A number.
    Number(Dyadic),
    /// `*n`: at most [`LARGEST_NIMBER`].
    Nimber(u32),
    /// So many ups, negative for downs; at most [`MOST_UPS`] in size.
    Ups(i32),
    /// `{left | right}`.
    Options(Vec<Self>, Vec<Self>),
    /// A sum.
    Sum(Vec<Self>),
    /// The same with the sides exchanged.
    Negative(Box<Self>),
}

impl Tree {
    /// `{left | right}` of two numbers, which is a number itself when `left < right`.
    pub fn switch(left: Dyadic, right: Dyadic) -> Self {
        Self::Options(vec![Self::Number(left)], vec![Self::Number(right)])
    }

    /// The canonical form.
    pub fn value(&self, store: &mut Store) -> Result<Term, Failure> {
        match self {
            Self::Number(x) => Ok(Term::number(*x)),
            Self::Nimber(n) => nimber(store, *n),
            Self::Ups(n) => ups(store, *n),
            Self::Options(left, right) => {
                let left = left.iter().map(|option| option.value(store)).collect::<Result<_, _>>()?;
                let right = right.iter().map(|option| option.value(store)).collect::<Result<_, _>>()?;
                store.construct(left, right)
            }
            Self::Sum(terms) => terms.iter().try_fold(Term::ZERO, |sum, term| {
                let term = term.value(store)?;
                store.add(sum, term)
            }),
            Self::Negative(tree) => tree.value(store).map(|value| store.negative(value)),
        }
    }

    /// Between what both stops lie, from the numbers that are written in it. A game's stops are an option's, or the game is a
    /// number: the simplest that fits, which is no further from 0 than an option's stop and 1.
    pub fn rough_stops(&self) -> Result<(Dyadic, Dyadic), Overflow> {
        let zero = (Dyadic::ZERO, Dyadic::ZERO);
        match self {
            Self::Number(x) => Ok((*x, *x)),
            Self::Nimber(_) | Self::Ups(_) => Ok(zero),
            Self::Options(left, right) => left.iter().chain(right).try_fold(zero, |(low, high), option| {
                let (lower, upper) = option.rough_stops()?;
                Ok((low.min(lower.less(Dyadic::ONE)?), high.max(upper.plus(Dyadic::ONE)?)))
            }),
            Self::Sum(terms) => terms.iter().try_fold(zero, |(low, high), term| {
                let (lower, upper) = term.rough_stops()?;
                Ok((low.plus(lower)?, high.plus(upper)?))
            }),
            Self::Negative(tree) => tree.rough_stops().map(|(low, high)| (-high, -low)),
        }
    }

    /// What `side` can move to.
    pub fn options(&self, side: Side) -> Vec<Self> {
        match self {
            Self::Number(x) => {
                let (left, right) = x.options().unwrap_or_default();
                let option = if side == Side::Left { left } else { right };
                option.map(Self::Number).into_iter().collect()
            }
            Self::Nimber(n) => (0..*n).map(Self::Nimber).collect(),
            Self::Ups(n) => ups_options(*n, side),
            Self::Options(left, right) => {
                if side == Side::Left {
                    left.clone()
                } else {
                    right.clone()
                }
            }
            Self::Sum(terms) => {
                let moved = |(index, term): (usize, &Self)| {
                    let options = term.options(side).into_iter();
                    let with = move |option| {
                        let mut terms = terms.clone();
                        terms[index] = option;
                        Self::Sum(terms)
                    };
                    options.map(with).collect::<Vec<_>>()
                };
                terms.iter().enumerate().flat_map(moved).collect()
            }
            Self::Negative(tree) => tree
                .options(side.other())
                .into_iter()
                .map(|option| Self::Negative(Box::new(option)))
                .collect(),
        }
    }
}

/// Up is `{0 | *}`; `n` ups are worth `{0 | n-1 ups and a star}`.
fn ups_options(n: i32, side: Side) -> Vec<Tree> {
    let home = if n > 0 { Side::Left } else { Side::Right };
    match n {
        0 => Vec::new(),
        _ if side == home => vec![Tree::Number(Dyadic::ZERO)],
        1 | -1 => vec![Tree::Nimber(1)],
        _ => vec![Tree::Sum(vec![Tree::Ups(n - n.signum()), Tree::Nimber(1)])],
    }
}

fn nimber(store: &mut Store, n: u32) -> Result<Term, Failure> {
    let mut smaller = Vec::new();
    for _ in 0..n {
        let next = store.construct(smaller.clone(), smaller.clone())?;
        smaller.push(next);
    }
    store.construct(smaller.clone(), smaller)
}

/// `n` ups are `{0 | n-1 ups and a star}`, `n` ups and a star `{0 | n-1 ups}`, but `{0, * | 0}` for one.
fn ups(store: &mut Store, n: i32) -> Result<Term, Failure> {
    let star = nimber(store, 1)?;
    let (mut plain, mut starred) = (Term::ZERO, star);
    for count in 1..=n.unsigned_abs() {
        let next = store.construct(vec![Term::ZERO], vec![starred])?;
        let left = if count == 1 { vec![Term::ZERO, star] } else { vec![Term::ZERO] };
        starred = store.construct(left, vec![plain])?;
        plain = next;
    }
    Ok(if n < 0 { store.negative(plain) } else { plain })
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(x) => x.fmt(f),
            Self::Nimber(n) => write_nimber(f, *n),
            Self::Ups(n) => write_ups(f, *n),
            Self::Options(left, right) => {
                write!(f, "{{")?;
                list(f, left)?;
                write!(f, "|")?;
                list(f, right)?;
                write!(f, "}}")
            }
            Self::Sum(terms) => {
                for (index, term) in terms.iter().enumerate() {
                    match term {
                        Self::Negative(tree) => write!(f, "{}{tree}", if index > 0 { " - " } else { "-" })?,
                        _ => write!(f, "{}{term}", if index > 0 { " + " } else { "" })?,
                    }
                }
                Ok(())
            }
            Self::Negative(tree) => match **tree {
                Self::Sum(_) => write!(f, "-({tree})"),
                _ => write!(f, "-{tree}"),
            },
        }
    }
}

/// `0`, `*`, `*2`, ..
fn write_nimber(f: &mut fmt::Formatter<'_>, n: u32) -> fmt::Result {
    match n {
        0 => write!(f, "0"),
        1 => write!(f, "*"),
        _ => write!(f, "*{n}"),
    }
}

/// `0`, `^`, `^2`, `v`, `v2`, ..
fn write_ups(f: &mut fmt::Formatter<'_>, n: i32) -> fmt::Result {
    let arrow = if n > 0 { '^' } else { 'v' };
    match n.unsigned_abs() {
        0 => write!(f, "0"),
        1 => write!(f, "{arrow}"),
        size => write!(f, "{arrow}{size}"),
    }
}

fn list(f: &mut fmt::Formatter<'_>, options: &[Tree]) -> fmt::Result {
    for (index, option) in options.iter().enumerate() {
        write!(f, "{}{option}", if index > 0 { "," } else { "" })?;
    }
    Ok(())
}

//! [`Position`]: a sum as it was given, its components valued, and the moves that the players really have in it.

use super::component::{Component, Values};
use super::{Failure, Side, Store, Sum, Term};
use rustc_hash::FxHashSet;

/// A component and the values of its independent parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Valued {
    /// As it was given.
    pub form: Component,
    /// A tree has one part, a board as many as there are.
    pub parts: Vec<Term>,
}

impl Valued {
    /// Nobody gains by moving here.
    pub fn is_number(&self) -> bool {
        self.parts.iter().all(|part| part.is_number())
    }
}

/// A move in a component, as it was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenMove {
    /// Which component, from 0.
    pub component: usize,
    /// What it is moved to.
    pub to: Component,
    /// The sum after the move, seen by the opponent.
    pub after: Sum,
}

/// A sum with its components' values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    components: Vec<Valued>,
}

impl Position {
    /// Values the components.
    pub fn of(store: &mut Store, values: &mut Values, components: &[Component]) -> Result<Self, Failure> {
        let valued = |form: &Component| Ok(Valued { form: form.clone(), parts: values.parts(store, form)? });
        Ok(Self { components: components.iter().map(valued).collect::<Result<_, Failure>>()? })
    }

    /// The components.
    pub fn components(&self) -> &[Valued] {
        &self.components
    }

    /// The whole sum, seen by `side`.
    pub fn sum(&self, store: &mut Store, side: Side) -> Result<Sum, Failure> {
        let sum = Sum::of(store, self.components.iter().flat_map(|component| component.parts.clone()))?;
        Ok(if side == Side::Left { sum } else { sum.turned(store) })
    }

    /// The canonical form of the whole.
    pub fn value(&self, store: &mut Store) -> Result<Term, Failure> {
        let mut parts = self.components.iter().flat_map(|component| &component.parts);
        parts.try_fold(Term::ZERO, |sum, &part| store.add(sum, part))
    }

    /// The moves of `side` in components that are no numbers, one for each sum that a move can leave. Empty when play
    /// is over.
    pub fn moves(
        &self,
        store: &mut Store,
        values: &mut Values,
        side: Side,
    ) -> Result<Vec<GivenMove>, Failure> {
        let mut moves = Vec::new();
        let mut seen = FxHashSet::default();
        for (index, component) in self.components.iter().enumerate() {
            if component.is_number() {
                continue;
            }
            let others: Vec<Term> = self.parts_but(index).collect();
            for to in component.form.options(side) {
                let parts = values.parts(store, &to)?;
                let mut after = Sum::of(store, others.iter().copied().chain(parts))?;
                if side == Side::Left {
                    after = after.turned(store);
                }
                if seen.insert(after.clone()) {
                    moves.push(GivenMove { component: index, to, after });
                }
            }
        }
        Ok(moves)
    }

    /// The parts of all components but one.
    fn parts_but(&self, index: usize) -> impl Iterator<Item = Term> + '_ {
        let others = self.components.iter().enumerate().filter(move |&(other, _)| other != index);
        others.flat_map(|(_, other)| other.parts.iter().copied())
    }
}

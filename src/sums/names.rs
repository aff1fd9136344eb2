//! [`Names`]: values as text.

use super::component::Tree;
use super::{Dyadic, Failure, GameId, Store, Term};
use rustc_hash::FxHashMap;

/// Writes canonical forms: numbers, the usual names of small nimbers and ups, braces for the rest.
#[derive(Default)]
pub struct Names {
    known: FxHashMap<GameId, String>,
}

/// Nimbers and ups up to this size have names.
const NAMED: u32 = 8;
/// Games with more positions than this are not written out, but told by mean and temperature.
const LONGEST: u32 = 24;

impl Names {
    /// The names of a store's games.
    pub fn new(store: &mut Store) -> Result<Self, Failure> {
        let mut known = FxHashMap::default();
        for n in 1..=NAMED {
            known.insert(Tree::Nimber(n).value(store)?.game, Tree::Nimber(n).to_string());
        }
        for n in (1..=NAMED as i32).flat_map(|n| [n, -n]) {
            for star in 0..2 {
                let value = Tree::Sum(vec![Tree::Ups(n), Tree::Nimber(star)]).value(store)?;
                let star = if star == 1 { "*" } else { "" };
                known.insert(value.game, format!("{}{star}", Tree::Ups(n)));
            }
        }
        Ok(Self { known })
    }

    /// A value's canonical form.
    pub fn show(&self, store: &Store, term: Term) -> String {
        if term.is_number() {
            return term.offset.to_string();
        }
        if let Some(name) = self.known.get(&term.game) {
            return if term.offset == Dyadic::ZERO {
                name.clone()
            } else {
                format!("{}+{name}", term.offset)
            };
        }
        let game = store.get(term.game);
        if game.size() > LONGEST {
            return format!("[mean {}, temperature {}]", term.offset, game.walls().temperature);
        }
        let list = |options: &[Term]| {
            let shown = |option: &Term| match option.shifted(term.offset) {
                Ok(option) => self.show(store, option),
                Err(overflow) => overflow.to_string(),
            };
            options.iter().map(shown).collect::<Vec<_>>().join(",")
        };
        format!("{{{}|{}}}", list(game.left()), list(game.right()))
    }
}

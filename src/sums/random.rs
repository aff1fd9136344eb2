//! Random sums, the same for the same seed.

use super::component::Tree;
use super::{Dyadic, Failure, GameId, Store};

/// A source of chance (SplitMix64; Steele, Lea & Flood 2014).
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % n
    }
}

/// What the random components are like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Moves to the deepest number of the canonical form.
    pub depth: u32,
    /// The leaves are integers up to this size.
    pub largest: u32,
}

impl Shape {
    /// Depth 3, leaves up to 10 in size.
    pub const USUAL: Self = Self { depth: 3, largest: 10 };
    /// Trees tried for one component before a shallower one is accepted.
    const TRIES: u32 = 10_000;

    /// A hot component: its temperature is above 0 and its canonical form has this shape's depth.
    pub fn component(self, store: &mut Store, chance: &mut Chance) -> Result<Tree, Failure> {
        let mut tree = self.tree(chance, self.depth);
        for _ in 0..Self::TRIES {
            let value = tree.value(store)?;
            if store.get(value.game).walls().temperature > Dyadic::ZERO
                && depth(store, value.game) == self.depth
            {
                break;
            }
            tree = self.tree(chance, self.depth);
        }
        Ok(tree)
    }

    /// A tree in which every side has one option, or with a chance of a quarter two; a branch ends early with a chance of a
    /// quarter.
    fn tree(self, chance: &mut Chance, depth: u32) -> Tree {
        if depth == 0 || depth < self.depth && chance.below(4) == 0 {
            let leaf = chance.below(u64::from(2 * self.largest + 1)) as i64 - i64::from(self.largest);
            return Tree::Number(Dyadic::integer(leaf).unwrap_or(Dyadic::ZERO));
        }
        let mut side = || {
            let count = if chance.below(4) == 0 { 2 } else { 1 };
            (0..count).map(|_| self.tree(chance, depth - 1)).collect()
        };
        Tree::Options(side(), side())
    }
}

/// Moves to the deepest number below a game.
fn depth(store: &Store, game: GameId) -> u32 {
    let stored = store.get(game);
    let options = stored.left().iter().chain(stored.right().iter());
    options
        .map(|option| if option.is_number() { 1 } else { 1 + depth(store, option.game) })
        .max()
        .unwrap_or(0)
}

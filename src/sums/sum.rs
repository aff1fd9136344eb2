//! [`Sum`]: a sum in normal form, seen by the side to move, which is always Left here.
//!
//! `number + game + game + ..`, the games of mean 0 and sorted, so that the order of the components does not matter;
//! a game and its negative cancel; small infinitesimals are added up. All of this leaves the value as it is, and with it
//! stops and winner.

use super::{Dyadic, Failure, GameId, Overflow, Store, Term};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A sum of games of mean 0 and a number. The side to move is Left.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Sum {
    number: Dyadic,
    games: Vec<GameId>,
}

/// Two infinitesimals are added up when the product of their numbers of positions, which bounds the number of positions of
/// the sum, is at most this: about a millisecond's work.
const SMALL: usize = 1024;

impl Sum {
    /// The normal form of a sum of terms.
    pub fn of(store: &mut Store, terms: impl IntoIterator<Item = Term>) -> Result<Self, Failure> {
        let mut sum = Self::default();
        for term in terms {
            sum.insert(store, term)?;
        }
        sum.gather_infinitesimals(store)?;
        Ok(sum)
    }

    /// The number, which is the mean of the whole sum.
    pub fn number(&self) -> Dyadic {
        self.number
    }

    /// The games of mean 0, sorted, equal ones as often as they occur.
    pub fn games(&self) -> &[GameId] {
        &self.games
    }

    /// Every component is a number: play is over.
    pub fn is_over(&self) -> bool {
        self.games.is_empty()
    }

    /// Nothing but infinitesimals beside the number.
    pub fn is_cold(&self, store: &Store) -> bool {
        self.games.iter().all(|&game| store.get(game).is_infinitesimal())
    }

    /// The moves of the side to move, as Left: a game and the number of its option. Equal games count once. Nobody moves
    /// in a number (number avoidance).
    pub fn moves(&self, store: &Store) -> Vec<(GameId, usize)> {
        let mut games = self.games.clone();
        games.dedup();
        let options = |game: GameId| (0..store.get(game).left().len()).map(move |option| (game, option));
        games.into_iter().flat_map(options).collect()
    }

    /// The sum seen by the other side.
    #[must_use]
    pub fn turned(&self, store: &Store) -> Self {
        let mut games: Vec<GameId> = self.games.iter().map(|&game| store.get(game).negative()).collect();
        games.sort_unstable();
        Self { number: -self.number, games }
    }

    /// What is left, for the opponent to move in, when the side to move takes option `option` of `game`, which must be
    /// a game of the sum.
    pub fn after(&self, store: &mut Store, game: GameId, option: usize) -> Result<Self, Failure> {
        let mut sum = self.clone();
        if let Ok(place) = sum.games.binary_search(&game) {
            sum.games.remove(place);
        }
        let term = store.get(game).left()[option];
        let warm = !term.is_number();
        sum.insert(store, term)?;
        if warm {
            sum.gather_infinitesimals(store)?;
        }
        Ok(sum.turned(store))
    }

    /// Adds a term; a game meets its negative.
    fn insert(&mut self, store: &Store, term: Term) -> Result<(), Overflow> {
        self.number = self.number.plus(term.offset)?;
        if term.is_number() {
            return Ok(());
        }
        match self.games.binary_search(&store.get(term.game).negative()) {
            Ok(place) => {
                self.games.remove(place);
            }
            Err(_) => {
                let place = self.games.partition_point(|&game| game < term.game);
                self.games.insert(place, term.game);
            }
        }
        Ok(())
    }

    /// Adds up the small infinitesimals, smallest first.
    fn gather_infinitesimals(&mut self, store: &mut Store) -> Result<(), Failure> {
        let (mut cold, warm): (Vec<_>, Vec<_>) =
            self.games.iter().partition(|&&game| store.get(game).is_infinitesimal());
        if cold.len() < 2 {
            return Ok(());
        }
        cold.sort_by_key(|&game| (store.positions(game), game));
        self.games = warm;
        let mut gathered = Term::ZERO;
        for game in cold {
            if store.positions(gathered.game) * store.positions(game) <= SMALL {
                gathered = store.add(gathered, Term::game(game))?;
            } else {
                self.insert(store, Term::game(game))?;
            }
        }
        Ok(self.insert(store, gathered)?)
    }

    /// A hash of the normal form.
    pub fn key(&self) -> u64 {
        hash(self)
    }
}

/// 64 bits that depend on everything: the hasher's, whose lower ones know less, mixed once more (SplitMix64's finisher,
/// Steele, Lea & Flood 2014).
pub(super) fn hash(of: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    let mut key = hasher.finish();
    key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

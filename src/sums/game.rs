//! [`Store`]: canonical forms of short games, each held once.
//!
//! A value is stored as a [`Term`]: a *game of mean 0* plus a number. By the number translation theorem adding a number
//! to a game that is no number adds it to every option, so `{5|1}` and `{0|-4}` are the same game `{2|-2}` plus 3 and
//! minus 2; sums then cancel and share whatever differs by numbers only. Options are terms again.
//!
//! ```text
//!   Term { game, offset }          Store
//!          |                       +--------------------------------------------------+
//!          +---------------------> | Game 0: zero (a number is a term of this game)    |
//!                                  | Game 1: left [Term, ..]  right [Term, ..]         |
//!                                  |         walls from temperature 0, stops, negative |
//!                                  +--------------------------------------------------+
//! ```
//!
//! Canonical forms (Conway 1976; Siegel 2013): options are canonical, no option is dominated or reversible; two games
//! are equal exactly when these forms are the same, so equality is equality of terms.

mod canonical;

use super::thermograph::Thermograph;
use super::{Dyadic, Failure, Guard, Overflow};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::size_of;
use std::sync::Arc;

/// Which game of the [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId(u32);

impl GameId {
    /// The game without moves.
    pub const ZERO: Self = Self(0);

    /// Its place in the store.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A value: a stored game of mean 0 plus a number, its mean.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The game of mean 0; [`GameId::ZERO`] for numbers, and for numbers only.
    pub game: GameId,
    /// The number added: the mean.
    pub offset: Dyadic,
}

impl Term {
    /// 0.
    pub const ZERO: Self = Self::number(Dyadic::ZERO);

    /// A number.
    pub const fn number(offset: Dyadic) -> Self {
        Self { game: GameId::ZERO, offset }
    }

    /// A game of the store by itself.
    pub const fn game(game: GameId) -> Self {
        Self { game, offset: Dyadic::ZERO }
    }

    /// A number?
    pub fn is_number(self) -> bool {
        self.game == GameId::ZERO
    }

    /// This plus a number.
    pub fn shifted(self, by: Dyadic) -> Result<Self, Overflow> {
        Ok(Self { offset: self.offset.plus(by)?, ..self })
    }
}

/// A canonical game of mean 0. Values are Left's.
#[derive(Clone, Debug)]
pub struct Game {
    left: Arc<[Term]>,
    right: Arc<[Term]>,
    walls: Thermograph,
    stops: Stops,
    negative: GameId,
    size: u32,
}

/// The two stops, and whether they are held in the sense of who moves last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stops {
    /// The number reached when Left moves first.
    pub left: Dyadic,
    /// The number reached when Right moves first.
    pub right: Dyadic,
    /// The game is at most its left stop: Left, moving first on the difference of the two, does not get the last move.
    pub left_held: bool,
    /// The game is at least its right stop.
    pub right_held: bool,
}

impl Stops {
    const ZERO: Self = Self { left: Dyadic::ZERO, right: Dyadic::ZERO, left_held: true, right_held: true };

    fn shifted(self, by: Dyadic) -> Result<Self, Overflow> {
        Ok(Self { left: self.left.plus(by)?, right: self.right.plus(by)?, ..self })
    }

    fn mirrored(self) -> Self {
        Self { left: -self.right, right: -self.left, left_held: self.right_held, right_held: self.left_held }
    }
}

impl Game {
    /// Left's options.
    pub fn left(&self) -> &Arc<[Term]> {
        &self.left
    }

    /// Right's options.
    pub fn right(&self) -> &Arc<[Term]> {
        &self.right
    }

    /// The thermograph from temperature 0 upwards. Its mean is 0.
    pub fn walls(&self) -> &Thermograph {
        &self.walls
    }

    /// The stops and who moves last on reaching them.
    pub fn stops(&self) -> Stops {
        self.stops
    }

    /// The game with the sides exchanged.
    pub fn negative(&self) -> GameId {
        self.negative
    }

    /// Both stops are 0: the temperature is 0, since the game is no number.
    pub fn is_infinitesimal(&self) -> bool {
        self.stops.left == Dyadic::ZERO && self.stops.right == Dyadic::ZERO
    }

    /// The number of positions in the game's tree, numbers counted as leaves; saturating.
    pub fn size(&self) -> u32 {
        self.size
    }
}

/// The two option lists that identify a canonical game.
type Form = (Arc<[Term]>, Arc<[Term]>);

/// All games met so far, with caches for comparisons and sums.
pub struct Store {
    games: Vec<Game>,
    index: FxHashMap<Form, GameId>,
    order: FxHashMap<(GameId, GameId, Dyadic), bool>,
    sums: FxHashMap<(GameId, GameId), Term>,
    positions: FxHashMap<GameId, usize>,
    other_bytes: usize,
    guard: Guard,
    steps: u64,
}

/// Bytes of one stored game without its options: the game, its two corners a wall at least, its entry in the index.
const GAME_BYTES: usize = size_of::<Game>() + size_of::<(Form, GameId)>() + 8 * size_of::<Dyadic>();
/// Bytes of a cached comparison. Hash tables are kept at most 7/8 full and double, so an entry takes about 1.5 times its size.
const ORDER_BYTES: usize = size_of::<((GameId, GameId, Dyadic), bool)>() * 3 / 2;
/// Bytes of a cached sum, likewise.
const SUM_BYTES: usize = size_of::<((GameId, GameId), Term)>() * 3 / 2;

impl Default for Store {
    fn default() -> Self {
        Self::new(Guard::none())
    }
}

impl Store {
    /// A store that knows the game without moves, and works within `guard`.
    pub fn new(guard: Guard) -> Self {
        let none: Arc<[Term]> = Arc::new([]);
        let zero = Game {
            left: none.clone(),
            right: none.clone(),
            walls: Thermograph::mast(Dyadic::ZERO, Dyadic::ZERO),
            stops: Stops::ZERO,
            negative: GameId::ZERO,
            size: 1,
        };
        Self {
            games: vec![zero],
            index: [((none.clone(), none), GameId::ZERO)].into_iter().collect(),
            order: FxHashMap::default(),
            sums: FxHashMap::default(),
            positions: FxHashMap::default(),
            other_bytes: 0,
            guard,
            steps: 0,
        }
    }

    /// Other limits from now on.
    pub fn set_guard(&mut self, guard: Guard) {
        self.guard = guard;
    }

    /// The limits.
    pub fn guard(&mut self) -> &mut Guard {
        &mut self.guard
    }

    /// A stored game.
    pub fn get(&self, game: GameId) -> &Game {
        &self.games[game.index()]
    }

    /// How many games are stored.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Never: the game without moves is always stored.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Comparisons and simplifications done so far: the store's measure of work.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The number of different positions of a game, itself and numbers included, all numbers counted as one.
    pub fn positions(&mut self, game: GameId) -> usize {
        if let Some(&known) = self.positions.get(&game) {
            return known;
        }
        let mut seen: FxHashSet<GameId> = [game].into_iter().collect();
        let mut pending = vec![game];
        while let Some(next) = pending.pop() {
            let game = self.get(next);
            let options = game.left.iter().chain(game.right.iter());
            pending.extend(options.map(|option| option.game).filter(|&option| seen.insert(option)));
        }
        self.positions.insert(game, seen.len());
        seen.len()
    }

    /// Counts memory that is held beside the store, in bytes, against its limit.
    pub(super) fn charge(&mut self, bytes: usize) {
        self.other_bytes += bytes;
    }

    /// Takes a charge back: the memory was freed.
    pub(super) fn discharge(&mut self, bytes: usize) {
        self.other_bytes = self.other_bytes.saturating_sub(bytes);
    }

    /// An estimate of the memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        self.games.len() * GAME_BYTES
            + self.other_bytes
            + self.order.len() * ORDER_BYTES
            + self.sums.len() * SUM_BYTES
    }

    /// Counts a step of work; when memory runs short the caches are given up before the games.
    pub(super) fn step(&mut self) -> Result<(), Failure> {
        self.steps += 1;
        let bytes = self.bytes();
        if bytes > self.guard.bytes() {
            self.order = FxHashMap::default();
            self.sums = FxHashMap::default();
        }
        self.guard.step(self.bytes())
    }

    /// The stops of a value.
    pub fn stops(&self, term: Term) -> Result<Stops, Overflow> {
        self.get(term.game).stops.shifted(term.offset)
    }

    /// `-term`.
    pub fn negative(&self, term: Term) -> Term {
        Term { game: self.get(term.game).negative, offset: -term.offset }
    }

    /// The options of a value's canonical form, Left's and Right's.
    pub fn options(&self, term: Term) -> Result<(Vec<Term>, Vec<Term>), Overflow> {
        if term.is_number() {
            let (left, right) = term.offset.options()?;
            return Ok((
                left.map(Term::number).into_iter().collect(),
                right.map(Term::number).into_iter().collect(),
            ));
        }
        let game = self.get(term.game);
        let all = |options: &[Term]| -> Result<Vec<Term>, Overflow> {
            options.iter().map(|option| option.shifted(term.offset)).collect()
        };
        Ok((all(&game.left)?, all(&game.right)?))
    }

    /// `a <= b`: Left, moving first, does not win `a - b`.
    pub fn le(&mut self, a: Term, b: Term) -> Result<bool, Failure> {
        if a.game == b.game {
            return Ok(a.offset <= b.offset);
        }
        // Number avoidance: beside a game that is no number only moves in the game matter, and those the stops tell.
        if a.is_number() {
            return Ok(number_le(a.offset, self.stops(b)?));
        }
        if b.is_number() {
            return Ok(le_number(self.stops(a)?, b.offset));
        }
        let shift = b.offset.less(a.offset)?;
        // The mean of a - b is then positive.
        if shift.signum() < 0 {
            return Ok(false);
        }
        let (stops, other) = (self.get(a.game).stops, self.get(b.game).stops.shifted(shift)?);
        if stops.left > other.left || stops.right > other.right {
            return Ok(false);
        }
        if stops.left < other.right {
            return Ok(true);
        }
        let key = (a.game, b.game, shift);
        if let Some(&known) = self.order.get(&key) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.no_refutation(a.game, b.game, shift)?;
        self.order.insert(key, answer);
        Ok(answer)
    }

    /// `a <= b + shift` by definition: no left option of `a` is at least the right-hand side, and no right option of
    /// that is at most `a`.
    fn no_refutation(&mut self, a: GameId, b: GameId, shift: Dyadic) -> Result<bool, Failure> {
        let whole = Term { game: b, offset: shift };
        for &option in self.get(a).left.clone().iter() {
            if self.le(whole, option)? {
                return Ok(false);
            }
        }
        for &option in self.get(b).right.clone().iter() {
            if self.le(option.shifted(shift)?, Term::game(a))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The canonical form of `a + b`.
    pub fn add(&mut self, a: Term, b: Term) -> Result<Term, Failure> {
        let offset = a.offset.plus(b.offset)?;
        Ok(self.add_games(a.game, b.game)?.shifted(offset)?)
    }

    fn add_games(&mut self, a: GameId, b: GameId) -> Result<Term, Failure> {
        if a == GameId::ZERO || b == GameId::ZERO {
            return Ok(Term::game(a.max(b)));
        }
        if self.get(a).negative == b {
            return Ok(Term::ZERO);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.sums.get(&key) {
            return Ok(known);
        }
        let mut left = Vec::new();
        let mut right = Vec::new();
        for (moved, other) in [(a, b), (b, a)] {
            for &option in self.get(moved).left.clone().iter() {
                left.push(self.add(option, Term::game(other))?);
            }
            for &option in self.get(moved).right.clone().iter() {
                right.push(self.add(option, Term::game(other))?);
            }
        }
        let sum = self.construct(left, right)?;
        self.sums.insert(key, sum);
        Ok(sum)
    }
}

/// Left or Right. Left is Black, and prefers greater values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Black, the maximiser.
    Left,
    /// White, the minimiser.
    Right,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// `x <= G` for a game that is no number.
fn number_le(x: Dyadic, stops: Stops) -> bool {
    x < stops.right || x == stops.right && stops.right_held
}

/// `G <= x` for a game that is no number.
fn le_number(stops: Stops, x: Dyadic) -> bool {
    stops.left < x || stops.left == x && stops.left_held
}

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

use super::thermograph::Thermograph;
use super::{Dyadic, Failure, Guard, Overflow};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::size_of;
use std::ops::Bound;
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

    /// The canonical form of `{left | right}`.
    pub fn construct(&mut self, mut left: Vec<Term>, mut right: Vec<Term>) -> Result<Term, Failure> {
        self.step()?;
        left.sort_unstable();
        left.dedup();
        right.sort_unstable();
        right.dedup();
        let ends = self.ends(&left, &right)?;
        if let Some(number) = Dyadic::simplest(ends.0, ends.1)? {
            return Ok(Term::number(number));
        }
        let stops = self.stops_of_options(&left, &right)?;
        let left = self.undominated(left, Side::Left)?;
        let right = self.undominated(right, Side::Right)?;
        let mut draft = Draft { left, right, stops, known: FxHashMap::default() };
        let left = self.bypass_reversible(&mut draft, Side::Left)?;
        let right = self.bypass_reversible(&mut draft, Side::Right)?;
        self.intern_with_mean(left, right, stops)
    }

    /// Between which ends a number must lie to be confused with no option: `{left | right}` is a number exactly when
    /// one does, and is then the simplest of them.
    fn ends(&self, left: &[Term], right: &[Term]) -> Result<(Bound<Dyadic>, Bound<Dyadic>), Overflow> {
        let mut lower = Bound::Unbounded;
        for &option in left {
            let stops = self.stops(option)?;
            lower = tighter(lower, stops.right, stops.right_held, |a, b| a > b);
        }
        let mut upper = Bound::Unbounded;
        for &option in right {
            let stops = self.stops(option)?;
            upper = tighter(upper, stops.left, stops.left_held, |a, b| a < b);
        }
        Ok((lower, upper))
    }

    /// The stops of `{left | right}`, which is no number.
    fn stops_of_options(&self, left: &[Term], right: &[Term]) -> Result<Stops, Overflow> {
        let mut stops = Stops { left: -HUGE, right: HUGE, left_held: true, right_held: true };
        for &option in left {
            let reached = self.stops(option)?;
            if reached.right > stops.left {
                (stops.left, stops.left_held) = (reached.right, true);
            }
            if reached.right == stops.left {
                stops.left_held &= !reached.right_held;
            }
        }
        for &option in right {
            let reached = self.stops(option)?;
            if reached.left < stops.right {
                (stops.right, stops.right_held) = (reached.left, true);
            }
            if reached.left == stops.right {
                stops.right_held &= !reached.left_held;
            }
        }
        Ok(stops)
    }

    /// The options without those that another makes needless.
    fn undominated(&mut self, options: Vec<Term>, side: Side) -> Result<Vec<Term>, Failure> {
        let mut kept: Vec<Term> = Vec::with_capacity(options.len());
        'options: for option in options {
            let mut index = 0;
            while index < kept.len() {
                let other = kept[index];
                if self.not_better(option, other, side)? {
                    continue 'options;
                }
                if self.not_better(other, option, side)? {
                    kept.swap_remove(index);
                } else {
                    index += 1;
                }
            }
            kept.push(option);
        }
        Ok(kept)
    }

    /// `a` is worth no more than `b` to `side`.
    fn not_better(&mut self, a: Term, b: Term, side: Side) -> Result<bool, Failure> {
        match side {
            Side::Left => self.le(a, b),
            Side::Right => self.le(b, a),
        }
    }

    /// Replaces every option of `side` that the opponent can reverse, through an option no worse for the opponent than
    /// the whole game, by what `side` has there; then drops dominated options.
    fn bypass_reversible(&mut self, draft: &mut Draft, side: Side) -> Result<Vec<Term>, Failure> {
        let mut pending = match side {
            Side::Left => draft.left.clone(),
            Side::Right => draft.right.clone(),
        };
        let mut kept = Vec::with_capacity(pending.len());
        'pending: while let Some(option) = pending.pop() {
            let (left, right) = self.options(option)?;
            let replies = if side == Side::Left { right } else { left };
            for reply in replies {
                let reverses = match side {
                    Side::Left => self.le_draft(reply, draft)?,
                    Side::Right => self.ge_draft(reply, draft)?,
                };
                if reverses {
                    let (left, right) = self.options(reply)?;
                    pending.extend(if side == Side::Left { left } else { right });
                    continue 'pending;
                }
            }
            if !kept.contains(&option) {
                kept.push(option);
            }
        }
        self.undominated(kept, side)
    }

    /// `term <= draft`.
    fn le_draft(&mut self, term: Term, draft: &mut Draft) -> Result<bool, Failure> {
        let stops = self.stops(term)?;
        if term.is_number() {
            return Ok(number_le(term.offset, draft.stops));
        }
        if stops.left > draft.stops.left || stops.right > draft.stops.right {
            return Ok(false);
        }
        if stops.left < draft.stops.right {
            return Ok(true);
        }
        if let Some(&known) = draft.known.get(&(term, Side::Left)) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.draft_does_not_refute(term, draft, Side::Left)?;
        draft.known.insert((term, Side::Left), answer);
        Ok(answer)
    }

    /// `term >= draft`.
    fn ge_draft(&mut self, term: Term, draft: &mut Draft) -> Result<bool, Failure> {
        let stops = self.stops(term)?;
        if term.is_number() {
            return Ok(le_number(draft.stops, term.offset));
        }
        if stops.left < draft.stops.left || stops.right < draft.stops.right {
            return Ok(false);
        }
        if stops.right > draft.stops.left {
            return Ok(true);
        }
        if let Some(&known) = draft.known.get(&(term, Side::Right)) {
            return Ok(known);
        }
        self.step()?;
        let answer = self.draft_does_not_refute(term, draft, Side::Right)?;
        draft.known.insert((term, Side::Right), answer);
        Ok(answer)
    }

    /// The definition of `term <= draft` (`Side::Left`: Left, moving first, does not win the difference) or of
    /// `term >= draft`.
    fn draft_does_not_refute(&mut self, term: Term, draft: &mut Draft, side: Side) -> Result<bool, Failure> {
        let (left, right) = self.options(term)?;
        let (mine, theirs) = match side {
            Side::Left => (left, draft.right.clone()),
            Side::Right => (right, draft.left.clone()),
        };
        for option in mine {
            let refuted = match side {
                Side::Left => self.ge_draft(option, draft)?,
                Side::Right => self.le_draft(option, draft)?,
            };
            if refuted {
                return Ok(false);
            }
        }
        for option in theirs {
            if self.not_better(option, term, side)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Stores a canonical game that is no number, as a game of mean 0 and its mean.
    fn intern_with_mean(&mut self, left: Vec<Term>, right: Vec<Term>, stops: Stops) -> Result<Term, Failure> {
        let walls = Thermograph::of_options(&self.walls(&left)?, &self.walls(&right)?)?;
        let mean = walls.mean;
        let shift = |options: Vec<Term>| -> Result<Arc<[Term]>, Overflow> {
            let mut options =
                options.into_iter().map(|option| option.shifted(-mean)).collect::<Result<Vec<_>, _>>()?;
            options.sort_unstable();
            Ok(options.into())
        };
        let form = (shift(left)?, shift(right)?);
        if let Some(&game) = self.index.get(&form) {
            return Ok(Term { game, offset: mean });
        }
        let (walls, stops) = (walls.shifted(-mean)?, stops.shifted(-mean)?);
        Ok(Term { game: self.intern_pair(form, walls, stops), offset: mean })
    }

    /// Stores a new canonical game of mean 0 together with its negative, which may be the game itself.
    fn intern_pair(&mut self, form: Form, walls: Thermograph, stops: Stops) -> GameId {
        let game = GameId(self.games.len() as u32);
        let mirror = (self.negatives(&form.1), self.negatives(&form.0));
        let negative = if mirror == form { game } else { GameId(game.0 + 1) };
        let size = form.0.iter().chain(form.1.iter()).fold(1, |sum: u32, option| {
            sum.saturating_add(if option.is_number() { 1 } else { self.get(option.game).size })
        });
        self.push(form, walls.clone(), stops, negative, size);
        if negative != game {
            self.push(mirror, walls.mirrored(), stops.mirrored(), game, size);
        }
        game
    }

    fn push(&mut self, form: Form, walls: Thermograph, stops: Stops, negative: GameId, size: u32) {
        let corners = walls.left.corners().len() + walls.right.corners().len();
        self.other_bytes +=
            (form.0.len() + form.1.len()) * size_of::<Term>() + corners * 2 * size_of::<Dyadic>();
        self.index.insert(form.clone(), GameId(self.games.len() as u32));
        self.games.push(Game { left: form.0, right: form.1, walls, stops, negative, size });
    }

    fn negatives(&self, options: &[Term]) -> Arc<[Term]> {
        let mut all: Vec<Term> = options.iter().map(|&option| self.negative(option)).collect();
        all.sort_unstable();
        all.into()
    }

    fn walls(&self, options: &[Term]) -> Result<Vec<Thermograph>, Overflow> {
        options.iter().map(|option| self.get(option.game).walls.shifted(option.offset)).collect()
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

/// A game that is being simplified: its value is fixed, its form is not yet canonical.
struct Draft {
    left: Vec<Term>,
    right: Vec<Term>,
    stops: Stops,
    /// `(term, Left)`: term <= draft; `(term, Right)`: term >= draft.
    known: FxHashMap<(Term, Side), bool>,
}

/// Above every number.
const HUGE: Dyadic = <Dyadic as crate::bstar::Value>::MAX;

/// `x <= G` for a game that is no number.
fn number_le(x: Dyadic, stops: Stops) -> bool {
    x < stops.right || x == stops.right && stops.right_held
}

/// `G <= x` for a game that is no number.
fn le_number(stops: Stops, x: Dyadic) -> bool {
    stops.left < x || stops.left == x && stops.left_held
}

/// The tighter of an end and a new one, which excludes `stop` itself when `held`: then the option is beyond it.
fn tighter(
    end: Bound<Dyadic>,
    stop: Dyadic,
    held: bool,
    beyond: impl Fn(Dyadic, Dyadic) -> bool,
) -> Bound<Dyadic> {
    let new = if held { Bound::Excluded(stop) } else { Bound::Included(stop) };
    match end {
        Bound::Unbounded => new,
        Bound::Included(old) | Bound::Excluded(old) if beyond(stop, old) => new,
        Bound::Included(old) if old == stop => new,
        _ => end,
    }
}

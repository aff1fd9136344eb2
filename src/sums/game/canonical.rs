//! The canonical form of `{left | right}`: is it a number, which options are dominated, which are reversible.

use super::{Form, Game, GameId, Side, Stops, Store, Term, le_number, number_le};
use crate::bstar::Value;
use crate::sums::thermograph::Thermograph;
use crate::sums::{Dyadic, Failure, Overflow};
use rustc_hash::FxHashMap;
use std::ops::Bound;
use std::sync::Arc;

/// A game that is being simplified: its value is fixed, its form is not yet canonical.
struct Draft {
    left: Vec<Term>,
    right: Vec<Term>,
    stops: Stops,
    /// `(term, Left)`: term <= draft; `(term, Right)`: term >= draft.
    known: FxHashMap<(Term, Side), bool>,
}

/// Above every number.
const HUGE: Dyadic = Dyadic::MAX;

impl Store {
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

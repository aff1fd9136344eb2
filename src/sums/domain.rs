//! [`SumDomain`]: sums as a [`Domain`] of the B\* core. All its bounds are facts.

use super::bounds::stop_bounds;
use super::incentives::{Incentives, Move};
use super::outcome::{Goal, Outcomes};
use super::sum::hash;
use super::{Dyadic, Failure, GameId, Score, Store, Sum};
use crate::bstar::{Domain, Estimate, Interrupted, Interval, Monitor, Successor};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counting {
    /// Stops only.
    Stops,
    /// Stops, and beside a stop of 0 who has the last move.
    LastMove,
}

/// A move. The sum is seen by the side to move, as Left, so at every other ply the games are the negatives of those
/// that the first player sees.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Take an option of a game of the sum.
    Move {
        /// The game, of mean 0.
        game: GameId,
        /// Which of its left options.
        option: u32,
    },
    /// The first move, by its number in the list that [`SumDomain::with_first_moves`] was given.
    First(u32),
    /// Of a [question](SumDomain::ask): the sum, with its side to move.
    Enter,
    /// Of a question: the score that is compared with it.
    Decline,
}

/// What a search is spared, to be able to measure what that is worth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scope {
    /// Look at every move, also at those that another one makes needless.
    pub all_moves: bool,
    /// Tell positions apart by the way to them: the graph becomes a tree.
    pub apart: bool,
}

/// A first move: what it leaves for the opponent to move in, and what is known of that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstMove {
    /// The sum after the move, seen by the opponent.
    pub after: Sum,
    /// What is known of it, from the opponent.
    pub known: Interval<Score>,
}

/// Where a cursor stands.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// Before the sum: is it worth more than this to its side to move, or less? The opponent chooses.
    Question(Score),
    /// At the score, chosen in place of the sum; from the side to move of the sum.
    Declined(Score),
    /// At the first position, whose moves are listed.
    First,
    /// At a sum.
    Sum(Sum),
}

/// Sums as a game for the core. Values are exact dyadic [`Score`]s, every estimate is proven.
///
/// ```
/// use regulus::bstar::{Graph, Policy, Search, Settings, Termination, Unwatched};
/// use regulus::sums::{Counting, Dyadic, Score, Store, Sum, SumDomain, component::Values, parse::parse};
///
/// let (mut store, mut values) = (Store::default(), Values::default());
/// let problem = parse("{3|1} + {4||2|-5} + ±2").unwrap().remove(0);
/// let terms = problem.components.iter().map(|component| values.of(&mut store, component).unwrap());
/// let terms: Vec<_> = terms.collect();
/// let sum = Sum::of(&mut store, terms).unwrap();
/// let mut domain = SumDomain::new(&mut store, sum, Counting::Stops);
/// let known = domain.estimate().unwrap();
/// let mut graph = Graph::with_budget(1 << 20);
/// let decision = Search::new(&mut graph, &mut domain, 0, known, Settings::new(Policy::AR)).run(&mut Unwatched);
/// assert_eq!(decision.termination, Termination::Separated);
/// assert!(decision.belief.contains(Score::stop(Dyadic::integer(5).unwrap())));
/// ```
pub struct SumDomain<'a> {
    store: &'a mut Store,
    counting: Counting,
    outcomes: Outcomes,
    incentives: Incentives,
    scope: Scope,
    first: Vec<FirstMove>,
    current: Place,
    path: Vec<Place>,
    /// The keys of the places on the path, where they are told apart by it.
    keys: Vec<u64>,
    failure: Option<Failure>,
}

/// Keys of the places that are no sums; those of sums are hashes.
const FIRST_KEY: u64 = 1;

impl<'a> SumDomain<'a> {
    /// A cursor at `sum`, its side to move being Left.
    pub fn new(store: &'a mut Store, sum: Sum, counting: Counting) -> Self {
        Self {
            store,
            counting,
            outcomes: Outcomes::default(),
            incentives: Incentives::default(),
            scope: Scope::default(),
            first: Vec::new(),
            current: Place::Sum(sum),
            path: Vec::new(),
            keys: Vec::new(),
            failure: None,
        }
    }

    /// A cursor at a position whose moves are listed: those of the components as they were given, which need not be in canonical form.
    pub fn with_first_moves(
        store: &'a mut Store,
        sums: Vec<Sum>,
        counting: Counting,
    ) -> Result<Self, Failure> {
        let mut domain = Self::new(store, Sum::default(), counting);
        for after in sums {
            let known = domain.known(&after)?;
            domain.first.push(FirstMove { after, known });
        }
        domain.current = Place::First;
        Ok(domain)
    }

    /// Searches without some of what spares work.
    #[must_use]
    pub fn within(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Puts the cursor before the first position, a ply up: there the opponent chooses between the position and `score`. A search
    /// separates the two as soon as it is proved which of them is worth more.
    pub fn ask(&mut self, score: Score) {
        self.path.clear();
        self.current = Place::Question(score);
    }

    /// Puts the cursor back at the first position.
    pub fn stop_asking(&mut self) {
        self.path.clear();
        self.current = Place::First;
    }

    /// The sum at which the cursor stands. Empty where the first moves are listed.
    pub fn sum(&self) -> Sum {
        match &self.current {
            Place::Sum(sum) => sum.clone(),
            _ => Sum::default(),
        }
    }

    /// The games.
    pub fn store(&mut self) -> &mut Store {
        self.store
    }

    /// Why the domain interrupted the search, if it did.
    pub fn failure(&self) -> Option<Failure> {
        self.failure
    }

    /// Positions that exact searches, for the last move and for comparisons of moves, looked at.
    pub fn outcome_nodes(&self) -> u64 {
        self.outcomes.searched()
    }

    /// What is known of the current position without playing on.
    pub fn estimate(&mut self) -> Result<Estimate<Score>, Failure> {
        Ok(match self.current.clone() {
            Place::Sum(sum) => Estimate::proven(self.known(&sum)?),
            Place::Declined(score) => Estimate::solved(score),
            Place::First | Place::Question(_) => Estimate::proven(Interval::UNKNOWN),
        })
    }

    /// Bounds on the score of `sum`, Left to move: exact when play is over, one game is left, or nothing but
    /// infinitesimals is.
    pub fn known(&mut self, sum: &Sum) -> Result<Interval<Score>, Failure> {
        match *sum.games() {
            [] => Ok(self.exact(sum.number(), false)),
            [game] => {
                let stops = self.store.get(game).stops();
                Ok(self.exact(stops.left.plus(sum.number())?, !stops.left_held))
            }
            _ => {
                let (lower, upper) = stop_bounds(self.store, sum)?;
                if lower == upper && lower == Dyadic::ZERO && sum.is_cold(self.store) {
                    return self.cold(sum);
                }
                Ok(self.between(lower, upper))
            }
        }
    }

    fn exact(&self, stop: Dyadic, wins: bool) -> Interval<Score> {
        Interval::exact(match self.counting {
            Counting::Stops => Score::stop(stop),
            Counting::LastMove => Score::decided(stop, wins),
        })
    }

    /// Infinitesimals only and a stop of 0: the rest of the game is about the last move.
    fn cold(&mut self, sum: &Sum) -> Result<Interval<Score>, Failure> {
        let wins = match self.counting {
            Counting::Stops => false,
            Counting::LastMove => self.outcomes.reaches(self.store, sum, Goal::Win)?,
        };
        Ok(self.exact(Dyadic::ZERO, wins))
    }

    fn between(&self, lower: Dyadic, upper: Dyadic) -> Interval<Score> {
        let (low, high) = match self.counting {
            Counting::Stops => (Score::stop(lower), Score::stop(upper)),
            Counting::LastMove => (Score::decided(lower, false), Score::decided(upper, true)),
        };
        Interval::new(low, high).unwrap_or(Interval::UNKNOWN)
    }

    fn fail(&mut self, failure: Failure) -> Interrupted {
        self.failure = Some(failure);
        Interrupted
    }

    /// The place that an action of the current one leads to.
    fn after(&mut self, action: Action) -> Result<Place, Failure> {
        Ok(match (&self.current, action) {
            (Place::Sum(sum), Action::Move { game, option }) => {
                Place::Sum(sum.after(self.store, game, option as usize)?)
            }
            (Place::Question(score), Action::Decline) => Place::Declined(*score),
            (Place::Question(_), _) => Place::First,
            (_, Action::First(index)) => Place::Sum(self.first[index as usize].after.clone()),
            (place, _) => place.clone(),
        })
    }

    fn moves_worth_a_look(&mut self, sum: &Sum) -> Result<Vec<Move>, Failure> {
        let moves = sum.moves(self.store);
        if self.scope.all_moves {
            return Ok(moves);
        }
        self.incentives.undominated(self.store, &mut self.outcomes, self.counting, moves)
    }

    /// The key of the position that an action leads to, whose own key is `key`.
    fn key_behind(&self, action: Action, key: u64) -> u64 {
        if self.scope.apart { hash(&(self.keys.last(), action, key)) } else { key }
    }

    fn own_key(&self) -> u64 {
        match &self.current {
            Place::Sum(sum) => sum.key(),
            Place::First => FIRST_KEY,
            Place::Question(score) => hash(&(score, true)),
            Place::Declined(score) => hash(&(score, false)),
        }
    }

    fn moves_in_sum(&mut self, into: &mut Vec<Successor<Action, Score>>) -> Result<(), Failure> {
        let Place::Sum(sum) = &self.current else { return Ok(()) };
        let sum = sum.clone();
        for (game, option) in self.moves_worth_a_look(&sum)? {
            let after = sum.after(self.store, game, option)?;
            let known = self.known(&after)?;
            let action = Action::Move { game, option: option as u32 };
            let key = self.key_behind(action, after.key());
            into.push(Successor { action, key, estimate: Estimate::proven(known) });
        }
        Ok(())
    }
}

/// The tables go with the cursor.
impl Drop for SumDomain<'_> {
    fn drop(&mut self) {
        self.store.discharge(self.outcomes.bytes() + self.incentives.bytes());
    }
}

impl Domain for SumDomain<'_> {
    type Value = Score;
    type Action = Action;
    const PATHS_MATTER: bool = false;

    fn key(&self) -> u64 {
        self.keys.last().copied().unwrap_or_else(|| self.own_key())
    }

    fn play(&mut self, action: Action) {
        // An action of the current position was worked out before; only its sums may have been dropped from the cache.
        let next = self.after(action).unwrap_or_else(|failure| {
            self.failure = Some(failure);
            Place::Sum(Sum::default())
        });
        self.path.push(std::mem::replace(&mut self.current, next));
        if self.scope.apart {
            self.keys.push(self.key_behind(action, self.own_key()));
        }
    }

    fn undo(&mut self) {
        if let Some(before) = self.path.pop() {
            self.current = before;
            self.keys.pop();
        }
    }

    fn successors(
        &mut self,
        into: &mut Vec<Successor<Action, Score>>,
        monitor: &mut dyn Monitor,
    ) -> Result<(), Interrupted> {
        monitor.work(1)?;
        if self.failure.is_some() {
            return Err(Interrupted);
        }
        match self.current {
            Place::Sum(_) => self.moves_in_sum(into).map_err(|failure| self.fail(failure))?,
            Place::First => into.extend(self.first.iter().enumerate().map(|(index, first)| Successor {
                action: Action::First(index as u32),
                key: first.after.key(),
                estimate: Estimate::proven(first.known),
            })),
            Place::Question(score) => into.extend([
                Successor {
                    action: Action::Enter,
                    key: FIRST_KEY,
                    estimate: Estimate::proven(Interval::UNKNOWN),
                },
                Successor {
                    action: Action::Decline,
                    key: hash(&(score, false)),
                    estimate: Estimate::solved(score),
                },
            ]),
            Place::Declined(_) => {}
        }
        Ok(())
    }
}

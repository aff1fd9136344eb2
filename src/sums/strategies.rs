//! The known rules of thumb for sums, to compare with: hotstrat, thermostrat and sentestrat (Berlekamp, Conway & Guy
//! 1982; Berlekamp & Wolfe 1994). Each looks at thermographs only, never ahead. The side to move is Left.

use super::bounds::{bounds_at, corner_temperatures};
use super::{Dyadic, Failure, GameId, Overflow, Store, Sum};
use rustc_hash::FxHashMap;
use std::fmt;

/// A rule of thumb.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Move in the hottest component.
    Hotstrat,
    /// Move where the walls are furthest apart at the temperature that promises most.
    Thermostrat,
    /// Answer the opponent's last move where it left that component hotter than the ambient temperature, which is that of
    /// the hottest component when this was lowest; else move in the hottest component.
    Sentestrat,
}

/// What sentestrat remembers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Memory {
    /// The temperature of the hottest component when it was lowest before.
    pub ambient: Option<Dyadic>,
    /// What the opponent's last move made of its component, seen by the side to move.
    pub last: Option<GameId>,
}

impl Memory {
    /// Before the first move.
    pub const NONE: Self = Self { ambient: None, last: None };
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hotstrat, Self::Thermostrat, Self::Sentestrat];

    /// The move that the rule makes: a game and the number of its option. `None` when play is over.
    pub fn choose(
        self,
        store: &Store,
        sum: &Sum,
        memory: Memory,
    ) -> Result<Option<(GameId, usize)>, Overflow> {
        let choice = match self {
            Self::Thermostrat => promising(store, sum)?,
            Self::Hotstrat => hottest(store, sum),
            Self::Sentestrat => urgent(store, sum, memory).or_else(|| hottest(store, sum)),
        };
        let Some((game, at)) = choice else { return Ok(None) };
        Ok(Some((game, best_option(store, game, at)?)))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Hotstrat => "hotstrat",
            Self::Thermostrat => "thermostrat",
            Self::Sentestrat => "sentestrat",
        })
    }
}

fn temperature(store: &Store, game: GameId) -> Dyadic {
    store.get(game).walls().temperature
}

/// The hottest component and its temperature.
fn hottest(store: &Store, sum: &Sum) -> Option<(GameId, Dyadic)> {
    let rated = sum.games().iter().map(|&game| (game, temperature(store, game)));
    rated.max_by_key(|&(_, temperature)| temperature)
}

/// The component that the opponent has just moved in, if that wants an answer.
fn urgent(store: &Store, sum: &Sum, memory: Memory) -> Option<(GameId, Dyadic)> {
    let last = memory.last.filter(|last| sum.games().binary_search(last).is_ok())?;
    let heat = temperature(store, last);
    memory.ambient.is_some_and(|ambient| heat > ambient).then_some((last, heat))
}

/// Thermostrat's component, and the temperature at which its walls are compared: that where its promise is greatest. Where
/// no walls are apart the hottest component is as wide as any, and the promise needs a move at that temperature.
fn promising(store: &Store, sum: &Sum) -> Result<Option<(GameId, Dyadic)>, Overflow> {
    let mut best: Option<(Dyadic, Dyadic)> = None;
    for at in corner_temperatures(store, sum) {
        let (promise, _) = bounds_at(store, sum, at)?;
        if best.is_none_or(|(most, _)| promise > most) {
            best = Some((promise, at));
        }
    }
    let Some((_, at)) = best else { return Ok(None) };
    let mut widest: Option<((Dyadic, Dyadic), GameId)> = None;
    for &game in sum.games() {
        let walls = store.get(game).walls();
        let rank = (walls.left.at(at)?.less(walls.right.at(at)?)?, walls.temperature);
        if widest.is_none_or(|(most, _)| rank > most) {
            widest = Some((rank, game));
        }
    }
    Ok(widest.map(|(_, game)| (game, at)))
}

/// The left option that makes the left wall at a temperature: the one with the highest right wall there.
fn best_option(store: &Store, game: GameId, at: Dyadic) -> Result<usize, Overflow> {
    let mut best: Option<(Dyadic, usize)> = None;
    for (index, option) in store.get(game).left().iter().enumerate() {
        let right = store.get(option.game).walls().right.at(at)?.plus(option.offset)?;
        if best.is_none_or(|(most, _)| right > most) {
            best = Some((right, index));
        }
    }
    Ok(best.map_or(0, |(_, index)| index))
}

/// What a rule is sure of against the best opponent: the number reached when the side to move follows it to the end.
pub struct Guarantee {
    rule: Rule,
    known: FxHashMap<(Sum, Memory, bool), Dyadic>,
    positions: u64,
    limit: u64,
}

impl Guarantee {
    /// Looks at no more than `limit` positions.
    pub fn new(rule: Rule, limit: u64) -> Self {
        Self { rule, known: FxHashMap::default(), positions: 0, limit }
    }

    /// What the side to move is sure of, from its own point of view. `None` beyond the limit.
    pub fn of(&mut self, store: &mut Store, sum: &Sum) -> Result<Option<Dyadic>, Failure> {
        self.known.clear();
        self.positions = 0;
        self.played(store, sum, Memory::NONE, true)
    }

    /// `follows`: the side to move follows the rule; else it is the opponent, who tries everything.
    fn played(
        &mut self,
        store: &mut Store,
        sum: &Sum,
        memory: Memory,
        follows: bool,
    ) -> Result<Option<Dyadic>, Failure> {
        if sum.is_over() {
            return Ok(Some(sum.number()));
        }
        let key = (sum.clone(), memory, follows);
        if let Some(&known) = self.known.get(&key) {
            return Ok(Some(known));
        }
        self.positions += 1;
        if self.positions > self.limit {
            return Ok(None);
        }
        let moves = if follows {
            self.rule.choose(store, sum, memory)?.into_iter().collect()
        } else {
            sum.moves(store)
        };
        let mut best: Option<Dyadic> = None;
        for (game, option) in moves {
            let after = sum.after(store, game, option)?;
            let then = self.remember(store, sum, (game, option), memory);
            let Some(worth) = self.played(store, &after, then, !follows)? else { return Ok(None) };
            best = best.max(Some(-worth));
        }
        let worth = best.unwrap_or(sum.number());
        self.known.insert(key, worth);
        Ok(Some(worth))
    }

    /// What a move leaves in sentestrat's memory; the other rules have none.
    fn remember(&self, store: &Store, sum: &Sum, (game, option): (GameId, usize), memory: Memory) -> Memory {
        if self.rule != Rule::Sentestrat {
            return Memory::NONE;
        }
        let here = hottest(store, sum).map(|(_, temperature)| temperature);
        let ambient = memory.ambient.into_iter().chain(here).min();
        let left = store.get(game).left()[option].game;
        Memory { ambient, last: Some(store.get(left).negative()) }
    }
}

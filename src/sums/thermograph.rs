//! Thermographs: how the stops of a game fall, and meet, as it is cooled (Conway 1976; Berlekamp, Conway & Guy 1982).
//!
//! The left wall at temperature `t` is the left stop of the game cooled by `t`: the best right wall among Left's
//! options, less `t`; the right wall mirrors it. Where they meet begins the mast: its value is the *mean*, the
//! temperature of that point is the game's *temperature*, and above it both walls stand at the mean. All slopes are
//! 0 or 1 in size, so every corner is dyadic.
//!
//! Left is the maximiser here, whoever is to move.

use super::{Dyadic, Failure, GameId, Overflow, Store, Term};
use std::collections::HashMap;
use std::fmt;

/// A corner of a wall.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Corner {
    /// The stop.
    pub value: Dyadic,
    /// By how much the game is cooled.
    pub temperature: Dyadic,
}

/// One wall: its corners by strictly rising temperature, straight between them, constant above the last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Wall {
    corners: Box<[Corner]>,
}

impl Wall {
    fn mast(value: Dyadic, start: Dyadic) -> Self {
        Self { corners: Box::new([Corner { value, temperature: start }]) }
    }

    /// The corners, by rising temperature; there is at least one.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The stop at `temperature`, which must not be below the first corner's.
    pub fn at(&self, temperature: Dyadic) -> Result<Dyadic, Overflow> {
        let above = self.corners.partition_point(|corner| corner.temperature <= temperature);
        let low = self.corners[above.saturating_sub(1)];
        let Some(high) = self.corners.get(above) else { return Ok(low.value) };
        let rise = temperature.less(low.temperature)?;
        match high.value.cmp(&low.value) {
            std::cmp::Ordering::Less => low.value.less(rise),
            std::cmp::Ordering::Equal => Ok(low.value),
            std::cmp::Ordering::Greater => low.value.plus(rise),
        }
    }

    /// The same for a game to which a number was added.
    pub fn shifted(&self, by: Dyadic) -> Result<Self, Overflow> {
        let shift = |corner: &Corner| Ok(Corner { value: corner.value.plus(by)?, ..*corner });
        Ok(Self { corners: self.corners.iter().map(shift).collect::<Result<_, Overflow>>()? })
    }

    fn mirrored(&self) -> Self {
        Self { corners: self.corners.iter().map(|c| Corner { value: -c.value, ..*c }).collect() }
    }

    /// The greater of the two at every temperature. Their slopes must differ by at most 1.
    fn max(&self, other: &Self) -> Result<Self, Overflow> {
        let mut corners: Vec<Corner> = Vec::new();
        let mut last: Option<(Dyadic, Dyadic)> = None;
        for temperature in temperatures(self, other) {
            let (a, b) = (self.at(temperature)?, other.at(temperature)?);
            let lead = a.less(b)?;
            if let Some((before, gap)) = last
                && gap.signum() * lead.signum() < 0
            {
                let crossing = before.plus(gap.abs())?;
                corners.push(Corner { value: self.at(crossing)?, temperature: crossing });
            }
            corners.push(Corner { value: a.max(b), temperature });
            last = Some((temperature, lead));
        }
        Ok(Self { corners: straightened(corners)? })
    }
}

/// The corner temperatures of two walls that begin at the same one.
fn temperatures(a: &Wall, b: &Wall) -> Vec<Dyadic> {
    let mut all: Vec<Dyadic> = a.corners.iter().chain(&b.corners).map(|corner| corner.temperature).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Leaves out the points that lie on a straight piece.
fn straightened(corners: Vec<Corner>) -> Result<Box<[Corner]>, Overflow> {
    let mut kept: Vec<Corner> = Vec::with_capacity(corners.len());
    for corner in corners {
        while let [.., a, b] = kept[..]
            && slope(a, b) == slope(b, corner)
        {
            kept.pop();
        }
        kept.push(corner);
    }
    while let [.., a, b] = kept[..]
        && a.value == b.value
    {
        kept.pop();
    }
    Ok(kept.into())
}

fn slope(a: Corner, b: Corner) -> std::cmp::Ordering {
    b.value.cmp(&a.value)
}

/// Both walls and the point where they meet.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thermograph {
    /// Left's wall: the stop when Left moves first.
    pub left: Wall,
    /// Right's wall.
    pub right: Wall,
    /// The value of the mast.
    pub mean: Dyadic,
    /// Where the mast begins.
    pub temperature: Dyadic,
}

impl Thermograph {
    /// A mast from `start` upwards: a number.
    pub fn mast(value: Dyadic, start: Dyadic) -> Self {
        Self {
            left: Wall::mast(value, start),
            right: Wall::mast(value, start),
            mean: value,
            temperature: start,
        }
    }

    /// The thermograph of a game from those of its options (at least one a side), all from the same temperature.
    pub fn of_options(left: &[Self], right: &[Self]) -> Result<Self, Overflow> {
        let mut for_left = left[0].right.clone();
        for option in &left[1..] {
            for_left = for_left.max(&option.right)?;
        }
        let mut for_right = right[0].left.mirrored();
        for option in &right[1..] {
            for_right = for_right.max(&option.left.mirrored())?;
        }
        Self::from_scaffolds(&for_left, &for_right.mirrored())
    }

    /// `for_left` less the temperature and `for_right` plus the temperature, until they meet.
    fn from_scaffolds(for_left: &Wall, for_right: &Wall) -> Result<Self, Overflow> {
        let grid = temperatures(for_left, for_right);
        let gap = |t: Dyadic| for_left.at(t)?.less(for_right.at(t)?)?.less(t)?.less(t);
        let temperature = meeting_point(&grid, gap)?;
        let mean = for_left.at(temperature)?.less(temperature)?;
        let mut left = Vec::new();
        let mut right = Vec::new();
        let below = grid.into_iter().filter(|t| *t < temperature);
        for t in below.chain([temperature]) {
            left.push(Corner { value: for_left.at(t)?.less(t)?, temperature: t });
            right.push(Corner { value: for_right.at(t)?.plus(t)?, temperature: t });
        }
        let (left, right) = (straightened(left)?, straightened(right)?);
        Ok(Self { left: Wall { corners: left }, right: Wall { corners: right }, mean, temperature })
    }

    /// That of the same game with the sides exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            left: self.right.mirrored(),
            right: self.left.mirrored(),
            mean: -self.mean,
            temperature: self.temperature,
        }
    }

    /// That of the game plus a number, above temperature 0.
    pub fn shifted(&self, by: Dyadic) -> Result<Self, Overflow> {
        Ok(Self {
            left: self.left.shifted(by)?,
            right: self.right.shifted(by)?,
            mean: self.mean.plus(by)?,
            temperature: self.temperature,
        })
    }
}

/// The first temperature at which the falling `gap` between the scaffolds is closed. It falls at a rate of 2, 1 or 0
/// between the points of the grid and by 2 above the last.
fn meeting_point(
    grid: &[Dyadic],
    gap: impl Fn(Dyadic) -> Result<Dyadic, Overflow>,
) -> Result<Dyadic, Overflow> {
    for (index, &t) in grid.iter().enumerate() {
        let here = gap(t)?;
        if here.signum() <= 0 {
            return Ok(t);
        }
        let Some(&next) = grid.get(index + 1) else { return t.plus(here.half()?) };
        let there = gap(next)?;
        if there.signum() <= 0 {
            let steep = here.less(there)? > next.less(t)?;
            return t.plus(if steep { here.half()? } else { here });
        }
    }
    unreachable!("a wall has at least one corner")
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, corner) in self.corners.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}({}, {})", corner.value, corner.temperature)?;
        }
        Ok(())
    }
}

/// Extended thermographs, from temperature -1 upwards, of canonical forms: there an integer is a mast, and every
/// other number has walls of its own, so that adding a fraction is no mere shift.
#[derive(Default)]
pub struct Extended {
    known: HashMap<Term, Thermograph>,
}

impl Extended {
    /// The thermograph of `term` from temperature -1.
    pub fn of(&mut self, store: &Store, term: Term) -> Result<Thermograph, Failure> {
        if term.game == GameId::ZERO && term.offset.is_integer() {
            return Ok(Thermograph::mast(term.offset, Dyadic::MINUS_ONE));
        }
        if let Some(known) = self.known.get(&term) {
            return Ok(known.clone());
        }
        let (left, right) = store.options(term)?;
        let left = left.into_iter().map(|option| self.of(store, option)).collect::<Result<Vec<_>, _>>()?;
        let right = right.into_iter().map(|option| self.of(store, option)).collect::<Result<Vec<_>, _>>()?;
        let thermograph = Thermograph::of_options(&left, &right)?;
        self.known.insert(term, thermograph.clone());
        Ok(thermograph)
    }
}

//! Where in its table a position stands: the numbering of positions by the squares of their men, symmetries taken out
//! (Ronald de Man's, 2013).
//!
//! The men stand in groups, in the order that the table gives. The *leading* group takes the symmetries out and has a
//! numbering of its own; each further group of equal men is a combination of the squares that are left. A position's index
//! is a number in mixed radix whose digits are the groups' numbers.
//!
//! | table | leading group | its numbers |
//! |---|---|---|
//! | with pawns | the pawns of one side | by the nearest one to the edge, one table for each of the files a-d |
//! | with a single piece besides the kings | three single men | 31,332 |
//! | else | both kings | 462 |
//!
//! Squares are numbers from 0 (a1) to 63 (h8).

use super::file::TableError;
use super::material::{MOST_MEN, Material};
use cozy_chess::{BitBoard, Color, Piece, Square, get_king_moves};
use std::sync::LazyLock;

/// Numbers of the leading group where it is three single men.
const THREE_MEN: u64 = 31_332;
/// Numbers of the leading group where it is both kings.
const TWO_KINGS: u64 = 462;
/// Files that a leading pawn can stand on.
pub const FILES: usize = 4;
/// No number.
const NONE: u16 = u16::MAX;

/// A kind of man, as the tables name it: White is the side that the table's name puts first.
pub type Man = (Color, Piece);

/// The man with this code: 1 to 6 are White's pawn, knight, bishop, rook, queen and king, 9 to 14 Black's.
pub fn man(code: u8) -> Option<Man> {
    let color = if code & 8 == 0 { Color::White } else { Color::Black };
    Piece::ALL.into_iter().nth(usize::from(code & 7).checked_sub(1)?).map(|piece| (color, piece))
}

/// How a table numbers its positions.
#[derive(Debug)]
pub struct Numbering {
    /// The kinds of men, in the order of their squares, with how many there are of each.
    pub kinds: Vec<(Man, usize)>,
    /// Lengths of the groups, the leading one first.
    groups: Vec<usize>,
    /// What each group's number is multiplied by.
    factors: Vec<u64>,
    /// Positions.
    pub count: u64,
    leads: Leads,
    /// The second group are the other side's pawns.
    other_pawns: bool,
}

/// What the leading group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leads {
    Pawns,
    ThreeMen,
    Kings,
}

impl Numbering {
    /// The numbering of the table of `material` for the leading pawn's `file`, from what the table says: the codes of the
    /// men, and at which place in the order of factors the leading group and the other side's pawns come.
    ///
    /// # Errors
    /// When that does not go together.
    pub fn new(
        material: Material,
        codes: &[u8],
        lead_place: usize,
        pawns_place: Option<usize>,
        file: usize,
    ) -> Result<Self, TableError> {
        const DAMAGED: TableError = TableError::Damaged("other men than its name says");
        let kinds = kinds(material, codes).ok_or(DAMAGED)?;
        let mut rest = kinds.iter().copied();
        let [lead_pawns, other_pawns] = material.pawns();
        let leads = match (material.has_pawns(), material.has_single_piece()) {
            (true, _) => Leads::Pawns,
            (false, true) => Leads::ThreeMen,
            (false, false) => Leads::Kings,
        };
        let pawns_are_next = |next: Option<(Man, usize)>, count: usize| {
            next.is_some_and(|((_, piece), found)| piece == Piece::Pawn && found == count)
        };
        let mut groups = Vec::with_capacity(MOST_MEN);
        let (lead_length, lead_count) = match leads {
            Leads::Pawns => {
                pawns_are_next(rest.next(), lead_pawns).then_some(()).ok_or(DAMAGED)?;
                (lead_pawns, u64::from(SQUARES.pawn_counts[lead_pawns.min(MOST_PAWNS)][file]))
            }
            Leads::ThreeMen => {
                rest.by_ref().take(3).all(|(_, count)| count == 1).then_some(()).ok_or(DAMAGED)?;
                (3, THREE_MEN)
            }
            Leads::Kings => {
                let kings = rest.by_ref().take(2).all(|((_, piece), _)| piece == Piece::King);
                kings.then_some(()).ok_or(DAMAGED)?;
                (2, TWO_KINGS)
            }
        };
        groups.push(lead_length);
        if other_pawns > 0 {
            pawns_are_next(rest.next(), other_pawns).then_some(()).ok_or(DAMAGED)?;
            groups.push(other_pawns);
        }
        groups.extend(rest.map(|(_, count)| count));
        let first_free = 1 + usize::from(other_pawns > 0);
        let mut free = 64 - lead_length as u64 - other_pawns as u64;
        let sizes = groups.iter().enumerate().map(|(group, &length)| match group {
            0 => lead_count,
            _ if group < first_free => combinations(48 - lead_length as u64, length),
            _ => {
                let size = combinations(free, length);
                free -= length as u64;
                size
            }
        });
        let sizes: Vec<u64> = sizes.collect();
        let (factors, count) = factors(&sizes, lead_place, pawns_place)?;
        Ok(Self { kinds, groups, factors, count, leads, other_pawns: other_pawns > 0 })
    }

    /// The index of the position whose men, in the order of [`kinds`](Self::kinds), stand on `squares`.
    pub fn index(&self, squares: &mut [u8]) -> Option<u64> {
        turn_into_place(self.leads, squares);
        let (lead, mut rest) = squares.split_at_mut(self.groups[0]);
        let lead_number = match self.leads {
            Leads::Pawns => pawns_number(lead)?,
            Leads::ThreeMen => three_men_number(lead),
            Leads::Kings => kings_number(lead)?,
        };
        let mut taken: BitBoard = lead.iter().map(|&square| Square::index(square.into())).collect();
        let mut index = lead_number * self.factors[0];
        for (group, &length) in self.groups.iter().enumerate().skip(1) {
            let (here, behind) = rest.split_at_mut(length);
            here.sort_unstable();
            // The first rank is free of pawns.
            let below = if group == 1 && self.other_pawns { 8 } else { 0 };
            let mut number = 0;
            for (place, &square) in here.iter().enumerate() {
                let before = taken.0 & ((1 << square) - 1);
                let squeezed = u64::from(square).checked_sub(u64::from(before.count_ones()) + below)?;
                number += combinations(squeezed, place + 1);
            }
            here.iter().for_each(|&square| taken |= Square::index(square.into()).bitboard());
            index += number * self.factors[group];
            rest = behind;
        }
        Some(index)
    }
}

/// Runs of equal codes, when they are the material's men, each kind in one run.
fn kinds(material: Material, codes: &[u8]) -> Option<Vec<(Man, usize)>> {
    let mut kinds: Vec<(Man, usize)> = Vec::with_capacity(MOST_MEN);
    for &code in codes {
        let man = man(code)?;
        match kinds.last_mut() {
            Some((last, count)) if *last == man => *count += 1,
            _ => kinds.push((man, 1)),
        }
    }
    let whole = kinds.iter().all(|&((color, piece), count)| material.count(color, piece) == count);
    let men: usize = kinds.iter().map(|(_, count)| count).sum();
    (whole && men == material.men()).then_some(kinds)
}

/// What each group's number is multiplied by, and the product of all sizes. The factors grow in the order of the groups but
/// for the leading one and the second pawns, which come at the places given.
fn factors(
    sizes: &[u64],
    lead_place: usize,
    pawns_place: Option<usize>,
) -> Result<(Vec<u64>, u64), TableError> {
    const DAMAGED: TableError = TableError::Damaged("an impossible order of men");
    let mut order = (1 + usize::from(pawns_place.is_some())..sizes.len()).peekable();
    let mut factors = vec![0; sizes.len()];
    let mut product = 1u64;
    for place in 0.. {
        let group = if place == lead_place {
            0
        } else if Some(place) == pawns_place {
            1
        } else if let Some(group) = order.next() {
            group
        } else {
            break;
        };
        factors[group] = product;
        product = product.checked_mul(sizes[group]).ok_or(DAMAGED)?;
    }
    if factors.contains(&0) { Err(DAMAGED) } else { Ok((factors, product)) }
}

/// n over k.
fn combinations(n: u64, k: usize) -> u64 {
    let k = k as u64;
    (0..k).fold(1, |product, below| product * n.saturating_sub(below) / (below + 1))
}

/// Mirrors the position so that its leading man stands in the part of the board that is numbered.
fn turn_into_place(leads: Leads, squares: &mut [u8]) {
    if squares[0] & 4 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 7);
    }
    if leads == Leads::Pawns {
        return;
    }
    if squares[0] & 32 != 0 {
        squares.iter_mut().for_each(|square| *square ^= 56);
    }
    let leading = if leads == Leads::Kings { 2 } else { 3 };
    let first_off = squares.iter().take(leading).map(|&square| off_diagonal(square)).find(|&off| off != 0);
    if first_off.is_some_and(|off| off > 0) {
        squares.iter_mut().for_each(|square| *square = *square >> 3 | (*square & 7) << 3);
    }
}

/// Above (positive), on or below the diagonal a1-h8.
fn off_diagonal(square: u8) -> i8 {
    (square >> 3) as i8 - (square & 7) as i8
}

/// The file, a to d, whose table holds a position with these leading pawns. The leading one is put first.
pub fn leading_file(pawns: &mut [u8]) -> usize {
    let lead = (0..pawns.len()).max_by_key(|&at| SQUARES.pawns[usize::from(pawns[at])]).unwrap_or(0);
    pawns.swap(0, lead);
    let file = usize::from(pawns[0] & 7);
    file.min(7 - file)
}

fn pawns_number(pawns: &mut [u8]) -> Option<u64> {
    let rank = |square: &u8| SQUARES.pawns[usize::from(*square)];
    pawns[1..].sort_unstable_by_key(rank);
    let lead = SQUARES.pawn_numbers.get(pawns.len())?[usize::from(pawns[0])];
    let others =
        pawns.iter().enumerate().skip(1).map(|(place, square)| combinations(rank(square).into(), place));
    Some(u64::from(lead) + others.sum::<u64>())
}

fn three_men_number(men: &[u8]) -> u64 {
    let [first, second, third] = [men[0], men[1], men[2]];
    // A man's number among the squares that the men before it left free.
    let squeeze =
        |man: u64, before: &[u8], of: u8| man - before.iter().filter(|&&other| other < of).count() as u64;
    let (second_free, third_free) =
        (squeeze(second.into(), &[first], second), squeeze(third.into(), &[first, second], third));
    let rank = |square: u8| u64::from(square >> 3);
    let below = |square: u8| u64::from(SQUARES.below[usize::from(square)]);
    // The sections follow each other: the first man off the diagonal, the second, the third, none.
    const SECOND: u64 = 6 * 63 * 62;
    const THIRD: u64 = SECOND + 4 * 28 * 62;
    const NO_ONE: u64 = THIRD + 4 * 7 * 28;
    if off_diagonal(first) != 0 {
        let corner = u64::from(SQUARES.corner[usize::from(first)]);
        (corner * 63 + second_free) * 62 + third_free
    } else if off_diagonal(second) != 0 {
        SECOND + (rank(first) * 28 + below(second)) * 62 + third_free
    } else if off_diagonal(third) != 0 {
        THIRD + (rank(first) * 7 + squeeze(rank(second), &[first], second)) * 28 + below(third)
    } else {
        let second_free = squeeze(rank(second), &[first], second);
        NO_ONE + (rank(first) * 7 + second_free) * 6 + squeeze(rank(third), &[first, second], third)
    }
}

fn kings_number(kings: &[u8]) -> Option<u64> {
    let corner = usize::from(SQUARES.corner[usize::from(kings[0])]);
    let number = SQUARES.kings.get(corner)?[usize::from(kings[1])];
    (number != NONE).then_some(u64::from(number))
}

/// The most pawns of one side in a table: seven men, two of them kings.
const MOST_PAWNS: usize = MOST_MEN - 2;

/// The numberings of squares that indices are made of.
struct Squares {
    /// The triangle a1-d1-d4: 0 to 5 below the diagonal, 6 to 9 on it.
    corner: [u8; 64],
    /// The squares below the diagonal a1-h8, 0 to 27.
    below: [u8; 64],
    /// The pairs of kings, by the first one's `corner` number.
    kings: [[u16; 64]; 10],
    /// How many squares there are for further pawns when the leading one stands here: those not nearer to the edge, and on
    /// the same distance to it not lower. Also an order: the leading pawn is the one with most.
    pawns: [u8; 64],
    /// By the number of leading pawns and the leading one's square: the number of the first position with it.
    pawn_numbers: [[u32; 64]; MOST_PAWNS + 1],
    /// By the number of leading pawns and the file: the positions.
    pawn_counts: [[u32; FILES]; MOST_PAWNS + 1],
}

static SQUARES: LazyLock<Squares> = LazyLock::new(Squares::new);

impl Squares {
    fn new() -> Self {
        let corner_squares = || (0..4u8).flat_map(|rank| (0..4u8).map(move |file| 8 * rank + file));
        let mut corner = [0; 64];
        let under = corner_squares().filter(|&square| off_diagonal(square) < 0);
        let on = corner_squares().filter(|&square| off_diagonal(square) == 0);
        under.chain(on).zip(0..).for_each(|(square, number)| corner[usize::from(square)] = number);
        let mut below = [0; 64];
        let all_under = (0..64u8).filter(|&square| off_diagonal(square) < 0);
        all_under.zip(0..).for_each(|(square, number)| below[usize::from(square)] = number);
        let mut squares = Self {
            corner,
            below,
            kings: [[NONE; 64]; 10],
            pawns: [0; 64],
            pawn_numbers: [[0; 64]; MOST_PAWNS + 1],
            pawn_counts: [[0; FILES]; MOST_PAWNS + 1],
        };
        squares.number_kings();
        squares.number_pawns();
        squares
    }

    fn number_kings(&mut self) {
        let corner_squares =
            (0..64u8).filter(|square| square & 7 < 4 && square >> 3 < 4 && off_diagonal(*square) <= 0);
        let mut firsts: Vec<u8> = corner_squares.collect();
        firsts.sort_unstable_by_key(|&square| self.corner[usize::from(square)]);
        let mut number = 0;
        // Both kings on the diagonal come last.
        for both_on in [false, true] {
            for &first in &firsts {
                let near = get_king_moves(Square::index(first.into()));
                for second in (0..64u8).filter(|&second| second != first) {
                    let doubled = off_diagonal(first) == 0 && off_diagonal(second) == 0;
                    let mirrored = off_diagonal(first) == 0 && off_diagonal(second) > 0;
                    if doubled == both_on && !mirrored && !near.has(Square::index(second.into())) {
                        self.kings[usize::from(self.corner[usize::from(first)])][usize::from(second)] =
                            number;
                        number += 1;
                    }
                }
            }
        }
    }

    fn number_pawns(&mut self) {
        let mut left = 47;
        for file in 0..4usize {
            for rank in 1..7 {
                for square in [8 * rank + file, 8 * rank + 7 - file] {
                    self.pawns[square] = left;
                    left = left.saturating_sub(1);
                }
            }
        }
        for count in 1..=MOST_PAWNS {
            for file in 0..FILES {
                let mut number = 0;
                for rank in 1..7 {
                    let square = 8 * rank + file;
                    self.pawn_numbers[count][square] = number;
                    number += combinations(self.pawns[square].into(), count - 1) as u32;
                }
                self.pawn_counts[count][file] = number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numberings_have_the_known_sizes() {
        let kings = SQUARES.kings.as_flattened().iter().filter(|&&number| number != NONE);
        assert_eq!(kings.copied().max(), Some(461));
        assert_eq!((SQUARES.corner[1], SQUARES.corner[0], SQUARES.corner[27]), (0, 6, 9));
        assert_eq!((SQUARES.below[1], SQUARES.below[55]), (0, 27));
        assert_eq!((SQUARES.pawns[8], SQUARES.pawns[15], SQUARES.pawns[51]), (47, 46, 1));
        assert_eq!(SQUARES.pawn_counts[1], [6; 4]);
        assert_eq!(SQUARES.pawn_counts[2], [252, 180, 108, 36]);
        assert_eq!((combinations(48, 2), combinations(5, 0), combinations(2, 3)), (1_128, 1, 0));
    }

    #[test]
    fn three_men_have_each_a_number_of_their_own() {
        let mut seen = vec![false; THREE_MEN as usize];
        let mut positions = 0;
        for (first, second, third) in
            (0..64u8).flat_map(|a| (0..64u8).flat_map(move |b| (0..64u8).map(move |c| (a, b, c))))
        {
            let mut men = [first, second, third];
            if first == second || second == third || first == third {
                continue;
            }
            turn_into_place(Leads::ThreeMen, &mut men);
            let number = three_men_number(&men) as usize;
            positions += u32::from(!std::mem::replace(&mut seen[number], true));
        }
        // Every number is used: 64 * 63 * 62 placements fall into so many classes under the board's symmetries.
        assert_eq!(u64::from(positions), THREE_MEN);
    }
}

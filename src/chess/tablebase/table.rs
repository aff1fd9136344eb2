//! One table: the file of a material's wins, draws and losses, or of its distances.

use super::file::{Cursor, TableError, TableFile};
use super::indexing::{FILES, Numbering, leading_file};
use super::material::{MOST_MEN, Material};
use super::pairs::Pairs;
use cozy_chess::{Board, Color, Piece};
use std::path::Path;

/// What a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Win, draw or loss.
    Outcomes,
    /// Plies to the next capture, pawn move or mate.
    Distances,
}

impl Kind {
    /// The ending of such a file's name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Outcomes => "rtbw",
            Self::Distances => "rtbz",
        }
    }

    /// The first bytes of such a file.
    pub fn magic(self) -> [u8; 4] {
        match self {
            Self::Outcomes => [0x71, 0xe8, 0x23, 0x5d],
            Self::Distances => [0xd7, 0x66, 0x0c, 0xa5],
        }
    }
}

// Flags of a table of distances.
/// The side to move whose positions it holds is the table's Black.
const FOR_BLACK: u8 = 1;
/// The stored numbers are places in a list of distances.
const LISTED: u8 = 2;
/// Distances of wins are in plies, not in moves.
const WIN_IN_PLIES: u8 = 4;
/// Distances of losses are in plies, not in moves.
const LOSS_IN_PLIES: u8 = 8;
/// The lists are of 16-bit numbers.
const WIDE_LISTS: u8 = 16;

/// The values of the positions with one side to move and, with pawns, one file of the leading pawn.
#[derive(Debug)]
struct Part {
    numbering: Numbering,
    flags: u8,
    pairs: Pairs,
    /// Distances by stored number: for wins, losses, and those that the fifty-move rule makes draws.
    lists: Option<[Vec<u16>; 4]>,
}

/// An open table.
#[derive(Debug)]
pub struct Table {
    file: TableFile,
    material: Material,
    kind: Kind,
    /// By the leading pawn's file (one without pawns) and the side to move (one where one is enough).
    parts: Vec<Vec<Part>>,
}

/// What a table of distances says of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// Plies to the next zeroing move or mate, at least 1; with moves counted, up to one too many.
    Plies(u16),
    /// It holds the positions of the other side to move.
    OtherSide,
}

impl Table {
    /// Opens the table of `material`, as named by its file.
    ///
    /// # Errors
    /// When the file cannot be read or is none of this kind and material.
    pub fn open(path: &Path, material: Material, kind: Kind) -> Result<Self, TableError> {
        let file = TableFile::open(path, kind.magic())?;
        let parts = read_parts(&file, material, kind)?;
        Ok(Self { file, material, kind, parts })
    }

    /// The stored outcome from the side to move: -2 loss, -1 loss that the fifty-move rule makes a draw, 0, 1, 2. Where a
    /// capture is as good or better it may be anything less.
    ///
    /// # Errors
    /// When the file does not hold one.
    pub fn outcome(&self, board: &Board) -> Result<i8, TableError> {
        let Some((part, value)) = self.look_up(board)? else {
            return Err(TableError::Damaged("a side is missing"));
        };
        debug_assert!(part.lists.is_none());
        match value & 0xff {
            value @ 0..=4 => Ok(value as i8 - 2),
            _ => Err(TableError::Damaged("an unknown outcome")),
        }
    }

    /// The distance at a position with this outcome, which must not be a draw, nor be reached by a capture or a pawn move
    /// at once.
    ///
    /// # Errors
    /// When the file does not hold one.
    pub fn distance(&self, board: &Board, outcome: i8) -> Result<Distance, TableError> {
        let Some((part, stored)) = self.look_up(board)? else { return Ok(Distance::OtherSide) };
        let listed = match &part.lists {
            None => stored,
            Some(lists) => {
                let list = &lists[match outcome {
                    2 => 0,
                    -2 => 1,
                    1 => 2,
                    _ => 3,
                }];
                *list.get(usize::from(stored)).ok_or(TableError::Damaged("an unlisted distance"))?
            }
        };
        let in_plies = match outcome {
            2 => part.flags & WIN_IN_PLIES != 0,
            -2 => part.flags & LOSS_IN_PLIES != 0,
            _ => false,
        };
        let plies = if in_plies { listed } else { listed.saturating_mul(2) };
        Ok(Distance::Plies(plies.saturating_add(1)))
    }

    /// The part that holds `board`, and the value stored for it; `None` when it is for the other side to move.
    fn look_up(&self, board: &Board) -> Result<Option<(&Part, u16)>, TableError> {
        let symmetric = self.material == self.material.swapped();
        let black_moves = board.side_to_move() == Color::Black;
        // The colours are exchanged where the board's White is the table's Black.
        let exchanged = if symmetric { black_moves } else { Material::of(board) != self.material };
        let for_black = !symmetric && black_moves != exchanged;
        let mut squares = [0; MOST_MEN];
        let squares = &mut squares[..self.material.men()];
        let leading = match self.material.has_pawns() {
            false => 0,
            true => {
                let first = self.parts.first().and_then(|sides| sides.first());
                let first = first.ok_or(TableError::Damaged("a part is missing"))?;
                let lead = first.numbering.kinds[0];
                self.place(board, &[lead], exchanged, squares);
                leading_file(&mut squares[..lead.1])
            }
        };
        let sides = self.parts.get(leading).ok_or(TableError::Damaged("a part is missing"))?;
        let part = match (self.kind, sides.as_slice()) {
            (Kind::Distances, [part]) => {
                if !symmetric && (part.flags & FOR_BLACK != 0) != for_black {
                    return Ok(None);
                }
                part
            }
            (Kind::Outcomes, _) => match sides.get(usize::from(for_black)) {
                Some(part) => part,
                None => return Ok(None),
            },
            _ => return Err(TableError::Damaged("a part is missing")),
        };
        self.place(board, &part.numbering.kinds, exchanged, squares);
        if self.material.has_pawns() {
            leading_file(&mut squares[..part.numbering.kinds[0].1]);
        }
        let index =
            part.numbering.index(squares).ok_or(TableError::Damaged("a position without a number"))?;
        Ok(Some((part, part.pairs.get(&self.file, index)?)))
    }

    /// Writes the squares of these men, as the table sees them.
    fn place(&self, board: &Board, kinds: &[((Color, Piece), usize)], exchanged: bool, squares: &mut [u8]) {
        // The other side's board is the same upside down; without pawns that is a symmetry anyway.
        let turn = if exchanged && self.material.has_pawns() { 56 } else { 0 };
        let men = kinds.iter().flat_map(|&((color, piece), _)| {
            board.colored_pieces(if exchanged { !color } else { color }, piece)
        });
        squares.iter_mut().zip(men).for_each(|(square, man)| *square = man as u8 ^ turn);
    }
}

/// Flag in a table's first byte: it has a part for each side to move.
const BOTH_SIDES: u8 = 1;

fn read_parts(file: &TableFile, material: Material, kind: Kind) -> Result<Vec<Vec<Part>>, TableError> {
    let mut cursor = Cursor::new(file, 4);
    let both = kind == Kind::Outcomes && cursor.byte()? & BOTH_SIDES != 0;
    cursor.at = 5;
    let files = if material.has_pawns() { FILES } else { 1 };
    let mut numberings = Vec::with_capacity(files);
    for leading in 0..files {
        numberings.push(read_numberings(&mut cursor, material, both, leading)?);
    }
    cursor.align(2);
    let mut parts: Vec<Vec<Part>> = Vec::with_capacity(files);
    for sides in numberings {
        let read = sides.into_iter().map(|numbering| {
            let (flags, pairs) = Pairs::read(&mut cursor, numbering.count, kind == Kind::Outcomes)?;
            Ok(Part { numbering, flags, pairs, lists: None })
        });
        parts.push(read.collect::<Result<_, TableError>>()?);
    }
    if kind == Kind::Distances {
        for part in parts.iter_mut().flatten().filter(|part| part.flags & LISTED != 0) {
            part.lists = Some(read_lists(&mut cursor, part.flags & WIDE_LISTS != 0)?);
        }
        cursor.align(2);
    }
    parts.iter_mut().flatten().for_each(|part| part.pairs.place_index(&mut cursor));
    parts.iter_mut().flatten().for_each(|part| part.pairs.place_lengths(&mut cursor));
    parts.iter_mut().flatten().for_each(|part| part.pairs.place_data(&mut cursor));
    if cursor.at > file.length() {
        return Err(TableError::Damaged("it is too short"));
    }
    Ok(parts)
}

/// The numberings of one leading file: of one side to move, or of both. Each byte holds a half for either.
fn read_numberings(
    cursor: &mut Cursor,
    material: Material,
    both: bool,
    leading: usize,
) -> Result<Vec<Numbering>, TableError> {
    let other_pawns = material.pawns()[1] > 0;
    let places = cursor.bytes(1 + usize::from(other_pawns))?;
    let codes = cursor.bytes(material.men())?;
    let side = |half: u32| {
        let half_of = |byte: &u8| (byte >> half) & 0xf;
        let codes: Vec<u8> = codes.iter().map(half_of).collect();
        let mut places = places.iter().map(|byte| usize::from(half_of(byte)));
        let lead_place = places.next().unwrap_or(0);
        Numbering::new(material, &codes, lead_place, places.next(), leading)
    };
    let halves: &[u32] = if both { &[0, 4] } else { &[0] };
    halves.iter().map(|&half| side(half)).collect()
}

fn read_lists(cursor: &mut Cursor, wide: bool) -> Result<[Vec<u16>; 4], TableError> {
    if wide {
        cursor.align(2);
    }
    let mut lists = [const { Vec::new() }; 4];
    for list in &mut lists {
        *list = if wide {
            let count = cursor.words(1)?[0];
            cursor.words(usize::from(count))?
        } else {
            let count = cursor.byte()?;
            cursor.bytes(usize::from(count))?.into_iter().map(u16::from).collect()
        };
    }
    Ok(lists)
}

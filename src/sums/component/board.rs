//! [`Board`]: a rectangle of cells, shared by all board games; a strip is a board of one row.

use std::fmt;

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cell {
    /// `.`
    Empty,
    /// `#`: blocked; in Toppling Dominoes a grey domino.
    Blocked,
    /// `X`: Left's.
    Black,
    /// `O`: Right's.
    White,
}

impl Cell {
    /// The cell of a character.
    pub const fn from_char(c: char) -> Option<Self> {
        match c {
            '.' => Some(Self::Empty),
            '#' => Some(Self::Blocked),
            'X' => Some(Self::Black),
            'O' => Some(Self::White),
            _ => None,
        }
    }

    const fn to_char(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Blocked => '#',
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

/// A rectangle of cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Board {
    width: u8,
    cells: Box<[Cell]>,
}

/// A row that is not as long as the first one; see [`Board::from_rows`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaggedBoard {
    /// Which row, from 0.
    pub row: usize,
}

impl Board {
    /// The greatest number of cells in a row or column.
    pub const LONGEST: usize = 255;

    /// A board of these rows, which must be of the same length; at least one cell, at most [`Board::LONGEST`] a row.
    pub fn from_rows(rows: &[Vec<Cell>]) -> Result<Self, RaggedBoard> {
        let width = rows.first().map_or(0, Vec::len);
        if width == 0 || width > Self::LONGEST {
            return Err(RaggedBoard { row: 0 });
        }
        match rows.iter().position(|row| row.len() != width) {
            Some(row) => Err(RaggedBoard { row }),
            None => Ok(Self { width: width as u8, cells: rows.concat().into() }),
        }
    }

    /// A strip.
    pub(super) fn strip(cells: &[Cell]) -> Self {
        Self { width: cells.len() as u8, cells: cells.into() }
    }

    /// Cells in a row.
    pub fn width(&self) -> usize {
        usize::from(self.width)
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width()
    }

    /// All cells, row after row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Memory of the cells, in bytes.
    pub fn bytes(&self) -> usize {
        self.cells.len()
    }

    /// The same with some cells replaced.
    pub(super) fn with(&self, changes: &[(usize, Cell)]) -> Self {
        let mut board = self.clone();
        for &(index, cell) in changes {
            board.cells[index] = cell;
        }
        board
    }

    /// The cell next to `index` in a direction, if there is one.
    pub(super) fn step(&self, index: usize, (down, right): (isize, isize)) -> Option<usize> {
        let row = (index / self.width()).checked_add_signed(down).filter(|&row| row < self.height())?;
        let column =
            (index % self.width()).checked_add_signed(right).filter(|&column| column < self.width())?;
        Some(row * self.width() + column)
    }

    /// The connected regions of the cells that are not blocked, neighbours being those in `directions`; everything
    /// else in a region's rectangle is blocked.
    pub(super) fn regions(&self, directions: &[(isize, isize)]) -> Vec<Self> {
        let mut seen: Vec<bool> = self.cells.iter().map(|&cell| cell == Cell::Blocked).collect();
        let mut regions = Vec::new();
        for start in 0..self.cells.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut region = vec![start];
            let mut next = 0;
            while next < region.len() {
                for &direction in directions {
                    if let Some(neighbour) = self.step(region[next], direction)
                        && !seen[neighbour]
                    {
                        seen[neighbour] = true;
                        region.push(neighbour);
                    }
                }
                next += 1;
            }
            regions.push(self.cropped(&region));
        }
        regions
    }

    /// The smallest rectangle around these cells, all others blocked.
    fn cropped(&self, region: &[usize]) -> Self {
        let (mut top, mut bottom, mut first, mut last) = (usize::MAX, 0, usize::MAX, 0);
        for &index in region {
            let (row, column) = (index / self.width(), index % self.width());
            (top, bottom) = (top.min(row), bottom.max(row));
            (first, last) = (first.min(column), last.max(column));
        }
        let width = last - first + 1;
        let mut cells = vec![Cell::Blocked; width * (bottom - top + 1)];
        for &index in region {
            let (row, column) = (index / self.width(), index % self.width());
            cells[(row - top) * width + column - first] = self.cells[index];
        }
        Self { width: width as u8, cells: cells.into() }
    }

    /// Left and right exchanged.
    #[must_use]
    pub(super) fn mirrored(&self) -> Self {
        let mut board = self.clone();
        board.cells.chunks_mut(self.width()).for_each(<[Cell]>::reverse);
        board
    }

    /// Turned by half a circle.
    #[must_use]
    pub(super) fn turned(&self) -> Self {
        let mut board = self.clone();
        board.cells.reverse();
        board
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub(super) fn transposed(&self) -> Self {
        let (width, height) = (self.width(), self.height());
        let cells = (0..self.cells.len()).map(|index| self.cells[index % height * width + index / height]);
        Self { width: height as u8, cells: cells.collect() }
    }

    /// The least of the four boards that reflections make of this one.
    #[must_use]
    pub(super) fn least_reflection(self) -> Self {
        let (mirrored, turned) = (self.mirrored(), self.turned());
        let flipped = turned.mirrored();
        self.min(mirrored).min(turned).min(flipped)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, row) in self.cells.chunks(self.width()).enumerate() {
            let bar = if index > 0 { "|" } else { "" };
            write!(f, "{bar}{}", row.iter().map(|cell| cell.to_char()).collect::<String>())?;
        }
        Ok(())
    }
}

//! Components of a sum: explicit trees and boards, and how they become values.

mod amazons;
mod board;
mod clobber;
mod domineering;
mod toppling;
mod tree;

pub use board::{Board, Cell, RaggedBoard};
pub use tree::{LARGEST_NIMBER, MOST_UPS, Tree};

use super::{Dyadic, Failure, Overflow, Side, Store, Term};
use rustc_hash::FxHashMap;
use std::fmt;

/// A game played on a board. Black is Left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardGame {
    /// Left puts vertical dominoes, Right horizontal ones, on empty cells.
    Domineering,
    /// A queen moves, then shoots an arrow that blocks a cell.
    Amazons,
    /// A domino of one's colour, or a grey one (`#`), is toppled and takes all on one side with it.
    TopplingDominoes,
    /// A stone takes a neighbouring one of the other colour, on a strip.
    Clobber,
}

impl BoardGame {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Domineering, Self::Amazons, Self::TopplingDominoes, Self::Clobber];

    /// The name that a section of an MCGS file has.
    pub const fn section(self) -> &'static str {
        match self {
            Self::Domineering => "domineering",
            Self::Amazons => "amazons",
            Self::TopplingDominoes => "toppling_dominoes",
            Self::Clobber => "clobber_1xn",
        }
    }

    /// The cells that its boards may have.
    pub const fn cells(self) -> &'static str {
        match self {
            Self::Domineering => ".#",
            Self::Amazons | Self::TopplingDominoes => ".#XO",
            Self::Clobber => ".XO",
        }
    }

    /// Played on a single row?
    pub const fn is_strip(self) -> bool {
        matches!(self, Self::TopplingDominoes | Self::Clobber)
    }

    /// The independent parts of a board, each brought to one form among those that are worth the same; parts in which
    /// nobody can move are left out.
    pub fn parts(self, board: &Board) -> Vec<Board> {
        match self {
            Self::Domineering => domineering::parts(board),
            Self::Amazons => amazons::parts(board),
            Self::TopplingDominoes => toppling::parts(board),
            Self::Clobber => clobber::parts(board),
        }
    }

    /// More moves than this `side` can never make on a board, so no stop exceeds it; in Clobber, where a side can move exactly as
    /// long as the other can, all stops are 0.
    pub fn most_moves(self, board: &Board, side: Side) -> usize {
        match self {
            Self::Domineering => domineering::most_moves(board, side),
            Self::Amazons => amazons::most_moves(board, side),
            Self::TopplingDominoes => toppling::most_moves(board, side),
            Self::Clobber => 0,
        }
    }

    /// Every board that `side` can leave behind.
    pub fn moves(self, board: &Board, side: Side) -> Vec<Board> {
        match self {
            Self::Domineering => domineering::moves(board, side),
            Self::Amazons => amazons::moves(board, side),
            Self::TopplingDominoes => toppling::moves(board, side),
            Self::Clobber => clobber::moves(board, side),
        }
    }
}

/// One component as it was given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Component {
    /// An explicit tree, a number, a nimber, ups, or a sum of such.
    Tree(Tree),
    /// A position of a board game.
    Board(BoardGame, Board),
}

impl Component {
    /// Between what both stops lie, told without a canonical form: for games that are too large for one.
    pub fn rough_stops(&self) -> Result<(Dyadic, Dyadic), Overflow> {
        match self {
            Self::Tree(tree) => tree.rough_stops(),
            Self::Board(game, board) => {
                let most = |side| Dyadic::integer(game.most_moves(board, side) as i64);
                Ok((-most(Side::Right)?, most(Side::Left)?))
            }
        }
    }

    /// What `side` can move to.
    pub fn options(&self, side: Side) -> Vec<Self> {
        match self {
            Self::Tree(tree) => tree.options(side).into_iter().map(Self::Tree).collect(),
            Self::Board(game, board) => {
                game.moves(board, side).into_iter().map(|board| Self::Board(*game, board)).collect()
            }
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree(tree) => tree.fmt(f),
            Self::Board(game, board) => write!(f, "{} {board}", game.section()),
        }
    }
}

/// Values of components, each computed once. Parts of boards are remembered across games and sums.
#[derive(Default)]
pub struct Values {
    boards: FxHashMap<(BoardGame, Board), Term>,
}

impl Values {
    /// The value of a component.
    pub fn of(&mut self, store: &mut Store, component: &Component) -> Result<Term, Failure> {
        match component {
            Component::Tree(tree) => tree.value(store),
            Component::Board(game, board) => self.of_board(store, *game, board),
        }
    }

    /// The values of a component's independent parts: a tree has one.
    pub fn parts(&mut self, store: &mut Store, component: &Component) -> Result<Vec<Term>, Failure> {
        match component {
            Component::Tree(tree) => Ok(vec![tree.value(store)?]),
            Component::Board(game, board) => {
                game.parts(board).into_iter().map(|part| self.of_part(store, *game, part)).collect()
            }
        }
    }

    /// The value of a board: the sum of its parts.
    pub fn of_board(&mut self, store: &mut Store, game: BoardGame, board: &Board) -> Result<Term, Failure> {
        let mut sum = Term::ZERO;
        for part in game.parts(board) {
            let value = self.of_part(store, game, part)?;
            sum = store.add(sum, value)?;
        }
        Ok(sum)
    }

    /// The value of one part, as [`BoardGame::parts`] gives them.
    pub fn of_part(&mut self, store: &mut Store, game: BoardGame, part: Board) -> Result<Term, Failure> {
        let key = (game, part);
        if let Some(&known) = self.boards.get(&key) {
            return Ok(known);
        }
        let (game, part) = key;
        let mut options = [Vec::new(), Vec::new()];
        for (side, options) in [Side::Left, Side::Right].into_iter().zip(&mut options) {
            for board in game.moves(&part, side) {
                options.push(self.of_board(store, game, &board)?);
            }
        }
        let [left, right] = options;
        let value = store.construct(left, right)?;
        store.charge(part.bytes() + size_of::<((BoardGame, Board), Term)>() * 3 / 2);
        self.boards.insert((game, part), value);
        Ok(value)
    }
}

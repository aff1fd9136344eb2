//! [`Material`]: what men are on the board, which is what a table is named by.

use cozy_chess::{Board, Color, Piece};

/// The letters of the men, by [`Piece`].
const LETTERS: [(char, Piece); 6] = [
    ('P', Piece::Pawn),
    ('N', Piece::Knight),
    ('B', Piece::Bishop),
    ('R', Piece::Rook),
    ('Q', Piece::Queen),
    ('K', Piece::King),
];

/// The most men of any table that exists.
pub const MOST_MEN: usize = 7;

/// How many men of each kind each side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Material([[u8; Piece::NUM]; Color::NUM]);

impl Material {
    /// That of a board.
    pub fn of(board: &Board) -> Self {
        let mut counts = [[0; Piece::NUM]; Color::NUM];
        for color in Color::ALL {
            for piece in Piece::ALL {
                counts[color as usize][piece as usize] = board.colored_pieces(color, piece).len() as u8;
            }
        }
        Self(counts)
    }

    /// That of a table's name, as `KQvKR`, the first side being White. `None` when it names none.
    pub fn named(name: &str) -> Option<Self> {
        let (white, black) = name.split_once('v')?;
        let mut counts = [[0; Piece::NUM]; Color::NUM];
        for (color, side) in Color::ALL.into_iter().zip([white, black]) {
            for letter in side.chars() {
                let (_, piece) = LETTERS.into_iter().find(|(known, _)| *known == letter)?;
                counts[color as usize][piece as usize] += 1;
            }
        }
        let material = Self(counts);
        let kings = Color::ALL.map(|color| material.count(color, Piece::King));
        (kings == [1, 1] && (3..=MOST_MEN).contains(&material.men())).then_some(material)
    }

    /// The same with the colours exchanged.
    pub fn swapped(self) -> Self {
        let [white, black] = self.0;
        Self([black, white])
    }

    /// The men of a kind.
    pub fn count(self, color: Color, piece: Piece) -> usize {
        usize::from(self.0[color as usize][piece as usize])
    }

    /// All men, kings included.
    pub fn men(self) -> usize {
        self.0.as_flattened().iter().map(|&count| usize::from(count)).sum()
    }

    /// Somebody has pawns.
    pub fn has_pawns(self) -> bool {
        Color::ALL.into_iter().any(|color| self.count(color, Piece::Pawn) > 0)
    }

    /// Some side has a single piece of a kind, its king apart.
    pub fn has_single_piece(self) -> bool {
        let kinds = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        Color::ALL.into_iter().any(|color| kinds.into_iter().any(|kind| self.count(color, kind) == 1))
    }

    /// Pawns of the side that leads the order of squares in a table with pawns, which is the one with fewer of them (but
    /// not without); and the other side's.
    pub fn pawns(self) -> [usize; 2] {
        let [white, black] = Color::ALL.map(|color| self.count(color, Piece::Pawn));
        if black > 0 && (white == 0 || white > black) { [black, white] } else { [white, black] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let board: Board = "8/8/8/8/3k4/8/1R6/K1Q5 w - - 0 1".parse().unwrap();
        assert_eq!(Material::named("KQRvK"), Some(Material::of(&board)));
        assert_eq!(Material::named("KvKQR").map(Material::swapped), Some(Material::of(&board)));
        let counts = Material::named("KRPPvKRP").unwrap();
        assert_eq!((counts.men(), counts.pawns(), counts.has_pawns()), (7, [1, 2], true));
        for wrong in ["", "KQ", "KQvR", "KvK", "KKvK", "KQQQvKRRRR", "kqvk", "KXvK", "KQvKvK"] {
            assert_eq!(Material::named(wrong), None, "{wrong}");
        }
    }
}

//! Chess on the B\* core. Rules by `cozy-chess`; castling moves are king takes rook.

pub mod eval;
pub mod fen;
pub mod position;
pub mod probe;
pub mod score;
pub mod twin;

pub use position::{Outcome, Position};
pub use score::Score;

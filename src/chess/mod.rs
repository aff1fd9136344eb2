//! Chess on the B\* core. Rules by `cozy-chess`; castling moves are king takes rook.

pub mod dials;
pub mod domain;
pub mod error_model;
pub mod eval;
pub mod fen;
pub mod interval_model;
pub mod line;
pub mod policy;
pub mod position;
pub mod probe;
pub mod score;
pub mod tablebase;
pub mod tree_search;
pub mod twin;

pub use domain::ChessDomain;
pub use interval_model::IntervalModel;
pub use policy::ChessPolicy;
pub use position::{Outcome, Position};
pub use score::Score;
pub use tree_search::TreeSearch;

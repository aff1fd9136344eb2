//! Regulus: a chess engine that searches by B\*, on a B\* core that knows no chess.
//!
//! The modules, lowest first; each imports only those above it in this list:
//! - [`bstar`]: the algorithm. Knows no game, no clock, no thread, no text.
//! - [`chess`]: the game, evaluated by probes.
//! - [`engine`]: the service: a search thread behind two channels.
//! - [`uci`]: the front end: UCI on standard input and output.
//! - [`mod@bench`]: fixed positions and fixed work: the node signature.
//!
//! Beside the chess: [`sums`], sums of combinatorial games on the same core. It imports [`bstar`] only.

pub mod bench;
pub mod bstar;
pub mod chess;
pub mod engine;
pub mod sums;
pub mod uci;

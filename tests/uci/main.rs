//! Sessions with the real binary. Time-outs are generous: they only turn a hang into a failure. Every line that
//! the engine says is judged on the way (see `client`): legal moves, lines that end with the game, whole
//! numbers.

mod analysis;
mod client;
mod compliance;
mod fuzz;
mod life_cycle;
mod limits;
mod memory;
mod output;
mod pipes;
mod positions;
mod strength;
mod tablebases;

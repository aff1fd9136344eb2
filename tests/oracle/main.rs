//! The oracle: on thousands of seeded random games B\* finds what plain minimax finds.

mod draws;
mod game;
mod interrupted;
mod laws;
mod memory;
mod minimax;
mod re_root;
mod widening;

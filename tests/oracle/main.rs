//! The oracle: on thousands of seeded random games B\* finds what plain minimax finds.

mod game;
mod minimax;

//! B\*: best-first search with an interval at every node (Berliner 1979). It knows no game, no clock, no
//! thread and no text.
//!
//! # The terms
//!
//! A position's true value is what perfect play makes of it, from its side to move. An evaluation does not
//! know it, but can say between which two values it lies: an [`Interval`] with a pessimistic *lower* and an
//! optimistic *upper* end. A [`Domain`] (a game) gives such an interval for every position it is asked about;
//! the [`Graph`] keeps them.
//!
//! *Back-up.* Whoever may choose among moves worth `[l1, u1]`, `[l2, u2]`, .. has at least the best lower and
//! at most the best upper: `[max l, max u]`. The two ends may come from different moves. Values are always
//! from the side to move, so a child's interval is turned round (`-[l, u] = [-u, -l]`) on its way up; nothing
//! else converts.
//!
//! *Separation.* A move is proved best when its lower is no less than the upper of any other move. Its value
//! need not be known: that is what B\* saves.
//!
//! *The two ends of the rope.* Two moves are pulled apart by raising the lower of the better one
//! (*prove-best*) or by bringing down the upper of the other (*disprove-rest*). Each step chooses one of the
//! two, goes down from that root move, at every node to the child with the highest upper (no other child can
//! bring down its parent's upper), replaces the leaf at the end by its successors, and backs up. The
//! [`strategy`] module has the rules for the choice.
//!
//! *Wrong intervals.* A proof is as good as the intervals. When separation comes early the search can widen
//! what is only believed and go on (Sheppard's Maven); facts ([`Effort::PROVEN`]) stay. And a child's
//! interval that is not within its parent's is not repaired but counted: somebody was wrong.
//!
//! # A worked tree
//!
//! White has the moves a, b and c, worth `[2, 9]`, `[4, 6]` and `[0, 3]`.
//!
//! ```text
//!           White [4, 9]
//!      a /     b |      \ c
//!   [2, 9]    [4, 6]     [0, 3]
//!    / \        / \
//! [3,5] [6,9] [5,6] [5,8]       (all from White's side)
//! ```
//!
//! 1. The root is expanded. a has the highest upper, b the highest lower: prove-best is forced, and goes to a.
//! 2. Black's replies make a worth `[3, 5]`: Black takes what is better for him. Now b leads at both ends, and
//!    c, worth 3 at most, is out.
//! 3. Prove-best or disprove-rest? Criterion R: a's upper comes from 2 plies below, over a width of 2, so
//!    `2² / 2 = 2`; b's from 1 ply, over 2, so `1² / 2`. Not less: prove-best, on b.
//! 4. Black's replies make b worth `[5, 6]`. a is worth 5 at most: separated.
//!
//! Three expansions prove that b is best. What it is worth, 5 or 6, is left open, and c was never looked at.
//!
//! ```
//! use regulus::bstar::*;
//!
//! # #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
//! # struct Points(i32);
//! # impl std::ops::Neg for Points {
//! #     type Output = Self;
//! #     fn neg(self) -> Self {
//! #         Self(-self.0)
//! #     }
//! # }
//! # impl Value for Points {
//! #     const MIN: Self = Self(-99);
//! #     const MAX: Self = Self(99);
//! #     fn minus(self, other: Self) -> f64 {
//! #         f64::from(self.0 - other.0)
//! #     }
//! # }
//! /// A cursor: the moves made so far.
//! struct Toy(Vec<char>);
//!
//! impl Toy {
//!     /// Moves, and what they are worth to White.
//!     fn moves(&self) -> &'static [(char, i32, i32)] {
//!         match self.0[..] {
//!             [] => &[('a', 2, 9), ('b', 4, 6), ('c', 0, 3)],
//!             ['a'] => &[('1', 3, 5), ('2', 6, 9)],
//!             ['b'] => &[('1', 5, 6), ('2', 5, 8)],
//!             _ => &[],
//!         }
//!     }
//! }
//!
//! impl Domain for Toy {
//!     type Value = Points;
//!     type Action = char;
//!
//!     fn key(&self) -> u64 {
//!         self.0.iter().fold(1, |key, &c| key << 21 | u64::from(c))
//!     }
//!     fn play(&mut self, action: char) {
//!         self.0.push(action);
//!     }
//!     fn undo(&mut self) {
//!         self.0.pop();
//!     }
//!     fn successors(
//!         &mut self,
//!         into: &mut Vec<Successor<char, Points>>,
//!         monitor: &mut dyn Monitor,
//!     ) -> Result<(), Interrupted> {
//!         for &(action, lower, upper) in self.moves() {
//!             self.play(action);
//!             let white = Estimate::proven(Interval::new(Points(lower), Points(upper)).unwrap());
//!             // From the side to move behind the move.
//!             let estimate = if self.0.len() % 2 == 0 { white } else { -white };
//!             into.push(Successor { action, key: self.key(), estimate });
//!             self.undo();
//!         }
//!         monitor.work(1)
//!     }
//! }
//!
//! let mut graph = Graph::with_budget(1 << 20);
//! let mut toy = Toy(vec![]);
//! let mut search = Search::new(&mut graph, &mut toy, 0, Estimate::UNKNOWN, Settings::new(Policy::AR));
//! let decision = search.run(&mut Unwatched);
//!
//! assert_eq!(decision.termination, Termination::Separated);
//! assert_eq!(decision.action, Some('b'));
//! assert_eq!(decision.counters.expansions, 3);
//! assert_eq!(decision.belief, Interval::new(Points(5), Points(6)).unwrap());
//! ```
//!
//! # The parts
//!
//! - [`Interval`], [`Estimate`], [`Effort`], [`Question`]: what is known, from where, and what can be asked.
//! - [`Domain`], [`Monitor`]: what a game supplies; who watches.
//! - [`graph`]: nodes by (position, ply), shared by all that lead to them, within a budget of bytes.
//! - [`backup`]: a node from its children; a change to all ancestors.
//! - [`search`] with [`strategy`]: the stepwise policies, as told above. [`settled`]: the recursive ones, for
//!   bounds that answer questions instead of coming with every position.
//! - [`validate()`]: the invariants.
//!
//! # The stepwise policies, measured
//!
//! `cargo run --example artificial_trees 1 10000`: 192 artificial trees (its docs tell how they grow), at most
//! 10,000 nodes estimated for each. Some policy solved 158, every policy 123. The columns: share of the 158
//! solved, by the growth factor g and in all; mean expansions on the 123.
//!
//! | policy | g = 0.75 | g = 1 | g = 1.4 | g = 2 | all | expansions |
//! |---|---|---|---|---|---|---|
//! | BestFirst | 84.8 % | 78.9 % | 77.1 % | 71.8 % | 78.5 % | 88 |
//! | Alternation | 93.5 % | 92.1 % | 82.9 % | 84.6 % | 88.6 % | 31 |
//! | SmallerTree | 100.0 % | 97.4 % | 82.9 % | 79.5 % | 90.5 % | 32 |
//! | 2D | 100.0 % | 92.1 % | 80.0 % | 76.9 % | 88.0 % | 32 |
//! | 3D | 100.0 % | 92.1 % | 80.0 % | 76.9 % | 88.0 % | 31 |
//! | AD | 97.8 % | 92.1 % | 80.0 % | 76.9 % | 87.3 % | 31 |
//! | 2R | 100.0 % | 97.4 % | 80.0 % | 79.5 % | 89.9 % | 30 |
//! | 3R | 100.0 % | 97.4 % | 80.0 % | 82.1 % | 90.5 % | 30 |
//! | AR | 100.0 % | 97.4 % | 80.0 % | 82.1 % | 90.5 % | 30 |
//! | DisproveBest | 100.0 % | 97.4 % | 80.0 % | 82.1 % | 90.5 % | 30 |
//! | DisproveBest-Alternation | 93.5 % | 92.1 % | 82.9 % | 82.1 % | 88.0 % | 30 |
//! | AR+P30 | 97.8 % | 100.0 % | 97.1 % | 100.0 % | 98.7 % | 31 |
//! | DisproveBest+P30 | 97.8 % | 100.0 % | 91.4 % | 100.0 % | 97.5 % | 31 |
//!
//! As published (Anema 2025), prove-best alone is far behind, and alternation close to the R criterion. Not
//! seen here, with few and small trees: disprove-best ahead of plain AR. The greatest gain is the
//! pessimist share's (Anema 2026 saw it on big trees), most where intervals grow on the way down. Whenever a policy
//! did not solve a tree that another solved (34 times BestFirst, 15 times AR), its decision without separation
//! was nevertheless the move that the other proved best. One tree is 0.6 % of a column's last share: differences
//! below two or three per cent mean nothing.

pub mod backup;
mod domain;
pub mod graph;
mod interval;
mod monitor;
pub mod search;
pub mod settled;
pub mod strategy;
mod termination;
#[cfg(test)]
mod test_value;
pub mod validate;

pub use domain::{Domain, LeafStep, Successor};
pub use graph::{Edge, Full, Graph, NodeId};
pub use interval::{Effort, Estimate, Interval, Question, Value};
pub use monitor::{Interrupted, Layer, Monitor, Unwatched};
pub use search::{Decision, Search, Settings};
pub use strategy::Policy;
pub use termination::Termination;
pub use validate::validate;

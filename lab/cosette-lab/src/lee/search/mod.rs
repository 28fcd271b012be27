//! Bidirectional A* over a stored perimeter (Lee 2013, Figure 1).
//!
//! # Theory
//!
//! A* (Hart, Nilsson and Raphael 1968) expands the open node with the least f = g + h, where g is the length of the best way
//! known to it and h a lower bound of the way on. Here it does not go to solved but to the *perimeter*, whose positions are
//! stored with their distances: a generated position that is stored is a meeting, and g + distance the length of a
//! solution.
//!
//! ```text
//! open ← the position; best ← none
//! repeat:
//!     n ← the open node with the least f; of equals the one that the tie value and the order choose
//!     if best is as short as f(n): best is the answer, and the way through its meeting is printed
//!     for each child c of n:
//!         c is in the perimeter: best ← g(c) + distance(c), if that is shorter
//!         c is new, or g(c) is less than before (it is opened again, expanded or not): c is open
//! ```
//!
//! *The answer is a shortest solution.* Say a shortest solution has length L, and no meeting of length L was found yet. Follow
//! its positions from the root. The root was expanded, or is open; let c be the first position outside the perimeter that is not
//! expanded with g(c) equal to its distance from the root along this way. All before it were expanded so, c was then
//! generated with that g, and it is open: h never exceeds the way on, so f(c) ≤ L. (If there is no such c, the first
//! position inside was generated with its least g, and a meeting of length L was found.) So the least f never
//! exceeds L before that, and a meeting as short as the least f is as short as any. For the same reason the greatest least f
//! that was seen is a lower bound at any time. Two cuts do no harm: a child whose f is not below `best` leads to nothing
//! shorter; and the moves of the face that turned last are left out, for n = p·m gives n·m′ = p·(m·m′), which is p
//! or was generated from p, with a lesser g.
//!
//! *Absence is a bound.* A position outside the perimeter is at least its depth plus one away. This h needs no table but the
//! perimeter; it is used with every other one, unless [`AstarSettings::bound_by_absence`] says not to. It is consistent, and so are
//! those of partial problems: nothing expanded is then ever opened again, which the reports count.
//!
//! # Ties
//!
//! With a perimeter of depth 7 and a solution of length L, everything with f < L is expanded, and of the nodes with f = L as
//! many as it takes to meet the perimeter. There the order decides: queue-type (first in, first out) or stack-type (last
//! in, first out), alone or after a tie value, heu6 or heu8 ([`Most`]).
//!
//! # Departures
//!
//! 1. The test is made when a position is generated, not when it is expanded: positions inside the perimeter are never
//!    stored, and the search ends as soon as the least f allows.
//! 2. Nodes hold no link to their parents but the move that led to them: undone, it gives the parent, which is looked
//!    up.
//! 3. A node that is overtaken by a shorter way stays where it is in its queue and is skipped.

pub mod astar;
mod engine;
mod store;

pub use astar::{AstarResult, AstarSettings, Estimate, Expansion, Layer, Observer, SearchEnd, search};
pub use engine::{Bound, Estimates, Lee, Most};
pub use store::Order;

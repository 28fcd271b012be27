//! Bounds of the Manhattan type (Korf 1997, section 3.1), and the tree they are to cut (section 3, Table 1).
//!
//! # Theory
//!
//! The Manhattan distance of the sliding-tile puzzles counts for each tile the moves it needs alone. Likewise each cubie of
//! the cube: the least number of moves that bring it to its slot, untwisted and unflipped, whatever becomes of the others. One
//! move carries eight cubies, four corners and four edges, so the sum of all these counts is divided by eight; or those of
//! the corners and those of the edges are each divided by four, and the larger is taken. The edges alone are nearly as good,
//! for there are twelve of them and only eight corners. (The paper misprints that: "8 edge cubies and 12 corner cubies".) All
//! are lower bounds:
//!
//! ```text
//! a move of cost c lowers the count of a cubie that it carries by c at most, and that of the others not at all;
//! it carries four corners and four edges, so it lowers the sum of the corners by 4 c at most, and so that of the edges
//! ```
//!
//! so a position with the sum s takes ⌈s ÷ 4⌉ moves at least.
//!
//! # Departures
//!
//! 1. The sums are carried along: a move takes away the counts in the eight slots it turns, and adds those of the
//!    cubies that come there.

mod bound;
mod experiment;
mod nodes;

pub use bound::{CubieCosts, Heuristic, Manhattan, Node};
pub use experiment::manhattan;
pub use nodes::{branching_factor, nodes};

//! Bidirectional A* over a stored perimeter (Lee 2013).
//!
//! "Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and Partial Problem-based
//! Informed Heuristic Generations". All positions within some moves of solved, the *perimeter*, are stored once, on disk.
//! A search from the position then need not go the whole way: its goal test is whether a position is stored, and from
//! there the stored moves lead home. Nearly all positions that it asks for are absent, so what counts is how fast absence is
//! confirmed.
//!
//! | module | what it holds |
//! |---|---|
//! | [`space`] | the stored positions: the backward space |
//! | [`absence`] | the hashing schemes that confirm absence fast, and what one would use today |
//! | [`classes`] | a perimeter in memory, by symmetry classes |
//! | [`partial`] | heuristics from partial problems |
//! | [`search`] | the search, its engine and experiments, and the same idea with today's means |

pub mod absence;
pub mod classes;
pub mod experiments;
mod number;
pub mod partial;
mod perimeter;
mod pieces;
pub mod search;
mod slots;
pub mod space;

pub use perimeter::{CUMULATIVE, MAX_DEPTH, Perimeter};

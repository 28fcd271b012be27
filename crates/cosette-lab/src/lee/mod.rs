//! Bidirectional A* over a stored perimeter (Lee 2013).
//!
//! "Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and Partial Problem-based
//! Informed Heuristic Generations". All positions within some moves of solved, the *perimeter*, are stored once. A search from
//! the position then need not go the whole way: its goal test is whether a position is stored, and from there the stored
//! moves lead home.
//!
//! | module | what it holds |
//! |---|---|
//! | [`classes`] | a perimeter in memory, by symmetry classes |
//! | [`partial`] | heuristics from partial problems |
//! | [`search`] | the search, its engine and exhibits, and the same idea with today's means |

pub mod classes;
pub mod partial;
mod scatter;
pub mod search;

use cosette::cube::{Cube, Move};

/// The positions near solved, with their distances in the half-turn metric.
pub trait Perimeter: Sync {
    /// All positions within so many moves are there.
    fn depth(&self) -> u8;

    /// The distance of a position that is there; none of those farther away.
    fn distance(&self, position: &Cube) -> Option<u8>;

    /// A shortest solution of a position that is there.
    fn way_home(&self, position: &Cube) -> Option<Vec<Move>>;
}

//! Lee 2013.

pub mod classes;
pub mod partial;
mod scatter;
pub mod search;

use cosette::cube::{Cube, Move};

/// The positions near solved, with their distances.
pub trait Perimeter: Sync {
    /// All positions within so many moves are there.
    fn depth(&self) -> u8;
    /// The distance of a position that is there; none of those farther away.
    fn distance(&self, position: &Cube) -> Option<u8>;
    /// A shortest solution of a position that is there.
    fn way_home(&self, position: &Cube) -> Option<Vec<Move>>;
}

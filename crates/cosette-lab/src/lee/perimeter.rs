//! The positions near solved: what a search asks of them, and how many there are.

use cosette::cube::{Cube, Move};

/// All positions within some moves of solved, in the half-turn metric.
pub trait Perimeter: Sync {
    /// The distance of the farthest positions within.
    fn depth(&self) -> u8;

    /// The distance of the position, where it is within the perimeter; `None` says that it is farther than [`Self::depth`].
    fn distance(&self, position: &Cube) -> Option<u8>;

    /// A shortest solution of the position, where it is within the perimeter.
    fn way_home(&self, position: &Cube) -> Option<Vec<Move>>;
}

/// How many positions lie within 0, 1, … 8 moves of solved.
pub const CUMULATIVE: [u64; 9] = [1, 19, 262, 3502, 46_741, 621_649, 8_240_087, 109_043_123, 1_441_386_411];

/// The most moves that positions are stored within. Nine would take 171 GB.
pub const MAX_DEPTH: u8 = CUMULATIVE.len() as u8 - 1;

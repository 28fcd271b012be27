//! Bidirectional A* over a stored perimeter (Lee 2013).
//!
//! "Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and Partial
//! Problem-based Informed Heuristic Generations". All positions within some moves of solved, the *perimeter*, are
//! stored once, on disk. A search from the position then need not go the whole way: its goal test is whether a position
//! is stored, and from there the stored moves lead home. Nearly all positions that it asks for are absent, so what
//! counts is how fast absence is confirmed.
//!
//! The search asks either for symmetry classes in memory ([`perimeter`]), or for the stored positions ([`space`]) through
//! a hashing scheme ([`absence`]), as the paper does.

pub mod absence;
mod ball;
pub mod experiments;
mod nodes;
pub mod partial;
pub mod perimeter;
pub mod search;
pub mod space;

use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Move};

/// How many positions lie within 0, 1, … 15 moves of solved: beyond eight moves as Rokicki, Kociemba, Davidson and Dethridge
/// counted them (cube20.org; OEIS A080601).
pub const WITHIN: [u64; 16] = [
    1,
    19,
    262,
    3502,
    46_741,
    621_649,
    8_240_087,
    109_043_123,
    1_441_386_411,
    19_037_866_206,
    251_285_929_522,
    3_314_574_738_534,
    43_689_000_394_782,
    575_342_418_679_410,
    7_564_662_997_504_768,
    98_929_809_184_629_081,
];

/// Positions are stored within at most this many moves. Nine would take 171 GB.
pub const MAX_DEPTH: u8 = 8;

/// The backward space as a search asks for it: all positions within some moves of solved, with their distances.
///
/// # Errors
/// If a file cannot be read, or was altered after it was checked. In memory nothing fails.
pub trait BackwardSpace: Send + Sync {
    /// The distance of the farthest positions: the paper's d_back.
    fn depth(&self) -> u8;

    /// The distance of the position; `None` if it is absent.
    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError>;

    /// A shortest solution of the position; `None` if it is absent.
    fn solution(&self, position: &Cube) -> Result<Option<Vec<Move>>, LabError>;
}

/// Sorts on the threads of the current pool. On cancellation the items are left in any order.
fn sort<T: Ord + Send>(items: &mut [T], control: &Control<'_>) {
    if items.len() < 1 << 16 {
        items.sort_unstable();
    } else if !control.is_cancelled() {
        let middle = items.len() / 2;
        let (below, _, above) = items.select_nth_unstable(middle);
        rayon::join(|| sort(below, control), || sort(above, control));
    }
}

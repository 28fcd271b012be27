//! Bidirectional A* over a stored perimeter (Lee 2013).
//!
//! "Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and
//! Partial Problem-based Informed Heuristic Generations". All positions within some moves of
//! solved, the *perimeter* (the paper's backward space), are stored once, on disk. A search from
//! the position then need not reach solved: its goal test is a look-up among the stored positions,
//! and from there the stored moves solve the cube. Nearly all look-ups are for absent positions, so
//! the speed of confirming absence is decisive.
//!
//! The search looks up either symmetry classes in memory ([`perimeter`]), or the stored positions
//! ([`space`]) through a hashing scheme ([`hashed_membership`]), as the paper does.

mod ball;
pub mod experiments;
pub mod hashed_membership;
mod nodes;
pub mod partial;
pub mod perimeter;
pub mod search;
pub mod space;

use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Move};

/// Number of positions within 0, 1, … 15 moves of solved (half-turn metric); those for nine and
/// more are from Rokicki, Kociemba, Davidson and Dethridge (cube20.org; OEIS A080601).
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

/// The maximum depth of the stored perimeter; depth nine would take 171 GB.
pub const MAX_DEPTH: u8 = 8;

/// The interface of the backward space for a search: all positions within some moves of solved,
/// with their distances.
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

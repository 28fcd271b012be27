//! Bidirectional A* over a stored perimeter (Lee 2013).
//!
//! "Boosting Bidirectional A* Efficiencies: State-nonexistence Fast-confirming Hashing Schemes and
//! Partial Problem-based Informed Heuristic Generations". All positions within some moves of
//! solved, the *perimeter* (the paper's backward space), are stored once, on disk. A search from
//! the position then need not reach solved: its goal test is a look-up among the stored positions,
//! and from there the stored moves solve the cube. Nearly all look-ups are for absent positions, so
//! the speed of confirming absence is decisive.
//!
//! | file | contents |
//! |---|---|
//! | `painting` | the visible facelets of a position, and the numbers of painted positions |
//! | `states` | sets of states in memory: the perimeter, the spaces of a partial problem |
//! | `heuristic` | partial problems, and the lower bounds that they give |
//! | `stored` | the perimeter on disk, and the hashing schemes that find its positions |
//! | `search` | bidirectional A* |

pub mod experiments;
pub mod heuristic;
pub mod painting;
pub mod search;
pub mod states;
pub mod stored;

use crate::error::LabError;
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

/// All positions within some moves of solved, with their distances, as a search asks for them: the
/// paper's backward space.
pub trait Perimeter: Send + Sync {
    /// The distance of the farthest positions: the paper's d_back.
    fn depth(&self) -> u8;

    /// The distance of the position; `None` if it is absent.
    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError>;

    /// A shortest solution of the position; `None` if it is absent.
    fn solution(&self, position: &Cube) -> Result<Option<Vec<Move>>, LabError> {
        let Some(distance) = self.distance(position)? else {
            return Ok(None);
        };
        let mut position = *position;
        let mut moves = Vec::new();
        for distance in (0..distance).rev() {
            for m in Move::ALL {
                let closer = position.apply(m);
                if self.distance(&closer)? == Some(distance) {
                    position = closer;
                    moves.push(m);
                    break;
                }
            }
        }
        Ok(Some(moves))
    }
}

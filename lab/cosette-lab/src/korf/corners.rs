//! The corners as permutation and twist, and their pattern database.
//!
//! ```text
//! index = 2187 · (rank of the permutation, 0 … 40,319) + (twists of the first seven slots, to the base three)
//! ```
//!
//! A twist is stored with the slot, not with the cubie: so the action of a move on the twists does
//! not depend on the permutation, and its action on the permutation does not depend on the twists.
//! Two small move tables suffice.

use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::lab::LabTable;
use crate::packed::PackedDistances;
use crate::pieces::{TWISTS, rank, twist_number, twist_turned, unrank};
use crate::space::Space;
use cosette::Control;
use cosette::block_file::{PayloadKind, numbering};
use cosette::cube::{Corner, Cube, Metric, Move};
use std::sync::LazyLock;

/// Number of permutations of the corners: 8!.
pub const PERMUTATIONS: usize = 40_320;

/// The corners of a position: the cubie in each slot, and its twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    permutation: u16,
    twist: u16,
}

impl Corners {
    /// Number of arrangements of the corners.
    pub const COUNT: usize = PERMUTATIONS * TWISTS;

    /// Returns the corners of a position.
    pub fn of(position: &Cube) -> Corners {
        let cubies = Corner::ALL.map(|slot| position.corner(slot).0.index() as u8);
        let twists = Corner::ALL.map(|slot| position.corner(slot).1);
        Corners {
            permutation: rank(&cubies) as u16,
            twist: twist_number(&twists),
        }
    }

    /// The index, 0 to 88,179,839.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.permutation) * TWISTS + usize::from(self.twist)
    }

    /// Applies a move.
    #[inline(always)]
    pub fn turned(self, moves: &CornerTransitions, m: Move) -> Corners {
        Corners {
            permutation: moves.permutations(self)[m.index()],
            twist: moves.twists(self)[m.index()],
        }
    }
}

/// Images of each permutation and of each twist under each move, 1.5 MB.
pub struct CornerTransitions {
    permutations: Vec<[u16; Move::COUNT]>,
    twists: Vec<[u16; Move::COUNT]>,
}

impl CornerTransitions {
    /// The tables; computed at the first call, in a few hundredths of a second.
    pub fn get() -> &'static CornerTransitions {
        static MOVES: LazyLock<CornerTransitions> = LazyLock::new(|| {
            let permutations = (0..PERMUTATIONS as u64).map(unrank);
            CornerTransitions {
                permutations: permutations
                    .map(|cubies| Move::ALL.map(|m| rank(&moved(&cubies, m)) as u16))
                    .collect(),
                twists: (0..TWISTS as u16)
                    .map(|twist| Move::ALL.map(|m| twist_turned(twist, m)))
                    .collect(),
            }
        });
        &MOVES
    }

    /// The permutations that the eighteen moves lead to.
    #[inline(always)]
    fn permutations(&self, corners: Corners) -> &[u16; Move::COUNT] {
        &self.permutations[usize::from(corners.permutation)]
    }

    /// The twists that the eighteen moves lead to.
    #[inline(always)]
    fn twists(&self, corners: Corners) -> &[u16; Move::COUNT] {
        &self.twists[usize::from(corners.twist)]
    }

    /// The corners that each move leads to.
    #[inline(always)]
    pub fn all(&self, corners: Corners) -> impl Fn(Move) -> Corners + use<'_> {
        let permutations = self.permutations(corners);
        let twists = self.twists(corners);
        |m| Corners {
            permutation: permutations[m.index()],
            twist: twists[m.index()],
        }
    }
}

fn moved(cubies: &[u8; 8], m: Move) -> [u8; 8] {
    Corner::ALL.map(|slot| cubies[Cube::from_move(m).corner(slot).0.index()])
}

/// The pattern database of the corners.
#[derive(Clone, Copy, Debug)]
pub struct CornerDatabase {
    /// The metric of its distances.
    pub metric: Metric,
    /// Their storage.
    pub storage: DistanceStorage,
}

impl PayloadKind for CornerDatabase {
    fn name(&self) -> String {
        format!("korf-corners-{}{}", self.metric, self.storage.suffix())
    }

    fn bytes(&self) -> u64 {
        self.storage.bytes(Corners::COUNT)
    }

    fn numbering(&self) -> u64 {
        numbering(|position| Corners::of(position).index() as u64)
    }
}

impl LabTable for CornerDatabase {
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError> {
        let space = CornerSpace(CornerTransitions::get());
        self.storage.generate(&space, self.metric, control)
    }
}

/// Permutations are the rows, twists the columns.
struct CornerSpace(&'static CornerTransitions);

impl Space for CornerSpace {
    fn rows(&self) -> usize {
        PERMUTATIONS
    }

    fn columns(&self) -> usize {
        TWISTS
    }

    fn start(&self) -> (usize, usize) {
        let Corners { permutation, twist } = Corners::of(&Cube::SOLVED);
        (permutation.into(), twist.into())
    }

    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize) {
        (self.0.permutations[row][m.index()].into(), move |twist| {
            self.0.twists[twist][m.index()].into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::twists_numbered;
    use cosette::cube::random_positions;

    #[test]
    fn numbers_stand_for_permutations_and_twists() {
        assert!((0..PERMUTATIONS as u64).all(|number| rank(&unrank::<8>(number)) == number));
        assert!((0..TWISTS as u16).all(|number| twist_number(&twists_numbered(number)) == number));
        assert_eq!(Corners::of(&Cube::SOLVED).index(), 0);
    }

    #[test]
    fn corners_move_as_positions_do() {
        for position in random_positions(1).take(1000) {
            for m in Move::ALL {
                let corners = Corners::of(&position).turned(CornerTransitions::get(), m);
                assert_eq!(corners, Corners::of(&position.apply(m)));
                assert_eq!(
                    CornerTransitions::get().all(Corners::of(&position))(m),
                    corners
                );
            }
        }
    }
}

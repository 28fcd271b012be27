//! The corners as two placements and twists, and their pattern database.
//!
//! Four corners have 1,680 placements, in a set of slots and an order each; the other four have the
//! rest of the slots, and an order too.
//!
//! ```text
//! permutation = 24 · (placement of the first four) + (order of the others)
//! index       = 2187 · permutation + (twists of the first seven slots, to the base three)
//! ```
//!
//! A twist is stored with the slot, not with the cubie: so the action of a move on the twists does
//! not depend on the placements, and its action on the placements does not depend on the twists.
//! Two move tables of 60 and 79 KB suffice, which stay in the processor's cache while databases are
//! read; one of all permutations has 1.5 MB, and waiting for it took a quarter of a search.

use super::placements::Placements;
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::lab::LabTable;
use crate::packed::PackedDistances;
use crate::pieces::{TWISTS, twist_number, twist_turned};
use crate::space::Space;
use cosette::Control;
use cosette::block_file::{PayloadKind, numbering};
use cosette::cube::{Corner, Cube, Metric, Move};
use std::sync::LazyLock;

/// Number of permutations of the corners: 8!.
pub const PERMUTATIONS: usize = 40_320;
/// Number of orders of four corners: 4!.
const ORDERS: usize = 24;
/// Number of sets of four slots: C(8,4).
const SETS: usize = 70;

/// The corners of a position: the placements of the first and of the last four cubies, and the
/// twists in the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    fours: [u16; 2],
    twist: u16,
}

impl Corners {
    /// Number of arrangements of the corners.
    pub const COUNT: usize = PERMUTATIONS * TWISTS;

    /// Returns the corners of a position.
    pub fn of(position: &Cube) -> Corners {
        let transitions = CornerTransitions::get();
        let slots = Corner::ALL.map(|cubie| slot_of(position, cubie));
        let number = |four: &[u8]| transitions.placements.number(four) as u16;
        let twists = Corner::ALL.map(|slot| position.corner(slot).1);
        Corners {
            fours: [number(&slots[..4]), number(&slots[4..])],
            twist: twist_number(&twists),
        }
    }

    /// The index, 0 to 88,179,839.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.row() * TWISTS + usize::from(self.twist)
    }

    /// The number of the permutation.
    #[inline(always)]
    fn row(self) -> usize {
        let [first, second] = self.fours.map(usize::from);
        first * ORDERS + second % ORDERS
    }

    /// The corners of a permutation, untwisted.
    fn of_row(row: usize) -> Corners {
        let first = row / ORDERS;
        // The complement of the set with rank i has rank 69 − i.
        let second = (SETS - 1 - first / ORDERS) * ORDERS + row % ORDERS;
        Corners {
            fours: [first as u16, second as u16],
            twist: 0,
        }
    }

    /// Applies a move.
    #[inline(always)]
    pub fn turned(self, transitions: &CornerTransitions, m: Move) -> Corners {
        let m = m.index();
        let four = |placement: u16| transitions.fours[usize::from(placement)][m];
        Corners {
            fours: [four(self.fours[0]), four(self.fours[1])],
            twist: transitions.twists[usize::from(self.twist)][m],
        }
    }
}

/// Images of each placement of four corners and of each twist under each move, 139 KB.
pub struct CornerTransitions {
    placements: Placements,
    fours: Vec<[u16; Move::COUNT]>,
    twists: Vec<[u16; Move::COUNT]>,
}

impl CornerTransitions {
    /// The tables; computed at the first call, in a few milliseconds.
    pub fn get() -> &'static CornerTransitions {
        static MOVES: LazyLock<CornerTransitions> = LazyLock::new(|| {
            let placements = Placements::new(4, 8);
            let turned = |slots: &[u8], m: Move| {
                let carried =
                    |&slot: &u8| slot_of(Cube::from_move(m), Corner::ALL[usize::from(slot)]);
                placements.number(&slots.iter().map(carried).collect::<Vec<u8>>()) as u16
            };
            let turns = |slots: Vec<u8>| Move::ALL.map(|m| turned(&slots, m));
            CornerTransitions {
                fours: placements.all().map(turns).collect(),
                twists: (0..TWISTS as u16)
                    .map(|twist| Move::ALL.map(|m| twist_turned(twist, m)))
                    .collect(),
                placements,
            }
        });
        &MOVES
    }
}

/// Returns the slot of a corner, 0 to 7.
fn slot_of(position: &Cube, cubie: Corner) -> u8 {
    let slot = Corner::ALL
        .into_iter()
        .position(|slot| position.corner(slot).0 == cubie);
    slot.expect("every corner is somewhere") as u8
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
        format!("korf-corners-2-{}{}", self.metric, self.storage.suffix())
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
        let solved = Corners::of(&Cube::SOLVED);
        (solved.row(), solved.twist.into())
    }

    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize) {
        let turned = Corners::of_row(row).turned(self.0, m);
        (turned.row(), move |twist| {
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
        assert!((0..PERMUTATIONS).all(|row| Corners::of_row(row).row() == row));
        assert!((0..TWISTS as u16).all(|number| twist_number(&twists_numbered(number)) == number));
        assert_eq!(Corners::of(&Cube::SOLVED).index(), 0);
    }

    #[test]
    fn corners_move_as_positions_do() {
        for position in random_positions(1).take(1000) {
            let corners = Corners::of(&position);
            assert_eq!(corners.fours, Corners::of_row(corners.row()).fours);
            for m in Move::ALL {
                let turned = corners.turned(CornerTransitions::get(), m);
                assert_eq!(turned, Corners::of(&position.apply(m)));
            }
        }
    }
}

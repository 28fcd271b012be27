//! The painting of the corners: raw coordinate, moves, and classes under the 48 symmetries.

use crate::cube::{Corner, Cube, Move, Symmetry};
use std::sync::LazyLock;

const TWISTS: u32 = 2187;

/// The painting of the corners: for each slot the tetrad (0 or 1) of the cubie there and its twist
/// (0 to 2).
///
/// It is all that the coset T·p determines about the corners of p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CornerPainting([(u8, u8); Corner::COUNT]);

impl CornerPainting {
    /// Number of paintings: C(8,4) · 3⁷.
    pub const COUNT: usize = 70 * TWISTS as usize;

    /// Returns the painting of a position.
    pub fn of(cube: &Cube) -> CornerPainting {
        CornerPainting(Corner::ALL.map(|slot| {
            let (cubie, twist) = cube.corner(slot);
            (cubie.tetrad(), twist)
        }))
    }

    /// Returns the raw coordinate, 0 to 153,089: 2187 · (rank of the slots of tetrad 1) + (twists
    /// of the first seven slots as digits to the base three, the first slot lowest).
    pub fn coordinate(&self) -> u32 {
        let twists = self.0[..7]
            .iter()
            .rev()
            .fold(0, |sum, &(_, twist)| 3 * sum + u32::from(twist));
        u32::from(TETRAD_RANKS[self.tetrad_slots() as usize]) * TWISTS + twists
    }

    /// Returns the slots of tetrad 1, one bit each.
    pub(crate) fn tetrad_slots(&self) -> u32 {
        (0..Corner::COUNT)
            .map(|slot| u32::from(self.0[slot].0) << slot)
            .sum()
    }

    /// Returns the painting with this raw coordinate.
    ///
    /// # Panics
    ///
    /// Panics if `coordinate` is 153,090 or more.
    pub fn from_coordinate(coordinate: u32) -> CornerPainting {
        let rank = (coordinate / TWISTS) as u8;
        let tetrads = (0..256).find(|&mask| has_four_bits(mask) && TETRAD_RANKS[mask] == rank);
        let tetrads = tetrads.expect("a corner coordinate is below 153,090");
        let mut painting = CornerPainting([(0, 0); Corner::COUNT]);
        let mut digits = coordinate % TWISTS;
        let mut twist_sum = 0;
        for slot in 0..7 {
            painting.0[slot].1 = (digits % 3) as u8;
            twist_sum += digits % 3;
            digits /= 3;
        }
        // The twists add up to a multiple of 3.
        painting.0[7].1 = ((21 - twist_sum) % 3) as u8;
        for (slot, corner) in painting.0.iter_mut().enumerate() {
            corner.0 = (tetrads >> slot & 1) as u8;
        }
        painting
    }

    /// Returns the painting after a move: that of p·m for any p with this painting.
    #[must_use]
    pub fn turned(&self, m: Move) -> CornerPainting {
        CornerPainting(Corner::ALL.map(|slot| {
            let (from, twist) = Cube::from_move(m).corner(slot);
            let (tetrad, before) = self.0[from.index()];
            (tetrad, (before + twist) % 3)
        }))
    }

    /// Returns the conjugate by a symmetry: the painting of s⁻¹·p·s for any p with this painting.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> CornerPainting {
        let maps = s.maps();
        let mut conjugate = *self;
        for slot in Corner::ALL {
            let (tetrad, twist) = self.0[slot.index()];
            // Any cubie of the tetrad will do: all four have the same shift and are mapped to the
            // same tetrad.
            let cubie = Corner::ALL[usize::from(tetrad)];
            debug_assert_eq!(cubie.tetrad(), tetrad);
            let twist = if maps.mirrors { 3 - twist } else { twist };
            let twist =
                twist + maps.corner_shift[slot.index()] + 3 - maps.corner_shift[cubie.index()];
            let image = Corner::ALL[usize::from(maps.corners[cubie.index()])];
            conjugate.0[usize::from(maps.corners[slot.index()])] = (image.tetrad(), twist % 3);
        }
        conjugate
    }
}

const fn has_four_bits(mask: usize) -> bool {
    mask.count_ones() == 4
}

/// For each set of slots, a bit a slot: its rank among the sets of four slots; 0 for other sets.
static TETRAD_RANKS: [u8; 256] = {
    let mut ranks = [0; 256];
    let mut mask = 0;
    let mut rank = 0;
    while mask < 256 {
        if has_four_bits(mask) {
            ranks[mask] = rank;
            rank += 1;
        }
        mask += 1;
    }
    ranks
};

/// The classes of corner paintings under the 48 symmetries.
///
/// Classes are numbered in the order of their representatives, which are their lowest raw
/// coordinates.
pub struct CornerClasses {
    /// For each raw coordinate: class + 2¹⁶ · (the symmetry that carries it to the representative).
    class_and_symmetry: Vec<u32>,
    /// The raw coordinate of the representative of each class.
    representatives: Vec<u32>,
    /// The symmetries that fix the representative of each class.
    stabilizers: Vec<Vec<Symmetry>>,
}

impl CornerClasses {
    /// Number of classes.
    pub const COUNT: usize = 3393;

    /// Returns the classes; computed at the first call, in about a hundredth of a second.
    pub fn get() -> &'static CornerClasses {
        static CLASSES: LazyLock<CornerClasses> = LazyLock::new(CornerClasses::compute);
        &CLASSES
    }

    fn compute() -> CornerClasses {
        const UNCLASSIFIED: u32 = u32::MAX;
        let mut class_and_symmetry = vec![UNCLASSIFIED; CornerPainting::COUNT];
        let mut representatives = Vec::new();
        let mut stabilizers = Vec::new();
        for coordinate in 0..CornerPainting::COUNT as u32 {
            if class_and_symmetry[coordinate as usize] != UNCLASSIFIED {
                continue;
            }
            let painting = CornerPainting::from_coordinate(coordinate);
            let mut stabilizer = Vec::new();
            for s in Symmetry::all() {
                let image = painting.conjugate(s).coordinate();
                if image == coordinate {
                    stabilizer.push(s);
                }
                let entry = &mut class_and_symmetry[image as usize];
                if *entry == UNCLASSIFIED {
                    *entry = representatives.len() as u32 | (s.inverse().index() as u32) << 16;
                }
            }
            representatives.push(coordinate);
            stabilizers.push(stabilizer);
        }
        CornerClasses {
            class_and_symmetry,
            representatives,
            stabilizers,
        }
    }

    /// Returns the class of a raw coordinate, 0 to 3,392, and the symmetry s for which the
    /// conjugate by s is the representative.
    ///
    /// # Panics
    ///
    /// Panics if `coordinate` is 153,090 or more.
    pub fn classify(&self, coordinate: u32) -> (u32, Symmetry) {
        let entry = self.class_and_symmetry[coordinate as usize];
        (entry & 0xffff, Symmetry::from_index((entry >> 16) as usize))
    }

    /// Returns the lowest raw coordinate of a class.
    ///
    /// # Panics
    ///
    /// Panics if `class` is 3,393 or more.
    pub fn representative(&self, class: u32) -> u32 {
        self.representatives[class as usize]
    }

    /// Returns the symmetries that fix the representative of a class.
    ///
    /// # Panics
    ///
    /// Panics if `class` is 3,393 or more.
    pub fn stabilizer(&self, class: u32) -> &[Symmetry] {
        &self.stabilizers[class as usize]
    }
}

/// For each raw coordinate, the coordinate after each move: 11 MB, needed to generate a table, not
/// to search.
pub(crate) struct CornerMoves(Vec<[u32; Move::COUNT]>);

impl CornerMoves {
    /// Returns the table; computed at the first call, in about a tenth of a second.
    pub fn get() -> &'static CornerMoves {
        static MOVES: LazyLock<CornerMoves> = LazyLock::new(|| {
            let paintings = (0..CornerPainting::COUNT as u32).map(CornerPainting::from_coordinate);
            CornerMoves(
                paintings
                    .map(|painting| Move::ALL.map(|m| painting.turned(m).coordinate()))
                    .collect(),
            )
        });
        &MOVES
    }

    pub fn turned(&self, coordinate: u32, m: Move) -> u32 {
        self.0[coordinate as usize][m.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_a_bijection_and_classes_are_orbits() {
        let classes = CornerClasses::get();
        assert_eq!(classes.representatives.len(), CornerClasses::COUNT);
        let orbit_sizes = classes.stabilizers.iter().map(|group| 48 / group.len());
        assert_eq!(orbit_sizes.sum::<usize>(), CornerPainting::COUNT);
        for coordinate in 0..CornerPainting::COUNT as u32 {
            let painting = CornerPainting::from_coordinate(coordinate);
            assert_eq!(painting.coordinate(), coordinate);
            let (class, s) = classes.classify(coordinate);
            let image = painting.conjugate(s).coordinate();
            assert_eq!(image, classes.representative(class));
        }
    }
}

//! Tables of constants for the kernels, laid out for their byte shuffles.

use crate::coord::{
    CornerClasses, CornerPainting, EdgeMap, EdgePainting, FLIPPED, PlacementRanks,
    edge_conjugations, placement_ranks,
};
use crate::cube::{Corner, Cube, Edge, Face, Move, Symmetry, Turn};
use std::sync::LazyLock;

/// Number of twists of seven corners. The corner index of a painting is TWISTS · (the slots 0 to 6
/// that tetrad 1 fills, a bit each) + (the twists of the slots 0 to 6 as digits to the base three),
/// below 279,936. Unlike [`CornerPainting::coordinate`], the index contains a set itself, not its
/// rank among the 70 of the 128 sets that occur.
pub(super) const TWISTS: u64 = 2187;
/// Number of sets of the slots 0 to 6.
const SETS: usize = 1 << 7;

#[repr(C, align(64))]
pub(super) struct KernelTables {
    /// For each face f (two are padding) and cubie c: tetrad + 16 · twist of the cubie that f⁻¹
    /// carries to slot c.
    pub other_side_corners: [[u8; 8]; 8],
    /// For each face f (two are padding) and cubie c: the painting ([`EdgePainting::nibble`]) of
    /// the cubie that f⁻¹ carries to slot c.
    pub other_side_edges: [[u8; 16]; 8],
    /// For each set of six places, the number of the byte of a list that
    /// [`Kernel::expand`](super::Kernel::expand) moves to each place; 0xff for places outside the
    /// set.
    expanded_from: [[u8; 8]; 64],
    /// The slice of each edge, one bit.
    pub slices: [u8; 16],
    /// The tetrad of each corner.
    pub tetrads: [u8; 16],
    /// By corner index; 1.1 MB.
    pub classes: Vec<CornerClass>,
    /// The 48 conjugations of edges.
    pub maps: &'static [EdgeMap; Symmetry::COUNT],
    pub ranks: &'static PlacementRanks,
}

/// The class of a corner index, the symmetry that carries it to the representative, and the flips
/// that this symmetry adds to the edge slots ([`BitGather::flips`]). From the lowest bit on: 3
/// zeros, 6 bits of the symmetry, 11 bits of flips (a layout keeps nine at most), 12 bits of the
/// class.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct CornerClass(pub u32);

impl CornerClass {
    const SYMMETRY_SHIFT: u32 = 3;
    pub const FLIPS_SHIFT: u32 = 9;
    pub const CLASS_SHIFT: u32 = 20;

    #[inline(always)]
    pub fn class(self) -> u32 {
        self.0 >> CornerClass::CLASS_SHIFT
    }

    #[inline(always)]
    pub fn symmetry(self) -> usize {
        (self.0 >> CornerClass::SYMMETRY_SHIFT & 63) as usize
    }

    /// Returns eight times the number of the symmetry: a mask is enough, without a shift.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub fn eight_symmetries(self) -> usize {
        (self.0 & 63 << CornerClass::SYMMETRY_SHIFT) as usize
    }
}

impl KernelTables {
    pub fn get() -> &'static KernelTables {
        static TABLES: LazyLock<KernelTables> = LazyLock::new(KernelTables::compute);
        &TABLES
    }

    /// Returns for each of eight places the number of the byte that `expand` moves there; 0xff if
    /// the place is not in `set`.
    #[inline(always)]
    pub fn expanded_from(&self, set: u32) -> [u8; 8] {
        self.expanded_from[set as usize % 64]
    }

    /// Returns the class, symmetry and flips of a corner index.
    ///
    /// # Safety
    /// The corner index must have come from a kernel, or be zero.
    #[inline(always)]
    pub unsafe fn class(&self, corners: u64) -> CornerClass {
        debug_assert!((corners as usize) < self.classes.len());
        // SAFETY: a corner index is below 2⁷ · 2187, the length of the list.
        unsafe { *self.classes.get_unchecked(corners as usize) }
    }

    fn compute() -> KernelTables {
        let maps = edge_conjugations();
        let mut tables = KernelTables {
            other_side_corners: [[0; 8]; 8],
            other_side_edges: [[0; 16]; 8],
            expanded_from: std::array::from_fn(|set| {
                let is_in = |i: usize| set >> i & 1 == 1;
                std::array::from_fn(|i| {
                    if is_in(i) {
                        (0..i).filter(|&i| is_in(i)).count() as u8
                    } else {
                        0xff
                    }
                })
            }),
            slices: [0; 16],
            tetrads: [0; 16],
            classes: vec![CornerClass(0); SETS * TWISTS as usize],
            maps,
            ranks: placement_ranks(),
        };
        for slot in Edge::ALL {
            tables.slices[slot.index()] = EdgePainting::nibble(slot.slice(), 0);
        }
        for slot in Corner::ALL {
            tables.tetrads[slot.index()] = slot.tetrad();
        }
        for face in Face::ALL {
            let inverse = Cube::from_move(Move::new(face, Turn::Counterclockwise));
            for slot in Edge::ALL {
                let (cubie, flip) = inverse.edge(slot);
                tables.other_side_edges[face.index()][slot.index()] =
                    EdgePainting::nibble(cubie.slice(), flip);
            }
            for slot in Corner::ALL {
                let (cubie, twist) = inverse.corner(slot);
                tables.other_side_corners[face.index()][slot.index()] = cubie.tetrad() + 16 * twist;
            }
        }
        // Miri would number the classes for hours, and the test that it runs does not read them.
        let coordinates = if cfg!(miri) {
            0
        } else {
            CornerPainting::COUNT as u32
        };
        for coordinate in 0..coordinates {
            let (class, s) = CornerClasses::get().classify(coordinate);
            let set = CornerPainting::from_coordinate(coordinate).tetrad_slots() as usize % SETS;
            let index = set * TWISTS as usize + coordinate as usize % TWISTS as usize;
            let flips = BitGather::of(&maps[s.index()]).flips;
            tables.classes[index] = CornerClass(
                (u32::from(flips) & 0x7ff) << CornerClass::FLIPS_SHIFT
                    | (s.index() as u32) << CornerClass::SYMMETRY_SHIFT
                    | class << CornerClass::CLASS_SHIFT,
            );
        }
        tables
    }
}

/// An [`EdgeMap`] for a processor that can pick any 64 bits out of a painting.
///
/// The result has four parts of sixteen bits, a bit for each slot: the slots of slice 1, the slots
/// of slice 2, the flips, and the flips to add because the map flips a slice. The last four bits of
/// each part are zero.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct BitGather {
    /// For each bit of the result the number of the bit that is picked.
    pub bits: [u8; 64],
    /// Further flips to be added to the slots.
    pub flips: u16,
}

/// A bit of a painting that is always zero.
const ZERO: u8 = 63;
const FLIP_BIT: u8 = FLIPPED.trailing_zeros() as u8;

impl BitGather {
    /// Returns for each part of the result the bit of a slot's nibble that is picked (zeros if
    /// `None`), and the flips to add to all slots.
    pub fn picked_bits(map: &EdgeMap) -> ([Option<u8>; 4], u16) {
        let relabeled =
            [0, 1, 2].map(|slice| map.relabel[usize::from(EdgePainting::nibble(slice, 0))]);
        let old_slice = |new: u8| {
            relabeled
                .iter()
                .position(|label| label & 0x7f == 1 << new)
                .map(|slice| slice as u8)
        };
        let flipped = [0, 1, 2].map(|slice| relabeled[usize::from(slice as u8)] >> 7 == 1);
        let slice_with = |is_flipped: bool| {
            flipped
                .iter()
                .position(|&flipped| flipped == is_flipped)
                .map(|slice| slice as u8)
        };
        // Two flipped slices are all slices, except one that is flipped back.
        let (added, added_to_all) = match flipped.iter().filter(|&&flipped| flipped).count() {
            0 => (None, 0),
            1 => (slice_with(true), 0),
            2 => (slice_with(false), 0xfff),
            _ => (None, 0xfff),
        };
        (
            [old_slice(1), old_slice(2), Some(FLIP_BIT), added],
            added_to_all,
        )
    }

    pub fn of(map: &EdgeMap) -> BitGather {
        let (picked, added_to_all) = BitGather::picked_bits(map);
        let mut bits = [ZERO; 64];
        for (part, bit) in picked.into_iter().enumerate() {
            for slot in 0..12 {
                bits[16 * part + slot] = bit.map_or(ZERO, |bit| 4 * map.from[slot] + bit);
            }
        }
        let flips: u16 = (0..12)
            .map(|slot| u16::from(map.flips[slot] >> 7) << slot)
            .sum();
        BitGather {
            bits,
            flips: flips ^ added_to_all,
        }
    }
}

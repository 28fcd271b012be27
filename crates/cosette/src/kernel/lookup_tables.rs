//! Constants of the kernels, as the bytes their shuffles need.

use crate::coord::{
    CornerClasses, CornerPainting, EdgeMap, EdgePainting, FLIPPED, PlacementRanks,
    edge_conjugations, placement_ranks,
};
use crate::cube::{Corner, Cube, Edge, Face, Move, Symmetry, Turn};
use std::sync::LazyLock;

/// The corner index of a painting: TWISTS · (the slots 0 to 6 that tetrad 1 fills, by their bits) +
/// (the twists of the same slots as digits to the base three), below 279,936. Unlike
/// [`CornerPainting::coordinate`] it does not rank the sets, of which 70 of 128 occur.
pub(super) const TWISTS: u64 = 2187;
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
    /// [`Kernel::expand`](super::Kernel::expand) moves to each place; 0xff for the others.
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

/// The class of a corner index, the symmetry that brings it to the representative, and the flips
/// which that symmetry adds to the slots of the edges, in a [`BitGather`]: from the lowest bit 3
/// zeros, 6 bits of the symmetry, 11 of flips (a layout keeps nine at most), 12 of the class.
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

    /// Eight times the symmetry, which one "and" gives.
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

    /// Returns for each of eight places the number of the byte of a list that comes there; 0xff if
    /// the place is not in `set`.
    #[inline(always)]
    pub fn expanded_from(&self, set: u32) -> [u8; 8] {
        self.expanded_from[set as usize % 64]
    }

    /// The class and symmetry of these corners.
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

/// An [`EdgeMap`] for a processor that can pick any 64 bits out of a painting: which bit each bit
/// of the result is.
///
/// The result is four times sixteen bits: the slots of slice 1, those of slice 2, the flips, and
/// what must be added to the flips because the map flips a slice; four bits of each are zero.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct BitGather {
    pub bits: [u8; 64],
    /// Further flips to be added to the slots.
    pub flips: u16,
}

/// A bit of a painting that is always zero.
const ZERO: u8 = 63;
const FLIP_BIT: u8 = FLIPPED.trailing_zeros() as u8;

impl BitGather {
    /// The bits of each slot that the four results are picked from, and the flips to add to all
    /// slots.
    pub fn picked_bits(map: &EdgeMap) -> ([Option<u8>; 4], u16) {
        let relabeled =
            [0, 1, 2].map(|slice| map.relabel[usize::from(EdgePainting::nibble(slice, 0))]);
        let old = |new: u8| {
            relabeled
                .iter()
                .position(|label| label & 0x7f == 1 << new)
                .map(|slice| slice as u8)
        };
        let flipped = [0, 1, 2].map(|slice| relabeled[usize::from(slice as u8)] >> 7 == 1);
        let one = |wanted: bool| {
            flipped
                .iter()
                .position(|&flipped| flipped == wanted)
                .map(|slice| slice as u8)
        };
        let (added, all) = match flipped.iter().filter(|&&flipped| flipped).count() {
            0 => (None, 0),
            1 => (one(true), 0),
            2 => (one(false), 0xfff),
            _ => (None, 0xfff),
        };
        ([old(1), old(2), Some(FLIP_BIT), added], all)
    }

    pub fn of(map: &EdgeMap) -> BitGather {
        let (picked, all) = BitGather::picked_bits(map);
        let mut bits = [ZERO; 64];
        for (quarter, bit) in picked.into_iter().enumerate() {
            for slot in 0..12 {
                bits[16 * quarter + slot] = bit.map_or(ZERO, |bit| 4 * map.from[slot] + bit);
            }
        }
        let flips: u16 = (0..12)
            .map(|slot| u16::from(map.flips[slot] >> 7) << slot)
            .sum();
        BitGather {
            bits,
            flips: flips ^ all,
        }
    }
}

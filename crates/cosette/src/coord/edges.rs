//! The painting of the edges: where the slices are, and the flips.

use crate::cube::{CUBIE, Cube, Edge, FLIP, Move, Symmetry};
use std::sync::LazyLock;

/// How many placements of the three slices there are: 12!/4!³.
pub const PLACEMENTS: usize = 34_650;

/// The painting of the edges: for each slot the slice (0 to 2) of the cubie there and its flip.
///
/// A byte a slot, slice + 4 · flip, and four bytes of padding that stay zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C, align(16))]
pub struct EdgePainting(pub(crate) [u8; 16]);

pub(crate) const FLIPPED: u8 = 4;

impl EdgePainting {
    /// The painting of a position.
    pub fn of(cube: &Cube) -> EdgePainting {
        let mut painting = EdgePainting([0; 16]);
        for (slot, &byte) in cube.edge_bytes()[..12].iter().enumerate() {
            let cubie = Edge::ALL[usize::from(byte & CUBIE)];
            painting.0[slot] = cubie.slice() + byte / FLIP * FLIPPED;
        }
        painting
    }

    /// The painting after a move: that of p·m for any p with this painting.
    #[must_use]
    pub fn turned(&self, m: Move) -> EdgePainting {
        let mut turned = *self;
        for slot in Edge::ALL {
            let (from, flip) = Cube::of_move(m).edge(slot);
            turned.0[slot.index()] = self.0[from.index()] ^ (flip * FLIPPED);
        }
        turned
    }

    /// The conjugate by a symmetry: the painting of s⁻¹·p·s for any p with this painting.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> EdgePainting {
        edge_conjugations()[s.index()].apply(self)
    }

    /// Where the slices are, 0 to 34,649.
    pub fn placement(&self) -> u32 {
        let plane = |bit: u8| (0..12).map(|slot| u32::from(self.0[slot] >> bit & 1) << slot).sum::<u32>();
        placement_ranks().rank(plane(0), plane(1))
    }

    /// The flips of all twelve slots, bit i for slot i.
    pub fn flips(&self) -> u32 {
        (0..12).map(|slot| u32::from(self.0[slot] / FLIPPED) << slot).sum()
    }

    /// The painting as a number below 2⁴⁸, a nibble a slot.
    pub(crate) fn to_bits(self) -> u64 {
        self.0[..12].iter().rev().fold(0, |bits, &byte| bits << 4 | u64::from(byte))
    }

    /// The painting that [`Self::to_bits`] made this number of.
    pub(crate) fn from_bits(bits: u64) -> EdgePainting {
        let mut painting = EdgePainting([0; 16]);
        for (slot, byte) in painting.0[..12].iter_mut().enumerate() {
            *byte = (bits >> (4 * slot) & 0xf) as u8;
        }
        painting
    }
}

/// Ranks the placements of the slices in two halves: slots 0 to 5 and slots 6 to 11.
///
/// The placements are listed by how many edges of each slice the left half holds; for each such profile, the rank is
/// (start of the profile) + (rank of the left half) · (number of right halves) + (rank of the right half). The first two
/// terms depend on the left half alone, so a rank is the sum of two loads.
///
/// A half is looked up by twelve bits: six that mark slice 1 and six that mark slice 2.
pub(crate) struct PlacementRanks {
    pub left: [u16; 4096],
    pub right: [u16; 4096],
}

impl PlacementRanks {
    /// The rank of the placement in which the slots of slice 1 and of slice 2 are those of the given bits.
    #[inline(always)]
    pub fn rank(&self, slice_1: u32, slice_2: u32) -> u32 {
        let left = (slice_1 & 63) | (slice_2 & 63) << 6;
        let right = (slice_1 >> 6 & 63) | (slice_2 >> 6 & 63) << 6;
        u32::from(self.left[left as usize]) + u32::from(self.right[right as usize])
    }

    fn compute() -> PlacementRanks {
        let mut ranks = PlacementRanks { left: [0; 4096], right: [0; 4096] };
        let mut start = 0;
        for (ones, twos) in (0..5).flat_map(|ones| (0..5).map(move |twos| (ones, twos))) {
            let halves = |ones: u32, twos: u32| {
                (0..4096u32).filter(move |half| {
                    half & half >> 6 & 63 == 0 && (half & 63).count_ones() == ones && (half >> 6).count_ones() == twos
                })
            };
            // The other half holds what is missing to four of each slice.
            let right_halves = || halves(4 - ones, 4 - twos).filter(|_| (2..=6).contains(&(ones + twos)));
            let count = right_halves().count() as u16;
            for (rank, half) in right_halves().enumerate() {
                ranks.right[half as usize] = rank as u16;
            }
            if count > 0 {
                for half in halves(ones, twos) {
                    ranks.left[half as usize] = start;
                    start += count;
                }
            }
        }
        assert_eq!(usize::from(start), PLACEMENTS);
        ranks
    }
}

pub(crate) fn placement_ranks() -> &'static PlacementRanks {
    static RANKS: LazyLock<PlacementRanks> = LazyLock::new(PlacementRanks::compute);
    &RANKS
}

/// What conjugation by a symmetry, moves after it, or both do to the painting of the edges: two shuffles and an exclusive
/// or.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct EdgeMap {
    /// The slot that each slot gets its edge from.
    pub from: [u8; 16],
    /// The new byte for each old one, 0 to 7. (It may fill the padding, whose bytes nobody reads.)
    pub relabel: [u8; 16],
    /// The flips of the slots, added at the end.
    pub flips: [u8; 16],
}

impl EdgeMap {
    /// The map followed by the moves of `next`: of a painting H·p it makes that of p, mapped, then `next`.
    pub fn then(&self, next: &Cube) -> EdgeMap {
        let mut map = *self;
        for slot in Edge::ALL {
            let (from, flip) = next.edge(slot);
            map.from[slot.index()] = self.from[from.index()];
            map.flips[slot.index()] = self.flips[from.index()] ^ (flip * FLIPPED);
        }
        map
    }

    /// The mapped painting, slot by slot.
    pub fn apply(&self, painting: &EdgePainting) -> EdgePainting {
        let mut conjugate = EdgePainting([0; 16]);
        for slot in 0..12 {
            let before = painting.0[usize::from(self.from[slot])];
            conjugate.0[slot] = self.relabel[usize::from(before)] ^ self.flips[slot];
        }
        conjugate
    }

    fn of(s: Symmetry) -> EdgeMap {
        let maps = s.maps();
        let mut conjugation = EdgeMap { from: [15; 16], relabel: [0; 16], flips: [0; 16] };
        for edge in Edge::ALL {
            let (image, shift) = (maps.edges[edge.index()], maps.edge_shift[edge.index()]);
            conjugation.from[usize::from(image)] = edge as u8;
            conjugation.flips[usize::from(image)] = shift * FLIPPED;
            // The shift of an edge is that of its slice, so each slice is written four times alike.
            let image_slice = Edge::ALL[usize::from(image)].slice();
            for flip in [0, FLIPPED] {
                let new = image_slice + (flip ^ (shift * FLIPPED));
                conjugation.relabel[usize::from(edge.slice() + flip)] = new;
            }
        }
        conjugation
    }
}

/// The 48 conjugations, by the number of the symmetry.
pub(crate) fn edge_conjugations() -> &'static [EdgeMap; Symmetry::COUNT] {
    static CONJUGATIONS: LazyLock<[EdgeMap; Symmetry::COUNT]> =
        LazyLock::new(|| std::array::from_fn(|s| EdgeMap::of(Symmetry::from_index(s))));
    &CONJUGATIONS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;

    #[test]
    fn paintings_follow_moves_and_symmetries() {
        for p in random_positions(3).take(200) {
            let painting = EdgePainting::of(&p);
            assert_eq!(EdgePainting::from_bits(painting.to_bits()), painting);
            for m in Move::ALL {
                assert_eq!(painting.turned(m), EdgePainting::of(&p.turned(m)));
            }
            for s in Symmetry::all() {
                assert_eq!(painting.conjugate(s), EdgePainting::of(&p.conjugate(s)));
            }
        }
    }

    #[test]
    fn placements_are_ranked_without_gaps() {
        let mut seen = vec![false; PLACEMENTS];
        for ones in (0..4096u32).filter(|set| set.count_ones() == 4) {
            for twos in (0..4096u32).filter(|set| set.count_ones() == 4 && set & ones == 0) {
                let rank = placement_ranks().rank(ones, twos) as usize;
                assert!(!std::mem::replace(&mut seen[rank], true), "rank {rank} stands for two placements");
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}

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
        let half = |slots: &[u8]| slots.iter().rev().fold(0, |sum, byte| 3 * sum + u32::from(byte % FLIPPED));
        placement_ranks().rank(half(&self.0[..6]), half(&self.0[6..12]))
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
/// A half is looked up by its six slices as digits to the base three, the first slot lowest.
pub(crate) struct PlacementRanks {
    pub left: [u16; HALVES],
    pub right: [u16; HALVES],
}

const HALVES: usize = 729;

impl PlacementRanks {
    /// The rank of the placement with these halves.
    #[inline(always)]
    pub fn rank(&self, left: u32, right: u32) -> u32 {
        u32::from(self.left[left as usize]) + u32::from(self.right[right as usize])
    }

    /// [`Self::rank`] without a look at the bounds.
    ///
    /// # Safety
    /// Both halves must be below 729.
    #[inline(always)]
    pub unsafe fn rank_unchecked(&self, left: u32, right: u32) -> u32 {
        debug_assert!(left < HALVES as u32 && right < HALVES as u32);
        // SAFETY: by the contract of this function.
        unsafe {
            u32::from(*self.left.get_unchecked(left as usize)) + u32::from(*self.right.get_unchecked(right as usize))
        }
    }

    fn compute() -> PlacementRanks {
        let mut ranks = PlacementRanks { left: [0; HALVES], right: [0; HALVES] };
        let mut start = 0;
        for left_profile in (0..5).flat_map(|ones| (0..5).map(move |twos| (ones, twos))) {
            let halves = |profile| (0..HALVES).filter(move |&half| profile_of(half) == profile);
            // The other half holds what is missing to four of each slice.
            let right_profile = (4 - left_profile.0, 4 - left_profile.1);
            let count = halves(right_profile).count() as u16;
            for (rank, half) in halves(right_profile).enumerate() {
                ranks.right[half] = rank as u16;
            }
            if count > 0 {
                for half in halves(left_profile) {
                    ranks.left[half] = start;
                    start += count;
                }
            }
        }
        assert_eq!(usize::from(start), PLACEMENTS);
        ranks
    }
}

/// How many of the six slots of a half hold slice 1 and slice 2.
fn profile_of(half: usize) -> (usize, usize) {
    let digits = || (0..6).map(|slot| half / 3usize.pow(slot) % 3);
    (digits().filter(|&slice| slice == 1).count(), digits().filter(|&slice| slice == 2).count())
}

pub(crate) fn placement_ranks() -> &'static PlacementRanks {
    static RANKS: LazyLock<PlacementRanks> = LazyLock::new(PlacementRanks::compute);
    &RANKS
}

/// What conjugation by a symmetry, moves after it, or both do to the painting of the edges: two shuffles and an exclusive
/// or.
///
/// The mapped painting is laid out for the kernels: slot i in byte i + 2, with the flip in the top bit, so that each half
/// fills three of the four pairs of bytes of its eight, and the flips are twelve neighbouring bits of a mask.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct EdgeMap {
    /// The slot that each byte gets its edge from; past the ends the top bit is set, which a byte shuffle reads as zero.
    pub from: [u8; 16],
    /// For each old byte, 0 to 7, the new slice, and the flip in the top bit.
    pub relabel: [u8; 16],
    /// The flips of the slots, in the top bit, added at the end.
    pub flips: [u8; 16],
}

/// Where slot 0 lies in a mapped painting.
pub(crate) const FIRST_SLOT: usize = 2;
/// The flip in a mapped painting.
pub(crate) const MAPPED_FLIP: u8 = 0x80;

impl EdgeMap {
    /// The map followed by the moves of `next`: of a painting H·p it makes that of p, mapped, then `next`.
    pub fn then(&self, next: &Cube) -> EdgeMap {
        let mut map = *self;
        for slot in Edge::ALL {
            let (from, flip) = next.edge(slot);
            let (to, from) = (FIRST_SLOT + slot.index(), FIRST_SLOT + from.index());
            map.from[to] = self.from[from];
            map.flips[to] = self.flips[from] ^ (flip * MAPPED_FLIP);
        }
        map
    }

    /// The mapped painting in the usual layout, slot by slot.
    pub fn apply(&self, painting: &EdgePainting) -> EdgePainting {
        let mut image = EdgePainting([0; 16]);
        for slot in 0..12 {
            let before = painting.0[usize::from(self.from[FIRST_SLOT + slot])];
            let after = self.relabel[usize::from(before)] ^ self.flips[FIRST_SLOT + slot];
            image.0[slot] = after % MAPPED_FLIP + after / MAPPED_FLIP * FLIPPED;
        }
        image
    }

    /// [`Self::apply`] for a painting given, and wanted, as [`EdgePainting::to_bits`] gives it.
    pub fn apply_to_bits(&self, bits: u64) -> u64 {
        (0..12).fold(0, |image, slot| {
            let before = bits >> (4 * self.from[FIRST_SLOT + slot]) & 7;
            let after = self.relabel[before as usize] ^ self.flips[FIRST_SLOT + slot];
            image | u64::from(after % MAPPED_FLIP + after / MAPPED_FLIP * FLIPPED) << (4 * slot)
        })
    }

    fn of(s: Symmetry) -> EdgeMap {
        let maps = s.maps();
        let mut map = EdgeMap { from: [0x80; 16], relabel: [0; 16], flips: [0; 16] };
        for edge in Edge::ALL {
            let (image, shift) = (usize::from(maps.edges[edge.index()]), maps.edge_shift[edge.index()]);
            map.from[FIRST_SLOT + image] = edge as u8;
            map.flips[FIRST_SLOT + image] = shift * MAPPED_FLIP;
            // The shift of an edge is that of its slice, so each slice is written four times alike.
            for flip in [0, 1] {
                let new = Edge::ALL[image].slice() + (flip ^ shift) * MAPPED_FLIP;
                map.relabel[usize::from(edge.slice() + flip * FLIPPED)] = new;
            }
        }
        map
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
                let bits = edge_conjugations()[s.index()].apply_to_bits(painting.to_bits());
                assert_eq!(bits, painting.conjugate(s).to_bits());
            }
        }
    }

    #[test]
    fn placements_are_ranked_without_gaps() {
        let mut seen = vec![false; PLACEMENTS];
        for left in 0..HALVES {
            for right in 0..HALVES {
                let [(a, b), (c, d)] = [left, right].map(profile_of);
                if (a + c, b + d) == (4, 4) {
                    let rank = placement_ranks().rank(left as u32, right as u32) as usize;
                    assert!(!std::mem::replace(&mut seen[rank], true), "rank {rank} stands for two placements");
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }
}

//! The painting of the edges: the placement of the slices, and the flips.

use crate::cube::{Cube, Edge, Move, Symmetry};
use std::sync::LazyLock;

/// Number of placements of the three slices: 12!/4!³.
pub const PLACEMENTS: usize = 34_650;

/// The painting of the edges: for each slot the slice (0 to 2) of the cubie there and its flip.
///
/// Each slot has a nibble: one of the bits 0 to 2 is set, that of the slice of the cubie, and bit 3
/// if the cubie is flipped. The sixteen bits past the twelfth slot are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct EdgePainting(pub(crate) u64);

/// The bit of a flipped edge in a nibble, above the bits of the three slices.
pub(crate) const FLIPPED: u8 = 0b1000;

impl EdgePainting {
    /// Returns the nibble of a cubie with this slice and flip.
    pub(crate) fn nibble(slice: u8, flip: u8) -> u8 {
        (1 << slice) | (flip * FLIPPED)
    }

    fn from_nibbles(nibbles: impl Iterator<Item = u8>) -> EdgePainting {
        EdgePainting(
            nibbles
                .enumerate()
                .map(|(slot, nibble)| u64::from(nibble) << (4 * slot))
                .sum(),
        )
    }

    /// Returns the nibble of a slot: one of the bits 0 to 2 for the slice, plus [`FLIPPED`] if the
    /// edge is flipped.
    pub(crate) fn slot(&self, slot: usize) -> u8 {
        (self.0 >> (4 * slot) & 0xf) as u8
    }

    /// Returns the painting of a position.
    pub fn of(cube: &Cube) -> EdgePainting {
        EdgePainting::from_nibbles(Edge::ALL.into_iter().map(|slot| {
            let (cubie, flip) = cube.edge(slot);
            EdgePainting::nibble(cubie.slice(), flip)
        }))
    }

    /// Returns the painting after a move: that of p·m for any p with this painting.
    #[must_use]
    pub fn turned(&self, m: Move) -> EdgePainting {
        EdgePainting::from_nibbles(Edge::ALL.into_iter().map(|slot| {
            let (from, flip) = Cube::from_move(m).edge(slot);
            self.slot(from.index()) ^ (flip * FLIPPED)
        }))
    }

    /// Returns the conjugate by a symmetry: the painting of s⁻¹·p·s for any p with this painting.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> EdgePainting {
        edge_conjugations()[s.index()].apply(self)
    }

    /// Returns the slots whose nibble has `bit`, one bit a slot.
    fn slots_with(&self, bit: u8) -> u32 {
        let mut slots = self.0 >> bit.trailing_zeros() & 0x1111_1111_1111;
        // Moves bit 4 · i to bit i, in four steps of doubling distance.
        for (shift, mask) in [
            (3, 0x0303_0303_0303),
            (6, 0x000f_000f_000f),
            (12, 0x00ff_0000_00ff),
            (24, 0xffff),
        ] {
            slots = (slots | slots >> shift) & mask;
        }
        slots as u32
    }

    /// Returns the placement of the slices, 0 to 34,649.
    pub fn placement(&self) -> u32 {
        placement_ranks().rank(self.slots_with(1 << 1), self.slots_with(1 << 2))
    }

    /// Returns the flips of all twelve slots, bit i for slot i.
    pub fn flips(&self) -> u32 {
        self.slots_with(FLIPPED)
    }
}

/// Ranks the placements of the slices: 70 · (rank of the slots that slice 1 fills) + (rank of the
/// slots that slice 2 fills among the other eight).
pub(crate) struct PlacementRanks {
    /// For each set of the twelve slots, a bit a slot: 70 times its rank among the sets of four; 0
    /// for other sets.
    pub ones: [u16; 1 << 12],
    /// For each set of eight slots, a bit a slot: its rank among the sets of four; 0 for other
    /// sets.
    pub twos: [u8; 1 << 8],
    /// For the first and the last six slots, at 64 · (those of slice 1) + (those of slice 2): the
    /// term of the rank. It does not depend on the other six, as they hold what is missing of each
    /// slice; 0 for sets in no placement.
    halves: [[u16; 1 << 12]; 2],
}

impl PlacementRanks {
    /// Returns the rank of the placement in which slices 1 and 2 fill these slots, one bit a slot.
    #[inline(always)]
    pub fn rank(&self, ones: u32, twos: u32) -> u32 {
        let indices = half_indices(ones, twos);
        u32::from(self.halves[0][indices[0]]) + u32::from(self.halves[1][indices[1]])
    }

    /// Returns the rank of a placement; `others` are the slots of slice 2, numbered among those
    /// that slice 1 does not fill. For any bits, the rank is less than [`PLACEMENTS`]: at most 70 ·
    /// 494 + 69 = 34,649.
    #[inline(always)]
    pub fn rank_of_others(&self, ones: u32, others: u32) -> u32 {
        u32::from(self.ones[ones as usize % self.ones.len()])
            + u32::from(self.twos[others as usize % self.twos.len()])
    }

    fn compute() -> PlacementRanks {
        let sets_of_four = |slots: u32| (0..1 << slots).filter(|set: &u32| set.count_ones() == 4);
        let mut ranks = PlacementRanks {
            ones: [0; 1 << 12],
            twos: [0; 1 << 8],
            halves: [[0; 1 << 12]; 2],
        };
        let ranks_of_slice_2 = sets_of_four(8).count() as u16;
        for (rank, set) in sets_of_four(12).enumerate() {
            ranks.ones[set as usize] = ranks_of_slice_2 * rank as u16;
        }
        for (rank, set) in sets_of_four(8).enumerate() {
            ranks.twos[set as usize] = rank as u8;
        }
        // In the order of ranks, the term of the last six slots is the rank of the first placement
        // with them.
        let mut is_known = [false; 1 << 12];
        for ones in sets_of_four(12) {
            for others in sets_of_four(8) {
                let free_slots = (0..12).filter(|slot| ones >> slot & 1 == 0);
                let twos = free_slots
                    .enumerate()
                    .map(|(number, slot)| (others >> number & 1) << slot)
                    .sum();
                let rank = ranks.rank_of_others(ones, others) as u16;
                let [first, last] = half_indices(ones, twos);
                if !std::mem::replace(&mut is_known[last], true) {
                    ranks.halves[1][last] = rank;
                }
                ranks.halves[0][first] = rank - ranks.halves[1][last];
            }
        }
        ranks
    }
}

/// Returns the indices of the first and the last six slots in [`PlacementRanks::halves`].
#[inline(always)]
fn half_indices(ones: u32, twos: u32) -> [usize; 2] {
    [0, 6].map(|shift| ((ones >> shift & 63) << 6 | twos >> shift & 63) as usize)
}

pub(crate) fn placement_ranks() -> &'static PlacementRanks {
    static RANKS: LazyLock<PlacementRanks> = LazyLock::new(PlacementRanks::compute);
    &RANKS
}

/// The effect of a conjugation by a symmetry, possibly followed by moves, on the painting of the
/// edges. Each slot gets the edge of another slot, which is relabeled with a new slice and flip and
/// then possibly flipped once more.
#[repr(C, align(16))]
#[derive(Clone, Copy)]
pub(crate) struct EdgeMap {
    /// The slot that each slot gets its edge from. Past the twelfth slot, the top bit is set: a
    /// byte shuffle then gives zero.
    pub from: [u8; 16],
    /// For each old nibble the new label: bit 1 for slice 1, bit 2 for slice 2, neither for slice
    /// 0, and bit 7 for the flip.
    pub relabel: [u8; 16],
    /// For each slot the flip that is added at the end, in bit 7.
    pub flips: [u8; 16],
}

/// The bit of the flip in a label.
pub(crate) const MAPPED_FLIP: u8 = 0x80;

impl EdgeMap {
    /// Returns this map followed by the moves that give the position `next`.
    pub fn then(&self, next: &Cube) -> EdgeMap {
        let mut map = *self;
        for slot in Edge::ALL {
            let (from, flip) = next.edge(slot);
            map.from[slot.index()] = self.from[from.index()];
            map.flips[slot.index()] = self.flips[from.index()] ^ (flip * MAPPED_FLIP);
        }
        map
    }

    /// Returns the nibble of a slot whose edge had the nibble `before`.
    fn nibble(&self, slot: usize, before: usize) -> u8 {
        let after = self.relabel[before] ^ self.flips[slot];
        EdgePainting::nibble((after & !MAPPED_FLIP) / 2, after / MAPPED_FLIP)
    }

    pub fn apply(&self, painting: &EdgePainting) -> EdgePainting {
        EdgePainting::from_nibbles((0..12).map(|slot| {
            let before = painting.slot(usize::from(self.from[slot]));
            self.nibble(slot, usize::from(before))
        }))
    }

    /// Applies the map to many paintings: looks up the image of each nibble of each slot.
    pub fn apply_to_all(&self, paintings: &[EdgePainting]) -> impl Iterator<Item = EdgePainting> {
        let mut images = [[0; 16]; 12];
        for slot in 0..12 {
            for (before, image) in images[usize::from(self.from[slot])].iter_mut().enumerate() {
                *image = u64::from(self.nibble(slot, before)) << (4 * slot);
            }
        }
        paintings.iter().map(move |painting| {
            let images = images.iter().enumerate();
            EdgePainting(
                images
                    .map(|(slot, images)| images[usize::from(painting.slot(slot))])
                    .sum(),
            )
        })
    }

    fn of(s: Symmetry) -> EdgeMap {
        let maps = s.maps();
        let mut map = EdgeMap {
            from: [0x80; 16],
            relabel: [0; 16],
            flips: [0; 16],
        };
        for edge in Edge::ALL {
            let image = usize::from(maps.edges[edge.index()]);
            let shift = maps.edge_shift[edge.index()];
            map.from[image] = edge as u8;
            map.flips[image] = shift * MAPPED_FLIP;
            // All edges of a slice have the same shift, so the same values are written four times
            // for each slice.
            for flip in [0, 1] {
                let slice = EdgePainting::nibble(Edge::ALL[image].slice(), 0) & !1;
                let new = slice | ((flip ^ shift) * MAPPED_FLIP);
                map.relabel[usize::from(EdgePainting::nibble(edge.slice(), flip))] = new;
            }
        }
        map
    }
}

/// Returns the maps of the 48 conjugations, by the number of the symmetry.
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
        for p in random_positions(3).take(if cfg!(miri) { 1 } else { 200 }) {
            let painting = EdgePainting::of(&p);
            for m in Move::ALL {
                assert_eq!(painting.turned(m), EdgePainting::of(&p.apply(m)));
            }
            for s in Symmetry::all() {
                assert_eq!(painting.conjugate(s), EdgePainting::of(&p.conjugate(s)));
            }
        }
    }

    #[test]
    fn placements_are_ranked_without_gaps() {
        let ranks = placement_ranks();
        let mut is_used = vec![false; PLACEMENTS];
        let mut max_rank = 0;
        for ones in 0..1u32 << 12 {
            for others in 0..1 << 12 {
                max_rank = max_rank.max(ranks.rank_of_others(ones, others));
            }
        }
        assert_eq!(
            max_rank,
            PLACEMENTS as u32 - 1,
            "no bits have a rank beyond the last"
        );
        let sets = || (0..1u32 << 12).filter(|set| set.count_ones() == 4);
        for ones in sets() {
            for twos in sets().filter(|twos| ones & twos == 0) {
                let others = (0..12).filter(|slot| ones >> slot & 1 == 0);
                let others = others
                    .enumerate()
                    .map(|(number, slot)| (twos >> slot & 1) << number)
                    .sum();
                assert_eq!(ranks.rank(ones, twos), ranks.rank_of_others(ones, others));
                let rank = ranks.rank(ones, twos) as usize;
                assert!(
                    !std::mem::replace(&mut is_used[rank], true),
                    "{rank} is double"
                );
            }
        }
        assert!(is_used.into_iter().all(|is_used| is_used));
    }
}

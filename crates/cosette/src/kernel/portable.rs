//! The kernel in plain Rust: sums of the contributions of each slot.
//!
//! A painting of the edges is one number with a nibble for each slot, and the corner index is a sum
//! over slots. So both are sums of one contribution per slot. It depends only on the byte of the
//! slot and is looked up: for a probe on the other side for all six faces at once, for the probe of
//! a child by the slot that the move brings the piece to. The conjugate of a painting is the sum of
//! the conjugates of its nibbles. These tables take some 100 KB, of which little is used at a time.

use super::lookup_tables::{KernelTables, TWISTS};
use super::operations::{Kernel, LISTED, Queue, TableEntries, Work};
use crate::coord::{EdgeMap, EdgePainting, Layout, MAPPED_FLIP};
use crate::cube::{CUBIE, Corner, Cube, Edge, FLIP, Move, Symmetry, TWIST};
use std::sync::LazyLock;

#[derive(Clone, Copy)]
pub(super) struct Portable {
    tables: &'static KernelTables,
    contributions: &'static Contributions,
}

/// The contributions of slots to paintings, by the bytes of the slots.
struct Contributions {
    /// For each edge slot: the contributions to the paintings of the six faces on the other side.
    other_side_edges: [[[u64; 6]; 32]; 12],
    /// For each corner slot but the last: the contributions to the corner indices of the six faces.
    other_side_corners: [[[u32; 6]; 64]; 7],
    /// The row 2 · slot + flip is for an edge that a move brings to `slot` and flips `flip` times.
    edges: [[u64; 32]; 32],
    /// The row 3 · slot + twist is for a corner that a move brings to `slot` and twists `twist`
    /// times.
    corners: [[u32; 64]; 32],
    /// For each move: the row of `edges` for each edge slot, and the row of `corners` for each
    /// corner slot.
    turns: [([u8; 12], [u8; 8]); Move::COUNT],
    conjugations: [MappedNibbles; Symmetry::COUNT],
}

/// For each slot and nibble of a painting, its image under a map in three sets of slots of sixteen
/// bits each, the lowest first: those of slice 1, those of slice 2, and the flipped ones.
type MappedNibbles = [[u64; 16]; 12];

fn mapped_nibbles(map: &EdgeMap) -> MappedNibbles {
    let mut nibbles = [[0; 16]; 12];
    for slot in 0..12 {
        for (nibble, mapped) in nibbles[usize::from(map.from[slot])].iter_mut().enumerate() {
            let after = map.relabel[nibble] ^ map.flips[slot];
            let bits = [after >> 1 & 1, after >> 2 & 1, after / MAPPED_FLIP];
            *mapped = bits
                .into_iter()
                .zip([0, 16, 32])
                .map(|(bit, shift)| u64::from(bit) << (shift + slot))
                .sum();
        }
    }
    nibbles
}

/// Returns the contribution of a corner slot to the corner index; 0 for the last slot, which the
/// others determine.
fn corner_contribution(slot: usize, tetrad: u8, twist: u8) -> u32 {
    if slot == 7 {
        return 0;
    }
    let set = (TWISTS as u32 * u32::from(tetrad)) << slot;
    set + 3u32.pow(slot as u32) * u32::from(twist % 3)
}

impl Contributions {
    fn get() -> &'static Contributions {
        static CONTRIBUTIONS: LazyLock<Contributions> = LazyLock::new(Contributions::compute);
        &CONTRIBUTIONS
    }

    fn compute() -> Contributions {
        let tables = KernelTables::get();
        let edge_of = |byte: usize| (byte % 16 % 12, (byte / 16) as u8);
        let corner_of = |byte: usize| (byte % 8, (byte / 16 % 3) as u8);
        let placed =
            |slot: usize, nibble: u8, flip: u8| u64::from(nibble ^ flip << 3) << (4 * slot);
        Contributions {
            other_side_edges: std::array::from_fn(|slot| {
                std::array::from_fn(|byte| {
                    let (cubie, flip) = edge_of(byte);
                    std::array::from_fn(|face| {
                        placed(slot, tables.other_side_edges[face][cubie], flip)
                    })
                })
            }),
            other_side_corners: std::array::from_fn(|slot| {
                std::array::from_fn(|byte| {
                    let (cubie, twist) = corner_of(byte);
                    let painted = tables.other_side_corners.map(|paint| paint[cubie]);
                    std::array::from_fn(|face| {
                        corner_contribution(
                            slot,
                            painted[face] & CUBIE,
                            painted[face] / TWIST + twist,
                        )
                    })
                })
            }),
            edges: std::array::from_fn(|row| {
                std::array::from_fn(|byte| {
                    let (cubie, flip) = edge_of(byte);
                    placed(row / 2 % 12, tables.slices[cubie], flip ^ (row % 2) as u8)
                })
            }),
            corners: std::array::from_fn(|row| {
                std::array::from_fn(|byte| {
                    let (cubie, twist) = corner_of(byte);
                    corner_contribution(row / 3 % 8, tables.tetrads[cubie], twist + (row % 3) as u8)
                })
            }),
            turns: Move::ALL.map(|m| {
                let mut edges = [0; 12];
                let mut corners = [0; 8];
                for to in Edge::ALL {
                    let (from, flip) = Cube::from_move(m).edge(to);
                    edges[from.index()] = 2 * to.index() as u8 + flip;
                }
                for to in Corner::ALL {
                    let (from, twist) = Cube::from_move(m).corner(to);
                    corners[from.index()] = 3 * to.index() as u8 + twist;
                }
                (edges, corners)
            }),
            conjugations: tables.maps.each_ref().map(mapped_nibbles),
        }
    }
}

impl Portable {
    pub const NAME: &str = "portable";

    /// Returns the kernel, which any machine can run.
    pub fn detect() -> Option<Portable> {
        Some(Portable {
            tables: KernelTables::get(),
            contributions: Contributions::get(),
        })
    }

    /// Runs a loop.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        work.run(self)
    }

    /// Returns the number of an entry in its class, for a painting and the map of its conjugation.
    #[inline(always)]
    fn offset(self, nibbles: &MappedNibbles, painting: EdgePainting, layout: Layout) -> u32 {
        let mut sets = 0;
        for (slot, mapped) in nibbles.iter().enumerate() {
            sets |= mapped[(painting.0 >> (4 * slot)) as usize & 15];
        }
        let placement = self
            .tables
            .ranks
            .rank(sets as u32 & 0xfff, (sets >> 16) as u32 & 0xfff);
        layout.offset(placement, (sets >> 32) as u32)
    }
}

impl Kernel for Portable {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        a.compose(b)
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        let Contributions {
            other_side_edges,
            other_side_corners,
            ..
        } = self.contributions;
        let mut edges = [0; 6];
        let mut corners = [0; 6];
        for (byte, contributions) in q.edge_bytes().iter().zip(other_side_edges) {
            let contribution = &contributions[usize::from(byte & (FLIP | CUBIE))];
            for face in 0..6 {
                edges[face] |= contribution[face];
            }
        }
        for (byte, contributions) in q.corner_bytes().iter().zip(other_side_corners) {
            let contribution = &contributions[usize::from(byte & 63)];
            for face in 0..6 {
                corners[face] += contribution[face];
            }
        }
        queue.push_some(edges, corners.map(u64::from), faces);
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        let Contributions {
            edges,
            corners,
            turns,
            ..
        } = self.contributions;
        let (edge_rows, corner_rows) = &turns[m.index()];
        let mut painted = 0;
        let mut coordinate = 0;
        for (byte, row) in p.edge_bytes().iter().zip(edge_rows) {
            painted |= edges[usize::from(row & 31)][usize::from(byte & (FLIP | CUBIE))];
        }
        for (byte, row) in p.corner_bytes().iter().zip(corner_rows) {
            coordinate += corners[usize::from(row & 31)][usize::from(byte & 63)];
        }
        queue.push(EdgePainting(painted), coordinate.into());
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>) {
        let Queue {
            edges,
            corners,
            addresses,
            length,
            ..
        } = queue;
        for i in 0..*length {
            let class = self.tables.classes[corners[i] as usize];
            let nibbles = &self.contributions.conjugations[class.symmetry()];
            addresses[i] = entries.layout.address(
                class.class(),
                self.offset(nibbles, edges[i], entries.layout),
            );
        }
        queue.prefetch(entries);
    }

    #[inline(always)]
    fn expand(self, bytes: u64, set: u32) -> u64 {
        // Places outside the set get the sixteenth byte, which is zero.
        let bytes = u128::from(bytes).to_le_bytes();
        u64::from_le_bytes(
            self.tables
                .expanded_from(set)
                .map(|from| bytes[usize::from(from & 15)]),
        )
    }

    #[inline(always)]
    fn list(self, set: u32, numbers: &mut [u8; LISTED]) {
        let mut rest = set;
        for number in &mut numbers[..(set.count_ones() as usize)] {
            *number = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
        }
    }

    #[inline(always)]
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64 {
        const TOPS: u64 = 0x8080_8080_8080_8080;
        let ((bounds, _), (limits, _)) = (bounds.as_chunks(), limits.as_chunks());
        let mut set = 0;
        for i in 0..8 {
            let [bound, limit] = [bounds[i], limits[i]].map(u64::from_le_bytes);
            // If the signs are equal, the other seven bits decide; otherwise the bound is less if
            // it is negative.
            let is_within = (limit | TOPS) - (bound & !TOPS);
            let tops = (!(limit ^ bound) & is_within | (limit ^ bound) & bound) & TOPS;
            // The product gathers the top bits of the eight bytes in its highest byte.
            set |= ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
        }
        set
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        let nibbles = mapped_nibbles(map);
        for &painting in paintings {
            let offset = self.offset(&nibbles, painting, layout) as usize;
            bitmap[offset / 64] |= 1 << (offset % 64);
        }
    }
}

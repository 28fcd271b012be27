//! The kernel in plain Rust: loops over the bytes of the slots.

use super::{Entries, Kernel, KernelTables, Neighbours, Painting};
use crate::coord::{EdgeMap, EdgePainting, placement_ranks};
use crate::cube::{CUBIE, Cube, Move, TWIST};

#[derive(Clone, Copy)]
pub(super) struct Portable {
    tables: &'static KernelTables,
}

impl Portable {
    pub fn new() -> Portable {
        Portable { tables: KernelTables::get() }
    }

    /// The raw coordinate of corners given as tetrad + 16 · twist.
    fn corner_coordinate(self, corners: [u8; 8]) -> u32 {
        let tetrads = (0..8).fold(0, |set, slot| set | usize::from(corners[slot] & 1) << slot);
        let twists = (0..7).rev().fold(0, |sum, slot| 3 * sum + u32::from(corners[slot] / TWIST));
        self.tables.tetrad_bases[tetrads] + twists
    }
}

/// The cubies of `left` seen through `right`: byte i is `left[right[i]]` with the twist of `right[i]` added.
fn through(left: &[u8; 8], right: &[u8; 16]) -> [u8; 8] {
    std::array::from_fn(|slot| {
        let sum = left[usize::from(right[slot] & 7)] + (right[slot] & !CUBIE);
        if sum >= 3 * TWIST { sum - 3 * TWIST } else { sum }
    })
}

/// The edge slots of `left` seen through `right`: byte i is `left[right[i]]` with the flip of `right[i]` added.
fn edges_through(left: &[u8; 16], right: &[u8; 16]) -> EdgePainting {
    let mut painting = EdgePainting([0; 16]);
    for slot in 0..12 {
        painting.0[slot] = left[usize::from(right[slot] & CUBIE)] ^ (right[slot] & !CUBIE) >> 2;
    }
    painting
}

impl Kernel for Portable {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        a.compose(b)
    }

    #[inline(always)]
    fn across(self, q: &Cube, neighbours: &mut Neighbours) {
        for face in 0..6 {
            neighbours.edges[face] = edges_through(&self.tables.across_edges[face], q.edge_bytes());
            let corners = through(&self.tables.across_corners[face], q.corner_bytes());
            neighbours.corners[face] = self.corner_coordinate(corners);
        }
    }

    #[inline(always)]
    fn ahead(self, p: &Cube, m: Move) -> Painting {
        let m = Cube::of_move(m);
        let edges = edges_through(&self.tables.slices, p.edge_bytes());
        let corners = p.corner_bytes();
        let corners = std::array::from_fn(|slot| {
            self.tables.tetrads[usize::from(corners[slot] & CUBIE)] | corners[slot] & !CUBIE
        });
        Painting {
            edges: edges_through(&edges.0, m.edge_bytes()),
            corners: self.corner_coordinate(through(&corners, m.corner_bytes())),
        }
    }

    #[inline(always)]
    fn offsets(self, maps: [&EdgeMap; 2], paintings: [&EdgePainting; 2], entries: Entries) -> [u32; 2] {
        std::array::from_fn(|i| {
            let mapped = maps[i].apply(paintings[i]);
            entries.offset(mapped.placement(), mapped.flips())
        })
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[u64], entries: Entries, bitmap: &mut [u64]) {
        let _ = placement_ranks();
        for &bits in paintings {
            let mapped = map.apply(&EdgePainting::from_bits(bits));
            let offset = entries.offset(mapped.placement(), mapped.flips()) as usize;
            bitmap[offset / 64] |= 1 << (offset % 64);
        }
    }
}

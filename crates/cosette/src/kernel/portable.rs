//! The kernel in plain Rust: loops over the bytes of the slots.

use super::{Kernel, KernelTables, NEIGHBOURS, prefetch};
use crate::coord::{CornerClasses, EdgeMap, EdgePainting, Layout, Place, edge_conjugations};
use crate::cube::{CUBIE, Cube, Move, TWIST};

#[derive(Clone, Copy)]
pub(super) struct Portable {
    tables: &'static KernelTables,
    classes: &'static CornerClasses,
}

impl Portable {
    pub fn new() -> Portable {
        Portable { tables: KernelTables::get(), classes: CornerClasses::get() }
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
    fn across(self, q: &Cube, edges: &mut [EdgePainting; NEIGHBOURS], corners: &mut [u32; NEIGHBOURS]) {
        for face in 0..6 {
            edges[face] = edges_through(&self.tables.across_edges[face], q.edge_bytes());
            let painted = through(&self.tables.across_corners[face], q.corner_bytes());
            corners[face] = self.corner_coordinate(painted);
        }
    }

    #[inline(always)]
    fn ahead(self, p: &Cube, m: Move, edges: &mut EdgePainting) -> u32 {
        let m = Cube::of_move(m);
        *edges = edges_through(&edges_through(&self.tables.slices, p.edge_bytes()).0, m.edge_bytes());
        let corners = p.corner_bytes();
        let painted = std::array::from_fn(|slot| {
            self.tables.tetrads[usize::from(corners[slot] & CUBIE)] | corners[slot] & !CUBIE
        });
        self.corner_coordinate(through(&painted, m.corner_bytes()))
    }

    #[inline(always)]
    unsafe fn places(self, edges: [&EdgePainting; 2], corners: [u32; 2], layout: Layout) -> [Place; 2] {
        std::array::from_fn(|i| {
            let (class, s) = self.classes.classify(corners[i]);
            let mapped = edge_conjugations()[s.index()].apply(edges[i]);
            layout.place(class, layout.offset(mapped.placement(), mapped.flips()))
        })
    }

    #[inline(always)]
    fn prefetch_class(self, corners: u32) {
        prefetch(&raw const self.classes.class_and_symmetry()[corners as usize]);
    }

    #[inline(always)]
    unsafe fn mark(self, map: &EdgeMap, paintings: &[u64], layout: Layout, bitmap: &mut [u64]) {
        for &bits in paintings {
            let mapped = map.apply(&EdgePainting::from_bits(bits));
            let offset = layout.offset(mapped.placement(), mapped.flips()) as usize;
            bitmap[offset / 64] |= 1 << (offset % 64);
        }
    }
}

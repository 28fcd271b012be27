//! The kernel in plain Rust: loops over the bytes of the slots.

use super::operations::{Kernel, LISTED};
use super::queue::{Entries, Queue};
use super::tables::{KernelTables, TWISTS};
use crate::coord::{EdgeMap, EdgePainting, Layout};
use crate::cube::{CUBIE, Cube, Move, TWIST};

#[derive(Clone, Copy)]
pub(super) struct Portable {
    tables: &'static KernelTables,
}

impl Portable {
    pub fn new() -> Portable {
        Portable { tables: KernelTables::get() }
    }
}

/// The raw coordinate of corners given as tetrad + 16 · twist.
fn corner_coordinate(corners: [u8; 8]) -> u64 {
    let set = (0..7).fold(0, |set, slot| set | u64::from(corners[slot] & 1) << slot);
    let twists = (0..7).rev().fold(0, |sum, slot| 3 * sum + u64::from(corners[slot] / TWIST));
    TWISTS * set + twists
}

/// The cubies of `left` seen through `right`: byte i is `left[right[i]]` with the twist of `right[i]` added.
fn through(left: &[u8; 8], right: &[u8; 16]) -> [u8; 8] {
    std::array::from_fn(|slot| {
        let sum = left[usize::from(right[slot] & 7)] + (right[slot] & !CUBIE);
        if sum >= 3 * TWIST { sum - 3 * TWIST } else { sum }
    })
}

/// The painted edges of `left` seen through `right`: slot i is `left[right[i]]` with the flip of `right[i]` added.
fn edges_through(left: &[u8; 16], right: &[u8; 16]) -> [u8; 16] {
    std::array::from_fn(|slot| left[usize::from(right[slot] & CUBIE)] ^ (right[slot] & !CUBIE) >> 1)
}

/// The nibbles of the twelve slots in one number.
fn pack(edges: [u8; 16]) -> EdgePainting {
    EdgePainting(edges[..12].iter().rev().fold(0, |bits, &nibble| bits << 4 | u64::from(nibble)))
}

impl Kernel for Portable {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        a.compose(b)
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        for face in (0..6).filter(|face| faces >> face & 1 == 1) {
            let edges = edges_through(&self.tables.other_side_edges[face], q.edge_bytes());
            let corners = through(&self.tables.other_side_corners[face], q.corner_bytes());
            queue.push(pack(edges), corner_coordinate(corners));
        }
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        let m = Cube::of_move(m);
        let edges = edges_through(&edges_through(&self.tables.slices, p.edge_bytes()), m.edge_bytes());
        let corners = p.corner_bytes();
        let painted = std::array::from_fn(|slot| {
            self.tables.tetrads[usize::from(corners[slot] & CUBIE)] | corners[slot] & !CUBIE
        });
        queue.push(pack(edges), corner_coordinate(through(&painted, m.corner_bytes())));
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>) {
        let Queue { edges, corners, addresses, length, .. } = queue;
        for i in 0..*length {
            let class = self.tables.classes[corners[i] as usize];
            let mapped = self.tables.maps[class.symmetry()].apply(&edges[i]);
            addresses[i] =
                entries.layout.address(class.class(), entries.layout.offset(mapped.placement(), mapped.flips()));
            entries.prefetch(addresses[i]);
        }
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>) {
        let Queue { addresses, bounds, length, .. } = queue;
        for (bound, &address) in bounds.iter_mut().zip(&*addresses).take(*length) {
            // SAFETY: by the contract of this function.
            *bound = unsafe { entries.bound(address) };
        }
    }

    #[inline(always)]
    fn spread(self, bytes: u64, mask: u64) -> u64 {
        let mut rest = bytes.to_le_bytes().into_iter();
        u64::from_le_bytes(mask.to_le_bytes().map(|wanted| if wanted == 0 { 0 } else { rest.next().unwrap_or(0) }))
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
        let pairs = bounds.iter().zip(limits).enumerate();
        pairs.fold(0, |set, (i, (&bound, &limit))| set | u64::from(bound as i8 <= limit as i8) << i)
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        for painting in paintings {
            let mapped = map.apply(painting);
            let offset = layout.offset(mapped.placement(), mapped.flips()) as usize;
            bitmap[offset / 64] |= 1 << (offset % 64);
        }
    }
}

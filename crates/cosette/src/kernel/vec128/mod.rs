//! The kernel of 128 bits: sixteen slots a register, one cube in two registers.
//!
//! It is that of AVX2 (`avx2`) with half the width, written once over [`Vector`] for SSSE3, NEON and WebAssembly. What these
//! instructions lack is looked up: where the bits of one set are among those of another ([`PlacementRanks::rank`]), and where
//! the bytes of a list go ([`Kernel::expand`]).

mod vector;

use super::operations::{Entries, Kernel, Queue, Work};
use super::tables::{KernelTables, TWISTS};
use crate::coord::{EdgeMap, EdgePainting, Layout};
use crate::cube::{Cube, FLIP, Move, TWIST};
use vector::Vector;

/// The kernel over the instructions of this kind of machine.
pub(super) type Native = Vec128<vector::Native>;

/// What these instructions are called.
pub(super) const NAME: &str = vector::Native::NAME;

/// The kernel, if this machine can run it.
pub(super) fn detect() -> Option<Native> {
    vector::Native::detect().map(|proof| Vec128 { proof, tables: KernelTables::get() })
}

/// The kernel over a set of instructions that this machine has.
pub(super) struct Vec128<V: Vector> {
    proof: V::Proof,
    tables: &'static KernelTables,
}

impl<V: Vector> Clone for Vec128<V> {
    fn clone(&self) -> Vec128<V> {
        *self
    }
}

impl<V: Vector> Copy for Vec128<V> {}

/// The bits of an orientation in a byte of a position.
const ORIENTATION: u8 = 0x30;
/// The twists of the first seven of eight corners, in the low bits of each byte.
const SEVEN_TWISTS: u64 = 0x0003_0303_0303_0303;
/// lo + 3 · hi of two bytes lo and hi, in the high byte of the product: 256 · (lo + 3 · hi) + 3 · lo, modulo 2¹⁶.
const DIGIT_PAIRS: u64 = 0x0103_0103_0103_0103;
/// The weights of the pairs: 1, 9, 81, 729.
const PAIR_WEIGHTS: u64 = 0x02d9_0051_0009_0001;

impl<V: Vector> Vec128<V> {
    /// Runs a loop compiled for these instructions.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        V::enter(self.proof, self, work)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> V {
        V::load(self.proof, bytes)
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> V {
        V::splat(self.proof, byte)
    }

    #[inline(always)]
    fn twice(self, number: u64) -> V {
        V::pair(self.proof, number, number)
    }

    /// The cubies or paintings of `left` seen through `right`: byte i is `left[right[i]]` with the orientation of `right[i]`
    /// added, below this modulus.
    #[inline(always)]
    fn through(self, left: V, right: V, modulus: u8) -> V {
        let sum = left.shuffle_by_low_bits(right).add(right.and(self.splat(ORIENTATION)));
        self.wrap(sum, modulus)
    }

    /// Takes the modulus from the bytes that reach it: what is below wraps to something large, and the lesser of the two is
    /// right.
    #[inline(always)]
    fn wrap(self, sum: V, modulus: u8) -> V {
        sum.least(sum.subtract(self.splat(modulus)))
    }

    /// Two nibbles of each sixteen bits, one in each byte, in the low byte.
    #[inline(always)]
    fn packed_nibbles(self, nibbles: V) -> V {
        nibbles.or(nibbles.shift_down::<4>()).and(self.twice(0x00ff_00ff_00ff_00ff))
    }

    /// The corner indices of two sets of corners, eight bytes each: tetrad + 16 · twist.
    #[inline(always)]
    fn corner_coordinates(self, corners: V) -> [u64; 2] {
        let tetrads = corners.shift_up::<7>().top_bits();
        let twists = corners.shift_down::<4>().and(self.twice(SEVEN_TWISTS));
        let pairs = twists.multiply(self.twice(DIGIT_PAIRS)).shift_down::<8>();
        let halves = pairs.dot(self.twice(PAIR_WEIGHTS));
        let coordinate =
            |tetrads: u32, halves: u64| TWISTS * u64::from(tetrads & 0x7f) + u64::from(halves as u32) + (halves >> 32);
        [coordinate(tetrads, halves.low()), coordinate(tetrads >> 8, halves.high())]
    }

    /// What a conjugation makes of a painting, and the number of its entry in its class.
    #[inline(always)]
    fn offset(self, [from, relabel, flips]: [V; 3], painting: EdgePainting, layout: Layout) -> u32 {
        let wide = V::pair(self.proof, painting.0, 0).widen_low();
        let nibbles = wide.or(wide.shift_up::<4>()).and(self.splat(0x0f));
        let mapped = relabel.shuffle(nibbles.shuffle(from)).xor(flips);
        let ones = mapped.shift_up::<6>().top_bits() & 0xfff;
        let twos = mapped.shift_up::<5>().top_bits() & 0xfff;
        layout.offset(self.tables.ranks.rank(ones, twos), mapped.top_bits())
    }

    #[inline(always)]
    fn load_map(self, map: &EdgeMap) -> [V; 3] {
        [self.load(&map.from), self.load(&map.relabel), self.load(&map.flips)]
    }
}

impl<V: Vector> Kernel for Vec128<V> {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        let edges = self.through(self.load(a.edge_bytes()), self.load(b.edge_bytes()), 2 * FLIP);
        let corners = self.through(self.load(a.corner_bytes()), self.load(b.corner_bytes()), 3 * TWIST);
        // SAFETY: these are the bytes of the product of two positions.
        unsafe { Cube::from_bytes_unchecked(edges.bytes(), corners.bytes()) }
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        let KernelTables { other_side_edges, other_side_corners, .. } = self.tables;
        let edges = self.load(q.edge_bytes());
        let flips = edges.and(self.splat(FLIP)).shift_down::<1>();
        // The eight corners twice; the second eight look up the next face.
        let corners = self.twice(self.load(q.corner_bytes()).low());
        let indices = corners.or(V::pair(self.proof, 0, 0x0808_0808_0808_0808));
        let twists = corners.and(self.splat(ORIENTATION));
        let (mut painted_edges, mut painted_corners) = ([0; 6], [0; 6]);
        for face in [0, 2, 4] {
            let first = self.load(&other_side_edges[face]).shuffle_by_low_bits(edges).xor(flips);
            let second = self.load(&other_side_edges[face + 1]).shuffle_by_low_bits(edges).xor(flips);
            let packed = self.packed_nibbles(first).narrow(self.packed_nibbles(second));
            (painted_edges[face], painted_edges[face + 1]) = (packed.low(), packed.high());
            let paint = [other_side_corners[face], other_side_corners[face + 1]].map(u64::from_le_bytes);
            let sum = V::pair(self.proof, paint[0], paint[1]).shuffle_by_low_bits(indices).add(twists);
            let coordinates = self.corner_coordinates(self.wrap(sum, 3 * TWIST));
            (painted_corners[face], painted_corners[face + 1]) = (coordinates[0], coordinates[1]);
        }
        queue.push_some(painted_edges, painted_corners, faces);
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        let m = Cube::of_move(m);
        let [edges, corners] = [p.edge_bytes(), p.corner_bytes()].map(|bytes| self.load(bytes));
        let orientation = self.splat(ORIENTATION);
        // Slices and tetrads with the orientation where a position has it; flips are moved down at the end.
        let edges = self.load(&self.tables.slices).shuffle_by_low_bits(edges).or(edges.and(orientation));
        let corners = self.load(&self.tables.tetrads).shuffle_by_low_bits(corners).or(corners.and(orientation));
        let edges = self.through(edges, self.load(m.edge_bytes()), 2 * FLIP);
        let corners = self.through(corners, self.load(m.corner_bytes()), 3 * TWIST);
        let flips = edges.and(self.splat(FLIP)).shift_down::<1>();
        let nibbles = self.packed_nibbles(edges.and(self.splat(7)).or(flips));
        queue.push(EdgePainting(nibbles.narrow(nibbles).low()), self.corner_coordinates(corners)[0]);
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>) {
        let Queue { edges, corners, addresses, length, .. } = queue;
        for i in 0..*length {
            let class = self.tables.classes[corners[i] as usize];
            let map = self.load_map(&self.tables.maps[class.symmetry()]);
            addresses[i] = entries.layout.address(class.class(), self.offset(map, edges[i], entries.layout));
        }
        queue.prefetch(entries);
    }

    #[inline(always)]
    fn expand(self, bytes: u64, set: u32) -> u64 {
        let from = u64::from_le_bytes(self.tables.expanded_from(set));
        V::pair(self.proof, bytes, 0).shuffle(V::pair(self.proof, from, 0)).low()
    }

    #[inline(always)]
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64 {
        let ((bounds, _), (limits, _)) = (bounds.as_chunks(), limits.as_chunks());
        let mut above = 0;
        for i in 0..4 {
            above |= u64::from(self.load(&bounds[i]).greater(self.load(&limits[i])).top_bits()) << (16 * i);
        }
        !above
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        let map = self.load_map(map);
        for &painting in paintings {
            let offset = self.offset(map, painting, layout) as usize;
            bitmap[offset / 64] |= 1 << (offset % 64);
        }
    }
}

//! The kernel with byte shuffles. A vector has two lanes of sixteen bytes, a byte for each slot:
//! the edges and the corners of a cube, or the edges of two paintings.
//!
//! The kernel is written once over the trait [`Vector`]. A file for each set of instructions
//! implements the trait: a vector is one register of 32 bytes with AVX2, and two registers of
//! sixteen bytes with SSSE3, NEON and WebAssembly. A vector exists only where its instructions do:
//! it is made with a proof of them, or from other vectors. So its operations are safe to call.
//! Numbers and their parts of sixteen and 32 bits are little-endian: the first byte is the lowest.
//!
//! Two operations look up a table: [`Kernel::expand`] and, except with AVX2,
//! [`PlacementRanks::rank`].
//!
//! In a byte of a position, the orientation is above the cubie. [`Vector::shuffle_by_low_bits`]
//! ignores it, so these bytes serve as indices.

/// Defines operations of two vectors that are one instruction for each register; the macro `$each`
/// applies the instruction to the registers.
macro_rules! binary {
    ($each:ident: $($operation:ident $instruction:ident,)*) => {$(
        #[inline(always)]
        fn $operation(self, other: Self) -> Self {
            $each!(a = self, b = other => $instruction(a, b))
        }
    )*};
}

/// Makes a vector of two registers: `$register` computes each from the corresponding registers of
/// the given vectors.
macro_rules! in_each {
    ($a:ident = $first:expr => $register:expr) => {{
        let [low, high] = $first.0;
        Self([
            {
                let $a = low;
                $register
            },
            {
                let $a = high;
                $register
            },
        ])
    }};
    ($a:ident = $first:expr, $b:ident = $second:expr => $register:expr) => {{
        let [low, high] = $first.0;
        let [other_low, other_high] = $second.0;
        Self([
            {
                let $a = low;
                let $b = other_low;
                $register
            },
            {
                let $a = high;
                let $b = other_high;
                $register
            },
        ])
    }};
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "wasm32")]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod ssse3;

use super::lookup_tables::{KernelTables, TWISTS};
use super::operations::{Kernel, Queue, SLACK, TableEntries, Work};
use crate::coord::{EdgeMap, EdgePainting, Layout, PlacementRanks};
use crate::cube::{Cube, FLIP, Move, TWIST};

#[cfg(target_arch = "x86_64")]
pub(super) type Ssse3 = VectorKernel<ssse3::Ssse3Vector>;
#[cfg(target_arch = "x86_64")]
pub(super) type Avx2 = VectorKernel<avx2::Avx2Vector>;
#[cfg(target_arch = "aarch64")]
pub(super) type Neon = VectorKernel<neon::NeonVector>;
#[cfg(target_arch = "wasm32")]
pub(super) type Simd128 = VectorKernel<simd128::Simd128Vector>;

/// Two lanes of sixteen bytes, or four numbers, the lowest first. Unsafe code relies on exact
/// results. Every operation must be `#[inline(always)]`, so that it is compiled for the
/// instructions of the loop that it stands in.
pub(super) trait Vector: Copy {
    /// Name of the instruction set.
    const NAME: &'static str;

    /// Proof that this machine has the instructions.
    type Proof: Copy + Send + Sync;

    /// Returns the proof, if this machine has the instructions.
    fn detect() -> Option<Self::Proof>;

    /// Runs a loop compiled for these instructions.
    fn enter<K: Kernel, W: Work>(proof: Self::Proof, kernel: K, work: W) -> W::Output;

    /// Returns the vector of two lanes.
    fn lanes(proof: Self::Proof, low: &[u8; 16], high: &[u8; 16]) -> Self;

    /// Returns the vector of four numbers, the lowest first.
    fn from_numbers(proof: Self::Proof, numbers: [u64; 4]) -> Self;

    /// Returns the bytes of two numbers, a lane each, with each byte extended to sixteen bits.
    fn widened(proof: Self::Proof, numbers: [u64; 2]) -> Self;

    /// Returns the rank of the placement whose slices 1 and 2 fill these slots; AVX2 has an
    /// instruction instead of a table.
    #[inline(always)]
    fn rank(_: Self::Proof, ranks: &PlacementRanks, ones: u32, twos: u32) -> u32 {
        ranks.rank(ones, twos)
    }

    fn bytes(self) -> [[u8; 16]; 2];

    fn numbers(self) -> [u64; 4];

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn xor(self, other: Self) -> Self;

    /// Returns the sums of the bytes in each place, modulo 256.
    fn add(self, other: Self) -> Self;

    /// Returns the differences of the bytes in each place, modulo 256.
    fn subtract(self, other: Self) -> Self;

    /// Returns the lesser of the two bytes in each place.
    fn min(self, other: Self) -> Self;

    /// Looks bytes up, in each lane: byte i of the result is byte `indices[i]` of the lane. Each
    /// index is below 16, or has its top bit set, and then the byte is zero.
    fn shuffle(self, indices: Self) -> Self;

    /// Looks bytes up like `shuffle`, by the low four bits of each index. The top bit of each index
    /// must be clear.
    fn shuffle_by_low_bits(self, indices: Self) -> Self;

    /// Shifts each number of sixteen bits to the left.
    fn shift_up<const BITS: i32>(self) -> Self;

    /// Shifts each number of sixteen bits to the right.
    fn shift_down<const BITS: i32>(self) -> Self;

    /// Returns for each pair of bytes the sum of the low byte and `WEIGHT` times the high byte, in
    /// sixteen bits. The low byte must be at most 15, `WEIGHT` 1 to 16, and the sum below 256.
    fn pair_sums<const WEIGHT: i16>(self) -> Self;

    /// Returns in each lane the low byte of each sixteen bits: first of this vector, then of
    /// `other`. The high bytes must be zero.
    fn narrow(self, other: Self) -> Self;

    /// Multiplies signed numbers of sixteen bits, and returns the sum of each two neighboring
    /// products in 32 bits.
    fn dot(self, other: Self) -> Self;

    /// Returns 0xff for each byte that is greater than the byte of `other`, as signed numbers, and
    /// 0 for the others.
    fn greater(self, other: Self) -> Self;

    /// Returns the top bits of all bytes: bit i is that of byte i.
    fn top_bits(self) -> u32;
}

/// The kernel over a set of instructions that this machine has.
#[derive(Clone, Copy)]
pub(super) struct VectorKernel<V: Vector> {
    proof: V::Proof,
    pub(super) tables: &'static KernelTables,
}

/// The bits of an orientation in a byte of a position.
pub(super) const ORIENTATION: u8 = 0x30;
/// A mask of the twists of the first seven of eight corners, in the low bits of each byte.
const SEVEN_TWISTS: u64 = 0x0003_0303_0303_0303;
/// The weights of pairs of twists, as digits to the base three: 1, 9, 81, 729.
const PAIR_WEIGHTS: u64 = 0x02d9_0051_0009_0001;

impl<V: Vector> VectorKernel<V> {
    /// Name of the instruction set.
    pub const NAME: &str = V::NAME;

    /// Returns the kernel, if this machine can run it.
    pub fn detect() -> Option<VectorKernel<V>> {
        V::detect().map(|proof| VectorKernel {
            proof,
            tables: KernelTables::get(),
        })
    }

    /// Runs a loop compiled for these instructions.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        V::enter(self.proof, self, work)
    }

    #[inline(always)]
    fn lanes(self, low: &[u8; 16], high: &[u8; 16]) -> V {
        V::lanes(self.proof, low, high)
    }

    #[inline(always)]
    fn cube(self, cube: &Cube) -> V {
        self.lanes(cube.edge_bytes(), cube.corner_bytes())
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> V {
        self.repeat(u64::from_ne_bytes([byte; 8]))
    }

    /// Returns a vector of one number, four times.
    #[inline(always)]
    fn repeat(self, number: u64) -> V {
        V::from_numbers(self.proof, [number; 4])
    }

    /// Composes the cubies or paintings `left` with the cubies `right`: byte i is `left[right[i]]`
    /// with the orientation of `right[i]` added, modulo two for edges and modulo three for corners.
    #[inline(always)]
    fn compose_bytes(self, left: V, right: V) -> V {
        let moduli = [2 * FLIP, 2 * FLIP, 3 * TWIST, 3 * TWIST]
            .map(|modulus| u64::from_ne_bytes([modulus; 8]));
        let sum = left
            .shuffle_by_low_bits(right)
            .add(right.and(self.splat(ORIENTATION)));
        wrap(sum, V::from_numbers(self.proof, moduli))
    }

    /// Returns the corner indices of four times eight corners; each byte is tetrad + 16 · twist.
    /// The eighth corner is ignored, as it follows from the others.
    #[inline(always)]
    fn corner_indices(self, corners: V) -> [u64; 4] {
        let tetrads = corners.shift_up::<7>().top_bits();
        let twists = corners.shift_down::<4>().and(self.repeat(SEVEN_TWISTS));
        let halves = twists
            .pair_sums::<3>()
            .dot(self.repeat(PAIR_WEIGHTS))
            .numbers();
        let index = |i: usize| {
            let twists = u64::from(halves[i] as u32) + (halves[i] >> 32);
            TWISTS * u64::from(tetrads >> (8 * i) & 0x7f) + twists
        };
        [index(0), index(1), index(2), index(3)]
    }

    /// Maps two paintings, a lane each, and returns the numbers of their entries in their classes.
    #[inline(always)]
    fn offsets(
        self,
        [from, relabel, flips]: [V; 3],
        paintings: [EdgePainting; 2],
        layout: Layout,
    ) -> [u32; 2] {
        let wide = V::widened(self.proof, paintings.map(|painting| painting.0));
        // Byte i is nibble i of the painting.
        let nibbles = wide.or(wide.shift_up::<4>()).and(self.splat(0x0f));
        let mapped = relabel.shuffle(nibbles.shuffle(from)).xor(flips);
        // The shifts move bit 1 and bit 2 of each byte to its top bit; the flip is there already.
        let ones = mapped.shift_up::<6>().top_bits();
        let twos = mapped.shift_up::<5>().top_bits();
        let flips = mapped.top_bits();
        let first = V::rank(self.proof, self.tables.ranks, ones & 0xfff, twos & 0xfff);
        let second = V::rank(
            self.proof,
            self.tables.ranks,
            ones >> 16 & 0xfff,
            twos >> 16 & 0xfff,
        );
        [
            layout.offset(first, flips),
            layout.offset(second, flips >> 16),
        ]
    }

    #[inline(always)]
    fn maps(self, low: &EdgeMap, high: &EdgeMap) -> [V; 3] {
        [
            self.lanes(&low.from, &high.from),
            self.lanes(&low.relabel, &high.relabel),
            self.lanes(&low.flips, &high.flips),
        ]
    }
}

/// Subtracts the modulus from the bytes that reach it. For a smaller byte the difference wraps to a
/// large number, so the lesser of byte and difference is right.
#[inline(always)]
fn wrap<V: Vector>(sum: V, modulus: V) -> V {
    sum.min(sum.subtract(modulus))
}

impl<V: Vector> Kernel for VectorKernel<V> {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        let [edges, corners] = self.compose_bytes(self.cube(a), self.cube(b)).bytes();
        // SAFETY: these are the bytes of the product of two positions.
        unsafe { Cube::from_bytes_unchecked(edges, corners) }
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        let KernelTables {
            other_side_edges,
            other_side_corners,
            ..
        } = self.tables;
        let edges = self.lanes(q.edge_bytes(), q.edge_bytes());
        let flips = edges.and(self.splat(FLIP)).shift_down::<1>();
        // Faces 0 and 1, 2 and 3, 4 and 5, a lane each.
        let mut painted = [edges; 3];
        for (pair, painted) in painted.iter_mut().enumerate() {
            let paint = self.lanes(&other_side_edges[2 * pair], &other_side_edges[2 * pair + 1]);
            *painted = paint
                .shuffle_by_low_bits(edges)
                .xor(flips)
                .pair_sums::<16>();
        }
        let [f0, f2, f1, f3] = painted[0].narrow(painted[1]).numbers();
        let [f4, _, f5, _] = painted[2].narrow(painted[2]).numbers();
        // The eight corners four times, for a face each. With 8 added, the second eight corners of
        // a lane look up the second face of the lane.
        let (eights, _) = q.corner_bytes().as_chunks();
        let corners = self.repeat(u64::from_le_bytes(eights[0]));
        const SECOND: u64 = 0x0808_0808_0808_0808;
        let indices = corners.or(V::from_numbers(self.proof, [0, SECOND, 0, SECOND]));
        let twists = corners.and(self.splat(ORIENTATION));
        let mut corner_indices = [[0; 4]; 2];
        for (four_indices, paint) in corner_indices
            .iter_mut()
            .zip(other_side_corners.as_chunks::<4>().0)
        {
            let paint = V::from_numbers(self.proof, paint.map(u64::from_le_bytes));
            let sum = paint.shuffle_by_low_bits(indices).add(twists);
            *four_indices = self.corner_indices(wrap(sum, self.splat(3 * TWIST)));
        }
        let [[c0, c1, c2, c3], [c4, c5, ..]] = corner_indices;
        queue.push_some([f0, f1, f2, f3, f4, f5], [c0, c1, c2, c3, c4, c5], faces);
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        let p = self.cube(p);
        // Slices and tetrads, with the orientation in the bits where a position has it; the flips
        // are shifted to their bits at the end.
        let paint = self.lanes(&self.tables.slices, &self.tables.tetrads);
        let painted = paint
            .shuffle_by_low_bits(p)
            .or(p.and(self.splat(ORIENTATION)));
        let turned = self.compose_bytes(painted, self.cube(Cube::from_move(m)));
        let flips = turned.and(self.splat(FLIP)).shift_down::<1>();
        let edges = turned.and(self.splat(7)).or(flips).pair_sums::<16>();
        let [_, _, corners, _] = self.corner_indices(turned);
        queue.push(EdgePainting(edges.narrow(edges).numbers()[0]), corners);
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>) {
        let layout = entries.layout;
        assert!(queue.length + SLACK <= N);
        for first in (0..queue.length).step_by(2) {
            // SAFETY: the corners of a queue come from a kernel, or are zero, also in the slot past
            // the end.
            let classes = [0, 1].map(|i| unsafe { self.tables.class(queue.corners[first + i]) });
            let [low, high] =
                classes.map(|class| &self.tables.maps[class.symmetry() % self.tables.maps.len()]);
            let paintings = [queue.edges[first], queue.edges[first + 1]];
            let offsets = self.offsets(self.maps(low, high), paintings, layout);
            for i in 0..2 {
                queue.addresses[first + i] = layout.address(classes[i].class(), offsets[i]);
            }
        }
        queue.prefetch(entries);
    }

    #[inline(always)]
    fn expand(self, bytes: u64, set: u32) -> u64 {
        let from = u64::from_le_bytes(self.tables.expanded_from(set));
        V::from_numbers(self.proof, [bytes, 0, 0, 0])
            .shuffle(V::from_numbers(self.proof, [from, 0, 0, 0]))
            .numbers()[0]
    }

    #[inline(always)]
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64 {
        let ([b0, b1, b2, b3], [l0, l1, l2, l3]) = (bounds.as_chunks().0, limits.as_chunks().0)
        else {
            unreachable!()
        };
        let above = |bounds: V, limits: V| u64::from(bounds.greater(limits).top_bits());
        !(above(self.lanes(b0, b1), self.lanes(l0, l1))
            | above(self.lanes(b2, b3), self.lanes(l2, l3)) << 32)
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        let maps = self.maps(map, map);
        let (pairs, rest) = paintings.as_chunks::<2>();
        for &pair in pairs {
            for offset in self.offsets(maps, pair, layout) {
                bitmap[offset as usize / 64] |= 1 << (offset % 64);
            }
        }
        for &last in rest {
            let [offset, _] = self.offsets(maps, [last; 2], layout);
            bitmap[offset as usize / 64] |= 1 << (offset % 64);
        }
    }
}

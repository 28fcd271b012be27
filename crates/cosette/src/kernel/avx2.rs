//! The kernel with AVX2: sixteen slots a lane, two cubes or four sets of corners a register.
//!
//! A byte shuffle reads the low four bits of each index byte and no others, while bit 7 is clear. So the bytes of a
//! position, which have the orientation above the cubie, can be used directly as indices.

use super::operations::{Entries, Kernel, Queue, SLACK, Work};
use super::tables::{CornerClass, KernelTables, TWISTS};
use crate::coord::{EdgeMap, EdgePainting, Layout};
use crate::cube::{Cube, Move};
use std::arch::x86_64::*;

/// Proof that this machine has AVX2 and BMI, with the constants it needs.
#[derive(Clone, Copy)]
pub(super) struct Avx2 {
    pub tables: &'static KernelTables,
}

/// The bits of an orientation in a byte of a position.
pub(super) const ORIENTATION: i8 = 0x30;
/// The weights of seven twists as digits to the base three, in the two steps of multiply-and-add.
const DIGIT_PAIRS: i64 = 0x0001_0301_0301_0301;
const PAIR_WEIGHTS: i64 = 0x02d9_0051_0009_0001;
/// For each set of six places, 0xff in their bytes.
static BYTES: [u64; 64] = {
    let mut bytes = [0; 64];
    let mut set = 0;
    while set < 64 {
        let mut place = 0;
        while place < 6 {
            bytes[set] |= ((set >> place & 1) as u64 * 0xff) << (8 * place);
            place += 1;
        }
        set += 1;
    }
    bytes
};
/// The weights of two nibbles in a byte.
pub(super) const NIBBLES: i16 = 0x1001;

impl Avx2 {
    /// The kernel, if this machine can run it.
    pub fn detect() -> Option<Avx2> {
        let able = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        able.then(|| Avx2 { tables: KernelTables::get() })
    }

    /// Runs a loop compiled for these instructions.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter<W: Work>(kernel: Avx2, work: W) -> W::Output {
            work.run(kernel)
        }
        // SAFETY: an `Avx2` exists only where `detect` found the features.
        unsafe { enter(self, work) }
    }

    /// The offsets of two mapped paintings, one a lane.
    ///
    /// # Safety
    /// The machine must have AVX2 and BMI2.
    #[inline(always)]
    unsafe fn offsets_of_lanes(self, mapped: __m256i, layout: Layout) -> [u32; 2] {
        // SAFETY: by the contract of this function. No closures: they are compiled without the instructions.
        unsafe {
            let ones = _mm256_movemask_epi8(_mm256_slli_epi16::<6>(mapped)) as u32;
            let twos = _mm256_movemask_epi8(_mm256_slli_epi16::<5>(mapped)) as u32;
            let flips = _mm256_movemask_epi8(mapped) as u32;
            let first = self.placement(ones & 0xfff, twos & 0xfff);
            let second = self.placement(ones >> 16 & 0xfff, twos >> 16 & 0xfff);
            [layout.offset(first, flips), layout.offset(second, flips >> 16)]
        }
    }

    /// The placement in which slices 1 and 2 fill these slots.
    ///
    /// # Safety
    /// The machine must have BMI2.
    #[inline(always)]
    unsafe fn placement(self, ones: u32, twos: u32) -> u32 {
        // SAFETY: by the contract of this function.
        self.tables.ranks.rank_of_others(ones, unsafe { _pext_u32(twos, ones ^ 0xfff) })
    }

    /// The class and symmetry of these corners.
    ///
    /// # Safety
    /// The corner index must have come from a kernel.
    #[inline(always)]
    pub unsafe fn class(self, corners: u64) -> CornerClass {
        debug_assert!((corners as usize) < self.tables.classes.len());
        // SAFETY: a corner index is below 2⁷ · 2187, the length of the list.
        unsafe { *self.tables.classes.get_unchecked(corners as usize) }
    }
}

/// Adds orientations modulo three: both summands have a cubie or painting in the low four bits and a twist above.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn wrap(sum: __m256i, modulus: __m256i) -> __m256i {
    // SAFETY: by the contract. What is below the modulus wraps to something large, and the smaller of the two is right.
    unsafe { _mm256_min_epu8(sum, _mm256_sub_epi8(sum, modulus)) }
}

/// The tetrads of four sets of corners, a byte of bits each, and their twists as a number in each 64-bit part.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn tetrads_and_twists(corners: __m256i) -> (u32, __m256i) {
    // SAFETY: by the contract of this function.
    unsafe {
        let tetrads = _mm256_movemask_epi8(_mm256_slli_epi16::<7>(corners)) as u32;
        let twists = _mm256_and_si256(_mm256_srli_epi16::<4>(corners), _mm256_set1_epi8(3));
        let pairs = _mm256_maddubs_epi16(twists, _mm256_set1_epi64x(DIGIT_PAIRS));
        let halves = _mm256_madd_epi16(pairs, _mm256_set1_epi64x(PAIR_WEIGHTS));
        (tetrads, _mm256_add_epi32(halves, _mm256_srli_epi64::<32>(halves)))
    }
}

/// The corner index of corners with these tetrads, in the low seven bits, and twists.
#[inline(always)]
fn corner_coordinate(tetrads: u32, twists: u64) -> u64 {
    TWISTS * u64::from(tetrads & 0x7f) + twists
}

/// Two 16-byte values, one a lane.
///
/// # Safety
/// The machine must have AVX2, and 16 bytes must be readable at both addresses.
#[inline(always)]
pub(super) unsafe fn load_pair(low: *const u8, high: *const u8) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe { _mm256_loadu2_m128i(high.cast(), low.cast()) }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        let mut product = Cube::SOLVED;
        // SAFETY: `self` proves AVX2; a `Cube` is 32 bytes, aligned to 32: edges in the low lane, corners in the high
        // one.
        unsafe {
            let a = _mm256_load_si256((&raw const *a).cast());
            let b = _mm256_load_si256((&raw const *b).cast());
            let sum = _mm256_add_epi8(_mm256_shuffle_epi8(a, b), _mm256_and_si256(b, _mm256_set1_epi8(ORIENTATION)));
            let modulus = _mm256_setr_m128i(_mm_set1_epi8(0x20), _mm_set1_epi8(0x30));
            _mm256_store_si256((&raw mut product).cast(), wrap(sum, modulus));
        }
        product
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        assert!(queue.length + SLACK <= N);
        let (mut edges, mut corners) = ([0u64; 8], [0u64; 8]);
        // SAFETY: `self` proves AVX2; the arrays read and written are as long as the loops go.
        unsafe {
            let cubies = _mm256_broadcastsi128_si256(_mm_load_si128(q.edge_bytes().as_ptr().cast()));
            let flips = _mm256_srli_epi16::<1>(_mm256_and_si256(cubies, _mm256_set1_epi8(0x10)));
            for four in [0, 4] {
                let paints = self.tables.other_side_edges[four..].as_ptr().cast::<u8>();
                // Faces 0 and 2, then 1 and 3: packing puts them in order.
                let even = painted_edges(load_pair(paints, paints.add(32)), cubies, flips);
                let odd = painted_edges(load_pair(paints.add(16), paints.add(48)), cubies, flips);
                let packed = _mm256_packus_epi16(even, odd);
                _mm256_storeu_si256(edges[four..].as_mut_ptr().cast(), packed);
            }
            // Each lane holds the eight corners twice; the second eight look up the next face.
            let cubies = _mm256_set1_epi64x(q.corner_bytes().as_ptr().cast::<i64>().read_unaligned());
            let indices = _mm256_or_si256(cubies, _mm256_set_epi64x(EIGHTS, 0, EIGHTS, 0));
            const EIGHTS: i64 = 0x0808_0808_0808_0808;
            let twists = _mm256_and_si256(cubies, _mm256_set1_epi8(ORIENTATION));
            for four in [0, 4] {
                let paint = _mm256_loadu_si256(self.tables.other_side_corners[four..].as_ptr().cast());
                let sum = _mm256_add_epi8(_mm256_shuffle_epi8(paint, indices), twists);
                let (tetrads, twists) = tetrads_and_twists(wrap(sum, _mm256_set1_epi8(0x30)));
                _mm256_storeu_si256(corners[four..].as_mut_ptr().cast(), twists);
                for face in 0..4 {
                    let twists = corners[four + face] & 0xffff_ffff;
                    corners[four + face] = corner_coordinate(tetrads >> (8 * face), twists);
                }
            }
        }
        for face in 0..6 {
            (queue.edges[queue.length], queue.corners[queue.length]) = (EdgePainting(edges[face]), corners[face]);
            queue.length += (faces >> face & 1) as usize;
        }
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        let m = Cube::of_move(m);
        // SAFETY: `self` proves AVX2; a `Cube` is 32 bytes, aligned to 32: edges in the low lane, corners in the high
        // one; `slices` and `tetrads` are 16 bytes each.
        unsafe {
            let p = _mm256_load_si256((&raw const *p).cast());
            let m = _mm256_load_si256((&raw const *m).cast());
            let orientation = _mm256_set1_epi8(ORIENTATION);
            let paint = load_pair(self.tables.slices.as_ptr(), self.tables.tetrads.as_ptr());
            // slice or tetrad, and the orientation where a position has it: flips are moved down at the end.
            let painted = _mm256_or_si256(_mm256_shuffle_epi8(paint, p), _mm256_and_si256(p, orientation));
            let sum = _mm256_add_epi8(_mm256_shuffle_epi8(painted, m), _mm256_and_si256(m, orientation));
            let modulus = _mm256_setr_m128i(_mm_set1_epi8(0x20), _mm_set1_epi8(0x30));
            let turned = wrap(sum, modulus);
            let slots = _mm256_castsi256_si128(turned);
            let flips = _mm_srli_epi16::<1>(_mm_and_si128(slots, _mm_set1_epi8(0x10)));
            let slices = _mm_and_si128(slots, _mm_set1_epi8(7));
            let bytes = _mm_maddubs_epi16(_mm_or_si128(slices, flips), _mm_set1_epi16(NIBBLES));
            let edges = _mm_cvtsi128_si64(_mm_packus_epi16(bytes, bytes)) as u64;
            let (tetrads, twists) = tetrads_and_twists(turned);
            let twists = _mm_cvtsi128_si32(_mm256_extracti128_si256::<1>(twists)) as u32;
            queue.push(EdgePainting(edges), corner_coordinate(tetrads >> 16, u64::from(twists)));
        }
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>) {
        let layout = entries.layout;
        assert!(queue.length + SLACK <= N);
        for first in (0..queue.length).step_by(2) {
            // SAFETY: `self` proves AVX2; the corners of a queue come from a kernel, or are zero; an `EdgeMap` is three
            // times 16 bytes.
            unsafe {
                let classes = [self.class(queue.corners[first]), self.class(queue.corners[first + 1])];
                let maps = classes.map(|class| self.tables.maps.as_ptr().add(class.symmetry()));
                let map = [
                    load_pair((*maps[0]).from.as_ptr(), (*maps[1]).from.as_ptr()),
                    load_pair((*maps[0]).relabel.as_ptr(), (*maps[1]).relabel.as_ptr()),
                    load_pair((*maps[0]).flips.as_ptr(), (*maps[1]).flips.as_ptr()),
                ];
                let edges = unpack_nibbles(_mm_loadu_si128(queue.edges[first..first + 2].as_ptr().cast()));
                let offsets = self.offsets_of_lanes(mapped(map, edges), layout);
                for i in 0..2 {
                    queue.addresses[first + i] = layout.address(classes[i].class(), offsets[i]);
                }
            }
        }
        queue.prefetch(entries);
    }

    #[inline(always)]
    fn expand(self, bytes: u64, set: u32) -> u64 {
        // SAFETY: `self` proves BMI2.
        unsafe { _pdep_u64(bytes, BYTES[set as usize % 64]) }
    }

    #[inline(always)]
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64 {
        let mut above = [0u32; 2];
        for (half, above) in above.iter_mut().enumerate() {
            // SAFETY: `self` proves AVX2; both arrays are 64 bytes.
            unsafe {
                let bounds = _mm256_loadu_si256(bounds.as_ptr().add(32 * half).cast());
                let limits = _mm256_loadu_si256(limits.as_ptr().add(32 * half).cast());
                *above = _mm256_movemask_epi8(_mm256_cmpgt_epi8(bounds, limits)) as u32;
            }
        }
        !(u64::from(above[0]) | u64::from(above[1]) << 32)
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        // SAFETY: `self` proves AVX2; every array read is 16 bytes long, and so is every pair of paintings.
        unsafe {
            let map = [load_twice(&map.from), load_twice(&map.relabel), load_twice(&map.flips)];
            let mut pairs = paintings.chunks_exact(2);
            for pair in &mut pairs {
                let painted = unpack_nibbles(_mm_loadu_si128(pair.as_ptr().cast()));
                let [first, second] = self.offsets_of_lanes(mapped(map, painted), layout);
                set_bit(bitmap, first);
                set_bit(bitmap, second);
            }
            if let [last] = pairs.remainder() {
                let painted = unpack_nibbles(_mm_set1_epi64x(last.0 as i64));
                set_bit(bitmap, self.offsets_of_lanes(mapped(map, painted), layout)[0]);
            }
        }
    }
}

// Closures are compiled without the features of the function they stand in, so these small steps are functions.

/// The edges of two paintings, two nibbles in each 16 bits, given the paint of two faces, a lane each.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn painted_edges(paint: __m256i, cubies: __m256i, flips: __m256i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe {
        let painted = _mm256_xor_si256(_mm256_shuffle_epi8(paint, cubies), flips);
        _mm256_maddubs_epi16(painted, _mm256_set1_epi16(NIBBLES))
    }
}

/// The same 16 bytes in both lanes.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn load_twice(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// Sixteen bytes as 32 nibbles, the low one of each byte first.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn unpack_nibbles(pair: __m128i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe {
        let wide = _mm256_cvtepu8_epi16(pair);
        _mm256_and_si256(_mm256_or_si256(wide, _mm256_slli_epi16::<4>(wide)), _mm256_set1_epi8(0x0f))
    }
}

/// Two painted cubes through an [`EdgeMap`] given as `from`, `relabel`, `flips`.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn mapped([from, relabel, flips]: [__m256i; 3], painted: __m256i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe { _mm256_xor_si256(_mm256_shuffle_epi8(relabel, _mm256_shuffle_epi8(painted, from)), flips) }
}

#[inline(always)]
fn set_bit(bitmap: &mut [u64], bit: u32) {
    bitmap[bit as usize / 64] |= 1 << (bit % 64);
}

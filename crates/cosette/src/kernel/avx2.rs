//! The kernel with AVX2: sixteen slots a lane, two cubes or four sets of corners a register.
//!
//! A byte shuffle reads the low four bits of each index byte and no others, while bit 7 is clear. So the bytes of a
//! position, which bear the orientation above the cubie, are indices as they are.

use super::marks::{Batch, padded};
use super::{Kernel, KernelTables, NEIGHBOURS, Work, prefetch};
use crate::coord::{
    CornerClasses, CornerPainting, EdgeMap, EdgePainting, FIRST_SLOT, Layout, PLACEMENTS, Place, PlacementRanks,
    edge_conjugations, placement_ranks,
};
use crate::cube::{Cube, Move};
use std::arch::x86_64::*;

/// Proof that this machine has AVX2 and BMI, with the constants at hand.
#[derive(Clone, Copy)]
pub(super) struct Avx2 {
    tables: &'static KernelTables,
    ranks: &'static PlacementRanks,
    /// [`CornerClasses::class_and_symmetry`], for all 153,090 raw coordinates.
    classes: *const u32,
    /// The 48 conjugations of edges.
    maps: *const EdgeMap,
}

// SAFETY: the pointers are to tables that are computed once, never changed and never freed.
unsafe impl Send for Avx2 {}
// SAFETY: likewise.
unsafe impl Sync for Avx2 {}

/// The bits of an orientation in a byte of a position.
const ORIENTATION: i8 = 0x30;
/// The weights of seven twists as digits to the base three, in the two steps of multiply-and-add.
const DIGIT_PAIRS: i64 = 0x0001_0301_0301_0301;
const PAIR_WEIGHTS: i64 = 0x02d9_0051_0009_0001;
/// The weights of the pairs of slices of each half as digits to the base three; one pair of each eight bytes is padding.
const LEFT_WEIGHTS: i64 = 0x0051_0009_0001_0000;
const RIGHT_WEIGHTS: i64 = 0x0000_0051_0009_0001;

impl Avx2 {
    /// The kernel, if this machine can run it.
    pub fn detect() -> Option<Avx2> {
        let able = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        able.then(|| Avx2 {
            tables: KernelTables::get(),
            ranks: placement_ranks(),
            classes: CornerClasses::get().class_and_symmetry().as_ptr(),
            maps: edge_conjugations().as_ptr(),
        })
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

    /// The offsets of two mapped paintings, one a lane, in the layout of [`EdgeMap`].
    ///
    /// # Safety
    /// The machine must have AVX2, and the slices must be below three.
    #[inline(always)]
    unsafe fn offsets_of_lanes(self, lanes: __m256i, layout: Layout) -> [u32; 2] {
        let mut numbers = Halves([0; 8]);
        // SAFETY: by the contract of this function. Six slices below three are a number below 729, the length of both
        // lists of ranks.
        unsafe {
            _mm256_store_si256((&raw mut numbers).cast(), halves(lanes));
            let flips = _mm256_movemask_epi8(lanes) as u32;
            let first = self.ranks.rank_unchecked(numbers.0[0], numbers.0[2]);
            let second = self.ranks.rank_unchecked(numbers.0[4], numbers.0[6]);
            [layout.offset(first, flips >> FIRST_SLOT), layout.offset(second, flips >> (16 + FIRST_SLOT))]
        }
    }

    /// The class of these corners, and how to conjugate the edges.
    ///
    /// # Safety
    /// The raw coordinate must be below 153,090.
    #[inline(always)]
    unsafe fn class_and_map(self, corners: u32) -> (u32, *const EdgeMap) {
        debug_assert!(corners < CornerPainting::COUNT as u32);
        // SAFETY: by the contract; symmetries are numbered below 48.
        unsafe {
            let entry = *self.classes.add(corners as usize);
            (entry & 0xffff, self.maps.add((entry >> 16) as usize))
        }
    }
}

/// The halves of two placements as numbers, each followed by nothing of use.
#[repr(C, align(32))]
struct Halves([u32; 8]);

/// The halves of two placements as digits to the base three, in the layout of [`Halves`].
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn halves(lanes: __m256i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe {
        let slices = _mm256_and_si256(lanes, _mm256_set1_epi8(3));
        let pairs = _mm256_maddubs_epi16(slices, _mm256_set1_epi16(0x0301));
        let weights = _mm256_set_epi64x(RIGHT_WEIGHTS, LEFT_WEIGHTS, RIGHT_WEIGHTS, LEFT_WEIGHTS);
        let sums = _mm256_madd_epi16(pairs, weights);
        _mm256_add_epi32(sums, _mm256_srli_epi64::<32>(sums))
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

/// Two 16-byte values, one a lane.
///
/// # Safety
/// The machine must have AVX2, and 16 bytes must be readable at both addresses.
#[inline(always)]
unsafe fn load_pair(low: *const u8, high: *const u8) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe { _mm256_loadu2_m128i(high.cast(), low.cast()) }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        let mut product = Cube::SOLVED;
        // SAFETY: `self` proves AVX2; a `Cube` is 32 bytes, aligned to 32: edges in the low lane, corners in the high one.
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
    fn across(self, q: &Cube, edges: &mut [EdgePainting; NEIGHBOURS], corners: &mut [u32; NEIGHBOURS]) {
        // SAFETY: `self` proves AVX2; the arrays read and written are as long as the loops go.
        unsafe {
            let cubies = _mm256_broadcastsi128_si256(_mm_load_si128(q.edge_bytes().as_ptr().cast()));
            let flips = _mm256_srli_epi16::<2>(_mm256_and_si256(cubies, _mm256_set1_epi8(0x10)));
            for pair in 0..3 {
                let paint = _mm256_loadu_si256((&raw const self.tables.across_edges).cast::<__m256i>().add(pair));
                let painted = _mm256_xor_si256(_mm256_shuffle_epi8(paint, cubies), flips);
                _mm256_storeu_si256((&raw mut edges[2 * pair]).cast(), painted);
            }
            // Each lane holds the eight corners twice; the second eight look up the next face.
            let cubies = _mm256_set1_epi64x(q.corner_bytes().as_ptr().cast::<i64>().read_unaligned());
            let indices = _mm256_or_si256(cubies, _mm256_set_epi64x(EIGHTS, 0, EIGHTS, 0));
            const EIGHTS: i64 = 0x0808_0808_0808_0808;
            let twists = _mm256_and_si256(cubies, _mm256_set1_epi8(ORIENTATION));
            for four in [0, 4] {
                let paint = _mm256_loadu_si256((&raw const self.tables.across_corners).cast::<__m256i>().add(four / 4));
                let sum = _mm256_add_epi8(_mm256_shuffle_epi8(paint, indices), twists);
                let (tetrads, twists) = tetrads_and_twists(wrap(sum, _mm256_set1_epi8(0x30)));
                let mut numbers = [0u64; 4];
                _mm256_storeu_si256(numbers.as_mut_ptr().cast(), twists);
                for face in 0..4 {
                    let base = self.tables.tetrad_bases[(tetrads >> (8 * face) & 0xff) as usize];
                    corners[four + face] = base + numbers[face] as u32;
                }
            }
        }
    }

    #[inline(always)]
    fn ahead(self, p: &Cube, m: Move, edges: &mut EdgePainting) -> u32 {
        let m = Cube::of_move(m);
        // SAFETY: `self` proves AVX2; a `Cube` is 32 bytes, aligned to 32: edges in the low lane, corners in the high one;
        // `slices` and `tetrads` are 16 bytes each and adjacent.
        unsafe {
            let p = _mm256_load_si256((&raw const *p).cast());
            let m = _mm256_load_si256((&raw const *m).cast());
            let orientation = _mm256_set1_epi8(ORIENTATION);
            let paint = load_pair(self.tables.slices.as_ptr(), self.tables.tetrads.as_ptr());
            // slice or tetrad, and the orientation in its place of a position: flips are moved down at the end.
            let painted = _mm256_or_si256(_mm256_shuffle_epi8(paint, p), _mm256_and_si256(p, orientation));
            let sum = _mm256_add_epi8(_mm256_shuffle_epi8(painted, m), _mm256_and_si256(m, orientation));
            let modulus = _mm256_setr_m128i(_mm_set1_epi8(0x20), _mm_set1_epi8(0x30));
            let turned = wrap(sum, modulus);
            let slots = _mm256_castsi256_si128(turned);
            let flips = _mm_srli_epi16::<2>(_mm_and_si128(slots, _mm_set1_epi8(0x10)));
            let slices = _mm_and_si128(slots, _mm_set1_epi8(3));
            _mm_store_si128((&raw mut *edges).cast(), _mm_or_si128(slices, flips));
            let (tetrads, twists) = tetrads_and_twists(turned);
            let base = self.tables.tetrad_bases[(tetrads >> 16 & 0xff) as usize];
            base + _mm_cvtsi128_si32(_mm256_extracti128_si256::<1>(twists)) as u32
        }
    }

    #[inline(always)]
    unsafe fn places(self, edges: [&EdgePainting; 2], corners: [u32; 2], layout: Layout) -> [Place; 2] {
        // SAFETY: `self` proves AVX2; an `EdgeMap` is three times 16 bytes; the rest by the contract of the trait.
        unsafe {
            let (low_class, low) = self.class_and_map(corners[0]);
            let (high_class, high) = self.class_and_map(corners[1]);
            let edges = load_pair(edges[0].0.as_ptr(), edges[1].0.as_ptr());
            let moved = _mm256_shuffle_epi8(edges, load_pair((*low).from.as_ptr(), (*high).from.as_ptr()));
            let relabel = load_pair((*low).relabel.as_ptr(), (*high).relabel.as_ptr());
            let flips = load_pair((*low).flips.as_ptr(), (*high).flips.as_ptr());
            let mapped = _mm256_xor_si256(_mm256_shuffle_epi8(relabel, moved), flips);
            let [first, second] = self.offsets_of_lanes(mapped, layout);
            [layout.place(low_class, first), layout.place(high_class, second)]
        }
    }

    #[inline(always)]
    fn prefetch_class(self, corners: u32) {
        prefetch(self.classes.wrapping_add(corners as usize));
    }

    #[inline(always)]
    unsafe fn mark(self, map: &EdgeMap, paintings: &[u64], layout: Layout, bitmap: &mut [u64]) {
        assert!(bitmap.len() * 64 >= PLACEMENTS << layout.kept_flips);
        let mut batch = Batch::EMPTY;
        // SAFETY: `self` proves AVX2; every array of the map is 16 bytes long; the paintings are placements by the contract
        // of the trait, and the bitmap is large enough.
        unsafe {
            let map = [load_twice(&map.from), load_twice(&map.relabel), load_twice(&map.flips)];
            for paintings in paintings.chunks(Batch::SIZE) {
                match paintings.try_into() {
                    Ok(whole) => map_batch(map, whole, &mut batch),
                    Err(_) => map_batch(map, &padded(paintings), &mut batch),
                }
                batch.set_bits(paintings.len().div_ceil(4), self.ranks, layout, bitmap);
            }
        }
    }
}

// Closures are compiled without the features of the function they stand in, so these small steps are functions.

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

/// Maps paintings given by their nibbles.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn map_batch(map: [__m256i; 3], paintings: &[u64; Batch::SIZE], batch: &mut Batch) {
    for first in (0..Batch::SIZE).step_by(2) {
        // SAFETY: by the contract of this function; what is read and written lies in the arrays.
        unsafe {
            let painted = unpack_nibbles(_mm_loadu_si128((&raw const paintings[first]).cast()));
            let mapped = mapped(map, painted);
            let flips = _mm256_movemask_epi8(mapped) as u32;
            (&raw mut batch.flips[first]).cast::<u32>().write_unaligned(flips);
            _mm256_store_si256((&raw mut batch.halves[first]).cast(), halves(mapped));
        }
    }
}

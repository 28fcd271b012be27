//! The kernel with AVX-512: four paintings a register.

use super::marks::{Batch, padded};
use super::{Avx2, Kernel, NEIGHBOURS, Work};
use crate::coord::{EdgeMap, EdgePainting, Layout, PLACEMENTS, Place, PlacementRanks, placement_ranks};
use crate::cube::{Cube, Move};
use std::arch::x86_64::*;

/// Proof that this machine has AVX-512 with byte shuffles (VBMI) and dot products (VNNI).
#[derive(Clone, Copy)]
pub(super) struct Avx512 {
    avx2: Avx2,
    ranks: &'static PlacementRanks,
}

impl Avx512 {
    /// The kernel, if this machine can run it.
    pub fn detect() -> Option<Avx512> {
        let able = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vnni");
        able.then(Avx2::detect).flatten().map(|avx2| Avx512 { avx2, ranks: placement_ranks() })
    }

    /// Runs a loop compiled for these instructions.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vnni,avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter<W: Work>(kernel: Avx512, work: W) -> W::Output {
            work.run(kernel)
        }
        // SAFETY: an `Avx512` exists only where `detect` found the features.
        unsafe { enter(self, work) }
    }
}

impl Kernel for Avx512 {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        self.avx2.compose(a, b)
    }

    #[inline(always)]
    fn across(self, q: &Cube, edges: &mut [EdgePainting; NEIGHBOURS], corners: &mut [u32; NEIGHBOURS]) {
        self.avx2.across(q, edges, corners);
    }

    #[inline(always)]
    fn ahead(self, p: &Cube, m: Move, edges: &mut EdgePainting) -> u32 {
        self.avx2.ahead(p, m, edges)
    }

    #[inline(always)]
    unsafe fn places(self, edges: [&EdgePainting; 2], corners: [u32; 2], layout: Layout) -> [Place; 2] {
        // SAFETY: the contract is the same.
        unsafe { self.avx2.places(edges, corners, layout) }
    }

    #[inline(always)]
    fn prefetch_class(self, corners: u32) {
        self.avx2.prefetch_class(corners);
    }

    #[inline(always)]
    unsafe fn mark(self, map: &EdgeMap, paintings: &[u64], layout: Layout, bitmap: &mut [u64]) {
        assert!(bitmap.len() * 64 >= PLACEMENTS << layout.kept_flips);
        let mut batch = Batch::EMPTY;
        // SAFETY: `self` proves the features; the paintings are placements by the contract of the trait, and the bitmap is
        // large enough.
        unsafe {
            let map = WideMap::new(map);
            for paintings in paintings.chunks(Batch::SIZE) {
                match paintings.try_into() {
                    Ok(whole) => map.apply(whole, &mut batch),
                    Err(_) => map.apply(&padded(paintings), &mut batch),
                }
                batch.set_bits(paintings.len().div_ceil(4), self.ranks, layout, bitmap);
            }
        }
    }
}

/// An [`EdgeMap`] for four paintings at once.
struct WideMap {
    /// For each byte, the bit where the nibble of its slot starts.
    select: __m512i,
    relabel: __m512i,
    flips: __m512i,
}

/// The weights of the slots of each half as digits to the base three; two bytes of padding stand on either side.
const WEIGHTS: [u8; 16] = [0, 0, 1, 3, 9, 27, 81, 243, 1, 3, 9, 27, 81, 243, 0, 0];

impl WideMap {
    /// # Safety
    /// The machine must have AVX-512 with BW.
    #[inline(always)]
    unsafe fn new(map: &EdgeMap) -> WideMap {
        // SAFETY: by the contract of this function.
        unsafe {
            let from = _mm512_and_si512(load_four(&map.from), _mm512_set1_epi8(0x0f));
            WideMap {
                select: _mm512_slli_epi16::<2>(from),
                relabel: load_four(&map.relabel),
                flips: load_four(&map.flips),
            }
        }
    }

    /// Maps paintings given by their nibbles.
    ///
    /// # Safety
    /// The machine must have AVX-512 with BW, VBMI and VNNI.
    #[inline(always)]
    unsafe fn apply(&self, paintings: &[u64; Batch::SIZE], batch: &mut Batch) {
        // SAFETY: by the contract of this function; what is read and written lies in the arrays.
        unsafe {
            let twice = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            for first in (0..Batch::SIZE).step_by(4) {
                let four = _mm256_loadu_si256((&raw const paintings[first]).cast());
                let four = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(four));
                // A nibble with the lower half of its neighbour above: six bits that a byte permutation reads, and as the
                // relabelling stands there four times, the neighbour does not matter.
                let nibbles = _mm512_multishift_epi64_epi8(self.select, four);
                let mapped = _mm512_xor_si512(_mm512_permutexvar_epi8(nibbles, self.relabel), self.flips);
                let flips = _mm512_movepi8_mask(mapped);
                (&raw mut batch.flips[first]).cast::<u64>().write_unaligned(flips);
                let slices = _mm512_and_si512(mapped, _mm512_set1_epi8(3));
                let sums = _mm512_dpbusd_epi32(_mm512_setzero_si512(), load_four(&WEIGHTS), slices);
                let sums = _mm512_add_epi32(sums, _mm512_srli_epi64::<32>(sums));
                _mm512_store_si512((&raw mut batch.halves[first]).cast(), sums);
            }
        }
    }
}

/// The same 16 bytes in all four lanes.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn load_four(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: by the contract of this function.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

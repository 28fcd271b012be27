//! Marking the placements of many paintings in a bitmap, for the generation of tables.

use super::Avx512;
use crate::coord::{EdgeMap, EdgePainting, Layout, PLACEMENTS};
use std::arch::x86_64::*;

/// Implements [`Kernel::mark`](super::Kernel::mark).
#[inline(always)]
pub(super) fn mark(
    kernel: Avx512,
    map: &EdgeMap,
    paintings: &[EdgePainting],
    layout: Layout,
    bitmap: &mut [u64],
) {
    assert!(bitmap.len() * 64 >= PLACEMENTS << layout.kept_flips);
    let mut batch = PaintingBatch::EMPTY;
    // SAFETY: `kernel` proves the instructions. Whatever the paintings, a placement is less than
    // `PLACEMENTS` (`rank_of_others`) and an offset keeps `kept_flips` bits below it, so it is less
    // than `PLACEMENTS << kept_flips`; the bitmap has a bit for each.
    unsafe {
        let map = WideMap::new(map);
        for paintings in paintings.chunks(BATCH) {
            match paintings.try_into() {
                Ok(whole) => map.apply(whole, &mut batch),
                Err(_) => map.apply(&padded(paintings), &mut batch),
            }
            for i in 0..paintings.len() {
                let (ones, twos) = (u32::from(batch.ones[i]), u32::from(batch.twos[i]));
                let others = _pext_u32(twos, ones ^ 0xfff);
                let placement = kernel.avx2.tables.ranks.rank_of_others(ones, others);
                let offset = layout.offset(placement, u32::from(batch.flips[i]));
                *bitmap.get_unchecked_mut(offset as usize / 64) |= 1 << (offset % 64);
            }
        }
    }
}

/// Number of paintings that are mapped before the first of them is ranked and marked. If they were
/// processed four by four, each step would wait for the stores of the previous one.
const BATCH: usize = 32;

/// Mapped paintings: the slots of slices 1 and 2, and the flips, a bit a slot.
struct PaintingBatch {
    ones: [u16; BATCH],
    twos: [u16; BATCH],
    flips: [u16; BATCH],
}

impl PaintingBatch {
    const EMPTY: PaintingBatch = PaintingBatch {
        ones: [0; BATCH],
        twos: [0; BATCH],
        flips: [0; BATCH],
    };
}

/// An [`EdgeMap`] for four paintings at once.
struct WideMap {
    /// For each byte, the bit where the nibble of its slot starts.
    select: __m512i,
    relabel: __m512i,
    flips: __m512i,
}

impl WideMap {
    /// # Safety
    /// The machine must have AVX-512 with BW.
    #[inline(always)]
    unsafe fn new(map: &EdgeMap) -> WideMap {
        // SAFETY: by the contract of this function.
        unsafe {
            // Past the twelfth slot a painting has a slot of zeros.
            let from = _mm512_min_epu8(load_four(&map.from), _mm512_set1_epi8(12));
            let select = _mm512_slli_epi16::<2>(from);
            WideMap {
                select,
                relabel: load_four(&map.relabel),
                flips: load_four(&map.flips),
            }
        }
    }

    /// Maps paintings.
    ///
    /// # Safety
    /// The machine must have AVX-512 with BW and VBMI.
    #[inline(always)]
    unsafe fn apply(&self, paintings: &[EdgePainting; BATCH], batch: &mut PaintingBatch) {
        // SAFETY: by the contract of this function; four paintings from `first` on lie in the
        // arrays.
        unsafe {
            let twice = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            for first in (0..BATCH).step_by(4) {
                let four = _mm256_loadu_si256(paintings.as_ptr().add(first).cast());
                let four = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(four));
                // Eight bits from the start of each nibble, of which the permutation reads six;
                // `relabel` holds its 16 bytes four times, so the upper two of these have no
                // effect.
                let nibbles = _mm512_multishift_epi64_epi8(self.select, four);
                let mapped =
                    _mm512_xor_si512(_mm512_permutexvar_epi8(nibbles, self.relabel), self.flips);
                let ones = _mm512_test_epi8_mask(mapped, _mm512_set1_epi8(1 << 1));
                let twos = _mm512_test_epi8_mask(mapped, _mm512_set1_epi8(1 << 2));
                batch
                    .ones
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(ones);
                batch
                    .twos
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(twos);
                batch
                    .flips
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(_mm512_movepi8_mask(mapped));
            }
        }
    }
}

/// Up to [`BATCH`] paintings, filled up with empty ones.
fn padded(paintings: &[EdgePainting]) -> [EdgePainting; BATCH] {
    let mut padded = [EdgePainting(0); BATCH];
    padded[..paintings.len()].copy_from_slice(paintings);
    padded
}

/// Loads 16 bytes into all four lanes.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn load_four(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: by the contract of this function.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

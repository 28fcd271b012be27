//! AVX2, with BMI2, whose `pext` finds the bits of one set among those of another.

use super::Vector;
use crate::coord::PlacementRanks;
use crate::kernel::operations::{Kernel, Work};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Avx2Vector(__m256i);

/// Proof that this machine has AVX2, BMI1, BMI2, LZCNT and POPCNT: only `detect` makes it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct HasAvx2(());

/// A vector made of others, or in a function that has a proof, by instructions that touch no
/// memory.
macro_rules! with_avx2 {
    ($($a:ident = $vector:expr),* => $register:expr) => {{
        $(let $a = $vector.0;)*
        // SAFETY: a vector, or the proof that one is made with, exists only where `detect` found
        // AVX2; nothing else is required of these instructions.
        Self(unsafe { $register })
    }};
}

impl Vector for Avx2Vector {
    const NAME: &'static str = "avx2";
    type Proof = HasAvx2;

    fn detect() -> Option<HasAvx2> {
        let has_features = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_features.then_some(HasAvx2(()))
    }

    fn enter<K: Kernel, W: Work>(_: HasAvx2, kernel: K, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn enter<K: Kernel, W: Work>(kernel: K, work: W) -> W::Output {
            work.run(kernel)
        }
        // SAFETY: the proof exists only where `detect` found the features.
        unsafe { enter(kernel, work) }
    }

    #[inline(always)]
    fn lanes(_: HasAvx2, low: &[u8; 16], high: &[u8; 16]) -> Self {
        // SAFETY: the proof; sixteen bytes are read at each address, which need no alignment.
        Self(unsafe { _mm256_loadu2_m128i(high.as_ptr().cast(), low.as_ptr().cast()) })
    }

    #[inline(always)]
    fn from_numbers(_: HasAvx2, [a, b, c, d]: [u64; 4]) -> Self {
        with_avx2!(=> _mm256_setr_epi64x(a as i64, b as i64, c as i64, d as i64))
    }

    #[inline(always)]
    fn widened(_: HasAvx2, [low, high]: [u64; 2]) -> Self {
        with_avx2!(=> _mm256_cvtepu8_epi16(_mm_set_epi64x(high as i64, low as i64)))
    }

    #[inline(always)]
    fn rank(_: HasAvx2, ranks: &PlacementRanks, ones: u32, twos: u32) -> u32 {
        // SAFETY: the proof.
        ranks.rank_of_others(ones, unsafe { _pext_u32(twos, ones ^ 0xfff) })
    }

    #[inline(always)]
    fn bytes(self) -> [[u8; 16]; 2] {
        let mut bytes = [[0; 16]; 2];
        // SAFETY: a vector exists only where AVX2 does; 32 bytes are written, at any address.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) };
        bytes
    }

    #[inline(always)]
    fn numbers(self) -> [u64; 4] {
        let mut numbers = [0; 4];
        // SAFETY: a vector exists only where AVX2 does; 32 bytes are written, at any address.
        unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), self.0) };
        numbers
    }

    binary! {
        with_avx2:
        and _mm256_and_si256,
        or _mm256_or_si256,
        xor _mm256_xor_si256,
        add _mm256_add_epi8,
        subtract _mm256_sub_epi8,
        min _mm256_min_epu8,
        shuffle _mm256_shuffle_epi8,
        // The instruction reads the low four bits alone.
        shuffle_by_low_bits _mm256_shuffle_epi8,
        narrow _mm256_packus_epi16,
        dot _mm256_madd_epi16,
        greater _mm256_cmpgt_epi8,
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Self {
        with_avx2!(a = self => _mm256_slli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Self {
        with_avx2!(a = self => _mm256_srli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn pair_sums<const WEIGHT: i16>(self) -> Self {
        with_avx2!(a = self => _mm256_maddubs_epi16(a, _mm256_set1_epi16(WEIGHT << 8 | 1)))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        // SAFETY: a vector exists only where AVX2 does.
        unsafe { _mm256_movemask_epi8(self.0) as u32 }
    }
}

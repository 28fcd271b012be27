//! SSSE3, for x86-64 without AVX2. On newer machines, it lets the tests run vectors of two
//! registers.

use super::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Ssse3Vector([__m128i; 2]);

/// Proof that this machine has SSSE3: only `detect` makes it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct HasSsse3(());

/// A vector made of others by instructions that touch no memory.
macro_rules! with_ssse3 {
    ($($a:ident = $vector:expr),* => $register:expr) => {
        // SAFETY: a vector, or the proof that one is made with, exists only where `detect` found
        // SSSE3; nothing else is required of these instructions.
        in_each!($($a = $vector),* => unsafe { $register })
    };
}

impl Vector for Ssse3Vector {
    const NAME: &'static str = "ssse3";
    type Proof = HasSsse3;

    fn detect() -> Option<HasSsse3> {
        is_x86_feature_detected!("ssse3").then_some(HasSsse3(()))
    }

    fn enter<K: Kernel, W: Work>(_: HasSsse3, kernel: K, work: W) -> W::Output {
        #[target_feature(enable = "ssse3")]
        fn enter<K: Kernel, W: Work>(kernel: K, work: W) -> W::Output {
            work.run(kernel)
        }
        // SAFETY: the proof exists only where `detect` found SSSE3.
        unsafe { enter(kernel, work) }
    }

    #[inline(always)]
    fn lanes(_: HasSsse3, low: &[u8; 16], high: &[u8; 16]) -> Self {
        // SAFETY: every machine of this kind has SSE2; sixteen bytes are read, at any address.
        Self([low, high].map(|bytes| unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn from_numbers(_: HasSsse3, [a, b, c, d]: [u64; 4]) -> Self {
        // SAFETY: every machine of this kind has SSE2.
        unsafe {
            Self([
                _mm_set_epi64x(b as i64, a as i64),
                _mm_set_epi64x(d as i64, c as i64),
            ])
        }
    }

    #[inline(always)]
    fn widened(proof: HasSsse3, [low, high]: [u64; 2]) -> Self {
        let numbers = Self::from_numbers(proof, [low, 0, high, 0]);
        with_ssse3!(a = numbers => _mm_unpacklo_epi8(a, _mm_setzero_si128()))
    }

    #[inline(always)]
    fn bytes(self) -> [[u8; 16]; 2] {
        let mut bytes = [[0; 16]; 2];
        for (bytes, register) in bytes.iter_mut().zip(self.0) {
            // SAFETY: every machine of this kind has SSE2; sixteen bytes are written, at any
            // address.
            unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), register) };
        }
        bytes
    }

    #[inline(always)]
    fn numbers(self) -> [u64; 4] {
        let [low, high] = self.0;
        // SAFETY: every machine of this kind has SSE2.
        unsafe {
            [
                low,
                _mm_unpackhi_epi64(low, low),
                high,
                _mm_unpackhi_epi64(high, high),
            ]
        }
        .map(|register| unsafe { _mm_cvtsi128_si64(register) as u64 })
    }

    binary! {
        with_ssse3:
        and _mm_and_si128,
        or _mm_or_si128,
        xor _mm_xor_si128,
        add _mm_add_epi8,
        subtract _mm_sub_epi8,
        min _mm_min_epu8,
        shuffle _mm_shuffle_epi8,
        // The instruction reads the low four bits alone.
        shuffle_by_low_bits _mm_shuffle_epi8,
        narrow _mm_packus_epi16,
        dot _mm_madd_epi16,
        greater _mm_cmpgt_epi8,
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Self {
        with_ssse3!(a = self => _mm_slli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Self {
        with_ssse3!(a = self => _mm_srli_epi16::<BITS>(a))
    }

    #[inline(always)]
    fn pair_sums<const WEIGHT: i16>(self) -> Self {
        with_ssse3!(a = self => _mm_maddubs_epi16(a, _mm_set1_epi16(WEIGHT << 8 | 1)))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        let [low, high] = self.0;
        // SAFETY: every machine of this kind has SSE2.
        unsafe { (_mm_movemask_epi8(low) | _mm_movemask_epi8(high) << 16) as u32 }
    }
}

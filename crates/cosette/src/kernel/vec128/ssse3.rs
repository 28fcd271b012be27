//! SSSE3: x86-64 without AVX2, and the tests of this kernel on machines with it.

use super::vector::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::x86_64::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Native(__m128i);

/// Proof that this machine has SSSE3: only `detect` makes it.
#[derive(Clone, Copy)]
pub(in crate::kernel) struct HasSsse3(());

/// An expression of instructions that the machine is known to have.
macro_rules! with_ssse3 {
    ($vector:expr) => {
        // SAFETY: a vector, or the proof that one is made with, exists only where `detect` found SSSE3; nothing else is
        // required of these instructions.
        Native(unsafe { $vector })
    };
}

impl Vector for Native {
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
    fn load(_: HasSsse3, bytes: &[u8; 16]) -> Native {
        // SAFETY: every machine of this kind has SSE2; sixteen bytes are read, at any address.
        Native(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn pair(_: HasSsse3, low: u64, high: u64) -> Native {
        with_ssse3!(_mm_set_epi64x(high as i64, low as i64))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: every machine of this kind has SSE2; sixteen bytes are written, at any address.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), self.0) };
        bytes
    }

    #[inline(always)]
    fn low(self) -> u64 {
        // SAFETY: every machine of this kind has SSE2.
        unsafe { _mm_cvtsi128_si64(self.0) as u64 }
    }

    #[inline(always)]
    fn high(self) -> u64 {
        with_ssse3!(_mm_unpackhi_epi64(self.0, self.0)).low()
    }

    #[inline(always)]
    fn and(self, other: Native) -> Native {
        with_ssse3!(_mm_and_si128(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Native) -> Native {
        with_ssse3!(_mm_or_si128(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Native) -> Native {
        with_ssse3!(_mm_xor_si128(self.0, other.0))
    }

    #[inline(always)]
    fn add(self, other: Native) -> Native {
        with_ssse3!(_mm_add_epi8(self.0, other.0))
    }

    #[inline(always)]
    fn subtract(self, other: Native) -> Native {
        with_ssse3!(_mm_sub_epi8(self.0, other.0))
    }

    #[inline(always)]
    fn least(self, other: Native) -> Native {
        with_ssse3!(_mm_min_epu8(self.0, other.0))
    }

    #[inline(always)]
    fn shuffle(self, indices: Native) -> Native {
        with_ssse3!(_mm_shuffle_epi8(self.0, indices.0))
    }

    /// The instruction reads the low four bits alone.
    #[inline(always)]
    fn shuffle_by_low_bits(self, indices: Native) -> Native {
        self.shuffle(indices)
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Native {
        with_ssse3!(_mm_slli_epi16::<BITS>(self.0))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Native {
        with_ssse3!(_mm_srli_epi16::<BITS>(self.0))
    }

    #[inline(always)]
    fn widen_low(self) -> Native {
        with_ssse3!(_mm_unpacklo_epi8(self.0, _mm_setzero_si128()))
    }

    #[inline(always)]
    fn narrow(self, other: Native) -> Native {
        with_ssse3!(_mm_packus_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn multiply(self, other: Native) -> Native {
        with_ssse3!(_mm_mullo_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn dot(self, other: Native) -> Native {
        with_ssse3!(_mm_madd_epi16(self.0, other.0))
    }

    #[inline(always)]
    fn greater(self, other: Native) -> Native {
        with_ssse3!(_mm_cmpgt_epi8(self.0, other.0))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        // SAFETY: every machine of this kind has SSE2.
        unsafe { _mm_movemask_epi8(self.0) as u32 }
    }
}

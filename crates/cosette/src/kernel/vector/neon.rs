//! NEON, which every AArch64 machine has.

use super::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::aarch64::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct NeonVector([uint8x16_t; 2]);

/// A vector made of others by instructions on their registers.
macro_rules! neon {
    ($($a:ident = $vector:expr),* => $register:expr) => {
        // SAFETY: every machine of this kind has NEON; nothing else is required of these
        // instructions.
        in_each!($($a = $vector),* => unsafe { $register })
    };
}

/// A vector made of others by instructions on their parts of sixteen bits.
macro_rules! neon16 {
    ($a:ident = $vector:expr => $register:expr) => {
        neon!(a = $vector => { let $a = vreinterpretq_u16_u8(a); vreinterpretq_u8_u16($register) })
    };
}

impl Vector for NeonVector {
    const NAME: &'static str = "neon";
    type Proof = ();

    fn detect() -> Option<()> {
        Some(())
    }

    fn enter<K: Kernel, W: Work>(_: (), kernel: K, work: W) -> W::Output {
        work.run(kernel)
    }

    #[inline(always)]
    fn lanes(_: (), low: &[u8; 16], high: &[u8; 16]) -> Self {
        // SAFETY: every machine of this kind has NEON; sixteen bytes are read, at any address.
        Self([low, high].map(|bytes| unsafe { vld1q_u8(bytes.as_ptr()) }))
    }

    #[inline(always)]
    fn from_numbers(_: (), [a, b, c, d]: [u64; 4]) -> Self {
        // SAFETY: every machine of this kind has NEON.
        Self([[a, b], [c, d]].map(|[low, high]| unsafe {
            vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high)))
        }))
    }

    #[inline(always)]
    fn widened(_: (), numbers: [u64; 2]) -> Self {
        // SAFETY: every machine of this kind has NEON.
        Self(numbers.map(|number| unsafe { vreinterpretq_u8_u16(vmovl_u8(vcreate_u8(number))) }))
    }

    #[inline(always)]
    fn bytes(self) -> [[u8; 16]; 2] {
        let mut bytes = [[0; 16]; 2];
        for (bytes, register) in bytes.iter_mut().zip(self.0) {
            // SAFETY: every machine of this kind has NEON; sixteen bytes are written, at any
            // address.
            unsafe { vst1q_u8(bytes.as_mut_ptr(), register) };
        }
        bytes
    }

    #[inline(always)]
    fn numbers(self) -> [u64; 4] {
        // SAFETY: every machine of this kind has NEON.
        let [low, high] = self
            .0
            .map(|register| unsafe { vreinterpretq_u64_u8(register) });
        // SAFETY: the same.
        unsafe {
            [
                vgetq_lane_u64::<0>(low),
                vgetq_lane_u64::<1>(low),
                vgetq_lane_u64::<0>(high),
                vgetq_lane_u64::<1>(high),
            ]
        }
    }

    binary! {
        neon:
        and vandq_u8,
        or vorrq_u8,
        xor veorq_u8,
        add vaddq_u8,
        subtract vsubq_u8,
        min vminq_u8,
        shuffle vqtbl1q_u8,
        narrow vuzp1q_u8,
    }

    #[inline(always)]
    fn shuffle_by_low_bits(self, indices: Self) -> Self {
        neon!(a = self, b = indices => vqtbl1q_u8(a, vandq_u8(b, vdupq_n_u8(0x0f))))
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Self {
        neon16!(a = self => vshlq_n_u16::<BITS>(a))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Self {
        neon16!(a = self => vshrq_n_u16::<BITS>(a))
    }

    /// The product with 256 + weight is 256 · (low + weight · high) + weight · low, modulo 2¹⁶; the
    /// second term is below 256.
    #[inline(always)]
    fn pair_sums<const WEIGHT: i16>(self) -> Self {
        neon16!(a = self => vshrq_n_u16::<8>(vmulq_u16(a, vdupq_n_u16(0x100 + WEIGHT as u16))))
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Self {
        neon!(a = self, b = other => {
            let a = vreinterpretq_s16_u8(a);
            let b = vreinterpretq_s16_u8(b);
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vreinterpretq_u8_s32(vpaddq_s32(low, vmull_high_s16(a, b)))
        })
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        neon!(a = self, b = other => vcgtq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
    }

    /// NEON has no instruction for this. Byte i keeps bit i modulo 8, and three rounds of pairwise
    /// sums join eight bytes.
    #[inline(always)]
    fn top_bits(self) -> u32 {
        const BIT_OF_NUMBER: u64 = 0x8040_2010_0804_0201;
        // SAFETY: every machine of this kind has NEON.
        unsafe {
            let bits = vreinterpretq_u8_u64(vdupq_n_u64(BIT_OF_NUMBER));
            let [low, high] = self
                .0
                .map(|register| vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(register)), bits));
            let mut sums = vpaddq_u8(low, high);
            for _ in 0..2 {
                sums = vpaddq_u8(sums, sums);
            }
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(sums))
        }
    }
}

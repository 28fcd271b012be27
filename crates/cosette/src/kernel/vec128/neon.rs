//! NEON, which every machine of the kind AArch64 has.

use super::vector::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::aarch64::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Native(uint8x16_t);

/// An expression of instructions, in lanes of eight bits.
macro_rules! neon {
    ($vector:expr) => {
        // SAFETY: every machine of this kind has NEON; nothing else is required of these instructions.
        Native(unsafe { $vector })
    };
}

/// The same in lanes of sixteen bits.
macro_rules! neon16 {
    ($vector:expr) => {
        // SAFETY: every machine of this kind has NEON; nothing else is required of these instructions.
        Native(unsafe { vreinterpretq_u8_u16($vector) })
    };
}

impl Native {
    #[inline(always)]
    fn lanes16(self) -> uint16x8_t {
        // SAFETY: every machine of this kind has NEON.
        unsafe { vreinterpretq_u16_u8(self.0) }
    }
}

impl Vector for Native {
    const NAME: &'static str = "neon";
    type Proof = ();

    fn detect() -> Option<()> {
        Some(())
    }

    fn enter<K: Kernel, W: Work>(_: (), kernel: K, work: W) -> W::Output {
        work.run(kernel)
    }

    #[inline(always)]
    fn load(_: (), bytes: &[u8; 16]) -> Native {
        // SAFETY: every machine of this kind has NEON; sixteen bytes are read, at any address.
        Native(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn pair(_: (), low: u64, high: u64) -> Native {
        neon!(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(low), vcreate_u64(high))))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: every machine of this kind has NEON; sixteen bytes are written, at any address.
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self.0) };
        bytes
    }

    #[inline(always)]
    fn low(self) -> u64 {
        // SAFETY: every machine of this kind has NEON.
        unsafe { vgetq_lane_u64::<0>(vreinterpretq_u64_u8(self.0)) }
    }

    #[inline(always)]
    fn high(self) -> u64 {
        // SAFETY: every machine of this kind has NEON.
        unsafe { vgetq_lane_u64::<1>(vreinterpretq_u64_u8(self.0)) }
    }

    #[inline(always)]
    fn and(self, other: Native) -> Native {
        neon!(vandq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Native) -> Native {
        neon!(vorrq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Native) -> Native {
        neon!(veorq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn add(self, other: Native) -> Native {
        neon!(vaddq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn subtract(self, other: Native) -> Native {
        neon!(vsubq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn least(self, other: Native) -> Native {
        neon!(vminq_u8(self.0, other.0))
    }

    #[inline(always)]
    fn shuffle(self, indices: Native) -> Native {
        neon!(vqtbl1q_u8(self.0, indices.0))
    }

    #[inline(always)]
    fn shuffle_by_low_bits(self, indices: Native) -> Native {
        neon!(vqtbl1q_u8(self.0, vandq_u8(indices.0, vdupq_n_u8(0x0f))))
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Native {
        neon16!(vshlq_n_u16::<BITS>(self.lanes16()))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Native {
        neon16!(vshrq_n_u16::<BITS>(self.lanes16()))
    }

    #[inline(always)]
    fn widen_low(self) -> Native {
        neon16!(vmovl_u8(vget_low_u8(self.0)))
    }

    #[inline(always)]
    fn narrow(self, other: Native) -> Native {
        neon!(vuzp1q_u8(self.0, other.0))
    }

    #[inline(always)]
    fn multiply(self, other: Native) -> Native {
        neon16!(vmulq_u16(self.lanes16(), other.lanes16()))
    }

    #[inline(always)]
    fn dot(self, other: Native) -> Native {
        // SAFETY: every machine of this kind has NEON.
        unsafe {
            let [a, b] = [self, other].map(|vector| vreinterpretq_s16_u8(vector.0));
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            Native(vreinterpretq_u8_s32(vpaddq_s32(low, vmull_high_s16(a, b))))
        }
    }

    #[inline(always)]
    fn greater(self, other: Native) -> Native {
        neon!(vcgtq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0)))
    }

    /// There is no such instruction: each byte keeps the bit of its number, and each eight of them are added.
    #[inline(always)]
    fn top_bits(self) -> u32 {
        const BIT_OF_NUMBER: u64 = 0x8040_2010_0804_0201;
        let bits = Native::pair((), BIT_OF_NUMBER, BIT_OF_NUMBER);
        // SAFETY: every machine of this kind has NEON.
        unsafe {
            let mut sums = vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(self.0)), bits.0);
            for _ in 0..3 {
                sums = vpaddq_u8(sums, sums);
            }
            u32::from(vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sums)))
        }
    }
}

//! The SIMD of WebAssembly. A module has it or has it not; nothing is detected at run time.

use super::vector::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::wasm32::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Native(v128);

impl Vector for Native {
    const NAME: &'static str = "simd128";
    type Proof = ();

    fn detect() -> Option<()> {
        Some(())
    }

    fn enter<K: Kernel, W: Work>(_: (), kernel: K, work: W) -> W::Output {
        work.run(kernel)
    }

    #[inline(always)]
    fn load(_: (), bytes: &[u8; 16]) -> Native {
        // SAFETY: sixteen bytes are read, which need no alignment. Put together from numbers, they would be loaded one by one.
        Native(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn pair(_: (), low: u64, high: u64) -> Native {
        Native(u64x2(low, high))
    }

    #[inline(always)]
    fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        // SAFETY: sixteen bytes are written, which need no alignment.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), self.0) };
        bytes
    }

    #[inline(always)]
    fn low(self) -> u64 {
        u64x2_extract_lane::<0>(self.0)
    }

    #[inline(always)]
    fn high(self) -> u64 {
        u64x2_extract_lane::<1>(self.0)
    }

    #[inline(always)]
    fn and(self, other: Native) -> Native {
        Native(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Native) -> Native {
        Native(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Native) -> Native {
        Native(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn add(self, other: Native) -> Native {
        Native(u8x16_add(self.0, other.0))
    }

    #[inline(always)]
    fn subtract(self, other: Native) -> Native {
        Native(u8x16_sub(self.0, other.0))
    }

    #[inline(always)]
    fn least(self, other: Native) -> Native {
        Native(u8x16_min(self.0, other.0))
    }

    #[inline(always)]
    fn shuffle(self, indices: Native) -> Native {
        Native(u8x16_swizzle(self.0, indices.0))
    }

    #[inline(always)]
    fn shuffle_by_low_bits(self, indices: Native) -> Native {
        self.shuffle(Native(v128_and(indices.0, u8x16_splat(0x0f))))
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Native {
        Native(u16x8_shl(self.0, BITS as u32))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Native {
        Native(u16x8_shr(self.0, BITS as u32))
    }

    #[inline(always)]
    fn widen_low(self) -> Native {
        Native(u16x8_extend_low_u8x16(self.0))
    }

    #[inline(always)]
    fn narrow(self, other: Native) -> Native {
        Native(u8x16_narrow_i16x8(self.0, other.0))
    }

    #[inline(always)]
    fn multiply(self, other: Native) -> Native {
        Native(u16x8_mul(self.0, other.0))
    }

    #[inline(always)]
    fn dot(self, other: Native) -> Native {
        Native(i32x4_dot_i16x8(self.0, other.0))
    }

    #[inline(always)]
    fn greater(self, other: Native) -> Native {
        Native(i8x16_gt(self.0, other.0))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        u32::from(u8x16_bitmask(self.0))
    }
}

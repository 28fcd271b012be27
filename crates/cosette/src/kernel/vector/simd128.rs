//! The SIMD instructions of WebAssembly. A module is compiled with or without them; nothing is
//! detected at run time.

use super::Vector;
use crate::kernel::operations::{Kernel, Work};
use std::arch::wasm32::*;

#[derive(Clone, Copy)]
pub(in crate::kernel) struct Simd128Vector([v128; 2]);

impl Vector for Simd128Vector {
    const NAME: &'static str = "simd128";
    type Proof = ();

    fn detect() -> Option<()> {
        Some(())
    }

    fn enter<K: Kernel, W: Work>(_: (), kernel: K, work: W) -> W::Output {
        work.run(kernel)
    }

    #[inline(always)]
    fn lanes(_: (), low: &[u8; 16], high: &[u8; 16]) -> Self {
        // SAFETY: sixteen bytes are read, which need no alignment. If the vector were put together
        // from numbers, the bytes would be loaded one by one.
        Self([low, high].map(|bytes| unsafe { v128_load(bytes.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn from_numbers(_: (), [a, b, c, d]: [u64; 4]) -> Self {
        Self([u64x2(a, b), u64x2(c, d)])
    }

    #[inline(always)]
    fn widened(_: (), numbers: [u64; 2]) -> Self {
        Self(numbers.map(|number| u16x8_extend_low_u8x16(u64x2(number, 0))))
    }

    #[inline(always)]
    fn bytes(self) -> [[u8; 16]; 2] {
        let mut bytes = [[0; 16]; 2];
        for (bytes, register) in bytes.iter_mut().zip(self.0) {
            // SAFETY: sixteen bytes are written, which need no alignment.
            unsafe { v128_store(bytes.as_mut_ptr().cast(), register) };
        }
        bytes
    }

    #[inline(always)]
    fn numbers(self) -> [u64; 4] {
        let [low, high] = self.0;
        [
            u64x2_extract_lane::<0>(low),
            u64x2_extract_lane::<1>(low),
            u64x2_extract_lane::<0>(high),
            u64x2_extract_lane::<1>(high),
        ]
    }

    binary! {
        in_each:
        and v128_and,
        or v128_or,
        xor v128_xor,
        add u8x16_add,
        subtract u8x16_sub,
        min u8x16_min,
        shuffle u8x16_swizzle,
        narrow u8x16_narrow_i16x8,
        dot i32x4_dot_i16x8,
        greater i8x16_gt,
    }

    #[inline(always)]
    fn shuffle_by_low_bits(self, indices: Self) -> Self {
        in_each!(a = self, b = indices => u8x16_swizzle(a, v128_and(b, u8x16_splat(0x0f))))
    }

    #[inline(always)]
    fn shift_up<const BITS: i32>(self) -> Self {
        in_each!(a = self => u16x8_shl(a, BITS as u32))
    }

    #[inline(always)]
    fn shift_down<const BITS: i32>(self) -> Self {
        in_each!(a = self => u16x8_shr(a, BITS as u32))
    }

    /// The product with 256 + weight is 256 · (low + weight · high) + weight · low, modulo 2¹⁶; the
    /// second term is below 256.
    #[inline(always)]
    fn pair_sums<const WEIGHT: i16>(self) -> Self {
        in_each!(a = self => u16x8_shr(i16x8_mul(a, i16x8_splat(0x100 + WEIGHT)), 8))
    }

    #[inline(always)]
    fn top_bits(self) -> u32 {
        let [low, high] = self.0.map(|register| u32::from(u8x16_bitmask(register)));
        low | high << 16
    }
}

//! Sixteen bytes in a register: what SSSE3, NEON and the SIMD of WebAssembly have in common.
//!
//! The kernel of 128 bits is written once over [`Vector`]; each set of instructions has a `Native` one here. A vector exists
//! only where its instructions do, for the first ones are made with a proof of them, and all others from those. So their
//! operations are safe to call.
//!
//! Sixteen-bit and 32-bit lanes are little-endian: the first byte of a lane is the lowest.

use crate::kernel::operations::{Kernel, Work};
#[cfg(target_arch = "aarch64")]
pub(in crate::kernel) use neon::Native;
#[cfg(target_arch = "wasm32")]
pub(in crate::kernel) use simd128::Native;
#[cfg(target_arch = "x86_64")]
pub(in crate::kernel) use ssse3::Native;

/// Sixteen bytes. Every operation must be `#[inline(always)]`, so that it is compiled for the instructions of the loop that it
/// stands in.
pub(in crate::kernel) trait Vector: Copy {
    /// What the instructions are called.
    const NAME: &'static str;

    /// Proof that this machine has the instructions.
    type Proof: Copy + Send + Sync;

    /// The proof, if this machine has them.
    fn detect() -> Option<Self::Proof>;

    /// Runs a loop compiled for these instructions.
    fn enter<K: Kernel, W: Work>(proof: Self::Proof, kernel: K, work: W) -> W::Output;

    fn load(proof: Self::Proof, bytes: &[u8; 16]) -> Self;

    /// Two numbers, the low one first.
    fn pair(proof: Self::Proof, low: u64, high: u64) -> Self;

    /// The same byte sixteen times.
    #[inline(always)]
    fn splat(proof: Self::Proof, byte: u8) -> Self {
        let bytes = u64::from_ne_bytes([byte; 8]);
        Self::pair(proof, bytes, bytes)
    }

    fn bytes(self) -> [u8; 16];

    fn low(self) -> u64;

    fn high(self) -> u64;

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn xor(self, other: Self) -> Self;

    /// The sum of each byte, modulo 256.
    fn add(self, other: Self) -> Self;

    /// The difference of each byte, modulo 256.
    fn subtract(self, other: Self) -> Self;

    /// The lesser of two bytes.
    fn least(self, other: Self) -> Self;

    /// Looks bytes up: byte i of the result is byte `indices[i]` of this vector. Each index is below 16, or has its top bit set,
    /// and then the byte is zero.
    fn shuffle(self, indices: Self) -> Self;

    /// Looks bytes up by the low four bits of each index, of which the top bit must be clear.
    fn shuffle_by_low_bits(self, indices: Self) -> Self;

    /// Shifts each sixteen bits up.
    fn shift_up<const BITS: i32>(self) -> Self;

    /// Shifts each sixteen bits down.
    fn shift_down<const BITS: i32>(self) -> Self;

    /// The low eight bytes, each in the low half of sixteen bits.
    fn widen_low(self) -> Self;

    /// The low bytes of the lanes of sixteen bits, of which the high bytes must be zero: first those of this vector, then those
    /// of `other`.
    fn narrow(self, other: Self) -> Self;

    /// The low sixteen bits of each product of lanes of sixteen bits.
    fn multiply(self, other: Self) -> Self;

    /// For each two lanes of sixteen bits the sum of their products as signed numbers, in 32 bits.
    fn dot(self, other: Self) -> Self;

    /// 0xff for each byte that is greater, as signed numbers; else 0.
    fn greater(self, other: Self) -> Self;

    /// The top bit of each byte.
    fn top_bits(self) -> u32;
}

/// The operations that are one instruction on two vectors, with what makes a vector of it.
macro_rules! of_two {
    ($native:ident: $($operation:ident $instruction:ident,)*) => {$(
        #[inline(always)]
        fn $operation(self, other: Native) -> Native {
            $native!($instruction(self.0, other.0))
        }
    )*};
}

/// SSSE3: x86-64 without AVX2, and the tests of this kernel on machines with it.
#[cfg(target_arch = "x86_64")]
mod ssse3 {
    use super::{Kernel, Vector, Work};
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

        of_two! {
            with_ssse3:
            and _mm_and_si128,
            or _mm_or_si128,
            xor _mm_xor_si128,
            add _mm_add_epi8,
            subtract _mm_sub_epi8,
            least _mm_min_epu8,
            narrow _mm_packus_epi16,
            multiply _mm_mullo_epi16,
            dot _mm_madd_epi16,
            greater _mm_cmpgt_epi8,
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
        fn top_bits(self) -> u32 {
            // SAFETY: every machine of this kind has SSE2.
            unsafe { _mm_movemask_epi8(self.0) as u32 }
        }
    }
}

/// NEON, which every machine of the kind AArch64 has.
#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{Kernel, Vector, Work};
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

        of_two! {
            neon:
            and vandq_u8,
            or vorrq_u8,
            xor veorq_u8,
            add vaddq_u8,
            subtract vsubq_u8,
            least vminq_u8,
            narrow vuzp1q_u8,
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
}

/// The SIMD of WebAssembly. A module has it or has it not; nothing is detected at run time.
#[cfg(target_arch = "wasm32")]
mod simd128 {
    use super::{Kernel, Vector, Work};
    use std::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub(in crate::kernel) struct Native(v128);

    /// A vector, as in the other modules: here nothing is unsafe.
    macro_rules! native {
        ($vector:expr) => {
            Native($vector)
        };
    }

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

        of_two! {
            native:
            and v128_and,
            or v128_or,
            xor v128_xor,
            add u8x16_add,
            subtract u8x16_sub,
            least u8x16_min,
            narrow u8x16_narrow_i16x8,
            multiply u16x8_mul,
            dot i32x4_dot_i16x8,
            greater i8x16_gt,
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
        fn top_bits(self) -> u32 {
            u32::from(u8x16_bitmask(self.0))
        }
    }
}

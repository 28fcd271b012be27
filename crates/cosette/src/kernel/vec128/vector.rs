//! Sixteen bytes in a register: what SSSE3, NEON and the SIMD of WebAssembly have in common.
//!
//! The kernel of 128 bits is written once over [`Vector`]; each set of instructions has its file here. A vector exists
//! only where its instructions do, for the first ones are made with a proof of them, and all others from those. So their
//! operations are safe to call.
//!
//! Sixteen-bit and 32-bit lanes are little-endian: the first byte of a lane is the lowest.

use crate::kernel::operations::{Kernel, Work};

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

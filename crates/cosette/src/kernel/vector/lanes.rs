//! Vectors of two lanes of sixteen bytes: the common interface of AVX2, SSSE3, NEON and the SIMD of
//! WebAssembly.
//!
//! The kernel of shuffles is written once over [`Vector`]; each set of instructions implements it
//! in a file of its own, AVX2 in one register and the others in two. A vector exists only where its
//! instructions do, for the first ones are made with a proof of them, and all others from those. So
//! their operations are safe to call.
//!
//! Numbers and their parts of sixteen and 32 bits are little-endian: the first byte is the lowest.

use crate::coord::PlacementRanks;
use crate::kernel::operations::{Kernel, Work};

/// Two lanes of sixteen bytes, or four numbers, the lowest first. Unsafe code relies on exact
/// results. Every operation must be `#[inline(always)]`, so that it is compiled for the
/// instructions of the loop that it stands in.
pub(in crate::kernel) trait Vector: Copy {
    /// Name of the instruction set.
    const NAME: &'static str;

    /// Proof that this machine has the instructions.
    type Proof: Copy + Send + Sync;

    /// Returns the proof, if this machine has them.
    fn detect() -> Option<Self::Proof>;

    /// Runs a loop compiled for these instructions.
    fn enter<K: Kernel, W: Work>(proof: Self::Proof, kernel: K, work: W) -> W::Output;

    fn lanes(proof: Self::Proof, low: &[u8; 16], high: &[u8; 16]) -> Self;

    fn of(proof: Self::Proof, numbers: [u64; 4]) -> Self;

    /// The bytes of two numbers, a lane each, as the low bytes of sixteen bits.
    fn widened(proof: Self::Proof, numbers: [u64; 2]) -> Self;

    /// The rank of the placement whose slices 1 and 2 fill these slots; AVX2 has an instruction
    /// instead of a table.
    #[inline(always)]
    fn rank(_: Self::Proof, ranks: &PlacementRanks, ones: u32, twos: u32) -> u32 {
        ranks.rank(ones, twos)
    }

    fn bytes(self) -> [[u8; 16]; 2];

    fn numbers(self) -> [u64; 4];

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    fn xor(self, other: Self) -> Self;

    /// The sums of the bytes in each place, modulo 256.
    fn add(self, other: Self) -> Self;

    /// Returns the differences of the bytes in each place, modulo 256.
    fn subtract(self, other: Self) -> Self;

    /// The lesser of the bytes in each place.
    fn least(self, other: Self) -> Self;

    /// Looks bytes up, in each lane: byte i of the result is byte `indices[i]` of the lane. Each
    /// index is below 16, or has its top bit set, and then the byte is zero.
    fn shuffle(self, indices: Self) -> Self;

    /// Looks bytes up like `shuffle`, by the low four bits of each index, of which the top bit must
    /// be clear.
    fn shuffle_by_low_bits(self, indices: Self) -> Self;

    /// Shifts each sixteen bits up.
    fn shift_up<const BITS: i32>(self) -> Self;

    /// Shifts each sixteen bits down.
    fn shift_down<const BITS: i32>(self) -> Self;

    /// For each sixteen bits the sum of the low byte, which must be at most 15, and `WEIGHT`, 1 to
    /// 16, times the high one; it must be below 256.
    fn pair_sums<const WEIGHT: i16>(self) -> Self;

    /// In each lane the low bytes of sixteen bits, of which the high bytes must be zero: first
    /// those of this vector, then those of `other`.
    fn narrow(self, other: Self) -> Self;

    /// For each two parts of sixteen bits the sum of their products as signed numbers, in 32 bits.
    fn dot(self, other: Self) -> Self;

    /// 0xff for each byte that is greater, as signed numbers; else 0.
    fn greater(self, other: Self) -> Self;

    /// Bit i is the top bit of byte i.
    fn top_bits(self) -> u32;
}

/// The operations of two vectors that are one instruction for each register, with the macro that
/// applies it.
macro_rules! binary {
    ($each:ident: $($operation:ident $instruction:ident,)*) => {$(
        #[inline(always)]
        fn $operation(self, other: Native) -> Native {
            $each!(a = self, b = other => $instruction(a, b))
        }
    )*};
}

/// A vector of two registers, each made of the registers of others by the same instructions.
macro_rules! in_each {
    ($a:ident = $first:expr => $register:expr) => {{
        let [low, high] = $first.0;
        Native([
            {
                let $a = low;
                $register
            },
            {
                let $a = high;
                $register
            },
        ])
    }};
    ($a:ident = $first:expr, $b:ident = $second:expr => $register:expr) => {{
        let ([low, high], [other_low, other_high]) = ($first.0, $second.0);
        Native([
            {
                let ($a, $b) = (low, other_low);
                $register
            },
            {
                let ($a, $b) = (high, other_high);
                $register
            },
        ])
    }};
}

pub(super) use {binary, in_each};

//! A line: eight words of 31 packed entries and their fallback.
//!
//! An entry is a code of two bits: 1, 2 and 3 mean base + 1, base + 2 and at least base + 3. Code 0 means "at most the
//! base value" and is answered by the *fallback* of its word: how far the least value among the 31 is below the base
//! value, 3 if it is three or more. Reading it costs no second access.
//!
//! ```text
//! bit 0                                                                 62     64
//!     | code of slot 0 | slot 1 | …                          | slot 30 | fallback |  eight times a line
//! ```

use crate::coord::{self, FALLBACK_SHIFT};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// How many entries a line holds.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;
/// How many entries a word holds.
pub(crate) const ENTRIES_PER_WORD: usize = coord::ENTRIES_PER_WORD as usize;

/// The fallback of a word whose least value is this far below the base value, or further.
const NO_BOUND: u8 = 3;

/// What each fallback and code means: the bound, at fallback · 4 + code. A word whose lowest entry is three or more
/// below the base value bounds its low entries by zero.
pub(crate) fn values(base: u8) -> [u8; 16] {
    std::array::from_fn(|i| match (i as u8 / 4, i as u8 % 4) {
        (NO_BOUND, 0) => 0,
        (fallback, 0) => base - fallback,
        (_, code) => base + code,
    })
}

/// 64 bytes that the processor fetches at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; 8]);

/// Three sets of entries, by bits: those within the base value, and within one and two more.
pub(crate) struct Levels<'a> {
    pub base: &'a [u64],
    pub plus_one: &'a [u64],
    pub plus_two: &'a [u64],
}

impl Line {
    /// How many of the slots have each code.
    pub fn code_counts(&self) -> [u32; 4] {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let mut counts = [0; 4];
        for &word in &self.0 {
            let slots = EVEN >> (64 - FALLBACK_SHIFT);
            let (low, high) = (word & slots, word >> 1 & slots);
            for (code, slots) in [slots & !low & !high, low & !high, high & !low, low & high].into_iter().enumerate() {
                counts[code] += slots.count_ones();
            }
        }
        counts
    }

    /// Packs the 248 entries from entry `first` on. `least` are the least values of its words.
    #[inline(always)]
    pub fn pack(levels: &Levels<'_>, first: usize, base: u8, least: &[u8]) -> Line {
        let mut line = Line([0; 8]);
        for (i, (word, &least)) in line.0.iter_mut().zip(least).enumerate() {
            let [base_level, plus_one, plus_two] = [levels.base, levels.plus_one, levels.plus_two]
                .map(|level| bits_at(level, first + ENTRIES_PER_WORD * i));
            let codes = spread(plus_one & !base_level | !plus_two) | spread(!plus_one) << 1;
            let fallback = base.saturating_sub(least).min(NO_BOUND);
            *word = codes & !(3 << FALLBACK_SHIFT) | u64::from(fallback) << FALLBACK_SHIFT;
        }
        line
    }
}

/// 32 bits of a bitmap from bit `first` on; zeros past its end.
#[inline(always)]
fn bits_at(bitmap: &[u64], first: usize) -> u32 {
    let word = |i| bitmap.get(i).copied().unwrap_or(0);
    let (at, shift) = (first / 64, first % 64);
    let low = word(at) >> shift;
    let high = if shift > 32 { word(at + 1) << (64 - shift) } else { 0 };
    (low | high) as u32
}

/// The bits in the even places of a word twice as wide.
#[inline(always)]
fn spread(bits: u32) -> u64 {
    let mut spread = u64::from(bits);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        spread = (spread | spread << shift) & mask;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_entries_are_read_back(values in prop::collection::vec(4u8..=12, 3 * ENTRIES_PER_LINE), skip in 0usize..490) {
            const BASE: u8 = 8;
            let level = |most: u8| {
                let mut bits = vec![0u64; values.len().div_ceil(64)];
                for (i, _) in values.iter().enumerate().filter(|&(_, &value)| value <= most) {
                    bits[i / 64] |= 1 << (i % 64);
                }
                bits
            };
            let (base, plus_one, plus_two) = (level(BASE), level(BASE + 1), level(BASE + 2));
            let words = || values[skip..skip + ENTRIES_PER_LINE].chunks(ENTRIES_PER_WORD);
            let least: Vec<u8> = words().map(|word| *word.iter().min().unwrap()).collect();
            let line = Line::pack(&Levels { base: &base, plus_one: &plus_one, plus_two: &plus_two }, skip, BASE, &least);
            for (i, word) in words().enumerate() {
                for (slot, &value) in word.iter().enumerate() {
                    let found = super::values(BASE)[coord::EntryAddress((64 * i + 2 * slot) as u64).code_in(line.0[i])];
                    let fallback = if least[i] > BASE - NO_BOUND { least[i] } else { 0 };
                    let expected = if value <= BASE { fallback } else { value.min(BASE + 3) };
                    prop_assert_eq!(found, expected);
                }
            }
            let codes = values[skip..skip + ENTRIES_PER_LINE].iter().map(|value| value.saturating_sub(BASE).min(3));
            let count = |code: u8| codes.clone().filter(|&c| c == code).count() as u32;
            prop_assert_eq!(line.code_counts(), [0, 1, 2, 3].map(count));
        }
    }
}

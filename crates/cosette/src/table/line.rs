//! A line: 254 packed entries and their fallback in one cache line.
//!
//! An entry is a code of two bits: 1, 2 and 3 mean base + 1, base + 2 and at least base + 3. Code 0 means "at most the
//! base value" and is answered by the *fallback*, the least value in the line, four bits wide. It costs no second access.
//!
//! ```text
//! bit 0                                                          508     512
//!     | code of slot 0 | slot 1 | …                     | slot 253 | fallback |
//! ```

use crate::coord;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// How many entries a line holds.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;

/// The code of values up to the base value.
const LOW: u64 = 0;
const FALLBACK_SHIFT: u32 = 60;

/// 64 bytes that the processor fetches at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line([u64; 8]);

/// Three sets of entries, by bits: those within the base value, and within one and two more.
pub(crate) struct Levels<'a> {
    pub base: &'a [u64],
    pub plus_one: &'a [u64],
    pub plus_two: &'a [u64],
}

impl Line {
    /// The value of the entry that starts at `bit`, twice its slot, for a table with this base value.
    #[inline(always)]
    pub fn value(&self, bit: u32, base: u8) -> u8 {
        let code = self.0[(bit / 64 % 8) as usize] >> (bit % 64) & 3;
        let fallback = (self.0[7] >> FALLBACK_SHIFT) as u8;
        if code == LOW { fallback } else { base + code as u8 }
    }

    /// How many of the slots have each code.
    pub fn code_counts(&self) -> [u32; 4] {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let mut counts = [0; 4];
        for (i, &word) in self.0.iter().enumerate() {
            let slots = if i == 7 { EVEN >> (64 - FALLBACK_SHIFT) } else { EVEN };
            let (low, high) = (word & slots, word >> 1 & slots);
            for (code, slots) in [slots & !low & !high, low & !high, high & !low, low & high].into_iter().enumerate() {
                counts[code] += slots.count_ones();
            }
        }
        counts
    }

    /// Packs the 254 entries from entry `first` on.
    #[inline(always)]
    pub fn pack(levels: &Levels<'_>, first: usize, fallback: u8) -> Line {
        let mut line = Line([0; 8]);
        for (i, word) in line.0.iter_mut().enumerate() {
            let [base, plus_one, plus_two] =
                [levels.base, levels.plus_one, levels.plus_two].map(|level| bits_at(level, first + 32 * i));
            *word = spread(plus_one & !base | !plus_two) | spread(!plus_one) << 1;
        }
        line.0[7] = line.0[7] << 4 >> 4 | u64::from(fallback) << FALLBACK_SHIFT;
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
        fn packed_entries_are_read_back(values in prop::collection::vec(6u8..=12, 3 * ENTRIES_PER_LINE), skip in 0usize..500) {
            const BASE: u8 = 8;
            let level = |most: u8| {
                let mut bits = vec![0u64; values.len().div_ceil(64)];
                for (i, _) in values.iter().enumerate().filter(|&(_, &value)| value <= most) {
                    bits[i / 64] |= 1 << (i % 64);
                }
                bits
            };
            let (base, plus_one, plus_two) = (level(BASE), level(BASE + 1), level(BASE + 2));
            let line = Line::pack(&Levels { base: &base, plus_one: &plus_one, plus_two: &plus_two }, skip, 5);
            for slot in 0..ENTRIES_PER_LINE {
                let value = values[skip + slot];
                let expected = if value <= BASE { 5 } else { value.min(BASE + 3) };
                prop_assert_eq!(line.value(2 * slot as u32, BASE), expected);
            }
            let codes = values[skip..skip + ENTRIES_PER_LINE].iter().map(|value| value.saturating_sub(BASE).min(3));
            let count = |code: u8| codes.clone().filter(|&c| c == code).count() as u32;
            prop_assert_eq!(line.code_counts(), [0, 1, 2, 3].map(count));
        }
    }
}

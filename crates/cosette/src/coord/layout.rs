//! Where the entry of a coordinate is in the table: the address of the first of its two bits.

use super::edges::PLACEMENTS;

/// How many entries a word of the table holds: two bits each, then two bits for the least value among them.
pub(crate) const ENTRIES_PER_WORD: u32 = 31;

/// Where the two bits of the least value are in a word, above the entries.
pub(crate) const FALLBACK_SHIFT: u32 = 2 * ENTRIES_PER_WORD;

/// How many words make a line of the table, 64 bytes that the processor fetches at once.
pub(crate) const WORDS_PER_LINE: usize = 8;

pub(crate) const ENTRIES_PER_LINE: u32 = WORDS_PER_LINE as u32 * ENTRIES_PER_WORD;

/// The layout of a table: each class of corners starts on a new line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// How many of the twelve flips the coordinate keeps.
    pub kept_flips: u32,
    pub lines_per_class: u32,
}

/// The address of an entry: the number of its first bit, counted from the start of the table.
///
/// Bit b is in word b / 64, so byte b / 8 is in the line to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct EntryAddress(pub u64);

impl EntryAddress {
    /// The first entry of the table; a placeholder for addresses that are not computed yet.
    pub const FIRST: EntryAddress = EntryAddress(0);

    #[inline(always)]
    pub fn word(self) -> usize {
        (self.0 / u64::from(u64::BITS)) as usize
    }

    /// Decodes the entry of `word` that starts here: the fallback of the word times four, plus the code of the entry. This is
    /// its index into the values of the table (`table::line`).
    #[inline(always)]
    pub fn code_in(self, word: u64) -> usize {
        (word >> (self.0 % u64::from(u64::BITS)) & 3 | word >> FALLBACK_SHIFT << 2) as usize
    }
}

/// offset / 31 by one multiplication of 32 bits and this shift: exact below 2³⁰, since 31 · 1,108,378,658 = 2³⁵ + 30.
pub(crate) const WORD_RECIPROCAL: u32 = 1_108_378_658;
pub(crate) const WORD_SHIFT: u32 = 35;

impl Layout {
    /// The layout of a table whose coordinate keeps this many flips.
    pub const fn new(kept_flips: u32) -> Layout {
        Layout { kept_flips, lines_per_class: ((PLACEMENTS << kept_flips) as u32).div_ceil(ENTRIES_PER_LINE) }
    }

    /// The number of an entry in its class; of `flips`, bits past the kept ones are ignored.
    #[inline(always)]
    pub fn offset(self, placement: u32, flips: u32) -> u32 {
        placement << self.kept_flips | flips & ((1 << self.kept_flips) - 1)
    }

    #[inline(always)]
    pub fn bits_per_class(self) -> u32 {
        self.lines_per_class * (u64::BITS * WORDS_PER_LINE as u32)
    }

    /// The address of the entry with this number in its class.
    #[inline(always)]
    pub fn address(self, class: u32, offset: u32) -> EntryAddress {
        let word = ((u64::from(offset) * u64::from(WORD_RECIPROCAL)) >> WORD_SHIFT) as u32;
        debug_assert_eq!(word, offset / ENTRIES_PER_WORD);
        // 64 · word + 2 · (offset − 31 · word)
        EntryAddress(u64::from(class) * u64::from(self.bits_per_class()) + u64::from(2 * (offset + word)))
    }
}

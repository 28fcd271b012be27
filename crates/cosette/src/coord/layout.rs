//! Where the entry of a coordinate is in the table: its word, its pair of entries in the word, and its half of the pair.

use super::edges::PLACEMENTS;

/// How many entries a word of the table holds: twenty pairs of three bits each, and four bits that say how they are read
/// (`table::line`).
pub(crate) const ENTRIES_PER_WORD: u32 = 40;

/// Where the number of the alphabet is in a word, above the pairs.
pub(crate) const ALPHABET_SHIFT: u32 = 60;

/// How many values a table needs to be read: sixteen alphabets, two halves of a pair, eight codes.
pub(crate) const VALUES: usize = 16 * 2 * 8;

/// How many words make a line of the table, 64 bytes that the processor fetches at once.
pub(crate) const WORDS_PER_LINE: usize = 8;

pub(crate) const ENTRIES_PER_LINE: u32 = WORDS_PER_LINE as u32 * ENTRIES_PER_WORD;

/// The layout of a table: each class of corners starts on a new line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// How many of the twelve flips the coordinate keeps: h in the head of [`coord`](super).
    pub kept_flips: u32,
    pub lines_per_class: u32,
}

/// The address of an entry: in bits 0 to 5 where its pair starts in its word, in bit 6 whether it is the second of the
/// pair, above them the number of the word, counted from the start of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct EntryAddress(pub u64);

impl EntryAddress {
    /// The first entry of the table; a placeholder for addresses that are not computed yet.
    pub const FIRST: EntryAddress = EntryAddress(0);
    pub const SECOND_SHIFT: u32 = 6;
    pub const WORD_SHIFT: u32 = 7;

    #[inline(always)]
    pub fn word(self) -> usize {
        (self.0 >> EntryAddress::WORD_SHIFT) as usize
    }

    /// The index of this entry's bound in the values of the table (`table::line`): 16 · alphabet of the word + 8 · half of
    /// the pair + code of the pair.
    #[inline(always)]
    pub fn value_in(self, word: u64) -> usize {
        let second = self.0 >> EntryAddress::SECOND_SHIFT & 1;
        let code = word >> (self.0 % u64::from(u64::BITS)) & 7;
        (word >> ALPHABET_SHIFT << 4 | second << 3 | code) as usize
    }
}

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
    pub fn words_per_class(self) -> u32 {
        self.lines_per_class * WORDS_PER_LINE as u32
    }

    /// The address of the entry with this number in its class.
    #[inline(always)]
    pub fn address(self, class: u32, offset: u32) -> EntryAddress {
        let (word, slot) = (offset / ENTRIES_PER_WORD, offset % ENTRIES_PER_WORD);
        let (pair, second) = (slot / 2, slot % 2);
        let word = u64::from(class) * u64::from(self.words_per_class()) + u64::from(word);
        let in_word = 3 * pair + (second << EntryAddress::SECOND_SHIFT);
        EntryAddress(word << EntryAddress::WORD_SHIFT | u64::from(in_word))
    }
}

//! Where the entry of a coordinate lies: its line and its first bit there.

/// How many entries a line of the table holds: two bits each in 64 bytes, and four bits for their least value.
pub(crate) const ENTRIES_PER_LINE: u32 = 254;

/// The layout of a table: each class of corners fills lines of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// How many of the twelve flips the coordinate keeps.
    pub kept_flips: u32,
    pub lines_per_class: u32,
}

/// Where an entry lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub line: u32,
    /// Twice the slot in the line.
    pub bit: u32,
}

impl Place {
    /// The first entry of all; it stands for places not yet computed.
    pub const FIRST: Place = Place { line: 0, bit: 0 };
}

impl Layout {
    /// The number of an entry in its class; of `flips`, bits past the kept ones are ignored.
    #[inline(always)]
    pub fn offset(self, placement: u32, flips: u32) -> u32 {
        placement << self.kept_flips | flips & ((1 << self.kept_flips) - 1)
    }

    /// Where the entry with this number in its class lies.
    #[inline(always)]
    pub fn place(self, class: u32, offset: u32) -> Place {
        // offset / 254 by one multiplication: exact up to 2³⁰, since 254 · 1,082,196,485 = 2³⁸ + 246.
        let line = ((u64::from(offset) * 1_082_196_485) >> 38) as u32;
        debug_assert_eq!(line, offset / ENTRIES_PER_LINE);
        let slot = offset - line * ENTRIES_PER_LINE;
        Place { line: class * self.lines_per_class + line, bit: 2 * slot }
    }
}

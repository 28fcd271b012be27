//! Coordinates and symmetry classes: the index of a pruning table.
//!
//! # Paint opposite faces alike
//!
//! Give the cube three colors, one for each axis. What remains visible of a position is its
//! *painting*: for each corner slot the tetrad and the twist of the cubie there, for each edge slot
//! the slice and the flip of the cubie there. (A *tetrad* is one of the two sets of four corners
//! that half turns permute; a *slice* is the four edges between two opposite faces.) The positions
//! with the painting of the solved cube are the *target subgroup* T, of order 4!⁵/2 = 3,981,312. T
//! contains all half turns. Two positions have the same painting if and only if they lie in one
//! coset T·p. So, for a face f with the half turn f2,
//!
//! - a half turn done *before* a position does not change its painting: T·f2·p = T·p;
//! - the two quarter turns of a face, done *before* a position, give the same painting: T·f·p =
//!   T·f2·f′·p = T·f′·p.
//!
//! The search exploits these two facts (`search`). All 48 symmetries map T to itself, so the
//! painting of a position determines that of its conjugates.
//!
//! # The coordinate
//!
//! Corners have C(8,4) · 3⁷ = 153,090 paintings, in 3,393 classes under the 48 symmetries
//! ([`CornerClasses`]). Edges have 12!/4!³ = 34,650 placements of the slices and 2¹¹ flips
//! ([`EdgePainting`]). A position is conjugated by the symmetry that carries its corners to the
//! representative of their class; the class, the placement of the edges and the flips of the first
//! `h` edge slots are its coordinate (`h` depends on the table):
//!
//! ```text
//! index(p) = (class, (placement · 2^h) | flips)       0 ≤ class < 3,393,   0 ≤ placement < 34,650
//! ```
//!
//! With h = 11 this would be the painting modulo symmetry. (Classes with a stabilizer are an
//! exception: paintings that the stabilizer maps to each other have different indices.) Each flip
//! left out halves the table. An entry is a lower bound for all 2^(11 − h) paintings that share it.
//! This family of coordinates is that of H48 (research by Tronto and others) and of cube48opt.
//!
//! The address of an entry is its location in the table: its word, its pair of entries in the word,
//! and its half of the pair (`EntryAddress`).

mod corners;
mod edges;

pub(crate) use corners::CornerMoves;
pub use corners::{CornerClasses, CornerPainting};
pub(crate) use edges::{
    EdgeMap, FLIPPED, MAPPED_FLIP, PlacementRanks, edge_conjugations, placement_ranks,
};
pub use edges::{EdgePainting, PLACEMENTS};

/// Number of entries in a word of the table. A word has twenty pairs of entries, three bits a pair,
/// and four bits for the number of the alphabet that decodes the pairs (`table::line`).
pub(crate) const ENTRIES_PER_WORD: u32 = 40;

/// Lowest bit of the alphabet number in a word, above the pairs.
pub(crate) const ALPHABET_SHIFT: u32 = 60;

/// Number of bounds needed to read a table: one for each of sixteen alphabets, two halves of a pair
/// and eight codes.
pub(crate) const VALUES: usize = 16 * 2 * 8;

/// Number of words in a line of the table: the 64 bytes that the processor fetches at once.
pub(crate) const WORDS_PER_LINE: usize = 8;

pub(crate) const ENTRIES_PER_LINE: u32 = WORDS_PER_LINE as u32 * ENTRIES_PER_WORD;

/// The layout of a table: each class of corners starts on a new line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Number of flips that the coordinate keeps: h in the description of this module.
    pub kept_flips: u32,
    pub lines_per_class: u32,
}

/// The address of an entry. Bits 0 to 31 are the number of its word, counted from the start of the
/// table; bits 32 to 37 the lowest bit of its pair in the word; bit 38 its half of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct EntryAddress(pub u64);

impl EntryAddress {
    /// The first entry of the table; a placeholder for addresses that are not computed yet.
    pub const FIRST: EntryAddress = EntryAddress(0);
    /// Bit of the half, in the part of an address above the word.
    pub const SECOND_SHIFT: u32 = 6;
    /// Lowest bit of the part above the word.
    pub const IN_WORD_SHIFT: u32 = 32;

    #[inline(always)]
    pub fn word(self) -> usize {
        self.0 as u32 as usize
    }

    /// Returns the index of this entry's bound in the values of the table (`table::line`), given
    /// its word: 16 · alphabet of the word + 8 · half of the pair + code of the pair.
    #[inline(always)]
    pub fn value_in(self, word: u64) -> usize {
        let in_word = self.0 >> EntryAddress::IN_WORD_SHIFT;
        let second = in_word >> EntryAddress::SECOND_SHIFT & 1;
        let code = word >> (in_word % u64::from(u64::BITS)) & 7;
        (word >> ALPHABET_SHIFT << 4 | second << 3 | code) as usize
    }
}

impl Layout {
    /// Creates the layout of a table whose coordinate keeps this many flips.
    pub const fn new(kept_flips: u32) -> Layout {
        Layout {
            kept_flips,
            lines_per_class: ((PLACEMENTS << kept_flips) as u32).div_ceil(ENTRIES_PER_LINE),
        }
    }

    /// Returns the number of an entry in its class; flips that the coordinate does not keep are
    /// ignored.
    #[inline(always)]
    pub fn offset(self, placement: u32, flips: u32) -> u32 {
        placement << self.kept_flips | flips & ((1 << self.kept_flips) - 1)
    }

    #[inline(always)]
    pub fn words_per_class(self) -> u32 {
        self.lines_per_class * WORDS_PER_LINE as u32
    }

    /// Returns the address of the entry with this number in its class.
    #[inline(always)]
    pub fn address(self, class: u32, offset: u32) -> EntryAddress {
        let word = offset / ENTRIES_PER_WORD;
        let slot = offset % ENTRIES_PER_WORD;
        let pair = slot / 2;
        let second = slot % 2;
        let word = u64::from(class) * u64::from(self.words_per_class()) + u64::from(word);
        let in_word = 3 * pair + (second << EntryAddress::SECOND_SHIFT);
        EntryAddress(word | u64::from(in_word) << EntryAddress::IN_WORD_SHIFT)
    }
}

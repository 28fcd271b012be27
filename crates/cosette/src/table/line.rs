//! A line: eight words of forty packed entries.
//!
//! An entry is one of four *levels*: at most the base value, base + 1, base + 2, or at least base + 3. In htm-1.5G these are
//! 1.2, 10.8, 54.5 and 33.6 % of the entries: 1.43 bits of information, where two bits would be spent on each. So a word
//! packs entries in pairs, three bits a pair: which of the eight pairs of levels in the *alphabet* of the word. The top four
//! bits of the word are the number of its alphabet, one of sixteen.
//!
//! ```text
//! bit 0                                                                60         64
//!     | code of pair 0 | pair 1 | …                           | pair 19 | alphabet |  eight times a line
//! ```
//!
//! Each word is packed in the alphabet that loses least (`alphabets`).
//!
//! An entry of level 0 is read as the least value of its word, or as 0 where that is three or more below the base value. The
//! alphabet says which, so no second access is needed.

use super::alphabets::{ALPHABETS, Packing, depth};
use crate::coord::{self, ALPHABET_SHIFT};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// How many entries a line holds.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;
/// How many entries a word holds.
pub(crate) const ENTRIES_PER_WORD: usize = coord::ENTRIES_PER_WORD as usize;

/// 64 bytes that the processor fetches at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; coord::WORDS_PER_LINE]);

/// Three sets of entries, by bits: those within the base value, and within one and two more.
pub(crate) struct Levels<'a> {
    pub base: &'a [u64],
    pub plus_one: &'a [u64],
    pub plus_two: &'a [u64],
}

impl Levels<'_> {
    /// The levels of the entries of the word that starts with entry `first`, four to a byte.
    #[inline(always)]
    pub fn of_word(&self, first: usize) -> [u8; ENTRIES_PER_WORD / 4] {
        let mut levels = [0; ENTRIES_PER_WORD / 4];
        for (i, half) in levels.chunks_exact_mut(ENTRIES_PER_WORD / 8).enumerate() {
            let [base, plus_one, plus_two] =
                [self.base, self.plus_one, self.plus_two].map(|level| bits_at(level, first + ENTRIES_PER_WORD / 2 * i));
            let bits = interleave(plus_one & !base | !plus_two) | interleave(!plus_one) << 1;
            half.copy_from_slice(&bits.to_le_bytes()[..ENTRIES_PER_WORD / 8]);
        }
        levels
    }
}

impl Line {
    /// How many of the entries are read as each level.
    pub fn level_counts(&self) -> [u32; 4] {
        let mut counts = [0; 4];
        for &word in &self.0 {
            let alphabet = &ALPHABETS[(word >> ALPHABET_SHIFT) as usize];
            for pair in 0..ENTRIES_PER_WORD / 2 {
                for level in alphabet.pairs[(word >> (3 * pair) & 7) as usize] {
                    counts[usize::from(level)] += 1;
                }
            }
        }
        counts
    }

    /// Packs the 320 entries from entry `first` on. `least` are the least values of its words, those up to the base value.
    #[inline(always)]
    pub fn pack(levels: &Levels<'_>, first: usize, base: u8, least: &[u8]) -> Line {
        let packing = Packing::get();
        let mut line = Line([0; coord::WORDS_PER_LINE]);
        for (i, (word, &least)) in line.0.iter_mut().zip(least).enumerate() {
            *word = packing.word(&levels.of_word(first + ENTRIES_PER_WORD * i), depth(base, least));
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

/// The bits in the even places of a word twice as wide, with zeros between them.
#[inline(always)]
fn interleave(bits: u32) -> u64 {
    let mut interleaved = u64::from(bits);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        interleaved = (interleaved | interleaved << shift) & mask;
    }
    interleaved
}

#[cfg(test)]
mod tests {
    use super::super::alphabets::{self, Alphabet, OF_DEPTH, loss};
    use super::*;
    use proptest::prelude::*;

    const BASE: u8 = 8;

    /// Values as they occur: each word has a lowest one, most of its entries lie two or three above the base value.
    fn some_values() -> impl Strategy<Value = Vec<u8>> {
        let word = (4u8..=12).prop_flat_map(|lowest| {
            prop::collection::vec(
                prop_oneof![1 => lowest..=12, 4 => Just(BASE + 2), 3 => Just(BASE + 3)],
                ENTRIES_PER_WORD,
            )
        });
        prop::collection::vec(word, 24).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn packed_entries_are_lower_bounds(values in some_values(), skip in 0usize..630) {
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
            let mut counts = [0; 4];
            for (i, word) in words().enumerate() {
                let found: Vec<u8> = (0..ENTRIES_PER_WORD as u64).map(|slot| {
                    let address = coord::EntryAddress(128 * i as u64 + 64 * (slot % 2) + 3 * (slot / 2));
                    alphabets::values(BASE)[address.value_in(line.0[i])]
                }).collect();
                let level = |value: u8| value.saturating_sub(BASE).min(3);
                let levels = word.chunks(2).map(|pair| [level(pair[0]), level(pair[1])]);
                let lowest = if least[i] > BASE - 3 { least[i].min(BASE) } else { 0 };
                for (&value, &found) in word.iter().zip(&found) {
                    prop_assert!(found <= value && (found > BASE || found == lowest), "{found} for {value}");
                    counts[usize::from(level(found))] += 1;
                }
                // No alphabet of this depth loses less.
                let losses = |alphabet: &Alphabet| levels.clone().map(|pair| Some(alphabet.pack(pair)?.1)).sum::<Option<u16>>();
                let least_loss = ALPHABETS[OF_DEPTH[usize::from(depth(BASE, least[i]))].clone()].iter().filter_map(losses).min();
                let lost: u16 = word.iter().zip(&found).map(|(&value, &found)| loss(level(value), level(found))).sum();
                prop_assert_eq!(Some(lost), least_loss);
            }
            prop_assert_eq!(line.level_counts(), counts);
        }
    }
}

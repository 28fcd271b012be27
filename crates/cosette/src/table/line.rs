//! A line: eight words of forty packed entries.
//!
//! An entry is one of ten *levels*: at least base + 3, base + 2, and so on to base − 5, or lower, which is read as 0. In
//! htm-1.5G, 33.6, 54.5, 10.8 and 1.2 % of the entries are of the highest four: 1.43 bits of information, where two bits would
//! be spent on each. So a word packs entries in pairs, three bits a pair: which of the eight pairs of levels in the *alphabet*
//! of the word. The top four bits of the word are the number of its alphabet, one of sixteen.
//!
//! ```text
//! bit 0                                                                60         64
//!     | code of pair 0 | pair 1 | …                           | pair 19 | alphabet |  eight times a line
//! ```
//!
//! Each word is packed in the alphabet that loses least (`alphabets`).

use super::alphabets::{ALPHABETS, Packing, WordLevels};
use crate::coord::{self, ALPHABET_SHIFT};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// How many levels are told apart.
pub(crate) const LEVELS: usize = 10;
/// The level of the base value; those from it on are *high*.
pub(crate) const LOW_LEVELS: u8 = 6;

/// How many entries a line holds.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;
/// How many entries a word holds.
pub(crate) const ENTRIES_PER_WORD: usize = coord::ENTRIES_PER_WORD as usize;

/// 64 bytes that the processor fetches at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; coord::WORDS_PER_LINE]);

/// The entries of each level or a lower one, one bit each; all entries are of the last level or a lower one, which is left out.
pub(crate) struct Levels(pub [Vec<u64>; LEVELS - 1]);

impl Levels {
    /// The levels of the word that starts with entry `first`.
    #[inline(always)]
    pub fn of_word(&self, first: usize) -> WordLevels {
        let halves = [first, first + ENTRIES_PER_WORD / 2];
        let low = &self.0[usize::from(LOW_LEVELS) - 1];
        if (bits_at(low, halves[0]) | bits_at(low, halves[1])) & HALF_WORD == 0 {
            WordLevels::High(self.high_levels(halves))
        } else {
            WordLevels::Any(self.any_levels(halves))
        }
    }

    /// The levels of any word: how many of the bitmaps each entry is not in.
    #[inline(always)]
    fn any_levels(&self, halves: [usize; 2]) -> [u8; ENTRIES_PER_WORD] {
        let mut levels = [0; ENTRIES_PER_WORD];
        for (first, half) in halves.into_iter().zip(levels.chunks_exact_mut(ENTRIES_PER_WORD / 2)) {
            for bitmap in &self.0 {
                let bits = bits_at(bitmap, first);
                for (i, level) in half.iter_mut().enumerate() {
                    *level += u8::from(bits >> i & 1 == 0);
                }
            }
        }
        levels
    }

    /// The levels of a word without low ones.
    #[inline(always)]
    fn high_levels(&self, halves: [usize; 2]) -> [u8; ENTRIES_PER_WORD / 4] {
        let mut levels = [0; ENTRIES_PER_WORD / 4];
        for (first, half) in halves.into_iter().zip(levels.chunks_exact_mut(ENTRIES_PER_WORD / 8)) {
            let [.., base, plus_one, plus_two] = &self.0;
            let (base, plus_one, plus_two) = (bits_at(base, first), bits_at(plus_one, first), bits_at(plus_two, first));
            let bits = interleave(plus_one & !base | !plus_two) | interleave(!plus_one) << 1;
            half.copy_from_slice(&bits.to_le_bytes()[..ENTRIES_PER_WORD / 8]);
        }
        levels
    }
}

/// The bits of half a word's entries.
const HALF_WORD: u32 = (1 << (ENTRIES_PER_WORD / 2)) - 1;

impl Line {
    /// How many of the entries are read as each level.
    pub fn level_counts(&self) -> [u32; LEVELS] {
        let mut counts = [0; LEVELS];
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

    /// Packs the 320 entries from entry `first` on.
    #[inline(always)]
    pub fn pack(levels: &Levels, first: usize) -> Line {
        let packing = Packing::get();
        let mut line = Line([0; coord::WORDS_PER_LINE]);
        for (i, word) in line.0.iter_mut().enumerate() {
            *word = packing.word(&levels.of_word(first + ENTRIES_PER_WORD * i));
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
    use super::super::alphabets::{self, Alphabet, loss};
    use super::*;
    use proptest::prelude::*;

    const BASE: u8 = 9;

    fn level(value: u8) -> u8 {
        (value + LOW_LEVELS).saturating_sub(BASE).min(LEVELS as u8 - 1)
    }

    /// Values as they occur: each word has a lowest one, most of its entries lie two or three above the base value.
    fn some_values() -> impl Strategy<Value = Vec<u8>> {
        let word = (0u8..=BASE + 4).prop_flat_map(|lowest| {
            prop::collection::vec(
                prop_oneof![1 => lowest..=BASE + 4, 4 => Just(BASE + 2), 3 => Just(BASE + 3)],
                ENTRIES_PER_WORD,
            )
        });
        prop::collection::vec(word, 24).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn packed_entries_are_lower_bounds(values in some_values(), skip in 0usize..630) {
            let levels = Levels(std::array::from_fn(|most| {
                let mut bits = vec![0u64; values.len().div_ceil(64)];
                for (i, _) in values.iter().enumerate().filter(|&(_, &value)| usize::from(level(value)) <= most) {
                    bits[i / 64] |= 1 << (i % 64);
                }
                bits
            }));
            let line = Line::pack(&levels, skip);
            let mut counts = [0; LEVELS];
            for (i, word) in values[skip..skip + ENTRIES_PER_LINE].chunks(ENTRIES_PER_WORD).enumerate() {
                let found: Vec<u8> = (0..ENTRIES_PER_WORD as u64).map(|slot| {
                    let address = coord::EntryAddress(128 * i as u64 + 64 * (slot % 2) + 3 * (slot / 2));
                    alphabets::values(BASE)[address.value_in(line.0[i])]
                }).collect();
                for (&value, &found) in word.iter().zip(&found) {
                    prop_assert!(found <= value && (found == 0 || found > BASE - LOW_LEVELS), "{found} for {value}");
                    counts[usize::from(level(found))] += 1;
                }
                // No alphabet loses less.
                let levels = word.chunks(2).map(|pair| [level(pair[0]), level(pair[1])]);
                let losses = |alphabet: &Alphabet| levels.clone().map(|pair| Some(alphabet.pack(pair)?.1)).sum::<Option<u16>>();
                let least_loss = ALPHABETS.iter().filter_map(losses).min();
                let lost: u16 = word.iter().zip(&found).map(|(&value, &found)| loss(level(value), level(found))).sum();
                prop_assert_eq!(Some(lost), least_loss);
            }
            prop_assert_eq!(line.level_counts(), counts);
        }
    }
}

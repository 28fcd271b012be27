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
//! A pair of levels that the alphabet lacks is packed as one that is nowhere higher, so what is read is always a lower bound.
//! Each word is packed in the alphabet that loses least: four words of five lose nothing, and one entry in a hundred is read
//! as a level less.
//!
//! Level 0 is answered by how far the least value of the word is below the base value, which is a property of the alphabet
//! too. Reading it costs no second access.

use crate::coord::{self, ALPHABET_SHIFT, VALUES};
use std::ops::Range;
use std::sync::LazyLock;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// How many entries a line holds.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;
/// How many entries a word holds.
pub(crate) const ENTRIES_PER_WORD: usize = coord::ENTRIES_PER_WORD as usize;

/// The pairs of levels that the codes of a word stand for, the first entry's level first.
struct Alphabet {
    depth: u8,
    pairs: [[u8; 2]; 8],
}

/// How far the least value of a word is below base + 1: 0 if no entry is that low, [`UNKNOWN_DEPTH`] for four and more.
fn depth(base: u8, least: u8) -> u8 {
    (base + 1).saturating_sub(least).min(UNKNOWN_DEPTH)
}

/// The depth of a word whose lowest entries are bounded by zero.
const UNKNOWN_DEPTH: u8 = 4;

/// The alphabets, by depth. They were found by alternation: pack each word in its best alphabet, then choose for each alphabet
/// the pairs that lose least in its words. The words were those of four tables of the half-turn metric.
#[rustfmt::skip]
static ALPHABETS: [Alphabet; 16] = [
    Alphabet::new(0, b"12 13 21 22 23 31 32 33"),
    Alphabet::new(0, b"11 12 13 21 22 23 32 33"),
    Alphabet::new(0, b"11 12 13 22 23 31 32 33"),
    Alphabet::new(1, b"02 11 12 20 21 22 23 32"),
    Alphabet::new(1, b"01 02 11 12 20 21 22 23"),
    Alphabet::new(1, b"00 12 20 21 22 23 32 33"),
    Alphabet::new(1, b"01 10 11 12 21 22 23 32"),
    Alphabet::new(1, b"01 12 21 22 23 30 32 33"),
    Alphabet::new(1, b"00 01 02 10 11 12 21 22"),
    Alphabet::new(1, b"01 02 10 11 12 20 21 22"),
    Alphabet::new(1, b"02 11 12 21 22 23 32 33"),
    Alphabet::new(2, b"00 02 10 11 12 21 22 23"),
    Alphabet::new(2, b"02 10 11 12 20 21 22 23"),
    Alphabet::new(2, b"00 01 02 10 11 12 21 22"),
    Alphabet::new(3, b"00 01 02 10 11 12 21 22"),
    Alphabet::new(4, b"00 01 10 11 12 21 22 33"),
];

/// The alphabets of each depth. One of each has the lowest pair of levels that words of this depth can have.
const OF_DEPTH: [Range<usize>; 5] = [0..3, 3..11, 11..14, 14..15, 15..16];

impl Alphabet {
    /// Each pair as two digits.
    const fn new(depth: u8, digits: &[u8; 23]) -> Alphabet {
        let mut alphabet = Alphabet { depth, pairs: [[0; 2]; 8] };
        let mut code = 0;
        while code < 8 {
            alphabet.pairs[code] = [digits[3 * code] - b'0', digits[3 * code + 1] - b'0'];
            code += 1;
        }
        alphabet
    }

    /// The code of a pair of levels with what it loses, the least that it can; `None` if all pairs here are higher.
    fn pack(&self, levels: [u8; 2]) -> Option<(u8, u16)> {
        let loss = |pair: &[u8; 2]| -> u16 { (0..2).map(|i| loss(levels[i], pair[i])).sum() };
        let lower = (0..).zip(&self.pairs).filter(|(_, pair)| pair[0] <= levels[0] && pair[1] <= levels[1]);
        lower.map(|(code, pair)| (code, loss(pair))).min_by_key(|&(_, loss)| loss)
    }

    /// What a level of this alphabet means in a table with this base value.
    fn value(&self, level: u8, base: u8) -> u8 {
        match (level, self.depth) {
            (0, UNKNOWN_DEPTH) => 0,
            (0, depth) => base + 1 - depth,
            (level, _) => base + level,
        }
    }
}

/// What it costs to read a level as a lower one, in thousandths of the probes of a search if all entries of that level were
/// read so, roughly.
fn loss(level: u8, lower: u8) -> u16 {
    [30, 23, 13][usize::from(lower)..usize::from(level)].iter().sum()
}

/// What every alphabet, half of a pair and code mean, in the order of [`EntryAddress::value_in`](coord::EntryAddress::value_in).
pub(crate) fn values(base: u8) -> &'static [u8; VALUES] {
    static VALUES_OF_BASES: LazyLock<[[u8; VALUES]; 16]> = LazyLock::new(|| {
        std::array::from_fn(|base| {
            std::array::from_fn(|i| {
                let (alphabet, half, code) = (&ALPHABETS[i / 16], i / 8 % 2, i % 8);
                alphabet.value(alphabet.pairs[code][half], base as u8)
            })
        })
    });
    &VALUES_OF_BASES[usize::from(base)]
}

/// Two pairs of levels in a byte, two bits a level, the first one lowest: what packing them loses and how they are packed.
struct Packing {
    /// For each byte, what each alphabet loses.
    losses: [[u16; ALPHABETS.len()]; 256],
    /// For each alphabet and byte, the two codes.
    codes: [[u8; 256]; ALPHABETS.len()],
}

/// The loss of what cannot be packed: more than that of any word that can.
const IMPOSSIBLE: u16 = u16::MAX / 16;

impl Packing {
    fn get() -> &'static Packing {
        static PACKING: LazyLock<Packing> = LazyLock::new(Packing::compute);
        &PACKING
    }

    fn compute() -> Packing {
        let mut packing = Packing { losses: [[0; ALPHABETS.len()]; 256], codes: [[0; 256]; ALPHABETS.len()] };
        for byte in 0..=u8::MAX {
            let level = |i: u8| byte >> (2 * i) & 3;
            for (number, alphabet) in ALPHABETS.iter().enumerate() {
                let packed = [[level(0), level(1)], [level(2), level(3)]].map(|pair| alphabet.pack(pair));
                let [first, second] = packed.map(|packed| packed.unwrap_or((0, IMPOSSIBLE)));
                packing.losses[usize::from(byte)][number] = (first.1 + second.1).min(IMPOSSIBLE);
                packing.codes[number][usize::from(byte)] = first.0 | second.0 << 3;
            }
        }
        packing
    }

    /// The word of these levels, four to a byte, that loses least.
    #[inline(always)]
    fn word(&self, levels: &[u8; ENTRIES_PER_WORD / 4], depth: u8) -> u64 {
        let mut losses = [0u16; ALPHABETS.len()];
        for &byte in levels {
            for (sum, loss) in losses.iter_mut().zip(&self.losses[usize::from(byte)]) {
                *sum += loss;
            }
        }
        let alphabets = OF_DEPTH[usize::from(depth)].clone();
        let best = alphabets.min_by_key(|&alphabet| losses[alphabet]).expect("each depth has alphabets");
        let codes = &self.codes[best];
        let packed = levels.iter().rev().fold(0, |word, &byte| word << 6 | u64::from(codes[usize::from(byte)]));
        packed | (best as u64) << ALPHABET_SHIFT
    }
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

impl Levels<'_> {
    /// The levels of the entries of the word that starts with entry `first`, four to a byte.
    #[inline(always)]
    fn of_word(&self, first: usize) -> [u8; ENTRIES_PER_WORD / 4] {
        let mut levels = [0; ENTRIES_PER_WORD / 4];
        for (i, half) in levels.chunks_exact_mut(ENTRIES_PER_WORD / 8).enumerate() {
            let [base, plus_one, plus_two] =
                [self.base, self.plus_one, self.plus_two].map(|level| bits_at(level, first + ENTRIES_PER_WORD / 2 * i));
            let bits = spread(plus_one & !base | !plus_two) | spread(!plus_one) << 1;
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
        let mut line = Line([0; 8]);
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

    const BASE: u8 = 8;

    #[test]
    fn every_word_can_be_packed() {
        for (depth, alphabets) in OF_DEPTH.into_iter().enumerate() {
            let lowest = u8::from(depth == 0);
            let alphabets = &ALPHABETS[alphabets];
            assert!(alphabets.iter().all(|alphabet| usize::from(alphabet.depth) == depth));
            assert!(alphabets.iter().any(|alphabet| alphabet.pack([lowest; 2]).is_some()), "depth {depth}");
            assert!(
                depth > 0
                    || alphabets.iter().all(|alphabet| alphabet.pairs.as_flattened().iter().all(|&level| level > 0))
            );
        }
        assert_eq!(OF_DEPTH.map(|range| range.len()).iter().sum::<usize>(), ALPHABETS.len());
    }

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
                    super::values(BASE)[address.value_in(line.0[i])]
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

//! A line: eight words of forty packed entries.
//!
//! An entry has one of ten *levels*. Level 9 stands for base + 3 or more, level 8 for base + 2, and
//! so on down to level 1 for base − 5; level 0 stands for all lower values, which are read as 0. In
//! htm-1.5G, 33.6, 54.5, 10.8 and 1.2 % of the entries have the highest four levels. This is 1.43
//! bits of information, where a code for each entry would take two. So a word packs entries in
//! pairs: three bits select one of the eight pairs of levels in the *alphabet* of the word. The top
//! four bits of the word are the number of its alphabet, one of sixteen.
//!
//! ```text
//! bit 0                                                                60         64
//!     | code of pair 0 | pair 1 | …                           | pair 19 | alphabet |  eight times a line
//! ```
//!
//! A pair of levels that the alphabet of its word lacks is packed as a pair in which neither level
//! is higher, so the value read is always a lower bound. Each word is packed in the alphabet that
//! loses least (`loss`).

#[cfg(test)]
mod training;

use crate::coord::{self, ALPHABET_SHIFT, VALUES};
use std::sync::LazyLock;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Number of distinguished levels.
pub(crate) const LEVELS: usize = 10;
/// Number of *low* levels, those below the base value; so also the level of the base value. The
/// other levels are *high*.
pub(crate) const LOW_LEVELS: u8 = 6;

/// Number of entries of a line.
pub(crate) const ENTRIES_PER_LINE: usize = coord::ENTRIES_PER_LINE as usize;
/// Number of entries of a word.
pub(crate) const ENTRIES_PER_WORD: usize = coord::ENTRIES_PER_WORD as usize;

/// 64 bytes that the processor fetches at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
pub(crate) struct Line(pub(crate) [u64; coord::WORDS_PER_LINE]);

/// For each level except the last, a bitmap of the entries that have this level or a lower one.
/// (All entries have the last level or a lower one.)
pub(crate) struct Levels(pub [Vec<u64>; LEVELS - 1]);

impl Levels {
    /// Returns the levels of the word that starts with entry `first`.
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

    /// Returns the levels of any word: for each entry, the number of bitmaps that do not contain
    /// it.
    #[inline(always)]
    fn any_levels(&self, halves: [usize; 2]) -> [u8; ENTRIES_PER_WORD] {
        let mut levels = [0; ENTRIES_PER_WORD];
        for (first, half) in halves
            .into_iter()
            .zip(levels.chunks_exact_mut(ENTRIES_PER_WORD / 2))
        {
            for bitmap in &self.0 {
                let bits = bits_at(bitmap, first);
                for (i, level) in half.iter_mut().enumerate() {
                    *level += u8::from(bits >> i & 1 == 0);
                }
            }
        }
        levels
    }

    /// Returns the levels of a word that has no low level.
    #[inline(always)]
    fn high_levels(&self, halves: [usize; 2]) -> [u8; ENTRIES_PER_WORD / 4] {
        let mut levels = [0; ENTRIES_PER_WORD / 4];
        for (first, half) in halves
            .into_iter()
            .zip(levels.chunks_exact_mut(ENTRIES_PER_WORD / 8))
        {
            let [.., base, plus_one, plus_two] = &self.0;
            let base = bits_at(base, first);
            let plus_one = bits_at(plus_one, first);
            let plus_two = bits_at(plus_two, first);
            // The difference to the base value: its low bit is set for 1 and 3, its high bit for 2
            // and 3.
            let bits = interleave(plus_one & !base | !plus_two) | interleave(!plus_one) << 1;
            half.copy_from_slice(&bits.to_le_bytes()[..ENTRIES_PER_WORD / 8]);
        }
        levels
    }
}

/// The lowest bits, one for each entry of half a word.
const HALF_WORD: u32 = (1 << (ENTRIES_PER_WORD / 2)) - 1;

impl Line {
    /// Returns the number of entries that are read as each level.
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

/// Returns 32 bits of a bitmap from bit `first` on; zeros past its end.
#[inline(always)]
fn bits_at(bitmap: &[u64], first: usize) -> u32 {
    let word = |i| bitmap.get(i).copied().unwrap_or(0);
    let index = first / 64;
    let shift = first % 64;
    let low = word(index) >> shift;
    let high = if shift > 32 {
        word(index + 1) << (64 - shift)
    } else {
        0
    };
    (low | high) as u32
}

/// Spreads the bits to the even places of a word twice as wide, with zeros between them.
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

/// An alphabet: the pair of levels that each code stands for, the first entry's level first.
#[derive(Clone, Copy)]
struct Alphabet {
    pub pairs: [[u8; 2]; 8],
}

/// The alphabets, found by `training`. The last one has the pair 00, so it can pack every word.
#[rustfmt::skip]
static ALPHABETS: [Alphabet; 16] = [
    Alphabet::new(b"78 79 87 88 89 97 98 99"),
    Alphabet::new(b"48 78 79 87 88 89 98 99"),
    Alphabet::new(b"77 78 79 87 88 89 98 99"),
    Alphabet::new(b"68 77 78 86 87 88 89 98"),
    Alphabet::new(b"67 68 77 78 79 87 88 89"),
    Alphabet::new(b"53 77 78 85 87 88 89 99"),
    Alphabet::new(b"67 76 77 78 87 88 89 98"),
    Alphabet::new(b"67 78 86 87 88 89 98 99"),
    Alphabet::new(b"66 68 75 77 78 86 87 88"),
    Alphabet::new(b"24 57 58 75 77 78 87 88"),
    Alphabet::new(b"68 77 78 87 88 89 98 99"),
    Alphabet::new(b"48 75 78 87 88 89 98 99"),
    Alphabet::new(b"54 69 78 87 88 89 98 99"),
    Alphabet::new(b"47 58 66 77 78 87 88 89"),
    Alphabet::new(b"46 77 78 87 88 89 97 98"),
    Alphabet::new(b"00 45 57 66 68 77 86 88"),
];

impl Alphabet {
    /// Creates an alphabet from its pairs, two digits each.
    const fn new(digits: &[u8; 23]) -> Alphabet {
        let mut alphabet = Alphabet { pairs: [[0; 2]; 8] };
        let mut code = 0;
        while code < 8 {
            alphabet.pairs[code] = [digits[3 * code] - b'0', digits[3 * code + 1] - b'0'];
            code += 1;
        }
        alphabet
    }

    /// Returns the code that packs a pair of levels with the least loss, and that loss; `None` if
    /// each pair of the alphabet has a higher level.
    pub fn pack(&self, levels: [u8; 2]) -> Option<(u8, u16)> {
        let loss = |pair: &[u8; 2]| -> u16 { (0..2).map(|i| loss(levels[i], pair[i])).sum() };
        let not_higher = (0..)
            .zip(&self.pairs)
            .filter(|(_, pair)| pair[0] <= levels[0] && pair[1] <= levels[1]);
        not_higher
            .map(|(code, pair)| (code, loss(pair)))
            .min_by_key(|&(_, loss)| loss)
    }
}

/// Returns the value of a level in a table with this base value.
fn value(level: u8, base: u8) -> u8 {
    match level {
        0 => 0,
        _ => (base + level).saturating_sub(LOW_LEVELS),
    }
}

/// Returns the loss of reading a level as a lower one: the sum of the losses of its steps.
///
/// The highest three steps are measured: if a thousandth of the entries that a search reads is read
/// one level too low, from the highest, the second or the third level, random positions of length
/// 17 need 2.4, 3.2 or 0.9 thousandths more probes. A step below the base value costs these
/// positions next to nothing (0.03). It has a greater loss here because it decides near the
/// superflip, and wherever the corners are nearly solved and the edges are not.
fn loss(level: u8, lower: u8) -> u16 {
    [1, 1, 1, 2, 2, 3, 9, 32, 24][usize::from(lower)..usize::from(level)]
        .iter()
        .sum()
}

/// Returns the values of all codes, by alphabet, half of the pair, and code: the order that
/// [`EntryAddress::value_in`](coord::EntryAddress::value_in) expects.
pub(crate) fn values(base: u8) -> &'static [u8; VALUES] {
    static VALUES_OF_BASES: LazyLock<[[u8; VALUES]; 16]> = LazyLock::new(|| {
        std::array::from_fn(|base| {
            std::array::from_fn(|i| {
                let half = i / 8 % 2;
                value(ALPHABETS[i / 16].pairs[i % 8][half], base as u8)
            })
        })
    });
    &VALUES_OF_BASES[usize::from(base)]
}

/// Number of entries in a byte of high levels, two bits each: the base value and up to three more.
const HIGH_PER_BYTE: usize = 4;

/// The levels of the entries of a word.
pub(super) enum WordLevels {
    /// No level is below the base value: the difference of each entry to it, in two bits, the first
    /// entry's in the lowest.
    High([u8; ENTRIES_PER_WORD / HIGH_PER_BYTE]),
    /// The level of each entry.
    Any([u8; ENTRIES_PER_WORD]),
}

#[cfg(test)]
impl WordLevels {
    /// Returns the level of each entry.
    pub fn to_each(&self) -> [u8; ENTRIES_PER_WORD] {
        match self {
            WordLevels::High(bytes) => std::array::from_fn(|i| {
                LOW_LEVELS + (bytes[i / HIGH_PER_BYTE] >> (2 * (i % HIGH_PER_BYTE)) & 3)
            }),
            WordLevels::Any(levels) => *levels,
        }
    }
}

/// One or two pairs of entries, packed in each alphabet: their loss, and their codes, the first
/// pair's in the lowest bits. One cache line.
#[repr(align(64))]
struct PackedEntries {
    losses: [u16; ALPHABETS.len()],
    codes: [u8; ALPHABETS.len()],
}

/// The packing of pairs of levels.
struct Packing {
    /// The pairs, by first level + [`LEVELS`] · second level.
    pairs: [PackedEntries; LEVELS * LEVELS],
    /// Two pairs of high levels, by their byte ([`WordLevels::High`]).
    high: [PackedEntries; 256],
}

/// The loss of levels that an alphabet cannot pack: more than the loss of any word that can be
/// packed, and small enough to leave four bits for the number of an alphabet.
const IMPOSSIBLE: u16 = u16::MAX >> 4;

impl Packing {
    pub fn get() -> &'static Packing {
        static PACKING: LazyLock<Packing> = LazyLock::new(|| Packing::of(&ALPHABETS));
        &PACKING
    }

    fn of(alphabets: &[Alphabet; 16]) -> Packing {
        let pairs: [PackedEntries; LEVELS * LEVELS] = std::array::from_fn(|pair| {
            let levels = [pair % LEVELS, pair / LEVELS].map(|level| level as u8);
            let packed = alphabets
                .each_ref()
                .map(|alphabet| alphabet.pack(levels).unwrap_or((0, IMPOSSIBLE)));
            PackedEntries {
                losses: packed.map(|packed| packed.1),
                codes: packed.map(|packed| packed.0),
            }
        });
        let high = std::array::from_fn(|byte| {
            // The pair whose levels are `bits % 4` and `bits / 4` above the base value.
            let pair = |bits: usize| {
                &pairs[usize::from(LOW_LEVELS) * (1 + LEVELS) + bits % 4 + LEVELS * (bits / 4)]
            };
            let first = pair(byte % 16);
            let second = pair(byte / 16);
            PackedEntries {
                losses: std::array::from_fn(|i| first.losses[i] + second.losses[i]),
                codes: std::array::from_fn(|i| first.codes[i] | second.codes[i] << 3),
            }
        });
        Packing { pairs, high }
    }

    /// Returns the word of these levels with the least loss.
    #[inline(always)]
    pub fn word(&self, levels: &WordLevels) -> u64 {
        match levels {
            WordLevels::High(bytes) => packed_word(bytes, |&byte| &self.high[usize::from(byte)]),
            WordLevels::Any(levels) => {
                let (pairs, _) = levels.as_chunks::<2>();
                packed_word(pairs, |&[first, second]| {
                    &self.pairs[usize::from(first) + LEVELS * usize::from(second)]
                })
            }
        }
    }
}

/// Returns the word of these parts, in the alphabet with the least loss.
#[inline(always)]
fn packed_word<'a, P>(parts: &[P], packed: impl Fn(&P) -> &'a PackedEntries) -> u64 {
    let (best, _) = best_alphabet(parts, &packed);
    let bits_per_part = ALPHABET_SHIFT as usize / parts.len();
    let mut word = best as u64;
    for part in parts.iter().rev() {
        word = word << bits_per_part | u64::from(packed(part).codes[best]);
    }
    word
}

/// Returns the alphabet with the least loss for these parts together, and that loss.
#[inline(always)]
fn best_alphabet<'a, P>(parts: &[P], packed: &impl Fn(&P) -> &'a PackedEntries) -> (usize, u16) {
    let mut losses = [0; ALPHABETS.len()];
    for part in parts {
        add(&mut losses, &packed(part).losses);
    }
    // Loss and alphabet in one number, so that the least loss is found without branches.
    let mut least = u16::MAX;
    for (alphabet, loss) in losses.into_iter().enumerate() {
        least = least.min(loss.min(IMPOSSIBLE) << 4 | alphabet as u16);
    }
    (usize::from(least & 15), least >> 4)
}

/// Adds the loss in each alphabet.
#[inline(always)]
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn add(sums: &mut [u16; ALPHABETS.len()], losses: &[u16; ALPHABETS.len()]) {
    for (sum, loss) in sums.iter_mut().zip(losses) {
        *sum = sum.saturating_add(*loss);
    }
}

/// Adds the loss in each alphabet. The modules of WebAssembly are linked to be small, without
/// vectorizing loops: with this loop, a generation takes 18 % more time.
#[inline(always)]
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn add(sums: &mut [u16; ALPHABETS.len()], losses: &[u16; ALPHABETS.len()]) {
    use std::arch::wasm32::{u16x8_add_sat, v128_load, v128_store};
    for half in [0, ALPHABETS.len() / 2] {
        // SAFETY: eight numbers are read and written, which need no alignment.
        unsafe {
            let sum = sums.as_mut_ptr().add(half).cast();
            let loss = v128_load(losses.as_ptr().add(half).cast());
            v128_store(sum, u16x8_add_sat(v128_load(sum), loss));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BASE: u8 = 9;

    fn level(value: u8) -> u8 {
        let level = (value + LOW_LEVELS).saturating_sub(BASE);
        level.min(LEVELS as u8 - 1)
    }

    /// Returns values as they occur: each word has a lowest value, and most of its entries are two
    /// or three above the base value.
    fn some_values() -> impl Strategy<Value = Vec<u8>> {
        let word = (0u8..=BASE + 4).prop_flat_map(|lowest| {
            let value =
                prop_oneof![1 => lowest..=BASE + 4, 4 => Just(BASE + 2), 3 => Just(BASE + 3)];
            prop::collection::vec(value, ENTRIES_PER_WORD)
        });
        prop::collection::vec(word, 24).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn packed_entries_are_lower_bounds(values in some_values(), skip in 0usize..630) {
            let bitmaps = std::array::from_fn(|max_level| {
                let mut bits = vec![0u64; values.len().div_ceil(64)];
                for (i, &value) in values.iter().enumerate() {
                    bits[i / 64] |= u64::from(usize::from(level(value)) <= max_level) << (i % 64);
                }
                bits
            });
            let line = Line::pack(&Levels(bitmaps), skip);
            let mut counts = [0; LEVELS];
            let words = values[skip..][..ENTRIES_PER_LINE].chunks(ENTRIES_PER_WORD);
            for (i, word) in words.enumerate() {
                let mut lost = 0;
                for (slot, &value) in (0..).zip(word) {
                    // As in an entry address: bit 6 for the second entry of a pair, and the shift
                    // of the pair.
                    let in_word = (64 * (slot % 2) + 3 * (slot / 2)) << 32;
                    let address = coord::EntryAddress(i as u64 + in_word);
                    let read_value = super::values(BASE)[address.value_in(line.0[i])];
                    let is_bound =
                        read_value <= value && (read_value == 0 || read_value > BASE - LOW_LEVELS);
                    prop_assert!(is_bound, "{read_value} for {value}");
                    counts[usize::from(level(read_value))] += 1;
                    lost += loss(level(value), level(read_value));
                }
                // No alphabet loses less.
                let levels = word.chunks(2).map(|pair| [level(pair[0]), level(pair[1])]);
                let losses = |alphabet: &Alphabet| {
                    let losses = levels.clone().map(|pair| Some(alphabet.pack(pair)?.1));
                    losses.sum::<Option<u16>>()
                };
                prop_assert_eq!(Some(lost), ALPHABETS.iter().filter_map(losses).min());
            }
            prop_assert_eq!(line.level_counts(), counts);
        }
    }

    #[test]
    fn every_word_can_be_packed() {
        let mut alphabets = ALPHABETS.iter();
        assert!(alphabets.any(|alphabet| alphabet.pairs.contains(&[0, 0])));
        assert!(ENTRIES_PER_WORD as u16 * loss(LEVELS as u8 - 1, 0) < IMPOSSIBLE);
    }
}

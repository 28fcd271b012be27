//! The alphabets of words, and how a word is packed in the best of them.
//!
//! A pair of levels (see [`super::line`]) that the alphabet of its word lacks is packed as one that is nowhere higher, so what is
//! read is always a lower bound. Each word is packed in the alphabet that loses least.

use super::line::{ENTRIES_PER_WORD, LEVELS, LOW_LEVELS};
use crate::coord::{ALPHABET_SHIFT, VALUES};
use std::sync::LazyLock;

#[cfg(test)]
mod training;

/// The pairs of levels that the codes of a word stand for, the first entry's level first.
#[derive(Clone, Copy)]
pub(super) struct Alphabet {
    pub pairs: [[u8; 2]; 8],
}

/// The alphabets, as `training` has found them. One has the lowest pair, so every word can be packed.
#[rustfmt::skip]
pub(super) static ALPHABETS: [Alphabet; 16] = [
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
    /// Each pair as two digits.
    const fn new(digits: &[u8; 23]) -> Alphabet {
        let mut alphabet = Alphabet { pairs: [[0; 2]; 8] };
        let mut code = 0;
        while code < 8 {
            alphabet.pairs[code] = [digits[3 * code] - b'0', digits[3 * code + 1] - b'0'];
            code += 1;
        }
        alphabet
    }

    /// The code of a pair of levels with what it loses, the least that it can; `None` if all pairs here are higher.
    pub fn pack(&self, levels: [u8; 2]) -> Option<(u8, u16)> {
        let loss = |pair: &[u8; 2]| -> u16 { (0..2).map(|i| loss(levels[i], pair[i])).sum() };
        let lower = (0..).zip(&self.pairs).filter(|(_, pair)| pair[0] <= levels[0] && pair[1] <= levels[1]);
        lower.map(|(code, pair)| (code, loss(pair))).min_by_key(|&(_, loss)| loss)
    }
}

/// What a level means in a table with this base value.
fn value(level: u8, base: u8) -> u8 {
    match level {
        0 => 0,
        _ => (base + level).saturating_sub(LOW_LEVELS),
    }
}

/// What it costs to read a level as a lower one, each step by itself.
///
/// For the highest three steps as measured: where a thousandth of what a search reads is read as one level less, random
/// positions of length 17 need 2.4, 3.2 and 0.9 thousandths more probes. A step below the base value costs them next to nothing
/// (0.03), but it decides near the superflip and wherever the corners are nearly solved and the edges are not.
pub(super) fn loss(level: u8, lower: u8) -> u16 {
    [1, 1, 1, 2, 2, 3, 9, 32, 24][usize::from(lower)..usize::from(level)].iter().sum()
}

/// What every alphabet, half of a pair and code mean, in the order of [`EntryAddress::value_in`](coord::EntryAddress::value_in).
pub(crate) fn values(base: u8) -> &'static [u8; VALUES] {
    static VALUES_OF_BASES: LazyLock<[[u8; VALUES]; 16]> = LazyLock::new(|| {
        std::array::from_fn(|base| {
            std::array::from_fn(|i| {
                let (alphabet, half, code) = (&ALPHABETS[i / 16], i / 8 % 2, i % 8);
                value(alphabet.pairs[code][half], base as u8)
            })
        })
    });
    &VALUES_OF_BASES[usize::from(base)]
}

/// How many entries a byte of high levels holds, two bits each: the base value and up to three more.
const HIGH_PER_BYTE: usize = 4;

/// The levels of the entries of a word.
pub(super) enum WordLevels {
    /// None is below the base value: how far each is above it, in two bits, the first entry's lowest.
    High([u8; ENTRIES_PER_WORD / HIGH_PER_BYTE]),
    /// Each level.
    Any([u8; ENTRIES_PER_WORD]),
}

#[cfg(test)]
impl WordLevels {
    /// The level of each entry.
    pub fn to_each(&self) -> [u8; ENTRIES_PER_WORD] {
        match self {
            WordLevels::High(bytes) => {
                std::array::from_fn(|i| LOW_LEVELS + (bytes[i / HIGH_PER_BYTE] >> (2 * (i % HIGH_PER_BYTE)) & 3))
            }
            WordLevels::Any(levels) => *levels,
        }
    }
}

/// What packing some entries loses in each alphabet, and their codes there, the first pair's lowest. A line of the cache each.
#[repr(align(64))]
struct Packed {
    losses: [u16; ALPHABETS.len()],
    codes: [u8; ALPHABETS.len()],
}

/// How pairs of levels are packed.
pub(super) struct Packing {
    /// The pairs, by first level + [`LEVELS`] · second level.
    pairs: [Packed; LEVELS * LEVELS],
    /// Two pairs of high levels, by their byte ([`WordLevels::High`]).
    high: [Packed; 256],
}

/// The loss of what cannot be packed: more than that of any word that can. The number of an alphabet fits beside it.
const IMPOSSIBLE: u16 = u16::MAX >> 4;

impl Packing {
    pub fn get() -> &'static Packing {
        static PACKING: LazyLock<Packing> = LazyLock::new(|| Packing::of(&ALPHABETS));
        &PACKING
    }

    fn of(alphabets: &[Alphabet; 16]) -> Packing {
        let pairs: [Packed; LEVELS * LEVELS] = std::array::from_fn(|pair| {
            let levels = [pair % LEVELS, pair / LEVELS].map(|level| level as u8);
            let packed = alphabets.each_ref().map(|alphabet| alphabet.pack(levels).unwrap_or((0, IMPOSSIBLE)));
            Packed { losses: packed.map(|packed| packed.1), codes: packed.map(|packed| packed.0) }
        });
        let high = std::array::from_fn(|byte| {
            let pair = |bits: usize| &pairs[usize::from(LOW_LEVELS) * (1 + LEVELS) + bits % 4 + LEVELS * (bits / 4)];
            let (first, second) = (pair(byte % 16), pair(byte / 16));
            Packed {
                losses: std::array::from_fn(|i| first.losses[i] + second.losses[i]),
                codes: std::array::from_fn(|i| first.codes[i] | second.codes[i] << 3),
            }
        });
        Packing { pairs, high }
    }

    /// The word of these levels that loses least.
    #[inline(always)]
    pub fn word(&self, levels: &WordLevels) -> u64 {
        match levels {
            WordLevels::High(bytes) => packed_word(bytes, |&byte| &self.high[usize::from(byte)]),
            WordLevels::Any(levels) => {
                let (pairs, _) = levels.as_chunks::<2>();
                packed_word(pairs, |&[first, second]| &self.pairs[usize::from(first) + LEVELS * usize::from(second)])
            }
        }
    }
}

/// The word of these parts, in the alphabet that loses least.
#[inline(always)]
fn packed_word<'a, P>(parts: &[P], packed: impl Fn(&P) -> &'a Packed) -> u64 {
    let (best, _) = best_alphabet(parts, &packed);
    let bits = ALPHABET_SHIFT as usize / parts.len();
    let mut word = best as u64;
    for part in parts.iter().rev() {
        word = word << bits | u64::from(packed(part).codes[best]);
    }
    word
}

/// The alphabet that loses least with these parts together, and how much.
#[inline(always)]
fn best_alphabet<'a, P>(parts: &[P], packed: &impl Fn(&P) -> &'a Packed) -> (usize, u16) {
    let mut losses = [0u16; ALPHABETS.len()];
    for part in parts {
        for (sum, loss) in losses.iter_mut().zip(&packed(part).losses) {
            *sum = sum.saturating_add(*loss);
        }
    }
    // Both in one number, so that the least one is found without branches.
    let mut least = u16::MAX;
    for (alphabet, loss) in losses.into_iter().enumerate() {
        least = least.min(loss.min(IMPOSSIBLE) << 4 | alphabet as u16);
    }
    (usize::from(least & 15), least >> 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_can_be_packed() {
        assert!(ALPHABETS.iter().any(|alphabet| alphabet.pairs.contains(&[0, 0])));
        assert!(ENTRIES_PER_WORD as u16 * loss(LEVELS as u8 - 1, 0) < IMPOSSIBLE);
    }
}

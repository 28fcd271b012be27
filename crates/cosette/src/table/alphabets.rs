//! The alphabets of words, and how a word is packed in the best of them.
//!
//! A pair of levels (see [`super::line`]) that the alphabet of its word lacks is packed as one that is nowhere higher, so what is
//! read is always a lower bound. Each word is packed in the alphabet that loses least: four words of five lose nothing, and one
//! entry in a hundred is read as a level less.

use super::line::ENTRIES_PER_WORD;
use crate::coord::{ALPHABET_SHIFT, VALUES};
use std::ops::Range;
use std::sync::LazyLock;

#[cfg(test)]
mod training;

/// The pairs of levels that the codes of a word stand for, the first entry's level first.
pub(super) struct Alphabet {
    depth: u8,
    pub pairs: [[u8; 2]; 8],
}

/// How far the least value of a word is below base + 1: 0 if no entry is that low, [`UNKNOWN_DEPTH`] for four and more.
pub(super) fn depth(base: u8, least: u8) -> u8 {
    (base + 1).saturating_sub(least).min(UNKNOWN_DEPTH)
}

/// The depth of a word whose lowest entries are bounded by zero.
const UNKNOWN_DEPTH: u8 = 4;

/// The alphabets, by depth, as `training` has found them.
#[rustfmt::skip]
pub(super) static ALPHABETS: [Alphabet; 16] = [
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
pub(super) const OF_DEPTH: [Range<usize>; 5] = [0..3, 3..11, 11..14, 14..15, 15..16];

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
    pub fn pack(&self, levels: [u8; 2]) -> Option<(u8, u16)> {
        let loss = |pair: &[u8; 2]| -> u16 { (0..2).map(|i| loss(levels[i], pair[i])).sum() };
        let lower = (0..).zip(&self.pairs).filter(|(_, pair)| pair[0] <= levels[0] && pair[1] <= levels[1]);
        lower.map(|(code, pair)| (code, loss(pair))).min_by_key(|&(_, loss)| loss)
    }

    /// What a level of this alphabet means in a table with this base value.
    fn value(&self, level: u8, base: u8) -> u8 {
        match (level, self.depth) {
            (0, UNKNOWN_DEPTH) => 0,
            (0, depth) => (base + 1).saturating_sub(depth),
            (level, _) => base + level,
        }
    }
}

/// What it costs to read a level as a lower one, in thousandths of the probes of a search if all entries of that level were
/// read so, roughly.
pub(super) fn loss(level: u8, lower: u8) -> u16 {
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
pub(super) struct Packing {
    /// For each byte, what each alphabet loses.
    losses: [[u16; ALPHABETS.len()]; 256],
    /// For each alphabet and byte, the two codes.
    codes: [[u8; 256]; ALPHABETS.len()],
}

/// The loss of what cannot be packed: more than that of any word that can.
const IMPOSSIBLE: u16 = u16::MAX / 16;

impl Packing {
    pub fn get() -> &'static Packing {
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
    pub fn word(&self, levels: &[u8; ENTRIES_PER_WORD / 4], depth: u8) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}

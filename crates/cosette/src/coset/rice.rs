//! A set of bits in few bytes: Rice's code of the gaps between them.
//!
//! Some bits of a block are *open*: they may be set. The set bits are listed or, if these are
//! fewer, the open bits that are clear. A listed bit is given by its *gap*: the number of open bits
//! between the listed bit before and this one. A gap g is coded as g ≫ s in unary, then its lowest
//! s bits, where 2ˢ is about 0.7 times the mean gap (R. F. Rice, "Some practical universal
//! noiseless coding techniques", 1979). For independent bits, such a code is at most 4 % longer
//! than necessary.
//!
//! If more than a quarter of all bits would be listed, the words are copied instead. That is much
//! faster, and the code is at most a fifth longer if all bits are open.
//!
//! ```text
//! | s, plus 128 if clear bits are listed | number of listed bits, 4 bytes | gaps, from the lowest bit of each byte |
//! | 64 | the words of the set bits |
//! ```
//!
//! If no bit is set, the code is empty.

/// First byte of a code that copies the words.
const WORDS: u8 = 64;

/// Encodes the set bits, given the open bits and the set bits of each word.
pub(super) fn encode(words: &[(u64, u64)]) -> Vec<u8> {
    let count = |bits: fn(&(u64, u64)) -> u64| {
        words
            .iter()
            .map(|word| u64::from(bits(word).count_ones()))
            .sum::<u64>()
    };
    let open = count(|&(open, _)| open);
    let set = count(|&(_, set)| set);
    if set == 0 {
        return Vec::new();
    }
    let is_inverted = set > open / 2;
    let listed = if is_inverted { open - set } else { set };
    if listed > 16 * words.len() as u64 {
        let set = words.iter().flat_map(|(_, set)| set.to_le_bytes());
        return std::iter::once(WORDS).chain(set).collect();
    }
    let shift = (open * 7 / 10 / listed.max(1)).max(1).ilog2();
    let mut bits = BitWriter {
        bytes: vec![shift as u8 | u8::from(is_inverted) << 7],
        pending: 0,
        count: 0,
    };
    bits.bytes.extend((listed as u32).to_le_bytes());
    let mut gap = 0;
    for &(mut open, set) in words {
        let mut listed = if is_inverted { open & !set } else { set };
        while listed != 0 {
            let up_to_listed = listed ^ (listed - 1);
            gap += u64::from((open & up_to_listed).count_ones()) - 1;
            bits.put_gap(gap, shift);
            gap = 0;
            open &= !up_to_listed;
            listed &= listed - 1;
        }
        gap += u64::from(open.count_ones());
    }
    bits.finish()
}

/// Packs bits into bytes.
struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    /// Number of pending bits: less than 32 between calls.
    count: u32,
}

impl BitWriter {
    fn put_gap(&mut self, gap: u64, shift: u32) {
        let mut zeros = gap >> shift;
        while zeros >= 32 {
            self.put(0, 32);
            zeros -= 32;
        }
        self.put(1 << zeros, zeros as u32 + 1);
        self.put(gap & ((1 << shift) - 1), shift);
    }

    fn put(&mut self, value: u64, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        if self.count >= 32 {
            self.bytes.extend((self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.count -= 32;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let pending_bytes = self.count.div_ceil(8) as usize;
        self.bytes
            .extend(&self.pending.to_le_bytes()[..pending_bytes]);
        self.bytes
    }
}

/// Reads a code, word by word.
#[derive(Default)]
pub(super) struct Decoder<'a> {
    bytes: &'a [u8],
    /// Bits that were read and are not decoded yet.
    pending: u64,
    /// Number of pending bits.
    count: u32,
    shift: u32,
    is_inverted: bool,
    /// `true` if the code copies the words.
    are_words: bool,
    /// Number of listed bits that are not decoded yet.
    remaining: u32,
    /// Number of open bits before the next listed bit.
    gap: u64,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder; `None` if the code is invalid.
    pub fn new(bytes: &'a [u8]) -> Option<Decoder<'a>> {
        if let [WORDS, words @ ..] = bytes {
            return Some(Decoder {
                bytes: words,
                are_words: true,
                ..Decoder::default()
            });
        }
        let head = bytes.split_first_chunk();
        // An empty code lists nothing.
        let (&[kind, listed @ ..], bytes): (&[u8; 5], _) = head.unwrap_or((&[0; 5], bytes));
        let mut decoder = Decoder {
            bytes,
            shift: u32::from(kind & 127),
            is_inverted: kind > 127,
            remaining: u32::from_le_bytes(listed),
            ..Decoder::default()
        };
        if decoder.shift > 31 {
            return None;
        }
        decoder.read_gap()?;
        Some(decoder)
    }

    /// Returns the set bits among the open bits of the next word. `None` if the code is invalid.
    pub fn word(&mut self, open: u64) -> Option<u64> {
        if self.are_words {
            let (word, later) = self.bytes.split_first_chunk()?;
            self.bytes = later;
            return Some(u64::from_le_bytes(*word)).filter(|set| set & !open == 0);
        }
        let mut undecoded = open;
        let mut listed = 0;
        while self.remaining > 0 {
            let open_count = u64::from(undecoded.count_ones());
            if self.gap >= open_count {
                self.gap -= open_count;
                break;
            }
            (0..self.gap).for_each(|_| undecoded &= undecoded - 1);
            listed |= undecoded & undecoded.wrapping_neg();
            undecoded &= undecoded - 1;
            self.remaining -= 1;
            self.read_gap()?;
        }
        Some(if self.is_inverted {
            open & !listed
        } else {
            listed
        })
    }

    /// Returns `true` if the whole code was decoded.
    pub fn is_done(&self) -> bool {
        self.remaining == 0 && (!self.are_words || self.bytes.is_empty())
    }

    /// Decodes the next gap, if there is one; `None` if the code ends too early.
    fn read_gap(&mut self) -> Option<()> {
        if self.remaining == 0 {
            return Some(());
        }
        let mut zeros = 0;
        while self.pending == 0 {
            zeros += u64::from(self.count);
            self.count = 0;
            self.fill()?;
        }
        let more = self.pending.trailing_zeros();
        // Two shifts, as one of 64 bits would overflow.
        self.pending = self.pending >> more >> 1;
        self.count -= more + 1;
        if self.count < self.shift {
            self.fill()?;
        }
        let lowest = self.pending & ((1 << self.shift) - 1);
        self.pending >>= self.shift;
        self.count = self.count.checked_sub(self.shift)?;
        self.gap = (zeros + u64::from(more)) << self.shift | lowest;
        Some(())
    }

    /// Reads up to 32 bits more, while less than 32 are pending; `None` at the end of the code.
    fn fill(&mut self) -> Option<()> {
        let (now, later) = self.bytes.split_at(self.bytes.len().min(4));
        let mut four = [0; 4];
        four[..now.len()].copy_from_slice(now);
        self.pending |= u64::from(u32::from_le_bytes(four)) << self.count;
        self.count += 8 * now.len() as u32;
        self.bytes = later;
        (!now.is_empty()).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Returns random words whose bits are set with this probability.
    fn random_words(share: f64, generator: &mut ChaCha8Rng) -> Vec<u64> {
        let mut word = |_| {
            let mut bits = (0..64).map(|_| u64::from(generator.random_bool(share)));
            bits.by_ref().fold(0, |word, bit| word << 1 | bit)
        };
        (0..3000).map(&mut word).collect()
    }

    fn count(words: impl Iterator<Item = u64>) -> f64 {
        words.map(|word| f64::from(word.count_ones())).sum()
    }

    #[test]
    fn codes_are_short_and_decode_to_the_encoded_bits() {
        let mut generator = ChaCha8Rng::seed_from_u64(41);
        for open_share in [0.0, 0.001, 0.3, 1.0] {
            for share in [0.0, 0.00002, 0.001, 0.03, 0.3, 0.5, 0.85, 0.99, 1.0] {
                let open = random_words(open_share, &mut generator);
                let set = random_words(share, &mut generator);
                let words = open.into_iter().zip(set);
                let words: Vec<(u64, u64)> = words.map(|(open, set)| (open, open & set)).collect();
                let coded = encode(&words);
                let mut decoder = Decoder::new(&coded).unwrap();
                for &(open, set) in &words {
                    assert_eq!(decoder.word(open), Some(set));
                }
                assert!(decoder.is_done());
                let open = count(words.iter().map(|word| word.0));
                let set = count(words.iter().map(|word| word.1));
                let parts = [set, open - set].into_iter().filter(|&part| part > 0.0);
                let entropy: f64 = parts.map(|part| part * (open / part).log2()).sum();
                let is_of_words = coded.first() == Some(&WORDS);
                // A little more than the module states, as the entropy of a sample varies.
                let max_ratio = if is_of_words { 1.24 } else { 1.06 };
                let length = coded.len();
                let limit = max_ratio * entropy / 8.0 + 16.0;
                assert!(
                    length as f64 <= limit,
                    "{open_share} {share}: {length} {limit}"
                );
                if set == 0.0 || set == open {
                    continue;
                }
                for end in (5..length).step_by(1 + length / 100) {
                    let is_complete = |mut truncated: Decoder<'_>| {
                        let mut words = words.iter();
                        words.all(|&(open, _)| truncated.word(open).is_some())
                            && truncated.is_done()
                    };
                    assert!(!Decoder::new(&coded[..end]).is_some_and(is_complete));
                }
            }
        }
    }
}

//! A Bloom filter: it may seem to contain more than was inserted, but never less.

/// A filter (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970) whose three bits
/// for an element lie in one word, so that a test is one load and no branch.
#[derive(Debug)]
pub(super) struct BloomFilter {
    words: Vec<u64>,
    /// How far a hash is shifted to number a word.
    shift: u32,
}

impl BloomFilter {
    /// An empty filter of 2^`size` bits.
    pub fn new(size: u32) -> BloomFilter {
        let word_bits = size - u64::BITS.ilog2();
        BloomFilter { words: vec![0; 1 << word_bits], shift: u64::BITS - word_bits }
    }

    pub fn insert(&mut self, key: u32) {
        let (word, bits) = self.place(key);
        self.words[word] |= bits;
    }

    /// Whether the key may have been inserted; always `true` if it was.
    #[inline(always)]
    pub fn may_contain(&self, key: u32) -> bool {
        let (word, bits) = self.place(key);
        self.words[word] & bits == bits
    }

    #[inline(always)]
    fn place(&self, key: u32) -> (usize, u64) {
        // The golden ratio. The upper half of the product depends on every bit of the key.
        let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = 1 << (hash >> 29 & 63) | 1 << (hash >> 35 & 63) | 1 << (hash >> 41 & 63);
        ((hash >> self.shift) as usize, bits)
    }
}

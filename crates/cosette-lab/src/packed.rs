//! Tables of four bits an entry, and of two.
//!
//! The papers keep a distance in four bits, two to a byte. Two bits are enough where the entries are distances modulo
//! three: neighbours differ by one at most, so whoever knows the distance of one entry knows that of a neighbour.

/// How many entries there are of each distance, from 0 on.
pub type Counts = Vec<u64>;

/// The entries of a table in a file or in memory, with how many there are of each distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The packed entries.
    pub bytes: Vec<u8>,
    /// How many there are of each distance.
    pub counts: Counts,
}

/// A table of four bits an entry: distances from 0 to 15.
#[derive(Clone, Debug)]
pub struct FourBits(Packed);

impl FourBits {
    /// How many bytes so many entries take.
    pub const fn bytes(entries: usize) -> usize {
        entries.div_ceil(2)
    }

    /// Packs distances.
    pub fn pack(distances: &[u8]) -> Packed {
        let bytes = distances.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |second| second << 4)).collect();
        Packed { bytes, counts: count(distances) }
    }

    /// The table with these entries.
    pub fn new(packed: Packed) -> FourBits {
        FourBits(packed)
    }

    /// The entry at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u8 {
        self.0.bytes[index / 2] >> (4 * (index % 2)) & 15
    }

    /// How many entries there are of each distance.
    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }
}

/// A table of two bits an entry: distances modulo three.
#[derive(Clone, Debug)]
pub struct ModThree(Packed);

impl ModThree {
    /// How many bytes so many entries take.
    pub const fn bytes(entries: usize) -> usize {
        entries.div_ceil(4)
    }

    /// Packs distances.
    pub fn pack(distances: &[u8]) -> Packed {
        let pack = |four: &[u8]| four.iter().rev().fold(0, |byte, distance| (byte << 2) | (distance % 3));
        Packed { bytes: distances.chunks(4).map(pack).collect(), counts: count(distances) }
    }

    /// The table with these entries.
    pub fn new(packed: Packed) -> ModThree {
        ModThree(packed)
    }

    /// The entry at `index`: 0, 1 or 2.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u8 {
        self.0.bytes[index / 4] >> (2 * (index % 4)) & 3
    }

    /// The distance at `index`, where that of a neighbour is known.
    #[inline(always)]
    pub fn beside(&self, neighbour: u8, index: usize) -> u8 {
        match (self.get(index) + 3 - neighbour % 3) % 3 {
            0 => neighbour,
            1 => neighbour + 1,
            _ => neighbour - 1,
        }
    }

    /// How many entries there are of each distance.
    pub fn counts(&self) -> &Counts {
        &self.0.counts
    }
}

fn count(distances: &[u8]) -> Counts {
    let mut counts = [0; 256];
    distances.iter().for_each(|&distance| counts[usize::from(distance)] += 1);
    let last = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    counts[..last].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_as_they_went_in() {
        let distances: Vec<u8> = (0..101).map(|i| (i * i % 13) as u8).collect();
        let (four, three) = (FourBits::pack(&distances), ModThree::pack(&distances));
        assert_eq!((four.bytes.len(), three.bytes.len()), (FourBits::bytes(101), ModThree::bytes(101)));
        assert_eq!(four.counts.iter().sum::<u64>(), 101);
        let (four, three) = (FourBits::new(four), ModThree::new(three));
        for (index, &distance) in distances.iter().enumerate() {
            assert_eq!((four.get(index), three.get(index)), (distance, distance % 3));
            for neighbour in distance.saturating_sub(1)..=distance + 1 {
                assert_eq!(three.beside(neighbour, index), distance);
            }
        }
    }
}

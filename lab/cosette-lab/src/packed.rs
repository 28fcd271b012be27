//! Tables of four bits an entry, and of two.
//!
//! The papers store a distance in four bits, two to a byte. Two bits suffice for distances modulo
//! three: neighbors differ by one at most, so the distance of an entry follows from that of a
//! neighbor.

use crate::error::LabError;
use cosette::Control;
use cosette::table::TableMemory;
use rayon::prelude::*;

/// Number of entries of each distance, from 0 up to the largest, which is 31 at most.
pub type DistanceCounts = Vec<u64>;

/// The entries of a table, with the number of entries of each distance.
#[derive(Debug)]
pub struct PackedDistances {
    /// The packed entries.
    pub bytes: TableMemory,
    /// Number of entries of each distance.
    pub counts: DistanceCounts,
}

/// Number of bytes packed at once, while they are in the processor's cache.
const PIECE: usize = 1 << 16;

/// A table of `BITS` bits an entry, two or four.
#[derive(Debug)]
pub struct PackedTable<const BITS: usize>(PackedDistances);

/// A table of four bits an entry: distances from 0 to 15.
pub type FourBits = PackedTable<4>;

/// A table of two bits an entry: distances modulo three.
pub type ModThree = PackedTable<2>;

impl<const BITS: usize> PackedTable<BITS> {
    const PER_BYTE: usize = 8 / BITS;

    /// Returns the number of bytes of this many entries.
    pub const fn bytes(entries: usize) -> usize {
        entries.div_ceil(Self::PER_BYTE)
    }

    /// Packs distances: from 0 to 15 in four bits, from 0 to 31 modulo three in two bits.
    ///
    /// # Panics
    /// Panics if one of them is larger.
    pub fn pack(distances: &[u8], control: &Control<'_>) -> Result<PackedDistances, LabError> {
        let (most, modulus) = if BITS == 4 { (15, 16) } else { (31, 3) };
        let pack = |some: &[u8]| {
            some.iter()
                .rev()
                .fold(0, |byte, distance| (byte << BITS) | (distance % modulus))
        };
        let mut bytes = TableMemory::zeroed(Self::bytes(distances.len()) as u64)?;
        control.in_pool(|| {
            let pieces = bytes
                .par_chunks_mut(PIECE)
                .zip(distances.par_chunks(PIECE * Self::PER_BYTE));
            pieces.for_each(|(bytes, distances)| {
                let packed = distances.chunks(Self::PER_BYTE).map(pack);
                bytes
                    .iter_mut()
                    .zip(packed)
                    .for_each(|(byte, packed)| *byte = packed);
            });
        })?;
        let counts = count(distances, most);
        Ok(PackedDistances { bytes, counts })
    }

    /// The table with these entries.
    pub fn new(packed: PackedDistances) -> Self {
        PackedTable(packed)
    }

    /// The entry at `index`: a distance, or 0, 1 or 2.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u8 {
        self.0.bytes[index / Self::PER_BYTE] >> (BITS * (index % Self::PER_BYTE))
            & ((1 << BITS) - 1)
    }

    /// Returns the number of entries of each distance.
    pub fn counts(&self) -> &DistanceCounts {
        &self.0.counts
    }
}

impl ModThree {
    /// Returns the distance at `index`, given that of a neighbor.
    #[inline(always)]
    pub fn beside(&self, neighbor: u8, index: usize) -> u8 {
        match (self.get(index) + 3 - neighbor % 3) % 3 {
            0 => neighbor,
            1 => neighbor + 1,
            _ => neighbor - 1,
        }
    }
}

/// Counts the entries of each distance.
///
/// # Panics
/// Panics if one is larger than `most`.
pub(crate) fn count(distances: &[u8], most: usize) -> DistanceCounts {
    let mut counts = [0; 256];
    for &distance in distances {
        counts[usize::from(distance)] += 1;
    }
    let counts = trimmed(&counts);
    let largest = counts.len() - 1;
    assert!(
        largest <= most,
        "a distance of {largest}, and {most} is the most"
    );
    counts
}

/// The counts up to the last that is not zero.
pub(crate) fn trimmed(counts: &[u64]) -> DistanceCounts {
    let end = counts
        .iter()
        .rposition(|&count| count > 0)
        .map_or(0, |last| last + 1);
    counts[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(distances: &[u8], threads: usize) -> [PackedDistances; 2] {
        let control = Control::new(cosette::ThreadCount::new(threads).unwrap());
        [
            FourBits::pack(distances, &control).unwrap(),
            ModThree::pack(distances, &control).unwrap(),
        ]
    }

    #[test]
    fn entries_come_out_as_they_went_in() {
        let distances: Vec<u8> = (0..9 * PIECE + 1).map(|i| (i * i % 13) as u8).collect();
        let [four, three] = pack(&distances, 1);
        for (one, other) in pack(&distances, 2).iter().zip([&four, &three]) {
            assert!(one.bytes[..] == other.bytes[..] && one.counts == other.counts);
        }
        assert_eq!(four.bytes.len(), FourBits::bytes(distances.len()));
        assert_eq!(three.bytes.len(), ModThree::bytes(distances.len()));
        assert_eq!(four.counts.iter().sum::<u64>(), distances.len() as u64);
        let four = FourBits::new(four);
        let three = ModThree::new(three);
        for (index, &distance) in distances.iter().enumerate() {
            assert_eq!(four.get(index), distance);
            for neighbor in distance.saturating_sub(1)..=distance + 1 {
                assert_eq!(three.beside(neighbor, index), distance);
            }
        }
    }

    #[test]
    #[should_panic(expected = "a distance of 16")]
    fn what_does_not_fit_is_noticed() {
        pack(&[16, 0], 1);
    }
}

//! A stored position: 72 bits.
//!
//! ```text
//! 27 bits   the number of the arrangement of the corners, below 8!·3⁷
//! 40 bits   that of the edges, below 12!·2¹¹
//!  5 bits   a move that leads one closer to solved; 31 at the solved position
//! ```
//!
//! The first two are the *key*. As a number a record sorts by its key. The distance is not in it: the levels follow one
//! another, and where they begin is known. With the parity that corners and edges share the key would have 66 bits,
//! but one bit saves no byte.

use super::CUMULATIVE;
use crate::pieces::{corner_number, corners_of, corners_with, edge_number, edges_of, edges_with, position_of};
use cosette::block_file::{self, Contents};
use cosette::cube::{Cube, Move};

/// How many bits number the arrangement of the edges.
pub(super) const EDGE_BITS: u32 = 40;
/// How many bits hold the move.
pub(super) const MOVE_BITS: u32 = 5;
const NO_MOVE: u8 = 31;

/// What tells a position from all others: 67 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub(super) u128);

impl Key {
    /// How many bits a key has.
    pub(super) const BITS: u32 = 27 + EDGE_BITS;

    /// The key of a position.
    pub fn of(position: &Cube) -> Key {
        let (corners, edges) = (corner_number(&corners_of(position)), edge_number(&edges_of(position)));
        Key(u128::from(corners) << EDGE_BITS | u128::from(edges))
    }

    /// The position with this key, if there is one.
    pub fn position(self) -> Option<Cube> {
        position_of(corners_with(self.corners()), edges_with(self.edges()))
    }

    /// The number of the arrangement of the corners, below 88,179,840.
    pub const fn corners(self) -> u64 {
        (self.0 >> EDGE_BITS) as u64
    }

    /// The number of the arrangement of the edges, below 2⁴⁰.
    pub(super) const fn edges(self) -> u64 {
        (self.0 & ((1 << EDGE_BITS) - 1)) as u64
    }
}

/// A key, and the move that leads closer to solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Record(u128);

impl Record {
    pub fn new(key: Key, home: Option<Move>) -> Record {
        let home = home.map_or(NO_MOVE, |m| m.index() as u8);
        Record(key.0 << MOVE_BITS | u128::from(home))
    }

    pub const fn key(self) -> Key {
        Key(self.0 >> MOVE_BITS)
    }

    /// The move that leads closer to solved.
    pub fn home(self) -> Option<Move> {
        Move::ALL.get((self.0 & ((1 << MOVE_BITS) - 1)) as usize).copied()
    }
}

/// How a record lies in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// 9 bytes, the 72 bits with the least significant first.
    #[default]
    Compact,
    /// 40 bytes, as many as the paper uses. What it keeps in them is not told; here a byte for each slot (cubie and
    /// orientation: eight corners, twelve edges), one for the move, and zeros.
    Paper,
}

impl Layout {
    /// How many bytes a record takes.
    pub const fn bytes(self) -> usize {
        match self {
            Layout::Compact => 9,
            Layout::Paper => 40,
        }
    }

    /// Appends a record.
    pub(super) fn write(self, record: Record, bytes: &mut Vec<u8>) {
        match self {
            Layout::Compact => bytes.extend_from_slice(&record.0.to_le_bytes()[..9]),
            Layout::Paper => {
                let key = record.key();
                bytes.extend_from_slice(&corners_with(key.corners()));
                bytes.extend_from_slice(&edges_with(key.edges()));
                bytes.push(record.0 as u8 & NO_MOVE);
                bytes.extend_from_slice(&[0; 19]);
            }
        }
    }

    /// Reads a record; bytes that no record has give one of no position.
    #[inline]
    pub(super) fn read(self, bytes: &[u8]) -> Record {
        match self {
            Layout::Compact => {
                let mut record = [0; 16];
                record[..9].copy_from_slice(&bytes[..9]);
                Record(u128::from_le_bytes(record))
            }
            Layout::Paper => {
                let corners = std::array::from_fn(|slot| bytes[slot] % 24);
                let edges = std::array::from_fn(|slot| bytes[8 + slot] % 24);
                let key = Key(u128::from(corner_number(&corners)) << EDGE_BITS | u128::from(edge_number(&edges)));
                Record(key.0 << MOVE_BITS | u128::from(bytes[20] & NO_MOVE))
            }
        }
    }
}

/// What the file of a space holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Positions {
    pub depth: u8,
    pub layout: Layout,
}

/// How many bytes are generated at a time and share a checksum: a whole number of records in each layout.
pub(super) const BLOCK: u64 = 360 << 11;

impl Contents for Positions {
    fn name(&self) -> String {
        format!("the positions within {} moves, {} bytes each", self.depth, self.layout.bytes())
    }

    fn bytes(&self) -> u64 {
        CUMULATIVE[usize::from(self.depth)] * self.layout.bytes() as u64
    }

    fn numbering(&self) -> u64 {
        numbering()
    }

    fn block_size(&self) -> u64 {
        BLOCK
    }
}

/// A checksum of the keys of some positions: a program that numbers them in another way must not read the file.
pub(super) fn numbering() -> u64 {
    block_file::numbering(|position| {
        let key = Key::of(position);
        key.corners().rotate_left(EDGE_BITS) ^ key.edges()
    })
}

const _: () = assert!(BLOCK.is_multiple_of(9) && BLOCK.is_multiple_of(40));

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn records_come_back_from_both_layouts() {
        for (i, position) in random_positions(7).take(500).enumerate() {
            let home = Move::ALL.get(i % 19).copied();
            let record = Record::new(Key::of(&position), home);
            for layout in [Layout::Compact, Layout::Paper] {
                let mut bytes = Vec::new();
                layout.write(record, &mut bytes);
                assert_eq!(bytes.len(), layout.bytes());
                let read = layout.read(&bytes);
                assert_eq!((read, read.home(), read.key().position()), (record, home, Some(position)));
            }
        }
    }
}

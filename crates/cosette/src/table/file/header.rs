//! The first page of a table file, and the list of checksums behind it.

use super::super::line::Line;
use super::super::{Distribution, TableError, TableId, TableSize, entry_of};
use crate::cube::{Metric, random_positions};
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The version of the format.
pub(super) const VERSION: u32 = 3;

/// How the header and the checksums are padded.
pub(super) const PAGE: usize = 4096;

/// How many bytes share a checksum. The last block may be shorter.
pub(super) const BLOCK: usize = 4 << 20;

/// As in PNG, line ends in the magic show what a transfer as text would do to the file.
const MAGIC: [u8; 16] = *b"cosette table\r\n\x1a";
const JOURNAL_MAGIC: [u8; 16] = *b"cosette journal\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const RESERVED: usize = PAGE - 328;

/// The header page. Its numbers are little-endian on any machine, but for the byte-order mark, which is as the lines are.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 16],
    version: U32,
    byte_order: [u8; 4],
    metric: u8,
    kept_flips: u8,
    base_value: u8,
    unused: [u8; 5],
    lines: U64,
    block_size: U64,
    distribution: [U64; 32],
    /// Where the entries of some positions lie ([`numbering`]).
    numbering: U64,
    /// The checksum of the pages that list the checksums of the blocks.
    sums_checksum: U64,
    reserved: [u8; RESERVED],
    /// The checksum of all before it.
    checksum: U64,
}

const _: () = assert!(size_of::<Header>() == PAGE);

impl Header {
    /// The header of a table with these checksums.
    pub fn new(id: TableId, distribution: &Distribution, sums: &BlockSums) -> Header {
        Header::with_magic(MAGIC, id, distribution, sums)
    }

    /// What a journal of the filling of `id` starts with: the header of a table that counts nothing, but for the magic.
    pub fn of_journal(id: TableId) -> Header {
        Header::with_magic(JOURNAL_MAGIC, id, &Distribution::default(), &BlockSums::zeroed(id.size))
    }

    fn with_magic(magic: [u8; 16], id: TableId, distribution: &Distribution, sums: &BlockSums) -> Header {
        let mut header = Header {
            magic,
            version: VERSION.into(),
            byte_order: BYTE_ORDER.to_ne_bytes(),
            metric: id.metric as u8,
            kept_flips: id.size.kept_flips() as u8,
            base_value: id.base_value(),
            unused: [0; 5],
            lines: (id.size.lines() as u64).into(),
            block_size: (BLOCK as u64).into(),
            distribution: distribution.map(U64::from),
            numbering: numbering(id).into(),
            sums_checksum: xxh3_64(sums.as_bytes()).into(),
            reserved: [0; RESERVED],
            checksum: 0.into(),
        };
        header.checksum = header.own_checksum().into();
        header
    }

    fn own_checksum(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..PAGE - size_of::<U64>()])
    }

    /// Reads the header in the first page of a file, or in what there is of it, and checks all that it says of itself.
    pub fn read(page: &[u8], path: &Path) -> Result<Header, TableError> {
        let path = || path.to_owned();
        if !page.starts_with(&MAGIC) {
            return Err(TableError::NotATable { path: path() });
        }
        let Ok(header) = Header::read_from_bytes(page) else {
            return Err(TableError::DamagedHeader { path: path() });
        };
        // Another version may keep its checksum elsewhere, so the version comes first.
        if header.version != VERSION {
            return Err(TableError::OtherVersion { path: path(), found: header.version.get(), expected: VERSION });
        }
        if header.own_checksum() != header.checksum.get() {
            return Err(TableError::DamagedHeader { path: path() });
        }
        if header.byte_order != BYTE_ORDER.to_ne_bytes() {
            return Err(TableError::OtherByteOrder { path: path() });
        }
        Ok(header)
    }

    /// Checks that the file holds the table `expected`, cut into blocks as this program does.
    pub fn check_identity(&self, expected: TableId, path: &Path) -> Result<(), TableError> {
        let same = self.id() == Some(expected)
            && self.base_value == expected.base_value()
            && self.lines == expected.size.lines() as u64
            && self.block_size == BLOCK as u64;
        if same {
            return Ok(());
        }
        let name = self.id().map_or("of unknown name".into(), |id| id.to_string());
        let found = format!("{name} (base value {}, {} lines)", self.base_value, self.lines);
        Err(TableError::OtherTable { path: path.to_owned(), found, expected })
    }

    /// Checks that the table numbers its entries as this program does. Costs some hundredths of a second where no corner
    /// has been classified yet.
    pub fn check_numbering(&self, expected: TableId, path: &Path) -> Result<(), TableError> {
        if self.numbering == numbering(expected) {
            Ok(())
        } else {
            Err(TableError::OtherNumbering { path: path.to_owned() })
        }
    }

    /// Checks the list of checksums.
    pub fn check_sums(&self, sums: &BlockSums, path: &Path) -> Result<(), TableError> {
        if xxh3_64(sums.as_bytes()) == self.sums_checksum.get() {
            Ok(())
        } else {
            Err(TableError::DamagedHeader { path: path.to_owned() })
        }
    }

    fn id(&self) -> Option<TableId> {
        let metric = Metric::ALL.into_iter().find(|&metric| metric as u8 == self.metric)?;
        let size = TableSize::ALL.into_iter().find(|size| size.kept_flips() == u32::from(self.kept_flips))?;
        Some(TableId { metric, size })
    }

    /// How many entries have each value.
    pub fn distribution(&self) -> Distribution {
        self.distribution.map(U64::get)
    }
}

/// A checksum of where the entries of a thousand positions lie.
///
/// Whoever numbers classes or placements in another way makes all older tables wrong, and no other checksum would tell:
/// their bounds are then too high in places, and solutions are missed.
fn numbering(id: TableId) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        let place = entry_of(&cube, id.size.layout());
        checksum.update(&place.0.to_le_bytes());
    }
    checksum.digest()
}

/// The checksums of the blocks, in order, with zeros to the end of the page.
pub(super) struct BlockSums {
    sums: Vec<U64>,
    blocks: usize,
}

impl BlockSums {
    /// A list for a table of this size, all zero.
    pub fn zeroed(size: TableSize) -> BlockSums {
        let blocks = blocks(size);
        BlockSums { sums: vec![U64::ZERO; blocks.next_multiple_of(PAGE / size_of::<U64>())], blocks }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    pub fn set(&mut self, block: usize, sum: u64) {
        self.sums[block] = sum.into();
    }

    pub fn get(&self, block: usize) -> u64 {
        self.sums[block].get()
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.sums.as_bytes()
    }

    pub fn as_mut_bytes(&mut self) -> &mut [u8] {
        self.sums.as_mut_bytes()
    }
}

fn blocks(size: TableSize) -> usize {
    (size.lines() * size_of::<Line>()).div_ceil(BLOCK)
}

/// Where the lines begin in the file of a table of this size.
pub(super) fn lines_start(size: TableSize) -> u64 {
    (PAGE + (blocks(size) * size_of::<U64>()).next_multiple_of(PAGE)) as u64
}

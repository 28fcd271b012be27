//! The first page of a table file, and the list of checksums behind it.

use super::super::{Distribution, TableError};
use super::TableFile;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// The version of the format.
pub(super) const VERSION: u32 = 4;

/// How the header and the checksums are padded.
pub(super) const PAGE: usize = 4096;

/// How many bytes share a checksum. The last block may be shorter.
pub(super) const BLOCK: usize = 4 << 20;

/// As in PNG, line ends in the magic show what a transfer as text would do to the file.
const MAGIC: [u8; 16] = *b"cosette table\r\n\x1a";
const JOURNAL_MAGIC: [u8; 16] = *b"cosette journal\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const NAME: usize = 64;
const RESERVED: usize = PAGE - 384;

/// The header page. Its numbers are little-endian on any machine, but for the byte-order mark, which is as the entries are.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 16],
    version: U32,
    byte_order: [u8; 4],
    /// The name of the table, with zeros to the end.
    name: [u8; NAME],
    /// How many bytes the entries take.
    bytes: U64,
    block_size: U64,
    distribution: [U64; 32],
    /// Where the entries of some positions lie ([`TableFile::numbering`]).
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
    pub fn new(table: &dyn TableFile, distribution: &Distribution, sums: &BlockSums) -> Header {
        Header::with_magic(MAGIC, table, distribution, sums)
    }

    /// What a journal of the filling of `table` starts with: the header of a table that counts nothing, but for the magic.
    pub fn of_journal(table: &dyn TableFile) -> Header {
        Header::with_magic(JOURNAL_MAGIC, table, &Distribution::default(), &BlockSums::zeroed(table.bytes()))
    }

    fn with_magic(magic: [u8; 16], table: &dyn TableFile, distribution: &Distribution, sums: &BlockSums) -> Header {
        let mut header = Header {
            magic,
            version: VERSION.into(),
            byte_order: BYTE_ORDER.to_ne_bytes(),
            name: padded(&table.name()),
            bytes: table.bytes().into(),
            block_size: (BLOCK as u64).into(),
            distribution: distribution.map(U64::from),
            numbering: table.numbering().into(),
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
    pub fn check_identity(&self, expected: &dyn TableFile, path: &Path) -> Result<(), TableError> {
        let (name, bytes) = (expected.name(), expected.bytes());
        if self.name == padded(&name) && self.bytes == bytes && self.block_size == BLOCK as u64 {
            return Ok(());
        }
        let found = String::from_utf8_lossy(&self.name);
        let found = format!("{} ({} bytes)", found.trim_end_matches('\0'), self.bytes);
        Err(TableError::OtherTable { path: path.to_owned(), found, expected: format!("{name} ({bytes} bytes)") })
    }

    /// Checks that the table numbers its entries as this program does. Costs some hundredths of a second where no corner
    /// has been classified yet.
    pub fn check_numbering(&self, expected: &dyn TableFile, path: &Path) -> Result<(), TableError> {
        if self.numbering == expected.numbering() {
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

    /// How many entries have each value.
    pub fn distribution(&self) -> Distribution {
        self.distribution.map(U64::get)
    }
}

/// The name with zeros to the end.
fn padded(name: &str) -> [u8; NAME] {
    let mut padded = [0; NAME];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

/// The checksums of the blocks, in order, with zeros to the end of the page.
pub(super) struct BlockSums {
    sums: Vec<U64>,
    blocks: usize,
}

impl BlockSums {
    /// A list for a table of so many bytes, all zero.
    pub fn zeroed(bytes: u64) -> BlockSums {
        let blocks = blocks(bytes);
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

fn blocks(bytes: u64) -> usize {
    bytes.div_ceil(BLOCK as u64) as usize
}

/// Where the entries begin in the file of a table of so many bytes.
pub(super) fn entries_start(bytes: u64) -> u64 {
    (PAGE + (blocks(bytes) * size_of::<U64>()).next_multiple_of(PAGE)) as u64
}

/// Where a block is in the file of a table of so many bytes.
pub(super) fn block_range(bytes: u64, block: usize) -> Range<u64> {
    let start = (block * BLOCK) as u64;
    let end = bytes.min(start + BLOCK as u64);
    entries_start(bytes) + start..entries_start(bytes) + end
}

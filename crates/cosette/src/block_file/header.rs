//! The first page of a file and the list of checksums behind it; and the journal of a file that is
//! being generated, which records the blocks that are in the partial file.
//!
//! ```text
//! byte 0     a page with the contents, the numbering and the version of the format
//!      4096  one record of 80 bytes per block, in order; without a valid record, the block is missing
//!            | counts of the block, 16 times 4 bytes | checksum of the block | checksum of the record |
//! ```
//!
//! Writes are neither ordered nor synced. A record is trusted only if its own checksum is right and
//! the block in the partial file has the checksum it gives; so after a power cut, each block is
//! either complete or generated again.

use super::error::FileError;
use super::payload::{PayloadKind, PayloadStats};
use super::storage::Storage;
use std::io;
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

const VERSION: u32 = 8;

/// The header and the list of checksums are padded to multiples of this.
pub(super) const PAGE: usize = 4096;

/// As in PNG, line ends in the magic show what a transfer as text would do to the file.
pub(super) const MAGIC: [u8; 16] = *b"cosette table\r\n\x1a";
const JOURNAL_MAGIC: [u8; 16] = *b"cosette journal\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const NAME: usize = 64;
const RESERVED: usize = PAGE - 392;

/// The offsets of the parts of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileLayout {
    /// Number of bytes of the payload; 0 until it is known.
    pub bytes: u64,
    /// The upper bound on them when the file was created, which determines the length of the list
    /// of checksums.
    pub room: u64,
    pub block_size: u64,
}

impl FileLayout {
    pub fn of(contents: &dyn PayloadKind) -> FileLayout {
        let room = contents.bytes();
        FileLayout {
            bytes: if contents.may_be_shorter() { 0 } else { room },
            room,
            block_size: contents.block_size(),
        }
    }

    pub fn blocks(&self) -> usize {
        self.bytes.div_ceil(self.block_size) as usize
    }

    pub fn block(&self, block: usize) -> Range<u64> {
        let start = block as u64 * self.block_size;
        start..self.bytes.min(start + self.block_size)
    }

    pub fn payload_start(&self) -> u64 {
        PAGE as u64 + (self.room.div_ceil(self.block_size) * 8).next_multiple_of(PAGE as u64)
    }

    pub fn file_size(&self) -> u64 {
        self.payload_start() + self.bytes
    }

    /// Returns the list of checksums as stored in the file.
    pub fn list(&self, sums: &[u64]) -> Vec<u8> {
        let mut list: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        list.resize(self.payload_start() as usize - PAGE, 0);
        list
    }
}

/// Returns the size of a complete file with these contents, in bytes, without the payload if that
/// may be shorter.
pub fn file_size(contents: &dyn PayloadKind) -> u64 {
    FileLayout::of(contents).file_size()
}

/// The header page. Its numbers are little-endian, except the byte-order mark, which has the byte
/// order of the entries.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 16],
    version: U32,
    byte_order: [u8; 4],
    /// The name of the contents, with zeros to the end.
    name: [u8; NAME],
    /// Number of bytes of the payload.
    bytes: U64,
    block_size: U64,
    facts: [U64; 32],
    /// Checksum of the addresses of some positions' entries ([`PayloadKind::numbering`]).
    numbering: U64,
    /// Checksum of the pages that list the checksums of the blocks.
    list_checksum: U64,
    /// Upper bound on the number of bytes of the payload.
    room: U64,
    reserved: [u8; RESERVED],
    /// Checksum of everything before it.
    checksum: U64,
}

const _: () = assert!(size_of::<Header>() == PAGE);

impl Header {
    /// Creates the header of a file with these contents and this list of checksums.
    pub fn new(
        contents: &dyn PayloadKind,
        layout: &FileLayout,
        facts: &PayloadStats,
        list: &[u8],
    ) -> Header {
        Header::with_magic(MAGIC, contents, layout, facts, list)
    }

    /// Creates the header of the journal of a file with these contents.
    pub fn of_journal(contents: &dyn PayloadKind) -> Header {
        Header::with_magic(
            JOURNAL_MAGIC,
            contents,
            &FileLayout::of(contents),
            &PayloadStats::default(),
            &[],
        )
    }

    fn with_magic(
        magic: [u8; 16],
        contents: &dyn PayloadKind,
        layout: &FileLayout,
        facts: &PayloadStats,
        list: &[u8],
    ) -> Header {
        let mut header = Header {
            magic,
            version: VERSION.into(),
            byte_order: BYTE_ORDER.to_ne_bytes(),
            name: padded(&contents.name()),
            bytes: layout.bytes.into(),
            block_size: layout.block_size.into(),
            facts: facts.map(U64::from),
            numbering: contents.numbering().into(),
            list_checksum: xxh3_64(list).into(),
            room: layout.room.into(),
            reserved: [0; RESERVED],
            checksum: 0.into(),
        };
        header.checksum = header.own_checksum().into();
        header
    }

    fn own_checksum(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..PAGE - size_of::<U64>()])
    }

    /// Reads the header in the first page of a file, which may be truncated, and checks it.
    pub fn read(page: &[u8], path: &Path) -> Result<Header, FileError> {
        let path = || path.to_owned();
        if !page.starts_with(&MAGIC) {
            return Err(FileError::OtherFormat { path: path() });
        }
        let Ok(header) = Header::read_from_bytes(page) else {
            return Err(FileError::CorruptedHeader { path: path() });
        };
        // Another version may keep its checksum elsewhere, so the version comes first.
        if header.version != VERSION {
            return Err(FileError::OtherVersion {
                path: path(),
                found: header.version.get(),
                expected: VERSION,
            });
        }
        if header.own_checksum() != header.checksum.get() {
            return Err(FileError::CorruptedHeader { path: path() });
        }
        if header.byte_order != BYTE_ORDER.to_ne_bytes() {
            return Err(FileError::OtherByteOrder { path: path() });
        }
        Ok(header)
    }

    /// Checks that the file has the expected contents, in blocks of this program's size, and
    /// returns the offsets of its parts.
    pub fn check_identity(
        &self,
        expected: &dyn PayloadKind,
        path: &Path,
    ) -> Result<FileLayout, FileError> {
        let name = expected.name();
        let layout = FileLayout::of(expected);
        let bytes = self.bytes.get();
        let is_expected = self.name == padded(&name)
            && self.room == layout.room
            && self.block_size == layout.block_size;
        if is_expected && (bytes == layout.room || expected.may_be_shorter() && bytes < layout.room)
        {
            return Ok(FileLayout { bytes, ..layout });
        }
        let found = String::from_utf8_lossy(&self.name);
        let found = format!("{} ({bytes} bytes)", found.trim_end_matches('\0'));
        let expected = format!("{name} ({} bytes)", layout.room);
        Err(FileError::OtherContents {
            path: path.to_owned(),
            found,
            expected,
        })
    }

    /// Checks that the file numbers its entries like this program. The first time, this takes some
    /// hundredths of a second for a pruning table, because the corners are classified.
    pub fn check_numbering(
        &self,
        expected: &dyn PayloadKind,
        path: &Path,
    ) -> Result<(), FileError> {
        if self.numbering == expected.numbering() {
            Ok(())
        } else {
            Err(FileError::OtherNumbering {
                path: path.to_owned(),
            })
        }
    }

    pub fn check_list(&self, list: &[u8], path: &Path) -> Result<(), FileError> {
        if xxh3_64(list) == self.list_checksum.get() {
            Ok(())
        } else {
            Err(FileError::CorruptedHeader {
                path: path.to_owned(),
            })
        }
    }

    pub fn facts(&self) -> PayloadStats {
        self.facts.map(U64::get)
    }
}

/// Returns the name with zeros to the end.
fn padded(name: &str) -> [u8; NAME] {
    let mut padded = [0; NAME];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

/// The journal record of a block.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BlockRecord {
    counts: [U32; 16],
    block_checksum: U64,
    checksum: U64,
}

impl BlockRecord {
    pub fn new(block: usize, counts: [u32; 16], block_checksum: u64) -> BlockRecord {
        let mut record = BlockRecord {
            counts: counts.map(U32::from),
            block_checksum: block_checksum.into(),
            checksum: 0.into(),
        };
        record.checksum = record.own_checksum(block).into();
        record
    }

    /// Returns the checksum of the record, seeded with the number of its block, so that no record
    /// can be mistaken for another.
    fn own_checksum(&self, block: usize) -> u64 {
        let bytes = self.as_bytes();
        xxh3_64_with_seed(&bytes[..bytes.len() - size_of::<U64>()], block as u64)
    }

    pub fn block_checksum(&self) -> u64 {
        self.block_checksum.get()
    }

    pub fn counts(&self) -> [u32; 16] {
        self.counts.map(U32::get)
    }

    pub fn write(&self, journal: &impl Storage, block: usize) -> io::Result<()> {
        let offset = PAGE + block * size_of::<BlockRecord>();
        journal.write_all_at(self.as_bytes(), offset as u64)
    }
}

/// Returns the record of each block, if it has one; `None` if it is not the journal of these
/// contents.
pub(super) fn records(
    journal: &impl Storage,
    contents: &dyn PayloadKind,
) -> io::Result<Option<Vec<Option<BlockRecord>>>> {
    let mut records = vec![BlockRecord::new_zeroed(); FileLayout::of(contents).blocks()];
    let most = PAGE + size_of_val(&records[..]);
    let mut bytes = vec![0; journal.length()?.min(most as u64) as usize];
    journal.read_exact_at(&mut bytes, 0)?;
    let Some(written) = bytes.strip_prefix(Header::of_journal(contents).as_bytes()) else {
        return Ok(None);
    };
    records.as_mut_bytes()[..written.len()].copy_from_slice(written);
    let is_sound = |(block, record): (usize, BlockRecord)| {
        (record.checksum == record.own_checksum(block)).then_some(record)
    };
    Ok(Some(
        records.into_iter().enumerate().map(is_sound).collect(),
    ))
}

/// Begins a new journal, which replaces the contents of the file.
pub(super) fn begin(journal: &impl Storage, contents: &dyn PayloadKind) -> io::Result<()> {
    journal.set_length(0)?;
    journal.write_all_at(Header::of_journal(contents).as_bytes(), 0)
}

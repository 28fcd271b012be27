//! The first page of a file, and the list of checksums behind it.

use super::{Contents, Facts, FileError};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

const VERSION: u32 = 7;

/// The header and the list of checksums are padded to multiples of this.
pub(super) const PAGE: usize = 4096;

/// As in PNG, line ends in the magic show what a transfer as text would do to the file.
const MAGIC: [u8; 16] = *b"cosette table\r\n\x1a";
const JOURNAL_MAGIC: [u8; 16] = *b"cosette journal\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const NAME: usize = 64;
const RESERVED: usize = PAGE - 392;

/// Where the parts of a file lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// How many bytes the payload takes.
    pub bytes: u64,
    /// The upper bound on them when the file was created, which decides how long the list of checksums is.
    pub room: u64,
    pub block_size: u64,
}

impl Layout {
    pub fn of(contents: &dyn Contents) -> Layout {
        Layout { bytes: contents.bytes(), room: contents.bytes(), block_size: contents.block_size() }
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

    /// The list of checksums as it lies in the file.
    pub fn list(&self, sums: &[u64]) -> Vec<u8> {
        let mut list: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        list.resize(self.payload_start() as usize - PAGE, 0);
        list
    }
}

/// The header page. Its numbers are little-endian, except the byte-order mark, which has the byte order of the entries.
#[derive(FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C)]
pub(super) struct Header {
    magic: [u8; 16],
    version: U32,
    byte_order: [u8; 4],
    /// What the file holds, with zeros to the end.
    name: [u8; NAME],
    /// How many bytes the payload takes.
    bytes: U64,
    block_size: U64,
    facts: [U64; 32],
    /// Where the entries of some positions lie ([`Contents::numbering`]).
    numbering: U64,
    /// The checksum of the pages that list the checksums of the blocks.
    list_checksum: U64,
    /// How many bytes the payload might have taken.
    room: U64,
    reserved: [u8; RESERVED],
    /// The checksum of everything before it.
    checksum: U64,
}

const _: () = assert!(size_of::<Header>() == PAGE);

impl Header {
    /// The header of a file with these contents and this list of checksums.
    pub fn new(contents: &dyn Contents, layout: &Layout, facts: &Facts, list: &[u8]) -> Header {
        Header::with_magic(MAGIC, contents, layout, facts, list)
    }

    /// What the journal of a file with these contents starts with.
    pub fn of_journal(contents: &dyn Contents) -> Header {
        Header::with_magic(JOURNAL_MAGIC, contents, &Layout::of(contents), &Facts::default(), &[])
    }

    fn with_magic(magic: [u8; 16], contents: &dyn Contents, layout: &Layout, facts: &Facts, list: &[u8]) -> Header {
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

    /// Reads the header in the first page of a file, which may be cut short, and checks it.
    pub fn read(page: &[u8], path: &Path) -> Result<Header, FileError> {
        let path = || path.to_owned();
        if !page.starts_with(&MAGIC) {
            return Err(FileError::OtherFormat { path: path() });
        }
        let Ok(header) = Header::read_from_bytes(page) else {
            return Err(FileError::DamagedHeader { path: path() });
        };
        // Another version may keep its checksum elsewhere, so the version comes first.
        if header.version != VERSION {
            return Err(FileError::OtherVersion { path: path(), found: header.version.get(), expected: VERSION });
        }
        if header.own_checksum() != header.checksum.get() {
            return Err(FileError::DamagedHeader { path: path() });
        }
        if header.byte_order != BYTE_ORDER.to_ne_bytes() {
            return Err(FileError::OtherByteOrder { path: path() });
        }
        Ok(header)
    }

    /// Checks that the file holds what is expected, cut into blocks as this program does, and returns where its parts lie.
    pub fn check_identity(&self, expected: &dyn Contents, path: &Path) -> Result<Layout, FileError> {
        let (name, layout) = (expected.name(), Layout::of(expected));
        let bytes = self.bytes.get();
        let is_expected =
            self.name == padded(&name) && self.room == layout.room && self.block_size == layout.block_size;
        if is_expected && (bytes == layout.room || expected.may_be_shorter() && bytes < layout.room) {
            return Ok(Layout { bytes, ..layout });
        }
        let found = String::from_utf8_lossy(&self.name);
        let found = format!("{} ({bytes} bytes)", found.trim_end_matches('\0'));
        let expected = format!("{name} ({} bytes)", layout.room);
        Err(FileError::OtherContents { path: path.to_owned(), found, expected })
    }

    /// Checks that the file numbers its entries as this program does. The first time, this takes some hundredths of a second
    /// for a pruning table, because the corners are classified.
    pub fn check_numbering(&self, expected: &dyn Contents, path: &Path) -> Result<(), FileError> {
        if self.numbering == expected.numbering() {
            Ok(())
        } else {
            Err(FileError::OtherNumbering { path: path.to_owned() })
        }
    }

    pub fn check_list(&self, list: &[u8], path: &Path) -> Result<(), FileError> {
        if xxh3_64(list) == self.list_checksum.get() {
            Ok(())
        } else {
            Err(FileError::DamagedHeader { path: path.to_owned() })
        }
    }

    pub fn facts(&self) -> Facts {
        self.facts.map(U64::get)
    }
}

/// The name with zeros to the end.
fn padded(name: &str) -> [u8; NAME] {
    let mut padded = [0; NAME];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

//! The identity of a payload, and the first page of a file, which records it.

use super::error::FileError;
use crate::control::{Control, Threads};
use crate::cube::{Cube, random_positions};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

const VERSION: u32 = 8;

/// The header and the list of checksums are padded to multiples of this.
pub(super) const PAGE: usize = 4096;

/// As in PNG, the line ends in the magic reveal a file that was transferred as text.
pub(super) const MAGIC: [u8; 16] = *b"cosette table\r\n\x1a";
pub(super) const JOURNAL_MAGIC: [u8; 16] = *b"cosette journal\n";
const BYTE_ORDER: u32 = 0x0102_0304;
const NAME_LENGTH: usize = 64;
/// The page less the 392 bytes of the other fields of [`Header`].
const RESERVED: usize = PAGE - 392;

/// Numbers about the payload that are known once it is written, such as the numbers of entries with
/// each value.
pub type PayloadStats = [u64; 32];

/// The identity of a payload, which its file records: a file with another identity is not read.
pub trait PayloadKind: Sync {
    /// Returns the name of the contents, in 64 bytes at most, such as the name of a table.
    fn name(&self) -> String;

    /// Returns the number of bytes of the payload; an upper bound if it may be shorter.
    fn bytes(&self) -> u64;

    /// Returns `true` if the number of bytes is known only once the payload is written. Otherwise a
    /// file with fewer bytes is rejected.
    fn may_be_shorter(&self) -> bool {
        false
    }

    /// Returns a checksum of the addresses of some entries, such as [`numbering`] computes, and of
    /// the meaning of the entries.
    fn numbering(&self) -> u64;

    /// Returns the number of bytes of a block. A block has one checksum and is generated at once
    /// ([`PartialFile::generate`](super::PartialFile::generate)); the last block may be shorter.
    fn block_size(&self) -> u64 {
        4 << 20
    }
}

impl<T: PayloadKind + ?Sized> PayloadKind for &T {
    fn name(&self) -> String {
        (**self).name()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn may_be_shorter(&self) -> bool {
        (**self).may_be_shorter()
    }

    fn numbering(&self) -> u64 {
        (**self).numbering()
    }

    fn block_size(&self) -> u64 {
        (**self).block_size()
    }
}

/// Returns a checksum of the addresses of the entries of a thousand positions, as `address_of`
/// computes them.
///
/// If a new version numbers classes or placements differently, all older tables are wrong: some of
/// their bounds are too high, and solutions are missed. No other checksum detects this.
pub fn numbering(address_of: impl Fn(&Cube) -> u64) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        checksum.update(&address_of(&cube).to_le_bytes());
    }
    checksum.digest()
}

/// The offsets of the parts of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileLayout {
    /// Number of bytes of the payload; 0 until it is known.
    pub bytes: u64,
    /// The upper bound on `bytes` when the file was created, which determines the length of the
    /// list of checksums.
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

    /// Calls `work` for each block, with a buffer as long as the block, in the threads of
    /// `control`. Returns the results in the order of the blocks, or an error of `work` or of
    /// cancellation.
    pub fn for_each_block<R: Send>(
        &self,
        control: &Control<'_>,
        work: impl Fn(&mut [u8], usize) -> Result<R, FileError> + Send + Sync,
    ) -> Result<Vec<R>, FileError> {
        let work = |buffer: &mut Vec<u8>, block: usize| {
            if control.is_cancelled() {
                return Err(FileError::Cancelled);
            }
            let Range { start, end } = self.block(block);
            buffer.resize((end - start) as usize, 0);
            work(buffer, block)
        };
        let blocks = (0..self.blocks()).collect();
        Threads::run(control.threads(), |threads| {
            threads.map(blocks, Vec::new, work)
        })?
    }

    /// Returns the list of checksums as stored in the file: with zeros to the end of its last page.
    pub fn list(&self, sums: &[u64]) -> Vec<u8> {
        let mut list: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        list.resize(self.payload_start() as usize - PAGE, 0);
        list
    }
}

/// Returns the size of a complete file with these contents, in bytes; without the payload if the
/// length of the payload is not known yet.
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
    name: [u8; NAME_LENGTH],
    /// Number of bytes of the payload.
    bytes: U64,
    block_size: U64,
    /// Numbers about the payload ([`PayloadStats`]).
    facts: [U64; 32],
    /// Checksum of the addresses of some entries ([`PayloadKind::numbering`]).
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

    /// Reads and checks the header in `page`: the first page of a file, or all of a shorter file.
    pub fn read(page: &[u8], path: &Path) -> Result<Header, FileError> {
        let path = path.to_owned();
        if !page.starts_with(&MAGIC) {
            return Err(FileError::OtherFormat { path });
        }
        let Ok(header) = Header::read_from_bytes(page) else {
            return Err(FileError::CorruptedHeader { path });
        };
        // Another version may keep its checksum elsewhere, so the version comes first.
        if header.version != VERSION {
            return Err(FileError::OtherVersion {
                path,
                found: header.version.get(),
                expected: VERSION,
            });
        }
        if header.own_checksum() != header.checksum.get() {
            return Err(FileError::CorruptedHeader { path });
        }
        if header.byte_order != BYTE_ORDER.to_ne_bytes() {
            return Err(FileError::OtherByteOrder { path });
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
        let stored_name = String::from_utf8_lossy(&self.name);
        let found = format!("{} ({bytes} bytes)", stored_name.trim_end_matches('\0'));
        let expected = format!("{name} ({} bytes)", layout.room);
        Err(FileError::OtherContents {
            path: path.to_owned(),
            found,
            expected,
        })
    }

    /// Checks the list of checksums, and that the file numbers its entries like this program. For a
    /// pruning table the first call takes some hundredths of a second, because it classifies the
    /// corners.
    pub fn check_contents(
        &self,
        list: &[u8],
        expected: &dyn PayloadKind,
        path: &Path,
    ) -> Result<(), FileError> {
        let path = path.to_owned();
        if xxh3_64(list) != self.list_checksum.get() {
            return Err(FileError::CorruptedHeader { path });
        }
        if self.numbering != expected.numbering() {
            return Err(FileError::OtherNumbering { path });
        }
        Ok(())
    }

    pub fn facts(&self) -> PayloadStats {
        self.facts.map(U64::get)
    }
}

/// Returns the name with zeros to the end.
fn padded(name: &str) -> [u8; NAME_LENGTH] {
    let mut padded = [0; NAME_LENGTH];
    padded[..name.len()].copy_from_slice(name.as_bytes());
    padded
}

#[cfg(test)]
pub(super) mod tests {
    use super::PayloadKind;

    /// Pseudo-random bytes.
    pub struct Noise {
        pub name: &'static str,
        pub bytes: u64,
        pub numbering: u64,
        block_size: u64,
    }

    impl Noise {
        pub fn new(bytes: u64, block_size: u64) -> Noise {
            Noise {
                name: "noise-1",
                bytes,
                numbering: 7,
                block_size,
            }
        }

        pub fn payload(&self) -> Vec<u8> {
            let numbers = 0..self.bytes;
            numbers
                .map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
                .collect()
        }
    }

    impl PayloadKind for Noise {
        fn name(&self) -> String {
            self.name.into()
        }

        fn bytes(&self) -> u64 {
            self.bytes
        }

        fn numbering(&self) -> u64 {
            self.numbering
        }

        fn block_size(&self) -> u64 {
            self.block_size
        }
    }
}

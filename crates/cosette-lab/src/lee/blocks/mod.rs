//! Files of checksummed blocks: what the stored space and its indexes lie in.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes
//!            | magic | version | bytes of payload, and of room for it | bytes a block | facts | checksum of the list below | … zeros … |
//!            | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!      P     the payload, in blocks of 737,280 bytes; the last may be shorter
//! ```
//!
//! Numbers are little-endian; checksums are XXH3 of 64 bits. A file is written beside its place (`draft`), its header last,
//! and renamed when it is on disk: whoever looks finds a complete file or none. What the facts mean is up to the kind of
//! file, which the magic tells.

mod draft;
mod journal;
mod positioned;

pub(super) use draft::{Draft, check_room, remove};
pub(super) use journal::Journal;

use crate::error::{LabError, StoredError};
use cosette::Control;
use positioned::read_exact_at;
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

const VERSION: u64 = 1;
const PAGE: usize = 4096;

/// How many bytes share a checksum: a whole number of records in each layout.
pub(super) const BLOCK: u64 = 360 << 11;

/// What a file says of its payload.
pub(super) type Facts = [u64; 32];

/// What kind of file it is. As in PNG, line ends in the magic show what a transfer as text would do to the file.
pub(super) type Magic = [u8; 16];

/// What the header says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub magic: Magic,
    pub facts: Facts,
    /// How many bytes of payload there are.
    pub payload: u64,
    /// How many there might have been when the file was begun: so long is the list of checksums.
    pub room: u64,
}

impl Head {
    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.payload.div_ceil(BLOCK)
    }

    /// The part of the payload that is in a block.
    pub fn block(&self, block: u64) -> Range<u64> {
        block * BLOCK..((block + 1) * BLOCK).min(self.payload)
    }

    /// Where the payload begins in the file.
    pub fn payload_start(&self) -> u64 {
        PAGE as u64 + (self.room.div_ceil(BLOCK) * 8).next_multiple_of(PAGE as u64)
    }

    /// How long the file is.
    pub fn file_size(&self) -> u64 {
        self.payload_start() + self.payload
    }

    /// The header of a file with this list of checksums.
    fn page(&self, sums: &[u8]) -> [u8; PAGE] {
        let mut page = [0; PAGE];
        page[..16].copy_from_slice(&self.magic);
        let numbers = [VERSION, self.payload, self.room, BLOCK].into_iter().chain(self.facts).chain([xxh3_64(sums)]);
        for (place, number) in page[16..].chunks_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let sum = xxh3_64(&page[..PAGE - 8]);
        page[PAGE - 8..].copy_from_slice(&sum.to_le_bytes());
        page
    }

    /// The list of checksums as it lies in the file.
    fn list(&self, sums: &[u64]) -> Vec<u8> {
        let mut bytes: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
        bytes.resize((self.payload_start() - PAGE as u64) as usize, 0);
        bytes
    }
}

/// A complete file whose header and list of checksums are sound.
#[derive(Debug)]
pub(super) struct BlockFile {
    path: PathBuf,
    file: File,
    pub head: Head,
    sums: Vec<u64>,
}

impl BlockFile {
    /// Opens a file of this kind. The payload is not read.
    ///
    /// # Errors
    /// If there is no such file, or if it is of another kind, truncated, or damaged where it speaks of itself.
    pub fn open(path: &Path, magic: Magic) -> Result<BlockFile, LabError> {
        let here = || path.to_owned();
        let mut file = File::open(path).map_err(LabError::io("open", path))?;
        let found = file.metadata().map_err(LabError::io("read", path))?.len();
        let mut page = Vec::with_capacity(PAGE);
        (&mut file).take(PAGE as u64).read_to_end(&mut page).map_err(LabError::io("read", path))?;
        if !page.starts_with(&magic) {
            return Err(StoredError::OtherKind { path: here() }.into());
        }
        let damaged = || StoredError::DamagedHeader { path: here() };
        let page: [u8; PAGE] = page.try_into().map_err(|_| damaged())?;
        let number = |i: usize| u64::from_le_bytes(std::array::from_fn(|byte| page[16 + 8 * i + byte]));
        if number(0) != VERSION {
            return Err(StoredError::OtherVersion { path: here(), found: number(0), expected: VERSION }.into());
        }
        let head = Head { magic, payload: number(1), room: number(2), facts: std::array::from_fn(|i| number(4 + i)) };
        if xxh3_64(&page[..PAGE - 8]).to_le_bytes() != page[PAGE - 8..] || number(3) != BLOCK {
            return Err(damaged().into());
        }
        if found != head.file_size() {
            return Err(StoredError::WrongLength { path: here(), found, expected: head.file_size() }.into());
        }
        let mut list = vec![0; (head.payload_start() - PAGE as u64) as usize];
        read_exact_at(&file, &mut list, PAGE as u64).map_err(LabError::io("read", path))?;
        if head.page(&list) != page {
            return Err(damaged().into());
        }
        let sums = list.chunks_exact(8).map(|sum| u64::from_le_bytes(std::array::from_fn(|byte| sum[byte])));
        let sums = sums.take(head.blocks() as usize).collect();
        Ok(BlockFile { path: here(), file, head, sums })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Reads from the payload.
    ///
    /// # Errors
    /// If the system refuses.
    #[inline]
    pub fn read(&self, bytes: &mut [u8], at: u64) -> Result<(), LabError> {
        let read = read_exact_at(&self.file, bytes, self.head.payload_start() + at);
        read.map_err(LabError::io("read", &self.path))
    }

    /// Reads all blocks, and hands each to `work`, with its number and bytes; adds up what that
    /// returns. Progress counts bytes.
    ///
    /// # Errors
    /// If a block does not have its checksum, if the system refuses, or on cancellation.
    pub fn for_each_block(&self, work: impl Fn(u64, &[u8]) + Sync, control: &Control<'_>) -> Result<(), LabError> {
        let done = AtomicU64::new(0);
        let read = |bytes: &mut Vec<u8>, block: u64| {
            if control.is_cancelled() {
                return Err(LabError::Cancelled);
            }
            let Range { start, end } = self.head.block(block);
            bytes.resize((end - start) as usize, 0);
            self.read(bytes, start)?;
            if xxh3_64(bytes) != self.sums[block as usize] {
                let (path, blocks) = (self.path.clone(), self.head.blocks());
                return Err(StoredError::DamagedBlock { path, block, blocks }.into());
            }
            work(block, bytes);
            let done = end - start + done.fetch_add(end - start, Relaxed);
            control.report(done, self.head.payload);
            Ok(())
        };
        let blocks = (0..self.head.blocks()).into_par_iter();
        control.in_pool(|| blocks.map_init(Vec::new, read).collect())?
    }
}

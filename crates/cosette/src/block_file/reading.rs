//! Reading a file, with its checksums.

use super::disk::read_exact_at;
use super::header::{Header, Layout, PAGE};
use super::{Contents, Facts, FileError, PIECE};
use crate::control::Control;
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::Xxh3Default;

/// A complete file whose header and list of checksums are sound.
#[derive(Debug)]
pub struct BlockFile {
    path: PathBuf,
    file: File,
    layout: Layout,
    facts: Facts,
    sums: Vec<u64>,
}

impl BlockFile {
    /// Opens a file with the contents `expected`. The payload is not read.
    ///
    /// # Errors
    /// If there is no such file, if it holds something else, or if its header or its length is damaged.
    pub fn open(path: &Path, expected: &dyn Contents) -> Result<BlockFile, FileError> {
        let mut file = File::open(path).map_err(FileError::io("open", path))?;
        let found = file.metadata().map_err(FileError::io("read", path))?.len();
        let mut page = Vec::with_capacity(PAGE);
        (&mut file).take(PAGE as u64).read_to_end(&mut page).map_err(FileError::io("read", path))?;
        let header = Header::read(&page, path)?;
        let layout = header.check_identity(expected, path)?;
        if found != layout.file_size() {
            return Err(FileError::WrongLength { path: path.to_owned(), found, expected: layout.file_size() });
        }
        let mut list = layout.list(&[]);
        file.read_exact(&mut list).map_err(FileError::io("read", path))?;
        header.check_list(&list, path)?;
        header.check_numbering(expected, path)?;
        let sums = list.chunks_exact(8).map(|sum| u64::from_le_bytes(std::array::from_fn(|i| sum[i])));
        let sums = sums.take(layout.blocks()).collect();
        Ok(BlockFile { path: path.to_owned(), file, layout, facts: header.facts(), sums })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file itself.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// How many bytes the payload has.
    pub fn bytes(&self) -> u64 {
        self.layout.bytes
    }

    /// Numbers about the payload.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Reads from the payload at an offset, without checking checksums.
    ///
    /// # Errors
    /// If the system refuses.
    #[inline]
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), FileError> {
        let read = read_exact_at(&self.file, bytes, self.layout.payload_start() + offset);
        read.map_err(FileError::io("read", &self.path))
    }

    /// Reads the whole payload and checks every block, with the threads of `control`. Progress counts bytes.
    ///
    /// # Errors
    /// If a block does not have its checksum, if the system refuses, or on cancellation.
    ///
    /// # Panics
    /// If `memory` is not as large as the payload.
    pub fn read_into(&self, memory: &mut [u8], control: &Control<'_>) -> Result<(), FileError> {
        assert_eq!(memory.len() as u64, self.bytes(), "there is room for the payload");
        let done = AtomicU64::new(0);
        let blocks = memory.par_chunks_mut(self.layout.block_size as usize).enumerate();
        control.in_pool(|| blocks.try_for_each(|(i, block)| self.read_block(i, block, &done, control)))?
    }

    /// Reads and checks all blocks, and gives the number and bytes of each to `work`, with the threads of `control`.
    /// Progress counts bytes.
    ///
    /// # Errors
    /// As for [`BlockFile::read_into`].
    pub fn for_each_block(&self, work: impl Fn(usize, &[u8]) + Sync, control: &Control<'_>) -> Result<(), FileError> {
        let done = AtomicU64::new(0);
        let read = |bytes: &mut Vec<u8>, i: usize| {
            let block = self.layout.block(i);
            bytes.resize((block.end - block.start) as usize, 0);
            self.read_block(i, bytes, &done, control)?;
            work(i, bytes);
            Ok(())
        };
        let blocks = (0..self.layout.blocks()).into_par_iter();
        control.in_pool(|| blocks.try_for_each_init(Vec::new, read))?
    }

    /// The error that the block with this byte of the payload is damaged.
    pub fn damaged_at(&self, offset: u64) -> FileError {
        let block = (offset / self.layout.block_size) as usize;
        FileError::DamagedBlock { path: self.path.clone(), block, blocks: self.layout.blocks() }
    }

    /// Fills `block` with the block of this number and checks it.
    fn read_block(
        &self,
        number: usize,
        block: &mut [u8],
        done: &AtomicU64,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        if control.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        let mut checksum = Xxh3Default::new();
        let start = self.layout.block(number).start;
        let mut offset = start;
        for piece in block.chunks_mut(PIECE) {
            self.read_exact_at(piece, offset)?;
            checksum.update(piece);
            offset += piece.len() as u64;
        }
        if checksum.digest() != self.sums[number] {
            return Err(self.damaged_at(start));
        }
        let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
        control.report(done, self.bytes());
        Ok(())
    }
}

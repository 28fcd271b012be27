//! Tables in files.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes                            (header.rs)
//!            | magic | version | byte order | metric, kept flips, base value | lines | block size |
//!            | distribution | numbering of the entries | checksum of the list below | … zeros … | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!            | block 0 | block 1 | …                                                          |
//!      L     the lines, 64 bytes each, as they lie in memory
//!            | block 0, 4 MiB             | block 1, 4 MiB            | … the rest            |
//! ```
//!
//! Checksums are XXH3 of 64 bits: they find what disks, copies and transfers do to a file, not what a forger does. Each
//! part is checked by the part before it, so opening a table costs two small reads, and its blocks can be checked in any
//! order while they are loaded.
//!
//! A table is written to another file beside its place, synced, and renamed; whoever looks finds the old table, the new
//! one or none, also after a power cut. The lines are written first and the header last. A table in memory is saved to a
//! temporary file; one that is filled for its file goes to a partial file, from which an interrupted filling goes on
//! (`filling`).

mod filling;
mod header;
mod journal;
mod part;
mod positioned;
mod syncing;

pub(super) use filling::fill;
pub(super) use part::PartPaths;

use super::Distribution;
use super::line::Line;
use super::memory::LineMemory;
use super::{Table, TableError, TableId, thread_pool};
use crate::progress::{Cancel, OnProgress, Progress};
use header::{BLOCK, BlockSums, Header, PAGE, lines_start};
use positioned::{read_exact_at, write_all_at};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use syncing::while_syncing;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::{FromZeros, IntoBytes};

/// How the name of a temporary file ends.
pub(super) const TEMPORARY: &str = ".partial";

/// How much is read before it is checksummed, while it still lies in the processor's cache.
const PIECE: usize = 256 << 10;

/// How large the file of a table is, in bytes.
pub(super) fn file_size(id: TableId) -> u64 {
    lines_start(id.size) + id.size.bytes()
}

impl Table {
    /// Writes the table to a file, which appears at `path` once it is complete, or never, with `threads` threads. Progress
    /// counts bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or on cancellation. Nothing is left behind.
    pub fn save(
        &self,
        path: &Path,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        let temporary = temporary_file(path)?;
        let file = temporary.as_file();
        let total = self.id.size.bytes();
        let done = AtomicU64::new(0);
        let write_block = |(i, block): (usize, &[u8])| {
            if cancel.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            write_all_at(file, block, block_range(self.id, i).start).map_err(TableError::io("write", path))?;
            let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
            on_progress(Progress { done, total });
            Ok(xxh3_64(block))
        };
        let pool = thread_pool(threads)?;
        let blocks = self.lines.as_bytes();
        let write = || pool.install(|| blocks.par_chunks(BLOCK).enumerate().map(write_block).collect());
        let (written, synced): (Result<Vec<u64>, _>, _) = while_syncing(&[file], write);
        let mut sums = BlockSums::zeroed(self.id.size);
        for (block, sum) in written?.into_iter().enumerate() {
            sums.set(block, sum);
        }
        synced.map_err(TableError::io("write", path))?;
        write_head(file, self.id, &self.distribution, &sums).map_err(TableError::io("write", path))?;
        temporary.persist(path).map_err(|refused| TableError::io("write", path)(refused.error))?;
        sync_folder(folder_of(path)).map_err(TableError::io("write", path))
    }

    /// Reads the table `expected` from a file and checks every block on the way, with `threads` threads. Progress counts
    /// bytes.
    ///
    /// # Errors
    /// If there is no such file, if it is damaged or holds another table, if there is too little memory, or on
    /// cancellation.
    pub fn load(
        path: &Path,
        expected: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<Table, TableError> {
        let opened = OpenTable::open(path, expected)?;
        let mut lines = LineMemory::zeroed(expected.size.lines())?;
        let reading = Reading::new(&opened, on_progress, cancel);
        thread_pool(threads)?.install(|| {
            let blocks = lines.as_mut_bytes().par_chunks_mut(BLOCK).enumerate();
            blocks.try_for_each(|(i, block)| reading.read_block(i, block))
        })?;
        opened.header.check_numbering(expected, path)?;
        Ok(Table { id: expected, lines, distribution: opened.header.distribution() })
    }

    /// Checks a file completely: all checksums, and that its entries are as many as its header says. Progress counts
    /// bytes. The table is not kept in memory.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn verify(
        path: &Path,
        expected: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        let opened = OpenTable::open(path, expected)?;
        let reading = Reading::new(&opened, on_progress, cancel);
        let counts = thread_pool(threads)?.install(|| {
            let room = || vec![Line::new_zeroed(); BLOCK / size_of::<Line>()];
            let count_block = |room: &mut Vec<Line>, i: usize| {
                let lines = &mut room[..opened.block_length(i) / size_of::<Line>()];
                reading.read_block(i, lines.as_mut_bytes())?;
                Ok(lines.iter().fold([0u64; 4], |sum, line| add(sum, line.code_counts().map(u64::from))))
            };
            let blocks = (0..opened.sums.blocks()).into_par_iter();
            blocks.map_init(room, count_block).try_reduce(|| [0; 4], |a, b| Ok(add(a, b)))
        })?;
        opened.header.check_numbering(expected, path)?;
        if counts == expected.code_counts(&opened.header.distribution()) {
            Ok(())
        } else {
            Err(TableError::WrongCounts { path: path.to_owned() })
        }
    }
}

/// Checks the header and the length of the file of a table, as [`Table::load`] does first. Its lines are not read.
///
/// # Errors
/// If there is no such file, or if it could not be loaded.
pub(super) fn check(path: &Path, expected: TableId) -> Result<(), TableError> {
    OpenTable::open(path, expected)?.header.check_numbering(expected, path)
}

/// A file whose header and list of checksums are sound.
struct OpenTable<'a> {
    path: &'a Path,
    file: File,
    id: TableId,
    header: Header,
    sums: BlockSums,
}

impl OpenTable<'_> {
    fn open(path: &Path, expected: TableId) -> Result<OpenTable<'_>, TableError> {
        let mut file = File::open(path).map_err(TableError::io("open", path))?;
        let length = file.metadata().map_err(TableError::io("read", path))?.len();
        let mut page = Vec::with_capacity(PAGE);
        (&mut file).take(PAGE as u64).read_to_end(&mut page).map_err(TableError::io("read", path))?;
        let header = Header::read(&page, path)?;
        header.check_identity(expected, path)?;
        if length != file_size(expected) {
            return Err(TableError::WrongLength {
                path: path.to_owned(),
                found: length,
                expected: file_size(expected),
            });
        }
        let mut sums = BlockSums::zeroed(expected.size);
        file.read_exact(sums.as_mut_bytes()).map_err(TableError::io("read", path))?;
        header.check_sums(&sums, path)?;
        Ok(OpenTable { path, file, id: expected, header, sums })
    }

    fn block_length(&self, block: usize) -> usize {
        let Range { start, end } = block_range(self.id, block);
        (end - start) as usize
    }
}

/// Blocks being read by several threads.
struct Reading<'a> {
    from: &'a OpenTable<'a>,
    done: AtomicU64,
    on_progress: OnProgress<'a>,
    cancel: &'a Cancel,
}

impl<'a> Reading<'a> {
    fn new(from: &'a OpenTable<'a>, on_progress: OnProgress<'a>, cancel: &'a Cancel) -> Reading<'a> {
        Reading { from, done: AtomicU64::new(0), on_progress, cancel }
    }

    /// Fills `bytes` with the block and checks them.
    fn read_block(&self, block: usize, bytes: &mut [u8]) -> Result<(), TableError> {
        if self.cancel.is_cancelled() {
            return Err(TableError::Cancelled);
        }
        let OpenTable { path, file, id, sums, .. } = self.from;
        let mut checksum = Xxh3Default::new();
        let mut offset = block_range(*id, block).start;
        for piece in bytes.chunks_mut(PIECE) {
            read_exact_at(file, piece, offset).map_err(TableError::io("read", path))?;
            checksum.update(piece);
            offset += piece.len() as u64;
        }
        if checksum.digest() != sums.get(block) {
            return Err(TableError::DamagedBlock { path: path.to_path_buf(), block, blocks: sums.blocks() });
        }
        let done = bytes.len() as u64 + self.done.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        (self.on_progress)(Progress { done, total: id.size.bytes() });
        Ok(())
    }
}

/// A file beside `path` that is removed when it is dropped.
fn temporary_file(path: &Path) -> Result<tempfile::NamedTempFile, TableError> {
    let mut builder = tempfile::Builder::new();
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    builder.prefix(&name).suffix(TEMPORARY);
    // Others may read the table, as the user's mask allows: temporary files are otherwise private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path)).map_err(TableError::io("write", path))
}

/// Writes what stands before the lines, and brings all to disk: the header last, so that no torn file has one.
fn write_head(file: &File, id: TableId, distribution: &Distribution, sums: &BlockSums) -> io::Result<()> {
    write_all_at(file, sums.as_bytes(), PAGE as u64)?;
    file.sync_data()?;
    write_all_at(file, Header::new(id, distribution, sums).as_bytes(), 0)?;
    file.sync_all()
}

/// Where a block is in the file of a table.
fn block_range(id: TableId, block: usize) -> Range<u64> {
    let start = (block * BLOCK) as u64;
    let end = id.size.bytes().min(start + BLOCK as u64);
    lines_start(id.size) + start..lines_start(id.size) + end
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the new name of a file survive a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn add(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] + b[i])
}

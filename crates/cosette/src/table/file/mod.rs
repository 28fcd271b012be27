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
//! A table is written to a temporary file beside its place, synced, and renamed; whoever looks finds the old table, the
//! new one or none, also after a power cut. The lines are written first and the header last.

mod header;

use super::line::Line;
use super::memory::LineMemory;
use super::{Table, TableError, TableId, thread_pool};
use crate::progress::{Cancel, OnProgress, Progress};
use header::{BLOCK, BlockSums, Header, PAGE, lines_start};
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zerocopy::{FromZeros, IntoBytes};

/// How the name of a temporary file ends.
pub(super) const TEMPORARY: &str = ".partial";

/// How much is written before the disk is waited for, so that stopping never waits for a whole table.
const BLOCKS_PER_SYNC: usize = 16;

/// How much is read before it is checksummed, while it still lies in the processor's cache.
const PIECE: usize = 256 << 10;

/// How large the file of a table is, in bytes.
pub(super) fn file_size(id: TableId) -> u64 {
    lines_start(id.size) + id.size.bytes()
}

impl Table {
    /// Writes the table to a file, which appears at `path` once it is complete, or never. Progress counts bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or on cancellation. Nothing is left behind.
    pub fn save(&self, path: &Path, on_progress: OnProgress<'_>, cancel: &Cancel) -> Result<(), TableError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut temporary = temporary_file(path, folder)?;
        let bytes = self.lines.as_bytes();
        let mut sums = BlockSums::zeroed(self.id.size);
        let file = temporary.as_file_mut();
        let start = lines_start(self.id.size);
        file.seek(SeekFrom::Start(start)).map_err(TableError::io("write", path))?;
        for (i, block) in bytes.chunks(BLOCK).enumerate() {
            if cancel.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            sums.set(i, xxh3_64(block));
            file.write_all(block).map_err(TableError::io("write", path))?;
            if i % BLOCKS_PER_SYNC == BLOCKS_PER_SYNC - 1 {
                file.sync_data().map_err(TableError::io("write", path))?;
            }
            on_progress(Progress { done: (i * BLOCK + block.len()) as u64, total: bytes.len() as u64 });
        }
        let header = Header::new(self.id, &self.distribution, &sums);
        let write_head = |file: &mut File| {
            file.rewind()?;
            file.write_all(header.as_bytes())?;
            file.write_all(sums.as_bytes())?;
            file.sync_all()
        };
        write_head(file).map_err(TableError::io("write", path))?;
        temporary.persist(path).map_err(|refused| TableError::io("write", path)(refused.error))?;
        sync_folder(folder).map_err(TableError::io("write", path))
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
        BLOCK.min(self.id.size.bytes() as usize - block * BLOCK)
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
        let mut offset = lines_start(id.size) + (block * BLOCK) as u64;
        for piece in bytes.chunks_mut(PIECE) {
            read_exact_at(file, path, piece, offset).map_err(TableError::io("read", path))?;
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

/// Reads at an offset, whatever other threads read meanwhile.
#[cfg(unix)]
fn read_exact_at(file: &File, _path: &Path, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads at an offset, whatever other threads read meanwhile: through a handle of its own, with a cursor of its own.
#[cfg(not(unix))]
fn read_exact_at(_file: &File, path: &Path, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// A file beside `path` that is removed when it is dropped.
fn temporary_file(path: &Path, folder: &Path) -> Result<tempfile::NamedTempFile, TableError> {
    let mut builder = tempfile::Builder::new();
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    builder.prefix(&name).suffix(TEMPORARY);
    // Others may read the table, as the user's mask allows: temporary files are otherwise private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(TableError::io("write", path))
}

/// Makes the new name of a file survive a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn add(a: [u64; 4], b: [u64; 4]) -> [u64; 4] {
    std::array::from_fn(|i| a[i] + b[i])
}

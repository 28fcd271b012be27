//! Opening a table, loading it and checking it.

use super::super::line::Line;
use super::super::{Distribution, TableError};
use super::header::{BLOCK, BlockSums, Header, PAGE, block_range};
use super::positioned::read_exact_at;
use super::{PIECE, TableFile, file_size};
use crate::control::Control;
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::ops::{DerefMut, Range};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::{FromZeros, IntoBytes};

/// Reads the table `expected` from a file into the memory that `memory` makes for so many bytes, and checks every block on
/// the way. Progress counts bytes.
///
/// # Errors
/// If there is no such file, if it is damaged or holds another table, if there is too little memory, or on cancellation.
pub(crate) fn load<M: DerefMut<Target = [u8]> + Send>(
    path: &Path,
    expected: &dyn TableFile,
    memory: impl FnOnce(u64) -> Result<M, TableError> + Send,
    control: &Control<'_>,
) -> Result<(M, Distribution), TableError> {
    let opened = OpenTable::open(path, expected)?;
    let reading = Reading::new(&opened, control);
    let memory = control.in_pool(|| {
        let mut memory = memory(opened.bytes)?;
        let blocks = memory.par_chunks_mut(BLOCK).enumerate();
        blocks.try_for_each(|(i, block)| reading.read_block(i, block))?;
        Ok::<M, TableError>(memory)
    })??;
    opened.header.check_numbering(expected, path)?;
    Ok((memory, opened.header.distribution()))
}

/// Checks all of a file and adds up what `count` finds in its blocks, which start a line. Returns that and the
/// distribution. Progress counts bytes. The table is not kept in memory.
///
/// # Errors
/// As for [`load`].
pub(crate) fn verify(
    path: &Path,
    expected: &dyn TableFile,
    count: impl Fn(&[u8]) -> [u64; 4] + Sync,
    control: &Control<'_>,
) -> Result<([u64; 4], Distribution), TableError> {
    let opened = OpenTable::open(path, expected)?;
    let reading = Reading::new(&opened, control);
    let counts = control.in_pool(|| {
        let room = || vec![Line::new_zeroed(); BLOCK / size_of::<Line>()];
        let count_block = |room: &mut Vec<Line>, i: usize| {
            let Range { start, end } = block_range(opened.bytes, i);
            let block = &mut room.as_mut_bytes()[..(end - start) as usize];
            reading.read_block(i, block)?;
            Ok(count(block))
        };
        let blocks = (0..opened.sums.blocks()).into_par_iter();
        let add = |a: [u64; 4], b: [u64; 4]| std::array::from_fn(|i| a[i] + b[i]);
        blocks.map_init(room, count_block).try_reduce(|| [0; 4], |a, b| Ok::<_, TableError>(add(a, b)))
    })??;
    opened.header.check_numbering(expected, path)?;
    Ok((counts, opened.header.distribution()))
}

/// Checks the header and the length of the file of a table, as [`load`] does first. Its entries are not read.
///
/// # Errors
/// If there is no such file, or if it could not be loaded.
pub(crate) fn check(path: &Path, expected: &dyn TableFile) -> Result<(), TableError> {
    OpenTable::open(path, expected)?.header.check_numbering(expected, path)
}

/// A file whose header and list of checksums are sound.
struct OpenTable<'a> {
    path: &'a Path,
    file: File,
    bytes: u64,
    header: Header,
    sums: BlockSums,
}

impl OpenTable<'_> {
    fn open<'a>(path: &'a Path, expected: &dyn TableFile) -> Result<OpenTable<'a>, TableError> {
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
        let bytes = expected.bytes();
        let mut sums = BlockSums::zeroed(bytes);
        file.read_exact(sums.as_mut_bytes()).map_err(TableError::io("read", path))?;
        header.check_sums(&sums, path)?;
        Ok(OpenTable { path, file, bytes, header, sums })
    }
}

/// Blocks being read by several threads.
struct Reading<'a> {
    from: &'a OpenTable<'a>,
    done: AtomicU64,
    control: &'a Control<'a>,
}

impl<'a> Reading<'a> {
    fn new(from: &'a OpenTable<'a>, control: &'a Control<'a>) -> Reading<'a> {
        Reading { from, done: AtomicU64::new(0), control }
    }

    /// Fills `block` with the block of this number and checks it.
    fn read_block(&self, number: usize, block: &mut [u8]) -> Result<(), TableError> {
        if self.control.is_cancelled() {
            return Err(TableError::Cancelled);
        }
        let OpenTable { path, file, bytes, sums, .. } = self.from;
        let mut checksum = Xxh3Default::new();
        let mut offset = block_range(*bytes, number).start;
        for piece in block.chunks_mut(PIECE) {
            read_exact_at(file, piece, offset).map_err(TableError::io("read", path))?;
            checksum.update(piece);
            offset += piece.len() as u64;
        }
        if checksum.digest() != sums.get(number) {
            return Err(TableError::DamagedBlock { path: path.to_path_buf(), block: number, blocks: sums.blocks() });
        }
        let done = block.len() as u64 + self.done.fetch_add(block.len() as u64, Ordering::Relaxed);
        self.control.report(done, *bytes);
        Ok(())
    }
}

//! Writing a table that is in memory.

use super::super::{Distribution, TableError};
use super::header::{BLOCK, BlockSums, Header, PAGE, block_range};
use super::positioned::write_all_at;
use super::syncing::while_syncing;
use super::{TEMPORARY, TableFile};
use crate::control::Control;
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// Writes a table to a file, which appears at `path` once it is complete, or never. Progress counts bytes.
///
/// # Errors
/// If the file cannot be written, or on cancellation. Nothing is left behind.
pub(crate) fn save(
    path: &Path,
    table: &dyn TableFile,
    entries: &[u8],
    distribution: &Distribution,
    control: &Control<'_>,
) -> Result<(), TableError> {
    let temporary = temporary_file(path)?;
    let file = temporary.as_file();
    let total = table.bytes();
    let done = AtomicU64::new(0);
    let write_block = |(i, block): (usize, &[u8])| {
        if control.is_cancelled() {
            return Err(TableError::Cancelled);
        }
        write_all_at(file, block, block_range(total, i).start).map_err(TableError::io("write", path))?;
        let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
        control.report(done, total);
        Ok(xxh3_64(block))
    };
    let write = || control.in_pool(|| entries.par_chunks(BLOCK).enumerate().map(write_block).collect());
    let (written, synced): (Result<Result<Vec<u64>, _>, _>, _) = while_syncing(&[file], write);
    let mut sums = BlockSums::zeroed(total);
    for (block, sum) in written??.into_iter().enumerate() {
        sums.set(block, sum);
    }
    synced.map_err(TableError::io("write", path))?;
    write_head(file, table, distribution, &sums).map_err(TableError::io("write", path))?;
    temporary.persist(path).map_err(|refused| TableError::io("write", path)(refused.error))?;
    sync_folder(folder_of(path)).map_err(TableError::io("write", path))
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

/// Writes what stands before the entries, and brings all to disk: the header last, so that no torn file has one.
pub(super) fn write_head(
    file: &File,
    table: &dyn TableFile,
    distribution: &Distribution,
    sums: &BlockSums,
) -> io::Result<()> {
    write_all_at(file, sums.as_bytes(), PAGE as u64)?;
    file.sync_data()?;
    write_all_at(file, Header::new(table, distribution, sums).as_bytes(), 0)?;
    file.sync_all()
}

/// The folder that a file is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the new name of a file survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

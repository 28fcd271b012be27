//! Writing what is in memory.

use super::disk::{folder_of, sync_folder, while_syncing, write_all_at};
use super::header::{Header, Layout, PAGE};
use super::{Contents, Facts, FileError};
use crate::control::Control;
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// How the name of a temporary file ends.
pub(crate) const TEMPORARY: &str = ".partial";

/// Writes a payload to a file, which appears at `path` once it is complete, or never, with the threads of `control`.
/// Progress counts bytes.
///
/// # Errors
/// If the file cannot be written, or on cancellation. Nothing is left behind.
///
/// # Panics
/// If the payload does not have as many bytes as its contents say, or if their name is too long.
pub fn save(
    path: &Path,
    contents: &dyn Contents,
    payload: &[u8],
    facts: &Facts,
    control: &Control<'_>,
) -> Result<(), FileError> {
    assert_eq!(payload.len() as u64, contents.bytes(), "the payload has as many bytes as its contents say");
    let temporary = temporary_file(path)?;
    let (file, layout) = (temporary.as_file(), Layout::of(contents));
    let done = AtomicU64::new(0);
    let write_block = |(i, block): (usize, &[u8])| {
        if control.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        let offset = layout.payload_start() + layout.block(i).start;
        write_all_at(file, block, offset).map_err(FileError::io("write", path))?;
        let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
        control.report(done, layout.bytes);
        Ok(xxh3_64(block))
    };
    let blocks = payload.par_chunks(layout.block_size as usize).enumerate();
    let (written, synced): (Result<Result<Vec<u64>, _>, _>, _) =
        while_syncing(&[file], || control.in_pool(|| blocks.map(write_block).collect()));
    let sums = written??;
    synced.map_err(FileError::io("write", path))?;
    write_head(file, contents, &layout, facts, &sums).map_err(FileError::io("write", path))?;
    temporary.persist(path).map_err(|refused| FileError::io("write", path)(refused.error))?;
    sync_folder(folder_of(path)).map_err(FileError::io("write", path))
}

/// A file next to `path` that is removed when it is dropped.
fn temporary_file(path: &Path) -> Result<tempfile::NamedTempFile, FileError> {
    let mut builder = tempfile::Builder::new();
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    builder.prefix(&name).suffix(TEMPORARY);
    // Others may read the file, as the user's mask allows: temporary files are otherwise private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path)).map_err(FileError::io("write", path))
}

/// Writes what precedes the payload and syncs the file: the header last, so that no incomplete file has one.
pub(super) fn write_head(
    file: &File,
    contents: &dyn Contents,
    layout: &Layout,
    facts: &Facts,
    sums: &[u64],
) -> io::Result<()> {
    let list = layout.list(sums);
    write_all_at(file, &list, PAGE as u64)?;
    file.sync_data()?;
    write_all_at(file, Header::new(contents, layout, facts, &list).as_bytes(), 0)?;
    file.sync_all()
}

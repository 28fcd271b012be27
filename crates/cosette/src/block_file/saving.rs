//! Saving what is in memory: a file appears once it is complete, or never.

use super::disk::{folder_of, sync_folder, while_syncing};
use super::header::Layout;
use super::writing::{write_head, write_payload};
use super::{Contents, Facts, FileError};
use crate::control::Control;
use std::path::Path;

/// How the name of a temporary file ends.
pub(crate) const TEMPORARY: &str = ".partial";

/// Writes a payload to a file, which appears at `path` once it is complete, or never, with the threads of `control`.
/// Progress counts bytes. Fails if the file cannot be written, or on cancellation. Nothing is left behind. Panics if
/// the payload does not have as many bytes as its contents say, or if their name is too long.
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
    let (written, synced) = while_syncing(&[file], || write_payload(file, path, &layout, payload, control));
    let sums = written?;
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

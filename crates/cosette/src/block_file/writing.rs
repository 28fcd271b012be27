//! Writing what is in memory.

use super::header::{Header, Layout, PAGE};
use super::stored_units::name_of;
use super::{Contents, Facts, FileError, Storage};
use crate::control::Control;
use crate::platform::Threads;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// Writes a payload and its header to a storage, with the threads of `control`: the bytes of a file. Progress counts bytes.
/// Fails if they cannot be written, or on cancellation.
///
/// # Panics
/// If the payload does not have as many bytes as its contents say, or if their name is too long.
pub fn store(
    storage: &impl Storage,
    contents: &dyn Contents,
    payload: &[u8],
    facts: &Facts,
    control: &Control<'_>,
) -> Result<(), FileError> {
    assert_eq!(payload.len() as u64, contents.bytes(), "the payload has as many bytes as its contents say");
    let (path, layout) = (name_of(contents), Layout::of(contents));
    // What was there is no file any more until the new one is complete.
    storage.set_length(0).map_err(FileError::io("write", &path))?;
    let sums = write_payload(storage, &path, &layout, payload, control)?;
    write_head(storage, contents, &layout, facts, &sums).map_err(FileError::io("write", &path))
}

/// Writes a payload to its place, with the threads of `control`, and returns the checksums of its blocks. Progress counts
/// bytes. Fails if it cannot be written, or on cancellation. `path` is for messages.
pub(super) fn write_payload(
    storage: &impl Storage,
    path: &Path,
    layout: &Layout,
    payload: &[u8],
    control: &Control<'_>,
) -> Result<Vec<u64>, FileError> {
    let done = AtomicU64::new(0);
    let write_block = |_: &mut (), (i, block): (usize, &[u8])| {
        if control.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        let offset = layout.payload_start() + layout.block(i).start;
        storage.write_all_at(block, offset).map_err(FileError::io("write", path))?;
        let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
        control.report(done, layout.bytes);
        Ok(xxh3_64(block))
    };
    let blocks = payload.chunks(layout.block_size as usize).enumerate().collect();
    Threads::run(control.threads(), |threads| threads.map(blocks, || (), write_block))?
}

/// Writes what precedes the payload and syncs all of it: the header last, so that no incomplete file has one.
pub(super) fn write_head(
    storage: &impl Storage,
    contents: &dyn Contents,
    layout: &Layout,
    facts: &Facts,
    sums: &[u64],
) -> io::Result<()> {
    let list = layout.list(sums);
    storage.write_all_at(&list, PAGE as u64)?;
    storage.sync()?;
    storage.write_all_at(Header::new(contents, layout, facts, &list).as_bytes(), 0)?;
    storage.sync()
}

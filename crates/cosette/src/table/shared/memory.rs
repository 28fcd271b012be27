//! Memory that is written once and then shared, read-only, by processes of one host.
//!
//! It is a file without a name (`memfd_create`, Linux): the system frees it when the last process that has it open or
//! mapped ends, so nothing is left behind however processes end. When it is complete it is *sealed*: from then on the
//! system lets no process of any user write to it or shorten it, and a process that maps it can verify that.

use super::mapping::{Advice, HUGE, Mapping, advise_part};
use crate::platform::{Pages, available_memory};
use crate::table::error::TableError;
use rayon::prelude::*;
use rustix::fs::{MemfdFlags, SealFlags};
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::process;

/// What makes the memory safe to read: its length cannot change, and no process can write to it.
const SEALS: SealFlags = SealFlags::WRITE.union(SealFlags::SHRINK).union(SealFlags::GROW).union(SealFlags::SEAL);

/// Where another process of the host finds shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) struct MemoryLocation {
    /// A process that has it open.
    pub process: u32,
    /// Its number among the open files of that process.
    pub descriptor: u32,
    /// The number of the file: a process of the same number in another container has another file there.
    pub file: u64,
}

/// Memory that is being written, all zero at first. No other process has it yet.
pub(in crate::table) struct Draft {
    file: File,
    mapping: Mapping,
    bytes: usize,
}

impl Draft {
    /// This many bytes, in pages of this kind if the system grants them. The threads of the current pool allocate them.
    pub fn zeroed(pages: Pages, bytes: u64) -> Result<Draft, TableError> {
        let available = available_memory();
        if bytes > available {
            return Err(TableError::TooLittleMemory { needed: bytes, available });
        }
        let bytes = bytes as usize;
        // Whole huge pages, so that the last one can be huge too.
        let room = bytes.next_multiple_of(HUGE);
        let file = rustix::fs::memfd_create("cosette-table", MemfdFlags::ALLOW_SEALING | MemfdFlags::CLOEXEC);
        let file = File::from(file.map_err(refused("create"))?);
        file.set_len(room as u64).map_err(refused("size"))?;
        let mapping = Mapping::writable(&file, room).map_err(refused("map"))?;
        let mut draft = Draft { file, mapping, bytes };
        draft.allocate(pages);
        Ok(draft)
    }

    /// Allocates the memory. Huge pages are requested one by one: with the settings of most systems, shared memory gets
    /// none when it is touched, but gets each one that is requested.
    fn allocate(&mut self, pages: Pages) {
        if pages == Pages::Ordinary {
            return log_refusal(self.mapping.advise(Advice::Ordinary));
        }
        log_refusal(self.mapping.advise(Advice::Huge));
        // SAFETY: the mapping is writable and as long as the file, which nobody else maps yet.
        let bytes = unsafe { self.mapping.as_mut_slice() };
        let collapse = |page: &mut [u8]| {
            page[0] = 0; // only what has been touched is collapsed
            advise_part(page, Advice::Collapse)
        };
        log_refusal(bytes.par_chunks_mut(HUGE).try_for_each(collapse));
    }

    /// Seals the memory: from now on no process can write to it.
    pub fn seal(self) -> Result<SharedMemory, TableError> {
        let Draft { file, mapping, bytes } = self;
        drop(mapping); // no writable mapping may exist
        rustix::fs::fcntl_add_seals(&file, SEALS).map_err(refused("seal"))?;
        SharedMemory::map(file, bytes as u64)
    }
}

impl Deref for Draft {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: the file is as long as the mapping, and nobody else has it.
        let room = unsafe { self.mapping.as_slice() };
        &room[..self.bytes]
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the mapping is writable and as long as the file, which nobody else has.
        let room = unsafe { self.mapping.as_mut_slice() };
        &mut room[..self.bytes]
    }
}

/// Memory that several processes may read and none can write.
#[derive(Debug)]
pub(in crate::table) struct SharedMemory {
    /// Kept open, so that others find it.
    file: File,
    mapping: Mapping,
    bytes: usize,
}

impl SharedMemory {
    /// Opens the memory that another process shares, or this one.
    pub fn open(location: MemoryLocation, bytes: u64) -> Result<SharedMemory, TableError> {
        let path = format!("/proc/{}/fd/{}", location.process, location.descriptor);
        let file = File::open(path).map_err(refused("open"))?;
        let found = file.metadata().map_err(refused("open"))?.ino();
        if found != location.file {
            return Err(refused("open")(io::Error::new(io::ErrorKind::NotFound, "another file is in its place")));
        }
        SharedMemory::map(file, bytes)
    }

    /// Maps a sealed file.
    fn map(file: File, bytes: u64) -> Result<SharedMemory, TableError> {
        let seals = rustix::fs::fcntl_get_seals(&file).map_err(refused("check"))?;
        let length = file.metadata().map_err(refused("check"))?.len();
        if !seals.contains(SEALS) || length < bytes {
            return Err(refused("check")(io::Error::other("it is too short, or can be written")));
        }
        let mapping = Mapping::read_only(&file, length as usize).map_err(refused("map"))?;
        log_refusal(mapping.advise(Advice::Huge));
        log_refusal(mapping.advise(Advice::MapAll));
        Ok(SharedMemory { file, mapping, bytes: bytes as usize })
    }

    /// Where other processes find it.
    pub fn location(&self) -> Option<MemoryLocation> {
        let file = self.file.metadata().ok()?.ino();
        Some(MemoryLocation { process: process::id(), descriptor: self.file.as_raw_fd() as u32, file })
    }
}

impl Deref for SharedMemory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: `map` has seen the seals: nobody can write to the file or shorten it, and it was as long as the
        // mapping.
        let room = unsafe { self.mapping.as_slice() };
        &room[..self.bytes]
    }
}

fn refused<E: Into<io::Error>>(action: &'static str) -> impl FnOnce(E) -> TableError {
    move |source| TableError::NotShared { action, source: source.into() }
}

/// Without its advice the system chooses the pages itself.
fn log_refusal(advice: io::Result<()>) {
    if let Err(refused) = advice {
        tracing::debug!(%refused, "the system chooses the pages of shared memory itself");
    }
}

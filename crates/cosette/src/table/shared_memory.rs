//! Memory that is written once and then shared, read-only, by processes of one host.
//!
//! It is a file without a name (`memfd_create`, Linux): the system frees it when the last process
//! that has it open or mapped ends, so nothing is left behind however processes end. When it is
//! complete it is *sealed*: from then on the system lets no process of any user write to it or
//! shorten it, and a process that maps it can verify that.
//!
//! It is mapped at the start of a huge page: a huge page of a file can be mapped as one only where
//! its address in memory and its offset in the file agree modulo its size, and the system alone
//! chooses any address.

use crate::platform::{Pages, available_memory};
use crate::table::catalog::TableError;
use rayon::prelude::*;
use rustix::fs::{MemfdFlags, SealFlags};
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::process;
use std::ptr::{self, NonNull};

/// The seals that make the memory safe to read: its length cannot change, and no process can write
/// to it.
const SEALS: SealFlags = SealFlags::WRITE
    .union(SealFlags::SHRINK)
    .union(SealFlags::GROW)
    .union(SealFlags::SEAL);

/// The location of shared memory for other processes of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryLocation {
    /// A process that has it open.
    pub process: u32,
    /// Its number among the open files of that process.
    pub descriptor: u32,
    /// The number of the file: a process of the same number in another container has another file
    /// there.
    pub file: u64,
}

/// Memory that several processes may read and none can write.
#[derive(Debug)]
pub(super) struct SharedMemory {
    /// Kept open, so that others find it.
    file: File,
    mapping: Mapping,
    bytes: usize,
}

impl SharedMemory {
    /// Creates this many bytes, which `fill` writes, in pages of this kind if the system grants
    /// them. They are all zero at first, and no other process has them yet. The threads of the
    /// current pool allocate them.
    pub fn filled(
        pages: Pages,
        bytes: u64,
        fill: impl FnOnce(&mut [u8]) -> Result<(), TableError>,
    ) -> Result<SharedMemory, TableError> {
        let available = available_memory();
        if bytes > available {
            return Err(TableError::TooLittleMemory {
                needed: bytes,
                available,
            });
        }
        // Whole huge pages, so that the last one can be huge too.
        let room = (bytes as usize).next_multiple_of(HUGE);
        let file = rustix::fs::memfd_create(
            "cosette-table",
            MemfdFlags::ALLOW_SEALING | MemfdFlags::CLOEXEC,
        );
        let file = File::from(file.map_err(refused("create"))?);
        file.set_len(room as u64).map_err(refused("size"))?;
        let mut mapping = Mapping::writable(&file, room).map_err(refused("map"))?;
        log_refusal(mapping.allocate(pages));
        // SAFETY: the mapping is writable and as long as the file, which nobody else has.
        fill(&mut unsafe { mapping.as_mut_slice() }[..bytes as usize])?;
        drop(mapping); // no writable mapping may exist
        rustix::fs::fcntl_add_seals(&file, SEALS).map_err(refused("seal"))?;
        SharedMemory::map(file, bytes)
    }

    /// Opens the memory that another process shares, or this one.
    pub fn open(location: MemoryLocation, bytes: u64) -> Result<SharedMemory, TableError> {
        let path = format!("/proc/{}/fd/{}", location.process, location.descriptor);
        let file = File::open(path).map_err(refused("open"))?;
        let found = file.metadata().map_err(refused("open"))?.ino();
        if found != location.file {
            return Err(refused("open")(io::Error::new(
                io::ErrorKind::NotFound,
                "it was replaced by another file",
            )));
        }
        SharedMemory::map(file, bytes)
    }

    /// Maps a sealed file.
    fn map(file: File, bytes: u64) -> Result<SharedMemory, TableError> {
        let seals = rustix::fs::fcntl_get_seals(&file).map_err(refused("check"))?;
        let length = file.metadata().map_err(refused("check"))?.len();
        if !seals.contains(SEALS) || length < bytes {
            return Err(refused("check")(io::Error::other(
                "it is too short or writable",
            )));
        }
        let mapping = Mapping::read_only(&file, length as usize).map_err(refused("map"))?;
        log_refusal(mapping.advise(Advice::Huge));
        log_refusal(mapping.advise(Advice::MapAll));
        Ok(SharedMemory {
            file,
            mapping,
            bytes: bytes as usize,
        })
    }

    /// Returns its location for other processes.
    pub fn location(&self) -> Option<MemoryLocation> {
        let file = self.file.metadata().ok()?.ino();
        Some(MemoryLocation {
            process: process::id(),
            descriptor: self.file.as_raw_fd() as u32,
            file,
        })
    }
}

impl Deref for SharedMemory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: `map` has seen the seals: nobody can write to the file or shorten it, and it was
        // as long as the mapping.
        let room = unsafe { self.mapping.as_slice() };
        &room[..self.bytes]
    }
}

fn refused<E: Into<io::Error>>(action: &'static str) -> impl FnOnce(E) -> TableError {
    move |source| TableError::NotShared {
        action,
        source: source.into(),
    }
}

/// Without its advice the system chooses the pages itself.
fn log_refusal(advice: io::Result<()>) {
    if let Err(refused) = advice {
        tracing::debug!(%refused, "the system chooses the pages of shared memory itself");
    }
}

/// The size of a huge page. If the processor has other sizes, pages are ordinary.
const HUGE: usize = 2 << 20;

/// `MADV_COLLAPSE` of `<linux/mman.h>`, which not every C library names yet.
const MADV_COLLAPSE: libc::c_int = 25;

/// The first bytes of a file in memory, for reading, or for writing too.
#[derive(Debug)]
struct Mapping {
    /// The first byte, at a multiple of [`HUGE`].
    start: NonNull<u8>,
    bytes: usize,
    /// The addresses reserved with room for the alignment: first address and length.
    reserved: (NonNull<u8>, usize),
}

// SAFETY: a mapping belongs to the process, not to a thread; its bytes are reached through `&self`
// for reading only.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps a file for reading.
    fn read_only(file: &File, bytes: usize) -> io::Result<Mapping> {
        Mapping::new(file, bytes, libc::PROT_READ)
    }

    /// Maps a file for reading and writing; writes are visible to all processes that map it.
    fn writable(file: &File, bytes: usize) -> io::Result<Mapping> {
        Mapping::new(file, bytes, libc::PROT_READ | libc::PROT_WRITE)
    }

    fn new(file: &File, bytes: usize, access: libc::c_int) -> io::Result<Mapping> {
        let room = bytes + HUGE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: the system chooses addresses that nothing else uses.
        let first =
            map(unsafe { libc::mmap(ptr::null_mut(), room, libc::PROT_NONE, flags, -1, 0) })?;
        let skipped = first.as_ptr().align_offset(HUGE);
        // SAFETY: less than HUGE bytes are skipped, and HUGE bytes more than `bytes` have just been
        // reserved.
        let start = unsafe { first.add(skipped) };
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        // If this fails, the system may have taken our reservation away and given its addresses to
        // another thread already. So they are not given back then: some addresses are lost, but no
        // memory. SAFETY: the addresses replaced are our own, reserved above, and nothing points
        // there yet.
        map(unsafe {
            libc::mmap(
                start.as_ptr().cast(),
                bytes,
                access,
                flags,
                file.as_raw_fd(),
                0,
            )
        })?;
        Ok(Mapping {
            start,
            bytes,
            reserved: (first, room),
        })
    }

    /// Returns the bytes.
    ///
    /// # Safety
    /// While they are borrowed nobody writes to the file, and it is not shorter than the mapping.
    unsafe fn as_slice(&self) -> &[u8] {
        // SAFETY: the addresses are mapped for reading until drop; the caller vouches for the rest.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    /// Returns the bytes, to be written.
    ///
    /// # Safety
    /// The mapping is writable, nobody else maps the file, and it is not shorter than the mapping.
    unsafe fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as the caller vouches; the borrow of the mapping is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }

    /// Allocates the memory. Huge pages are requested one by one: with the settings of most
    /// systems, shared memory gets none when it is touched, but gets each one that is requested.
    fn allocate(&mut self, pages: Pages) -> io::Result<()> {
        if pages == Pages::Ordinary {
            return self.advise(Advice::Ordinary);
        }
        log_refusal(self.advise(Advice::Huge));
        // SAFETY: the mapping is writable and as long as the file, which nobody else maps yet.
        let bytes = unsafe { self.as_mut_slice() };
        let collapse = |page: &mut [u8]| {
            page[0] = 0; // only what has been touched is collapsed
            advise(
                NonNull::from(&mut *page).cast(),
                page.len(),
                Advice::Collapse,
            )
        };
        bytes.par_chunks_mut(HUGE).try_for_each(collapse)
    }

    /// Advises the system on the use of the memory.
    fn advise(&self, advice: Advice) -> io::Result<()> {
        advise(self.start, self.bytes, advice)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let (first, room) = self.reserved;
        // SAFETY: these are the addresses reserved by `new`, and no borrow of the bytes outlives
        // the mapping.
        unsafe { libc::munmap(first.as_ptr().cast(), room) };
    }
}

/// Advice on memory to the system. None of it changes the contents of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Advice {
    /// Use huge pages when it is first touched.
    Huge,
    /// Use ordinary pages.
    Ordinary,
    /// Put it in a huge page now, whatever the system's settings for shared memory are (since Linux
    /// 6.1).
    Collapse,
    /// Map all of it now, rather than page by page when it is touched (since Linux 5.14).
    MapAll,
}

/// Advises the system on the use of a part of a mapping.
fn advise(start: NonNull<u8>, bytes: usize, advice: Advice) -> io::Result<()> {
    let advice = match advice {
        Advice::Huge => libc::MADV_HUGEPAGE,
        Advice::Ordinary => libc::MADV_NOHUGEPAGE,
        Advice::Collapse => MADV_COLLAPSE,
        Advice::MapAll => libc::MADV_POPULATE_READ,
    };
    // SAFETY: whatever the addresses, these four change how memory is mapped, not what it holds.
    match unsafe { libc::madvise(start.as_ptr().cast(), bytes, advice) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Returns the address from `mmap`, or its error.
fn map(address: *mut libc::c_void) -> io::Result<NonNull<u8>> {
    match NonNull::new(address.cast()) {
        Some(address) if address.as_ptr() as isize != libc::MAP_FAILED as isize => Ok(address),
        _ => Err(io::Error::last_os_error()),
    }
}

//! A file mapped into memory at the start of a huge page.
//!
//! A huge page of a file can be mapped as one only where its address in memory and its offset in the file agree modulo
//! its size; the system alone chooses any address.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::ptr::{self, NonNull};

/// The size of a huge page. If the processor has other sizes, pages are ordinary.
pub(super) const HUGE: usize = 2 << 20;

/// `MADV_COLLAPSE` of `<linux/mman.h>`, which not every C library names yet.
const MADV_COLLAPSE: libc::c_int = 25;

/// The first bytes of a file in memory, for reading, or for writing too.
#[derive(Debug)]
pub(super) struct Mapping {
    /// The first byte, at a multiple of [`HUGE`].
    start: NonNull<u8>,
    bytes: usize,
    /// The addresses reserved with room for the alignment: first address and length.
    reserved: (NonNull<u8>, usize),
}

// SAFETY: a mapping belongs to the process, not to a thread; its bytes are reached through `&self` for reading only.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps a file for reading.
    pub(super) fn read_only(file: &File, bytes: usize) -> io::Result<Mapping> {
        Mapping::new(file, bytes, libc::PROT_READ)
    }

    /// Maps a file for reading and writing; what is written is seen by all processes that map it.
    pub(super) fn writable(file: &File, bytes: usize) -> io::Result<Mapping> {
        Mapping::new(file, bytes, libc::PROT_READ | libc::PROT_WRITE)
    }

    fn new(file: &File, bytes: usize, access: libc::c_int) -> io::Result<Mapping> {
        let room = bytes + HUGE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: the system chooses addresses that nothing else uses.
        let first = map(unsafe { libc::mmap(ptr::null_mut(), room, libc::PROT_NONE, flags, -1, 0) })?;
        let skipped = first.as_ptr().align_offset(HUGE);
        // SAFETY: less than HUGE bytes are skipped, and HUGE bytes more than `bytes` have just been reserved.
        let start = unsafe { first.add(skipped) };
        let flags = libc::MAP_SHARED | libc::MAP_FIXED;
        // If this fails, the system may have taken our reservation away and given its addresses to another thread already.
        // So they are not given back then: some addresses are lost, but no memory.
        // SAFETY: the addresses replaced are our own, reserved above, and nothing points there yet.
        map(unsafe { libc::mmap(start.as_ptr().cast(), bytes, access, flags, file.as_raw_fd(), 0) })?;
        Ok(Mapping { start, bytes, reserved: (first, room) })
    }

    /// The bytes.
    ///
    /// # Safety
    /// While they are borrowed nobody writes to the file, and it is not shorter than the mapping.
    pub(super) unsafe fn as_slice(&self) -> &[u8] {
        // SAFETY: the addresses are mapped for reading until drop; the caller vouches for the rest.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }

    /// The bytes, to be written.
    ///
    /// # Safety
    /// The mapping is writable, nobody else maps the file, and it is not shorter than the mapping.
    pub(super) unsafe fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as the caller vouches; the borrow of the mapping is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }

    /// Tells the system how the memory will be used.
    pub(super) fn advise(&self, advice: Advice) -> io::Result<()> {
        advise(self.start, self.bytes, advice)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let (first, room) = self.reserved;
        // SAFETY: these are the addresses reserved by `new`, and no borrow of the bytes outlives the mapping.
        unsafe { libc::munmap(first.as_ptr().cast(), room) };
    }
}

/// Advice on memory to the system. None of it changes the contents of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Advice {
    /// Use huge pages when it is first touched.
    Huge,
    /// Use ordinary pages.
    Ordinary,
    /// Put it in a huge page now, whatever the system's settings for shared memory are (since Linux 6.1).
    Collapse,
    /// Map all of it now, rather than page by page when it is touched (since Linux 5.14).
    MapAll,
}

/// Tells the system how a part of a mapping, borrowed as `bytes`, will be used.
pub(super) fn advise_part(bytes: &mut [u8], advice: Advice) -> io::Result<()> {
    advise(NonNull::from(&mut *bytes).cast(), bytes.len(), advice)
}

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

/// The address that `mmap` gave, or its error.
fn map(address: *mut libc::c_void) -> io::Result<NonNull<u8>> {
    match NonNull::new(address.cast()) {
        Some(address) if address.as_ptr() as isize != libc::MAP_FAILED as isize => Ok(address),
        _ => Err(io::Error::last_os_error()),
    }
}

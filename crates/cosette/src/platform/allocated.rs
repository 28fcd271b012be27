//! Memory from the allocator of the program.

use super::Pages;
use std::ops::{Deref, DerefMut};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

/// Bytes that start on a line of the cache, all zero at first.
#[derive(Debug)]
pub(crate) struct PageMemory {
    lines: Vec<CacheLine>,
    bytes: usize,
}

#[derive(Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(64))]
struct CacheLine([u8; 64]);

impl PageMemory {
    /// Allocates this many bytes; the kind of pages is the allocator's. `None` if there is too little memory.
    pub fn zeroed(_: Pages, bytes: u64) -> Option<PageMemory> {
        let bytes = usize::try_from(bytes).ok()?;
        let lines = CacheLine::new_vec_zeroed(bytes.div_ceil(size_of::<CacheLine>())).ok()?;
        Some(PageMemory { lines, bytes })
    }
}

impl Deref for PageMemory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.lines.as_bytes()[..self.bytes]
    }
}

impl DerefMut for PageMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.lines.as_mut_bytes()[..self.bytes]
    }
}

/// How much memory this process may still take at once, in bytes: in WebAssembly what its addresses leave, and no more than half
/// of them; elsewhere not known.
pub fn available() -> u64 {
    #[cfg(target_arch = "wasm32")]
    {
        const PAGE: u64 = 1 << 16;
        let left = (1 << 32) - PAGE * core::arch::wasm32::memory_size::<0>() as u64;
        left.min(isize::MAX as u64)
    }
    #[cfg(not(target_arch = "wasm32"))]
    u64::MAX
}

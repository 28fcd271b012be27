//! Memory of Linux and other systems: anonymous pages, huge ones where Linux grants them.

use super::Pages;
use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};

/// Bytes in whole pages, all zero at first.
#[derive(Debug)]
pub(crate) struct PageMemory(MmapMut);

impl PageMemory {
    /// Reserves this many bytes, which the system allocates when they are first written. `None` if it refuses.
    pub fn zeroed(pages: Pages, bytes: u64) -> Option<PageMemory> {
        let map = MmapMut::map_anon(bytes.try_into().ok()?).ok()?;
        // A random line of a large table misses the TLB with ordinary pages of 4 KB: about twice the time a probe
        // takes.
        #[cfg(target_os = "linux")]
        if let Err(refused) = map.advise(match pages {
            Pages::Huge => memmap2::Advice::HugePage,
            Pages::Ordinary => memmap2::Advice::NoHugePage,
        }) {
            tracing::debug!(%refused, pages = pages.name(), "the system chooses the pages itself");
        }
        #[cfg(not(target_os = "linux"))]
        let _ = pages;
        Some(PageMemory(map))
    }
}

impl Deref for PageMemory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for PageMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

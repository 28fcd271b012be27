//! The memory a table lives in: anonymous pages, huge ones where the system grants them.

use super::TableError;
use super::line::Line;
use memmap2::MmapMut;
use std::ops::{Deref, DerefMut};
use zerocopy::FromBytes;

/// Memory for lines, all zero at first.
pub(crate) struct LineMemory {
    map: MmapMut,
}

impl LineMemory {
    /// Reserves memory for `lines` lines. Its pages are taken when they are first written.
    ///
    /// # Errors
    /// If the machine has not that much memory available.
    pub fn zeroed(lines: usize) -> Result<LineMemory, TableError> {
        let needed = (lines * size_of::<Line>()) as u64;
        let available = available();
        let too_little = || TableError::TooLittleMemory { needed, available };
        if needed > available {
            return Err(too_little());
        }
        let map = MmapMut::map_anon(needed as usize).map_err(|_| too_little())?;
        // A random line of a large table misses the TLB with ordinary pages of 4 KB: about twice the time a probe takes.
        #[cfg(target_os = "linux")]
        if let Err(refused) = map.advise(memmap2::Advice::HugePage) {
            tracing::debug!(%refused, "no huge pages: the table lies in ordinary ones");
        }
        Ok(LineMemory { map })
    }
}

/// How much memory this process may still take, in bytes: what the machine has free, or its control group if less.
pub fn available() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    match system.available_memory() {
        0 => group, // the system does not say
        free => free.min(group),
    }
}

impl LineMemory {
    /// The words of the lines, one after the other.
    pub fn as_words(&self) -> &[u64] {
        <[u64]>::ref_from_bytes(&self.map).expect("pages are aligned and hold whole lines")
    }
}

impl Deref for LineMemory {
    type Target = [Line];
    fn deref(&self) -> &[Line] {
        <[Line]>::ref_from_bytes(&self.map).expect("pages are aligned and hold whole lines")
    }
}

impl DerefMut for LineMemory {
    fn deref_mut(&mut self) -> &mut [Line] {
        <[Line]>::mut_from_bytes(&mut self.map).expect("pages are aligned and hold whole lines")
    }
}

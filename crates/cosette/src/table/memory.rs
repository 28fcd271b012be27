//! The memory a table lives in: anonymous pages, huge ones where the system grants them.

use super::error::TableError;
use super::line::Line;
use crate::kernel::prefetch;
use crate::platform::{PageMemory, Pages, available_memory};
use std::ops::{Deref, DerefMut};
use zerocopy::FromBytes;

/// The bytes of a table, all zero at first. They start on a line and are in huge pages if the system grants them.
#[derive(Debug)]
pub struct TableMemory {
    bytes: PageMemory,
}

impl TableMemory {
    /// Reserves this many bytes, in huge pages. The system allocates them when they are first written. Fails if the
    /// machine does not have that much memory available.
    pub fn zeroed(needed: u64) -> Result<TableMemory, TableError> {
        let available = available_memory();
        let memory = (needed <= available).then(|| PageMemory::zeroed(Pages::Huge, needed)).flatten();
        memory.map(|bytes| TableMemory { bytes }).ok_or(TableError::TooLittleMemory { needed, available })
    }

    /// Prefetches the byte at `index`, which will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        prefetch(self.bytes.as_ptr().wrapping_add(index));
    }

    /// The bytes as lines.
    pub(super) fn as_mut_lines(&mut self) -> &mut [Line] {
        <[Line]>::mut_from_bytes(&mut self.bytes).expect("it starts on a line, and the table is made of lines")
    }
}

impl Deref for TableMemory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for TableMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// The share of mapped memory that is in huge pages, from 0 to 1; `None` if the system does not say.
pub(super) fn share_of_huge_pages(memory: &[u8]) -> Option<f64> {
    huge_share_of_mapping(&std::fs::read_to_string("/proc/self/smaps").ok()?, memory.as_ptr() as usize)
}

/// The share of huge pages in the mapping that holds this address, by the text of `/proc/self/smaps`: for each mapping
/// a line `7f1200000000-7f1280000000 rw-p …`, then lines such as `Size:  2097152 kB`, `AnonHugePages:  2095104 kB` and,
/// for shared memory, `ShmemPmdMapped:  0 kB`, in this order.
fn huge_share_of_mapping(smaps: &str, address: usize) -> Option<f64> {
    let holds_address = |line: &str| {
        let (start, end) = line.split_whitespace().next()?.split_once('-')?;
        let [start, end] = [start, end].map(|text| usize::from_str_radix(text, 16).ok());
        Some((start?..end?).contains(&address))
    };
    let lines = smaps.lines().skip_while(|line| holds_address(line) != Some(true)).skip(1);
    let mut lines = lines.take_while(|line| holds_address(line).is_none());
    let mut kilobytes = |name: &str| {
        let of_name = |line: &str| line.strip_prefix(name)?.trim_end_matches("kB").trim().parse::<f64>().ok();
        lines.find_map(of_name)
    };
    let size = kilobytes("Size:")?;
    let [own, shared] = [kilobytes("AnonHugePages:")?, kilobytes("ShmemPmdMapped:").unwrap_or(0.0)];
    Some((own + shared) / size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_are_counted_in_the_mapping_that_holds_the_address() {
        let smaps = "\
            7f10-7f20 rw-p 00000000 00:00 0\nSize:     16 kB\nAnonHugePages:     0 kB\n\
            7f30-7f40 rw-p 00000000 00:00 0\nSize:   4096 kB\nRss: 4096 kB\nAnonHugePages:  2048 kB\nShmemPmdMapped: 1024 kB\nTHPeligible: 1\n";
        assert_eq!(huge_share_of_mapping(smaps, 0x7f30), Some(0.75));
        assert_eq!(huge_share_of_mapping(smaps, 0x7f1f), Some(0.0));
        assert_eq!(huge_share_of_mapping(smaps, 0x7f40), None);
    }
}

//! The journal of a file that is being generated: which units are in the partial file.
//!
//! ```text
//! byte 0     a page that says what is generated, numbered how, in which version of the format
//!      4096  one record of 80 bytes per unit, in order; where there is no valid record, the unit is missing
//!            | what the unit counts, 16 times 4 bytes | checksum of the unit | checksum of the record |
//! ```
//!
//! Writes are neither ordered nor synced. A record is trusted only if its own checksum is right and the unit in the partial
//! file has the checksum it gives; so after a power cut, each unit is either complete or generated again.

use super::header::{Header, PAGE};
use super::{Contents, Storage};
use std::io;
use xxhash_rust::xxh3::xxh3_64_with_seed;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Record {
    counts: [U32; 16],
    unit_checksum: U64,
    checksum: U64,
}

impl Record {
    pub fn new(unit: usize, counts: [u32; 16], bytes: &[u8]) -> Record {
        let unit_checksum = Record::checksum_of_unit(unit, bytes).into();
        let mut record = Record { counts: counts.map(U32::from), unit_checksum, checksum: 0.into() };
        record.checksum = record.own_checksum(unit).into();
        record
    }

    /// Seeded with the number of the unit, so that no unit can be mistaken for another.
    fn checksum_of_unit(unit: usize, bytes: &[u8]) -> u64 {
        xxh3_64_with_seed(bytes, unit as u64)
    }

    fn own_checksum(&self, unit: usize) -> u64 {
        let bytes = self.as_bytes();
        xxh3_64_with_seed(&bytes[..bytes.len() - size_of::<U64>()], unit as u64)
    }

    /// Whether these are the bytes that it was written for.
    pub fn is_of(&self, unit: usize, bytes: &[u8]) -> bool {
        self.unit_checksum == Record::checksum_of_unit(unit, bytes)
    }

    pub fn counts(&self) -> [u32; 16] {
        self.counts.map(U32::get)
    }

    pub fn write(&self, journal: &impl Storage, unit: usize) -> io::Result<()> {
        journal.write_all_at(self.as_bytes(), (PAGE + unit * size_of::<Record>()) as u64)
    }
}

/// The record of each unit, if it has one; `None` if it is not the journal of these contents.
pub(super) fn records(
    journal: &impl Storage,
    contents: &dyn Contents,
    units: usize,
) -> io::Result<Option<Vec<Option<Record>>>> {
    let most = PAGE + units * size_of::<Record>();
    let mut bytes = vec![0; journal.length()?.min(most as u64) as usize];
    journal.read_exact_at(&mut bytes, 0)?;
    let Some(written) = bytes.strip_prefix(Header::of_journal(contents).as_bytes()) else { return Ok(None) };
    let mut records = vec![Record::new_zeroed(); units];
    let length = written.len().min(size_of_val(&records[..]));
    records.as_mut_bytes()[..length].copy_from_slice(&written[..length]);
    let is_sound = |(unit, record): (usize, Record)| (record.checksum == record.own_checksum(unit)).then_some(record);
    Ok(Some(records.into_iter().enumerate().map(is_sound).collect()))
}

/// Begins a new journal, which replaces what is in the file.
pub(super) fn begin(journal: &impl Storage, contents: &dyn Contents) -> io::Result<()> {
    journal.set_length(0)?;
    journal.write_all_at(Header::of_journal(contents).as_bytes(), 0)
}

//! The journal of a filling: which classes are in the partial file.
//!
//! ```text
//! byte 0     a page that says which table, numbered how, in which version of the format
//!      4096  one record of 80 bytes a class, in order; what is not a record says that its class is missing
//!            | entries by value, 16 times 4 bytes | checksum of the lines | checksum of the record |
//! ```
//!
//! Nothing here is ordered or synced with care. A record is believed only if its own checksum is right and the lines in
//! the partial file have the checksum it gives, so whatever a power cut leaves behind, a class is kept whole or filled
//! anew.

use super::super::Distribution;
use super::TableFile;
use super::header::{Header, PAGE};
use super::positioned::write_all_at;
use crate::coord::CornerClasses;
use std::fs::File;
use std::io::{self, Read, Seek};
use xxhash_rust::xxh3::xxh3_64_with_seed;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// What the journal says of a class.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Record {
    distribution: [U32; 16],
    lines_checksum: U64,
    checksum: U64,
}

impl Record {
    fn new(class: u32, distribution: &Distribution, lines: &[u8]) -> Record {
        let mut record = Record {
            distribution: std::array::from_fn(|value| (distribution[value] as u32).into()),
            lines_checksum: Self::checksum_of_lines(class, lines).into(),
            checksum: 0.into(),
        };
        record.checksum = record.own_checksum(class).into();
        record
    }

    /// Seeded with the class, so that no class passes for another.
    fn checksum_of_lines(class: u32, lines: &[u8]) -> u64 {
        xxh3_64_with_seed(lines, class.into())
    }

    fn own_checksum(&self, class: u32) -> u64 {
        let bytes = self.as_bytes();
        xxh3_64_with_seed(&bytes[..bytes.len() - size_of::<U64>()], class.into())
    }

    /// Whether these are the lines that it was written for.
    pub fn is_of(&self, class: u32, lines: &[u8]) -> bool {
        self.lines_checksum == Self::checksum_of_lines(class, lines)
    }

    /// How many entries of the class have each value.
    pub fn distribution(&self) -> Distribution {
        std::array::from_fn(|value| self.distribution.get(value).map_or(0, |count| u64::from(count.get())))
    }
}

/// The journal of a table, open.
pub(super) struct Journal {
    file: File,
}

impl Journal {
    /// The journal of `table` in a file, and its records. A file that is not one is begun anew.
    pub fn open(mut file: File, table: &dyn TableFile) -> io::Result<(Journal, Vec<Option<Record>>)> {
        let records = records(&mut file, table)?;
        if records.is_none() {
            file.set_len(0)?;
            write_all_at(&file, Header::of_journal(table).as_bytes(), 0)?;
        }
        Ok((Journal { file }, records.unwrap_or_else(|| vec![None; CornerClasses::COUNT])))
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Notes that a class has been filled.
    pub fn note(&self, class: u32, distribution: &Distribution, lines: &[u8]) -> io::Result<()> {
        let record = Record::new(class, distribution, lines);
        write_all_at(&self.file, record.as_bytes(), (PAGE + class as usize * size_of::<Record>()) as u64)
    }
}

/// What a journal says of each class; `None` if this is not a journal of `table`.
pub(super) fn records(file: &mut File, table: &dyn TableFile) -> io::Result<Option<Vec<Option<Record>>>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    let Some(written) = bytes.strip_prefix(Header::of_journal(table).as_bytes()) else { return Ok(None) };
    let mut records = vec![Record::new_zeroed(); CornerClasses::COUNT];
    let length = written.len().min(size_of_val(&records[..]));
    records.as_mut_bytes()[..length].copy_from_slice(&written[..length]);
    let is_sound = |(class, record): (u32, Record)| (record.checksum == record.own_checksum(class)).then_some(record);
    Ok(Some((0..).zip(records).map(is_sound).collect()))
}

//! The journal of a building: which blocks lie in the draft, with their checksums.
//!
//! It starts with the header that the file is to have, but for the checksums; each block that is written adds 16 bytes: its
//! number and its checksum. Nothing here is synced with care: a block is believed only if it has the checksum noted, and so
//! whatever a power cut leaves behind, it is kept whole or built anew.

use super::draft::beside;
use super::{Head, PAGE};
use crate::error::LabError;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The journal of a building.
pub(in crate::lee) struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// The journal beside `path`, and the checksum of each block that it notes. One that was begun for another file is begun
    /// anew.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn open(path: &Path, head: &Head) -> Result<(Journal, Vec<Option<u64>>), LabError> {
        let path = beside(path, ".journal");
        let open = || {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let page = head.page(&[]);
            let mut noted = vec![None; head.blocks() as usize];
            if !bytes.starts_with(&page) {
                file.set_len(0)?;
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&page)?;
                return Ok((file, noted));
            }
            let number = |bytes: &[u8]| u64::from_le_bytes(std::array::from_fn(|i| bytes[i]));
            let records = bytes[PAGE..].chunks_exact(16);
            // A record that was cut short would shift all that follow.
            let torn = records.remainder().len() as u64;
            for record in records {
                if let Some(noted) = noted.get_mut(number(record) as usize) {
                    *noted = Some(number(&record[8..]));
                }
            }
            let length = bytes.len() as u64 - torn;
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            Ok((file, noted))
        };
        let (file, noted) = open().map_err(LabError::io("write", &path))?;
        Ok((Journal { path, file: Mutex::new(file) }, noted))
    }

    /// Notes a block that has been written.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn note(&self, block: u64, sum: u64) -> Result<(), LabError> {
        let mut record = [0; 16];
        record[..8].copy_from_slice(&block.to_le_bytes());
        record[8..].copy_from_slice(&sum.to_le_bytes());
        let mut file = self.file.lock().expect("no thread panics");
        file.write_all(&record).map_err(LabError::io("write", &self.path))
    }

    /// Removes it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn remove(self) -> Result<(), LabError> {
        fs::remove_file(&self.path).map_err(LabError::io("remove", &self.path))
    }
}

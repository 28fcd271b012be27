//! Checkpoints: the counts of completed iterations, saved in a file so that nothing is searched twice.
//!
//! The file has a JSON object a line, one for each iteration that came to its end: it searched all there was, or found
//! a solution. A line names the position and the databases, so it cannot be used for others. An incomplete last line,
//! as a power failure leaves it, is removed, and its iteration is searched again.

use crate::error::LabError;
use cosette::cube::Cube;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What one iteration has counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationRecord {
    /// The position, as facelets.
    pub position: String,
    /// The databases.
    pub databases: String,
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to databases.
    pub probes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The solution that ended it; none where all was searched.
    pub solution: Option<String>,
}

/// The records of some positions, and the file where they are kept, if they are.
#[derive(Debug)]
pub struct Checkpoints {
    file: Option<(PathBuf, File)>,
    databases: String,
    records: Vec<IterationRecord>,
}

impl Checkpoints {
    /// Records that are not kept.
    pub fn in_memory(databases: impl Into<String>) -> Checkpoints {
        Checkpoints { file: None, databases: databases.into(), records: Vec::new() }
    }

    /// The records in a file, which is created if there is none.
    ///
    /// # Errors
    /// If the file cannot be read and written, if a line other than the last is not a record, or if one is of another
    /// position or of other databases.
    pub fn open(path: &Path, positions: &[Cube], databases: impl Into<String>) -> Result<Checkpoints, LabError> {
        let mut checkpoints = Checkpoints::in_memory(databases);
        let open = || -> std::io::Result<(File, String)> {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            // An incomplete last line is dropped.
            text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
            file.set_len(text.len() as u64)?;
            file.seek(SeekFrom::End(0))?;
            Ok((file, text))
        };
        let (file, text) = open().map_err(LabError::io("open", path))?;
        let names: Vec<String> = positions.iter().map(Cube::facelets).collect();
        for (text, line) in text.lines().zip(1..) {
            let record: IterationRecord = serde_json::from_str(text).map_err(|source| LabError::InvalidCheckpoint {
                path: path.to_owned(),
                line,
                source,
            })?;
            let other = |what| Err(LabError::OtherCheckpoint { path: path.to_owned(), line, what });
            if record.databases != checkpoints.databases {
                return other("databases");
            }
            if !names.contains(&record.position) {
                return other("instances");
            }
            if checkpoints.get(&record.position, record.threshold).is_none() {
                checkpoints.records.push(record);
            }
        }
        checkpoints.file = Some((path.to_owned(), file));
        Ok(checkpoints)
    }

    /// The databases that the records are of.
    pub fn databases(&self) -> &str {
        &self.databases
    }

    /// The records, in the order in which they were made.
    pub fn records(&self) -> &[IterationRecord] {
        &self.records
    }

    /// The record of an iteration.
    pub fn get(&self, position: &str, threshold: u8) -> Option<&IterationRecord> {
        self.records.iter().find(|record| record.position == position && record.threshold == threshold)
    }

    /// The record of the iteration that solved a position.
    pub fn solved(&self, position: &str) -> Option<&IterationRecord> {
        self.records.iter().find(|record| record.position == position && record.solution.is_some())
    }

    /// Adds a record, and keeps it: it is on disk when this returns.
    pub fn add(&mut self, record: IterationRecord) -> Result<(), LabError> {
        if let Some((path, file)) = &mut self.file {
            let line = serde_json::to_string(&record).expect("a record is an object of plain values") + "\n";
            let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
            written.map_err(LabError::io("write", path))?;
        }
        self.records.push(record);
        Ok(())
    }
}

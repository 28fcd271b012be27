//! Records: the figures that an experiment computed, with the circumstances of their computation.
//!
//! A record is a JSON file in `lab/cosette-lab/results`, named by its paper and its experiment. The
//! pages are made of the records ([`crate::page`]), so that no page needs a computation.

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::stored_results::StoredResults;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the path of a file of the sources of this crate: the lab is started from a clone.
pub(crate) fn source_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The figures of an experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The date, the machine and the commit of the computation, in a sentence for each run.
    pub origin: String,
    /// The figures, by name.
    pub data: serde_json::Value,
}

impl Record {
    /// Creates the record of figures that were computed now.
    ///
    /// # Panics
    /// Panics if `data` has a map whose keys are not strings, or a number beyond 64 bits.
    pub fn computed(options: &ExperimentOptions, data: &impl Serialize) -> Record {
        Record {
            origin: options.origin.to_string(),
            data: serde_json::to_value(data).expect("figures are JSON"),
        }
    }

    /// Creates the record of figures from the results of long runs.
    ///
    /// # Panics
    /// Panics if `data` has a map whose keys are not strings, or a number beyond 64 bits.
    pub fn of_results(results: &StoredResults, data: &impl Serialize) -> Record {
        Record {
            origin: results.circumstances(),
            data: serde_json::to_value(data).expect("figures are JSON"),
        }
    }

    /// Reads the stored record of an experiment.
    ///
    /// # Errors
    /// Returns an error if its file cannot be read, or is not a record.
    pub fn read(paper: &str, experiment: &str) -> Result<Record, LabError> {
        let path = source_file(&format!("results/{paper}-{experiment}.json"));
        let text = fs::read_to_string(&path).map_err(LabError::io("read", &path))?;
        serde_json::from_str(&text).map_err(|error| LabError::io("read", &path)(error.into()))
    }

    /// Writes the record of an experiment into a directory, and returns the path of its file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(
        &self,
        directory: &Path,
        paper: &str,
        experiment: &str,
    ) -> Result<PathBuf, LabError> {
        fs::create_dir_all(directory).map_err(LabError::io("create the folder", directory))?;
        let path = directory.join(format!("{paper}-{experiment}.json"));
        let text = serde_json::to_string_pretty(self).expect("a record is JSON");
        fs::write(&path, text + "\n").map_err(LabError::io("write", &path))?;
        Ok(path)
    }
}

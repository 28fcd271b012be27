//! The file formats of data sets.

use std::path::Path;

/// A file format. Columns have the same names in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetFormat {
    Npz,
    Parquet,
    Csv,
    JsonLines,
}

/// Error of a file name without a known extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use a name that ends in .npz, .parquet, .csv or .jsonl")]
pub struct UnknownDatasetFormatError;

impl DatasetFormat {
    /// Determines the format from a file name.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownDatasetFormatError`] if the extension is unknown.
    pub fn of(path: &Path) -> Result<DatasetFormat, UnknownDatasetFormatError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("npz") => Ok(DatasetFormat::Npz),
            Some("parquet") => Ok(DatasetFormat::Parquet),
            Some("csv") => Ok(DatasetFormat::Csv),
            Some("jsonl") => Ok(DatasetFormat::JsonLines),
            _ => Err(UnknownDatasetFormatError),
        }
    }

    /// Returns `true` if facelets are written as text.
    pub(super) const fn is_text(self) -> bool {
        matches!(self, DatasetFormat::Csv | DatasetFormat::JsonLines)
    }
}

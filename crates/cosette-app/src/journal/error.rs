//! What can be wrong with a journal.

use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("cannot {verb} the journal {}: {source}", path.display())]
    Io {
        /// What was tried.
        verb: &'static str,
        /// The journal.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("the journal {} is in use by another process", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is not a journal of a {kind}", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// The kind of journal that was expected: `batch` or `search`.
        kind: &'static str,
    },
    /// Another version of Cosette wrote it.
    #[error("the journal {} has format version {found}, but this program reads version {known}", path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// It was started with something else.
    #[error("the journal {} was started with {what} {found}, not {expected}", path.display())]
    Other {
        /// The journal.
        path: PathBuf,
        /// What differs: `table`, `position`, the name of a setting, …
        what: String,
        /// Its value in the journal.
        found: String,
        /// Its value now.
        expected: String,
    },
    /// A line has changed since it was written.
    #[error("line {line} of the journal {} is damaged", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
    },
    /// A line is undamaged, but its content is wrong.
    #[error("{place} of the journal {} is wrong: {what}", path.display())]
    Wrong {
        /// The journal.
        path: PathBuf,
        /// The record: `line 3`, or `the answer to position 3`.
        place: String,
        /// What is wrong with it.
        what: String,
    },
}

impl JournalError {
    /// The error of an operation on the journal at `path`.
    pub(super) fn io(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError {
        move |source| JournalError::Io { verb, path: path.to_owned(), source }
    }
}

//! What can be wrong with a journal.

use cosette::cube::shortened;
use std::io;
use std::path::{Path, PathBuf};

/// What is wrong with a journal.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum JournalError {
    /// The system refused.
    #[error("cannot {verb} the journal {}: {source}", path.display())]
    Io { verb: &'static str, path: PathBuf, source: io::Error },
    /// Another process writes it.
    #[error("the journal {} is in use by another process", path.display())]
    Locked { path: PathBuf },
    /// It is the standard output or error of this process.
    #[error("the journal {} is the file that the output is written to", path.display())]
    IsOutput { path: PathBuf },
    /// The file is something else.
    #[error("{} is not a journal of a {kind}", path.display())]
    NotAJournal { path: PathBuf, kind: &'static str },
    /// Another version of Cosette wrote it.
    #[error("the journal {} has format version {found}, but this program reads version {known}", path.display())]
    Version { path: PathBuf, found: u32, known: u32 },
    /// It is of another kind.
    #[error("{} is the journal of a {found}, not of a {expected}", path.display())]
    OtherKind { path: PathBuf, found: String, expected: &'static str },
    /// It was started with something else.
    #[error("the journal {} was started with {what} {found}, not {expected}", path.display())]
    Mismatch { path: PathBuf, what: String, found: String, expected: String },
    /// A line has changed since it was written.
    #[error("line {line} of the journal {} is damaged", path.display())]
    Damaged {
        path: PathBuf,
        line: usize,
        /// Where the line begins, in bytes: what is before is intact.
        offset: u64,
    },
    /// A line is undamaged, but its content is wrong.
    #[error("{place} of the journal {} is wrong: {what}", path.display())]
    Invalid { path: PathBuf, place: String, what: String },
}

/// How much of a journal an error quotes, in characters: more than a position or a solution has.
const LONGEST_QUOTE: usize = 100;

/// A text of a journal as an error quotes it.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, LONGEST_QUOTE)
}

impl JournalError {
    /// The error that the journal at `path` was started with something else, `found` rather than `expected`.
    pub fn mismatch(path: &Path, what: &str, found: &str, expected: &str) -> JournalError {
        let [what, found, expected] = [what, found, expected].map(quoted);
        JournalError::Mismatch { path: path.to_owned(), what, found, expected }
    }

    /// Whether the disk has no room for more, or the file may not grow.
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            JournalError::Io { source, .. } => matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge),
            _ => false,
        }
    }

    /// The error of an operation on the journal at `path`.
    pub(super) fn io(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError {
        move |source| JournalError::Io { verb, path: path.to_owned(), source }
    }
}

//! What is wrong with a journal, and what mends it.

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
        /// Why not.
        source: io::Error,
    },
    /// Another process writes it.
    #[error("the journal {} is in use by another process", path.display())]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{} is no journal of a {kind}", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// What it was to be of: `batch` or `search`.
        kind: &'static str,
    },
    /// It is a journal of another kind.
    #[error("the journal {} is of a {found}, and a journal of a {asked} is asked for", path.display())]
    OtherKind {
        /// The journal.
        path: PathBuf,
        /// What it is of: `batch` or `search`.
        found: String,
        /// What it was to be of.
        asked: &'static str,
    },
    /// A later version of Cosette wrote it.
    #[error("the journal {} has format version {found}, and this program knows version {known}", path.display())]
    Version {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that is known.
        known: u32,
    },
    /// It was begun with other settings.
    #[error("the journal {} was begun with {name} {found}, and this batch has {name} {asked}", path.display())]
    OtherSettings {
        /// The journal.
        path: PathBuf,
        /// The first setting that differs.
        name: String,
        /// Its value in the journal.
        found: String,
        /// Its value asked for.
        asked: String,
    },
    /// It was begun for other positions.
    #[error("the journal {} is of a list of {found}, and this is a list of {asked}", path.display())]
    OtherPositions {
        /// The journal.
        path: PathBuf,
        /// The list in the journal.
        found: String,
        /// The list at hand.
        asked: String,
    },
    /// It was begun for the search of another position.
    #[error("the journal {} is of the position {found}, and this is the position {asked}", path.display())]
    OtherPosition {
        /// The journal.
        path: PathBuf,
        /// The facelets of the position in the journal.
        found: String,
        /// Those of the position at hand.
        asked: String,
    },
    /// It was begun for a search with another table.
    #[error("the journal {} is of a search with the table {found}, and this is one with {asked}", path.display())]
    OtherTable {
        /// The journal.
        path: PathBuf,
        /// The table in the journal.
        found: String,
        /// The table at hand.
        asked: String,
    },
    /// A line is not as it was written.
    #[error("line {line} of the journal {} is damaged", path.display())]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What comes of it when that line is deleted.
        without: &'static str,
    },
    /// A line is whole, and yet it cannot be of this search.
    #[error("line {line} of the journal {} does not fit its position: {what}", path.display())]
    Unfit {
        /// The journal.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// A line is whole, and yet no answer to its position.
    #[error("position {number} in the journal {} is not answered by what it holds: {what}", path.display())]
    Wrong {
        /// The journal.
        path: PathBuf,
        /// The position, counted from one.
        number: usize,
        /// What is wrong.
        what: String,
    },
}

impl JournalError {
    /// What mends it.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            JournalError::Io { .. } => return None,
            JournalError::Locked { .. } => "wait until it has ended, or name another journal".into(),
            JournalError::NotAJournal { .. } => {
                "name a file that is not there yet, or a journal that `--journal` has begun".into()
            }
            JournalError::Version { .. } => "go on with the program that began it, or name another journal".into(),
            JournalError::OtherSettings { name, found, .. } => {
                format!("go on with {name} {found}, or name another journal")
            }
            JournalError::OtherPositions { .. } => {
                "go on with the list it was begun for, unchanged, or name another journal".into()
            }
            JournalError::OtherKind { found, .. } => {
                format!("go on with the {found} it was begun for, or name another journal")
            }
            JournalError::OtherPosition { .. } => {
                "go on with the position it was begun for, or name another journal".into()
            }
            JournalError::OtherTable { found, .. } => {
                format!("go on with the table {found} (`--table {found}`), or name another journal")
            }
            JournalError::Damaged { path, line: 1, .. } => {
                format!("its head is lost: remove {} and start again", path.display())
            }
            JournalError::Damaged { line, without, .. } => {
                format!("delete that line (`sed -i {line}d`): {without}")
            }
            JournalError::Wrong { path, .. } | JournalError::Unfit { path, .. } => {
                format!("please report this; remove {} and start again", path.display())
            }
        })
    }

    /// The error of an operation on the journal at `path`.
    pub(super) fn io(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError {
        move |source| JournalError::Io { verb, path: path.to_owned(), source }
    }
}

//! Errors of journals, with help in terms of the commands and their options.

use crate::remedies::shell_word;
use cosette::cube::shortened;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Error of a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// An I/O error.
    #[error("cannot {verb} the journal {}: {source}", path.display())]
    Io {
        verb: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// Another writer: another process, or another part of this one.
    #[error("the journal {} is in use", path.display())]
    Locked { path: PathBuf },
    /// The file is the standard output or error of this process.
    #[error("the journal {} is also the output file", path.display())]
    IsOutput { path: PathBuf },
    /// The file is not a journal of this kind.
    #[error("{} is not a journal of a {kind}", path.display())]
    NotAJournal { path: PathBuf, kind: &'static str },
    /// The journal was written by another version of Cosette.
    #[error("the journal {} has format version {found}, but this program reads version {known}", path.display())]
    Version {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    /// The journal is of another kind.
    #[error("{} is a journal of a {found}, not of a {expected}", path.display())]
    OtherKind {
        path: PathBuf,
        found: String,
        expected: &'static str,
    },
    /// The journal was started with other settings.
    #[error("the journal {} was started with {what} {found}, not {expected}", path.display())]
    Mismatch {
        path: PathBuf,
        what: String,
        found: String,
        expected: String,
    },
    /// The journal has the result of another text.
    #[error("the journal {} is of another list: line {line} was `{was}`, but is now `{now}`", path.display())]
    OtherText {
        path: PathBuf,
        line: usize,
        was: String,
        now: String,
    },
    /// A line has changed since it was written.
    #[error("line {line} of the journal {} is corrupted", path.display())]
    Damaged {
        path: PathBuf,
        line: usize,
        /// Byte offset of the line; everything before it is intact.
        offset: u64,
    },
    /// A line is intact, but its content is wrong.
    #[error("{place} of the journal {} is invalid: {what}", path.display())]
    Invalid {
        path: PathBuf,
        place: String,
        what: String,
    },
}

/// Maximum number of characters of a journal in an error message: more than a position or a
/// solution has.
const MAX_QUOTE: usize = 100;

/// Quotes a text of a journal for an error message.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, MAX_QUOTE)
}

impl JournalError {
    /// Creates the error of a journal at `path` that was started with other settings: `found` in
    /// place of `expected`.
    pub fn mismatch(path: &Path, what: &str, found: &str, expected: &str) -> JournalError {
        let [what, found, expected] = [what, found, expected].map(quoted);
        JournalError::Mismatch {
            path: path.to_owned(),
            what,
            found,
            expected,
        }
    }

    /// Checks that fields agree.
    ///
    /// # Errors
    ///
    /// Returns the first of these fields whose found and expected texts differ.
    pub fn check_same<S: AsRef<str>>(
        path: &Path,
        fields: impl IntoIterator<Item = (impl AsRef<str>, S, S)>,
    ) -> Result<(), JournalError> {
        let differ = |found: &S, expected: &S| found.as_ref() != expected.as_ref();
        match fields
            .into_iter()
            .find(|(_, found, expected)| differ(found, expected))
        {
            Some((what, found, expected)) => Err(JournalError::mismatch(
                path,
                what.as_ref(),
                found.as_ref(),
                expected.as_ref(),
            )),
            None => Ok(()),
        }
    }

    /// Checks that settings by name agree; either side may lack some.
    ///
    /// # Errors
    ///
    /// Returns the first setting that differs.
    pub fn check_same_settings(
        path: &Path,
        [found, expected]: [&BTreeMap<String, String>; 2],
    ) -> Result<(), JournalError> {
        let value = |settings: &BTreeMap<String, String>, name: &String| {
            settings.get(name).map_or("not set".into(), String::clone)
        };
        let names = found.keys().chain(expected.keys());
        JournalError::check_same(
            path,
            names.map(|name| (name, value(found, name), value(expected, name))),
        )
    }

    /// Returns `true` if the disk is full, or the file may not grow.
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match self {
            JournalError::Io { source, .. } => {
                matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
            }
            _ => false,
        }
    }

    /// Returns a constructor of the error of an operation on the journal at `path`.
    pub(crate) fn io(verb: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError {
        move |source| JournalError::Io {
            verb,
            path: path.to_owned(),
            source,
        }
    }

    /// Returns the message, in terms of the commands and their options.
    pub fn worded(&self) -> String {
        match self {
            JournalError::OtherKind {
                path,
                found,
                expected,
            } => {
                format!(
                    "{} is a journal of {}, not of {}",
                    path.display(),
                    command(found),
                    command(expected)
                )
            }
            JournalError::Mismatch {
                path,
                what,
                found,
                expected,
            } => {
                let path = path.display();
                match what.as_str() {
                    "position" => format!("the journal {path} is of another position"),
                    "list" => {
                        format!(
                            "the journal {path} is of another list: {found}, including invalid lines, not {expected}"
                        )
                    }
                    _ => {
                        format!(
                            "the journal {path} was started {}, not {}",
                            option(what, found),
                            option(what, expected)
                        )
                    }
                }
            }
            error => error.to_string(),
        }
    }

    /// Returns the help for the journal of a data set, which is named after its file.
    pub fn remedy_of_dataset(&self) -> Option<String> {
        match self {
            JournalError::Locked { .. } => {
                Some("wait until the other process or call has ended".into())
            }
            JournalError::NotAJournal { .. }
            | JournalError::Version { .. }
            | JournalError::Damaged { .. }
            | JournalError::OtherKind { .. }
            | JournalError::Mismatch { .. }
            | JournalError::OtherText { .. } => {
                Some("delete it, or use another name for the data set".into())
            }
            error => error.remedy(),
        }
    }

    /// Returns the help that explains how to fix the error.
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            JournalError::Io { verb: "open", path, source } if source.kind() == io::ErrorKind::NotFound => {
                match path.parent().is_none_or(|folder| folder.as_os_str().is_empty() || folder.exists()) {
                    true => "use a journal created with --journal".into(),
                    false => "create its folder first, or use a file in another folder".into(),
                }
            }
            JournalError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                "use a file that you can read and write".into()
            }
            error if error.is_full_disk() => {
                "free disk space, then run the same command again to resume".into()
            }
            JournalError::Io { .. } => return None,
            JournalError::OtherKind { .. } => "use another journal".into(),
            JournalError::Locked { .. } => "wait until that process has ended, or use another journal".into(),
            JournalError::IsOutput { .. } => "use another file for one of them".into(),
            JournalError::NotAJournal { .. } => "use a journal created with --journal, or start a new one".into(),
            JournalError::Version { .. } => {
                "resume with the version of the program that created it, or use another journal".into()
            }
            JournalError::Mismatch { what, found, .. } if what == "table" => {
                format!("resume with `--table {found}`, or use another journal")
            }
            JournalError::Mismatch { what, .. } if what == "position" => {
                "use the position of the journal, or another journal".into()
            }
            JournalError::Mismatch { what, .. } if what == "list" => {
                "use the list of the journal, or another journal: an invalid line may be corrected to one position, but not removed or split".into()
            }
            JournalError::OtherText { .. } => "use the list of the journal, or another journal".into(),
            JournalError::Mismatch { .. } => "resume with the options of the journal, or use another journal".into(),
            JournalError::Damaged { path, line: 1, .. } => format!("remove {} and start again", path.display()),
            JournalError::Damaged { path, offset, .. } => {
                let path = shell_word(path);
                format!("truncate it with `truncate -s {offset} {path}`: the rest is then computed again")
            }
            JournalError::Invalid { path, .. } => {
                format!("please report this; remove {} and start again", path.display())
            }
        })
    }
}

/// Returns the command that writes a kind of journal.
fn command(kind: &str) -> &str {
    match kind {
        "batch" => "`cosette batch`",
        "search" => "`cosette solve`",
        "cosets" => "`cosette coset`",
        "dataset" => "`cosette dataset`",
        kind => kind,
    }
}

/// Formats a setting of a journal as an option.
fn option(what: &str, value: &str) -> String {
    match (what, value) {
        ("solutions", "1") => "for one solution".into(),
        ("solutions", "all") => "with --all".into(),
        ("solutions", count) => format!("with -n {count}"),
        (what, "true") => format!("with --{what}"),
        (what, "false" | "none" | "any" | "not set") => format!("without --{what}"),
        (what, value) => format!("with --{what} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_is_refused_says_what_to_do() {
        let path = std::path::PathBuf::from("journal");
        for line in [1, 2, 3] {
            assert!(
                JournalError::Damaged {
                    path: path.clone(),
                    line,
                    offset: 80
                }
                .remedy()
                .is_some()
            );
        }
        let (found, expected) = ("htm-24M".into(), "htm-1.5G".into());
        let other = JournalError::Mismatch {
            path,
            what: "table".into(),
            found,
            expected,
        };
        assert!(other.remedy().unwrap().contains("--table htm-24M"));
        assert!(
            other
                .worded()
                .ends_with("was started with --table htm-24M, not with --table htm-1.5G")
        );
        let other = JournalError::OtherKind {
            path: "journal".into(),
            found: "dataset".into(),
            expected: "batch",
        };
        assert!(
            other
                .worded()
                .ends_with("is a journal of `cosette dataset`, not of `cosette batch`")
        );
    }
}

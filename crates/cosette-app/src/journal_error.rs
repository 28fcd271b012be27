//! Errors of journals: messages, and help in terms of the commands and their options.

use crate::remedies::shell_word;
use crate::units::counted;
use cosette::cube::shortened;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Error of a journal.
#[derive(Debug)]
pub struct JournalError {
    /// The path of the journal.
    pub path: PathBuf,
    /// The expected kind of the journal.
    pub journal: &'static str,
    /// The fault.
    pub kind: JournalErrorKind,
}

/// The fault of a journal.
#[derive(Debug)]
pub enum JournalErrorKind {
    /// An I/O error.
    Io {
        verb: &'static str,
        source: io::Error,
    },
    /// The journal already has a writer, in another process or in this one.
    Locked,
    /// The file is the standard output or error of this process.
    IsOutput,
    /// The file is not a journal of this kind.
    NotAJournal,
    /// The journal was written by another version of Cosette.
    Version { found: u32, known: u32 },
    /// The journal is of another kind.
    OtherKind { found: String },
    /// The journal was started with other settings.
    Mismatch {
        setting: String,
        found: String,
        expected: String,
    },
    /// The journal has a result for another text on this line of the list.
    OtherText {
        line: usize,
        was: String,
        now: String,
    },
    /// A line has changed since it was written.
    Damaged {
        line: usize,
        /// Byte offset of the line; everything before it is intact.
        offset: u64,
    },
    /// A line is intact, but its content is wrong.
    Invalid { place: String, what: String },
}

impl JournalErrorKind {
    /// Returns a constructor of the error of an I/O operation.
    pub(crate) fn io(verb: &'static str) -> impl Fn(io::Error) -> JournalErrorKind {
        move |source| JournalErrorKind::Io { verb, source }
    }
}

/// Maximum number of characters that an error message quotes from a journal: more than a position
/// or a solution has.
const MAX_QUOTE: usize = 100;

/// Quotes a text of a journal for an error message.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, MAX_QUOTE)
}

impl std::error::Error for JournalError {}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl JournalError {
    /// Returns `true` if the disk is full, or the file may not grow.
    pub fn is_full_disk(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        match &self.kind {
            JournalErrorKind::Io { source, .. } => {
                matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge)
            }
            _ => false,
        }
    }

    fn message(&self) -> String {
        let path = self.path.display();
        match &self.kind {
            JournalErrorKind::Io { verb, source } => {
                format!("cannot {verb} the journal {path}: {source}")
            }
            JournalErrorKind::Locked => format!("the journal {path} is in use"),
            JournalErrorKind::IsOutput => format!("the journal {path} is also the output file"),
            JournalErrorKind::NotAJournal => {
                format!("{path} is not a journal of {}", noun(self.journal))
            }
            JournalErrorKind::Version { found, known } => format!(
                "the journal {path} has format version {found}, but this program reads version \
                    {known}"
            ),
            JournalErrorKind::OtherKind { found } => {
                let expected = noun(self.journal);
                format!("{path} is a journal of {}, not of {expected}", noun(found))
            }
            JournalErrorKind::Mismatch {
                setting,
                found,
                expected,
            } => format!("the journal {path} {}", mismatch(setting, found, expected)),
            JournalErrorKind::OtherText { line, was, now } => format!(
                "the journal {path} is of another list: line {line} was `{was}`, but is now `{now}`"
            ),
            JournalErrorKind::Damaged { line, .. } => {
                format!("line {line} of the journal {path} is corrupted")
            }
            JournalErrorKind::Invalid { place, what } => {
                format!("{place} of the journal {path} is invalid: {what}")
            }
        }
    }

    /// Returns the help that explains how to fix the error.
    pub fn help(&self) -> Option<String> {
        let path = self.path.display();
        // The user of a data set has named its file; the journal is beside it.
        let is_of_dataset = self.journal == "dataset";
        let help = match &self.kind {
            JournalErrorKind::Io { verb, source } => return self.help_of_io(verb, source),
            JournalErrorKind::Locked if is_of_dataset => {
                "wait until the other process or call has ended"
            }
            JournalErrorKind::Mismatch { .. } if is_of_dataset => {
                "use the same arguments again, delete it, or use another name for the data set"
            }
            JournalErrorKind::NotAJournal
            | JournalErrorKind::Version { .. }
            | JournalErrorKind::OtherKind { .. }
            | JournalErrorKind::Damaged { .. }
                if is_of_dataset =>
            {
                "delete it, or use another name for the data set"
            }
            JournalErrorKind::Locked => "wait until that process has ended, or use another journal",
            JournalErrorKind::IsOutput => "use another file for one of them",
            JournalErrorKind::NotAJournal => {
                "use a journal created with --journal, or start a new one"
            }
            JournalErrorKind::Version { .. } => {
                "resume with the version of the program that created it, or use another journal"
            }
            JournalErrorKind::OtherKind { .. } => "use another journal",
            JournalErrorKind::Mismatch { setting, found, .. } => {
                return Some(help_of_mismatch(setting, found));
            }
            JournalErrorKind::OtherText { .. } => "use the list of the journal, or another journal",
            JournalErrorKind::Damaged { line: 1, .. } => {
                return Some(format!("remove {path} and start again"));
            }
            JournalErrorKind::Damaged { offset, .. } => {
                let path = shell_word(&self.path);
                return Some(format!(
                    "truncate it with `truncate -s {offset} {path}`: the rest is then computed \
                        again"
                ));
            }
            JournalErrorKind::Invalid { .. } => {
                return Some(format!("please report this; remove {path} and start again"));
            }
        };
        Some(help.to_owned())
    }

    fn help_of_io(&self, verb: &str, source: &io::Error) -> Option<String> {
        let folder = self.path.parent();
        let has_folder =
            folder.is_none_or(|folder| folder.as_os_str().is_empty() || folder.exists());
        let help = match source.kind() {
            io::ErrorKind::NotFound if verb == "open" && has_folder => {
                "use a journal created with --journal"
            }
            io::ErrorKind::NotFound if verb == "open" => {
                "create its folder first, or use a file in another folder"
            }
            io::ErrorKind::PermissionDenied => "use a file that you can read and write",
            _ if self.is_full_disk() => {
                "free disk space, then run the same command again to resume"
            }
            _ => return None,
        };
        Some(help.to_owned())
    }
}

/// Returns the mismatch of a setting, as the predicate of a sentence about the journal.
fn mismatch(setting: &str, found: &str, expected: &str) -> String {
    match setting {
        "position" => "is of another position".to_owned(),
        "positions" => "is of other positions".to_owned(),
        "search" => format!("is of another search: {found}, not {expected}"),
        "list" => format!(
            "is of another list: of {}, including invalid lines, not of {}",
            list_length(found),
            list_length(expected)
        ),
        _ => format!(
            "was started {}, not {}",
            option(setting, found),
            option(setting, expected)
        ),
    }
}

/// Returns the help for the mismatch of a setting.
fn help_of_mismatch(setting: &str, found: &str) -> String {
    let help = match setting {
        "search" => return "use another journal".to_owned(),
        "table" => return format!("resume with `--table {found}`, or use another journal"),
        "position" => "use the position of the journal, or another journal",
        "positions" => "use the positions of the journal, or another journal",
        "list" => {
            "use the list of the journal, or another journal: an invalid line may be corrected to \
                one position, but not removed or split"
        }
        _ => "resume with the options of the journal, or use another journal",
    };
    help.to_owned()
}

/// Formats the setting `list` of a journal, the number of its positions: `3 positions`.
pub fn list_length(count: &str) -> String {
    counted(count.parse().unwrap_or_default(), "position")
}

/// Returns the content of a kind of journal, such as `a batch`.
fn noun(kind: &str) -> String {
    match kind {
        "cosets" => "cosets".into(),
        "dataset" => "a data set".into(),
        kind => format!("a {kind}"),
    }
}

/// Formats a setting of a journal as an option of the commands, such as `with --all`.
fn option(setting: &str, value: &str) -> String {
    match (setting, value) {
        ("solutions", "1") => "for one solution".into(),
        ("solutions", "all") => "with --all".into(),
        ("solutions", count) => format!("with -n {count}"),
        (option, "true") => format!("with --{option}"),
        (option, "false" | "none" | "any" | "not set") => format!("without --{option}"),
        (option, value) => format!("with --{option} {value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(journal: &'static str, kind: JournalErrorKind) -> JournalError {
        JournalError {
            path: "journal".into(),
            journal,
            kind,
        }
    }

    #[test]
    fn errors_have_messages_and_help() {
        for line in [1, 2, 3] {
            let damaged = error("batch", JournalErrorKind::Damaged { line, offset: 80 });
            assert!(damaged.help().is_some());
        }
        let other_table = JournalErrorKind::Mismatch {
            setting: "table".into(),
            found: "htm-24M".into(),
            expected: "htm-1.5G".into(),
        };
        let other_kind = JournalErrorKind::OtherKind {
            found: "dataset".into(),
        };
        for (error, message, help) in [
            (
                error("search", other_table),
                "was started with --table htm-24M, not with --table htm-1.5G",
                "resume with `--table htm-24M`, or use another journal",
            ),
            (
                error("batch", other_kind),
                "is a journal of a data set, not of a batch",
                "use another journal",
            ),
            (
                error("dataset", JournalErrorKind::Locked),
                "is in use",
                "wait until the other process or call has ended",
            ),
        ] {
            assert!(error.to_string().ends_with(message), "{error}");
            assert_eq!(error.help().as_deref(), Some(help));
        }
    }
}

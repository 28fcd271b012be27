//! Errors, with their remedies.

use cosette::Remedy;
use cosette::block_file::FileError;
use cosette::control::SpawnError;
use cosette::cube::ParseError;
use cosette::table::TableError;
use cosette_app::journal::{JournalError, JournalErrorKind};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error of an experiment of the lab.
///
/// Long work ends with [`LabError::Cancelled`] when it is cancelled, and fails if memory, threads,
/// a table or a file is unavailable. Functions that can fail in other ways document it.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// A table could not be generated, saved or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file of a stored space or of its index could not be written or read.
    #[error(transparent)]
    File(FileError),
    /// The work was cancelled.
    #[error("stopped")]
    Cancelled,
    /// A file of instances is empty.
    #[error("{path} contains no positions")]
    NoInstances { path: PathBuf },
    /// A line of a file of instances is not a position.
    #[error("{path}, line {line}: {}", source.message())]
    InvalidInstance {
        path: PathBuf,
        line: usize,
        source: ParseError,
    },
    /// The journal of a long search cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file in the folder of results is not a file of results.
    #[error("{path} does not contain results of a long run")]
    NotResults { path: PathBuf },
    /// The results are of other positions.
    #[error("the results in {path} are for other positions")]
    OtherPositions { path: PathBuf },
    /// An I/O error.
    #[error("cannot {action} {path}: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl From<SpawnError> for LabError {
    fn from(refused: SpawnError) -> LabError {
        TableError::from(refused).into()
    }
}

impl From<FileError> for LabError {
    fn from(error: FileError) -> LabError {
        match error {
            FileError::Cancelled => LabError::Cancelled,
            FileError::Threads(refused) => refused.into(),
            FileError::NotFound { path } => LabError::Io {
                action: "open",
                path,
                source: io::ErrorKind::NotFound.into(),
            },
            error => LabError::File(error),
        }
    }
}

/// The remedy of an error, as data. `Display` words it for users of the library; the commands name
/// their options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabRemedy {
    /// A remedy that also applies to tables.
    Table(Remedy),
    /// Remove this file of a stored space or of its index and repeat the command, which builds it.
    RemoveAndRepeat(PathBuf),
    /// Advice in words.
    Advice(String),
}

impl fmt::Display for LabRemedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabRemedy::Table(remedy) => remedy.fmt(f),
            LabRemedy::RemoveAndRepeat(path) => {
                write!(
                    f,
                    "remove {} and run the same command again to build a new one",
                    path.display()
                )
            }
            LabRemedy::Advice(advice) => f.write_str(advice),
        }
    }
}

impl LabError {
    /// Creates an I/O error from the action and the path.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LabError {
        let path = path.to_owned();
        move |source| LabError::Io {
            action,
            path,
            source,
        }
    }

    /// Returns `true` if the work stopped because of a cancellation.
    pub fn is_cancellation(&self) -> bool {
        match self {
            LabError::Cancelled => true,
            LabError::Table(error) => error.is_cancellation(),
            _ => false,
        }
    }

    /// Returns the remedy, if there is one.
    pub fn remedy(&self) -> Option<LabRemedy> {
        use io::ErrorKind::{FileTooLarge, NotFound, QuotaExceeded, StorageFull};
        let advice = |text: &str| LabRemedy::Advice(text.to_owned());
        Some(match self {
            LabError::Table(error) => LabRemedy::Table(error.remedy()?),
            // No command generates stored spaces and their indices: they are built on demand.
            LabError::File(error) => match (error.remedy()?, error.path()) {
                (Remedy::MoveAwayAndGenerate(_) | Remedy::GenerateAgain(_), Some(path)) => {
                    LabRemedy::RemoveAndRepeat(path.to_owned())
                }
                (remedy, _) => LabRemedy::Table(remedy),
            },
            LabError::NoInstances { .. } => {
                advice("write one position per line, as for `cosette solve`")
            }
            LabError::InvalidInstance { source, .. } => LabRemedy::Advice(source.help()),
            LabError::Journal(error) if error.is_full_disk() => {
                LabRemedy::Table(Remedy::FreeDiskSpace)
            }
            LabError::Journal(error) => match error.kind {
                JournalErrorKind::Io { .. } | JournalErrorKind::Locked => return None,
                _ => advice("use another journal"),
            },
            LabError::NotResults { .. } | LabError::OtherPositions { .. } => {
                advice("use another results folder")
            }
            LabError::Io { action, source, .. } => match source.kind() {
                NotFound if *action == "read" => {
                    advice("check the name: the file must exist and be readable")
                }
                StorageFull | QuotaExceeded | FileTooLarge => {
                    LabRemedy::Table(Remedy::FreeDiskSpace)
                }
                _ => return None,
            },
            LabError::Cancelled => return None,
        })
    }
}

/// Errors as the commands report them, with the names of their options.
mod cli {
    use super::{LabError, LabRemedy};
    use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
    use cosette_app::remedies::{Audience, worded};

    impl From<LabError> for Failure {
        fn from(error: LabError) -> Failure {
            let exit = match error {
                LabError::Journal(error) => return error.into(),
                LabError::InvalidInstance { .. } => Exit::NotACube,
                _ if error.is_cancellation() => Exit::Interrupted,
                _ => Exit::Error,
            };
            let help = error.remedy().map(|remedy| match remedy {
                // The tables of the lab have commands of their own.
                LabRemedy::Table(remedy) => worded(&remedy, Audience::Command)
                    .replace("cosette tables", "cosette-lab tables"),
                remedy => remedy.to_string(),
            });
            Failure::Other(ErrorReport {
                message: error.to_string(),
                help,
                exit,
            })
        }
    }
}

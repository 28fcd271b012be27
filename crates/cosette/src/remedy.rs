//! Suggested fixes for errors, as data, so that each front end can phrase them for its users.

use std::fmt;
use std::path::{Path, PathBuf};

/// A table and the folder that its file is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// The name of the table, such as `htm-190M`.
    pub name: String,
    /// The folder; `None` if the table has no file.
    pub folder: Option<PathBuf>,
}

impl TableFile {
    /// Returns the table in the file of this path; `None` if the file name is not that of a table.
    pub(crate) fn at(path: &Path) -> Option<TableFile> {
        let name = path
            .file_name()?
            .to_str()?
            .strip_suffix(".table")?
            .to_owned();
        Some(TableFile {
            name,
            folder: path.parent().map(Path::to_owned),
        })
    }
}

/// A suggested fix for an error. `Display` phrases it for users of the library; the command-line
/// tool and the web app refer to their options and buttons instead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remedy {
    /// Ask for fewer threads.
    UseFewerThreads,
    /// Generate the table of this name; `None` if the file name is not that of a table.
    GenerateTable(Option<TableFile>),
    /// Move away the file, which is not this table, then generate the table.
    MoveAwayAndGenerate(Option<TableFile>),
    /// Remove the table of this name and generate it again.
    GenerateAgain(Option<TableFile>),
    /// Choose a smaller table.
    ChooseSmallerTable,
    /// Allow more memory, or choose a smaller table.
    AllowMoreMemory,
    /// Allow more memory: no table is smaller.
    AllowEnoughMemory,
    /// Free memory, or raise the limits of the process: no table is smaller.
    FreeMemory,
    /// Raise the limits of the process on threads, memory and file sizes; using fewer threads does
    /// not help.
    RaiseLimits,
    /// Make a file readable, or choose another folder.
    MakeReadable,
    /// Free disk space, or choose another folder.
    FreeDiskSpace,
    /// Choose a folder that can be written to.
    ChooseWritableFolder,
    /// Name a folder for tables.
    NameFolder,
    /// Generate the table of this name again, which continues where it stopped, or remove the
    /// partial file.
    ContinueGeneration(TableFile),
    /// Wait until another process has generated the table, or stop that process.
    WaitForGeneration,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let described = |table: &Option<TableFile>| {
            table.as_ref().map_or("the table".to_owned(), |table| {
                format!("the table {}", table.name)
            })
        };
        match self {
            Remedy::UseFewerThreads => f.write_str("use fewer threads"),
            Remedy::GenerateTable(table) => write!(f, "generate {}", described(table)),
            Remedy::MoveAwayAndGenerate(table) => {
                write!(f, "move that file away, then generate {}", described(table))
            }
            Remedy::GenerateAgain(table) => {
                write!(f, "remove {} and generate it again", described(table))
            }
            Remedy::ChooseSmallerTable => f.write_str("choose a smaller table"),
            Remedy::AllowMoreMemory => f.write_str("allow more memory, or choose a smaller table"),
            Remedy::AllowEnoughMemory => {
                f.write_str("allow more memory; this is the smallest table")
            }
            Remedy::FreeMemory => f.write_str("free memory, or raise the limits of this process"),
            Remedy::RaiseLimits => {
                f.write_str("raise the limits of this process on threads, memory and file sizes")
            }
            Remedy::MakeReadable => f.write_str("make the file readable, or choose another folder"),
            Remedy::FreeDiskSpace => f.write_str("free disk space, or choose another folder"),
            Remedy::ChooseWritableFolder => f.write_str("choose a writable folder"),
            Remedy::NameFolder => f.write_str("specify a folder for the tables"),
            Remedy::ContinueGeneration(TableFile { name, .. }) => {
                write!(
                    f,
                    "generate {name} again to resume, or remove the partial file"
                )
            }
            Remedy::WaitForGeneration => {
                f.write_str("wait until it has finished, or stop it: the finished part is kept")
            }
        }
    }
}

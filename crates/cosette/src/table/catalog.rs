//! The catalog of tables: sizes that double, in either metric; the errors of tables, and their
//! remedies.

use super::line::{ENTRIES_PER_LINE, LEVELS, LOW_LEVELS, Line};
use crate::block_file::FileError;
use crate::control::{Progress, SpawnError};
use crate::coord::{CornerClasses, Layout, PLACEMENTS};
use crate::cube::{Metric, quoted};
use crate::remedy::{Remedy, TableFile};
use std::convert::Infallible;
use std::fmt;
use std::panic::RefUnwindSafe;
use std::path::PathBuf;
use std::str::FromStr;

/// The size of a table. There are ten, each twice as large as the one before.
///
/// A larger table makes searches faster: each doubling about halves the nodes, and up to 2 GB also
/// the time. A table takes the same space on disk and in memory.
///
/// | use | size |
/// |---|---|
/// | a position now and then | 190M |
/// | many random positions | 1.5G |
/// | plenty of memory | 3G, 6G, 12G |
/// | little memory | 94M, 47M, 24M |
///
/// [`Solver::open`](crate::Solver::open) has the times to generate and to load a table. With two
/// threads, a random position takes about ten seconds with 190M and one second with 1.5G.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableSize {
    kept_flips: u8,
}

/// The error for an unknown table name. Holds at most the first 40 characters of the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown table {0:?}; the tables, with the prefix `qtm-` for the quarter-turn metric, are \
    {names}",
    names = TableSize::ALL.map(TableSize::name).join(", "),
)]
pub struct UnknownTable(pub String);

impl TableSize {
    /// The sizes, from 24 MB to 12 GB.
    pub const ALL: [TableSize; 10] = {
        let mut all = [TableSize { kept_flips: 0 }; 10];
        let mut i = 0;
        while i < all.len() {
            all[i].kept_flips = i as u8;
            i += 1;
        }
        all
    };

    /// Returns the name, which is the size in decimal units: 24M, 47M, 94M, 190M, 375M, 750M, 1.5G,
    /// 3G, 6G, 12G.
    pub const fn name(self) -> &'static str {
        [
            "24M", "47M", "94M", "190M", "375M", "750M", "1.5G", "3G", "6G", "12G",
        ][self.kept_flips as usize]
    }

    /// Returns the number of edge flips in the coordinate, 0 to 9.
    pub const fn kept_flips(self) -> u32 {
        self.kept_flips as u32
    }

    /// Returns the number of entries of a class of corner paintings.
    pub const fn entries_per_class(self) -> usize {
        PLACEMENTS << self.kept_flips
    }

    /// Returns the number of lines of a class; each class starts on a new line.
    pub(crate) const fn lines_per_class(self) -> usize {
        self.layout().lines_per_class as usize
    }

    pub(crate) const fn layout(self) -> Layout {
        Layout::new(self.kept_flips())
    }

    /// Returns the number of lines of the table.
    pub(crate) const fn lines(self) -> usize {
        CornerClasses::COUNT * self.lines_per_class()
    }

    /// Returns the size of the table in memory, in bytes.
    pub const fn bytes(self) -> u64 {
        self.lines() as u64 * size_of::<Line>() as u64
    }
}

impl fmt::Display for TableSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for TableSize {
    type Err = UnknownTable;
    fn from_str(name: &str) -> Result<TableSize, UnknownTable> {
        let has_name = |size: &TableSize| size.name().eq_ignore_ascii_case(name);
        TableSize::ALL
            .into_iter()
            .find(has_name)
            .ok_or_else(|| UnknownTable(quoted(name)))
    }
}

/// The identity of a table: its metric and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId {
    /// The metric of its distances.
    pub metric: Metric,
    /// Its size.
    pub size: TableSize,
}

impl TableId {
    /// Returns all tables, by metric and then by size.
    pub fn all() -> impl Iterator<Item = TableId> {
        Metric::ALL
            .into_iter()
            .flat_map(|metric| TableSize::ALL.map(|size| TableId { metric, size }))
    }

    /// Returns `true` if entries with this distribution can be read as these numbers of each level
    /// ([`Line::level_counts`]). An entry is never read as a higher level; and of the entries from
    /// each of the highest three levels on, at most an eighth are read as lower levels. The slots
    /// that pad the last line of a class have the highest level.
    pub(super) fn may_be_read_as(self, levels: [u64; LEVELS], distribution: &Distribution) -> bool {
        let lowest = usize::from(self.base_value() - LOW_LEVELS);
        let entries = self.size.entries_per_class() as u64 * CornerClasses::COUNT as u64;
        let padding = (self.size.lines() * ENTRIES_PER_LINE) as u64 - entries;
        let sum = |counts: &[u64]| counts.iter().fold(0, |sum: u64, &n| sum.saturating_add(n));
        sum(distribution) == entries
            && (1..LEVELS).all(|level| {
                let read_count = sum(&levels[level..]);
                let true_count = sum(&distribution[lowest + level..]).saturating_add(padding);
                read_count <= true_count
                    && (level < LEVELS - 3 || read_count >= true_count - true_count / 8)
            })
    }

    /// Returns the base value: most entries are at least this, and values from base + 3 on are not
    /// distinguished.
    ///
    /// The mean bound of random positions lies near base + 2. With a base of 8, htm-24M takes four
    /// times as long to generate, and searches have 3 % more nodes; with a base of 7 for htm-47M,
    /// they have 14 % more.
    pub(crate) const fn base_value(self) -> u8 {
        match (self.metric, self.size.kept_flips) {
            (Metric::Htm, 0) => 7,
            (Metric::Htm, 1..=3) => 8,
            (Metric::Htm, 4..=6) => 9,
            (Metric::Htm, _) => 10,
            (Metric::Qtm, 0..=2) => 10,
            (Metric::Qtm, 3..=6) => 11,
            (Metric::Qtm, _) => 12,
        }
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.metric, self.size)
    }
}

/// Parses `htm-190M`, or `190M` for a table of the half-turn metric, in letters of either case.
impl FromStr for TableId {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<TableId, UnknownTable> {
        let unknown = || UnknownTable(quoted(name));
        let (metric, size) = match name.split_once('-') {
            Some((metric, size)) => (
                metric.to_ascii_lowercase().parse().map_err(|_| unknown())?,
                size,
            ),
            None => (Metric::Htm, name),
        };
        Ok(TableId {
            metric,
            size: size.parse().map_err(|_| unknown())?,
        })
    }
}

impl TryFrom<&str> for TableId {
    type Error = UnknownTable;

    fn try_from(name: &str) -> Result<TableId, UnknownTable> {
        name.parse()
    }
}

/// Allows a [`TableId`] where a name is accepted; its conversion never fails.
impl From<Infallible> for UnknownTable {
    fn from(never: Infallible) -> UnknownTable {
        match never {}
    }
}

/// Serializes the name.
#[cfg(feature = "serde")]
impl serde::Serialize for TableId {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for TableId {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<TableId, D::Error> {
        <std::borrow::Cow<'de, str>>::deserialize(from)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Number of entries with each value; the last one counts all values from base + 3 on.
pub type Distribution = [u64; 32];

/// Formats a needed size in bytes: in MB, or in GB from one GB on, rounded up.
pub(super) fn rounded_up(bytes: u64) -> String {
    size_text(|unit| bytes.div_ceil(unit))
}

/// Formats an available size in bytes: in MB, or in GB from one GB on, rounded down.
pub(super) fn rounded_down(bytes: u64) -> String {
    size_text(|unit| bytes / unit)
}

fn size_text(rounded: impl Fn(u64) -> u64) -> String {
    match rounded(1_000_000) {
        megabytes if megabytes < 1000 => format!("{megabytes} MB"),
        _ => format!("{:.2} GB", rounded(10_000_000) as f64 / 100.0),
    }
}

/// Returns the reason for too little memory: the available amount, unless that would suffice and
/// the system refused it all the same.
fn why_too_little(needed: u64, available: u64) -> String {
    if available < needed {
        format!("but only {} are available", rounded_down(available))
    } else {
        "but the system refuses to allocate it".to_owned()
    }
}

/// An error while generating, storing or using a table.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum TableError {
    /// The file of the table is invalid, or could not be read or written.
    #[error(transparent)]
    File(FileError),
    /// All checksums agree, but the numbers of entries with each value differ from those in the
    /// header.
    #[error("the entries of {path} do not match the counts in its header")]
    WrongCounts { path: PathBuf },
    /// The table does not fit in memory.
    #[error(
        "the table needs {} of memory, {}",
        rounded_up(*needed),
        why_too_little(*needed, *available),
    )]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] SpawnError),
    /// The work was cancelled or timed out.
    #[error("stopped before the table was ready")]
    Cancelled,
    /// Generation was cancelled or timed out; the generated part is kept, in a partial file if
    /// there is a folder.
    #[error("stopped with {} % of {id} generated", progress.percent())]
    Stopped {
        id: TableId,
        folder: Option<PathBuf>,
        progress: Progress,
    },
}

// An error does not change after it was created. `Solver` keeps some, and its searches may run in
// `catch_unwind`.
impl RefUnwindSafe for TableError {}

impl From<FileError> for TableError {
    fn from(error: FileError) -> TableError {
        match error {
            FileError::Cancelled => TableError::Cancelled,
            FileError::Threads(refused) => refused.into(),
            error => TableError::File(error),
        }
    }
}

impl TableError {
    /// Returns `true` if the file does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(
            self,
            TableError::File(FileError::NotFound { .. } | FileError::NothingToRemove { .. })
        )
    }

    /// Returns `true` if the work was cancelled or timed out.
    pub fn is_cancellation(&self) -> bool {
        matches!(self, TableError::Cancelled | TableError::Stopped { .. })
    }

    /// Returns `true` if the file at the path of a table is not that table. It may be a file of the
    /// user's own, so solvers that generate missing tables do not replace it.
    pub fn is_other_file(&self) -> bool {
        matches!(
            self,
            TableError::File(FileError::OtherFormat { .. } | FileError::OtherContents { .. })
        )
    }

    /// Returns `true` if the file is corrupted, of another version, or not that table.
    pub fn is_fault_of_file(&self) -> bool {
        matches!(
            self.remedy(),
            Some(Remedy::GenerateAgain(_) | Remedy::MoveAwayAndGenerate(_))
        )
    }

    /// Returns `true` if the file cannot be read, because of its permissions or a failing disk.
    pub fn is_unreadable(&self) -> bool {
        matches!(
            self,
            TableError::File(FileError::Io {
                action: "open" | "read",
                ..
            })
        )
    }

    /// Returns `true` if there is not enough memory for the table.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, TableError::TooLittleMemory { .. })
    }

    /// Returns a remedy; `None` if there is nothing to suggest.
    pub fn remedy(&self) -> Option<Remedy> {
        use TableError::*;
        Some(match self {
            File(error) => return error.remedy(),
            Threads(refused) => refused.remedy(),
            WrongCounts { path } => Remedy::GenerateAgain(TableFile::at(path)),
            TooLittleMemory { needed, .. } if *needed <= TableSize::ALL[0].bytes() => {
                Remedy::FreeMemory
            }
            TooLittleMemory { .. } => Remedy::ChooseSmallerTable,
            Stopped { id, folder, .. } => Remedy::ContinueGeneration(TableFile {
                name: id.to_string(),
                folder: folder.clone(),
            }),
            Cancelled => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_explained() {
        let needed = 2_000_000_001;
        for (available, reason) in [
            (1_999_999_999, "only 1.99 GB are available"),
            (3_000_000_000, "the system refuses to allocate it"),
        ] {
            let error = TableError::TooLittleMemory { needed, available };
            let message = format!("the table needs 2.01 GB of memory, but {reason}");
            assert_eq!(error.to_string(), message);
        }
    }

    #[test]
    fn a_long_unknown_name_is_quoted_in_part() {
        let long = "190M".repeat(1000);
        let table_error = long.parse::<TableId>().unwrap_err();
        let size_error = long.parse::<TableSize>().unwrap_err();
        for message in [table_error.to_string(), size_error.to_string()] {
            assert!(
                message.contains("\"190M") && message.len() < 200,
                "{message}"
            );
        }
    }
}

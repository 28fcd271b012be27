//! The family of tables: sizes that double, in either metric.

use super::line::{ENTRIES_PER_LINE, LEVELS, LOW_LEVELS, Line};
use crate::coord::{CornerClasses, Layout, PLACEMENTS};
use crate::cube::{Metric, quoted};
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// How large a table is, by the flips its coordinate keeps (`coord`): each one kept doubles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableSize {
    kept_flips: u8,
}

/// No table has this name, of which at most 40 characters are kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no table {0:?}{successor}; the tables are {names}", successor = successor(.0), names = names())]
pub struct UnknownTable(pub String);

fn names() -> String {
    TableSize::ALL.map(|size| size.name()).join(", ")
}

/// What became of a table of the first format, which had two bits for each entry.
fn successor(name: &str) -> String {
    let former = ["30M", "60M", "120M", "240M", "480M", "1G", "2G", "4G", "8G", "16G"];
    let (metric, size) = name.split_once('-').map_or(("htm", name), |(metric, size)| (metric, size));
    let successor = former.iter().position(|former| former.eq_ignore_ascii_case(size)).map(|i| TableSize::ALL[i]);
    successor.map_or(String::new(), |successor| {
        format!(
            " any more: generate {metric}-{successor}, which knows the same, and delete the file {metric}-{size}.table"
        )
    })
}

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

    /// The name, which says the size in decimal units: 24M, 47M, 94M, 190M, 375M, 750M, 1.5G, 3G, 6G, 12G.
    pub const fn name(self) -> &'static str {
        ["24M", "47M", "94M", "190M", "375M", "750M", "1.5G", "3G", "6G", "12G"][self.kept_flips as usize]
    }

    /// How many flips of edges the coordinate keeps, 0 to 9.
    pub const fn kept_flips(self) -> u32 {
        self.kept_flips as u32
    }

    /// How many entries a class of corner paintings has.
    pub const fn entries_per_class(self) -> usize {
        PLACEMENTS << self.kept_flips
    }

    /// How many lines a class takes; each class starts on a new line.
    pub const fn lines_per_class(self) -> usize {
        self.layout().lines_per_class as usize
    }

    pub(crate) const fn layout(self) -> Layout {
        Layout::new(self.kept_flips())
    }

    /// How many lines the table has.
    pub const fn lines(self) -> usize {
        CornerClasses::COUNT * self.lines_per_class()
    }

    /// The size of the table in memory, in bytes.
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
        let same = |size: &TableSize| size.name().eq_ignore_ascii_case(name);
        TableSize::ALL.into_iter().find(same).ok_or_else(|| UnknownTable(quoted(name)))
    }
}

/// Which table: its metric and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId {
    /// The metric of its distances.
    pub metric: Metric,
    /// Its size.
    pub size: TableSize,
}

impl TableId {
    /// All tables, by metric and then by size.
    pub fn all() -> impl Iterator<Item = TableId> {
        Metric::ALL.into_iter().flat_map(|metric| TableSize::ALL.map(|size| TableId { metric, size }))
    }

    /// Whether a table with this distribution can be read as these numbers of each level ([`Line::level_counts`]): an entry is
    /// never read as a higher level, and few of the highest three are read as lower ones. The slots that pad a class's last line
    /// have the highest.
    pub(super) fn may_be_read_as(self, levels: [u64; LEVELS], distribution: &Distribution) -> bool {
        let lowest = usize::from(self.base_value() - LOW_LEVELS);
        let entries = self.size.entries_per_class() as u64 * CornerClasses::COUNT as u64;
        let padding = (self.size.lines() * ENTRIES_PER_LINE) as u64 - entries;
        let counted = distribution.iter().fold(0u64, |sum, &n| sum.saturating_add(n));
        counted == entries
            && (1..LEVELS).all(|level| {
                let read: u64 = levels[level..].iter().sum();
                let true_ones = distribution[lowest + level..].iter().fold(padding, |sum, &n| sum.saturating_add(n));
                read <= true_ones && (level < LEVELS - 3 || read >= true_ones - true_ones / 8)
            })
    }

    /// The base value: most entries are at least this, and those of three more are not told apart from higher ones.
    ///
    /// The mean bound of random positions lies near base + 2.
    pub const fn base_value(self) -> u8 {
        match (self.metric, self.size.kept_flips) {
            (Metric::Htm, 0..=3) => 8,
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

/// Reads `htm-190M`, or `190M` for a table of the half-turn metric.
impl FromStr for TableId {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<TableId, UnknownTable> {
        let unknown = || UnknownTable(quoted(name));
        let (metric, size) = match name.split_once('-') {
            Some((metric, size)) => (metric.parse().map_err(|_| unknown())?, size),
            None => (Metric::Htm, name),
        };
        Ok(TableId { metric, size: size.parse().map_err(|_| unknown())? })
    }
}

impl TryFrom<&str> for TableId {
    type Error = UnknownTable;

    fn try_from(name: &str) -> Result<TableId, UnknownTable> {
        name.parse()
    }
}

/// A [`TableId`] is always known.
impl From<Infallible> for UnknownTable {
    fn from(never: Infallible) -> UnknownTable {
        match never {}
    }
}

/// As its name.
#[cfg(feature = "serde")]
impl serde::Serialize for TableId {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for TableId {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<TableId, D::Error> {
        <std::borrow::Cow<'de, str>>::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// How many entries have each value; the last one stands for all values from base + 3 on.
pub type Distribution = [u64; 32];

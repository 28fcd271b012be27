//! Options that several subcommands share.

use crate::failure::Failure;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cosette::cube::{Format, Metric};
use cosette::table::{TableFolder, TableId, TableSize, UnknownTable};
use etcetera::BaseStrategy;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Where the tables are.
#[derive(Args)]
pub struct FolderArgs {
    /// The folder of the tables [default: `cosette` in the user's cache folder]
    #[arg(long = "tables", value_name = "DIR", env = "COSETTE_TABLES", hide_env_values = true)]
    path: Option<PathBuf>,
}

impl FolderArgs {
    /// The folder.
    pub fn folder(&self) -> Result<TableFolder, Failure> {
        let in_cache = || {
            let user = etcetera::choose_base_strategy().map_err(|_| Failure::NoCacheFolder)?;
            Ok(user.cache_dir().join("cosette"))
        };
        self.path.clone().map_or_else(in_cache, Ok).map(TableFolder::new)
    }
}

/// How many threads work.
#[derive(Args)]
pub struct ThreadArgs {
    /// How many threads work [default: all that the machine runs at once]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadArgs {
    /// The number of threads.
    pub fn count(&self) -> NonZeroUsize {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.threads.unwrap_or_else(all)
    }
}

/// What is counted.
#[derive(Args)]
pub struct MetricArgs {
    /// What counts as one move: any turn of a face (htm) or a quarter of a turn (qtm) [default: htm]
    #[arg(long, value_parser = PossibleValuesParser::new(Metric::ALL.map(Metric::name)).map(|name| metric_named(&name)))]
    metric: Option<Metric>,
}

impl MetricArgs {
    /// The metric, where a table that is named may say it too. Ends the command where they contradict each other.
    pub fn with(&self, table: Option<TableName>) -> Metric {
        match (self.metric, table.and_then(|name| name.metric)) {
            (Some(asked), Some(of_table)) if asked != of_table => {
                let message = format!("the table is one of {of_table}, and --metric asks for {asked}");
                usage(&message)
            }
            (asked, of_table) => asked.or(of_table).unwrap_or_default(),
        }
    }

    /// The metric, where one is asked for.
    pub fn asked(&self) -> Option<Metric> {
        self.metric
    }
}

/// Ends the command because its arguments do not go together.
pub fn usage(message: &str) -> ! {
    use clap::CommandFactory;
    crate::Cosette::command().error(clap::error::ErrorKind::ArgumentConflict, message).exit()
}

fn metric_named(name: &str) -> Metric {
    Metric::ALL.into_iter().find(|metric| metric.name() == name).expect("the parser knows the names")
}

/// Reads a format of positions; an option's `value_parser`.
pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse().expect("the parser knows the names"))
}

/// A table by its size, `240M`, or by its whole name, `htm-240M`.
#[derive(Clone, Copy, Debug)]
pub struct TableName {
    metric: Option<Metric>,
    /// The size.
    pub size: TableSize,
}

impl TableName {
    /// The table, in the metric of its name or else this one.
    pub fn id(self, metric: &MetricArgs) -> TableId {
        TableId { metric: metric.with(Some(self)), size: self.size }
    }
}

impl FromStr for TableName {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<TableName, UnknownTable> {
        let of = |metric: Metric| name.strip_prefix(metric.name())?.strip_prefix('-').map(|size| (metric, size));
        match Metric::ALL.into_iter().find_map(of) {
            Some((metric, size)) => Ok(TableName { metric: Some(metric), size: size.parse()? }),
            None => Ok(TableName { metric: None, size: name.parse()? }),
        }
    }
}

/// Which table to solve with.
#[derive(Clone, Copy, Debug)]
pub enum TableChoice {
    /// The best on disk that fits in memory.
    Auto,
    /// This one.
    Named(TableName),
}

impl FromStr for TableChoice {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<TableChoice, UnknownTable> {
        if name == "auto" { Ok(TableChoice::Auto) } else { name.parse().map(TableChoice::Named) }
    }
}

/// What a solver needs.
#[derive(Args)]
pub struct SolverArgs {
    #[command(flatten)]
    metric: MetricArgs,
    /// The table to solve with: auto takes the best one on disk that fits in memory, and fills one where there is none
    #[arg(long, value_name = "NAME", default_value = "auto")]
    table: TableChoice,
    /// The most memory that the table may take, as in 2G or 500M [default: what the machine has free]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl SolverArgs {
    /// The metric, which a named table may say.
    pub fn metric(&self) -> Metric {
        match self.table {
            TableChoice::Auto => self.metric.with(None),
            TableChoice::Named(name) => self.metric.with(Some(name)),
        }
    }

    /// The table asked for; none where it is left to the command.
    pub fn table(&self) -> Option<TableId> {
        match self.table {
            TableChoice::Auto => None,
            TableChoice::Named(name) => Some(name.id(&self.metric)),
        }
    }
}

/// Reads a number of seconds: `60`, `0.5`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, as in 60 or 0.5")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads a number of bytes: `2G`, `500M`, `1.5GB`, `2GiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1_000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000u64,
        "KIB" => 1 << 10,
        "MIB" => 1 << 20,
        "GIB" => 1 << 30,
        _ => return Err("write a number and a unit, as in 2G or 500M".into()),
    };
    match number.parse::<f64>() {
        Ok(number) => Ok((number * unit as f64) as u64),
        Err(_) => Err("write a number and a unit, as in 2G or 500M".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal_unless_they_say_otherwise() {
        assert_eq!(bytes("2G"), Ok(2_000_000_000));
        assert_eq!(bytes("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("4096"), Ok(4096));
        for wrong in ["", "G", "2X", "-2G", "1.2.3M"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tables_have_short_and_whole_names() {
        let name: TableName = "qtm-2g".parse().unwrap();
        assert_eq!((name.metric, name.size.name()), (Some(Metric::Qtm), "2G"));
        assert!("240M".parse::<TableName>().unwrap().metric.is_none());
        assert!("htm240M".parse::<TableName>().is_err());
    }
}

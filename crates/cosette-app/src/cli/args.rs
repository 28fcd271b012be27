//! Options that several subcommands share.

use crate::cli::failure::Failure;
pub use crate::words::{TableName, bytes, seconds};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use cosette::ThreadCount;
use cosette::cube::{Format, Metric};
use cosette::search::SolutionCount;
use cosette::table::choice::{OpenError, default_folder};
use cosette::table::{TableFolder, TableId, UnknownTable};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

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
        let path = self.path.clone().or_else(default_folder).ok_or(OpenError::NoFolder)?;
        Ok(TableFolder::new(path))
    }
}

/// How many threads work.
#[derive(Args)]
pub struct ThreadArgs {
    /// How many threads work [default: all that the machine runs at once]
    #[arg(long, value_name = "N")]
    threads: Option<ThreadCount>,
}

impl ThreadArgs {
    /// The number of threads, where one is asked for.
    pub fn asked(&self) -> Option<ThreadCount> {
        self.threads
    }

    /// The number of threads.
    pub fn count(&self) -> ThreadCount {
        self.threads.unwrap_or_default()
    }
}

/// What is counted.
#[derive(Args)]
pub struct MetricArgs {
    /// What counts as one move: any turn of a face (htm) or a quarter of a turn (qtm) [default: htm]
    #[arg(long, value_parser = metric_parser())]
    metric: Option<Metric>,
}

impl MetricArgs {
    /// The metric, where a table that is named may say it too. Ends the command where they contradict each other.
    pub fn with(&self, table: Option<TableName>) -> Metric {
        self.agreeing_with(table).unwrap_or_else(|contradiction| contradiction.exit())
    }

    fn agreeing_with(&self, table: Option<TableName>) -> Result<Metric, clap::Error> {
        match (self.metric, table.and_then(|name| name.metric)) {
            (Some(asked), Some(of_table)) if asked != of_table => {
                Err(misuse(&format!("the table is one of {of_table}, and --metric asks for {asked}")))
            }
            (asked, of_table) => Ok(asked.or(of_table).unwrap_or_default()),
        }
    }

    /// The table of this name, in the metric of the name or else this one.
    pub fn table(&self, name: TableName) -> TableId {
        TableId { metric: self.with(Some(name)), size: name.size }
    }

    /// The metric, where one is asked for.
    pub fn asked(&self) -> Option<Metric> {
        self.metric
    }
}

/// Ends the command because its arguments do not go together.
pub fn usage(message: &str) -> ! {
    misuse(message).exit()
}

/// Arguments that do not go together.
pub fn misuse(message: &str) -> clap::Error {
    clap::Error::raw(
        clap::error::ErrorKind::ArgumentConflict,
        format!("{message}\n\nFor more information, try '--help'.\n"),
    )
}

/// How positions are read, and what is asked of each.
#[derive(Args)]
pub struct AskArgs {
    /// How positions are written [default: recognised by their look]
    #[arg(long, value_parser = format_parser())]
    pub format: Option<Format>,
    /// Read round brackets as moves on the inverse, as in fewest-moves notes
    #[arg(long)]
    pub niss: bool,
    /// Find all shortest solutions, symmetric ones included
    #[arg(long, conflicts_with = "count")]
    all: bool,
    /// Find at most so many of the shortest solutions
    #[arg(short = 'n', long, value_name = "COUNT")]
    count: Option<NonZeroUsize>,
    /// Give up on a position once all lengths up to this are ruled out
    #[arg(long, value_name = "LENGTH")]
    pub max_length: Option<u8>,
}

impl AskArgs {
    /// How many of the shortest solutions are asked for.
    pub fn wanted(&self) -> SolutionCount {
        match self.count {
            _ if self.all => SolutionCount::All,
            Some(count) => SolutionCount::AtMost(count),
            None => SolutionCount::One,
        }
    }
}

/// Reads a metric; an option's `value_parser`.
pub fn metric_parser() -> impl TypedValueParser<Value = Metric> {
    let named = |name: String| Metric::ALL.into_iter().find(|metric| metric.name() == name);
    PossibleValuesParser::new(Metric::ALL.map(Metric::name))
        .map(move |name| named(name).expect("the parser knows the names"))
}

/// Reads a format of positions; an option's `value_parser`.
pub fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .map(|name| name.parse().expect("the parser knows the names"))
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
    /// How many threads work.
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Where the tables are.
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl SolverArgs {
    /// Makes sure that the metric and the table go together.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self) -> Result<(), clap::Error> {
        let table = match self.table {
            TableChoice::Auto => None,
            TableChoice::Named(name) => Some(name),
        };
        self.metric.agreeing_with(table).map(drop)
    }

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
            TableChoice::Named(name) => Some(self.metric.table(name)),
        }
    }
}

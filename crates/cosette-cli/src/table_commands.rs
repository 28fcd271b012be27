//! `cosette tables`: the pruning tables on disk.

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use cosette::cube::Metric;
use cosette::table::choice::MemoryLimit;
use cosette::table::{TableError, TableFileState, TableFolder, TableId};
use cosette::{Remedy, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{
    FolderArgs, MetricArgs, StoreArgs, TableName, WithCompletions, bytes, table_names,
};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::TableStore;
use cosette_app::estimate;
use cosette_app::events::write_line;
use cosette_app::remedies::{Audience, table_argument, worded};
use cosette_app::units::counted;
use indicatif::{DecimalBytes, HumanDuration};
use serde::Serialize;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::time::Instant;

/// List, generate, verify and remove the pruning tables
///
/// A table holds a lower bound on the distance for every class of positions. It is kept in memory
/// during a search. Doubling its size halves the time of a search; above 2 GB the gain is smaller.
#[derive(Args)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Show all tables: size, whether on disk, whether they fit in memory, estimated times
    List(ListArgs),
    /// Generate tables, or resume an interrupted generation
    Gen(TableGenArgs),
    /// Verify every entry of tables
    Verify(VerifyArgs),
    /// Print the path of a table, or of the directory of all tables
    Path(PathArgs),
    /// Remove tables, including partial ones from interrupted generations
    Rm(RmArgs),
}

#[derive(Args)]
struct ListArgs {
    /// Print JSON Lines, one object per table
    #[arg(long)]
    json: bool,
    /// Maximum memory for a table, e.g. 2G or 500M [default: free memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = bytes,
        allow_hyphen_values = true,
        env = "COSETTE_MEMORY",
        hide_env_values = true,
        help_heading = "Resources",
    )]
    memory: Option<u64>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct TableGenArgs {
    /// Tables to generate, e.g. 190M or htm-190M
    #[arg(
        value_name = "NAME",
        required = true,
        value_parser = table_name(),
        hide_possible_values = true,
    )]
    names: Vec<TableName>,
    /// Generate tables even if they are on disk, and overwrite any other file of that name
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct VerifyArgs {
    /// Tables to verify [default: all on disk]
    #[arg(value_name = "NAME", value_parser = table_name(), hide_possible_values = true)]
    names: Vec<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct PathArgs {
    /// Table whose path to print [default: the directory of all tables]
    #[arg(value_name = "NAME", value_parser = table_name(), hide_possible_values = true)]
    name: Option<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct RmArgs {
    /// Tables to remove
    #[arg(
        value_name = "NAME",
        required = true,
        value_parser = table_name(),
        hide_possible_values = true,
    )]
    names: Vec<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Runs the subcommand.
pub fn run(args: &TablesArgs) -> Result<Exit, Failure> {
    match &args.command {
        TablesCommand::List(args) => list(args),
        TablesCommand::Gen(args) => generate(args),
        TablesCommand::Verify(args) => verify(args),
        TablesCommand::Path(args) => path(args),
        TablesCommand::Rm(args) => remove(args),
    }
}

/// Generates tables, or resumes an interrupted generation.
fn generate(args: &TableGenArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let mut out = anstream::stdout();
    for table in args.names.iter().map(|&name| args.metric.table(name)) {
        let path = store.folder.path_of(table);
        let start = Instant::now();
        match store.folder.state(table) {
            _ if args.force => store.generate(table)?,
            TableFileState::Complete => {
                writeln!(out, "{table}: already at {}", path.display())?;
                continue;
            }
            TableFileState::Corrupted(fault)
                if matches!(fault.remedy(), Some(Remedy::MoveAwayAndGenerate(_))) =>
            {
                return Err(fault.into());
            }
            TableFileState::Corrupted(_) => store.generate(table)?,
            TableFileState::Missing | TableFileState::Partial(_) => {
                store.generate_if_missing(table)?
            }
        }
        let size = DecimalBytes(table.size.bytes());
        let took = HumanDuration(start.elapsed());
        writeln!(
            out,
            "{table}: {size}, generated and saved in {took} to {}",
            path.display()
        )?;
    }
    Ok(Exit::Success)
}

/// Verifies all tables, even if some are corrupted.
fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let metric = args.metric.requested();
    let mut tables: Vec<TableId> = args
        .names
        .iter()
        .map(|&name| args.metric.table(name))
        .collect();
    if tables.is_empty() {
        tables = tables_of(metric);
        tables.retain(|&table| store.folder.path_of(table).exists());
    }
    let mut out = anstream::stdout();
    if tables.is_empty() {
        let metric = metric.map_or(String::new(), |metric| format!("{metric} "));
        writeln!(
            out,
            "no {metric}tables in {}",
            describe_folder(&store.folder)?
        )?;
    }
    let mut worst = Exit::Success;
    for table in tables {
        match store.verify(table) {
            Ok(()) => writeln!(out, "{table}: ok")?,
            Err(failure) if failure.exit() == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                worst = worst.max(failure.exit());
                let fault = match store.folder.state(table) {
                    TableFileState::Missing | TableFileState::Partial(_) => "not on disk",
                    _ => "corrupted",
                };
                writeln!(out, "{table}: {fault}")?;
                failure.report();
            }
        }
    }
    Ok(worst)
}

/// Returns the tables for a metric, or all tables.
fn tables_of(metric: Option<Metric>) -> Vec<TableId> {
    TableId::all()
        .filter(|table| metric.is_none_or(|metric| table.metric == metric))
        .collect()
}

/// Prints the path of a table or of the directory.
fn path(args: &PathArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    let path_of = |name: TableName| folder.path_of(args.metric.table(name));
    let path = args.name.map_or(folder.path().to_owned(), path_of);
    // Printed byte for byte, even if the path is not valid text.
    let line = [path.as_os_str().as_encoded_bytes(), b"\n"].concat();
    io::stdout().write_all(&line)?;
    Ok(Exit::Success)
}

/// Removes tables.
fn remove(args: &RmArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    for table in args.names.iter().map(|&name| args.metric.table(name)) {
        folder.remove(table)?;
        writeln!(anstream::stdout(), "{table}: removed")?;
    }
    Ok(Exit::Success)
}

/// A row of the list of tables.
#[derive(Serialize)]
struct TableRow {
    name: String,
    metric: &'static str,
    bytes: u64,
    path: String,
    on_disk: bool,
    /// Percentage that an interrupted generation has completed.
    generated_percent: Option<u64>,
    /// Reason why the file cannot be used.
    fault: Option<String>,
    #[serde(skip)]
    remedy: Option<String>,
    /// `true` if the table fits in free memory, besides the needs of the program, and within
    /// `--memory`.
    fits: bool,
    /// Estimated seconds to generate the table.
    generation_seconds: f64,
    /// Estimated seconds to solve a random position.
    cube_seconds: f64,
}

impl TableRow {
    fn of(
        table: TableId,
        TableStore { folder, threads }: &TableStore,
        memory: MemoryLimit,
    ) -> TableRow {
        let state = folder.state(table);
        let fault = match &state {
            TableFileState::Corrupted(fault) => Some(fault),
            _ => None,
        };
        TableRow {
            name: table.to_string(),
            metric: table.metric.name(),
            bytes: table.size.bytes(),
            path: folder.path_of(table).display().to_string(),
            on_disk: matches!(state, TableFileState::Complete),
            generated_percent: match &state {
                TableFileState::Partial(done) => Some(done.percent()),
                _ => None,
            },
            fault: fault.map(TableError::to_string),
            remedy: fault
                .and_then(TableError::remedy)
                .map(|remedy| worded(&remedy, Audience::Command)),
            fits: memory.fits(table.size),
            generation_seconds: estimate::to_generate(table, *threads).as_secs_f64(),
            cube_seconds: estimate::to_solve(table, *threads).as_secs_f64(),
        }
    }

    /// Returns the text of the column `on disk`.
    fn state_on_disk(&self) -> String {
        match (self.on_disk, &self.fault, self.generated_percent) {
            (true, ..) => "yes".into(),
            (_, Some(_), _) => "corrupted".into(),
            (.., Some(percent)) => format!("{percent} % done"),
            _ => "-".into(),
        }
    }
}

/// Lists all tables, whether on disk or not.
fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let memory = MemoryLimit::now(args.memory);
    let folder = describe_folder(&store.folder)?;
    let rows: Vec<TableRow> = tables_of(args.metric.requested())
        .into_iter()
        .map(|table| TableRow::of(table, &store, memory))
        .collect();

    let mut out = anstream::stdout();
    if args.json {
        rows.iter().try_for_each(|row| write_line(&mut out, row))?;
        return Ok(Exit::Success);
    }
    write_heading(&mut out, store.threads)?;
    rows.iter().try_for_each(|row| write_row(&mut out, row))?;
    writeln!(
        out,
        "\nin {folder}; times are estimates; run `cosette tables {}` to check the entries",
        table_argument("verify", Some(store.folder.path()))
    )?;
    for row in &rows {
        if let Some(fault) = &row.fault {
            let remedy = row.remedy.as_ref();
            let remedy = remedy.map_or(String::new(), |remedy| format!("; {remedy}"));
            tell(format_args!("warning: {fault}{remedy}"));
        }
    }
    Ok(Exit::Success)
}

/// Returns the path of the directory, with a note if it does not exist or is not a directory, or an
/// error if it cannot be read.
fn describe_folder(folder: &TableFolder) -> Result<String, Failure> {
    let path = folder.path().display();
    match fs::metadata(folder.path().join(".")) {
        Ok(_) => Ok(path.to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Ok(format!("{path}, which does not exist yet"))
        }
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            Ok(format!("{path}, which is not a folder"))
        }
        Err(error) => {
            let help =
                "make the folder readable, or choose another one with --tables or COSETTE_TABLES";
            Err(Failure::new(
                format!("cannot read the folder {path}: {error}"),
                help,
            ))
        }
    }
}

fn write_heading(out: &mut impl Write, threads: ThreadCount) -> io::Result<()> {
    let threads = counted(threads.get() as u64, "thread");
    writeln!(
        out,
        "{BOLD}table          size  on disk      fits memory  generate   a random cube{BOLD:#}   \
            ({threads})"
    )
}

fn write_row(out: &mut impl Write, row: &TableRow) -> io::Result<()> {
    let size = DecimalBytes(row.bytes).to_string();
    let fits = if row.fits { "yes" } else { "no" };
    let generate = rough_time(row.generation_seconds);
    let cube = rough_time(row.cube_seconds);
    writeln!(
        out,
        "{:8}  {size:>9}  {:11}  {fits:11}  {generate:>8}  {cube:>14}",
        row.name,
        row.state_on_disk()
    )
}

/// Formats a time in seconds with two significant digits.
fn rough_time(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.995 => format!("{seconds:.2} s"),
        seconds if seconds < 9.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds if seconds < 5_970.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3_600.0),
    }
}

/// Returns a `value_parser` that reads the name of a table.
fn table_name() -> impl TypedValueParser<Value = TableName> {
    WithCompletions::new(|name: &str| name.parse::<TableName>(), table_names())
}

//! `cosette tables`: the pruning tables on disk, both of the fast engine and of the lab.

use crate::lab::{self, LabTable, all_tables};
use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use cosette::block_file::PayloadKind;
use cosette::cube::Metric;
use cosette::table::choice::MemoryLimit;
use cosette::table::{TableError, TableFileState, TableFolder, TableId};
use cosette::{Remedy, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{
    FolderArgs, MetricArgs, StoreArgs, TableName, WithCompletions, bytes, exit_with_usage_error, table_names,
};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::TableStore;
use cosette_app::remedies::{Audience, table_argument, worded};
use cosette_app::units::counted;
use cosette_app::{estimate, json};
use indicatif::{DecimalBytes, HumanDuration};
use serde::Serialize;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

/// List, generate, verify and remove the pruning tables
///
/// A table holds a lower bound on the distance for every class of positions. It is kept in memory
/// during a search. Doubling its size halves the time of a search; above 2 GB the gain is smaller.
/// The tables of the lab, which are generated on first use, are in the same directory.
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
    Gen(GenArgs),
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
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true, env = "COSETTE_MEMORY", hide_env_values = true, help_heading = "Resources")]
    memory: Option<u64>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct GenArgs {
    /// Tables to generate, e.g. 190M or htm-190M
    #[arg(value_name = "NAME", required = true, value_parser = any_name(), hide_possible_values = true)]
    names: Vec<AnyName>,
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
    #[arg(value_name = "NAME", value_parser = any_name(), hide_possible_values = true)]
    names: Vec<AnyName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct PathArgs {
    /// Table whose path to print [default: the directory of all tables]
    #[arg(value_name = "NAME", value_parser = any_name(), hide_possible_values = true)]
    name: Option<AnyName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct RmArgs {
    /// Tables to remove
    #[arg(value_name = "NAME", required = true, value_parser = any_name(), hide_possible_values = true)]
    names: Vec<AnyName>,
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
fn generate(args: &GenArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    for table in args.names.iter().map(|name| name.table(&args.metric)) {
        let (name, path) = (table.contents().name(), store.folder.path_of(table.contents()));
        let (mut out, start) = (anstream::stdout(), Instant::now());
        match store.folder.state(table.contents()) {
            _ if args.force => table.generate(&store)?,
            TableFileState::Complete => {
                writeln!(out, "{name}: already at {}", path.display())?;
                continue;
            }
            TableFileState::Corrupted(fault) if matches!(fault.remedy(), Some(Remedy::MoveAwayAndGenerate(_))) => {
                return Err(fault.into());
            }
            TableFileState::Corrupted(_) => table.generate(&store)?,
            TableFileState::Missing | TableFileState::Partial(_) => table.generate_if_missing(&store)?,
        }
        let (size, took) = (DecimalBytes(table.contents().bytes()), HumanDuration(start.elapsed()));
        writeln!(out, "{name}: {size}, generated and saved in {took} to {}", path.display())?;
    }
    Ok(Exit::Solved)
}

/// Verifies all tables, even if some are corrupted.
fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let is_asked = |metric: Metric| args.metric.asked().is_none_or(|asked| asked == metric);
    let of_engine = || TableId::all().filter(|&id| is_asked(id.metric)).map(AnyTable::Engine);
    let of_lab = || AnyTable::all_of_lab().filter(|_| args.metric.asked().is_none());
    let tables: Vec<AnyTable> = match &args.names[..] {
        [] => of_engine().chain(of_lab()).filter(|table| store.folder.path_of(table.contents()).exists()).collect(),
        names => names.iter().map(|name| name.table(&args.metric)).collect(),
    };
    let mut out = anstream::stdout();
    if tables.is_empty() {
        let metric = args.metric.asked().map(|metric| format!("{metric} ")).unwrap_or_default();
        writeln!(out, "no {metric}tables in {}", described(&store.folder)?)?;
    }
    let mut worst = Exit::Solved;
    for table in tables {
        let name = table.contents().name();
        match table.verify(&store) {
            Ok(()) => writeln!(out, "{name}: sound")?,
            Err(failure) if failure.exit() == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                worst = worst.max(failure.exit());
                let is_missing = matches!(
                    store.folder.state(table.contents()),
                    TableFileState::Missing | TableFileState::Partial(_)
                );
                writeln!(out, "{name}: {}", if is_missing { "not on disk" } else { "faulty" })?;
                failure.report();
            }
        }
    }
    Ok(worst)
}

fn path(args: &PathArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    let path_of = |name: &AnyName| folder.path_of(name.table(&args.metric).contents());
    let path = args.name.as_ref().map_or(folder.path().to_owned(), path_of);
    // Printed byte for byte, even if the path is not valid text.
    let line = [path.as_os_str().as_encoded_bytes(), b"\n"].concat();
    io::stdout().write_all(&line)?;
    Ok(Exit::Solved)
}

fn remove(args: &RmArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    for table in args.names.iter().map(|name| name.table(&args.metric)) {
        folder.remove(table.contents())?;
        writeln!(anstream::stdout(), "{}: removed", table.contents().name())?;
    }
    Ok(Exit::Solved)
}

/// A row of the list of tables.
#[derive(Serialize)]
struct Row {
    name: String,
    /// `true` for a table of the lab, of which only the file is known.
    lab: bool,
    metric: Option<&'static str>,
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
    /// Estimated seconds to generate the table; like `cube_seconds` `None` for tables of the lab.
    generation_seconds: Option<f64>,
    cube_seconds: Option<f64>,
}

impl Row {
    fn of(table: &AnyTable, TableStore { folder, threads }: &TableStore, memory: MemoryLimit) -> Row {
        let (state, threads) = (folder.state(table.contents()), *threads);
        let (id, contents) = (table.id(), table.contents());
        let generated_percent = if let TableFileState::Partial(done) = &state { Some(done.percent()) } else { None };
        let fault = if let TableFileState::Corrupted(fault) = &state { Some(fault) } else { None };
        Row {
            name: contents.name(),
            lab: id.is_none(),
            metric: id.map(|id| id.metric.name()),
            bytes: contents.bytes(),
            path: folder.path_of(contents).display().to_string(),
            on_disk: matches!(state, TableFileState::Complete),
            generated_percent,
            fault: fault.map(TableError::to_string),
            remedy: fault.and_then(TableError::remedy).map(|remedy| worded(&remedy, Audience::Command)),
            fits: id.map_or(contents.bytes() <= memory.available, |id| memory.fits(id.size)),
            generation_seconds: id.map(|id| estimate::to_generate(id, threads).as_secs_f64()),
            cube_seconds: id.map(|id| estimate::to_solve(id, threads).as_secs_f64()),
        }
    }

    fn on_disk(&self) -> String {
        match (self.on_disk, &self.fault, self.generated_percent) {
            (true, ..) => "yes".into(),
            (_, Some(_), _) => "faulty".into(),
            (.., Some(percent)) => format!("{percent} % done"),
            _ => "-".into(),
        }
    }
}

/// Lists all tables of the fast engine, and the tables of the lab that are on disk.
fn list(args: &ListArgs) -> Result<Exit, Failure> {
    let (store, memory) = (args.store.resolve()?, MemoryLimit::now(args.memory));
    let place = described(&store.folder)?;
    let asked = args.metric.asked();
    let row = |table: AnyTable| Row::of(&table, &store, memory);
    let is_shown = |id: &TableId| asked.is_none_or(|metric| id.metric == metric);
    let of_engine: Vec<Row> = TableId::all().filter(is_shown).map(AnyTable::Engine).map(row).collect();
    let is_there = |row: &Row| asked.is_none() && (row.on_disk || row.fault.is_some());
    let of_lab: Vec<Row> = AnyTable::all_of_lab().map(row).filter(is_there).collect();

    let mut out = anstream::stdout();
    let all = || of_engine.iter().chain(&of_lab);
    if args.json {
        all().try_for_each(|row| json::write_line(&mut out, row))?;
        return Ok(Exit::Solved);
    }
    write_heading(&mut out, store.threads)?;
    of_engine.iter().try_for_each(|row| write_row(&mut out, row))?;
    if !of_lab.is_empty() {
        writeln!(out, "\n{BOLD}{:35}  {:>9}  on disk{BOLD:#}", "table of the lab", "size")?;
        of_lab.iter().try_for_each(|row| write_lab_row(&mut out, row))?;
    }
    writeln!(
        out,
        "\nin {place}; the times are estimates, and `cosette tables {}` checks the entries",
        table_argument("verify", Some(store.folder.path()))
    )?;
    for row in all() {
        if let Some(fault) = &row.fault {
            let remedy = row.remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
            tell(format_args!("warning: {fault}{remedy}"));
        }
    }
    Ok(Exit::Solved)
}

/// Returns the path of the directory, with a note if it does not exist or is not a directory, or an
/// error if it cannot be read.
fn described(folder: &TableFolder) -> Result<String, Failure> {
    let path = folder.path().display();
    match fs::metadata(folder.path().join(".")) {
        Ok(_) => Ok(path.to_string()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(format!("{path}, which does not exist yet")),
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(format!("{path}, which is not a folder")),
        Err(refused) => {
            let help = "make the folder readable, or choose another with --tables or COSETTE_TABLES";
            Err(Failure::new(format!("cannot read the folder {path}: {refused}"), help))
        }
    }
}

fn write_heading(out: &mut impl Write, threads: ThreadCount) -> io::Result<()> {
    let threads = counted(threads.get() as u64, "thread");
    writeln!(out, "{BOLD}table          size  on disk      fits memory  generate   a random cube{BOLD:#}   ({threads})")
}

fn write_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let [size, generate, cube] = [
        DecimalBytes(row.bytes).to_string(),
        row.generation_seconds.map_or("-".into(), rounded),
        row.cube_seconds.map_or("-".into(), rounded),
    ];
    let fits = if row.fits { "yes" } else { "no" };
    writeln!(out, "{:8}  {size:>9}  {:11}  {fits:11}  {generate:>8}  {cube:>14}", row.name, row.on_disk())
}

fn write_lab_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    writeln!(out, "{:35}  {:>9}  {}", row.name, DecimalBytes(row.bytes).to_string(), row.on_disk())
}

/// Formats a time in seconds with two significant digits.
fn rounded(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.995 => format!("{seconds:.2} s"),
        seconds if seconds < 9.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds if seconds < 5_970.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3_600.0),
    }
}

/// A table of the fast engine or of the lab.
#[derive(Clone)]
enum AnyTable<T = TableId> {
    /// A table of the fast engine.
    Engine(T),
    /// A table of the lab.
    Lab(Arc<dyn LabTable>),
}

/// The name of a table, without a metric or with one.
type AnyName = AnyTable<TableName>;

impl AnyName {
    /// Returns the table in the metric of its name, or otherwise in `metric`.
    fn table(&self, metric: &MetricArgs) -> AnyTable {
        match self {
            AnyName::Engine(name) => AnyTable::Engine(metric.table(*name)),
            AnyName::Lab(table) if metric.asked().is_some() => exit_with_usage_error(&format!(
                "--metric is for tables of the fast engine; {} belongs to the lab",
                table.name()
            )),
            AnyName::Lab(table) => AnyTable::Lab(table.clone()),
        }
    }
}

/// Returns a `value_parser` that reads the name of a table.
fn any_name() -> impl TypedValueParser<Value = AnyName> {
    let of_lab = all_tables().into_iter().map(|table| table.name());
    WithCompletions::new(|name: &str| name.parse::<AnyName>(), table_names().chain(of_lab))
}

impl FromStr for AnyName {
    type Err = String;

    fn from_str(name: &str) -> Result<AnyName, String> {
        let of_lab = || all_tables().into_iter().find(|table| table.name().eq_ignore_ascii_case(name));
        let lab_names = || all_tables().iter().map(|table| format!(", {}", table.name())).collect::<String>();
        match name.parse() {
            Ok(name) => Ok(AnyName::Engine(name)),
            Err(unknown) => {
                of_lab().map(|table| AnyName::Lab(table.into())).ok_or_else(|| format!("{unknown}{}", lab_names()))
            }
        }
    }
}

impl AnyTable {
    /// Returns all tables of the lab.
    fn all_of_lab() -> impl Iterator<Item = AnyTable> {
        all_tables().into_iter().map(|table| AnyTable::Lab(table.into()))
    }

    /// Returns the description of the contents of its file.
    fn contents(&self) -> &dyn PayloadKind {
        match self {
            AnyTable::Engine(id) => id,
            AnyTable::Lab(table) => &**table,
        }
    }

    /// Returns its identity, if it is a table of the fast engine.
    fn id(&self) -> Option<TableId> {
        match self {
            AnyTable::Engine(id) => Some(*id),
            AnyTable::Lab(_) => None,
        }
    }

    /// Generates the table and saves it to its file.
    fn generate(&self, store: &TableStore) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate(*id),
            AnyTable::Lab(table) => lab::generate(store, &**table),
        }
    }

    /// Generates the table and saves it to its file if there is none.
    fn generate_if_missing(&self, store: &TableStore) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate_if_missing(*id),
            AnyTable::Lab(_) => self.generate(store),
        }
    }

    /// Verifies the entire table.
    fn verify(&self, store: &TableStore) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.verify(*id),
            AnyTable::Lab(table) => lab::verify(store, &**table),
        }
    }
}

#[cfg(all(test, feature = "lab"))]
mod tests {
    use super::*;

    #[test]
    fn unknown_names_are_refused_with_all_known_ones() {
        let refusal = "31M".parse::<AnyName>().err().unwrap();
        assert!(refusal.contains("24M, 47M"), "{refusal}");
        for table in all_tables() {
            assert!(refusal.ends_with(&table.name()) || refusal.contains(&format!("{}, ", table.name())), "{refusal}");
            assert!(matches!(table.name().parse(), Ok(AnyName::Lab(_))));
        }
        assert!(matches!("qtm-1.5G".parse(), Ok(AnyName::Engine(_))));
    }
}

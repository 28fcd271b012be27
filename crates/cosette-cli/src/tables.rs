//! `cosette tables`: the pruning tables on disk, those of the fast engine and of the lab.

use crate::lab::{self, LabTable, all_tables};
use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use cosette::block_file::Contents;
use cosette::cube::Metric;
use cosette::table::choice::MemoryLimit;
use cosette::table::{OnDisk, TableError, TableFolder, TableId};
use cosette::{Remedy, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{Completed, FolderArgs, MetricArgs, StoreArgs, TableName, bytes, table_names, usage};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::Store;
use cosette_app::remedies::{Audience, table_argument, worded};
use cosette_app::words::counted;
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
/// A table has a lower bound of the distance for every class of positions. The larger it is, the faster the search: twice the
/// size, half the time, beyond 2 GB somewhat more. The search keeps it in memory. The tables of the lab, which are generated when they are first needed,
/// are in the same folder.
#[derive(Args)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Show all tables: their sizes, which are on disk, which fit in memory, how long they take
    List(ListArgs),
    /// Generate tables, or continue an interrupted generation
    Gen(GenArgs),
    /// Check tables completely
    Verify(VerifyArgs),
    /// Print the path of a table or of their folder
    Path(PathArgs),
    /// Remove tables and what interrupted generations left
    Rm(RmArgs),
}

#[derive(Args)]
struct ListArgs {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// The most memory that a table may use, as in 2G or 500M [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true, env = "COSETTE_MEMORY", hide_env_values = true)]
    memory: Option<u64>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct GenArgs {
    /// The tables, as in 190M or htm-190M
    #[arg(value_name = "NAME", required = true, value_parser = any_name(), hide_possible_values = true)]
    names: Vec<AnyName>,
    /// Generate a table again even if it is on disk, and replace any other file in its place
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct VerifyArgs {
    /// The tables [default: all on disk]
    #[arg(value_name = "NAME", value_parser = any_name(), hide_possible_values = true)]
    names: Vec<AnyName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Args)]
struct PathArgs {
    /// The table [default: the folder of all tables]
    #[arg(value_name = "NAME", value_parser = any_name(), hide_possible_values = true)]
    name: Option<AnyName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct RmArgs {
    /// The tables
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

/// Generates tables, or continues an interrupted generation.
fn generate(args: &GenArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    for table in args.names.iter().map(|name| name.table(&args.metric)) {
        let (name, path) = (table.contents().name(), store.folder.path_of(table.contents()));
        let (mut out, start) = (anstream::stdout(), Instant::now());
        match store.folder.state(table.contents()) {
            _ if args.force => table.generate(&store)?,
            OnDisk::Yes => {
                writeln!(out, "{name}: already at {}", path.display())?;
                continue;
            }
            OnDisk::Faulty(fault) if matches!(fault.remedy(), Some(Remedy::MoveAwayAndGenerate(_))) => {
                return Err(fault.into());
            }
            OnDisk::Faulty(_) => table.generate(&store)?,
            OnDisk::No | OnDisk::Partly(_) => table.generate_if_missing(&store)?,
        }
        let (size, took) = (DecimalBytes(table.contents().bytes()), HumanDuration(start.elapsed()));
        writeln!(out, "{name}: {size}, generated and saved in {took} to {}", path.display())?;
    }
    Ok(Exit::Solved)
}

/// Verifies all tables, even if some are faulty.
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
                let is_missing = matches!(store.folder.state(table.contents()), OnDisk::No | OnDisk::Partly(_));
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
    // As it is, even if it is not text.
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

/// What is known about a table.
#[derive(Serialize)]
struct Row {
    name: String,
    /// Whether it belongs to the lab; then only its file is known.
    lab: bool,
    metric: Option<&'static str>,
    bytes: u64,
    path: String,
    on_disk: bool,
    /// How much of it an interrupted generation left.
    generated_percent: Option<u64>,
    /// Why the file cannot be used.
    fault: Option<String>,
    #[serde(skip)]
    remedy: Option<String>,
    /// Whether it fits in the memory that is free now, besides what the program needs, and in what a table may use.
    fits: bool,
    /// Estimates; `None` for tables of the lab.
    generation_seconds: Option<f64>,
    cube_seconds: Option<f64>,
}

impl Row {
    fn of(table: &AnyTable, Store { folder, threads }: &Store, memory: MemoryLimit) -> Row {
        let (state, threads) = (folder.state(table.contents()), *threads);
        let (id, contents) = (table.id(), table.contents());
        let generated_percent = if let OnDisk::Partly(done) = &state { Some(done.percent()) } else { None };
        let fault = if let OnDisk::Faulty(fault) = &state { Some(fault) } else { None };
        Row {
            name: contents.name(),
            lab: id.is_none(),
            metric: id.map(|id| id.metric.name()),
            bytes: contents.bytes(),
            path: folder.path_of(contents).display().to_string(),
            on_disk: matches!(state, OnDisk::Yes),
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

/// Lists all tables, and those of the lab that are on disk.
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

/// The path of the folder, and what is wrong with it. Fails if it cannot be entered.
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

/// A time in seconds to two digits.
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
    /// One of the fast engine.
    Engine(T),
    /// One of the lab.
    Lab(Arc<dyn LabTable>),
}

/// The name of a table, without a metric or with one.
type AnyName = AnyTable<TableName>;

impl AnyName {
    /// The table, in the metric of its name or otherwise in this one.
    fn table(&self, metric: &MetricArgs) -> AnyTable {
        match self {
            AnyName::Engine(name) => AnyTable::Engine(metric.table(*name)),
            AnyName::Lab(table) if metric.asked().is_some() => {
                usage(&format!("--metric is for tables of the fast engine; {} belongs to the lab", table.name()))
            }
            AnyName::Lab(table) => AnyTable::Lab(table.clone()),
        }
    }
}

/// Reads the name of a table; an argument's `value_parser`.
fn any_name() -> impl TypedValueParser<Value = AnyName> {
    let of_lab = all_tables().into_iter().map(|table| table.name());
    Completed::new(|name: &str| name.parse::<AnyName>(), table_names().chain(of_lab))
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
    /// All tables of the lab.
    fn all_of_lab() -> impl Iterator<Item = AnyTable> {
        all_tables().into_iter().map(|table| AnyTable::Lab(table.into()))
    }

    /// What its file states.
    fn contents(&self) -> &dyn Contents {
        match self {
            AnyTable::Engine(id) => id,
            AnyTable::Lab(table) => &**table,
        }
    }

    /// Its identity, if it is one of the fast engine.
    fn id(&self) -> Option<TableId> {
        match self {
            AnyTable::Engine(id) => Some(*id),
            AnyTable::Lab(_) => None,
        }
    }

    /// Generates it into its file.
    fn generate(&self, store: &Store) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate(*id),
            AnyTable::Lab(table) => lab::generate(store, &**table),
        }
    }

    /// Generates it into its file if there is none.
    fn generate_if_missing(&self, store: &Store) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate_if_missing(*id),
            AnyTable::Lab(_) => self.generate(store),
        }
    }

    /// Checks it completely.
    fn verify(&self, store: &Store) -> Result<(), Failure> {
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

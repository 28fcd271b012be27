//! `cosette tables`: the pruning tables on disk.

pub mod estimate;
mod list;

use crate::args::{FolderArgs, MetricArgs, TableName, ThreadArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::store::Store;
use clap::{Args, Subcommand};
use cosette::cube::Metric;
use cosette::table::{OnDisk, TableId, available_memory};
use indicatif::{DecimalBytes, HumanDuration};
use std::io::Write;
use std::time::Instant;

/// List, fill, verify and remove the pruning tables
///
/// A table holds a lower bound of the distance of every class of positions. The larger it is, the faster is the search:
/// twice the size, half the time. The search keeps it in memory.
#[derive(Args)]
pub struct TablesArgs {
    #[command(subcommand)]
    command: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Show all tables: sizes, what is on disk, what fits this machine, how long things take
    List(list::ListArgs),
    /// Fill tables, or go on where an interrupted filling stopped
    Gen(GenArgs),
    /// Check tables completely
    Verify(VerifyArgs),
    /// Print where the tables, or one of them, are kept
    Path(PathArgs),
    /// Remove tables, and what interrupted fillings have left
    Rm(RmArgs),
}

#[derive(Args)]
struct GenArgs {
    /// The tables, as in 240M or htm-240M
    #[arg(value_name = "NAME", required = true)]
    names: Vec<TableName>,
    /// Fill a table that is on disk once more
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct VerifyArgs {
    /// The tables; all on disk where none is named
    #[arg(value_name = "NAME")]
    names: Vec<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct PathArgs {
    /// The table; the folder of all where none is named
    #[arg(value_name = "NAME")]
    name: Option<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

#[derive(Args)]
struct RmArgs {
    /// The tables
    #[arg(value_name = "NAME", required = true)]
    names: Vec<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Runs the subcommand.
pub fn run(args: &TablesArgs) -> Result<Exit, Failure> {
    match &args.command {
        TablesCommand::List(args) => list::run(args),
        TablesCommand::Gen(args) => fill(args),
        TablesCommand::Verify(args) => verify(args),
        TablesCommand::Path(args) => path(args),
        TablesCommand::Rm(args) => remove(args),
    }
}

/// Fills tables, or goes on where an interrupted filling stopped.
fn fill(args: &GenArgs) -> Result<Exit, Failure> {
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    for id in args.names.iter().map(|name| name.id(&args.metric)) {
        let path = store.folder.path_of(id);
        let mut out = anstream::stdout();
        if !args.force && matches!(store.folder.state(id), OnDisk::Yes) {
            writeln!(out, "{id}: already at {}", path.display())?;
            continue;
        }
        let start = Instant::now();
        store.fill(id)?;
        let (size, took) = (DecimalBytes(id.size.bytes()), HumanDuration(start.elapsed()));
        writeln!(out, "{id}: {size}, filled and saved in {took} to {}", path.display())?;
    }
    Ok(Exit::Solved)
}

/// Verifies tables, all of them even where some are faulty.
fn verify(args: &VerifyArgs) -> Result<Exit, Failure> {
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    let is_asked = |metric: Metric| args.metric.asked().is_none_or(|asked| asked == metric);
    let on_disk = || TableId::all().filter(|&id| is_asked(id.metric) && store.folder.path_of(id).exists());
    let ids: Vec<TableId> = match &args.names[..] {
        [] => on_disk().collect(),
        names => names.iter().map(|name| name.id(&args.metric)).collect(),
    };
    let mut out = anstream::stdout();
    if ids.is_empty() {
        writeln!(out, "no tables in {}", store.folder.path().display())?;
    }
    let mut worst = Exit::Solved;
    for id in ids {
        match store.verify(id) {
            Ok(()) => writeln!(out, "{id}: sound")?,
            Err(failure) if failure.exit() == Exit::Interrupted => return Err(failure),
            Err(failure) => {
                worst = worst.max(failure.exit());
                writeln!(out, "{id}: faulty")?;
                failure.report();
            }
        }
    }
    Ok(worst)
}

fn path(args: &PathArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    let path = args.name.map_or(folder.path().to_owned(), |name| folder.path_of(name.id(&args.metric)));
    writeln!(anstream::stdout(), "{}", path.display())?;
    Ok(Exit::Solved)
}

fn remove(args: &RmArgs) -> Result<Exit, Failure> {
    let folder = args.folder.folder()?;
    for id in args.names.iter().map(|name| name.id(&args.metric)) {
        folder.remove(id)?;
        writeln!(anstream::stdout(), "{id}: removed")?;
    }
    Ok(Exit::Solved)
}

/// Whether a table fits in the memory that is free now.
fn fits(id: TableId) -> bool {
    id.size.bytes() <= available_memory()
}

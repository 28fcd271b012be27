//! `cosette-lab tables`: the tables of the historical solvers.

use crate::experiments::in_lab;
use clap::{Args, Subcommand};
use cosette::table::TableFileState;
use cosette_app::cli::args::{StoreArgs, exit_with_usage_error};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::tables::TableStore;
use cosette_lab::all_tables;
use cosette_lab::lab::LabTable;
use indicatif::DecimalBytes;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// List, generate, verify and remove the tables of the historical solvers
///
/// They are generated on first use, in the directory of the pruning tables of `cosette`.
#[derive(Args)]
pub struct LabTablesArgs {
    #[command(subcommand)]
    command: LabTablesCommand,
}

#[derive(Subcommand)]
enum LabTablesCommand {
    /// Show all tables: size, whether on disk, path
    List(StoreArgs),
    /// Generate tables
    Gen(NamedTablesArgs),
    /// Verify every entry of tables
    Verify(NamedTablesArgs),
    /// Remove tables
    Rm(NamedTablesArgs),
}

#[derive(Args)]
struct NamedTablesArgs {
    /// Tables, e.g. korf-corners-2-htm
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    #[command(flatten)]
    store: StoreArgs,
}

impl NamedTablesArgs {
    /// Does `work` for each table, and prints that it is `done`. Ends the command if a name is
    /// unknown.
    fn for_each(
        &self,
        done: &str,
        work: impl Fn(&TableStore, &dyn LabTable) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let known = all_tables();
        let is_named = |table: &dyn LabTable, name: &str| table.name().eq_ignore_ascii_case(name);
        let tables = self.names.iter().map(|name| {
            let found = known.iter().find(|table| is_named(&***table, name));
            found.unwrap_or_else(|| {
                let names: Vec<String> = known.iter().map(|table| table.name()).collect();
                exit_with_usage_error(&format!(
                    "there is no table `{name}`; the names are {}",
                    names.join(", ")
                ))
            })
        });
        let tables: Vec<_> = tables.collect();
        let store = self.store.resolve()?;
        for table in tables {
            work(&store, &**table)?;
            writeln!(anstream::stdout(), "{}: {done}", table.name())?;
        }
        Ok(Exit::Success)
    }
}

/// Runs the subcommand.
pub fn run(args: &LabTablesArgs) -> Result<Exit, Failure> {
    match &args.command {
        LabTablesCommand::List(args) => list(&args.resolve()?),
        LabTablesCommand::Gen(args) => args.for_each("generated", |store, table| {
            in_lab(store, |lab| lab.generate(table))
        }),
        LabTablesCommand::Verify(args) => {
            args.for_each("ok", |store, table| in_lab(store, |lab| lab.verify(table)))
        }
        LabTablesCommand::Rm(args) => {
            args.for_each("removed", |store, table| Ok(store.folder.remove(table)?))
        }
    }
}

fn list(store: &TableStore) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    let mut listed = BTreeSet::new();
    let mut show = |name: &str, bytes: u64, state: &str, path: &Path| {
        let size = DecimalBytes(bytes).to_string();
        writeln!(out, "{name:35}  {size:>9}  {state:9}  {}", path.display())
    };
    for table in all_tables() {
        let state = match store.folder.state(&*table) {
            TableFileState::Complete => "yes",
            TableFileState::Partial(_) => "partly",
            TableFileState::Corrupted(_) => "corrupted",
            TableFileState::Missing => "-",
        };
        let path = store.folder.path_of(&*table);
        show(&table.name(), table.bytes(), state, &path)?;
        listed.insert(path);
    }
    // The databases of chosen edges, and Lee's stored positions, are known by their files only.
    let files = fs::read_dir(store.folder.path()).into_iter().flatten();
    let paths: BTreeSet<PathBuf> = files.flatten().map(|file| file.path()).collect();
    for path in paths.difference(&listed) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_table = path.extension().is_some_and(|ending| ending == "table");
        if is_table && name.starts_with("korf-edges-2-") || name.starts_with("lee-") {
            show(&name, path.metadata()?.len(), "yes", path)?;
        }
    }
    Ok(Exit::Success)
}

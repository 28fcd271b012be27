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
use std::io::Write;

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
    List(LabListArgs),
    /// Generate tables
    Gen(NamedTablesArgs),
    /// Verify every entry of tables
    Verify(NamedTablesArgs),
    /// Remove tables
    Rm(NamedTablesArgs),
}

#[derive(Args)]
struct LabListArgs {
    #[command(flatten)]
    store: StoreArgs,
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
    /// Returns the tables. Ends the command if a name is unknown.
    fn tables(&self) -> Vec<Box<dyn LabTable>> {
        let find = |name: &String| {
            all_tables()
                .into_iter()
                .find(|table| table.name().eq_ignore_ascii_case(name))
                .unwrap_or_else(|| {
                    let known: Vec<String> =
                        all_tables().iter().map(|table| table.name()).collect();
                    exit_with_usage_error(&format!(
                        "there is no table `{name}`; the names are {}",
                        known.join(", ")
                    ))
                })
        };
        self.names.iter().map(find).collect()
    }

    /// Does `work` for each table, and prints that it is `done`.
    fn for_each(
        &self,
        done: &str,
        work: impl Fn(&TableStore, &dyn LabTable) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        let store = self.store.resolve()?;
        for table in self.tables() {
            work(&store, &*table)?;
            writeln!(anstream::stdout(), "{}: {done}", table.name())?;
        }
        Ok(Exit::Success)
    }
}

/// Runs the subcommand.
pub fn run(args: &LabTablesArgs) -> Result<Exit, Failure> {
    match &args.command {
        LabTablesCommand::List(args) => list(&args.store.resolve()?),
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
    for table in all_tables() {
        let state = match store.folder.state(&*table) {
            TableFileState::Complete => "yes",
            TableFileState::Partial(_) => "partly",
            TableFileState::Corrupted(_) => "corrupted",
            TableFileState::Missing => "-",
        };
        let size = DecimalBytes(table.bytes()).to_string();
        let path = store.folder.path_of(&*table);
        writeln!(
            out,
            "{:35}  {size:>9}  {state:9}  {}",
            table.name(),
            path.display()
        )?;
    }
    Ok(Exit::Success)
}

//! The command `cosette-lab`: historical solvers, and the experiments of their papers.
//!
//! | file | contents |
//! |---|---|
//! | `solve` | `cosette-lab solve`: positions solved by a historical solver |
//! | `engines` | the solvers by name |
//! | `experiments` | `cosette-lab korf` etc.: the experiments of a paper; `cosette-lab report` |
//! | `tables` | `cosette-lab tables`: the tables of the solvers on disk |

mod engines;
mod experiments;
mod solve;
mod tables;

use clap::{Parser, Subcommand};
use cosette_app::cli::machine::Build;
use cosette_app::cli::{self, failure::EXIT_CODES};
use std::process::ExitCode;

/// The commit and the compiler of this build.
const BUILD: Build = Build::new(option_env!("COSETTE_COMMIT"), env!("COSETTE_RUSTC"));

/// Run historical Rubik's Cube solvers, and reproduce the experiments of their papers
///
/// Each experiment recomputes a table or a claim of a paper and shows both figures side by side.
/// Computations of hours need --full; without it, figures of an earlier run are shown, and the
/// output names them and the machine they were computed on.
#[derive(Parser)]
#[command(name = "cosette-lab", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CosetteLab {
    #[command(subcommand)]
    command: LabCommand,
    /// Log to standard error; -vv logs more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(flatten)]
    color: cli::ColorArgs,
}

#[derive(Subcommand)]
enum LabCommand {
    Solve(Box<solve::EngineSolveArgs>),
    #[command(flatten)]
    Experiments(experiments::PaperCommand),
    Report(experiments::ReportArgs),
    Tables(tables::LabTablesArgs),
}

fn main() -> ExitCode {
    let lab: CosetteLab = cli::parse().unwrap_or_else(|error| error.exit());
    lab.color.apply();
    cli::start(lab.verbose);
    let done = match &lab.command {
        LabCommand::Solve(args) => solve::run(args),
        LabCommand::Experiments(command) => experiments::run(command),
        LabCommand::Report(args) => experiments::report(args),
        LabCommand::Tables(args) => tables::run(args),
    };
    cli::finish(done)
}

//! `cosette bench`: measurements of this machine, to be kept and compared.
//!
//! | file | what it holds |
//! |---|---|
//! | `memory` | how fast random lines of memory arrive |
//! | `search` | how fast positions are solved, compared with that limit |
//! | `tables` | how fast tables are generated and loaded |
//! | `sets` | the positions that are solved |
//! | `record` | how often to measure; figures, their median and range, as JSON with what they depend on |

mod memory;
mod record;
mod search;
mod sets;
mod tables;

use clap::{Args, Subcommand};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};

/// Measure this machine: its memory, the search, generating and loading tables
///
/// With --json, each figure comes with what it depends on: the machine, the compiler, the commit and the date.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    Memory(memory::MemoryArgs),
    Search(search::SearchArgs),
    Gen(tables::GenArgs),
    Load(tables::LoadArgs),
}

/// Runs the subcommand.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let result = match &args.command {
        BenchCommand::Memory(args) => memory::run(args),
        BenchCommand::Search(args) => search::run(args),
        BenchCommand::Gen(args) => tables::generate(args),
        BenchCommand::Load(args) => tables::load(args),
    };
    result.map_err(|failure| match failure.exit() {
        exit @ Exit::Interrupted => {
            let message = "stopped before the measurement was complete".into();
            Failure::Other(ErrorReport { message, help: None, exit })
        }
        _ => failure,
    })
}

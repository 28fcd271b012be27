//! `cosette bench`: what this machine does, in figures that can be kept and compared.
//!
//! | file | what it holds |
//! |---|---|
//! | `memory` | how fast random lines of memory arrive |
//! | `search` | how fast positions are solved, and the share of that limit |
//! | `tables` | how fast tables are filled and loaded |
//! | `sets` | the positions that are solved |
//! | `spread` | the middle of several runs, and how far they lie apart |
//! | `record` | figures as JSON, with what they depend on |

mod memory;
mod record;
mod search;
mod sets;
mod spread;
mod tables;

use clap::{Args, Subcommand};
use cosette::ThreadCount;
use cosette_app::cli::exit::Exit;
use cosette_app::cli::failure::{ErrorReport, Failure};
use std::num::NonZeroU32;

/// Measure this machine: its memory, the search, filling and loading tables
///
/// With --json each figure comes with all that it depends on: the machine, the compiler, the commit and the date.
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

/// How often to measure, and what to write.
#[derive(Args)]
struct RunArgs {
    /// How often each thing is measured
    #[arg(long, value_name = "N", default_value = "3")]
    runs: NonZeroU32,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    let result = match &args.command {
        BenchCommand::Memory(args) => memory::run(args),
        BenchCommand::Search(args) => search::run(args),
        BenchCommand::Gen(args) => tables::fill(args),
        BenchCommand::Load(args) => tables::load(args),
    };
    let stopped = || ErrorReport {
        message: "stopped before the measurement was complete".into(),
        help: None,
        exit: Exit::Interrupted,
    };
    result.map_err(|failure| match failure.exit() {
        Exit::Interrupted => Failure::Other(stopped()),
        _ => failure,
    })
}

/// One thread, and all of these where they are more.
fn one_and_all(threads: ThreadCount) -> impl Iterator<Item = ThreadCount> {
    std::iter::once(ThreadCount::ONE).chain(Some(threads).filter(|&threads| threads > ThreadCount::ONE))
}

/// A figure as records keep it: to five digits, or to the last one before the point where those are more.
fn rounded(figure: f64) -> f64 {
    let digits_after_point = 4 - figure.abs().max(1e-9).log10().floor() as i32;
    let unit = 10f64.powi(digits_after_point.max(0));
    (figure * unit).round() / unit
}

//! `cosette bench`: what this machine does, in figures that can be kept and compared.

mod machine;
mod memory;
mod record;

use crate::exit::Exit;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use std::num::NonZeroUsize;

/// Measure this machine
///
/// With --json the figures come with all that they depend on: the machine, the compiler, the commit and the date.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    Memory(memory::MemoryArgs),
}

/// Runs the subcommand.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    match &args.command {
        BenchCommand::Memory(args) => memory::run(args),
    }
}

/// One thread, and all of these where they are more.
fn one_and_all(threads: NonZeroUsize) -> impl Iterator<Item = NonZeroUsize> {
    std::iter::once(NonZeroUsize::MIN).chain(Some(threads).filter(|&threads| threads > NonZeroUsize::MIN))
}

/// A figure to three decimals, as records keep it.
fn rounded(figure: f64) -> f64 {
    (1000.0 * figure).round() / 1000.0
}

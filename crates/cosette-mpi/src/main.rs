//! The command `cosette-mpi`: what `cosette solve` and `cosette batch` do, on all the ranks of an MPI job.
//!
//! | file | what it holds |
//! |---|---|
//! | `world` | the ranks, and messages between them |
//! | `hosts/` | the hosts of a job, and the table that the ranks of each share |
//! | `ranks` | `cosette-mpi ranks`: who takes part |

mod hosts;
mod ranks;
mod world;

use clap::{Parser, Subcommand};
use cosette_cli::exit::{self, Exit};
use cosette_cli::failure::Failure;
use std::process::ExitCode;
use world::World;

/// Proves the shortest solutions of Rubik's Cube positions on all the ranks of an MPI job.
///
/// `mpirun` or a batch system starts it on many machines at once; started by itself it is one rank. Every machine needs
/// the table (`cosette tables gen`), and its ranks share one copy of it in memory.
#[derive(Parser)]
#[command(name = "cosette-mpi", version, max_term_width = 100, after_help = exit::HELP)]
struct CosetteMpi {
    #[command(subcommand)]
    command: Command,
    /// Say what is done and chosen, on standard error; -vv says more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    Ranks(ranks::RanksArgs),
}

fn main() -> ExitCode {
    let world = World::start();
    let args = match CosetteMpi::try_parse() {
        Ok(args) => args,
        // All ranks were told the same; one says so.
        Err(refused) if !world.is_first() => return ExitCode::from(refused.exit_code() as u8),
        Err(refused) => {
            drop(world);
            refused.exit()
        }
    };
    cosette_cli::begin(args.verbose);
    match run(&world, &args.command) {
        // All ranks end with the same error; one reports it.
        Err(failure) if !world.is_first() => failure.exit().into(),
        result => cosette_cli::end(result),
    }
}

fn run(world: &World, command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Ranks(args) => ranks::run(world, args),
    }
}

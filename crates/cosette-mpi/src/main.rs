//! The command `cosette-mpi`: what `cosette solve` and `cosette batch` do, on all the ranks of an MPI job.
//!
//! | file | what it holds |
//! |---|---|
//! | `thesis/` | `cosette-mpi thesis`: Nargolkar's parallel search of 2006, measured |
//! | `world` | the ranks, and messages between them |

mod crew;
mod gate;
mod hosts;
mod solve;
mod thesis;
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
    Solve(solve::SolveArgs),
    Thesis(Box<thesis::ThesisArgs>),
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
    cosette_cli::end(run(&world, &args.command))
}

fn run(world: &World, command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Solve(args) => solve::run(world, args),
        Command::Thesis(args) => thesis::run(world, args),
    }
}

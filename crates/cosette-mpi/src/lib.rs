//! The command `cosette-mpi`: `cosette solve` and `cosette batch` on all the ranks of an MPI job.
//!
//! | file | what it holds |
//! |---|---|
//! | [`program`] | a command as an MPI program: arguments in, one exit code out |
//! | [`world`] | the ranks, and messages between them |
//! | `hosts/` | the hosts of a job, and the table that the ranks of each share |
//! | `start` | how the ranks start together |
//! | [`dispatcher`] | which rank gets which work, and when, and which of its threads |
//! | `coordinator`, `cut_iteration` | the first rank, and the results of an iteration |
//! | `worker_pool`, `messages` | the threads of every rank, and the messages between ranks and the coordinator |
//! | `solve` | `cosette-mpi solve` |
//! | `batch` | `cosette-mpi batch` |
//! | `ranks` | `cosette-mpi ranks`: the ranks, their hosts and threads |
//!
//! What is public is for `cosette-lab-mpi`, whose experiments run in the same way and simulate the same dispatcher.

mod batch;
pub mod coordinator;
mod cut_iteration;
pub mod dispatcher;
mod hosts;
mod messages;
pub mod program;
mod ranks;
mod solve;
mod start;
mod worker_pool;
pub mod world;

use clap::{Parser, Subcommand};
use cosette_app::cli::failure::{EXIT_CODES, Exit, Failure};
use program::Program;
use std::process::ExitCode;
use world::World;

/// Proves the shortest solutions of Rubik's Cube positions on all the ranks of an MPI job.
///
/// `mpirun` or a batch system starts it on many machines at once; started by itself it is one rank. Every machine needs
/// the table (`cosette tables gen`), and its ranks share one copy of it in memory.
#[derive(Parser)]
#[command(name = "cosette-mpi", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CosetteMpi {
    #[command(subcommand)]
    command: Command,
    /// Log to standard error; -vv logs more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::SolveArgs),
    Batch(batch::BatchArgs),
    Ranks(ranks::RanksArgs),
}

impl Program for CosetteMpi {
    fn verbose(&self) -> u8 {
        self.verbose
    }

    fn check(&self) -> Result<(), clap::Error> {
        match &self.command {
            Command::Solve(args) => args.shared.check(),
            Command::Batch(args) => args.shared.solver.check(),
            Command::Ranks(args) => args.solver.check(),
        }
    }

    fn task(&self) -> String {
        match &self.command {
            Command::Solve(args) => format!("solve {}", args.shared.position()),
            Command::Batch(args) => format!("batch {}", args.shared.file()),
            Command::Ranks(_) => "ranks".into(),
        }
    }

    fn run(&self, world: &World) -> Result<Exit, Failure> {
        match &self.command {
            Command::Solve(args) => solve::run(world, args),
            Command::Batch(args) => batch::run(world, args),
            Command::Ranks(args) => ranks::run(world, args),
        }
    }
}

/// What the fuzz targets read.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::hosts::read_greetings;
    pub use crate::messages::{Reply, Request};
}

/// The command on this rank, from its arguments to its exit code.
pub fn main() -> ExitCode {
    program::main::<CosetteMpi>()
}

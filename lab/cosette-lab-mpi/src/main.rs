//! The command `cosette-lab-mpi`: Nargolkar's parallel search of 2006 (`nargolkar`), started by
//! `mpirun` like `cosette-mpi`.

mod nargolkar;

use clap::{Parser, Subcommand};
use cosette_app::cli::failure::{EXIT_CODES, Exit, Failure};
use cosette_mpi::Program;
use cosette_mpi::world::World;
use std::process::ExitCode;

/// Run experiments with parallel searches for Rubik's Cube, as an MPI job.
#[derive(Parser)]
#[command(name = "cosette-lab-mpi", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CosetteLabMpi {
    #[command(subcommand)]
    command: LabMpiCommand,
    /// Log to standard error; -vv logs more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum LabMpiCommand {
    Nargolkar(nargolkar::NargolkarArgs),
}

impl Program for CosetteLabMpi {
    fn verbose(&self) -> u8 {
        self.verbose
    }

    fn check(&self) -> Result<(), clap::Error> {
        Ok(())
    }

    fn run(&self, world: &World) -> Result<Exit, Failure> {
        let LabMpiCommand::Nargolkar(args) = &self.command;
        nargolkar::run(world, args)
    }
}

fn main() -> ExitCode {
    cosette_mpi::run::<CosetteLabMpi>()
}

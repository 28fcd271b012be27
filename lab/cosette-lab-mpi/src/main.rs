//! The command `cosette-lab-mpi`: Nargolkar's parallel search of 2006 (`nargolkar`), started by
//! `mpirun` like `cosette-mpi`.

mod nargolkar;

use clap::{Parser, Subcommand};
use cosette::cube::{Cube, ParseOptions, parse_position};
use cosette_app::cli::failure::{EXIT_CODES, Exit, Failure, InputText};
use cosette_mpi::Program;
use cosette_mpi::world::World;
use std::io;
use std::path::Path;
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
    Nargolkar(Box<nargolkar::NargolkarArgs>),
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

/// The error of a file of measurements that cannot be read.
fn unreadable(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |refused| {
        let message = format!("cannot read the records in {}: {refused}", path.display());
        Failure::new(message, "use files written with --record")
    }
}

/// Reads a position.
fn position(text: InputText) -> Result<Cube, Failure> {
    Ok(text
        .read(|text| parse_position(text, None, &ParseOptions::default()))?
        .cube)
}

fn main() -> ExitCode {
    cosette_mpi::run::<CosetteLabMpi>()
}

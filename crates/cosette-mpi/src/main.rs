//! The command `cosette-mpi`: what `cosette solve` and `cosette batch` do, on all the ranks of an MPI job.
//!
//! | file | what it holds |
//! |---|---|
//! | `world` | the ranks, and messages between them |
//! | `hosts/` | the hosts of a job, and the table that the ranks of each share |
//! | `gate`, `team` | how the ranks begin together |
//! | `crew/` | one search, or many, by all threads of all ranks |
//! | `solve`, `scribe` | `cosette-mpi solve`, and its journal |
//! | `batch` | `cosette-mpi batch` |
//! | `ranks` | `cosette-mpi ranks`: who takes part |
//! | `simulation/` | `cosette-mpi trace` and `simulate`: what more cores would gain |
//! | `thesis/` | `cosette-mpi thesis`: Nargolkar's parallel search of 2006, measured |

mod batch;
mod crew;
mod gate;
mod hosts;
mod ranks;
mod scribe;
mod simulation;
mod solve;
mod team;
mod thesis;
mod world;

use clap::{Parser, Subcommand};
use cosette_cli::exit::{self, Exit};
use cosette_cli::failure::Failure;
use cosette_cli::interrupt;
use std::process::ExitCode;
use std::time::Duration;
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
    Batch(batch::BatchArgs),
    Ranks(ranks::RanksArgs),
    Trace(simulation::TraceArgs),
    Simulate(simulation::SimulateArgs),
    Thesis(Box<thesis::ThesisArgs>),
}

impl Command {
    /// Makes sure that the arguments go together.
    fn check(&self) -> Result<(), clap::Error> {
        match self {
            Command::Solve(args) => args.check(),
            Command::Batch(args) => args.run.solver.check(),
            Command::Ranks(args) => args.solver.check(),
            Command::Trace(args) => args.solver.check(),
            Command::Simulate(_) => Ok(()),
            Command::Thesis(_) => Ok(()),
        }
    }
}

/// How long a job that was interrupted may take to end in good order.
const PATIENCE_AT_THE_END: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let world = World::start();
    let parsed = CosetteMpi::try_parse().and_then(|args| args.command.check().map(|()| args));
    let args = match understood_by_all(&world, parsed) {
        Ok(args) => args,
        Err(code) => return code,
    };
    if world.size() > 1 {
        // `mpirun` passes the output on, though it looks like a terminal.
        anstream::ColorChoice::Never.write_global();
    }
    cosette_cli::begin(args.verbose);
    let code = match run(&world, &args.command) {
        // All ranks end with the same error; one reports it.
        Err(failure) if !world.is_first() => failure.exit().into(),
        result => cosette_cli::end(result),
    };
    if interrupt::is_asked() {
        leave_soon();
    }
    code
}

/// Ends this process even if MPI cannot end in good order, as after a Ctrl-C, when `mpirun` is ending the job itself.
fn leave_soon() {
    let leave = || {
        std::thread::sleep(PATIENCE_AT_THE_END);
        std::process::exit(Exit::Interrupted.code().into());
    };
    if let Err(refused) = std::thread::Builder::new().spawn(leave) {
        tracing::debug!(%refused, "mpirun will end this process");
    }
}

/// The arguments of this rank, if every rank has understood its own. Otherwise all are to end with this exit code, and the
/// first that has not understood says why; usually all were told the same.
fn understood_by_all<A>(world: &World, parsed: Result<A, clap::Error>) -> Result<A, ExitCode> {
    let code = parsed.as_ref().err().map(|refused| refused.exit_code().to_string());
    let codes = world.tell_all(&code.unwrap_or_default());
    let speaker = codes.iter().position(|code| !code.is_empty());
    match (parsed, speaker) {
        (Ok(args), None) => Ok(args),
        (parsed, speaker) => {
            if let Some(refused) = parsed.err().filter(|_| speaker == Some(world.rank())) {
                // Nobody reads it where that fails.
                let _ = refused.print();
            }
            Err(speaker.and_then(|rank| codes[rank].parse::<u8>().ok()).unwrap_or(2).into())
        }
    }
}

fn run(world: &World, command: &Command) -> Result<Exit, Failure> {
    match command {
        Command::Solve(args) => solve::run(world, args),
        Command::Batch(args) => batch::run(world, args),
        Command::Ranks(args) => ranks::run(world, args),
        Command::Trace(args) => simulation::trace(world, args),
        Command::Simulate(args) => simulation::simulate(world, args),
        Command::Thesis(args) => thesis::run(world, args),
    }
}

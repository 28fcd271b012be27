//! The command `cosette-mpi`: `cosette solve`, `batch` and `coset` on all ranks of an MPI job.
//!
//! | file | contents |
//! |---|---|
//! | [`world`] | the ranks, and messages between them |
//! | `hosts` | the joint start of the ranks, one of which works on each host |
//! | [`dispatcher`] | the assignment of work to ranks and to their threads |
//! | `coordinator`, `split_iteration` | the first rank, and the results of an iteration |
//! | `worker_pool` | the threads of a rank, and the messages between ranks and coordinator |
//! | `solve` | `cosette-mpi solve` and `batch` |
//! | `coset` | `cosette-mpi coset`: whole cosets, one at a time on each host |
//! | `ranks` | `cosette-mpi ranks`: the hosts, their ranks and threads |
//!
//! Every rank parses its own arguments and runs the command ([`run`]); all ranks end with the same
//! error, reported once.
//!
//! Public items are for `cosette-lab-mpi`, which runs in the same way, and for the example
//! `scaling`, which simulates the same dispatcher.

pub mod coordinator;
mod coset;
pub mod dispatcher;
mod hosts;
mod ranks;
mod solve;
mod split_iteration;
mod worker_pool;
pub mod world;

use clap::{Parser, Subcommand};
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{EXIT_CODES, Exit, Failure};
use cosette_app::cli::interrupt::{self, Interruptible};
use hosts::Hosts;
use std::process::ExitCode;
use std::time::Duration;
use world::World;

/// Runs the command on this rank, from its arguments to its exit code.
pub fn main() -> ExitCode {
    run::<CosetteMpi>()
}

/// Optimal Rubik's Cube solver on all ranks of an MPI job.
///
/// `mpirun` or a batch system starts it on many machines at once; started alone, it is a single
/// rank. Every machine needs the table (`cosette tables gen`). One rank works on each machine, with
/// the cores of all its ranks.
#[derive(Parser)]
#[command(name = "cosette-mpi", version, max_term_width = 100, after_help = EXIT_CODES)]
struct CosetteMpi {
    #[command(subcommand)]
    command: MpiCommand,
    /// Log to standard error; -vv logs more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
}

#[derive(Subcommand)]
enum MpiCommand {
    Solve(solve::MpiSolveArgs),
    Batch(solve::MpiBatchArgs),
    Coset(coset::MpiCosetArgs),
    Ranks(ranks::RanksArgs),
}

impl Program for CosetteMpi {
    fn verbose(&self) -> u8 {
        self.verbose
    }

    fn check(&self) -> Result<(), clap::Error> {
        match &self.command {
            MpiCommand::Solve(args) => args
                .shared
                .check()
                .and_then(|()| args.shared.request.check_has_no_goal()),
            MpiCommand::Batch(args) => args.shared.check_is_plain(),
            MpiCommand::Coset(args) => args.levels.solver.check(),
            MpiCommand::Ranks(args) => args.solver.check(),
        }
    }

    fn task(&self) -> String {
        match &self.command {
            MpiCommand::Solve(args) => format!("solve {}", args.shared.position()),
            MpiCommand::Batch(args) => format!("batch {}", args.shared.file()),
            MpiCommand::Coset(args) => format!("coset {}", args.file.display()),
            MpiCommand::Ranks(_) => "ranks".into(),
        }
    }

    fn run(&self, world: &World) -> Result<Exit, Failure> {
        let result = match Hosts::meet(world, self.solver())? {
            Some(hosts) => self.work(&hosts),
            None => {
                // `mpirun` forwards signals to all ranks; the working ranks end the job.
                let _waiting = Interruptible::start();
                world.wait_for_all(LENDING_INTERVAL);
                return Ok(Exit::Success);
            }
        };
        world.barrier();
        result
    }
}

/// Interval at which a rank that lends its cores checks whether the work has ended.
const LENDING_INTERVAL: Duration = Duration::from_millis(10);

impl CosetteMpi {
    /// Does the work of this host.
    fn work(&self, hosts: &Hosts) -> Result<Exit, Failure> {
        match &self.command {
            MpiCommand::Solve(args) => solve::solve(hosts, args),
            MpiCommand::Batch(args) => solve::batch(hosts, args),
            MpiCommand::Coset(args) => coset::run(hosts, args),
            MpiCommand::Ranks(args) => ranks::run(hosts, args),
        }
    }

    fn solver(&self) -> &SolverArgs {
        match &self.command {
            MpiCommand::Solve(args) => &args.shared.request.solver,
            MpiCommand::Batch(args) => &args.shared.request.solver,
            MpiCommand::Coset(args) => &args.levels.solver,
            MpiCommand::Ranks(args) => &args.solver,
        }
    }
}

/// Parsers for the fuzz targets.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::hosts::read_greetings;
    pub use crate::worker_pool::{WorkerCommand, WorkerReply};
}

/// The arguments of a command that runs as an MPI program.
pub trait Program: Parser {
    /// Returns the number of times `--verbose` was given.
    fn verbose(&self) -> u8;

    /// Validates the combination of arguments, which clap cannot.
    ///
    /// # Errors
    ///
    /// Returns a usage error if arguments conflict.
    fn check(&self) -> Result<(), clap::Error>;

    /// Returns a description of the task, for errors. It must be the same on all ranks.
    fn task(&self) -> String {
        String::new()
    }

    /// Does the work of this rank.
    ///
    /// # Errors
    ///
    /// The error of the work, which the first rank reports.
    fn run(&self, world: &World) -> Result<Exit, Failure>;
}

/// Maximum time for an interrupted program to shut down cleanly.
const SHUTDOWN_TIME: Duration = Duration::from_millis(50);

/// Runs the command on this rank, from its arguments to its exit code.
pub fn run<P: Program>() -> ExitCode {
    let world = World::start();
    // A panic aborts the process, because the other ranks would wait for the lost one.
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        report(fault);
        std::process::abort();
    }));
    let parsed =
        cosette_app::cli::parse::<P>().and_then(|program| program.check().map(|()| program));
    let (program, tasks) = match valid_on_all_ranks(&world, parsed) {
        Ok(valid) => valid,
        Err(code) => return code,
    };
    if world.size() > 1 {
        // `mpirun` reads the output, although it looks like a terminal.
        anstream::ColorChoice::Never.write_global();
    }
    cosette_app::cli::start(program.verbose());
    let code = match same_task(&tasks).and_then(|()| program.run(&world)) {
        // All ranks end with the same error; one reports it.
        Err(failure) if !world.is_first() => failure.exit().into(),
        result => cosette_app::cli::finish(result),
    };
    if interrupt::is_requested() {
        exit_soon();
    }
    code
}

/// Ends this process even if MPI cannot shut down cleanly, e.g. after Ctrl-C, when `mpirun` ends
/// the program itself.
fn exit_soon() {
    let exit = || {
        std::thread::sleep(SHUTDOWN_TIME);
        std::process::exit(Exit::Interrupted.code().into());
    };
    if let Err(refused) = std::thread::Builder::new().spawn(exit) {
        tracing::debug!(%refused, "cannot start a thread; mpirun will end this process");
    }
}

/// Checks that all ranks have the same task as the first. Otherwise returns an error, because the
/// ranks would wait for each other forever.
fn same_task(tasks: &[String]) -> Result<(), Failure> {
    let Some(other) = tasks.iter().position(|task| *task != tasks[0]) else {
        return Ok(());
    };
    Err(Failure::new(
        format!(
            "the ranks do not match: rank 0 runs `{}`, but rank {other} runs `{}`",
            tasks[0], tasks[other]
        ),
        "start all ranks with the same command",
    ))
}

/// Returns the arguments of this rank and the tasks of all ranks, if the arguments of every rank
/// are valid. Otherwise returns the exit code of all ranks. Only the first rank with invalid
/// arguments prints its error, because usually all ranks have the same error.
fn valid_on_all_ranks<P: Program>(
    world: &World,
    parsed: Result<P, clap::Error>,
) -> Result<(P, Vec<String>), ExitCode> {
    let own_task = parsed.as_ref().map(Program::task);
    let tasks = world.gather(&own_task.map_err(clap::Error::exit_code));
    let first_invalid = tasks.iter().position(Result::is_err);
    match parsed {
        Ok(program) if first_invalid.is_none() => {
            Ok((program, tasks.into_iter().flatten().collect()))
        }
        parsed => {
            if let Some(invalid) = parsed.err().filter(|_| first_invalid == Some(world.rank())) {
                // Nothing can be done if standard error is closed.
                let _ = invalid.print();
            }
            let code = tasks.into_iter().find_map(Result::err);
            let code = code.and_then(|code| u8::try_from(code).ok());
            Err(code.unwrap_or(2).into())
        }
    }
}

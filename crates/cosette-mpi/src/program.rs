//! A command as an MPI program: every rank reads its own arguments and runs; all ranks end with the same error, reported once.

use crate::world::World;
use clap::Parser;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::interrupt;
use std::process::ExitCode;
use std::time::Duration;

/// The arguments of a command that runs as an MPI program.
pub trait Program: Parser {
    /// How often `--verbose` was given.
    fn verbose(&self) -> u8;

    /// Checks what clap cannot: whether the arguments go together. Fails if they do not.
    fn check(&self) -> Result<(), clap::Error>;

    /// What all ranks must do alike, as an error names it.
    fn task(&self) -> String {
        String::new()
    }

    /// Does the work of this rank. Fails if it fails; the first rank reports the error.
    fn run(&self, world: &World) -> Result<Exit, Failure>;
}

/// What the message of a rank with valid arguments begins with.
const RUNS: &str = "runs ";

/// How long an interrupted program may take to shut down cleanly.
const SHUTDOWN_TIME: Duration = Duration::from_millis(50);

/// Runs the command on this rank, from its arguments to its exit code.
pub fn main<P: Program>() -> ExitCode {
    let world = World::start();
    let parsed = cosette_app::cli::parse::<P>().and_then(|program| program.check().map(|()| program));
    let (program, tasks) = match valid_on_all_ranks(&world, parsed) {
        Ok(valid) => valid,
        Err(code) => return code,
    };
    if world.size() > 1 {
        // `mpirun` forwards the output, although it looks like a terminal.
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

/// Ends this process even if MPI cannot shut down cleanly, as after Ctrl-C, when `mpirun` ends the program itself.
fn exit_soon() {
    let exit = || {
        std::thread::sleep(SHUTDOWN_TIME);
        std::process::exit(Exit::Interrupted.code().into());
    };
    if let Err(refused) = std::thread::Builder::new().spawn(exit) {
        tracing::debug!(%refused, "mpirun will end this process");
    }
}

/// Checks that all ranks do the same. Fails if one of them does something else than the first: they would wait for each
/// other for ever.
fn same_task(tasks: &[String]) -> Result<(), Failure> {
    let Some(other) = tasks.iter().position(|task| *task != tasks[0]) else { return Ok(()) };
    Err(Failure::new(
        format!("the ranks do not fit together: rank 0 runs `{}`, and rank {other} runs `{}`", tasks[0], tasks[other]),
        "start all ranks with the same command",
    ))
}

/// The arguments of this rank and the tasks of all, if the arguments of every rank are valid. Otherwise the exit code for
/// all ranks; the first rank with invalid arguments prints why, once, as usually all ranks have the same.
fn valid_on_all_ranks<P: Program>(world: &World, parsed: Result<P, clap::Error>) -> Result<(P, Vec<String>), ExitCode> {
    let said = match &parsed {
        Ok(program) => format!("{RUNS}{}", program.task()),
        Err(invalid) => invalid.exit_code().to_string(),
    };
    let said = world.all_gather(&said);
    let first_invalid = said.iter().position(|said| !said.starts_with(RUNS));
    match (parsed, first_invalid) {
        (Ok(program), None) => Ok((program, said.iter().map(|said| said[RUNS.len()..].to_owned()).collect())),
        (parsed, first_invalid) => {
            if let Some(invalid) = parsed.err().filter(|_| first_invalid == Some(world.rank())) {
                // Nothing can be done where standard error is closed.
                let _ = invalid.print();
            }
            Err(first_invalid.and_then(|rank| said[rank].parse::<u8>().ok()).unwrap_or(2).into())
        }
    }
}

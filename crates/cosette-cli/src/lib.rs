//! The command `cosette`, and what other commands share with it: options, answers, errors, bars, Ctrl-C.
//!
//! `cosette-mpi` takes `solve` and `batch` from here and has many machines do the work.
//!
//! | file | what it holds |
//! |---|---|
//! | `args` | options that several subcommands share |
//! | `solve/` | `cosette solve`: positions in, answers out, as text or JSON |
//! | `batch/` | `cosette batch`: many positions, a journal, statistics |
//! | `tables/` | `cosette tables`: what is on disk, filling, verifying, removing |
//! | `bench/` | `cosette bench`: what this machine does, as text or as records |
//! | `lab/` | `cosette lab`: the founding systems and their papers |
//! | `scramble` | `cosette scramble`: random positions and sequences |
//! | `manual` | `cosette completions` and `cosette man` |
//! | `lines` | positions in standard input or in a file, one a line |
//! | `store` | tables loaded, filled and saved before the user's eyes |
//! | `bars` | what the terminal shows meanwhile |
//! | `interrupt` | Ctrl-C and time limits |
//! | `failure`, `exit` | what went wrong, and the exit code |

pub mod args;
pub mod bars;
pub mod batch;
mod bench;
pub mod exit;
pub mod failure;
pub mod interrupt;
mod lab;
mod lines;
mod manual;
mod scramble;
pub mod solve;
pub mod store;
mod tables;

pub use bench::circumstances;
use clap::{Parser, Subcommand};
use exit::Exit;
use failure::Failure;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use tracing::Level;

/// Proves the shortest solution of any Rubik's Cube position.
///
/// The first solve fills a pruning table of 240 MB in some seconds and keeps it; `cosette tables gen 2G` fills one that
/// makes every later solve some eight times as fast.
#[derive(Parser)]
#[command(name = "cosette", version, max_term_width = 100, after_help = exit::HELP)]
pub struct Cosette {
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
    Scramble(scramble::ScrambleArgs),
    Tables(tables::TablesArgs),
    Bench(bench::BenchArgs),
    Lab(lab::LabArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

/// What the command does, from its arguments to its exit code.
pub fn main() -> ExitCode {
    let cosette = Cosette::parse();
    begin(cosette.verbose);
    end(match &cosette.command {
        Command::Solve(args) => solve::run(args),
        Command::Batch(args) => batch::run(args),
        Command::Scramble(args) => scramble::run(args),
        Command::Tables(args) => tables::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
    })
}

/// What a command does first: it starts its log, chooses how errors look, and listens for Ctrl-C.
pub fn begin(verbose: u8) {
    start_log(verbose);
    failure::choose_style();
    interrupt::listen();
}

/// What a command does last: it reports what went wrong, and gives the exit code.
pub fn end(result: Result<Exit, Failure>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(failure) if failure.is_closed_pipe() => Exit::Solved.into(),
        Err(failure) => {
            let exit = failure.exit();
            failure.report();
            exit.into()
        }
    }
}

fn start_log(verbose: u8) {
    let level = match verbose {
        0 => Level::WARN,
        1 => Level::INFO,
        _ => Level::DEBUG,
    };
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .without_time()
        .with_ansi(colours)
        .with_writer(io::stderr)
        .init();
}

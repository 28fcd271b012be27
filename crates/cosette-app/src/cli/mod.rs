//! Shared parts of the commands: options, output, errors, progress bars, Ctrl-C.
//!
//! | module | contents |
//! |---|---|
//! | [`args`] | options shared by several subcommands |
//! | [`solve`] | positions in, results out, as text or JSON |
//! | [`batch`] | many positions, with a journal |
//! | `cosets` | the levels of a coset, and lists of cosets, with a journal |
//! | [`lines`] | reading positions from standard input or a file, one per line |
//! | [`tables`] | loading, generating and saving tables, with progress bars |
//! | [`interrupt`] | Ctrl-C |
//! | [`stderr`] | messages and progress bars on standard error |
//! | [`failure`] | errors and exit codes |
//! | [`machine`] | description of the machine and the build, for measurements |

pub mod args;
pub mod batch;
#[cfg(target_pointer_width = "64")]
pub mod cosets;
pub mod failure;
pub mod interrupt;
pub mod lines;
pub mod machine;
pub mod solve;
pub mod stderr;
pub mod tables;

use anstyle::Style;
use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Args, ColorChoice, Parser};
use failure::{Exit, Failure};
use std::io;
use std::process::ExitCode;
use tracing::Level;

/// Style of headings and solutions.
pub const BOLD: Style = Style::new().bold();

/// Style of secondary text.
pub const DIM: Style = Style::new().dimmed();

/// Parses the arguments of a command.
///
/// # Errors
///
/// Returns a usage error if arguments are invalid. It names the allowed values.
pub fn parse<P: Parser>() -> Result<P, clap::Error> {
    let mut command = prepared(P::command());
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.map_err(|error| {
        // Only after `build` does a command format its options as errors do.
        command.build();
        with_variable_name(error, &command)
    });
    parsed.and_then(|mut matches: ArgMatches| {
        P::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut command))
    })
}

/// Prepares the options of `command` and its subcommands: they accept negative numbers as values,
/// so that such a value is rejected as invalid and not as an unknown option; and an empty
/// environment variable counts as unset.
fn prepared(command: clap::Command) -> clap::Command {
    let accept_negative = |arg: clap::Arg| {
        if arg.get_action().takes_values() {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    };
    let is_empty = |arg: &clap::Arg| {
        arg.get_env()
            .and_then(std::env::var_os)
            .is_some_and(|value| value.is_empty())
    };
    let unset_if_empty = |arg: clap::Arg| {
        if is_empty(&arg) {
            arg.env(Resettable::Reset)
        } else {
            arg
        }
    };
    command
        .mut_args(|arg| unset_if_empty(accept_negative(arg)))
        .mut_subcommands(prepared)
}

/// Adds to an error about an option the name of the environment variable that may have set it.
fn with_variable_name(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(variable) = variable_of(option, command)
    {
        let named = format!("{option} (or {variable})");
        error.insert(ContextKind::InvalidArg, ContextValue::String(named));
    }
    error
}

/// Returns the environment variable of an option, if it is set. `option` is written as in errors,
/// and belongs to `command` or to one of its subcommands.
fn variable_of(option: &str, command: &clap::Command) -> Option<String> {
    let variable = |arg: &clap::Arg| {
        let variable = arg
            .get_env()
            .filter(|variable| arg.to_string() == option && std::env::var_os(variable).is_some());
        variable.map(|variable| variable.display().to_string())
    };
    let mut subcommands = command.get_subcommands();
    command
        .get_arguments()
        .find_map(variable)
        .or_else(|| subcommands.find_map(|command| variable_of(option, command)))
}

/// The `--color` option.
#[derive(Args)]
pub struct ColorArgs {
    /// Color the output: auto, always or never; auto colors output to a terminal unless NO_COLOR is
    /// set
    #[arg(
        long,
        global = true,
        display_order = 101,
        value_name = "WHEN",
        default_value_t,
        hide_possible_values = true
    )]
    color: ColorChoice,
}

impl ColorArgs {
    /// Applies the option to all output.
    pub fn apply(&self) {
        let chosen = match self.color {
            ColorChoice::Auto => return,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        chosen.write_global();
    }
}

/// Returns `true` if standard error is colored.
fn is_stderr_colored() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Starts a command: starts the log, and listens for Ctrl-C.
pub fn start(verbose: u8) {
    start_log(verbose);
    interrupt::listen();
}

/// Finishes a command: reports an error, and returns the exit code.
pub fn finish(result: Result<Exit, Failure>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(failure) if failure.is_closed_pipe() => Exit::Success.into(),
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
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .without_time()
        .with_ansi(is_stderr_colored())
        // If the log cannot be written, reporting that would fail as well, and panic.
        .log_internal_errors(false)
        .with_writer(io::stderr)
        .init();
}

//! What the commands share: options, answers, errors, progress bars, Ctrl-C.
//!
//! | module | what it holds |
//! |---|---|
//! | [`args`] | options of several subcommands |
//! | [`solve`] | positions in, answers out, as text or JSON |
//! | [`batch`] | many positions, a journal |
//! | `cosets`, `coset_list` | the levels of whole cosets, and what is left after them; of many, with a journal |
//! | [`lines`] | positions in standard input or in a file, one per line |
//! | [`tables`] | tables loaded, generated and saved, with progress bars |
//! | [`interrupt`] | Ctrl-C |
//! | [`stderr`] | messages and progress bars on standard error |
//! | [`failure`] | what went wrong, and the exit code |
//! | [`machine`] | this machine and this build, as measurements name them |

pub mod args;
pub mod batch;
#[cfg(target_pointer_width = "64")]
pub mod coset_list;
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

/// How headings and solutions look.
pub const BOLD: Style = Style::new().bold();

/// How what is less important looks.
pub const DIM: Style = Style::new().dimmed();

/// Reads the arguments of a command. Fails if they are wrong; then the error says what is allowed.
pub fn parse<P: Parser>() -> Result<P, clap::Error> {
    let mut command = taking_negative_numbers(P::command());
    let parsed = command.try_get_matches_from_mut(std::env::args_os());
    let parsed = parsed.map_err(|error| {
        // Only then its options can be written as errors write them.
        command.build();
        naming_variable(error, &command)
    });
    parsed.and_then(|mut matches: ArgMatches| P::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut command)))
}

/// A command whose options take negative numbers for what they are: a value that is refused, not an unknown option. A variable
/// of the environment that is empty is not set.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let takes = |arg: clap::Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    let is_empty = |arg: &clap::Arg| arg.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    let unset = |arg: clap::Arg| if is_empty(&arg) { arg.env(Resettable::Reset) } else { arg };
    command.mut_args(|arg| unset(takes(arg))).mut_subcommands(taking_negative_numbers)
}

/// The error about an option, which names the variable of the environment that may have given it.
fn naming_variable(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some(variable) = variable_of(option, command)
    {
        let named = format!("{option} (or {variable})");
        error.insert(ContextKind::InvalidArg, ContextValue::String(named));
    }
    error
}

/// The variable of the environment that is set for an option, as errors write it, of a command or of one of its subcommands.
fn variable_of(option: &str, command: &clap::Command) -> Option<String> {
    let variable = |arg: &clap::Arg| {
        let variable =
            arg.get_env().filter(|variable| arg.to_string() == option && std::env::var_os(variable).is_some());
        variable.map(|variable| variable.display().to_string())
    };
    let mut subcommands = command.get_subcommands();
    command.get_arguments().find_map(variable).or_else(|| subcommands.find_map(|command| variable_of(option, command)))
}

/// Whether output is coloured.
#[derive(Args)]
pub struct ColorArgs {
    /// Colour the output; auto does where it is shown on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, display_order = 101, value_name = "WHEN", default_value_t, hide_possible_values = true)]
    color: ColorChoice,
}

impl ColorArgs {
    /// Has all output follow this.
    pub fn apply(&self) {
        let chosen = match self.color {
            ColorChoice::Auto => return,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        chosen.write_global();
    }
}

/// Whether standard error is coloured.
fn is_stderr_coloured() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// What a command does first: starts the log, chooses how errors look, and listens for Ctrl-C.
pub fn start(verbose: u8) {
    start_log(verbose);
    failure::choose_style(is_stderr_coloured());
    interrupt::listen();
}

/// What a command does last: reports an error, and returns the exit code.
pub fn finish(result: Result<Exit, Failure>) -> ExitCode {
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
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .without_time()
        .with_ansi(is_stderr_coloured())
        // Where the log cannot be written, the complaint would fail too, and panic.
        .log_internal_errors(false)
        .with_writer(io::stderr)
        .init();
}

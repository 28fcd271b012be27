//! The end of a command: exit codes, and error reports with the fault, its location in the text and
//! the remedy.

use crate::batch::{BatchError, ListLine};
use crate::cli::stderr::tell;
use crate::events::SolveFailure;
use crate::journal::JournalError;
use crate::remedies::{self, Audience, worded};
use crate::solve_result::InvalidSolution;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use cosette::Remedy;
use cosette::cube::{Input, ParseError, is_displayable};
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette::table::TableError;
use cosette::table::choice::OpenError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit codes, for the end of `cosette --help`.
pub const EXIT_CODES: &str = "Exit codes: 0 success; 1 error; 2 usage error; 3 not a cube; 4 \
    stopped at a limit; 130 interrupted (128 + n by signal n: 143 by SIGTERM, 129 by SIGHUP).";

/// The last signal that requested the end of the command. It is initially 2, the signal of Ctrl-C.
static SIGNAL: AtomicU8 = AtomicU8::new(2);

/// Records the signal that ends the command, for its exit code: 128 plus the signal.
#[cfg(unix)]
pub(super) fn remember_signal(signal: u8) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// The outcome of a command. With several positions, the last of their outcomes in this order
/// counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exit {
    /// The request is fully answered.
    Success,
    /// The search stopped at a limit, and the bounds proven until then are printed; or the goal is
    /// unreachable.
    Limit,
    /// Invalid input: a text is not a position of the cube.
    NotACube,
    /// An error.
    Error,
    /// Stopped by Ctrl-C or another signal; the bounds proven until then are printed.
    Interrupted,
}

impl Exit {
    /// Returns the exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Error => 1,
            // 2 is for usage errors, with which the argument parser ends the command itself.
            Exit::NotACube => 3,
            Exit::Limit => 4,
            Exit::Interrupted => 128 + SIGNAL.load(Ordering::Relaxed),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<&SolveResult> for Exit {
    fn from(result: &SolveResult) -> Exit {
        match result.stop_reason {
            None if result.unreachable.is_some() => Exit::Limit,
            None => Exit::Success,
            Some(StopReason::Interrupt) => Exit::Interrupted,
            Some(_) => Exit::Limit,
        }
    }
}

/// The error of a command.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A text is not a position of the cube.
    #[error("{place}{}", error.message(), place = line_prefix(text.line))]
    NotACube {
        /// The fault of the text.
        error: ParseError,
        /// The text.
        text: Box<InputText>,
    },
    /// A table could not be chosen, generated, saved or used.
    #[error(transparent)]
    Table(#[from] OpenError),
    /// A journal cannot be used, no thread can be started, or a result is wrong.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// Standard output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// Another error, or an error of another process.
    #[error("{0}")]
    Other(ErrorReport),
}

impl Failure {
    /// Creates an error with a message and a remedy.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Other(ErrorReport {
            message: message.into(),
            help: Some(help.into()),
            exit: Exit::Error,
        })
    }

    /// Returns a function that creates the error that the requested file or directory cannot be
    /// written.
    pub fn unwritable(path: &Path) -> impl Fn(io::Error) -> Failure {
        move |error| {
            Failure::new(
                format!("cannot write to {}: {error}", path.display()),
                "use a writable path",
            )
        }
    }

    /// Returns the exit code of this error.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::NotACube { .. } => Exit::NotACube,
            Failure::Table(error) if error.is_cancellation() => Exit::Interrupted,
            Failure::Other(report) => report.exit,
            _ => Exit::Error,
        }
    }

    /// Returns `true` if the reader has closed the output, e.g. in `cosette scramble | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the remedy.
    pub fn remedy(&self) -> Option<String> {
        match self {
            Failure::NotACube { error, .. } => Some(error.help()),
            Failure::Table(error) => error
                .remedy()
                .map(|remedy| worded(&remedy, Audience::Command)),
            Failure::Batch(BatchError::Journal(error)) => error.help(),
            Failure::Batch(BatchError::Threads(_)) => {
                Some(worded(&Remedy::RaiseLimits, Audience::Command))
            }
            Failure::Batch(_) => Some(remedies::INTERNAL_ERROR.into()),
            Failure::Other(report) => report.help.clone(),
            Failure::Output(_) => None,
        }
    }

    /// Returns the error of a text that is not a position, as in JSON output; `None` for another
    /// error.
    pub fn solve_failure(&self) -> Option<SolveFailure> {
        match self {
            Failure::NotACube { error, text } => Some(SolveFailure::unreadable(
                &text.text,
                text.name.as_deref(),
                text.line,
                error,
            )),
            _ => None,
        }
    }

    /// Prints the error to standard error: the message, the fault in its text, and the remedy.
    pub fn report(self) {
        let message = Level::ERROR.primary_title(printable(&self.to_string()));
        let mut report = Group::with_title(message);
        if let Failure::NotACube { error, text } = &self
            && !text.text.trim().is_empty()
        {
            report = report.element(snippet(error, text));
        }
        let renderer = Renderer::styled();
        tell(renderer.render(&[report]));
        if let Some(help) = self.remedy() {
            let help = Level::HELP.secondary_title(printable(&help));
            tell(renderer.render(&[Group::with_title(help)]));
        }
    }
}

/// Returns a text with the fault marked, for the renderer, which shows only the part of a long line
/// around the fault.
fn snippet<'a>(error: &ParseError, text: &InputText) -> Snippet<'a, Annotation<'a>> {
    let source = printable(&text.text);
    let span = error.span();
    let end = (span.start + MAX_MARKED..span.end)
        .find(|&byte| source.is_char_boundary(byte))
        .unwrap_or(span.end);
    Snippet::source(source)
        .line_start(text.line.unwrap_or(1))
        .annotation(AnnotationKind::Primary.span(span.start..end))
}

/// An error as a message: from another process, or specific to one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// The message.
    pub message: String,
    /// The remedy.
    pub help: Option<String>,
    /// The exit code.
    pub exit: Exit,
}

impl fmt::Display for ErrorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl From<Failure> for ErrorReport {
    fn from(failure: Failure) -> ErrorReport {
        ErrorReport {
            message: failure.to_string(),
            help: failure.remedy(),
            exit: failure.exit(),
        }
    }
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::Table(error.into())
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Failure {
        Failure::Batch(error.into())
    }
}

impl From<InvalidSolution> for Failure {
    fn from(error: InvalidSolution) -> Failure {
        Failure::Batch(error.into())
    }
}

/// A text from which a position is read.
#[derive(Clone, Debug)]
pub struct InputText {
    /// The text.
    pub text: String,
    /// Its line number in standard input or in a list, counted from one.
    pub line: Option<usize>,
    /// The name of the position.
    pub name: Option<String>,
    /// The error of the text, if it is already known not to be a position.
    pub fault: Option<ParseError>,
}

impl InputText {
    /// Reads the position with `read`.
    ///
    /// # Errors
    ///
    /// The error of `read`, or the known [fault](Self::fault) of the text.
    pub fn read(
        &self,
        read: impl FnOnce(&str) -> Result<Input, ParseError>,
    ) -> Result<Input, Failure> {
        let input = self.fault.clone().map_or_else(|| read(&self.text), Err);
        input.map_err(|error| Failure::NotACube {
            error,
            text: Box::new(self.clone()),
        })
    }
}

impl From<ListLine> for InputText {
    fn from(
        ListLine {
            number,
            name,
            text,
            fault,
        }: ListLine,
    ) -> InputText {
        InputText {
            text,
            line: Some(number),
            name,
            fault,
        }
    }
}

impl From<String> for InputText {
    fn from(text: String) -> InputText {
        InputText {
            text,
            line: None,
            name: None,
            fault: None,
        }
    }
}

/// Returns a text that is safe to print: a character that is not displayable is replaced by one
/// with as many bytes, so that byte ranges remain valid.
fn printable(text: &str) -> String {
    let replaced = |char: char| match char.len_utf8() {
        _ if is_displayable(char) || matches!(char, '\n' | '\t') => char,
        1 => '?',
        2 => '¿',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(replaced).collect()
}

/// Maximum number of bytes marked as the fault. The renderer does not shorten the mark.
const MAX_MARKED: usize = 100;

fn line_prefix(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

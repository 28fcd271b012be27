//! The end of a command: exit codes, and error reports with the fault, its location in the text and
//! the remedy.

use crate::answer::{Answer, InvalidSolution, StopReason};
use crate::batch::{BatchError, JournalError, Line};
use crate::cli::stderr::tell;
use crate::json::{SolveFailure, SolveResult};
use crate::remedies::{self, Audience, worded};
use cosette::Remedy;
use cosette::cube::{Input, ParseError, is_displayable};
use cosette::table::TableError;
use cosette::table::choice::OpenError;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteHandlerOpts, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit codes, for the end of `cosette --help`.
pub const EXIT_CODES: &str = "Exit codes: 0 success; 1 error; 2 usage error; 3 not a cube; 4 stopped at a limit; 130 interrupted (128 + n by signal n: 143 by SIGTERM, 129 by SIGHUP).";

/// The last signal that requested the end of the command: Ctrl-C, unless there was another.
static SIGNAL: AtomicU8 = AtomicU8::new(2);

/// Records the signal that ends the command, for its exit code: 128 plus the signal.
#[cfg(unix)]
pub(super) fn remember_signal(signal: u8) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// The outcome of a command. With several positions, the last outcome in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exit {
    /// Success: the request is fully answered.
    Solved,
    /// Stopped at a limit; the bounds proven until then are printed.
    Limit,
    /// Invalid input: a text is not a position of the cube.
    NotACube,
    /// An error.
    Error,
    /// Stopped by Ctrl-C; the bounds proven until then are printed.
    Interrupted,
}

impl Exit {
    /// Returns the exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Solved => 0,
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

impl Exit {
    /// Returns the outcome of a result.
    pub fn of(answer: &SolveResult) -> Exit {
        match answer.stop_reason.as_deref() {
            None if answer.unreachable.is_some() => Exit::Limit,
            None => Exit::Solved,
            Some(stop) if stop == StopReason::Interrupt.name() => Exit::Interrupted,
            Some(_) => Exit::Limit,
        }
    }
}

impl From<&Answer<'_>> for Exit {
    fn from(answer: &Answer<'_>) -> Exit {
        match answer.stop_reason {
            None => Exit::Solved,
            Some(StopReason::MaxLength | StopReason::Timeout | StopReason::Memory) => Exit::Limit,
            Some(StopReason::Interrupt) => Exit::Interrupted,
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
    /// The journal of a batch cannot be used, or a result is wrong.
    #[error("{}", batch_error(.0))]
    Batch(#[from] BatchError),
    /// Standard output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// Another error, or one of another process.
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
            Failure::Batch(BatchError::Journal(error)) => error.remedy(),
            Failure::Batch(BatchError::Threads(_)) => {
                Some(worded(&Remedy::RaiseLimits, Audience::Command))
            }
            Failure::Batch(_) => Some(remedies::INTERNAL_ERROR.into()),
            Failure::Other(report) => report.help.clone(),
            Failure::Output(_) => None,
        }
    }

    /// Returns the fault of a text as JSON.
    pub fn not_solved(&self) -> Option<SolveFailure> {
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

    /// Prints the error to standard error.
    pub fn report(mut self) {
        match &mut self {
            Failure::NotACube { text, .. } => text.text = printable(&text.text),
            // A file name may contain any characters.
            other => {
                let message = printable(&other.to_string());
                let help = other.remedy().map(|help| printable(&help));
                self = Failure::Other(ErrorReport {
                    message,
                    help,
                    exit: other.exit(),
                });
            }
        }
        tell(format_args!("{:?}", miette::Report::new(self)));
    }
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

impl Diagnostic for Failure {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.remedy()?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self {
            Failure::NotACube { text, .. } if !text.text.trim().is_empty() => Some(&**text),
            _ => None,
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        match self {
            Failure::NotACube { error, text } => {
                let span = error.span();
                let shown =
                    span.start..boundary(&text.text, span.end.min(span.start + MAX_WIDTH - BEFORE));
                Some(Box::new(std::iter::once(LabeledSpan::new_with_span(
                    None, shown,
                ))))
            }
            _ => None,
        }
    }
}

/// A text from which a position is read.
#[derive(Clone, Debug)]
pub struct InputText {
    /// The text.
    pub text: String,
    /// Its line in standard input, counted from one.
    pub line: Option<usize>,
    /// The name of the position.
    pub name: Option<String>,
    /// The error, if the list is known to have an invalid position here.
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

impl From<Line> for InputText {
    fn from(
        Line {
            number,
            name,
            text,
            fault,
        }: Line,
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

impl SourceCode for InputText {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let found = self.text.read_span(span, before, after)?;
        let line = found.line() + self.line.map_or(0, |line| line - 1);
        let (shown, column) = window(&self.text, *found.span(), span);
        let data = &self.text.as_bytes()[shown.offset()..shown.offset() + shown.len()];
        let column = found.column() + column;
        Ok(Box::new(MietteSpanContents::new(
            data,
            shown,
            line,
            column,
            found.line_count(),
        )))
    }
}

/// Returns a text that is safe to print: a character that is not displayable is replaced by one
/// with as many bytes.
fn printable(text: &str) -> String {
    let replaced = |char: char| match char.len_utf8() {
        _ if is_displayable(char) || matches!(char, '\n' | '\t') => char,
        1 => '?',
        2 => '¿',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(replaced).collect()
}

/// The maximum number of bytes shown of a long line, and of these before the error. The renderer
/// fails beyond 65,535 columns.
const MAX_WIDTH: usize = 160;
const BEFORE: usize = 60;

/// Returns the last character boundary at or before `byte`.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte)
        .rev()
        .find(|&byte| text.is_char_boundary(byte))
        .unwrap_or(0)
}

/// Returns the part of `found` to show if that is long, around the beginning of `span`, and the
/// number of bytes of `found` before it.
fn window(text: &str, found: SourceSpan, span: &SourceSpan) -> (SourceSpan, usize) {
    if found.len() <= MAX_WIDTH {
        return (found, 0);
    }
    let end_of_found = found.offset() + found.len();
    let start = boundary(
        text,
        found.offset().max(span.offset().saturating_sub(BEFORE)),
    );
    let end = boundary(text, end_of_found.min(start + MAX_WIDTH));
    (SourceSpan::from(start..end), start - found.offset())
}

fn batch_error(error: &BatchError) -> String {
    match error {
        BatchError::Journal(error) => error.worded(),
        error => error.to_string(),
    }
}

fn line_prefix(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

/// Chooses the style of errors: colored or not; wrapped at the width of a terminal, not wrapped
/// elsewhere. Every message includes its cause.
pub fn choose_style(colored: bool) {
    let fold = io::stderr().is_terminal();
    let options = move || {
        MietteHandlerOpts::new()
            .without_cause_chain()
            .wrap_lines(fold)
            .color(colored)
    };
    let handler = move |_: &_| Box::new(options().build()) as Box<_>;
    miette::set_hook(Box::new(handler)).expect("the style is chosen once");
}

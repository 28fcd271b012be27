//! How a command ends: exit codes, and errors as it reports them: what went wrong, where in the text, and how to fix it.

use crate::answer::{Answer, Mismatch, Stop};
use crate::batch::{BatchError, JournalError, Line};
use crate::cli::stderr::tell;
use crate::json::{NotSolved, Solve};
use crate::remedies::{self, Audience, worded};
use cosette::Remedy;
use cosette::cube::{Input, ReadError, is_displayable};
use cosette::table::TableError;
use cosette::table::choice::OpenError;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteHandlerOpts, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit codes, as `cosette --help` describes them.
pub const EXIT_CODES: &str = "Exit codes: 0 done; 1 error; 2 usage; 3 not a cube; 4 stopped at a limit; 130 interrupted (128 + n by signal n: 143 by SIGTERM, 129 by SIGHUP).";

/// The last signal that asked the command to end: Ctrl-C, unless there was another.
static SIGNAL: AtomicU8 = AtomicU8::new(2);

/// Remembers which signal asks the command to end, for its exit code: 128 more.
#[cfg(unix)]
pub(super) fn remember_signal(signal: u8) {
    SIGNAL.store(signal, Ordering::Relaxed);
}

/// How the command ends. Where several positions end differently, the last in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exit {
    /// Everything asked for is done.
    Solved,
    /// Stopped at a limit; what is proven so far is printed.
    Limit,
    /// A text is not a position of the cube.
    NotACube,
    /// An error.
    Error,
    /// Stopped by Ctrl-C; what is proven so far is printed.
    Interrupted,
}

impl Exit {
    /// The code, as the shell sees it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Solved => 0,
            Exit::Error => 1,
            // 2 is for usage, and the argument parser ends the command itself.
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
    /// What tells how the search of an answer ended.
    pub fn of(answer: &Solve) -> Exit {
        match answer.stopped.as_deref() {
            None if answer.unreachable.is_some() => Exit::Limit,
            None => Exit::Solved,
            Some(stop) if stop == Stop::Interrupt.name() => Exit::Interrupted,
            Some(_) => Exit::Limit,
        }
    }
}

impl From<&Answer<'_>> for Exit {
    fn from(answer: &Answer<'_>) -> Exit {
        match answer.stopped {
            None => Exit::Solved,
            Some(Stop::MaxLength | Stop::Timeout | Stop::Memory) => Exit::Limit,
            Some(Stop::Interrupt) => Exit::Interrupted,
        }
    }
}

/// Why the command could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The text is not a position of the cube.
    #[error("{place}{}", error.message(), place = line_prefix(text.line))]
    NotACube {
        /// What is wrong with it.
        error: ReadError,
        /// The text.
        text: Box<InputText>,
    },
    /// A table could not be chosen, generated, saved or used.
    #[error(transparent)]
    Table(#[from] OpenError),
    /// The journal of a batch cannot be used, or an answer is wrong.
    #[error("{}", batch_error(.0))]
    Batch(#[from] BatchError),
    /// Standard output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// Something else, or in another process.
    #[error("{0}")]
    Other(ErrorReport),
}

impl Failure {
    /// An error in words, and how to fix it.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Other(ErrorReport { message: message.into(), help: Some(help.into()), exit: Exit::Error })
    }

    /// The error that a file, or a folder, asked for cannot be written.
    pub fn unwritable(path: &Path) -> impl Fn(io::Error) -> Failure {
        move |error| {
            Failure::new(format!("cannot write to {}: {error}", path.display()), "name one that can be written to")
        }
    }

    /// The exit code for this.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::NotACube { .. } => Exit::NotACube,
            Failure::Table(error) if error.is_cancellation() => Exit::Interrupted,
            Failure::Other(report) => report.exit,
            _ => Exit::Error,
        }
    }

    /// Whether the reader of the output has closed it, as in `cosette scramble | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// How to fix it.
    pub fn remedy(&self) -> Option<String> {
        match self {
            Failure::NotACube { error, .. } => Some(error.help()),
            Failure::Table(error) => error.remedy().map(|remedy| worded(&remedy, Audience::Command)),
            Failure::Batch(BatchError::Journal(error)) => error.remedy(),
            Failure::Batch(BatchError::Threads(_)) => Some(worded(&Remedy::RaiseLimits, Audience::Command)),
            Failure::Batch(_) => Some(remedies::INTERNAL_ERROR.into()),
            Failure::Other(report) => report.help.clone(),
            Failure::Output(_) => None,
        }
    }

    /// What is wrong with a text, as JSON.
    pub fn not_solved(&self) -> Option<NotSolved> {
        match self {
            Failure::NotACube { error, text } => {
                Some(NotSolved::unreadable(&text.text, text.name.as_deref(), text.line, error))
            }
            _ => None,
        }
    }

    /// Shows it on standard error.
    pub fn report(mut self) {
        match &mut self {
            Failure::NotACube { text, .. } => text.text = printable(&text.text),
            // The name of a file may hold anything.
            other => {
                let (message, help) = (printable(&other.to_string()), other.remedy().map(|help| printable(&help)));
                self = Failure::Other(ErrorReport { message, help, exit: other.exit() });
            }
        }
        tell(format_args!("{:?}", miette::Report::new(self)));
    }
}

/// An error in words: from another process, or from a part of one command only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorReport {
    /// What went wrong.
    pub message: String,
    /// How to fix it.
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
        ErrorReport { message: failure.to_string(), help: failure.remedy(), exit: failure.exit() }
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

impl From<Mismatch> for Failure {
    fn from(error: Mismatch) -> Failure {
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
                let shown = span.start..boundary(&text.text, span.end.min(span.start + LONGEST - BEFORE));
                Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, shown))))
            }
            _ => None,
        }
    }
}

/// A text that a position was read from.
#[derive(Clone, Debug)]
pub struct InputText {
    /// The text.
    pub text: String,
    /// Its line in standard input, counted from one.
    pub line: Option<usize>,
    /// The name of the position.
    pub name: Option<String>,
    /// Why it is no position, where that is known from its list.
    pub fault: Option<ReadError>,
}

impl InputText {
    /// Reads the position with `read`. Fails as it does, or if the text is known to be no position.
    pub fn read(&self, read: impl FnOnce(&str) -> Result<Input, ReadError>) -> Result<Input, Failure> {
        let input = self.fault.clone().map_or_else(|| read(&self.text), Err);
        input.map_err(|error| Failure::NotACube { error, text: Box::new(self.clone()) })
    }
}

impl From<Line> for InputText {
    fn from(Line { number, name, text, fault }: Line) -> InputText {
        InputText { text, line: Some(number), name, fault }
    }
}

impl From<String> for InputText {
    fn from(text: String) -> InputText {
        InputText { text, line: None, name: None, fault: None }
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
        Ok(Box::new(MietteSpanContents::new(data, shown, line, column, found.line_count())))
    }
}

/// A text as a terminal may show it: a character that the terminal would obey is replaced by one of as many bytes.
fn printable(text: &str) -> String {
    let replaced = |char: char| match char.len_utf8() {
        _ if is_displayable(char) || matches!(char, '\n' | '\t') => char,
        1 => '?',
        2 => '¿',
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(replaced).collect()
}

/// The bytes that are shown of a long line: at most so many, and of these before the error. The renderer fails beyond
/// 65,535 columns.
const LONGEST: usize = 160;
const BEFORE: usize = 60;

/// The last boundary of characters up to this byte.
fn boundary(text: &str, byte: usize) -> usize {
    (0..=byte).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0)
}

/// The part of a text that is shown of `found`, if that is long: around the beginning of `span`. And how many bytes of
/// `found` are before it.
fn window(text: &str, found: SourceSpan, span: &SourceSpan) -> (SourceSpan, usize) {
    if found.len() <= LONGEST {
        return (found, 0);
    }
    let end_of_found = found.offset() + found.len();
    let start = boundary(text, found.offset().max(span.offset().saturating_sub(BEFORE)));
    let end = boundary(text, end_of_found.min(start + LONGEST));
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

/// Chooses how errors look: coloured or not, wrapped at the width of a terminal, not wrapped elsewhere. Every message includes
/// its cause.
pub fn choose_style(coloured: bool) {
    let fold = io::stderr().is_terminal();
    let options = move || MietteHandlerOpts::new().without_cause_chain().wrap_lines(fold).color(coloured);
    let handler = move |_: &_| Box::new(options().build()) as Box<_>;
    miette::set_hook(Box::new(handler)).expect("the style is chosen once");
}

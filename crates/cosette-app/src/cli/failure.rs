//! Errors as the commands report them: what went wrong, where in the text, and how to fix it.

use crate::answer::Mismatch;
use crate::batch::{BatchError, JournalError, Line};
use crate::cli::exit::Exit;
use crate::cli::wording;
use crate::json::NotSolved;
use cosette::cube::ReadError;
use cosette::table::TableError;
use cosette::table::choice::OpenError;
use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteHandlerOpts, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Why the command could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The text is not a position of the cube.
    #[error("{place}{}", error.message(), place = line_prefix(text.line))]
    NotACube {
        /// What is wrong with it.
        error: ReadError,
        /// The text.
        text: InputText,
    },
    /// A table could not be generated, saved or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// There is no table to solve with.
    #[error(transparent)]
    Open(OpenError),
    /// Standard input could not be read.
    #[error("cannot read standard input: {0}")]
    Input(io::Error),
    /// A file of positions could not be read.
    #[error("cannot read the positions in {}: {source}", path.display())]
    Positions {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of positions is empty.
    #[error("{} contains no positions", path.display())]
    NoPositions {
        /// The file.
        path: PathBuf,
    },
    /// A file of measurements could not be read.
    #[error("cannot read the records in {}: {source}", path.display())]
    Records {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The journal of a batch cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A batch got a wrong answer.
    #[error(transparent)]
    Batch(BatchError),
    /// Standard output, or a file asked for, could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// Something else, or in another process.
    #[error("{0}")]
    Other(ErrorReport),
    /// A solution does not solve its position.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
}

impl Failure {
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
        Some(match self {
            Failure::NotACube { error, .. } => error.help(),
            Failure::Table(error) => return error.remedy().as_ref().map(wording::remedy_of),
            Failure::Open(error) => return error.remedy().as_ref().map(wording::remedy_of),
            Failure::Positions { .. } => "name a file that can be read, or - for standard input".into(),
            Failure::Records { .. } => "name files that were written with --record".into(),
            Failure::NoPositions { .. } => "write one position per line, as for `cosette solve`".into(),
            Failure::Journal(error) => return wording::journal(error),
            Failure::Mismatch(_) | Failure::Batch(_) => wording::INTERNAL_ERROR.into(),
            Failure::Other(report) => return report.help.clone(),
            Failure::Input(_) | Failure::Output(_) => return None,
        })
    }

    /// What is wrong with a text, as JSON.
    pub fn not_solved(&self) -> Option<NotSolved> {
        match self {
            Failure::NotACube { error, text } => Some(NotSolved::unreadable(&text.text, text.line, error)),
            _ => None,
        }
    }

    /// Shows it on standard error.
    pub fn report(self) {
        anstream::eprintln!("{:?}", miette::Report::new(self));
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

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        match error {
            OpenError::Table(error) => Failure::Table(error),
            error => Failure::Open(error),
        }
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Failure {
        match error {
            BatchError::Journal(error) => Failure::Journal(error),
            BatchError::Mismatch(error) => Failure::Mismatch(error),
            error => Failure::Batch(error),
        }
    }
}

impl Diagnostic for Failure {
    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(self.remedy()?))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        match self {
            Failure::NotACube { text, .. } if !text.text.trim().is_empty() => Some(text),
            _ => None,
        }
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        match self {
            Failure::NotACube { error, .. } => {
                Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, error.span()))))
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
}

impl From<Line> for InputText {
    fn from(Line { number, text }: Line) -> InputText {
        InputText { text, line: Some(number) }
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
        let contents = MietteSpanContents::new(found.data(), *found.span(), line, found.column(), found.line_count());
        Ok(Box::new(contents))
    }
}

fn line_prefix(line: Option<usize>) -> String {
    line.map_or(String::new(), |line| format!("line {line}: "))
}

/// Chooses how errors look: wrapped at the width of a terminal, not wrapped elsewhere. Every message includes its cause.
pub fn choose_style() {
    let fold = io::stderr().is_terminal();
    let handler =
        move |_: &_| Box::new(MietteHandlerOpts::new().without_cause_chain().wrap_lines(fold).build()) as Box<_>;
    miette::set_hook(Box::new(handler)).expect("the style is chosen once");
}

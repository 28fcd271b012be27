//! Why a text does not show a position, and where in the text.
//!
//! Every fault is one sentence in two halves, "what is wrong; how to fix it". [`ReadError`] adds the line and character
//! in front, and returns the halves one by one to a caller that marks the span itself.

use super::fault::Fault;
use super::fault::facelets::FaceletFault;
use super::quoted::escaped;
use super::text::is_blank;
use std::fmt;
use std::ops::Range;

/// Why a text does not show a position, and where in the text.
///
/// Its `Display` is one line: line and character, what is wrong, and how to fix it. A program that marks the span in
/// the text itself uses [`span`](Self::span), [`message`](Self::message) and [`help`](Self::help).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    fault: Fault,
    span: Range<usize>,
    location: Option<Location>,
}

/// Where a span begins, counted from one. The line is `None` if the text has only one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    line: Option<usize>,
    character: usize,
}

impl ReadError {
    pub(super) fn at(text: &str, span: Range<usize>, fault: impl Into<Fault>) -> ReadError {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.contains('\n').then(|| before.matches('\n').count() + 1);
        let location = Location { line, character: before[line_start..].chars().count() + 1 };
        ReadError { fault: fault.into(), span, location: Some(location) }
    }

    pub(super) fn of_whole(text: &str, fault: impl Into<Fault>) -> ReadError {
        let start = text.len() - text.trim_start_matches(is_blank).len();
        let end = text.trim_end_matches(is_blank).len();
        ReadError { fault: fault.into(), span: start.min(end)..end, location: None }
    }

    /// The same error about another text: this span of it.
    pub(super) fn moved_to(self, text: &str, span: Range<usize>) -> ReadError {
        match self.location {
            Some(_) => ReadError::at(text, span, self.fault),
            None => ReadError { span, ..self },
        }
    }

    /// The bytes of the text that the error is about; if it is about the whole text, all but the outer blanks.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What is wrong, without the position in the text and the remedy.
    pub fn message(&self) -> String {
        self.fault.message()
    }

    /// How to fix it.
    pub fn help(&self) -> String {
        self.fault.help()
    }

    /// What is wrong, for a program to act on.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Whether the text was understood but shows a cube that moves cannot reach from the solved one.
    pub fn is_impossible(&self) -> bool {
        match &self.fault {
            Fault::Piece(_) | Fault::Cube(_) => true,
            Fault::Facelets(fault) => !matches!(fault, FaceletFault::Count(_)),
            _ => false,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { line, character }) = self.location {
            if let Some(line) = line {
                write!(f, "line {line}, ")?;
            }
            write!(f, "character {character}: ")?;
        }
        f.write_str(&escaped(&self.fault.to_string()))
    }
}

impl std::error::Error for ReadError {}

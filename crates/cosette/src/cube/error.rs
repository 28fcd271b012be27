//! Errors while parsing a position, with their location in the text.
//!
//! Every message is one sentence in two halves, "what is wrong; how to fix it", written where the
//! text is parsed. [`ParseError`] prefixes the line and character, and returns the halves
//! separately to a caller that marks the span itself.

use super::text::{escaped, is_blank, quoted};
use std::fmt;
use std::ops::Range;

/// An error while parsing a position, with its location in the text.
///
/// Its `Display` is one line: line and character, the problem, and how to fix it. A program that
/// marks the span in the text itself uses [`span`](Self::span), [`message`](Self::message) and
/// [`help`](Self::help):
///
/// ```
/// let text = "R U Q";
/// let error = text.parse::<cosette::Cube>().unwrap_err();
/// assert_eq!(&text[error.span()], "Q");
/// eprintln!("{text}\n    ^ {}; {}", error.message(), error.help());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The problem and the remedy, divided by a semicolon.
    sentence: String,
    span: Range<usize>,
    /// The line and the character at which the span starts; empty if it is the whole text.
    location: String,
    is_impossible: bool,
}

impl ParseError {
    /// Creates an error about a part of the text, from a problem and its remedy with a semicolon
    /// between them.
    pub(super) fn at(text: &str, span: Range<usize>, sentence: impl fmt::Display) -> ParseError {
        ParseError {
            location: location(text, span.start),
            span,
            ..ParseError::new(text, sentence)
        }
    }

    /// Creates an error about a part of the text, which is quoted in place of `{}` in the sentence.
    pub(super) fn quoting(text: &str, span: Range<usize>, sentence: &str) -> ParseError {
        let sentence = sentence.replace("{}", &quoted(&text[span.clone()]));
        ParseError::at(text, span, sentence)
    }

    /// Creates an error about the whole text, from a problem and its remedy with a semicolon
    /// between them. Programs that read lists of positions need it.
    pub fn new(text: &str, sentence: impl fmt::Display) -> ParseError {
        ParseError {
            sentence: escaped(&sentence.to_string()),
            span: 0..0,
            location: String::new(),
            is_impossible: false,
        }
        .about(text)
    }

    /// Marks the error as one about an unsolvable position in a well-formed text.
    pub(super) fn impossible(self) -> ParseError {
        ParseError {
            is_impossible: true,
            ..self
        }
    }

    /// Makes the error refer to the whole of another text.
    pub fn about(self, text: &str) -> ParseError {
        let start = text.len() - text.trim_start_matches(is_blank).len();
        let end = text.trim_end_matches(is_blank).len();
        ParseError {
            span: start.min(end)..end,
            location: String::new(),
            ..self
        }
    }

    /// Moves the error to this span of another text.
    ///
    /// # Panics
    ///
    /// Panics if the span does not begin and end between characters of the text.
    pub fn moved_to(mut self, text: &str, span: Range<usize>) -> ParseError {
        if !self.location.is_empty() {
            self.location = location(text, span.start);
        }
        ParseError { span, ..self }
    }

    /// Returns the byte range to which the error refers. If that is the whole text, the range
    /// excludes outer whitespace.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the problem, without the location in the text and the remedy.
    pub fn message(&self) -> String {
        self.halves().0.to_owned()
    }

    /// Returns the remedy.
    pub fn help(&self) -> String {
        self.halves().1.to_owned()
    }

    /// Returns the two halves of the sentence. The last semicolon divides them: only the first half
    /// quotes parts of the text that may contain one.
    fn halves(&self) -> (&str, &str) {
        self.sentence
            .rsplit_once("; ")
            .expect("every error names its remedy after a semicolon")
    }

    /// Returns `true` if the text is well formed but the position is unsolvable: no sequence of
    /// moves reaches it.
    pub fn is_impossible(&self) -> bool {
        self.is_impossible
    }
}

/// Returns the line and the character of an offset, counted from one; without the line if the text
/// has only one.
fn location(text: &str, offset: usize) -> String {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let character = before[line_start..].chars().count() + 1;
    if text.contains('\n') {
        let line = before.matches('\n').count() + 1;
        format!("line {line}, character {character}: ")
    } else {
        format!("character {character}: ")
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.location, self.sentence)
    }
}

impl std::error::Error for ParseError {}

//! What the formats share: a cursor over the text, tokens that know where they stand, and errors that show it.
//!
//! Every fault is one sentence in two halves, "what is wrong; what mends it". [`ReadError`] adds the place in front, and
//! hands out the halves one by one to a caller who marks the place himself.

use super::assemble::PieceFault;
use super::facelets::FaceletFault;
use super::moves::Face;
use super::notation::MoveFault;
use super::pieces::ReidFault;
use super::position::CubeError;
use super::speffz::SpeffzFault;
use std::fmt;
use std::ops::Range;

/// A piece of the text and the byte it begins at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub text: &'a str,
    pub start: usize,
}

impl Token<'_> {
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub fn span(&self) -> Range<usize> {
        self.start..self.end()
    }

    /// Its first character. No token is empty.
    pub fn symbol(&self) -> char {
        self.text.chars().next().expect("no token is empty")
    }

    pub fn is_number(&self) -> bool {
        self.symbol().is_ascii_digit()
    }
}

/// A place in a text that is read from left to right.
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        self.at = self.text.len() - self.rest().trim_start_matches(wanted).len();
    }

    /// The next `bytes` of the text, which must end between two characters.
    pub fn take(&mut self, bytes: usize) -> Token<'a> {
        let token = Token { text: &self.rest()[..bytes], start: self.at };
        self.at += bytes;
        token
    }

    /// The longest run of characters that are `wanted`; `None` where the next one is not.
    pub fn take_run(&mut self, wanted: impl Fn(char) -> bool) -> Option<Token<'a>> {
        let rest = self.rest();
        let bytes = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        (bytes > 0).then(|| self.take(bytes))
    }

    /// The next character; `None` at the end of the text.
    pub fn take_symbol(&mut self) -> Option<Token<'a>> {
        let symbol = self.rest().chars().next()?;
        Some(self.take(symbol.len_utf8()))
    }
}

/// Whether `c` leaves no mark on paper: blanks of any width, also of none, and the mark that asks for a coloured picture.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe0f}')
}

/// The words of the text, blanks between them.
pub(super) fn words(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || {
        cursor.skip(is_blank);
        cursor.take_run(|c| !is_blank(c))
    })
}

/// The single characters of the text but for blanks.
pub(super) fn symbols(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || {
        cursor.skip(is_blank);
        cursor.take_symbol()
    })
}

/// The face with this capital letter.
pub(super) fn face_named(letter: char) -> Option<Face> {
    Face::ALL.into_iter().find(|face| face.letter() == letter)
}

/// What is wrong with a text that gives no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is nothing but blanks and comments.
    #[error("there is nothing to read; give moves, 54 facelets, Reid's twenty pieces or Speffz cycles")]
    Empty,
    /// It is no move text.
    #[error(transparent)]
    Moves(#[from] MoveFault),
    /// It is no string of facelets.
    #[error(transparent)]
    Facelets(#[from] FaceletFault),
    /// It is no list of Reid's twenty pieces.
    #[error(transparent)]
    Reid(#[from] ReidFault),
    /// It is no list of Speffz cycles.
    #[error(transparent)]
    Speffz(#[from] SpeffzFault),
    /// A slot shows a piece that no cube has.
    #[error(transparent)]
    Piece(#[from] PieceFault),
    /// All pieces exist, but no sequence of moves leads there.
    #[error(transparent)]
    Cube(#[from] CubeError),
}

impl Fault {
    /// What is wrong.
    pub fn message(&self) -> String {
        self.halves().0
    }

    /// How to fix it.
    pub fn help(&self) -> String {
        self.halves().1
    }

    /// The two halves of the sentence. Only the first quotes the text, so the last semicolon divides them.
    fn halves(&self) -> (String, String) {
        let sentence = self.to_string();
        let (message, help) = sentence.rsplit_once("; ").expect("every fault names its remedy after a semicolon");
        (message.to_owned(), help.to_owned())
    }
}

/// Why a text gives no position, and where in the text.
///
/// Its `Display` is one line: the place, what is wrong, and what mends it. A program that marks the place in the text
/// itself uses [`span`](Self::span), [`message`](Self::message) and [`help`](Self::help).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    fault: Fault,
    span: Range<usize>,
    location: Option<Location>,
}

/// Where a span begins, counted from one. The line is left out where the text has only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    line: Option<usize>,
    character: usize,
}

impl ReadError {
    /// An error at `span` of `text`.
    pub(super) fn at(text: &str, span: Range<usize>, fault: impl Into<Fault>) -> ReadError {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text.contains('\n').then(|| before.matches('\n').count() + 1);
        let location = Location { line, character: before[line_start..].chars().count() + 1 };
        ReadError { fault: fault.into(), span, location: Some(location) }
    }

    /// An error of `text` as a whole.
    pub(super) fn of_whole(text: &str, fault: impl Into<Fault>) -> ReadError {
        let start = text.len() - text.trim_start_matches(is_blank).len();
        let end = text.trim_end_matches(is_blank).len();
        ReadError { fault: fault.into(), span: start.min(end)..end, location: None }
    }

    /// The bytes of the text that the error is about; all but the outer blanks where it is about the whole.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// What is wrong, without the place and the remedy.
    pub fn message(&self) -> String {
        self.fault.message()
    }

    /// What mends it.
    pub fn help(&self) -> String {
        self.fault.help()
    }

    /// What is wrong, for a program to act on.
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// Whether the text was understood, but shows something that no sequence of moves makes of a solved cube.
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
        self.fault.fmt(f)
    }
}

impl std::error::Error for ReadError {}

//! What the formats share: a cursor over the text, and tokens that know their position.

use super::moves::Face;
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

/// A text that is read from left to right, and how far it has been read.
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

    /// The longest run of characters that are `wanted`; `None` if the next one is not.
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

/// Whether `c` is invisible: white space of any width, zero width included, and the variation selector of emoji.
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

/// The single characters of the text, blanks left out.
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

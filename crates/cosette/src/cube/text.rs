//! Shared parts of the formats: a cursor over the text, tokens with their offsets, and quotation of
//! texts in errors.

use std::borrow::Cow;
use std::ops::Range;

/// A part of the text, and the offset at which it begins.
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

    /// Returns its first character. No token is empty.
    pub fn symbol(&self) -> char {
        self.text.chars().next().expect("no token is empty")
    }

    pub fn is_number(&self) -> bool {
        self.symbol().is_ascii_digit()
    }
}

/// A text that is read from left to right.
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The offset of the next character.
    offset: usize,
    /// `false` if the rest is known not to contain `*/`, which is then not searched again.
    may_close: bool,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor {
            text,
            offset: 0,
            may_close: true,
        }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    pub fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        self.offset = self.text.len() - self.rest().trim_start_matches(wanted).len();
    }

    /// Takes the next `bytes` of the text, which must end between two characters.
    pub fn take(&mut self, bytes: usize) -> Token<'a> {
        let token = Token {
            text: &self.rest()[..bytes],
            start: self.offset,
        };
        self.offset += bytes;
        token
    }

    /// Takes the longest run of characters that are `wanted`; `None` if the next one is not.
    pub fn take_run(&mut self, wanted: impl Fn(char) -> bool) -> Option<Token<'a>> {
        let rest = self.rest();
        let bytes = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        (bytes > 0).then(|| self.take(bytes))
    }

    /// Takes the comment that begins here: `//`, `#` or the date of csTimer, `@2024-`, to the end
    /// of the line, or `/*` to `*/`; `None` if there is none, or if it does not end.
    pub fn take_comment(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let bytes = match rest.strip_prefix("/*") {
            Some(inside) => {
                let end = if self.may_close {
                    inside.find("*/")
                } else {
                    None
                };
                self.may_close = end.is_some();
                end? + "/**/".len()
            }
            None if rest.starts_with("//") || rest.starts_with('#') || begins_with_date(rest) => {
                rest.find(ends_line).unwrap_or(rest.len())
            }
            None => return None,
        };
        Some(self.take(bytes))
    }

    /// Takes the next character; `None` at the end of the text.
    pub fn take_symbol(&mut self) -> Option<Token<'a>> {
        let symbol = self.rest().chars().next()?;
        Some(self.take(symbol.len_utf8()))
    }
}

/// Returns `true` if `c` is invisible: whitespace, a soft hyphen, a character of zero width, or the
/// variation selector of emoji.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{fe0f}'
        )
}

/// Returns `true` if `c` may stand between moves without meaning.
pub(super) fn is_gap(c: char) -> bool {
    is_blank(c) || c == '_'
}

fn begins_with_date(text: &str) -> bool {
    text.strip_prefix('@')
        .and_then(|date| date.split_once('-'))
        .is_some_and(|(year, _)| year.len() == 4 && year.parse::<u16>().is_ok())
}

/// Returns `true` if a line ends with this character: a line feed, a carriage return, a vertical
/// tab, a form feed, or U+0085, U+2028 or U+2029 of Unicode.
pub fn ends_line(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Returns the span of the text without outer whitespace and enclosing signs. These are back-ticks
/// (around code), stars (around bold text), double quotation marks of any shape, and angle brackets
/// (around an address).
pub(super) fn unwrapped(text: &str) -> Range<usize> {
    const PAIRS: [(char, char); 7] = [
        ('*', '*'),
        ('`', '`'),
        ('"', '"'),
        ('“', '”'),
        ('„', '“'),
        ('«', '»'),
        ('<', '>'),
    ];
    let trimmed = text.trim_matches(is_blank);
    let pair = PAIRS
        .into_iter()
        .find(|&(open, close)| trimmed.starts_with(open) && trimmed.ends_with(close));
    let inside = pair.and_then(|(open, close)| {
        let inside = trimmed.trim_start_matches(open);
        let opened = trimmed.len() - inside.len();
        let inside = inside.trim_end_matches(close);
        // Equally many signs open and close.
        let is_pair =
            opened / open.len_utf8() * close.len_utf8() == trimmed.len() - opened - inside.len();
        (is_pair && !inside.contains([open, close])).then(|| inside.trim_matches(is_blank))
    });
    let inside = inside.unwrap_or(trimmed);
    // The offset of `inside`, which is a part of the text.
    let start = inside.as_ptr() as usize - text.as_ptr() as usize;
    start..start + inside.len()
}

/// Returns the first address in the text that is not in a comment.
pub(super) fn link(text: &str) -> Option<Token<'_>> {
    let mut cursor = Cursor::new(text);
    while !cursor.rest().is_empty() {
        if ["https://", "http://"]
            .iter()
            .any(|scheme| cursor.rest().starts_with(scheme))
        {
            return cursor.take_run(|c| !is_blank(c));
        }
        if cursor.take_comment().is_none() {
            cursor.take_symbol();
        }
    }
    None
}

/// Returns the text with spaces in place of comments and enclosing signs. All other bytes stay in
/// place, also those of leading whitespace, which may indent a net.
pub(super) fn uncommented(text: &str) -> Cow<'_, str> {
    let inside = unwrapped(text);
    let mut cursor = Cursor::new(&text[inside.clone()]);
    let before = text[..inside.start].chars();
    let mut plain: String = before
        .map(|c| {
            if is_blank(c) {
                c.to_string()
            } else {
                " ".repeat(c.len_utf8())
            }
        })
        .collect();
    while !cursor.rest().is_empty() {
        match cursor.take_comment() {
            Some(comment) => plain.push_str(&" ".repeat(comment.text.len())),
            None => plain.extend(cursor.take_symbol().map(|symbol| symbol.text)),
        }
    }
    plain.push_str(&" ".repeat(text.len() - inside.end));
    if plain == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(plain)
    }
}

/// Returns the words of the text, which are separated by whitespace.
pub(super) fn words(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || {
        cursor.skip(is_blank);
        cursor.take_run(|c| !is_blank(c))
    })
}

/// Returns the single characters of the text, without whitespace.
pub(super) fn symbols(text: &str) -> impl Iterator<Item = Token<'_>> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || {
        cursor.skip(is_blank);
        cursor.take_symbol()
    })
}

/// Returns a text as an error message quotes it: escaped, and at most the first 40 characters.
pub fn quoted(text: &str) -> String {
    shortened(text, 40)
}

/// Joins items to a list in a sentence, such as `U, R and F`.
pub fn listed(items: &[String]) -> String {
    match items {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => items.concat(),
    }
}

/// Returns at most the first `max_length` characters of a text, escaped. An ellipsis stands for the
/// others.
pub fn shortened(text: &str, max_length: usize) -> String {
    let end = text
        .char_indices()
        .nth(max_length)
        .map_or(text.len(), |(end, _)| end);
    escaped(&text[..end]) + if end < text.len() { "…" } else { "" }
}

/// Returns a text in which characters that a terminal interprets instead of displaying are escaped,
/// as in `\u{1b}`.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        if is_displayable(char) {
            escaped.push(char)
        } else {
            escaped.extend(char.escape_default())
        }
    }
    escaped
}

/// Returns `true` if a terminal displays a character as it is. Terminals interpret control
/// characters, and marks that change the direction of text.
pub fn is_displayable(char: char) -> bool {
    !char.is_control()
        && !matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        )
        && !('\u{2066}'..='\u{2069}').contains(&char)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;

    #[test]
    fn quotes_are_short_and_cannot_control_a_terminal() {
        assert_eq!(quoted("R U"), "R U");
        assert_eq!(shortened("añb", 2), "añ…");
        let error = "R \u{1b}]0;x\u{7}".parse::<Cube>().unwrap_err();
        for text in [error.message(), error.to_string()] {
            assert!(text.chars().all(is_displayable), "{error}");
        }
        let unsafe_text = "\u{1b}]0;x\u{7}\u{9b}\u{202e}\t";
        assert_eq!(quoted(unsafe_text), r"\u{1b}]0;x\u{7}\u{9b}\u{202e}\t");
    }
}

//! The text as the parser reads it: each sign in one shape, and what encloses the whole left out.
//!
//! | written | read as |
//! |---|---|
//! | full-width letters, digits and signs, as in `Ｒ２` | the usual ones |
//! | an apostrophe or a prime of any shape | `'` |
//! | `R²`, `R⁻¹` | `R2`, `R^-1` |
//! | `…`, `×`, `、`, dashes of any length | `...`, `*`, `,`, `-` |
//!
//! The parser's errors are about this text; [`Plain::located`] finds the same span in the original.

use crate::cube::error::ReadError;
use crate::cube::text::unwrapped;
use std::borrow::Cow;

/// The text as the parser reads it.
pub(super) struct Plain<'a> {
    pub text: Cow<'a, str>,
    original: &'a str,
    origins: Origins,
}

/// Where the bytes of the plain text are in the original.
enum Origins {
    /// At the same place, so much further on.
    Shifted(usize),
    /// That of each byte, and that of the end.
    Each(Vec<usize>),
}

impl<'a> Plain<'a> {
    pub fn of(original: &'a str) -> Plain<'a> {
        let inside = unwrapped(original);
        let text = &original[inside.clone()];
        match text.is_ascii() {
            true => Plain { text: Cow::Borrowed(text), original, origins: Origins::Shifted(inside.start) },
            false => Plain::of_chars(original, text.char_indices().map(|(at, c)| (inside.start + at, c)), inside.end),
        }
    }

    /// These characters of the original, with the byte that each begins at, and the byte that they end before.
    pub fn of_chars(original: &'a str, chars: impl IntoIterator<Item = (usize, char)>, end: usize) -> Plain<'a> {
        let (mut text, mut origins) = (String::new(), Vec::new());
        for (at, c) in chars {
            push_plain(&mut text, c);
            origins.resize(text.len(), at);
        }
        origins.push(end);
        Plain { text: Cow::Owned(text), original, origins: Origins::Each(origins) }
    }

    /// An error about this text, as one about the original.
    pub fn located(&self, error: ReadError) -> ReadError {
        let origin = |byte: usize| match &self.origins {
            Origins::Shifted(bytes) => byte + bytes,
            Origins::Each(origins) => origins[byte],
        };
        let span = error.span();
        error.moved_to(self.original, origin(span.start)..origin(span.end))
    }
}

fn push_plain(text: &mut String, c: char) {
    const FROM_FULL_WIDTH: u32 = '！' as u32 - '!' as u32;
    match c {
        '！'..='～' => text.extend(char::from_u32(c as u32 - FROM_FULL_WIDTH)),
        '’' | '‘' | '‛' | '′' | '‵' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ˈ' => text.push('\''),
        '⁰' => text.push('0'),
        '¹' => text.push('1'),
        '²' => text.push('2'),
        '³' => text.push('3'),
        '⁴'..='⁹' => text.extend(char::from_u32(c as u32 - '⁴' as u32 + '4' as u32)),
        '⁻' => text.push_str("^-"),
        '−' | '‐' | '‑' | '–' | '—' => text.push('-'),
        '…' => text.push_str("..."),
        '×' => text.push('*'),
        '、' => text.push(','),
        other => text.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superscripts_are_digits() {
        let plain = Plain::of("R⁰¹²³⁴⁵⁶⁷⁸⁹");
        assert_eq!(plain.text, "R0123456789");
    }
}

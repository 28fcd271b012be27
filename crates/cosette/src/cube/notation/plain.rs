//! The text as the parser reads it: each sign in one shape, and what encloses the whole left out.
//!
//! | written | read as |
//! |---|---|
//! | full-width letters, digits and signs, as in `Ｒ２` | the usual ones |
//! | an apostrophe or a prime of any shape, also as HTML writes it: `&#39;` | `'` |
//! | `R²`, `R⁻¹` | `R2`, `R^-1` |
//! | `1.`, `12)`, `Scramble:` before the first move | nothing |
//! | `…`, `×`, `、`, dashes of any length | `...`, `*`, `,`, `-` |
//!
//! The parser's errors are about this text; [`Plain::located`] finds the same span in the original.

use crate::cube::error::ReadError;
use crate::cube::text::{is_blank, unwrapped};
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
        let mut inside = unwrapped(original);
        inside.start += heading(&original[inside.clone()]);
        let text = &original[inside.clone()];
        match text.is_ascii() && !text.contains(['&', '`']) {
            true => Plain { text: Cow::Borrowed(text), original, origins: Origins::Shifted(inside.start) },
            false => Plain::of_chars(original, decoded(text).map(|(at, c)| (inside.start + at, c)), inside.end),
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

/// The bytes of what sheets of scrambles write before the first move: a number, as in `1.` or `12)`, and a label, as in
/// `Scramble:` or `**Scramble 3:**`.
fn heading(text: &str) -> usize {
    const LABELS: [&str; 6] = ["scramble", "setup", "position", "moves", "alg", "algorithm"];
    let blanks = |text: &str| text.len() - text.trim_start_matches(is_blank).len();
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let numbered = match digits(text) {
        0 => 0,
        // Dots in a row stand for moves that are left out.
        end if text[end..].starts_with("..") || !text[end..].starts_with(['.', ')']) => 0,
        end => end + 1 + blanks(&text[end + 1..]),
    };
    let labelled = || {
        let stars = text[numbered..].len() - text[numbered..].trim_start_matches('*').len();
        let start = numbered + stars;
        let word = text[start..].find(|c: char| !c.is_ascii_alphabetic())?;
        let is_label = LABELS.iter().any(|label| label.eq_ignore_ascii_case(&text[start..start + word]));
        let mut end = start + word;
        end += blanks(&text[end..]);
        end += digits(&text[end..]);
        // The stars close before the colon or after it.
        let closed = |end: usize| text[end..].starts_with(&"*".repeat(stars)).then_some(end + stars);
        let end = match text[end..].strip_prefix(':') {
            Some(_) => closed(end + 1)?,
            None => closed(end).filter(|&end| text[end..].starts_with(':'))? + 1,
        };
        is_label.then(|| end + blanks(&text[end..]))
    };
    labelled().unwrap_or(numbered)
}

/// The characters of a text and where they begin, apostrophes and primes of HTML read as such.
fn decoded(text: &str) -> impl Iterator<Item = (usize, char)> {
    const ENTITIES: [&str; 14] = [
        "&#39;", "&#039;", "&#x27;", "&apos;", "&#8217;", "&#x2019;", "&rsquo;", "&#8216;", "&lsquo;", "&#8242;",
        "&#x2032;", "&prime;", "&#180;", "&acute;",
    ];
    let mut at = 0;
    std::iter::from_fn(move || {
        let (start, rest) = (at, &text[at..]);
        let begins = |entity: &&&str| rest.get(..entity.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(entity));
        let first = rest.chars().next()?;
        let entity = ENTITIES.iter().filter(|_| first == '&').find(begins);
        at += entity.map_or(first.len_utf8(), |entity| entity.len());
        Some((start, entity.map_or(first, |_| INVERSE_MARK)))
    })
}

/// The inverse mark, as the parser reads it.
pub(super) const INVERSE_MARK: char = '\'';

/// Whether `c` is the inverse mark, in any of the shapes that keyboards and word processors give it.
pub(in crate::cube) fn is_inverse_mark(c: char) -> bool {
    matches!(c, INVERSE_MARK | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ˈ' | '＇')
}

fn push_plain(text: &mut String, c: char) {
    const FROM_FULL_WIDTH: u32 = '！' as u32 - '!' as u32;
    match c {
        mark if is_inverse_mark(mark) => text.push(INVERSE_MARK),
        '！'..='～' => text.extend(char::from_u32(c as u32 - FROM_FULL_WIDTH)),
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

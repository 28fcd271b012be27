//! Normalized text for the parser: each sign in one shape, without enclosing signs.
//!
//! | written | read as |
//! |---|---|
//! | full-width letters, digits and signs, as in `Ｒ２` | the ASCII ones |
//! | an apostrophe or a prime of any shape, also as HTML writes it: `&#39;` | `'` |
//! | `R²`, `R⁻¹` | `R2`, `R^-1` |
//! | `1.`, `12)`, `12`, `#12`, `Scramble:` before the first move | nothing |
//! | `12.34`, `1:02.34+`, `12.34=5.00+7.34`, `(DNF(12.34)[comment])` before the first move | nothing |
//! | a list of single moves, `['L2', "U'"]` | `L2 U'` |
//! | `…`, `×`, `、`, dashes of any length | `...`, `*`, `,`, `-` |
//!
//! The parser's errors are about this text; [`NormalizedText::located`] finds the same span in the
//! original.
//!
//! # Addresses
//!
//! An address of alg.cubing.net, of CubeDB or of Twizzle denotes the moves in it.
//!
//! ```text
//! https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-                  "_" is a space, "-" an inverse
//! https://www.cubedb.net/?puzzle=3&scramble=F_U2_R-&alg=R_U2_F-      the same; the scramble is the setup
//! https://alpha.twizzle.net/edit/?alg=R+U2+F%27&setup-alg=F+U2+R%27
//! ```
//!
//! The sites show a cube on which `setup` has been done, and then do `alg`. So with a setup, the
//! position is that of the setup, and `alg`, a solution or a part of one, is not read. Without a
//! setup, `alg` leads from the solved cube to the position. If the address has the setup where
//! `alg` ends (`type=alg`, `setup-anchor=end`), the position is the one at which `alg` begins: the
//! setup, then the inverse of `alg`.

use crate::cube::error::{ParseError, ParseErrorKind};
use crate::cube::text::{Token, is_blank, quoted, unwrapped, words};
use std::borrow::Cow;
use std::ops::Range;

/// The normalized text with its origins.
pub(super) struct NormalizedText<'a> {
    pub text: Cow<'a, str>,
    original: &'a str,
    origins: Origins,
}

/// The offsets of the bytes of the normalized text in the original.
enum Origins {
    /// A constant shift.
    Shifted(usize),
    /// The offset of each byte, and that of the end.
    Each(Vec<usize>),
}

impl<'a> NormalizedText<'a> {
    pub fn of(original: &'a str) -> NormalizedText<'a> {
        let mut inside = unwrapped(original);
        inside.start += heading(&original[inside.clone()]);
        let text = &original[inside.clone()];
        if let Some(moves) = text.is_ascii().then(|| of_list(text)).flatten() {
            let origins = Origins::Shifted(inside.start);
            return NormalizedText {
                text: Cow::Owned(moves),
                original,
                origins,
            };
        }
        if text.is_ascii() && !text.contains(['&', '`']) {
            NormalizedText {
                text: Cow::Borrowed(text),
                original,
                origins: Origins::Shifted(inside.start),
            }
        } else {
            NormalizedText::of_chars(
                original,
                decoded(text).map(|(at, c)| (inside.start + at, c)),
                inside.end,
            )
        }
    }

    /// Creates the text of these characters of the original, given the offset at which each begins,
    /// and the end.
    fn of_chars(
        original: &'a str,
        chars: impl IntoIterator<Item = (usize, char)>,
        end: usize,
    ) -> NormalizedText<'a> {
        let mut text = String::new();
        let mut origins = Vec::new();
        for (at, c) in chars {
            push_plain(&mut text, c);
            origins.resize(text.len(), at);
        }
        origins.push(end);
        NormalizedText {
            text: Cow::Owned(text),
            original,
            origins: Origins::Each(origins),
        }
    }

    /// Moves an error about this text to the original.
    pub fn located(&self, error: ParseError) -> ParseError {
        let origin = |byte: usize| match &self.origins {
            Origins::Shifted(bytes) => byte + bytes,
            Origins::Each(origins) => origins[byte],
        };
        let span = error.span();
        error.moved_to(self.original, origin(span.start)..origin(span.end))
    }
}

/// Returns the moves in a list of a program, such as `['L2', "U'"]`, with spaces in place of its
/// signs; `None` if the text is something else.
fn of_list(text: &str) -> Option<String> {
    let mut rest = text.strip_prefix('[')?;
    let mut moves = " ".to_owned();
    loop {
        let inside = rest.trim_start_matches(is_blank);
        let quote = inside
            .chars()
            .next()
            .filter(|sign| matches!(sign, '"' | '\''))?;
        let word = &inside[1..][..inside[1..].find(quote)?];
        let after = &inside[word.len() + 2..];
        let end = after.trim_start_matches(is_blank);
        let is_move = word
            .chars()
            .filter(|c| c.is_alphabetic() && !matches!(c, 'w' | 'i'))
            .count()
            == 1;
        if !is_move || word.contains(is_blank) {
            return None;
        }
        moves += &" ".repeat(rest.len() - inside.len() + 1);
        moves += word;
        moves += &" ".repeat(after.len() - end.len() + 2);
        match end.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (end == "]").then_some(moves),
        }
    }
}

/// Returns the length of the text that sheets of scrambles and timers write before the first move:
/// a number, such as `1.`, `12)` or `#12`, a [time], and a label, such as `Scramble:` or
/// `**Scramble 3:**`.
fn heading(text: &str) -> usize {
    const LABELS: [&str; 7] = [
        "scramble",
        "extra",
        "setup",
        "position",
        "moves",
        "alg",
        "algorithm",
    ];
    let numbered = number(text);
    let numbered = numbered + time(&text[numbered..]).unwrap_or(0);
    let labeled = || {
        let stars = text[numbered..].len() - text[numbered..].trim_start_matches('*').len();
        let start = numbered + stars;
        let word = text[start..].find(|c: char| !c.is_ascii_alphabetic())?;
        let is_label = LABELS
            .iter()
            .any(|label| label.eq_ignore_ascii_case(&text[start..start + word]));
        let mut end = start + word;
        end += blanks(&text[end..]);
        end += usize::from(text[end..].starts_with('#'));
        let signs: &[char] = if digits(&text[end..]) > 0 {
            &[':', '.', ')']
        } else {
            &[':']
        };
        end += digits(&text[end..]);
        // The stars close before the sign or after it.
        let closed = |end: usize| {
            text[end..]
                .starts_with(&"*".repeat(stars))
                .then_some(end + stars)
        };
        let end = match text[end..].strip_prefix(signs) {
            Some(_) => closed(end + 1)?,
            None => closed(end).filter(|&end| text[end..].starts_with(signs))? + 1,
        };
        is_label.then(|| end + blanks(&text[end..]))
    };
    labeled().unwrap_or(numbered)
}

/// Returns the length of a number, such as `1.`, `12)`, `12` or `#12`, and of the whitespace after
/// it. Without a sign after it, a turn must follow that is not of several layers; after `#`, which
/// begins a comment, nothing but such turns.
fn number(text: &str) -> usize {
    let hash = usize::from(text.starts_with('#'));
    let end = hash + digits(&text[hash..]);
    let is_other = |c: char| c.is_ascii_alphabetic() && !"URFDLBMESxyz".contains(c);
    let is_turns = |word: Token| {
        word.text.starts_with(|c: char| c.is_ascii_uppercase()) && !word.text.contains(is_other)
    };
    let followed = |rest| {
        if hash == 0 {
            words(rest).take(1).all(is_turns)
        } else {
            words(rest).all(is_turns)
        }
    };
    match text[end..].chars().next() {
        _ if end == hash => 0,
        // Dots in a row stand for moves that are left out.
        Some('.' | ')' | ':')
            if hash == 0 && !text[end..].starts_with("..") && time(text).is_none() =>
        {
            end + 1 + blanks(&text[end + 1..])
        }
        Some(':') if hash == 1 && followed(&text[end + 1..]) => end + 1 + blanks(&text[end + 1..]),
        Some(blank) if is_blank(blank) && followed(&text[end..]) => end + blanks(&text[end..]),
        _ => 0,
    }
}

/// Returns the length of a time as csTimer writes it, and of the whitespace after it: `12.34`,
/// `1:02.34+`, `DNF(12.34)`; in parentheses if it does not count, with the times of phases
/// (`12.34=5.00+7.34`), and with a comment in square brackets. `None` if there is none.
fn time(text: &str) -> Option<usize> {
    let before = text.trim_start_matches('(');
    let before = before.strip_prefix("DNF(").unwrap_or(before);
    let whole = before.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    let fraction = whole
        .strip_prefix('.')
        .filter(|fraction| whole.len() < before.len() && digits(fraction) > 0)?;
    // The rest of it, the times of phases, and brackets.
    let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit() || ".:+=)".contains(c));
    let after = match after.strip_prefix('[') {
        Some(comment) => comment[comment.find(']')? + 1..].trim_start_matches(')'),
        None => after,
    };
    after
        .starts_with(is_blank)
        .then(|| text.len() - after.len() + blanks(after))
}

fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_blank).len()
}

fn digits(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len()
}

/// Returns the characters of a text and their offsets, with HTML entities of apostrophes and primes
/// decoded.
fn decoded(text: &str) -> impl Iterator<Item = (usize, char)> {
    const ENTITIES: [&str; 14] = [
        "&#39;", "&#039;", "&#x27;", "&apos;", "&#8217;", "&#x2019;", "&rsquo;", "&#8216;",
        "&lsquo;", "&#8242;", "&#x2032;", "&prime;", "&#180;", "&acute;",
    ];
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let rest = &text[at..];
        let begins = |entity: &&&str| {
            rest.get(..entity.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(entity))
        };
        let first = rest.chars().next()?;
        let entity = ENTITIES.iter().filter(|_| first == '&').find(begins);
        at += entity.map_or(first.len_utf8(), |entity| entity.len());
        Some((start, entity.map_or(first, |_| INVERSE_MARK)))
    })
}

/// The inverse mark, as the parser reads it.
pub(super) const INVERSE_MARK: char = '\'';

/// Returns `true` if `c` is the inverse mark, in any of the shapes that keyboards and word
/// processors give it.
pub(in crate::cube) fn is_inverse_mark(c: char) -> bool {
    matches!(
        c,
        INVERSE_MARK | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ˈ' | '＇'
    )
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

/// The moves of an address.
pub(super) struct Address<'a> {
    /// The texts of moves that are applied, one after the other.
    pub done: NormalizedText<'a>,
    /// The moves whose inverse follows.
    pub undone: Option<NormalizedText<'a>>,
}

/// The sites whose addresses are read, by the parameters that hold moves.
#[derive(Clone, Copy)]
enum Site {
    /// Also CubeDB, which has the same format.
    AlgCubingNet,
    Twizzle,
}

/// Returns `true` if the text is an address, of any site.
pub(in crate::cube) fn is_address(text: &str) -> bool {
    host(text, unwrapped(text)).is_some()
}

/// Returns the host of the address, and its site; `None` if the text is not an address.
fn host(text: &str, inside: Range<usize>) -> Option<(Range<usize>, Option<Site>)> {
    let begins = |at: usize, with: &str| {
        text[at..inside.end]
            .get(..with.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(with))
    };
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| begins(inside.start, scheme));
    let start = inside.start + scheme.map_or(0, str::len);
    let length = text[start..inside.end].find(|c: char| is_blank(c) || "/?#:".contains(c));
    let host = start..length.map_or(inside.end, |length| start + length);
    let name = text[host.clone()].to_ascii_lowercase();
    let site = match name.strip_prefix("www.").unwrap_or(&name) {
        "alg.cubing.net" | "cubedb.net" => Some(Site::AlgCubingNet),
        "twizzle.net" => Some(Site::Twizzle),
        other if other.ends_with(".twizzle.net") => Some(Site::Twizzle),
        _ => None,
    };
    (scheme.is_some() || site.is_some()).then_some((host, site))
}

impl<'a> Address<'a> {
    /// Reads an address; `None` if the text is not one.
    pub fn of(text: &'a str) -> Result<Option<Address<'a>>, ParseError> {
        let inside = unwrapped(text);
        let Some((host, site)) = host(text, inside.clone()) else {
            return Ok(None);
        };
        let Some(site) = site else {
            let name = quoted(&text[host.clone()]);
            return Err(ParseError::at(text, host, ParseErrorKind::OtherSite(name)));
        };
        let end = text[inside.clone()]
            .find(is_blank)
            .map_or(inside.end, |length| inside.start + length);
        if let Some(first) = text[end..inside.end]
            .trim_start_matches(is_blank)
            .chars()
            .next()
            && !matches!(first, '#' | '/')
        {
            let rest =
                inside.end - text[end..inside.end].trim_start_matches(is_blank).len()..inside.end;
            return Err(ParseError::at(text, rest, ParseErrorKind::AddressFollowed));
        }
        let parameters = Parameters {
            text,
            query: query(text, host.end..end),
            site,
        };
        parameters.moves().map(Some)
    }
}

/// Returns the part of an address between `?` and `#`.
fn query(text: &str, rest: Range<usize>) -> Range<usize> {
    let end = text[rest.clone()]
        .find('#')
        .map_or(rest.end, |length| rest.start + length);
    let start = text[rest.start..end]
        .find('?')
        .map_or(end, |length| rest.start + length + 1);
    start..end
}

struct Parameters<'a> {
    text: &'a str,
    query: Range<usize>,
    site: Site,
}

impl<'a> Parameters<'a> {
    fn moves(&self) -> Result<Address<'a>, ParseError> {
        if let Some(puzzle) = self.one_of(&["puzzle"])?
            && !matches!(&self.text[puzzle.clone()], "" | "3x3x3" | "3")
        {
            let name = quoted(&self.text[puzzle.clone()]);
            return Err(ParseError::at(
                self.text,
                puzzle,
                ParseErrorKind::OtherPuzzle(name),
            ));
        }
        let setup = self.one_of(&["setup", "scramble", "setup-alg", "experimental-setup-alg"])?;
        let alg = self.one_of(&["alg"])?;
        let anchor = self.one_of(&["type", "setup-anchor", "experimental-setup-anchor"])?;
        let ends_at_setup = anchor.is_some_and(|anchor| {
            matches!(
                &self.text[anchor],
                "alg" | "end" | "reconstruction-end-with-setup"
            )
        });
        let is_given =
            |value: &Option<Range<usize>>| value.as_ref().is_some_and(|value| !value.is_empty());
        if !is_given(&setup) && !is_given(&alg) {
            return Err(ParseError::new(self.text, ParseErrorKind::NoMovesInAddress));
        }
        let done = if is_given(&setup) || ends_at_setup {
            setup
        } else {
            alg.clone()
        };
        let undone = alg
            .filter(|_| ends_at_setup)
            .map(|alg| self.decoded(alg))
            .transpose()?;
        Ok(Address {
            done: self.decoded(done.unwrap_or_default())?,
            undone,
        })
    }

    /// Returns the value of the parameter that has one of these names.
    fn one_of(&self, names: &[&str]) -> Result<Option<Range<usize>>, ParseError> {
        let mut found = None;
        let mut start = self.query.start;
        for parameter in self.text[self.query.clone()].split('&') {
            let end = start + parameter.len();
            // In the source of a page, "&" is "&amp;".
            let named = parameter.strip_prefix("amp;").unwrap_or(parameter);
            let (name, value) = named.split_once('=').unwrap_or((named, ""));
            if names.contains(&name) {
                if found.is_some() {
                    return Err(ParseError::at(
                        self.text,
                        start..end,
                        ParseErrorKind::ParameterTwice(quoted(name)),
                    ));
                }
                found = Some(end - value.len()..end);
            }
            start = end + 1;
        }
        Ok(found)
    }

    /// Decodes the moves of a value of the address.
    fn decoded(&self, value: Range<usize>) -> Result<NormalizedText<'a>, ParseError> {
        let mut chars = Vec::new();
        let mut rest = value.clone();
        while let Some(c) = self.text[rest.clone()].chars().next() {
            let at = rest.start;
            rest.start += c.len_utf8();
            match c {
                '+' => chars.push((at, ' ')),
                '%' if self.byte(at).is_some() => {
                    let bytes: Vec<u8> = (at..value.end)
                        .step_by(3)
                        .map_while(|at| self.byte(at))
                        .collect();
                    rest.start = at + 3 * bytes.len();
                    let spelt = std::str::from_utf8(&bytes).map_err(|_| {
                        ParseError::at(self.text, at..rest.start, ParseErrorKind::AddressIsNoText)
                    })?;
                    chars.extend(spelt.char_indices().map(|(byte, c)| (at + 3 * byte, c)));
                }
                other => chars.push((at, other)),
            }
        }
        if let Site::AlgCubingNet = self.site {
            chars = unescaped(&chars);
        }
        Ok(NormalizedText::of_chars(self.text, chars, value.end))
    }

    /// Returns the byte of `%` and two hexadecimal digits at this offset.
    fn byte(&self, at: usize) -> Option<u8> {
        let digits = self.text[at..self.query.end].strip_prefix('%')?.get(..2)?;
        digits
            .bytes()
            .all(|digit| digit.is_ascii_hexdigit())
            .then(|| u8::from_str_radix(digits, 16).ok())?
    }
}

/// Unescapes the format of alg.cubing.net: `_` is a space and `-` an inverse, and the signs
/// themselves are `&#95;` and `&#45;`.
fn unescaped(chars: &[(usize, char)]) -> Vec<(usize, char)> {
    let mut unescaped = Vec::with_capacity(chars.len());
    let mut rest = chars;
    while let Some((&(at, c), after)) = rest.split_first() {
        rest = after;
        let escapes = [("#95;", '_'), ("#45;", '-'), ("#43;", '+')];
        let escape = escapes.into_iter().filter(|_| c == '&').find(|(name, _)| {
            after.len() >= name.len()
                && name.chars().eq(after[..name.len()].iter().map(|&(_, c)| c))
        });
        unescaped.push((
            at,
            match (c, escape) {
                (_, Some((name, sign))) => {
                    rest = &after[name.len()..];
                    sign
                }
                ('_', None) => ' ',
                ('-', None) => '\'',
                (other, None) => other,
            },
        ));
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn superscripts_are_digits() {
        let plain = NormalizedText::of("R⁰¹²³⁴⁵⁶⁷⁸⁹");
        assert_eq!(plain.text, "R0123456789");
    }
}

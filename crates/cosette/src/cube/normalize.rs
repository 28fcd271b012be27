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
//! The parser's errors are about the normalized text; [`NormalizedText::located`] moves them to the
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
//! The sites apply `setup` to the solved cube, and then `alg`. So with a setup, the position is the
//! one after the setup, and `alg`, a solution or a part of one, is not read. Without a setup, `alg`
//! leads from the solved cube to the position. If the address states that `alg` ends at the setup
//! (`type=alg`, `setup-anchor=end`), the position is the one at which `alg` begins: the setup, then
//! the inverse of `alg`.

use super::error::ParseError;
use super::text::{Token, is_blank, unwrapped, words};
use std::ops::Range;

/// The normalized text with its origins.
pub(super) struct NormalizedText<'a> {
    pub text: String,
    original: &'a str,
    /// The offset in the original of each byte of the text, and of its end.
    origins: Vec<usize>,
}

impl<'a> NormalizedText<'a> {
    pub fn of(original: &'a str) -> NormalizedText<'a> {
        const ENTITIES: [&str; 14] = [
            "&#39;", "&#039;", "&#x27;", "&apos;", "&#8217;", "&#x2019;", "&rsquo;", "&#8216;",
            "&lsquo;", "&#8242;", "&#x2032;", "&prime;", "&#180;", "&acute;",
        ];
        let inside = unwrapped(original);
        let text = after_heading(&original[inside.clone()]);
        let start = inside.end - text.len();
        let moves = moves_of_list(text);
        let chars = moves.as_deref().unwrap_or(text).char_indices();
        let mut chars: Vec<(usize, char)> = chars.map(|(at, c)| (start + at, c)).collect();
        if text.contains('&') {
            chars = unescaped(&chars, &ENTITIES.map(|entity| (entity, INVERSE_MARK)));
        }
        NormalizedText::of_chars(original, chars, inside.end)
    }

    /// Normalizes these characters of the original, each given with the offset at which it begins.
    /// The last one ends at `end`.
    fn of_chars(original: &'a str, chars: Vec<(usize, char)>, end: usize) -> NormalizedText<'a> {
        let mut text = String::new();
        let mut origins = Vec::new();
        for (at, c) in chars {
            push_normalized(&mut text, c);
            origins.resize(text.len(), at);
        }
        origins.push(end);
        NormalizedText {
            text,
            original,
            origins,
        }
    }

    /// Moves an error about this text to the original.
    pub fn located(&self, error: ParseError) -> ParseError {
        let span = error.span();
        let span = self.origins[span.start]..self.origins[span.end];
        error.moved_to(self.original, span)
    }
}

/// Returns the moves in a list of a program, such as `['L2', "U'"]`, with spaces in place of its
/// signs; `None` if the text is something else.
fn moves_of_list(text: &str) -> Option<String> {
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
        let separator = after.trim_start_matches(is_blank);
        let is_move = word
            .chars()
            .filter(|c| c.is_alphabetic() && !matches!(c, 'w' | 'i'))
            .count()
            == 1;
        if !is_move || word.contains(is_blank) {
            return None;
        }
        // Blanks, and the opening quotation mark.
        moves += &" ".repeat(rest.len() - inside.len() + 1);
        moves += word;
        // The closing quotation mark, blanks, and the comma or bracket.
        moves += &" ".repeat(after.len() - separator.len() + 2);
        match separator.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (separator == "]").then_some(moves),
        }
    }
}

/// Returns the text without the heading that sheets of scrambles and timers write before the first
/// move: a number, such as `1.`, `12)` or `#12`, a [time](after_time), and a label, such as
/// `Scramble:` or `**Scramble 3:**`. Each may be missing.
fn after_heading(text: &str) -> &str {
    let numbered = after_number(text);
    let timed = after_time(numbered).unwrap_or(numbered);
    after_label(timed).unwrap_or(timed)
}

/// Returns the text after a label; `None` if there is none.
fn after_label(text: &str) -> Option<&str> {
    const LABELS: [&str; 7] = [
        "scramble",
        "extra",
        "setup",
        "position",
        "moves",
        "alg",
        "algorithm",
    ];
    let bare = text.trim_start_matches('*');
    let stars = &text[..text.len() - bare.len()];
    let after = bare.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let word = &bare[..bare.len() - after.len()];
    if !LABELS.contains(&&*word.to_ascii_lowercase()) {
        return None;
    }
    let number = after_blanks(after);
    let number = number.strip_prefix('#').unwrap_or(number);
    let after = after_digits(number);
    let signs: &[char] = if after.len() < number.len() {
        &[':', '.', ')']
    } else {
        &[':']
    };
    // The closing stars come before the sign or after it.
    let after = match after.strip_prefix(signs) {
        Some(after) => after.strip_prefix(stars)?,
        None => after.strip_prefix(stars)?.strip_prefix(signs)?,
    };
    Some(after_blanks(after))
}

/// Returns the text after a number, such as `1.`, `12)`, `12` or `#12`. If there is no sign after
/// the number, the next word must be turns of which none is wide. After `#`, which may begin a
/// comment, all words must be such turns.
fn after_number(text: &str) -> &str {
    let number = text.strip_prefix('#').unwrap_or(text);
    let is_hashed = number.len() < text.len();
    let after = after_digits(number);
    let is_other = |c: char| c.is_ascii_alphabetic() && !"URFDLBMESxyz".contains(c);
    let is_turns = |word: Token| {
        word.text.starts_with(|c: char| c.is_ascii_uppercase()) && !word.text.contains(is_other)
    };
    let turns_follow = |rest| {
        let checked = if is_hashed { usize::MAX } else { 1 };
        words(rest).take(checked).all(is_turns)
    };
    let rest = match after.chars().next() {
        _ if after.len() == number.len() => return text,
        // Dots in a row stand for moves that are left out.
        Some('.' | ')' | ':')
            if !is_hashed && !after.starts_with("..") && after_time(text).is_none() =>
        {
            &after[1..]
        }
        Some(':') if is_hashed && turns_follow(&after[1..]) => &after[1..],
        Some(blank) if is_blank(blank) && turns_follow(after) => after,
        _ => return text,
    };
    after_blanks(rest)
}

/// Returns the text after a time as csTimer writes it: `12.34`, `1:02.34+`, `DNF(12.34)`; in
/// parentheses if it does not count, with the times of phases (`12.34=5.00+7.34`), and with a
/// comment in square brackets. `None` if there is none.
fn after_time(text: &str) -> Option<&str> {
    let before = text.trim_start_matches('(');
    let before = before.strip_prefix("DNF(").unwrap_or(before);
    let whole = before.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    let fraction = whole.strip_prefix('.').filter(|fraction| {
        whole.len() < before.len() && fraction.starts_with(|c: char| c.is_ascii_digit())
    })?;
    // The rest of the time, the times of phases, and closing parentheses.
    let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit() || ".:+=)".contains(c));
    let after = match after.strip_prefix('[') {
        Some(comment) => comment[comment.find(']')? + 1..].trim_start_matches(')'),
        None => after,
    };
    after.starts_with(is_blank).then(|| after_blanks(after))
}

fn after_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

fn after_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit())
}

/// Replaces escapes, such as `&#39;`, by the characters that they stand for.
fn unescaped(chars: &[(usize, char)], escapes: &[(&str, char)]) -> Vec<(usize, char)> {
    let mut unescaped = Vec::with_capacity(chars.len());
    let mut rest = chars;
    while let [(at, c), ..] = *rest {
        let begins = |(escape, _): &&(&str, char)| {
            let next = rest.iter().map(|(_, c)| c.to_ascii_lowercase());
            next.take(escape.len()).eq(escape.chars())
        };
        let escape = escapes.iter().find(begins);
        unescaped.push((at, escape.map_or(c, |&(_, meant)| meant)));
        rest = &rest[escape.map_or(1, |(escape, _)| escape.len())..];
    }
    unescaped
}

/// The inverse mark, as the parser reads it.
pub(super) const INVERSE_MARK: char = '\'';

/// Returns `true` if `c` is the inverse mark, in any of the shapes that keyboards and word
/// processors give it.
pub(super) fn is_inverse_mark(c: char) -> bool {
    matches!(
        c,
        INVERSE_MARK | '’' | '‘' | '‛' | '′' | '‵' | '`' | '´' | 'ʹ' | 'ʻ' | 'ʼ' | 'ˈ' | '＇'
    )
}

fn push_normalized(text: &mut String, c: char) {
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
    /// The moves that are applied first.
    pub moves: NormalizedText<'a>,
    /// The moves whose inverse is applied then.
    pub inverted_moves: Option<NormalizedText<'a>>,
}

/// A kind of site whose addresses are read.
#[derive(Clone, Copy)]
enum Site {
    /// alg.cubing.net and CubeDB, which write moves in the same way.
    AlgCubingNet,
    Twizzle,
}

/// Returns `true` if the text is an address, of any site.
pub(super) fn is_address(text: &str) -> bool {
    host(text, unwrapped(text)).is_some()
}

/// Returns the host of the address, and the site if it is a known one; `None` if the text is not an
/// address. `inside` is the span within enclosing signs.
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
            return Err(ParseError::quoting(
                text,
                host,
                "links to `{}` cannot be read; give a link to alg.cubing.net, cubedb.net or \
                 alpha.twizzle.net, or paste the moves or the facelets",
            ));
        };
        let address = &text[inside.clone()];
        let end = inside.start + address.find(is_blank).unwrap_or(address.len());
        let rest = after_blanks(&text[end..inside.end]);
        if !rest.is_empty() && !rest.starts_with(['#', '/']) {
            return Err(ParseError::at(
                text,
                inside.end - rest.len()..inside.end,
                "this text follows a link; give the link alone, with + or %20 for a space",
            ));
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

/// The parameters of an address of a known site.
struct Parameters<'a> {
    text: &'a str,
    query: Range<usize>,
    site: Site,
}

impl<'a> Parameters<'a> {
    /// Reads the parameters that hold moves.
    fn moves(&self) -> Result<Address<'a>, ParseError> {
        if let Some(puzzle) = self.one_of(&["puzzle"])?
            && !matches!(&self.text[puzzle.clone()], "" | "3x3x3" | "3")
        {
            return Err(ParseError::quoting(
                self.text,
                puzzle,
                "the link is for the puzzle `{}`; give a link for the 3x3x3",
            ));
        }
        let is_given = |value: &Range<usize>| !value.is_empty();
        let setup = self.one_of(&["setup", "scramble", "setup-alg", "experimental-setup-alg"])?;
        let setup = setup.filter(is_given);
        let alg = self.one_of(&["alg"])?.filter(is_given);
        let anchor = self.one_of(&["type", "setup-anchor", "experimental-setup-anchor"])?;
        let ends_at_setup = anchor.is_some_and(|anchor| {
            matches!(
                &self.text[anchor],
                "alg" | "end" | "reconstruction-end-with-setup"
            )
        });
        let (moves, inverted_moves) = match (setup, alg) {
            (None, None) => {
                return Err(ParseError::new(
                    self.text,
                    "the link contains no moves; give them in the parameters setup and alg, as in \
                     alg.cubing.net/?alg=R_U2",
                ));
            }
            (setup, alg) if ends_at_setup => (setup, alg),
            (Some(setup), _) => (Some(setup), None),
            (None, alg) => (alg, None),
        };
        Ok(Address {
            moves: self.decoded(moves.unwrap_or_default())?,
            inverted_moves: inverted_moves.map(|alg| self.decoded(alg)).transpose()?,
        })
    }

    /// Returns the span of the value of the parameter that has one of these names; an error if
    /// there are two.
    fn one_of(&self, names: &[&str]) -> Result<Option<Range<usize>>, ParseError> {
        let mut value_span = None;
        let mut start = self.query.start;
        for parameter in self.text[self.query.clone()].split('&') {
            let end = start + parameter.len();
            // In the source of a page, "&" is "&amp;".
            let named = parameter.strip_prefix("amp;").unwrap_or(parameter);
            let (name, value) = named.split_once('=').unwrap_or((named, ""));
            if names.contains(&name) && value_span.replace(end - value.len()..end).is_some() {
                return Err(ParseError::at(
                    self.text,
                    start..end,
                    format!("the link has a second parameter `{name}`; remove one of the two"),
                ));
            }
            start = end + 1;
        }
        Ok(value_span)
    }

    /// Decodes the moves in the value of a parameter.
    fn decoded(&self, value: Range<usize>) -> Result<NormalizedText<'a>, ParseError> {
        let mut chars = Vec::new();
        let mut rest = value.clone();
        while let Some(c) = self.text[rest.clone()].chars().next() {
            let at = rest.start;
            rest.start += c.len_utf8();
            let bytes: Vec<u8> = (at..value.end)
                .step_by(3)
                .map_while(|at| self.byte(at))
                .collect();
            if bytes.is_empty() {
                chars.push((at, if c == '+' { ' ' } else { c }));
                continue;
            }
            rest.start = at + 3 * bytes.len();
            let decoded = std::str::from_utf8(&bytes).map_err(|_| {
                ParseError::at(
                    self.text,
                    at..rest.start,
                    "these percent-encoded bytes are not UTF-8; copy the link again",
                )
            })?;
            chars.extend(decoded.char_indices().map(|(byte, c)| (at + 3 * byte, c)));
        }
        if let Site::AlgCubingNet = self.site {
            let escapes = [
                ("_", ' '),
                ("-", INVERSE_MARK),
                ("&#95;", '_'),
                ("&#45;", '-'),
                ("&#43;", '+'),
            ];
            chars = unescaped(&chars, &escapes);
        }
        Ok(NormalizedText::of_chars(self.text, chars, value.end))
    }

    /// Returns the byte that `%` and two hexadecimal digits at this offset encode.
    fn byte(&self, at: usize) -> Option<u8> {
        let digits = self.text[at..self.query.end].strip_prefix('%')?.get(..2)?;
        // `from_str_radix` also accepts a sign.
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u8::from_str_radix(digits, 16)
            .ok()
            .filter(|_| is_hexadecimal)
    }
}

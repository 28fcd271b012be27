//! Positions in any format; the format is recognized from the text.

use super::error::{ParseError, ParseErrorKind};
use super::facelets::{PartialFacelets, are_balanced, read_facelets};
use super::layout::{self, NetLayout};
use super::moves::Face;
use super::notation::{self, ParseOptions, Sequence, is_address, is_inverse_mark, parse_moves};
use super::position::Cube;
use super::reid::parse_reid;
use super::slots::{FACELETS, ON_FACE};
use super::speffz::{begins_with_heading, parse_speffz};
use super::text::{self, Token, quoted, uncommented, words};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A way of writing positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Format {
    /// Moves that lead from the solved cube to the position ([`parse_moves`]).
    Moves,
    /// 54 facelets ([`parse_facelets`](super::parse_facelets)).
    Facelets,
    /// Reid notation, the twenty pieces ([`parse_reid`]).
    Reid,
    /// Speffz cycles ([`parse_speffz`]).
    Speffz,
}

impl Format {
    /// The four formats.
    pub const ALL: [Format; 4] = [
        Format::Moves,
        Format::Facelets,
        Format::Reid,
        Format::Speffz,
    ];

    /// Returns the name: `moves`, `facelets`, `reid` or `speffz`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Moves => "moves",
            Format::Facelets => "facelets",
            Format::Reid => "reid",
            Format::Speffz => "speffz",
        }
    }

    /// Detects the format of a text. The text may still have errors.
    pub fn detect(text: &str) -> Format {
        if is_address(text) {
            Format::Moves
        } else {
            Format::of_plain(&plain(text))
        }
    }

    /// Detects the format of a text without comments.
    fn of_plain(text: &str) -> Format {
        if begins_with_heading(text) {
            Format::Speffz
        } else if NetLayout::of(text).is_balanced() {
            Format::Facelets
        } else if looks_like_pieces(text) {
            Format::Reid
        } else if looks_like_facelets(text) {
            Format::Facelets
        } else {
            Format::Moves
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for an unknown format name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a format; formats are moves, facelets, reid and speffz")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(quoted(name)))
    }
}

/// A parsed position, with its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The position.
    pub cube: Cube,
    /// The format it was read in.
    pub format: Format,
    /// The sequence; `None` unless the format is [`Format::Moves`].
    pub sequence: Option<Sequence>,
}

/// Parses a position in the given format, or in the detected one. A given format is never
/// questioned.
///
/// The first rule that applies decides:
///
/// 1. Only whitespace and comments: [`ParseErrorKind::Empty`].
/// 2. It is a URL: moves.
/// 3. It begins with `corners:` or `edges:`: Speffz cycles.
/// 4. It is 54 symbols, nine of each of six, in any layout
///    ([`parse_facelets`](super::parse_facelets)): facelets. If the text is also a valid sequence
///    of moves separated by spaces, such as `U R F …`, an error with both readings.
/// 5. It contains a complete facelet string, or a complete list of pieces in Reid notation, and
///    other text: [`ParseErrorKind::SeveralPositions`].
/// 6. It has at least eighteen words, each of two or three of the letters U R F D L B, all capitals
///    or all lowercase, and at least half of them of two letters: Reid notation. So a list with a
///    few pieces missing or extra still gets an error about pieces.
/// 7. It has 45 to 63 symbols, in words of three or more on average: facelets, unless it contains
///    inverse marks or brackets, or letters of faces together with more than nine digits. (Digits
///    are allowed if six symbols occur nine times each.)
/// 8. Anything else: moves. If it could also be a part of a facelet string (`UUUUUUUUU`), cycles of
///    pieces (`UF UR UB`), a label or the name of a case with moves (`F) R U`, `Ub R2 U`), moves
///    with their count (`R U 2f`) or step (`R U (FB)`), cells of a table (moves on both sides of a
///    tab) or moves in another notation (`MR U`), an error with both readings.
///
/// Comments and enclosing quotation marks are removed first, in every format, unless the text is a
/// facelet string in which these characters are colors.
///
/// So a sequence of moves is mistaken for facelets only if it has about fifty moves, hardly any
/// spaces, no inverse mark and few half turns.
///
/// # Errors
///
/// Returns an error if the text is empty or does not follow its format, or if the position is
/// unsolvable.
pub fn parse_position(
    text: &str,
    format: Option<Format>,
    options: &ParseOptions,
) -> Result<Input, ParseError> {
    if notation::is_empty(text) {
        return Err(ParseError::new(text, ParseErrorKind::Empty));
    }
    let plain = plain(text);
    if format.is_none()
        && !is_address(text)
        && let Some(link) = text::link(text)
    {
        return Err(ParseError::at(
            text,
            link.span(),
            ParseErrorKind::LinkBesideText(quoted(link.text)),
        ));
    }
    let format = match format {
        Some(format) => format,
        None if is_address(text) => Format::Moves,
        None => recognized(text, &plain, options)?,
    };
    let read = match format {
        Format::Moves => {
            let sequence = parse_moves(text, options)?;
            return Ok(Input {
                cube: sequence.position(),
                format,
                sequence: Some(sequence),
            });
        }
        Format::Facelets => read_facelets(&plain, options.face_order),
        Format::Reid => parse_reid(&plain),
        Format::Speffz => parse_speffz(&plain),
    };
    let located = |error: ParseError| {
        let span = error.span();
        error.moved_to(text, span)
    };
    Ok(Input {
        cube: read.map_err(located)?,
        format,
        sequence: None,
    })
}

/// Detects the format of a text that is not an address; `plain` is the text without comments.
fn recognized(text: &str, plain: &str, options: &ParseOptions) -> Result<Format, ParseError> {
    let format = Format::of_plain(plain);
    if format == Format::Speffz {
        return Ok(format);
    }
    let layout = NetLayout::of(plain);
    if layout.is_balanced() {
        return if layout.is_unmistakable() || parse_moves(plain, options).is_err() {
            Ok(Format::Facelets)
        } else {
            Err(ParseError::new(
                text,
                ParseErrorKind::FaceletsOrMoves(FACELETS),
            ))
        };
    }
    if let Some(span) = another_position(plain) {
        return Err(ParseError::at(text, span, ParseErrorKind::SeveralPositions));
    }
    match format {
        Format::Moves => notation::check_readings(text, plain).map(|()| format),
        format => Ok(format),
    }
}

impl PartialFacelets {
    /// Reads 54 symbols in the format of facelets, if that is the given format or the detected one:
    /// dots for unpainted facelets, and any six others for the colors, which the centers assign to
    /// the faces. `None` if the text is anything else.
    pub fn parse(text: &str, format: Option<Format>) -> Option<PartialFacelets> {
        match format.unwrap_or_else(|| Format::detect(text)) {
            Format::Facelets => PartialFacelets::of_facelets(text),
            _ => None,
        }
    }
}

/// Returns the text without comments and without its enclosing signs, each byte at its index.
fn plain(text: &str) -> Cow<'_, str> {
    if are_balanced(&layout::symbols(text)) {
        Cow::Borrowed(text)
    } else {
        uncommented(text)
    }
}

/// Returns the span of one of several positions that cannot all be moves: the text after a string
/// of facelets or a list of pieces, or the string or list after something else.
fn another_position(text: &str) -> Option<Range<usize>> {
    let words: Vec<Token> = words(text).collect();
    let first = words.first()?;
    let last = words.last()?;
    (0..words.len())
        .find_map(|start| {
            let end = position_from(text, &words[start..])?;
            match words.get(start + end) {
                Some(next) if start == 0 => Some(next.start..last.end()),
                None if start == 0 => None,
                _ => Some(words[start].start..words[start + end - 1].end()),
            }
        })
        .filter(|span| span.start > first.start)
}

/// Returns the number of words from the first one on that are a whole string of facelets or a whole
/// list of pieces.
fn position_from(text: &str, words: &[Token]) -> Option<usize> {
    const PIECES: usize = 20;
    let pieces = words.get(..PIECES).filter(|pieces| {
        let is_piece = |(number, word): (usize, &Token)| {
            word.text.len() == if number < 12 { 2 } else { 3 }
                && word.text.chars().all(|c| Face::from_letter(c).is_some())
        };
        pieces.iter().enumerate().all(is_piece)
    });
    if pieces.is_some() {
        return Some(PIECES);
    }
    if words.len() > 1
        && words[0].text.len() >= FACELETS - ON_FACE
        && looks_like_facelets(words[0].text)
    {
        return Some(1);
    }
    // All signs, and those that are not separators.
    let mut signs = 0;
    let mut symbols = 0;
    for (number, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        signs += length;
        symbols += word
            .text
            .chars()
            .filter(|sign| !layout::SEPARATORS.contains(sign))
            .count();
        if length < 3 || symbols > FACELETS {
            return None;
        }
        let run = &text[words[0].start..word.end()];
        if signs >= FACELETS && are_balanced(&layout::symbols(run)) {
            return Some(number + 1);
        }
    }
    None
}

/// Reads a position in any format ([`parse_position`]).
///
/// ```
/// use cosette::Cube;
/// let position: Cube = "R U2 F'".parse()?;
/// assert_eq!(position.to_string().parse(), Ok(position));
/// # Ok::<(), cosette::ParseError>(())
/// ```
impl FromStr for Cube {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Cube, ParseError> {
        parse_position(text, None, &ParseOptions::default()).map(|input| input.cube)
    }
}

/// Writes the 54 facelets, like [`Cube::facelets`].
impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.facelets())
    }
}

/// Serializes the 54 facelets.
#[cfg(feature = "serde")]
impl serde::Serialize for Cube {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.facelets())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Cube {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Cube, D::Error> {
        let facelets = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        let read = parse_position(&facelets, Some(Format::Facelets), &ParseOptions::default());
        read.map(|input| input.cube)
            .map_err(serde::de::Error::custom)
    }
}

/// Rule 6.
fn looks_like_pieces(text: &str) -> bool {
    let count = words(text).count();
    let is_upper = text.contains(|c: char| c.is_ascii_uppercase());
    let is_face = |c: char| {
        c.is_ascii_uppercase() == is_upper && Face::from_letter(c.to_ascii_uppercase()).is_some()
    };
    let is_piece = |word: Token| matches!(word.text.len(), 2 | 3) && word.text.chars().all(is_face);
    let edges = words(text).filter(|word| word.text.len() == 2).count();
    count >= 18 && edges * 2 >= count && words(text).all(is_piece)
}

/// Rule 7.
fn looks_like_facelets(text: &str) -> bool {
    let symbols = layout::symbols(text);
    let count = symbols.len();
    let digits = symbols.iter().filter(|symbol| symbol.is_number()).count();
    let has = |wanted: fn(char) -> bool| symbols.iter().any(|symbol| wanted(symbol.symbol()));
    let has_signs = has(|c| is_inverse_mark(c) || "()[]^,:/-".contains(c));
    let times = |wanted: char| {
        symbols
            .iter()
            .filter(|symbol| symbol.symbol() == wanted)
            .count()
    };
    let is_balanced = count == FACELETS
        && symbols
            .iter()
            .all(|symbol| times(symbol.symbol()) == ON_FACE);
    let has_amounts = digits > ON_FACE
        && has(|c| Face::from_letter(c.to_ascii_uppercase()).is_some())
        && !is_balanced;
    count.abs_diff(FACELETS) <= ON_FACE
        && words(text).count() * 3 <= count
        && !has_signs
        && !has_amounts
}

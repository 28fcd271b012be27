//! Positions in any format; the format is recognised from the text.
//!
//! The first rule that applies decides:
//!
//! 1. Nothing but blanks and comments: a separate error.
//! 2. It begins with `corners:` or `edges:`: Speffz cycles.
//! 3. It is eighteen words or more, all of two or three of the capitals U R F D L B, and at least half of two: Reid's
//!    pieces. So a list with a few pieces too many or too few still gets an error about pieces.
//! 4. About 54 symbols, at most nine too few or too many, in words of three or more on average: facelets, unless
//!    there are inverse marks or brackets, or letters of faces with more than nine digits among them. The last holds
//!    unless six symbols occur nine times each.
//! 5. Anything else is moves.
//!
//! So a sequence is taken for facelets only if it has about fifty moves, hardly any blanks, no inverse mark and few half
//! turns. A sequence with blanks between its moves is always read as moves.

use super::error::ReadError;
use super::facelets::parse_facelets;
use super::fault::Fault;
use super::net::{FACELETS, ON_FACE};
use super::notation::{self, ReadOptions, Sequence, is_inverse_mark, parse_moves};
use super::pieces::parse_reid;
use super::position::Cube;
use super::quoted::quoted;
use super::speffz::{begins_with_heading, parse_speffz};
use super::text::{Token, face_named, symbols, words};
use std::fmt;
use std::str::FromStr;

/// A way of writing positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Moves that lead from the solved cube to the position ([`parse_moves`]).
    Moves,
    /// 54 facelets ([`parse_facelets`]).
    Facelets,
    /// Reid's twenty pieces ([`parse_reid`]).
    Reid,
    /// Speffz cycles ([`parse_speffz`]).
    Speffz,
}

impl Format {
    /// The four formats.
    pub const ALL: [Format; 4] = [Format::Moves, Format::Facelets, Format::Reid, Format::Speffz];

    /// The name: `moves`, `facelets`, `reid` or `speffz`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Moves => "moves",
            Format::Facelets => "facelets",
            Format::Reid => "reid",
            Format::Speffz => "speffz",
        }
    }

    /// The format that the text seems to be in. The text may still have errors.
    pub fn of(text: &str) -> Format {
        if begins_with_heading(text) {
            Format::Speffz
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

/// No format has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a format; formats are moves, facelets, reid and speffz")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(quoted(name)))
    }
}

/// A position that was read, and how it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The position.
    pub cube: Cube,
    /// The format it was read in.
    pub format: Format,
    /// The sequence; `None` unless the format is [`Format::Moves`].
    pub sequence: Option<Sequence>,
}

/// Reads a position in the format named, or in the one that the text seems to be in. Fails if there is nothing to read,
/// if the text does not follow its format, or if it shows a cube that moves cannot reach.
pub fn read_position(text: &str, format: Option<Format>, options: &ReadOptions) -> Result<Input, ReadError> {
    if notation::is_empty(text) {
        return Err(ReadError::of_whole(text, Fault::Empty));
    }
    let format = format.unwrap_or_else(|| Format::of(text));
    let sequence = (format == Format::Moves).then(|| parse_moves(text, options)).transpose()?;
    let cube = match format {
        Format::Moves => sequence.as_ref().map(Sequence::position).unwrap_or_default(),
        Format::Facelets => parse_facelets(text)?,
        Format::Reid => parse_reid(text)?,
        Format::Speffz => parse_speffz(text)?,
    };
    Ok(Input { cube, format, sequence })
}

/// Reads a position in any format ([`read_position`]).
///
/// ```
/// use cosette::Cube;
/// let position: Cube = "R U2 F'".parse()?;
/// assert_eq!(position.to_string().parse(), Ok(position));
/// # Ok::<(), cosette::ReadError>(())
/// ```
impl FromStr for Cube {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Cube, ReadError> {
        read_position(text, None, &ReadOptions::default()).map(|input| input.cube)
    }
}

/// Writes the 54 facelets, as [`Cube::facelets`] does.
impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.facelets())
    }
}

/// Rule 3.
fn looks_like_pieces(text: &str) -> bool {
    let count = words(text).count();
    let is_piece = |word: Token| matches!(word.text.len(), 2 | 3) && word.text.chars().all(|c| face_named(c).is_some());
    let edges = words(text).filter(|word| word.text.len() == 2).count();
    count >= 18 && edges * 2 >= count && words(text).all(is_piece)
}

/// Rule 4.
fn looks_like_facelets(text: &str) -> bool {
    let (count, digits) = (symbols(text).count(), symbols(text).filter(Token::is_number).count());
    let has = |wanted: fn(char) -> bool| symbols(text).any(|symbol| wanted(symbol.symbol()));
    let has_signs = has(|c| is_inverse_mark(c) || "()[]^,:/-".contains(c));
    let times = |wanted: char| symbols(text).filter(|symbol| symbol.symbol() == wanted).count();
    let is_balanced = count == FACELETS && symbols(text).all(|symbol| times(symbol.symbol()) == ON_FACE);
    let has_amounts = digits > ON_FACE && has(|c| face_named(c.to_ascii_uppercase()).is_some()) && !is_balanced;
    count.abs_diff(FACELETS) <= ON_FACE && words(text).count() * 3 <= count && !has_signs && !has_amounts
}

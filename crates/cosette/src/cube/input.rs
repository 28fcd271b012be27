//! Positions in any format; the format is recognized from the text.
//!
//! # Second readings
//!
//! A text in the notation of moves may also mean something else: facelets, pieces, cells of a
//! table, another notation, or moves with a label, the name of a case or of a step, or their count.
//! It is then rejected, and the error gives both readings. These rules are only for texts whose
//! format is detected: a caller that names the format has chosen. Moves with an inverse mark or a
//! half turn have no second reading as facelets or pieces.

use super::error::ParseError;
use super::facelets::{PartialFacelets, parse_reid};
use super::move_parser::{COUNT_OR_TURN, ParseOptions, is_empty, parse_moves, parse_turns};
use super::moves::Face;
use super::net_layout::{self, NetLayout, are_balanced, is_balanced, read_facelets};
use super::normalize::{NormalizedText, is_address, is_inverse_mark};
use super::pieces::{FACELETS, FACELETS_PER_FACE, Slot};
use super::position::Cube;
use super::sequence::Sequence;
use super::speffz::{self, begins_with_heading, parse_speffz};
use super::text::{self, Token, ends_line, is_blank, is_gap, quoted, uncommented, words};
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
        ["moves", "facelets", "reid", "speffz"][self as usize]
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
    /// The sequence of moves; `None` unless the format is [`Format::Moves`].
    pub sequence: Option<Sequence>,
}

/// Parses a position in the given format, or in the detected one. A given format is never
/// questioned.
///
/// The first rule that applies decides:
///
/// 1. Only whitespace and comments: an error.
/// 2. It is a URL: moves.
/// 3. It begins with `corners:` or `edges:`: Speffz cycles.
/// 4. It is 54 symbols, nine of each of six, in any layout
///    ([`parse_facelets`](super::parse_facelets)): facelets. If the text is also a valid sequence
///    of moves separated by spaces, such as `U R F …`, an error with both readings.
/// 5. It contains a complete facelet string, or a complete list of pieces in Reid notation, and
///    other text: an error.
/// 6. It has at least eighteen words, each of two or three of the letters U R F D L B, and at least
///    half of the words have two letters. All letters are capitals, or all are lowercase: Reid
///    notation. A list with a few pieces missing or extra therefore gets an error about pieces.
/// 7. It has 45 to 63 symbols, in words of three or more on average: facelets, unless it contains
///    inverse marks, brackets, `^` or `:`, or letters of faces together with more than nine digits.
///    (More digits are allowed if six symbols occur nine times each.)
/// 8. Anything else: moves. If the text has a second reading, an error with both readings. Second
///    readings are a part of a facelet string (`UUUUUUUUU`), cycles of pieces (`UF UR UB`), moves
///    after a label or the name of a case (`F) R U`, `Ub R2 U`), moves with their count (`R U 2f`)
///    or step (`R U (FB)`), cells of a table (moves on both sides of a tab), and moves in another
///    notation (`MR U`).
///
/// Comments and enclosing signs, such as quotation marks, are removed first, in every format,
/// unless the text is a facelet string in which these characters are colors.
///
/// With these rules, a sequence of moves is mistaken for facelets only if it has about fifty moves,
/// hardly any spaces, no inverse mark and few half turns.
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
    if is_empty(text) {
        return Err(ParseError::new(
            text,
            "there is nothing to read; give moves, 54 facelets, Reid's twenty pieces or Speffz \
             cycles",
        ));
    }
    let plain = plain(text);
    let format = match format {
        Some(format) => format,
        None if is_address(text) => Format::Moves,
        None => detected_format(text, &plain, options)?,
    };
    let parsed = match format {
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
    Ok(Input {
        cube: parsed.map_err(|error| moved_back(error, text))?,
        format,
        sequence: None,
    })
}

/// Makes an error about the text without comments refer to the text itself, in which each byte has
/// the same offset.
fn moved_back(error: ParseError, text: &str) -> ParseError {
    let span = error.span();
    error.moved_to(text, span)
}

/// Detects the format of a text that is not an address, or returns the error of an ambiguous text.
/// `plain` is the text without comments.
fn detected_format(text: &str, plain: &str, options: &ParseOptions) -> Result<Format, ParseError> {
    if let Some(link) = text::link(text) {
        return Err(ParseError::quoting(
            text,
            link.span(),
            "`{}` is a link, which is not read beside other text; paste the moves or the facelets, \
             or put // before the link",
        ));
    }
    let format = Format::of_plain(plain);
    if format == Format::Speffz {
        return Ok(format);
    }
    let layout = NetLayout::of(plain);
    if layout.is_balanced() {
        // A compact layout counts as facelets even if it can be parsed as moves.
        return if layout.is_compact || parse_moves(plain, options).is_err() {
            Ok(Format::Facelets)
        } else {
            Err(ParseError::new(text, facelets_or_moves(FACELETS)))
        };
    }
    if let Some(span) = another_position(plain) {
        return Err(ParseError::at(
            text,
            span,
            "there is more than one position here; give one at a time, or put spaces between the \
             moves if this is one sequence",
        ));
    }
    if format == Format::Moves {
        let normalized = NormalizedText::of(plain);
        if let Some(error) = second_reading(&normalized.text) {
            return Err(moved_back(normalized.located(error), text));
        }
    }
    Ok(format)
}

impl PartialFacelets {
    /// Reads a painted cube, if the given or detected format is that of facelets: 54 symbols, of
    /// which dots are unpainted facelets, and six others are colors. The centers assign the colors
    /// to the faces. `None` if the text is anything else.
    pub fn parse(text: &str, format: Option<Format>) -> Option<PartialFacelets> {
        match format.unwrap_or_else(|| Format::detect(text)) {
            Format::Facelets => PartialFacelets::of_facelets(text),
            _ => None,
        }
    }
}

/// Returns the text with spaces in place of comments and enclosing signs, unless it is 54 facelets
/// in which these characters are colors.
fn plain(text: &str) -> Cow<'_, str> {
    if are_balanced(&net_layout::symbols(text)) {
        Cow::Borrowed(text)
    } else {
        uncommented(text)
    }
}

/// Returns the span of a second position, if a facelet string or a list of pieces is not alone: the
/// text after it if the string or list comes first, and otherwise the string or list.
fn another_position(text: &str) -> Option<Range<usize>> {
    let words: Vec<Token> = words(text).collect();
    let last = words.last()?;
    (0..words.len()).find_map(|start| {
        let count = position_from(text, &words[start..])?;
        match words.get(start + count) {
            Some(next) if start == 0 => Some(next.start..last.end()),
            None if start == 0 => None,
            _ => Some(words[start].start..words[start + count - 1].end()),
        }
    })
}

/// Returns the length, in words, of the whole facelet string or list of pieces with which the words
/// begin; `None` if they begin with neither.
fn position_from(text: &str, words: &[Token]) -> Option<usize> {
    const PIECES: usize = 20;
    let is_piece = |(number, word): (usize, &Token)| {
        word.text.len() == if number < 12 { 2 } else { 3 }
            && word.text.chars().all(|c| Face::from_letter(c).is_some())
    };
    let pieces = words.get(..PIECES);
    if pieces.is_some_and(|pieces| pieces.iter().enumerate().all(is_piece)) {
        return Some(PIECES);
    }
    if words.len() > 1
        && words[0].text.len() >= FACELETS - FACELETS_PER_FACE
        && looks_like_facelets(words[0].text)
    {
        return Some(1);
    }
    // The numbers of characters in the words so far, with separators and without.
    let mut characters = 0;
    let mut symbols = 0;
    for (number, word) in words.iter().enumerate() {
        let length = word.text.chars().count();
        characters += length;
        symbols += word
            .text
            .chars()
            .filter(|sign| !net_layout::SEPARATORS.contains(sign))
            .count();
        if length < 3 || symbols > FACELETS {
            return None;
        }
        let run = &text[words[0].start..word.end()];
        if characters >= FACELETS && are_balanced(&net_layout::symbols(run)) {
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

impl fmt::Debug for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cube({self})")
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

/// Returns `true` if rule 6 of [`parse_position`] applies.
fn looks_like_pieces(text: &str) -> bool {
    let count = words(text).count();
    let is_upper = text.contains(|c: char| c.is_ascii_uppercase());
    let is_face =
        |c: char| c.is_ascii_uppercase() == is_upper && Face::from_any_letter(c).is_some();
    let is_piece = |word: Token| matches!(word.text.len(), 2 | 3) && word.text.chars().all(is_face);
    let edges = words(text).filter(|word| word.text.len() == 2).count();
    count >= 18 && edges * 2 >= count && words(text).all(is_piece)
}

/// Returns `true` if rule 7 of [`parse_position`] applies.
fn looks_like_facelets(text: &str) -> bool {
    let symbols = net_layout::symbols(text);
    let count = symbols.len();
    let has = |wanted: fn(char) -> bool| symbols.iter().any(|symbol| wanted(symbol.symbol()));
    let has_signs = has(|c| is_inverse_mark(c) || "()[]^,:/-".contains(c));
    let digits = symbols.iter().filter(|symbol| symbol.is_number()).count();
    let has_amounts = digits > FACELETS_PER_FACE
        && has(|c| Face::from_any_letter(c).is_some())
        && !is_balanced(&symbols);
    count.abs_diff(FACELETS) <= FACELETS_PER_FACE
        && words(text).count() * 3 <= count
        && !has_signs
        && !has_amounts
}

/// Returns the error of a text that seems to be moves but has a second reading.
fn second_reading(text: &str) -> Option<ParseError> {
    const LITERALS: [&str; 6] = ["{", "[\"", "['", "[{", "[[\"", "[['"];
    let trimmed = text.trim_start_matches(is_blank);
    if LITERALS.iter().any(|start| trimmed.starts_with(start)) {
        return Some(literal(text));
    }
    if let Some(count) = partial_facelet_count(text) {
        return Some(about_all(text, facelets_or_moves(count)));
    }
    if let Some(error) = cycles_of_pieces(text).or_else(|| cells_of_row(text)) {
        return Some(error);
    }
    let words: Vec<Token> = words(text).collect();
    let [first, others @ ..] = &words[..] else {
        return None;
    };
    count_or_turn(text, &words)
        .or_else(|| label(text, first, others))
        .or_else(|| step(text, &words))
        .or_else(|| turn_of_sse(text, &words))
        .or_else(|| name_of_case(text, first, others))
}

/// Returns an error about the whole text, with the location of its start.
fn about_all(text: &str, sentence: impl fmt::Display) -> ParseError {
    let whole = ParseError::new(text, "").span();
    ParseError::at(text, whole, sentence)
}

/// Returns the error of a JSON or Python literal that is not a single position.
fn literal(text: &str) -> ParseError {
    about_all(
        text,
        "this is JSON or program output, but not a single position; give one position as moves, 54 \
         facelets or Reid's twenty pieces, or put several into a list file",
    )
}

/// Returns the error of `count` letters of faces that may be facelets or moves.
fn facelets_or_moves(count: usize) -> String {
    format!(
        "these {count} letters may be facelets or moves; write all 54 facelets without spaces, or \
         choose with `--input-format facelets` or `--input-format moves` (`format` in programs)"
    )
}

/// Returns the number of letters, if the text may be facelets of which some are missing or too
/// many: only letters of faces, without amounts, and one of them several times in a row. Sequences
/// of moves rarely repeat a letter: `R R R R` has no effect, and `R R` is written R2.
fn partial_facelet_count(text: &str) -> Option<usize> {
    let is_sign = |&(_, c): &(usize, char)| !is_gap(c) && c != ',';
    let signs: Vec<(usize, char)> = text.char_indices().filter(is_sign).collect();
    let is_upper = signs.first()?.1.is_ascii_uppercase();
    let is_face =
        |c: char| c.is_ascii_uppercase() == is_upper && Face::from_any_letter(c).is_some();
    if !signs.iter().all(|&(_, c)| is_face(c)) {
        return None;
    }
    let touches = |a: &(usize, char), b: &(usize, char)| b.0 == a.0 + 1;
    let runs = signs.chunk_by(|a, b| a.1 == b.1);
    let joined_runs = signs.chunk_by(|a, b| a.1 == b.1 && touches(a, b));
    let count = signs.len();
    let longest = runs.map(<[_]>::len).max().unwrap_or(0);
    let longest_joined = joined_runs.map(<[_]>::len).max().unwrap_or(0);
    let is_single_word = signs.windows(2).all(|pair| touches(&pair[0], &pair[1]));
    let are_whole_faces = count > FACELETS_PER_FACE && count.is_multiple_of(FACELETS_PER_FACE);
    let is_nearly_whole = count.abs_diff(FACELETS) <= FACELETS_PER_FACE;
    // The more the letters are grouped like facelets, the shorter a run suffices.
    let is_likely = longest_joined > 3
        || count >= FACELETS_PER_FACE && longest > 2
        || longest > 1
            && (count >= FACELETS_PER_FACE && is_single_word || are_whole_faces || is_nearly_whole);
    is_likely.then_some(count)
}

/// Returns the error that words may be cycles of pieces or moves without spaces, if each word names
/// a piece and they do not all name the same piece.
fn cycles_of_pieces(text: &str) -> Option<ParseError> {
    let is_end = |c: char| is_gap(c) || ",()[]>→;|-".contains(c);
    let (orientations, pieces): (Vec<&str>, Vec<&str>) = text
        .split(is_end)
        .filter(|word| !word.is_empty())
        .partition(|word| matches!(*word, "0" | "1" | "2"));
    let slot = |word: &&str| Some(Slot::named(&word.to_ascii_uppercase())?.0);
    let slots: Vec<Slot> = pieces.iter().map(slot).collect::<Option<_>>()?;
    // Pieces with orientations, as in `(ULB,1)(DLF,2)`, are program output.
    if !orientations.is_empty() {
        return (orientations.len() == slots.len()).then(|| literal(text));
    }
    let are_several = slots.iter().any(|slot| slot != &slots[0]);
    are_several.then(|| {
        let cycles = quoted(text.trim_matches(is_blank));
        let example = speffz::from_piece_cycles(text)
            .map_or(String::new(), |speffz| format!(", as in {speffz}"));
        let sentence = format!(
            "`{cycles}` may be cycles of pieces or single moves; put spaces between moves, and \
             write cycles in Speffz letters{example}"
        );
        about_all(text, sentence)
    })
}

/// Returns the error that the texts between tabs may be cells of a table or one sequence, if at
/// least two of them have moves, and one has several.
fn cells_of_row(text: &str) -> Option<ParseError> {
    let count = |text: &str| parse_turns(text, &ParseOptions::default()).map(|turns| turns.len());
    // The limits on the whole text bound the cost of parsing its cells.
    if !text.contains('\t') || count(text).is_err() {
        return None;
    }
    text.split(ends_line).find_map(|line| {
        let cells = line.split('\t').map(|cell| cell.trim_matches(is_blank));
        let counted = cells.map(|cell| (cell, count(cell).unwrap_or(0)));
        let cells: Vec<(&str, usize)> = counted.filter(|(_, count)| *count > 0).collect();
        let [(first, _), (second, _), ..] = cells[..] else {
            return None;
        };
        if cells.iter().all(|(_, count)| *count == 1) {
            return None;
        }
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let sentence = format!(
            "`{}` and `{}` may be two cells of a table or one sequence; keep one column, or write \
             spaces instead of tabs",
            quoted(first),
            quoted(second)
        );
        Some(ParseError::at(text, start..start + line.len(), sentence))
    })
}

/// Returns the error that a word after moves may be the name of a step or moves: a word in
/// brackets, as in `R U (FB)`, or without brackets if all other words are single moves, as in `R U
/// F2L`.
fn step(text: &str, words: &[Token]) -> Option<ParseError> {
    // The names of steps that can also be read as moves.
    const STEPS: [&str; 8] = ["FB", "SB", "F2B", "F2L", "LS", "LL", "DR", "LSE"];
    let is_bracketed_step = |word: &Token| {
        let inside = word.text.strip_prefix(['(', '[']);
        let inside = inside.and_then(|text| text.strip_suffix([')', ']']));
        inside.is_some_and(|text| STEPS.contains(&text))
    };
    let is_step = |word: &Token| is_bracketed_step(word) || STEPS.contains(&word.text);
    let are_alone = words
        .iter()
        .all(|word| is_step(word) || move_count(word) <= 1);
    let mut others = words.iter().skip(1);
    let step = others.find(|word| is_bracketed_step(word) || are_alone && is_step(word))?;
    Some(ParseError::quoting(
        text,
        step.span(),
        "`{}` may be the name of a step or moves; leave it out, or write // before it, or put \
         spaces between the moves",
    ))
}

/// Returns the number of moves in a word, if each letter but the marks `w` and `i` is one.
fn move_count(word: &Token) -> usize {
    let is_move = |c: &char| c.is_alphabetic() && !matches!(c, 'w' | 'i');
    word.text.chars().filter(is_move).count()
}

/// Returns the error that a word, such as `2f` in `R U 2f`, may be the number of the moves before
/// it or a turn of layers. Only words that begin with a digit may follow it.
fn count_or_turn(text: &str, words: &[Token]) -> Option<ParseError> {
    let is_number = |word: &Token| word.text.starts_with(|c: char| c.is_ascii_digit());
    let count_index = words
        .iter()
        .rposition(|word| !is_number(word))
        .map_or(0, |last| last + 1);
    let moves = &words[..count_index];
    let count = words.get(count_index)?;
    let number: usize = count.text.strip_suffix('f')?.parse().ok()?;
    let is_count = (1..=3).contains(&number)
        && !moves.iter().any(is_number)
        && moves.iter().map(move_count).sum::<usize>() == number;
    is_count.then(|| ParseError::quoting(text, count.span(), COUNT_OR_TURN))
}

/// Returns the error that a word, such as `MR` in `MR U'`, may be a turn in the notation SSE or two
/// moves, if every other word is also such a turn or a single move.
fn turn_of_sse(text: &str, words: &[Token]) -> Option<ParseError> {
    let is_turn = |word: &&Token| {
        let mut signs = word.text.chars();
        matches!(signs.next(), Some('M' | 'S' | 'T' | 'C'))
            && signs.next().and_then(Face::from_letter).is_some()
            && signs.all(|sign| matches!(sign, '2' | '\'' | '-'))
    };
    let turn = words.iter().find(is_turn)?;
    let are_alone = words
        .iter()
        .all(|word| is_turn(&word) || move_count(word) <= 1);
    are_alone.then(|| {
        ParseError::quoting(
            text,
            turn.span(),
            "`{}` may be a turn in the notation SSE or two moves; write M', R L', Rw or x for \
             SSE's MR, SR, TR or CR, or put a space between two moves",
        )
    })
}

/// Returns the error that the first words may be the name of a case or moves, as in `U (a) R2 U`,
/// `E perm x'` and `Ub R2 U`. A name without `perm` or a variant such as `(a)` counts only if all
/// other words are single moves; `E`, only if they are turns of faces.
fn name_of_case(text: &str, first: &Token, others: &[Token]) -> Option<ParseError> {
    let second = others.first()?;
    let is_perm = |word: &Token| word.text.to_ascii_lowercase().ends_with("perm");
    let variant = second.text.trim_end_matches(':');
    let is_variant = matches!(variant, "(a)" | "(b)" | "(c)" | "(d)");
    let is_letter = first.text.chars().all(char::is_alphabetic) && first.text.len() <= 2;
    let end = if is_perm(first) {
        Some(first.end())
    } else {
        (is_letter && (is_variant || is_perm(second))).then(|| second.start + variant.len())
    };
    if let Some(end) = end {
        return Some(ParseError::quoting(
            text,
            first.start..end,
            "`{}` seems to be the name of a case; leave it out, or write it in front of a colon, \
             as in \"{}\": R U",
        ));
    }
    if others.iter().any(|word| move_count(word) != 1) {
        return None;
    }
    let is_face_turn = |word: &Token| {
        word.text
            .starts_with(|c: char| c.is_ascii_uppercase() && !"MES".contains(c))
    };
    let sentence = match first.text.as_bytes() {
        [face, b'b' | b'd'] if Face::from_letter(char::from(*face)).is_some() => {
            "`{}` may be the name of a case or two moves; leave the name out, or put spaces \
             between all moves"
        }
        b"E" if others.iter().all(is_face_turn) => {
            "`E` may be the name of a case or a turn of the slice E; leave the name out, or write \
             `[E]` for the turn"
        }
        _ => return None,
    };
    Some(ParseError::quoting(text, first.span(), sentence))
}

/// Returns the error that a letter and a sign, as in `F. R' U'`, `F) R' U'` or `F = R' U'`, may be
/// a label or a move. If the sign is a point and other points follow, they are pauses.
fn label(text: &str, first: &Token, others: &[Token]) -> Option<ParseError> {
    let second = others.first()?;
    let (label, end) = match second.text {
        "=" => (first.text, second.end()),
        _ => (first.text.strip_suffix(['.', ')'])?, first.end()),
    };
    let letter = label.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
    let is_move = matches!(letter.as_bytes(), [c] if b"URFDLBurfdlbMESmesxyz".contains(c));
    // `E2. ` numbers an extra scramble.
    let is_extra_number = letter == "E" && label != "E";
    let has_pause = first.text.ends_with('.') && others.iter().any(|word| word.text.contains('.'));
    (is_move && !is_extra_number && !has_pause).then(|| {
        ParseError::quoting(
            text,
            first.start..end,
            "`{}` may be a label or a move; leave the label out, or write the move without the \
             sign after it",
        )
    })
}

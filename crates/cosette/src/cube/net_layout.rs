//! Facelets in any layout: a string, a net, a list of a program, or faces with their names.
//!
//! | layout | order of the faces |
//! |---|---|
//! | a string, in words or rows of three or more, or one facelet a word | the given [`FaceOrder`](super::FaceOrder) |
//! | a net: rows of 3, 3, 3, 12, 12, 12, 3, 3, 3 facelets, with or without a frame | U; the row with F below U; D |
//! | a cross: rows of 3, 3, 3, 9, 9, 9, 3, 3, 3, 3, 3, 3 facelets | U; L F R; D; B |
//! | `U: www…, R: …`, `{"U": ["w", …], …}`: six names, nine facelets after each | the names |
//! | `[{"face": "U", "stickers": ["w", …]}, …]` | the names |
//! | `["w", "g", …]`, `[["w", …], …]`, `{"facelets": ["w", …]}` | the given `FaceOrder` |
//!
//! In a net, F is the face below U among the four faces side by side. If the rows are not indented,
//! these are L F R B. In a cross, some programs write B as seen from behind instead of from below:
//! the reading that gives a cube counts.

use super::error::ParseError;
use super::face_order::FaceOrder;
use super::facelets::{are_cube, read_placed};
use super::moves::Face;
use super::pieces::{CENTER, FACELETS, FACELETS_PER_FACE};
use super::position::Cube;
use super::symmetry::Symmetry;
use super::text::{self, Cursor, Token, ends_line, is_blank, is_gap, words};

/// The signs that may stand between faces or facelets.
pub(crate) const SEPARATORS: [char; 7] = ['/', '|', ',', '-', ';', '·', '_'];

/// Maximum length of a layout of 54 facelets, in bytes.
const MAX_LAYOUT: usize = 4000;

/// The emoji that fills the empty squares of a net.
const EMPTY: char = '⬛';

/// Reads a facelet string.
///
/// ```text
/// facelets = 54 * symbol        the faces U R F D L B, each row by row as in the standard net (Kociemba's order)
/// symbol   = any character except whitespace
/// ```
///
/// Spaces and newlines are allowed anywhere, and so are separators, as in `UUUUUUUUU/RRRRRRRRR/…`.
/// Separators are the signs `/ | , - ; · _`, but a sign that occurs nine times is a color. Rows
/// that form a net (3, 3, 3, 12, 12, 12, 3, 3, 3 facelets, also in a frame) are read as a net: U,
/// then L F R B side by side, then D. In a cross of twelve rows, B is below D. Faces may be
/// labeled, as in `U: www…, R: …`, and lists as programs print them, such as `[["w", …], …]`, are
/// accepted. For another order of the faces, set
/// [`ParseOptions::face_order`](super::ParseOptions::face_order). The fifth symbol of each face is
/// its center, and the centers define which symbol belongs to which face. So any six symbols can be
/// used, and the cube can be held in any way. If the centers are face letters in an arrangement
/// that no real cube shows, they may instead name the order in which the faces are written. If that
/// order gives a valid position too, but a different one, the text is ambiguous and is rejected.
///
/// Centers do not distinguish a cube from its mirror image. If the facelets were read in a mirror,
/// or with two opposite faces exchanged, the error is therefore about a corner whose colors run the
/// wrong way round.
///
/// # Errors
///
/// Returns an error if there are not 54 facelets in six colors, nine of each; if a piece does not
/// exist or appears twice; or if the position is unsolvable.
pub fn parse_facelets(text: &str) -> Result<Cube, ParseError> {
    read_facelets(text, FaceOrder::URFDLB)
}

impl Cube {
    /// Reads the position with these 54 facelets, like [`parse_facelets`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse_facelets`].
    pub fn from_facelets(facelets: &str) -> Result<Cube, ParseError> {
        parse_facelets(facelets)
    }
}

/// Reads facelets, with the faces in this order unless the text names them.
///
/// # Errors
///
/// Returns the errors of [`parse_facelets`], and an error if the facelets are a cube only in
/// another order.
pub(super) fn read_facelets(text: &str, order: FaceOrder) -> Result<Cube, ParseError> {
    let NetLayout {
        facelets,
        is_placed,
        ..
    } = NetLayout::of(text);
    if facelets.len() != FACELETS {
        let are = match facelets.len() {
            1 => "is 1 facelet".to_owned(),
            count => format!("are {count} facelets"),
        };
        let sentence = format!("there {are}; give 54, nine for each of the faces U R F D L B");
        return Err(ParseError::new(text, sentence));
    }
    if is_placed {
        return read_placed(text, &facelets);
    }
    match read_placed(text, &in_order(&facelets, order)) {
        // An order that was chosen is not questioned.
        Ok(cube) if order == FaceOrder::URFDLB => match order_of_letters(text, &facelets, cube) {
            Some(named) => Err(ParseError::new(
                text,
                format!(
                    "these facelets are a cube in the face order {order}, but the letters of their \
                     centers are in the order {named}; give `--face-order {named}` (`face_order` \
                     in programs), or write colors instead of letters of faces"
                ),
            )),
            None => Ok(cube),
        },
        Err(error) if error.is_impossible() && is_balanced(&facelets) => {
            Err(in_another_order(text, &facelets, order).unwrap_or(error))
        }
        read => read,
    }
}

/// Puts facelets that are given in this order of the faces into the order U R F D L B.
fn in_order<'a>(facelets: &[Token<'a>], order: FaceOrder) -> Vec<Token<'a>> {
    order.indices().map(|index| facelets[index]).to_vec()
}

/// Returns the face order that the letters of the centers name, if no way to hold a cube shows
/// these centers, and the facelets in that order are another position than `cube`.
fn order_of_letters(text: &str, facelets: &[Token], cube: Cube) -> Option<FaceOrder> {
    let letters: String = facelets
        .chunks(FACELETS_PER_FACE)
        .map(|face| face[CENTER].symbol())
        .collect();
    let named: Vec<Face> = letters
        .chars()
        .map(Face::from_letter)
        .collect::<Option<_>>()?;
    let is_held_so =
        |s: Symmetry| !s.is_mirror() && Face::ALL.map(|face| s.face(face)) == named[..];
    if Symmetry::all().any(is_held_so) {
        return None;
    }
    let order: FaceOrder = letters.parse().ok()?;
    read_placed(text, &in_order(facelets, order))
        .is_ok_and(|other| other != cube)
        .then_some(order)
}

/// Returns the error that facelets are a cube in one other order, or as the rows of a net; `None`
/// if they are a cube in none of these ways, or in several.
fn in_another_order(text: &str, facelets: &[Token], given: FaceOrder) -> Option<ParseError> {
    let symbols: Vec<char> = facelets.iter().map(Token::symbol).collect();
    let is_net = are_cube(&of_net(facelets, 1));
    let sentence = match FaceOrder::of_cube(&symbols) {
        Some(fits) if !is_net => format!(
            "these facelets are not a cube in the face order {given}, but in {fits}; give \
             `--face-order {fits}` (`face_order` in programs), or name the faces, as in U: … R: …"
        ),
        None if is_net => "read face by face, these facelets are not a cube, but read as the rows \
                           of a net (U, then L F R B, then D) they are; write each row of the net \
                           on its own line, of 3 or 12 facelets"
            .to_owned(),
        _ => return None,
    };
    Some(ParseError::new(text, sentence).impossible())
}

/// The facelets of a text.
pub(super) struct NetLayout<'a> {
    /// The facelets: in the order U R F D L B if `is_placed`, else in the order of the text.
    pub facelets: Vec<Token<'a>>,
    /// `true` if the layout identifies the faces.
    pub is_placed: bool,
    /// `true` if the layout is too compact for moves: the facelets are in groups of three or more
    /// on average, or in quotation marks.
    pub is_compact: bool,
}

impl<'a> NetLayout<'a> {
    /// Returns the layout of a text without comments.
    pub fn of(text: &'a str) -> NetLayout<'a> {
        let layout = |facelets, is_placed, is_compact| NetLayout {
            facelets,
            is_placed,
            is_compact,
        };
        let is_short = text.len() <= MAX_LAYOUT;
        let literal = if is_short { Literal::of(text) } else { None };
        if let Some(facelets) = literal.as_ref().and_then(Literal::faces_by_name) {
            return layout(facelets, true, true);
        }
        if is_short && let Some(facelets) = net(text) {
            return layout(facelets, true, true);
        }
        if let Some(facelets) = literal.as_ref().and_then(Literal::list) {
            return layout(facelets, false, text.contains(['"', '\'']));
        }
        let facelets = symbols(text);
        let is_apart = |pair: &[Token]| text[pair[0].end()..pair[1].start].contains(is_gap);
        let groups = 1 + facelets.windows(2).filter(|pair| is_apart(pair)).count();
        let is_compact = groups * 3 <= facelets.len();
        layout(facelets, false, is_compact)
    }

    /// Returns `true` if these are 54 facelets, nine of each of six colors.
    pub fn is_balanced(&self) -> bool {
        is_balanced(&self.facelets)
    }
}

/// Returns `true` if these are 54 facelets, nine of each of six colors.
pub(super) fn is_balanced(facelets: &[Token]) -> bool {
    let times = |wanted: &str| {
        facelets
            .iter()
            .filter(|facelet| facelet.text == wanted)
            .count()
    };
    facelets.len() == FACELETS
        && facelets
            .iter()
            .all(|facelet| times(facelet.text) == FACELETS_PER_FACE)
}

/// Returns `true` if these are 54 facelets, nine of each of six colors, with six different centers.
pub(super) fn are_balanced(facelets: &[Token]) -> bool {
    let center = |face: usize| facelets[face * FACELETS_PER_FACE + CENTER].text;
    is_balanced(facelets)
        && (0..6).all(|face| (0..face).all(|earlier| center(earlier) != center(face)))
}

/// Returns the symbols of the text without [`SEPARATORS`]; a sign that occurs nine times is a
/// color, not a separator.
pub(super) fn symbols(text: &str) -> Vec<Token<'_>> {
    let times = |sign: char| text.matches(sign).count();
    let separators: Vec<char> = SEPARATORS
        .into_iter()
        .filter(|&sign| times(sign) != FACELETS_PER_FACE)
        .collect();
    text::symbols(text)
        .filter(|symbol| !separators.contains(&symbol.symbol()))
        .collect()
}

/// Returns the facelets of a text whose rows have the shape of a net or a cross, in the order U R F
/// D L B.
fn net(text: &str) -> Option<Vec<Token<'_>>> {
    let rows = rows(text);
    let lengths: Vec<usize> = rows.iter().map(Vec::len).collect();
    let cells = match lengths[..] {
        [3, 3, 3, 12, 12, 12, 3, 3, 3]
        | [9, 12, 12, 12, 9]
        | [3, 3, 3, 9, 9, 9, 3, 3, 3, 3, 3, 3] => rows.concat(),
        _ => return None,
    };
    if !is_balanced(&cells) {
        return None;
    }
    let front = |row: usize| adjacent_block(text, &rows[row], &rows[3]);
    // Rows in one line are not indented.
    let is_one_line = !text.trim_matches(is_blank).contains(ends_line);
    match lengths.len() {
        12 if front(0) == Some(1) => of_cross(&cells),
        12 => None,
        9 if !is_one_line => front(0)
            .filter(|&up| front(6) == Some(up))
            .map(|up| of_net(&cells, up)),
        _ => Some(of_net(&cells, 1)),
    }
}

/// Puts the facelets of a net, given row by row, into the order U R F D L B. F is the block with
/// the index `front` among the four blocks of the rows of twelve.
fn of_net<'a>(cells: &[Token<'a>], front: usize) -> Vec<Token<'a>> {
    let side = |right_of_front: usize| (FACELETS_PER_FACE + (front + right_of_front) % 4 * 3, 12);
    let down = FACELETS - FACELETS_PER_FACE;
    of_blocks(
        cells,
        [(0, 3), side(1), side(0), (down, 3), side(3), side(2)],
    )
}

/// Puts the facelets of a cross, given row by row, into the order U R F D L B; `None` if the two
/// ways to write B give different cubes.
fn of_cross<'a>(cells: &[Token<'a>]) -> Option<Vec<Token<'a>>> {
    let behind = of_blocks(cells, [(0, 3), (15, 9), (12, 9), (36, 3), (9, 9), (45, 3)]);
    let mut below = behind.clone();
    below[FACELETS - FACELETS_PER_FACE..].reverse();
    let is_same = below.iter().zip(&behind).all(|(a, b)| a.text == b.text);
    match (are_cube(&below), are_cube(&behind)) {
        (true, true) if !is_same => None,
        (false, true) => Some(behind),
        _ => Some(below),
    }
}

/// Returns the facelets of the faces U R F D L B. A block is a face: the index of its first facelet
/// among the cells, and the length of the rows that it is a part of.
fn of_blocks<'a>(cells: &[Token<'a>], blocks: [(usize, usize); 6]) -> Vec<Token<'a>> {
    let face = |(first, row): (usize, usize)| {
        (0..FACELETS_PER_FACE).map(move |cell| cells[first + cell / 3 * row + cell % 3])
    };
    blocks.into_iter().flat_map(face).collect()
}

/// Returns the rows of symbols in the text, without frames: its lines or, if it is a single line,
/// its words.
fn rows(text: &str) -> Vec<Vec<Token<'_>>> {
    // Black squares are empty, unless they are a color.
    let is_empty = |c: char| c == EMPTY && text.matches(EMPTY).count() != FACELETS_PER_FACE;
    let is_frame = |c: char| {
        SEPARATORS.contains(&c) || matches!(c, '+' | '=' | '[' | ']' | '\u{2500}'..='\u{257f}')
    };
    let mut rows = vec![Vec::new()];
    let mut last = 0;
    for symbol in text::symbols(text) {
        if text[last..symbol.start].contains(ends_line) {
            rows.push(Vec::new());
        }
        last = symbol.end();
        if !is_frame(symbol.symbol()) && !is_empty(symbol.symbol()) {
            rows.last_mut().expect("there is a row").push(symbol);
        }
    }
    rows.retain(|row| !row.is_empty());
    if let [only] = &rows[..] {
        let row = |word: Token| {
            only.iter()
                .copied()
                .filter(|s| word.span().contains(&s.start))
                .collect::<Vec<_>>()
        };
        rows = words(text).map(row).filter(|row| !row.is_empty()).collect();
    }
    rows
}

/// Returns the index of the block of three, in a row of twelve, that is above or below these three
/// facelets; 1 if they are not indented. In a table with tabs, commas or semicolons, these delimit
/// the columns.
fn adjacent_block(text: &str, three: &[Token], twelve: &[Token]) -> Option<usize> {
    // Emoji and full-width signs are twice as wide as letters.
    let width = |c: char| match c {
        '\u{2b1b}' | '\u{2b1c}' | '\u{3000}' | '\u{ff01}'..='\u{ff60}' | '\u{1f000}'.. => 2,
        _ if is_blank(c) && !c.is_whitespace() => 0,
        _ => 1,
    };
    let row = &text[twelve.first()?.start..twelve.last()?.end()];
    let delimiter = ['\t', ',', ';']
        .into_iter()
        .find(|&sign| row.matches(sign).count() + 1 >= twelve.len());
    let width = |c: char| delimiter.map_or(width(c), |sign| usize::from(c == sign));
    let column = |token: &Token| {
        let line = text[..token.start]
            .rfind(ends_line)
            .map_or(0, |end| end + 1);
        let start = (line..=token.start)
            .find(|&at| text.is_char_boundary(at))
            .unwrap_or(token.start);
        text[start..token.start]
            .chars()
            .filter(|c| !ends_line(*c))
            .map(width)
            .sum::<usize>()
    };
    let indent = column(three.first()?);
    let blocks: Vec<usize> = twelve.iter().step_by(3).map(column).collect();
    let block_width = blocks.get(1)? - blocks.first()?;
    if indent <= blocks[0] {
        Some(1)
    } else {
        blocks
            .iter()
            .position(|&block| block.abs_diff(indent) * 2 < block_width.max(1))
    }
}

/// A JSON or Python literal, or items with names before them.
struct Literal<'a> {
    /// The words in the order of the text, each after the name that it belongs to.
    items: Vec<(Option<Token<'a>>, Token<'a>)>,
    /// `true` if the text begins with a bracket or an apostrophe.
    is_bracketed: bool,
}

impl<'a> Literal<'a> {
    /// Returns the items; `None` if the text is something else.
    fn of(text: &'a str) -> Option<Literal<'a>> {
        const BRACKETS: [char; 6] = ['[', ']', '{', '}', '(', ')'];
        let mut cursor = Cursor::new(text);
        let mut name = None;
        let mut items = Vec::new();
        let is_bracketed = text
            .trim_start_matches(is_blank)
            .starts_with(['[', '{', '(', '\'']);
        loop {
            cursor.skip(|c| is_blank(c) || BRACKETS.contains(&c) || matches!(c, ',' | ';' | '/'));
            let word = match cursor.rest().chars().next() {
                None => break,
                Some(quote @ ('"' | '\'')) => {
                    cursor.take(1);
                    let length = cursor.rest().find(quote).filter(|&length| length > 0)?;
                    let word = cursor.take(length);
                    cursor.take(1);
                    word
                }
                Some(_) => {
                    let is_end =
                        |c: char| is_blank(c) || BRACKETS.contains(&c) || ",;:=\"'/".contains(c);
                    cursor.take_run(|c| !is_end(c))?
                }
            };
            cursor.skip(is_blank);
            if cursor.rest().starts_with([':', '=']) {
                cursor.take(1);
                name = Some(word);
            } else {
                items.push((name, word))
            }
        }
        Some(Literal {
            items,
            is_bracketed,
        })
    }

    /// Returns the nine facelets of each face, if they come after its name or after a field that
    /// names it, such as `"face": "U"`.
    fn faces_by_name(&self) -> Option<Vec<Token<'a>>> {
        let mut faces: [Vec<Token>; 6] = Default::default();
        let mut names: Vec<usize> = Vec::new();
        let mut face_of_field = None;
        for (name, word) in &self.items {
            let name = (*name)?;
            if ["face", "name", "side"].contains(&name.text) {
                face_of_field = Some(face_named(word.text)?);
                continue;
            }
            faces[face_named(name.text).or(face_of_field)?.index()].push(*word);
            names.push(name.start);
        }
        names.dedup();
        let name_count = names.len();
        let faces: Vec<Vec<Token>> = faces
            .iter()
            .map(|words| stickers(words, FACELETS_PER_FACE))
            .collect::<Option<_>>()?;
        let facelets = faces.concat();
        (name_count == faces.len() && is_balanced(&facelets)).then_some(facelets)
    }

    /// Returns the 54 facelets of a list, face by face. The list may have a name.
    fn list(&self) -> Option<Vec<Token<'a>>> {
        let words: Vec<Token> = self.items.iter().map(|(_, word)| *word).collect();
        let is_plain =
            self.is_bracketed && self.items.iter().all(|(name, _)| *name == self.items[0].0);
        let facelets = if is_plain {
            stickers(&words, FACELETS)
        } else {
            None
        };
        facelets.filter(|facelets| is_balanced(facelets))
    }
}

/// Returns `count` facelets, if there are so many words, or so many characters in the words.
fn stickers<'a>(words: &[Token<'a>], count: usize) -> Option<Vec<Token<'a>>> {
    if words.len() == count {
        // A facelet is identified by its first character.
        let is_same = |a: &Token, b: &Token| (a.symbol() == b.symbol()) == (a.text == b.text);
        return words
            .iter()
            .all(|a| words.iter().all(|b| is_same(a, b)))
            .then(|| words.to_vec());
    }
    let of_word = |word: &Token<'a>| {
        let start = word.start;
        text::symbols(word.text).map(move |symbol| Token {
            start: start + symbol.start,
            ..symbol
        })
    };
    let facelets: Vec<Token> = words.iter().flat_map(of_word).collect();
    (facelets.len() == count).then_some(facelets)
}

/// Returns the face with this name: a letter, or a word.
fn face_named(name: &str) -> Option<Face> {
    const NAMES: [(&str, Face); 8] = [
        ("up", Face::U),
        ("top", Face::U),
        ("right", Face::R),
        ("front", Face::F),
        ("down", Face::D),
        ("bottom", Face::D),
        ("left", Face::L),
        ("back", Face::B),
    ];
    let name = name.to_ascii_lowercase();
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) => Face::from_letter(letter.to_ascii_uppercase()),
        _ => NAMES
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, face)| *face),
    }
}

//! Layouts of facelets: a string, a net, a list of a program, or faces with their names.
//!
//! | layout | order of the faces |
//! |---|---|
//! | a string, in words or rows of three or more, or one facelet a word | that of [`FaceOrder`](super::FaceOrder) |
//! | a net: rows of 3, 3, 3, 12, 12, 12, 3, 3, 3 facelets, with or without a frame | U; the row with F below U; D |
//! | a cross: rows of 3, 3, 3, 9, 9, 9, 3, 3, 3, 3, 3, 3 facelets | U; L F R; D; B |
//! | `U: www…, R: …`, `{"U": ["w", …], …}`: six names, nine facelets after each | the names |
//! | `[{"face": "U", "stickers": ["w", …]}, …]` | the names |
//! | `["w", "g", …]`, `[["w", …], …]`, `{"facelets": ["w", …]}` | that of `FaceOrder` |
//!
//! In a net, the four faces beside each other are L F R B if U stands above the second of them, or
//! if the rows are not indented; in general F is the one below U. In a cross, some programs write B
//! as it is seen from behind instead of from below: of the two, the one that is a cube counts.

use super::facelets;
use super::moves::Face;
use super::slots::{FACELETS, ON_FACE};
use super::text::{self, Cursor, Token, ends_line, is_blank, words};

/// The signs that may stand between faces or facelets.
pub(crate) const SEPARATORS: [char; 7] = ['/', '|', ',', '-', ';', '·', '_'];

/// Maximum length of a layout of 54 facelets, in bytes.
const MAX_LAYOUT: usize = 4000;

/// The emoji that fills the empty squares of a net.
const EMPTY: char = '⬛';

/// The facelets of a text.
pub(super) struct NetLayout<'a> {
    /// The facelets: in the order U R F D L B if `is_placed`, else in the order of the text.
    pub facelets: Vec<Token<'a>>,
    /// `true` if the layout identifies the faces.
    pub is_placed: bool,
    /// `true` if most of them touch others, unlike moves with spaces between them.
    is_compact: bool,
}

impl<'a> NetLayout<'a> {
    /// Returns the layout of a text without comments.
    pub fn of(text: &'a str) -> NetLayout<'a> {
        let placed = |facelets: Vec<Token<'a>>| NetLayout {
            facelets,
            is_placed: true,
            is_compact: true,
        };
        let is_short = text.len() <= MAX_LAYOUT;
        let literal = if is_short { Literal::of(text) } else { None };
        if let Some(facelets) = literal.as_ref().and_then(Literal::faces_by_name) {
            return placed(facelets);
        }
        if is_short && let Some(facelets) = net(text) {
            return placed(facelets);
        }
        if let Some(facelets) = literal.as_ref().and_then(Literal::list) {
            let is_compact = text.contains(['"', '\'']);
            return NetLayout {
                facelets,
                is_placed: false,
                is_compact,
            };
        }
        let facelets = symbols(text);
        let is_apart = |pair: &[Token]| text[pair[0].end()..pair[1].start].contains(is_gap);
        let groups = 1 + facelets.windows(2).filter(|pair| is_apart(pair)).count();
        let is_compact = groups * 3 <= facelets.len();
        NetLayout {
            facelets,
            is_placed: false,
            is_compact,
        }
    }

    /// Returns `true` if they are 54 of six kinds, nine of each.
    pub fn is_balanced(&self) -> bool {
        is_balanced(&self.facelets)
    }

    /// Returns `true` if no sequence of moves has this form.
    pub fn is_unmistakable(&self) -> bool {
        self.is_compact
    }
}

/// Returns `true` if `c` may stand between moves too.
fn is_gap(c: char) -> bool {
    is_blank(c) || c == '_'
}

/// Returns `true` if these are 54 of six kinds, nine of each.
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
            .all(|facelet| times(facelet.text) == ON_FACE)
}

/// Returns the symbols of the text without separators: the signs of [`SEPARATORS`], each unless it
/// occurs nine times and so is a color.
pub(super) fn symbols(text: &str) -> Vec<Token<'_>> {
    let times = |sign: char| text.matches(sign).count();
    let separators: Vec<char> = SEPARATORS
        .into_iter()
        .filter(|&sign| times(sign) != ON_FACE)
        .collect();
    text::symbols(text)
        .filter(|symbol| !separators.contains(&symbol.symbol()))
        .collect()
}

/// The rows of a net, symbols only.
type NetRows<'a> = Vec<Vec<Token<'a>>>;

/// Returns the facelets of a text whose rows have the shape of a net, in the order U R F D L B.
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
    if lengths.len() == 12 {
        return column_below(text, &rows[0], &rows[3])
            .filter(|&up| up == 1)
            .and_then(|_| of_cross(&cells));
    }
    // Rows in one line are not indented.
    let is_one_line = !text.trim_matches(is_blank).contains(ends_line);
    let front = match lengths.len() {
        9 if !is_one_line => column_below(text, &rows[0], &rows[3])
            .filter(|&up| column_below(text, &rows[6], &rows[3]) == Some(up))?,
        _ => 1,
    };
    Some(of_net(&cells, front))
}

/// Returns the facelets of a net, row by row with this block of the rows of twelve below U, in the
/// order U R F D L B.
pub(super) fn of_net<'a>(cells: &[Token<'a>], front: usize) -> Vec<Token<'a>> {
    let index = |place: usize| {
        let face = Face::from_index(place / ON_FACE);
        let cell = place % ON_FACE;
        let block = match face {
            Face::U => return cell,
            Face::D => return FACELETS - ON_FACE + cell,
            Face::F => front,
            Face::R => front + 1,
            Face::B => front + 2,
            Face::L => front + 3,
        };
        ON_FACE + cell / 3 * 12 + block % 4 * 3 + cell % 3
    };
    (0..FACELETS).map(|place| cells[index(place)]).collect()
}

/// Returns the facelets of a cross, row by row, in the order U R F D L B; `None` if they are two
/// cubes, by the two ways to write B.
fn of_cross<'a>(cells: &[Token<'a>]) -> Option<Vec<Token<'a>>> {
    let seen_from = |is_below: bool| -> Vec<Token<'a>> {
        let index = |place: usize| {
            let cell = place % ON_FACE;
            let in_row = |block: usize| ON_FACE + cell / 3 * 9 + block * 3 + cell % 3;
            match Face::from_index(place / ON_FACE) {
                Face::U => cell,
                Face::L => in_row(0),
                Face::F => in_row(1),
                Face::R => in_row(2),
                Face::D => 4 * ON_FACE + cell,
                Face::B if is_below => FACELETS - 1 - cell,
                Face::B => 5 * ON_FACE + cell,
            }
        };
        (0..FACELETS).map(|place| cells[index(place)]).collect()
    };
    let [below, behind] = [seen_from(true), seen_from(false)];
    let is_same = below.iter().zip(&behind).all(|(a, b)| a.text == b.text);
    match (facelets::are_cube(&below), facelets::are_cube(&behind)) {
        (true, true) if !is_same => None,
        (false, true) => Some(behind),
        _ => Some(below),
    }
}

/// Returns the rows of the text that hold symbols, without frames: its lines, or, of a single line,
/// its words.
fn rows(text: &str) -> NetRows<'_> {
    // Black squares are empty, unless they are a color.
    let is_empty = |c: char| c == EMPTY && text.matches(EMPTY).count() != ON_FACE;
    let is_frame = |c: char| {
        SEPARATORS.contains(&c) || matches!(c, '+' | '=' | '[' | ']' | '\u{2500}'..='\u{257f}')
    };
    let mut rows: NetRows = vec![Vec::new()];
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

/// Returns the index of the block of a row of twelve that is above or below these three facelets;
/// the second if they are not indented. In a table with tabs or commas, they count as the columns.
fn column_below(text: &str, three: &[Token], twelve: &[Token]) -> Option<usize> {
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
    let at = column(three.first()?);
    let blocks: Vec<usize> = twelve.iter().step_by(3).map(column).collect();
    let side = blocks.get(1)? - blocks.first()?;
    if at <= blocks[0] {
        Some(1)
    } else {
        blocks
            .iter()
            .position(|&block| block.abs_diff(at) * 2 < side.max(1))
    }
}

/// A literal of JSON or Python, or items with names before them: words in the order given, each
/// after the name it belongs to.
struct Literal<'a> {
    items: Vec<(Option<Token<'a>>, Token<'a>)>,
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

    /// Returns the nine facelets of each face, after its name, or after a field that names it, such
    /// as `"face": "U"`.
    fn faces_by_name(&self) -> Option<Vec<Token<'a>>> {
        let mut faces: [Vec<Token>; 6] = Default::default();
        let mut names: Vec<usize> = Vec::new();
        let mut of_field = None;
        for (name, word) in &self.items {
            let name = (*name)?;
            if ["face", "name", "side"].contains(&name.text) {
                of_field = Some(face_named(word.text)?);
                continue;
            }
            faces[face_named(name.text).or(of_field)?.index()].push(*word);
            names.push(name.start);
        }
        names.dedup();
        let blocks = names.len();
        let faces: Vec<Vec<Token>> = faces
            .iter()
            .map(|words| stickers(words, ON_FACE))
            .collect::<Option<_>>()?;
        let facelets = faces.concat();
        (blocks == faces.len() && is_balanced(&facelets)).then_some(facelets)
    }

    /// Returns the 54 facelets of a list, face by face, which may have a name.
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

/// Returns `count` facelets: a word each, or their characters.
fn stickers<'a>(words: &[Token<'a>], count: usize) -> Option<Vec<Token<'a>>> {
    if words.len() == count {
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

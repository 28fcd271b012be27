//! Named positions, as people store them in lists: `T-perm: R U R' …`, `Aa - x R' …`, a row of a
//! table, a JSON object; and texts that represent several positions, as trainers write cases.
//!
//! A text that can be read as a position without changes has no name. In any other text, the first
//! of these forms whose remainder is a position gives the name, unless that could be a part of the
//! moves:
//!
//! | form | name |
//! |---|---|
//! | `T-perm: R U R'`, also after a list's `-`, `*`, `•` or `1.` | the text before the colon |
//! | `"F": R U R'` | any text between the quotation marks |
//! | `Aa - x R'`, with a dash of any length between spaces | the text before the dash |
//! | `T-perm<TAB>R U R'`, also with `,`, `;` or `|` | the cells beside the only position |
//! | `{"name": "T-perm", "scramble": "R U"}` | the field `name`, `case`, `title`, `label` or `id` |
//!
//! Cells of numbers, times and dates are names only where the position has no other cell beside it.
//! In JSON, moves may also be a list, `["R", "U'"]`.
//!
//! `F: R U R'` may have a name, or be the conjugate `[F: R U R']`: it is rejected as ambiguous. So
//! is the line `F,R U R'` of a list, which may be a row of a table. If a name that is not in
//! quotation marks contains moves, as in `Scramble: R U Solution: U' R'`, the text is rejected: it
//! may have several parts.

use cosette::cube::{
    Format, Input, ParseError, ParseOptions, is_empty, parse_moves, parse_position, parse_turns,
    shortened,
};
use serde_json::{Map, Value};

/// The text of a position, with its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedPosition {
    /// The name.
    pub name: Option<String>,
    /// The text of the position.
    pub text: String,
}

/// The delimiters of cells, the least ambiguous first.
pub(crate) const DELIMITERS: [char; 4] = ['\t', '|', ';', ','];

/// The fields, or columns, that hold positions; the first one present counts.
pub(crate) const POSITION_FIELDS: [&str; 14] = [
    "input",
    "scramble",
    "position",
    "setup",
    "facelets",
    "state",
    "cube",
    "alg",
    "algorithm",
    "moves",
    "sequence",
    "maneuver",
    "scrambles",
    "algorithms",
];

/// The fields, or columns, that hold names; the first one present counts.
pub(crate) const NAME_FIELDS: [&str; 10] = [
    "name",
    "case",
    "title",
    "label",
    "id",
    "scrambleid",
    "no.",
    "no",
    "number",
    "#",
];

impl NamedPosition {
    /// Creates a position without a name.
    pub fn unnamed(text: &str) -> NamedPosition {
        NamedPosition {
            name: None,
            text: text.to_owned(),
        }
    }

    /// Separates a position from its name. A text without a name is returned as it is, except that
    /// a bullet before a position is removed.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the name may be a part of the moves.
    pub fn of(text: &str) -> Result<NamedPosition, ParseError> {
        if !may_have_name(text)
            || text.trim().contains('\n')
            || Format::detect(text) == Format::Speffz
            || is_readable(text)
        {
            return Ok(NamedPosition::unnamed(text));
        }
        if text.trim_start().starts_with('{')
            && let Ok(object) = serde_json::from_str(text)
        {
            let named = NamedPosition::of_object(&object);
            return Ok(named.unwrap_or_else(|| NamedPosition::unnamed(text)));
        }
        let item = without_bullet(text);
        if item.len() < text.len() && is_readable(item) {
            return Ok(NamedPosition::unnamed(item));
        }
        for split in [before_colon, before_dash, beside_cells] {
            if let Some(named) = split(item)? {
                return Ok(named);
            }
        }
        Ok(NamedPosition::unnamed(text))
    }

    /// Separates a position from its name, and parses it with `read`. The error refers to the whole
    /// text.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the name may be a part of the moves, or the error of `read`.
    pub fn read(
        whole: &str,
        read: impl FnOnce(&str) -> Result<Input, ParseError>,
    ) -> Result<(NamedPosition, Input), ParseError> {
        let named = NamedPosition::of(whole)?;
        let about_whole = |error: ParseError| match whole.find(&named.text) {
            Some(start) => {
                let span = error.span();
                error.moved_to(whole, span.start + start..span.end + start)
            }
            None => error.about(whole),
        };
        let input = read(&named.text).map_err(about_whole)?;
        Ok((named, input))
    }

    /// Separates a position from its name in a line of a list, which may be a row of a table.
    /// Otherwise like [`of`](NamedPosition::of).
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the name may be a part of the moves, even if the whole line can be
    /// read as moves.
    pub fn of_line(line: &str) -> Result<NamedPosition, ParseError> {
        if let Some(cell) = ambiguous_cell_of_row(line) {
            return Err(name_or_moves(line, &cell));
        }
        NamedPosition::of(line)
    }

    /// Returns the position in a JSON object: a text, a list of moves, or the facelets of a cube.
    pub fn of_object(object: &Map<String, Value>) -> Option<NamedPosition> {
        let text = match field(object, &POSITION_FIELDS)? {
            Value::String(text) => text.clone(),
            value => {
                let moves = value.as_array().and_then(|values| moves_one_by_one(values));
                moves.or_else(|| facelets_in(value))?
            }
        };
        let name = match field(object, &NAME_FIELDS) {
            Some(Value::String(name)) => cleaned(name),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        Some(NamedPosition { name, text })
    }
}

/// Joins single moves, at least two, into a sequence. Returns `None` if the values are something
/// else, or if the sequence cannot be read as a position.
pub(crate) fn moves_one_by_one(values: &[Value]) -> Option<String> {
    let moves: Vec<&str> = values.iter().map(Value::as_str).collect::<Option<_>>()?;
    let is_move = |text: &&str| {
        parse_turns(text, &ParseOptions::default()).is_ok_and(|turns| turns.len() == 1)
    };
    let text = moves.join(" ");
    (moves.len() > 1 && moves.iter().all(is_move) && is_readable(&text)).then_some(text)
}

/// Returns the JSON text of a value if it is the facelets of a cube.
fn facelets_in(value: &Value) -> Option<String> {
    let text = value.to_string();
    let read = parse_position(&text, None, &ParseOptions::default());
    read.is_ok_and(|input| input.format == Format::Facelets)
        .then_some(text)
}

/// Returns `true` if a text contains a separator of a name and a position.
fn may_have_name(text: &str) -> bool {
    text.contains(|c| ":：\t|;,{•‣–—−".contains(c))
        || text.contains(" - ")
        || text.trim_start().starts_with(['-', '*', '+', '·'])
}

/// Returns the value of the first of these fields that an object has, ignoring case.
pub(crate) fn field<'a>(object: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| {
        let mut fields = object.iter();
        let field = fields.find(|(key, _)| key.eq_ignore_ascii_case(name));
        field.map(|(_, value)| value)
    })
}

/// Formats a name for a line of text, which shows only the beginning of a long one.
pub fn written_name(name: &str) -> String {
    const MAX_LENGTH: usize = 100;
    shortened(name, MAX_LENGTH)
}

/// Returns `true` if a text is a position, or if the first of its [`alternatives`] is one.
pub(crate) fn is_readable(text: &str) -> bool {
    let first = alternatives(text).into_iter().next().unwrap_or_default();
    parse_position(&first, None, &ParseOptions::default()).is_ok()
}

/// Returns a name in one line, without quotation marks or marks of emphasis around it; `None` if it
/// is empty then.
pub(crate) fn cleaned(name: &str) -> Option<String> {
    let signs: &[char] = &['*', '`', '"', '“', '”'];
    let name = name
        .trim()
        .trim_matches(signs)
        .trim()
        .trim_end_matches(':')
        .trim_matches(signs)
        .trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns a line without the bullet or number of a list item.
fn without_bullet(line: &str) -> &str {
    let line = line.trim();
    if let Some(item) = line.strip_prefix(['-', '*', '+', '•', '‣', '–', '—', '·'])
        && let Some(item) = item.strip_prefix(' ')
    {
        let boxes = ["[ ] ", "[x] ", "[X] "];
        let unboxed = boxes.iter().find_map(|sign| item.strip_prefix(sign));
        return unboxed.unwrap_or(item).trim_start();
    }
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = after_number.strip_prefix(['.', ')']);
    item.filter(|item| after_number != line && item.starts_with(char::is_whitespace))
        .map_or(line, str::trim_start)
}

/// Returns the position with the name before a colon.
fn before_colon(text: &str) -> Result<Option<NamedPosition>, ParseError> {
    // A comment ends the text; the `//` of `://` is a part of a link.
    let mut comments = text.match_indices("//");
    let comment = comments.find(|&(at, _)| !text[..at].ends_with(':'));
    let text = &text[..comment.map_or(text.len(), |(at, _)| at)];
    let is_of_link = |at: usize| text[at..].starts_with("://");
    let colons =
        outside_brackets(text).filter(|&(at, sign)| matches!(sign, ':' | '：') && !is_of_link(at));
    let split = |(at, sign): (usize, char)| {
        let moves = &text[at + sign.len_utf8()..];
        (text[..at].trim(), moves.trim_start_matches('*').trim())
    };
    let splits: Vec<(&str, &str)> = colons.map(split).collect();
    let Some(&(name, moves)) = splits.iter().find(|(_, moves)| is_readable(moves)) else {
        // If the first part looks like a name, the position after it has the error.
        let first = splits.first();
        let first = first.filter(|(name, _)| has_word(name) && is_name(name) && !is_label(name));
        return Ok(first.map(|(name, moves)| NamedPosition {
            name: cleaned(name),
            text: (*moves).to_owned(),
        }));
    };
    let named = NamedPosition {
        name: cleaned(name),
        text: moves.to_owned(),
    };
    if named.name.is_none() || is_label(name) {
        return Ok(None);
    }
    if is_quoted(name) {
        return Ok(Some(named));
    }
    let ambiguous = ambiguous_cell_of_row(moves)
        .or_else(|| named.name.clone().filter(|_| is_part_of_moves(name)));
    if let Some(ambiguous) = ambiguous {
        return Err(name_or_moves(text, &ambiguous));
    }
    if !is_name(name) {
        return Ok(None);
    }
    check_is_one_part(text, name)?;
    Ok(Some(named))
}

/// Returns the position with the name before a dash between spaces.
fn before_dash(text: &str) -> Result<Option<NamedPosition>, ParseError> {
    let dashes = outside_brackets(text).filter(|&(at, sign)| {
        let before = &text[..at];
        let after = &text[at + sign.len_utf8()..];
        matches!(sign, '-' | '–' | '—' | '−')
            && before.ends_with(char::is_whitespace)
            && after.starts_with(char::is_whitespace)
    });
    for (at, sign) in dashes {
        let name = text[..at].trim();
        let moves = text[at + sign.len_utf8()..].trim();
        let is_position = is_readable(moves) && ambiguous_cell_of_row(moves).is_none();
        if is_position && !is_part_of_moves(name) && is_name(name) {
            check_is_one_part(text, name)?;
            return Ok(cleaned(name).map(|name| NamedPosition {
                name: Some(name),
                text: moves.to_owned(),
            }));
        }
    }
    Ok(None)
}

/// Returns the only cell that is a position, with the names in the other cells.
fn beside_cells(text: &str) -> Result<Option<NamedPosition>, ParseError> {
    let delimiters = DELIMITERS.into_iter();
    for delimiter in delimiters.filter(|&delimiter| text.contains(delimiter)) {
        let mut cells = cells(text, delimiter);
        cells.retain(|cell| !cell.is_empty());
        let positions = (0..cells.len()).filter(|&index| is_readable(&cells[index]));
        let positions: Vec<usize> = positions.collect();
        // With tabs, the error of parsing the whole text is better: it names the columns.
        if positions == [0, 1] && cells.len() == 2 && delimiter != '\t' {
            return Err(name_or_moves(text, &cells[0]));
        }
        let &[position] = &positions[..] else {
            continue;
        };
        let moves = cells.remove(position);
        // After moves and a comma, a word of one or two letters is more likely to be a mistyped
        // move than a name.
        let is_name_or_number = |(index, cell): (usize, &String)| {
            is_number(cell)
                || is_name(cell) && (index < position || delimiter != ',' || has_word(cell))
        };
        if cells.is_empty() || !cells.iter().enumerate().all(is_name_or_number) {
            continue;
        }
        let names = cells.iter().map(String::as_str);
        let names: Vec<&str> = names.filter(|cell| !is_number(cell)).collect();
        for name in &names {
            check_is_one_part(text, name)?;
        }
        let name = match (&names[..], &cells[..]) {
            ([], [number]) => cleaned(number),
            _ => cleaned(&names.join(", ")),
        };
        return Ok(Some(NamedPosition { name, text: moves }));
    }
    Ok(None)
}

/// Returns the short cell that may be a name or moves, if the line has two cells, apart from a
/// number before them, and the other one has moves.
fn ambiguous_cell(line: &str, delimiter: char) -> Option<String> {
    if !line.contains(delimiter) {
        return None;
    }
    let mut cells = cells(line, delimiter);
    cells.retain(|cell| !cell.is_empty());
    if cells.len() == 3 && is_number(&cells[0]) {
        cells.remove(0);
    }
    let [first, second] = &cells[..] else {
        return None;
    };
    let is_ambiguous = |cell: &str| {
        cell.len() <= 3
            && cell.chars().all(|c| c.is_ascii_alphanumeric())
            && !is_number(cell)
            && is_part_of_moves(cell)
    };
    let are_moves = |cell: &str| cell.split_whitespace().nth(1).is_some() && is_readable(cell);
    let pair = [(first, second), (second, first)]
        .into_iter()
        .find(|(cell, moves)| is_ambiguous(cell) && are_moves(moves));
    pair.map(|(cell, _)| cell.clone())
}

/// Returns the [ambiguous cell](ambiguous_cell) of a row with any delimiter.
fn ambiguous_cell_of_row(text: &str) -> Option<String> {
    DELIMITERS
        .iter()
        .find_map(|&delimiter| ambiguous_cell(text, delimiter))
}

/// Returns `true` if a text can be read as moves, or as another position.
fn is_part_of_moves(text: &str) -> bool {
    !text.is_empty() && (parse_moves(text, &ParseOptions::default()).is_ok() || is_readable(text))
}

/// Returns the error that `name`, a word before moves or a cell beside moves, may be a part of the
/// moves.
fn name_or_moves(text: &str, name: &str) -> ParseError {
    ParseError::new(
        text,
        format!(
            "`{name}` may be a name or part of the moves; write \"{name}\": R U for a name (or \
             begin a table with a line such as name,alg), [{name}: R U] for a conjugate, {name} R \
             U for moves"
        ),
    )
}

/// Checks that a name does not contain moves: two moves side by side, or one after a colon.
///
/// # Errors
///
/// Returns the error that the text may have several parts.
fn check_is_one_part(text: &str, name: &str) -> Result<(), ParseError> {
    let is_move = |word: &&str| {
        parse_turns(word, &ParseOptions::default()).is_ok_and(|turns| !turns.is_empty())
    };
    let has_moves = name.split([':', '：']).enumerate().any(|(index, part)| {
        let ends_word = |c: char| c.is_whitespace() || ",;|()[]*".contains(c);
        let words: Vec<&str> = part
            .split(ends_word)
            .filter(|word| !word.is_empty())
            .collect();
        let begins_with_move = index > 0 && words.first().is_some_and(is_move);
        begins_with_move || words.windows(2).any(|pair| pair.iter().all(is_move))
    });
    match has_moves {
        true => Err(ParseError::new(
            text,
            format!(
                "`{}` has moves and a label, so the text may have several parts; give one of them, \
                 leave the labels out if all moves are one sequence, or write \"NAME\": R U for a \
                 name",
                shortened(name, 40)
            ),
        )),
        false => Ok(()),
    }
}

/// Returns `true` if a position may begin with this word and a colon, as in `Scramble: R U`.
fn is_label(word: &str) -> bool {
    is_readable(&format!("{word}: R"))
}

fn is_quoted(name: &str) -> bool {
    name.len() > 2 && name.starts_with(['"', '“']) && name.ends_with(['"', '”'])
}

/// Returns `true` if a text is more likely to be a name than mistyped moves: most of its words are
/// not moves, or one of them [is long](has_word) and not moves. Comments are not names.
fn is_name(text: &str) -> bool {
    let (moves, others): (Vec<&str>, Vec<&str>) = text
        .split_whitespace()
        .partition(|word| is_part_of_moves(word));
    let is_comment = text.contains("# ") || text.contains("//");
    !is_comment && (moves.len() < others.len() || has_word(text)) && !others.is_empty()
}

/// Returns `true` if the text has a word of three letters or more that is not a sequence of moves.
fn has_word(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|word| word.chars().nth(2).is_some() && !is_part_of_moves(word))
}

/// Returns `true` if a cell is a number, a time or a date.
pub(crate) fn is_number(cell: &str) -> bool {
    !cell.chars().any(char::is_alphabetic) && cell.chars().any(|c| c.is_ascii_digit())
}

/// Returns the characters of a text outside brackets and quotation marks, with their indices.
fn outside_brackets(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut depth = 0_usize;
    let mut is_quoted = false;
    text.char_indices().filter(move |&(_, sign)| {
        match sign {
            '"' => is_quoted = !is_quoted,
            '(' | '[' | '{' if !is_quoted => depth += 1,
            ')' | ']' | '}' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && !is_quoted
    })
}

/// Returns the cells of a row. A delimiter within quotation marks does not separate cells, nor does
/// one within brackets, unless brackets of the row do not match. If bars are the delimiters, as in
/// Markdown, the row may begin and end with a bar.
pub(crate) fn cells(row: &str, delimiter: char) -> Vec<String> {
    let row = row.trim_matches(|c: char| c.is_whitespace() && c != delimiter);
    let row = match delimiter {
        '|' => {
            let row = row.strip_prefix('|').unwrap_or(row);
            row.strip_suffix('|').unwrap_or(row)
        }
        _ => row,
    };
    split_cells(row, delimiter, true)
        .unwrap_or_else(|| split_cells(row, delimiter, false).unwrap_or_default())
}

/// Returns the cells. With `brackets_enclose`, delimiters within brackets do not separate cells,
/// and the result is `None` if brackets do not match.
fn split_cells(row: &str, delimiter: char, brackets_enclose: bool) -> Option<Vec<String>> {
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut depth = 0_usize;
    let mut is_quoted = false;
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' if is_quoted => is_quoted = false,
            '"' if cell.trim().is_empty() && depth == 0 => {
                cell.clear();
                is_quoted = true;
            }
            c if c == delimiter && !is_quoted && depth == 0 => {
                cells.push(std::mem::take(&mut cell).trim().to_owned())
            }
            c => {
                if brackets_enclose && !is_quoted {
                    match c {
                        '(' | '[' => depth += 1,
                        ')' | ']' => depth = depth.checked_sub(1)?,
                        _ => {}
                    }
                }
                cell.push(c);
            }
        }
    }
    cells.push(cell.trim().to_owned());
    (depth == 0).then_some(cells)
}

/// Maximum number of positions that a text may represent.
const MAX_ALTERNATIVES: usize = 10_000;

/// Maximum number of bytes written for the positions that a text represents.
const MAX_BYTES: usize = 1_000_000;

/// A square bracket that is not closed yet.
struct OpenBracket {
    /// The texts up to the bracket.
    before: Vec<String>,
    /// The alternatives in the bracket that a bar has ended.
    alternatives: Vec<String>,
    has_bar: bool,
}

impl OpenBracket {
    /// Returns the texts up to the end of the bracket, and adds their length to `bytes`; `None` if
    /// there are too many texts or bytes. `last` has the texts of the last alternative.
    /// `has_amount` is `true` if an amount follows the bracket.
    fn close(
        self,
        mut last: Vec<String>,
        has_amount: bool,
        bytes: &mut usize,
    ) -> Option<Vec<String>> {
        let OpenBracket {
            before,
            mut alternatives,
            has_bar,
        } = self;
        alternatives.append(&mut last);
        // At most four brackets enclose an alternative.
        let length = |texts: &[String]| texts.iter().map(|text| text.len() + 4).sum::<usize>();
        *bytes += length(&before) * alternatives.len() + length(&alternatives) * before.len();
        if before.len() * alternatives.len() > MAX_ALTERNATIVES || *bytes > MAX_BYTES {
            return None;
        }
        let (left, right) = match (has_bar, has_amount) {
            (false, _) => ("[", "]"),
            (true, true) => ("[(", ")]"),
            (true, false) => ("", ""),
        };
        let texts = before.iter().flat_map(|before| {
            let alternatives = alternatives.iter();
            alternatives.map(move |alternative| format!("{before}{left}{alternative}{right}"))
        });
        Some(texts.collect())
    }
}

/// Returns the texts that a text represents, one for each choice of an alternative in each pair of
/// square brackets that contains a bar. An empty result becomes `[]`, the solved cube. Other
/// brackets, a text whose brackets do not match, and one that represents too many positions are
/// left unchanged.
pub fn alternatives(text: &str) -> Vec<String> {
    let expanded = text.contains('|').then(|| expanded(text)).flatten();
    expanded.unwrap_or_else(|| vec![text.to_owned()])
}

fn expanded(text: &str) -> Option<Vec<String>> {
    let mut open: Vec<OpenBracket> = Vec::new();
    let mut texts = vec![String::new()];
    let mut bytes = 0;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '[' => {
                let before = std::mem::replace(&mut texts, vec![String::new()]);
                open.push(OpenBracket {
                    before,
                    alternatives: Vec::new(),
                    has_bar: false,
                });
            }
            '|' => {
                let bracket = open.last_mut()?;
                bracket.has_bar = true;
                bracket.alternatives.append(&mut texts);
                texts.push(String::new());
            }
            ']' => {
                let bracket = open.pop()?;
                // A mark or a number after the bracket applies to each alternative.
                let has_amount = chars
                    .peek()
                    .is_some_and(|next| !next.is_alphabetic() && !" \t[](),:|/".contains(*next));
                texts = bracket.close(texts, has_amount, &mut bytes)?;
            }
            _ => {
                bytes += texts.len();
                texts.iter_mut().for_each(|text| text.push(char));
            }
        }
        if bytes > MAX_BYTES {
            return None;
        }
    }
    let tidy = |text: String| {
        let solved = is_empty(&text).then_some("[]");
        solved
            .into_iter()
            .chain(text.split_whitespace())
            .collect::<Vec<_>>()
            .join(" ")
    };
    open.is_empty()
        .then(|| texts.into_iter().map(tidy).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_about_the_whole_text() {
        let read = |text: &str| parse_position(text, None, &ParseOptions::default());
        let error = NamedPosition::read("T-perm: R U Q", read).unwrap_err();
        assert_eq!(
            (error.span(), &error.message()[..]),
            (12..13, "`Q` is not a valid move")
        );
        let error = NamedPosition::read("{\"alg\": \"R\\tQ\"}", read).unwrap_err();
        assert_eq!(error.span(), 0..15);
    }

    #[test]
    fn cells_are_separated() {
        for (row, delimiter, expected) in [
            ("a,b", ',', &["a", "b"][..]),
            ("a, \"b, \"\"c\"\"\",", ',', &["a", "b, \"c\"", ""]),
            ("a,[R, U],(b", ',', &["a", "[R", "U]", "(b"]),
            ("a,[R, U]", ',', &["a", "[R, U]"]),
            ("\ta\t\tb", '\t', &["", "a", "", "b"]),
            (" | a | [R | U] | ", '|', &["a", "[R | U]"]),
            (
                "2;DNF(9.1);\"so; \"\"no\"\"\";R' D",
                ';',
                &["2", "DNF(9.1)", "so; \"no\"", "R' D"],
            ),
        ] {
            assert_eq!(cells(row, delimiter), expected, "{row}");
        }
    }
}

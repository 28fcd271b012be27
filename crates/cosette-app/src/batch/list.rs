//! The positions of a batch, one per line.

use super::file_kind::{ListError, check_first_bytes};
use crate::name::{
    DELIMITERS, NAME_FIELDS, NamedPosition, POSITION_FIELDS, alternatives, cells, cleaned, field,
    is_number, is_readable, moves_one_by_one,
};
use crate::request::Request;
use crate::solve_result::ParsedPosition;
use cosette::cube::{Input, ParseError, is_empty};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, BufRead, Read};
use xxhash_rust::xxh3::xxh3_64;

/// The fields, or columns, that name the puzzle.
const PUZZLE_FIELDS: [&str; 7] = [
    "puzzle",
    "event",
    "eventid",
    "event_id",
    "cube_type",
    "puzzle_type",
    "puzzletype",
];

/// A line with a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListLine {
    /// The line number in the text, counted from one. In csTimer's file of all sessions, and in
    /// JSON other than one object per line, it is the number of the position.
    pub number: usize,
    /// The name of the position.
    pub name: Option<String>,
    /// The text of the position, without trailing whitespace.
    pub text: String,
    /// The error of the line, if the list shows that it is not a position.
    pub fault: Option<ParseError>,
}

impl ListLine {
    /// Parses the position of the line with `read`.
    ///
    /// # Errors
    ///
    /// Returns the error of `read`, or the known error of the line.
    pub fn read(
        &self,
        read: impl FnOnce(&str) -> Result<Input, ParseError>,
    ) -> Result<Input, ParseError> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => read(&self.text),
        }
    }
}

/// Maximum number of bytes of a line, so that a line without an end does not fill the memory.
const MAX_LINE: u64 = 1_000_000;
/// Maximum number of bytes of a JSON file, such as csTimer's with all sessions: some half a million
/// solves.
const MAX_JSON_BYTES: u64 = 64_000_000;
/// Prefixes of the names of other puzzles in the files of timers and of the World Cube Association.
const OTHER_PUZZLES: [&str; 22] = [
    "222", "44", "55", "66", "77", "2x2", "4x4", "5x5", "6x6", "7x7", "pyr", "mgm", "skb", "clk",
    "sq", "mega", "minx", "skewb", "clock", "magic", "mmagic", "fto",
];

/// A streaming iterator over the lines of a text, without blank lines, comments that begin with `#`
/// or `//`, and headings of timers. A line with [alternatives] yields one line for each position
/// that it represents. Rows of tables and JSON objects yield the positions in their columns and
/// fields.
pub struct Lines<R> {
    input: R,
    /// The lines that are parsed, but not yielded yet.
    waiting: VecDeque<ListLine>,
    /// The number of lines read, including skipped ones.
    number: usize,
    /// `true` if the last line ended with a carriage return, which a line feed may follow.
    is_after_return: bool,
    /// The line numbers of the skipped headings.
    headings: Vec<usize>,
    /// Number of skipped rows and records of other puzzles.
    other_puzzles: usize,
    /// The columns of the current table.
    columns: Option<TableColumns>,
    /// Number of lines read, without blank lines, comments and headings of timers.
    content_lines: usize,
    /// The delimiter and the number of cells of the first content line, if it is a row without a
    /// position.
    first_row: Option<(char, usize)>,
    has_ended: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates the iterator over the lines of a text.
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            waiting: VecDeque::new(),
            number: 0,
            is_after_return: false,
            headings: Vec::new(),
            other_puzzles: 0,
            columns: None,
            content_lines: 0,
            first_row: None,
            has_ended: false,
        }
    }

    /// Returns the number of lines read, including skipped ones.
    pub fn count_read(&self) -> usize {
        self.number
    }

    /// Returns remarks about skipped lines and about the columns of a table, as sentences.
    pub fn remarks(&self) -> Vec<String> {
        let headings = match &self.headings[..] {
            [] => None,
            [line] => Some(format!("line {line} is a heading and is skipped")),
            [first, ..] => Some(format!(
                "{} lines are headings and are skipped; the first is line {first}",
                self.headings.len()
            )),
        };
        let others = match self.other_puzzles {
            0 => None,
            1 => Some("one scramble of another puzzle is skipped".to_owned()),
            count => Some(format!("{count} scrambles of other puzzles are skipped")),
        };
        let columns = self.columns.as_ref();
        let columns = columns.and_then(|columns| columns.remark.clone());
        [headings, others, columns].into_iter().flatten().collect()
    }

    /// Reads one line, and queues the positions in it. Returns `false` at the end of the text.
    fn advance(&mut self) -> Result<bool, ListError> {
        if self.number == 0 {
            check_first_bytes(self.input.fill_buf()?)?;
            if self.take_sessions()? {
                return Ok(true);
            }
        }
        let Some(text) = self.next_line()? else {
            return Ok(false);
        };
        if is_comment(&text) {
            return Ok(true);
        }
        if is_heading(&text) || is_rule(&text) {
            self.headings.push(self.number);
            return Ok(true);
        }
        self.take_line(text)?;
        Ok(true)
    }

    /// Queues the scrambles in csTimer's export of all sessions, numbered from one. Returns `false`
    /// for other texts.
    fn take_sessions(&mut self) -> Result<bool, ListError> {
        let start = self.input.fill_buf()?.strip_prefix(b"{\"session");
        if !start.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit)) {
            return Ok(false);
        }
        let parsed: Result<BTreeMap<String, Value>, _> =
            serde_json::from_reader(self.input.by_ref().take(MAX_JSON_BYTES));
        let sessions = parsed.map_err(|error| {
            let kind = format!("a csTimer file that cannot be read ({error})");
            ListError::not_a_list(kind, "export it again")
        })?;
        // The options of the sessions are JSON within a string.
        let options = sessions.get("properties");
        let options = options.and_then(|properties| properties.get("sessionData")?.as_str());
        let options: Option<Value> = options.and_then(|text| serde_json::from_str(text).ok());
        let options = options.unwrap_or_default();
        // The number of a session, unless it is for another puzzle.
        let number_of = |name: &str| {
            let number: u32 = name.strip_prefix("session")?.parse().ok()?;
            let scramble_type = &options[&number.to_string()]["opt"]["scrType"];
            let is_other = scramble_type.as_str().is_some_and(is_other_puzzle);
            (!is_other).then_some(number)
        };
        let numbered: BTreeMap<u32, &Value> = sessions
            .iter()
            .filter_map(|(name, session)| Some((number_of(name)?, session)))
            .collect();
        // A solve consists of the time, the scramble, a comment and the date.
        let solves = numbered.values().filter_map(|session| session.as_array());
        let scrambles = solves
            .flatten()
            .filter_map(|solve| Some(NamedPosition::unnamed(solve.get(1)?.as_str()?)));
        self.take_records(scrambles.collect());
        Ok(true)
    }

    /// Queues positions numbered from one. Used for files in which line numbers mean nothing.
    fn take_records(&mut self, records: Vec<NamedPosition>) {
        self.number = records.len();
        for (number, named) in (1..).zip(records) {
            self.take(number, named);
        }
    }

    /// Queues a position, or all positions that its text represents.
    fn take(&mut self, number: usize, NamedPosition { name, text }: NamedPosition) {
        let line = |text: String| ListLine {
            number,
            name: name.clone(),
            text,
            fault: None,
        };
        self.waiting
            .extend(alternatives(&text).into_iter().map(line));
    }

    /// Queues a line that cannot be a position.
    fn take_fault(&mut self, text: String, fault: ParseError) {
        self.waiting.push_back(ListLine {
            number: self.number,
            name: None,
            fault: Some(fault.about(&text)),
            text,
        });
    }

    /// Queues the content of a line.
    fn take_line(&mut self, text: String) -> Result<(), ListError> {
        self.content_lines += 1;
        // A text of more than 10,000 bytes cannot be a position, so it is not parsed as one.
        if begins_json(&text) && (text.len() > 10_000 || !is_readable(&text)) {
            match serde_json::from_str(&text) {
                Ok(Value::Object(object)) => return self.take_object(text, object),
                parsed if self.content_lines == 1 => return self.take_json(text, parsed.ok()),
                _ => {}
            }
        }
        if let Some(columns) = TableColumns::of_header(&text) {
            self.columns = Some(columns);
            self.headings.push(self.number);
            return Ok(());
        }
        match &self.columns {
            Some(columns) if text.contains(columns.delimiter) => self.take_row(text),
            _ => {
                self.check_is_no_table(&text)?;
                self.check_has_no_event(&text)?;
                match NamedPosition::of_line(&text) {
                    Ok(named) => self.take(self.number, named),
                    Err(error) => self.take_fault(text, error),
                }
            }
        }
        Ok(())
    }

    /// Queues the position of a line that is a JSON object.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] if the object is the first line and has no position.
    fn take_object(&mut self, text: String, object: Map<String, Value>) -> Result<(), ListError> {
        let event = object.get("event").and_then(Value::as_str);
        if puzzle_of(&object).is_some_and(is_other_puzzle) {
            let mut records = JsonPositions::default();
            records.add_object(&object);
            self.other_puzzles += records.other_puzzles;
        } else if event.is_some_and(|event| SEARCH_EVENTS.contains(&event)) {
            self.headings.push(self.number);
        } else if let Some(named) = NamedPosition::of_object(&object) {
            self.take(self.number, named);
        } else if self.content_lines == 1 {
            return self.take_json(text, Some(Value::Object(object)));
        } else {
            let mut records = JsonPositions::default();
            records.add_object(&object);
            if records.named.is_empty() {
                records.named.push(NamedPosition::unnamed(&text));
            }
            records
                .named
                .into_iter()
                .for_each(|named| self.take(self.number, named));
        }
        Ok(())
    }

    /// Queues the positions in JSON other than one object per line: in `value`, if it is given, and
    /// otherwise in the document that begins with the line `start`.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] if there are no positions.
    fn take_json(&mut self, start: String, value: Option<Value>) -> Result<(), ListError> {
        let mut records = JsonPositions::default();
        match value {
            Some(value) => records.add(&value, true),
            None => {
                let mut text = start.into_bytes();
                text.push(b'\n');
                self.input
                    .by_ref()
                    .take(MAX_JSON_BYTES)
                    .read_to_end(&mut text)?;
                for value in serde_json::Deserializer::from_slice(&text).into_iter() {
                    let value = value.map_err(|error| {
                        let kind = format!("JSON that cannot be read ({error})");
                        ListError::not_a_list(kind, "correct it, or give one position per line")
                    })?;
                    records.add(&value, true);
                }
            }
        }
        self.other_puzzles += records.other_puzzles;
        if records.named.is_empty() {
            return Err(ListError::json());
        }
        self.take_records(records.named);
        Ok(())
    }

    /// Queues the position in a row of a table with known columns.
    fn take_row(&mut self, text: String) {
        let Some(columns) = &self.columns else { return };
        let mut row = cells(&text, columns.delimiter);
        while row.len() > columns.count && row.last().is_some_and(String::is_empty) {
            row.pop();
        }
        if row.len() > columns.count || row.len() <= columns.position {
            let sentence = format!(
                "this row has {} cells, but the table has {} columns; put quotation marks around a \
                 cell that contains the separator, or complete the row",
                row.len(),
                columns.count
            );
            let fault = ParseError::new(&text, sentence);
            return self.take_fault(text, fault);
        }
        let cell = |column: Option<usize>| {
            let cell = column.and_then(|column| row.get(column));
            cell.map_or("", String::as_str)
        };
        if is_other_puzzle(cell(columns.puzzle)) {
            self.other_puzzles += 1;
            return;
        }
        let name = cleaned(cell(columns.name));
        let position = cell(Some(columns.position));
        // Multi-Blind attempts have several scrambles, separated by bars.
        let scrambles = if position.contains('|') {
            cells(position, '|')
        } else {
            vec![position.to_owned()]
        };
        for text in scrambles {
            let name = name.clone();
            self.take(self.number, NamedPosition { name, text });
        }
    }

    /// Checks that the first two lines are not rows of a table without positions.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] at the second line if both are rows of a table in which no cell is a
    /// position.
    fn check_is_no_table(&mut self, text: &str) -> Result<(), ListError> {
        if self.content_lines > 2 || self.content_lines == 2 && self.first_row.is_none() {
            return Ok(());
        }
        let delimiter = DELIMITERS.into_iter().find(|&sign| text.contains(sign));
        let row = delimiter.and_then(|delimiter| {
            let row = cells(text, delimiter);
            let has_position = is_readable(text) || row.iter().any(|cell| is_readable(cell));
            let is_row = row.len() > 1 && !has_position && !text.contains('[');
            is_row.then_some((delimiter, row.len()))
        });
        if self.content_lines == 2 && row == self.first_row {
            return Err(ListError::table());
        }
        self.first_row = row;
        Ok(())
    }

    /// Checks that no cell of a row may be an event with another puzzle, whose scrambles may have
    /// the same notation. The table has no header. A cell that equals the number of the line is not
    /// an event.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] if a cell may be such an event.
    fn check_has_no_event(&self, text: &str) -> Result<(), ListError> {
        const OTHER_EVENTS: [&str; 9] = [
            "222", "444", "444bf", "555", "555bf", "666", "777", "pyram", "skewb",
        ];
        let numbers = [self.number.to_string(), self.content_lines.to_string()];
        let is_event =
            |cell: &&String| OTHER_EVENTS.contains(&&cell[..]) && !numbers.contains(cell);
        let delimiters = DELIMITERS.into_iter();
        for delimiter in delimiters.filter(|&delimiter| text.contains(delimiter)) {
            let row = cells(text, delimiter);
            if let Some(event) = row.iter().find(is_event)
                && row.iter().any(|cell| is_readable(cell))
            {
                return Err(ListError::event(event));
            }
        }
        Ok(())
    }

    /// Returns the bytes of the next line with its terminator, but at most `max_bytes`; empty at
    /// the end of the text. `ends` recognizes the terminator.
    fn read_line(&mut self, max_bytes: u64, ends: impl Fn(&[u8]) -> bool) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            let bytes = self.input.fill_buf()?;
            if self.is_after_return && !bytes.is_empty() {
                self.is_after_return = false;
                if bytes[0] == b'\n' {
                    self.input.consume(1);
                    continue;
                }
            }
            let start = line.len();
            let mut is_complete = bytes.is_empty();
            for &byte in bytes {
                line.push(byte);
                is_complete = ends(&line) || line.len() as u64 == max_bytes;
                if is_complete {
                    break;
                }
            }
            let taken = line.len() - start;
            self.input.consume(taken);
            if is_complete {
                self.is_after_return = line.ends_with(b"\r");
                return Ok(line);
            }
        }
    }

    /// Returns the next line, with U+FFFD for invalid bytes, so that an error can point at them.
    ///
    /// # Errors
    ///
    /// Returns [`ListError`] if the line is too long, or on an I/O error.
    fn next_line(&mut self) -> Result<Option<String>, ListError> {
        let is_json =
            self.number == 0 && matches!(self.input.fill_buf()?.first(), Some(b'{' | b'['));
        let most = if is_json { MAX_JSON_BYTES } else { MAX_LINE };
        // Strings in JSON may hold all line terminators except a line feed.
        let ends = |line: &[u8]| line.ends_with(b"\n") || !is_json && ends_line(line);
        let bytes = self.read_line(most, ends)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() as u64 == most && !ends(&bytes) {
            return Err(ListError::LongLine {
                line: self.number,
                most,
            });
        }
        let text = String::from_utf8_lossy(&bytes);
        // Some editors begin a UTF-8 text with a byte-order mark.
        let mark = if self.number == 1 { "\u{feff}" } else { "" };
        let text = text.strip_prefix(mark).unwrap_or(&text);
        Ok(Some(text.trim_end().to_owned()))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<ListLine, ListError>;

    fn next(&mut self) -> Option<Result<ListLine, ListError>> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Some(Ok(line));
            }
            if self.has_ended {
                return None;
            }
            let advanced = self.advance();
            self.has_ended = !matches!(advanced, Ok(true));
            if let Err(error) = advanced {
                return Some(Err(error));
            }
        }
    }
}

/// Returns `true` if the bytes end with a line terminator, one of the characters of
/// [`ends_line`](cosette::cube::ends_line).
fn ends_line(bytes: &[u8]) -> bool {
    const ENDS: [&str; 7] = [
        "\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
    ];
    ENDS.iter().any(|end| bytes.ends_with(end.as_bytes()))
}

/// The columns of a table.
struct TableColumns {
    delimiter: char,
    count: usize,
    /// The indices of the columns of positions, names and puzzles.
    position: usize,
    name: Option<usize>,
    puzzle: Option<usize>,
    /// The remark that names the column of positions, if several columns might hold them.
    remark: Option<String>,
}

impl TableColumns {
    /// Returns the columns of a header line, if one of them is known to hold positions.
    fn of_header(line: &str) -> Option<TableColumns> {
        // In a table of two columns, the column beside the position holds its name, unless it has
        // one of these titles.
        const NO_NAMES: [&str; 8] = [
            "solution",
            "solutions",
            "length",
            "time",
            "date",
            "comment",
            "optimal",
            "moves",
        ];
        let line = line.trim();
        let delimiter = DELIMITERS.into_iter().find(|&sign| line.contains(sign));
        let delimiter = delimiter.unwrap_or('\t');
        let names = line.to_ascii_lowercase();
        let names = cells(&names, delimiter);
        let column = |titles: &[&str]| {
            titles
                .iter()
                .find_map(|title| names.iter().position(|name| name == title))
        };
        let position = column(&POSITION_FIELDS)?;
        if names
            .iter()
            .any(|name| is_number(name) || is_readable(name))
        {
            return None;
        }
        let puzzle = column(&PUZZLE_FIELDS);
        let beside = (names.len() == 2).then(|| 1 - position);
        let beside = beside
            .filter(|&beside| !NO_NAMES.contains(&&names[beside][..]) && Some(beside) != puzzle);
        let position_columns = names.iter();
        let position_columns = position_columns.filter(|name| POSITION_FIELDS.contains(&&name[..]));
        let remark = (position_columns.count() > 1).then(|| {
            let name = &names[position];
            format!("the positions are those in the column `{name}`")
        });
        Some(TableColumns {
            delimiter,
            count: names.len(),
            position,
            name: column(&NAME_FIELDS)
                .filter(|&name| name != position)
                .or(beside),
            puzzle,
            remark,
        })
    }
}

/// The positions in a JSON document.
#[derive(Default)]
struct JsonPositions {
    named: Vec<NamedPosition>,
    other_puzzles: usize,
    /// `true` within an event of Multi-Blind, in which each line of a text is a scramble.
    is_multi_blind: bool,
}

impl JsonPositions {
    /// Adds the positions in a value. Strings count as positions only if `are_positions` is `true`.
    fn add(&mut self, value: &Value, are_positions: bool) {
        match value {
            Value::Array(values) => match moves_one_by_one(values).filter(|_| are_positions) {
                Some(moves) => self.named.push(NamedPosition::unnamed(&moves)),
                None => {
                    // Single letters are the stickers of one cube rather than positions.
                    let is_letter =
                        |value: &Value| value.as_str().is_some_and(|text| text.chars().count() < 2);
                    let are_stickers = values.len() > 1 && values.iter().all(is_letter);
                    let are_positions = are_positions && !are_stickers;
                    values
                        .iter()
                        .for_each(|value| self.add(value, are_positions));
                }
            },
            Value::Object(object) => self.add_object(object),
            Value::String(text) if are_positions => {
                let texts: Vec<&str> = if self.is_multi_blind {
                    text.lines().collect()
                } else {
                    vec![text]
                };
                for text in texts {
                    let named = NamedPosition::of(text);
                    self.named
                        .push(named.unwrap_or_else(|_| NamedPosition::unnamed(text)));
                }
            }
            _ => {}
        }
    }

    /// Adds the position in an object, or the positions in its fields.
    fn add_object(&mut self, object: &Map<String, Value>) {
        let puzzle = puzzle_of(object).unwrap_or_default();
        if is_other_puzzle(puzzle) {
            let mut skipped = JsonPositions::default();
            skipped.add_fields(object);
            self.other_puzzles += skipped.named.len().max(1);
            return;
        }
        let is_multi_blind = self.is_multi_blind || puzzle.starts_with("333mb");
        let was_multi_blind = std::mem::replace(&mut self.is_multi_blind, is_multi_blind);
        match NamedPosition::of_object(object) {
            Some(named) if named.text.is_empty() => {}
            Some(named) => self.named.push(named),
            None => self.add_fields(object),
        }
        self.is_multi_blind = was_multi_blind;
    }

    /// Adds the positions in the fields of an object, extra scrambles last. Unnamed positions in
    /// these fields get the name of the object.
    fn add_fields(&mut self, object: &Map<String, Value>) {
        // Without the fields for ids and numbers, which belong to single positions.
        let name = field(object, &NAME_FIELDS[..4])
            .and_then(Value::as_str)
            .and_then(cleaned);
        let fields = object.iter().filter(|(_, value)| !value.is_string());
        let fields = fields.map(|(key, value)| (key.to_ascii_lowercase(), value));
        let mut fields: Vec<(String, &Value)> = fields.collect();
        fields.sort_by_key(|(key, _)| key.starts_with("extra"));
        for (key, value) in fields {
            let field_name = key.strip_prefix("extra").unwrap_or(&key);
            let field_name = field_name.trim_end_matches('s');
            let are_positions = POSITION_FIELDS.contains(&field_name);
            let first_new = self.named.len();
            self.add(value, are_positions);
            if are_positions {
                for named in &mut self.named[first_new..] {
                    named.name = named.name.take().or_else(|| name.clone());
                }
            }
        }
    }
}

/// Names of events of a search or a batch that are not results for a text.
const SEARCH_EVENTS: [&str; 10] = [
    "queued",
    "preparing",
    "building",
    "started",
    "solution",
    "iteration-started",
    "iteration-finished",
    "progress",
    "end",
    "refused",
];

/// Returns the puzzle, or the event, that an object names.
fn puzzle_of(object: &Map<String, Value>) -> Option<&str> {
    // The events of TNoodle and of the World Cube Association have rounds.
    let id = field(object, &["rounds"]).and_then(|_| field(object, &["id"]));
    field(object, &PUZZLE_FIELDS).or(id).and_then(Value::as_str)
}

fn is_other_puzzle(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    OTHER_PUZZLES.iter().any(|other| name.starts_with(other))
}

/// Returns `true` if a line may begin a JSON text: a list of strings or objects, or an object.
fn begins_json(line: &str) -> bool {
    let line = line.trim();
    match (line.strip_prefix('{'), line.strip_prefix('[')) {
        (Some(rest), _) => rest.is_empty() || rest.trim_start().starts_with('"'),
        (_, Some(rest)) => rest.is_empty() || rest.trim_start().starts_with(['"', '{']),
        _ => false,
    }
}

/// Returns `true` for the line below the header of a Markdown table, and for a horizontal rule.
fn is_rule(line: &str) -> bool {
    line.contains("--")
        && cells(line, '|')
            .iter()
            .all(|cell| cell.contains("--") && cell.trim_matches([':', '-']).is_empty())
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    // `#12 R U F` is a position with its number, not a comment.
    line.is_empty() || line.starts_with("//") || line.starts_with('#') && is_empty(line)
}

/// Returns `true` for lines that csTimer or TNoodle write between scrambles. No position begins
/// like them.
fn is_heading(line: &str) -> bool {
    const BEGINNINGS: [&str; 16] = [
        "generated by ",
        "solves/total:",
        "single",
        "mean of ",
        "avg of ",
        "best:",
        "current:",
        "worst:",
        "average:",
        "mean:",
        "session ",
        "time list:",
        "scrambles for ",
        "scramble set ",
        "extra scrambles",
        "3x3x3 ",
    ];
    let line = line.trim().to_ascii_lowercase();
    let begins = |beginning: &&str| line.starts_with(beginning);
    line == "extra" || BEGINNINGS.iter().any(begins)
}

/// A text and its position.
#[derive(Clone, Debug)]
pub struct ListEntry {
    /// The line number, counted from one.
    pub line: usize,
    /// The name of the position.
    pub name: Option<String>,
    /// The text.
    pub text: String,
    /// The position, or the error of the text.
    pub input: Result<Input, ParseError>,
}

impl ListEntry {
    /// Returns the position with its text; `None` if the text is not a position.
    pub fn position(&self) -> Option<ParsedPosition<'_>> {
        Some(ParsedPosition {
            text: &self.text,
            name: self.name.as_deref(),
            line: Some(self.line),
            input: self.input.as_ref().ok()?,
        })
    }

    /// Returns the hash of the text.
    pub(super) fn hash(&self) -> u64 {
        xxh3_64(self.text.as_bytes())
    }
}

/// The positions of a batch, in the given order.
#[derive(Clone, Debug, Default)]
pub struct PositionList(Vec<ListEntry>);

impl PositionList {
    /// Parses each line as a position.
    pub fn read(lines: impl IntoIterator<Item = ListLine>, request: &Request) -> PositionList {
        let target = request.target();
        let entry = |line: ListLine| ListEntry {
            line: line.number,
            input: line
                .read(|text| request.parse_relative(text, target))
                .map(without_long_sequence),
            name: line.name,
            text: line.text,
        };
        PositionList(lines.into_iter().map(entry).collect())
    }

    /// Returns all entries: positions, and texts that are not positions.
    pub fn entries(&self) -> &[ListEntry] {
        &self.0
    }
}

/// Drops the sequence of an input if it is long: its inverse is not a useful solution, and a short
/// text may represent a million turns.
fn without_long_sequence(input: Input) -> Input {
    const MAX_MOVES: usize = 100;
    let sequence = input.sequence;
    Input {
        sequence: sequence.filter(|sequence| sequence.moves().len() <= MAX_MOVES),
        ..input
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Cube, parse_position};
    use serde_json::json;

    #[test]
    fn facelets_in_json_are_one_cube() {
        let facelets = "R".parse::<Cube>().unwrap().facelets();
        let stickers: Vec<String> = facelets.chars().map(String::from).collect();
        let face = |(name, index): (char, usize)| {
            let stickers = &facelets[9 * index..9 * index + 9];
            json!({"face": name, "stickers": stickers})
        };
        let faces: Vec<Value> = "URFDLB".chars().zip(0..).map(face).collect();
        for json in [
            json!(stickers),
            json!({"facelets": stickers}),
            json!({"name": "T", "facelets": stickers}),
            json!(faces),
        ] {
            let text = json.to_string();
            let lines: Vec<ListLine> = Lines::new(text.as_bytes()).map(Result::unwrap).collect();
            assert_eq!(lines.len(), 1, "{lines:?}");
            let read = lines[0].read(|text| parse_position(text, None, &Default::default()));
            assert_eq!(read.unwrap().cube.facelets(), facelets, "{json}");
        }
    }

    #[test]
    fn lines_end_at_the_terminators_of_unicode() {
        for end in [
            "\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
        ] {
            assert_eq!(end.chars().last().map(cosette::cube::ends_line), Some(true));
            let text = format!("R U F{end}{end}R U2 // é{end}F2");
            // Buffers of any size.
            for size in 1..text.len() {
                let input = io::BufReader::with_capacity(size, text.as_bytes());
                let lines: Vec<ListLine> = Lines::new(input).map(Result::unwrap).collect();
                let read: Vec<_> = lines
                    .iter()
                    .map(|line| (line.number, &line.text[..]))
                    .collect();
                assert_eq!(read, [(1, "R U F"), (3, "R U2 // é"), (4, "F2")], "{end:?}");
            }
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(b'R')));
        let error = lines.next().unwrap().unwrap_err().to_string();
        assert!(error.contains("line 1 is longer"), "{error}");
        assert!(lines.next().is_none());
    }
}

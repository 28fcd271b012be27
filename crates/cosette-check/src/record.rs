//! Formats of answers: JSON as printed by `cosette solve --json`, or in a journal of `cosette
//! batch`; CSV whose header has columns named as those of `cosette batch --csv`, in any order and
//! number; or `position, solution`.

use crate::geometry::{Colors, after, by_centers, read_turns, solved};
use csv::StringRecord;
use serde::Deserialize;
use serde_json::Value;

/// The fields of an answer that are checked. Fields that only Cosette writes are optional.
#[derive(Default, Deserialize)]
struct AnswerFields {
    event: Option<String>,
    error: Option<String>,
    input: Option<String>,
    /// Another name of the input.
    position: Option<String>,
    /// Another name of the input.
    scramble: Option<String>,
    /// The goal; missing for the solved cube with face turns.
    goal: Option<String>,
    /// The moves that solutions of a goal may use.
    allowed_moves: Option<String>,
    format: Option<String>,
    facelets: Option<String>,
    /// The metric; missing if it is `htm`.
    metric: Option<String>,
    optimal: Option<bool>,
    length: Option<usize>,
    lower_bound: Option<usize>,
    upper_bound: Option<usize>,
    #[serde(default)]
    solutions: Vec<String>,
    /// The only solution, in a data set.
    solution: Option<String>,
    solution_count: Option<usize>,
    best_known: Option<String>,
    preferred_among: Option<usize>,
    #[serde(default)]
    iterations: Vec<IterationClaim>,
}

impl AnswerFields {
    fn metric(&self) -> &str {
        self.metric.as_deref().unwrap_or("htm")
    }
}

/// A line of the journal of a batch.
#[derive(Deserialize)]
struct JournalLine {
    body: Value,
}

#[derive(Deserialize)]
struct IterationClaim {
    length: usize,
    exhausted: bool,
}

/// A line of a text.
pub enum AnswerLine {
    /// Not an answer: empty, a comment, a header, or other text.
    Other,
    /// An answer that is not checked, because it has another goal or other turns, and the reason.
    NotChecked(String),
    /// An answer.
    Answer(Claims),
}

/// The claims of an answer.
pub struct Claims {
    /// The position.
    pub position: Colors,
    /// `true` if a half turn counts as two moves.
    pub by_quarters: bool,
    /// `true` if the solutions are claimed to be shortest.
    pub is_optimal: bool,
    /// The proven length of a shortest solution.
    pub length: Option<usize>,
    /// Lower bound on the length of any solution.
    pub lower_bound: usize,
    /// Upper bound on the length of a shortest solution.
    pub upper_bound: Option<usize>,
    /// Solutions, all of the proven `length` if there is one.
    pub solutions: Vec<String>,
    /// `true` if `solutions` is claimed to contain all shortest solutions.
    pub are_all: bool,
    /// A solution of any length.
    pub best_known: Option<String>,
    /// Lengths that were searched completely.
    pub exhausted: Vec<usize>,
}

/// The columns of a table of answers, as its header names them.
#[derive(Default)]
pub struct AnswerColumns(StringRecord);

/// Reads a line. A header is stored in `columns`, by which later rows are read.
///
/// # Errors
///
/// Returns a description of the problem.
pub fn read(line: &str, columns: &mut AnswerColumns) -> Result<AnswerLine, String> {
    let line = line.trim_start_matches('\u{feff}').trim();
    match line.bytes().next() {
        None | Some(b'#') => Ok(AnswerLine::Other),
        Some(b'{') => read_json(line),
        _ => {
            let cells = cells(line)?;
            let is_named = |names: &[&str]| {
                cells
                    .iter()
                    .any(|cell| names.iter().any(|name| cell.eq_ignore_ascii_case(name)))
            };
            if is_named(&["input", "position", "scramble", "facelets"])
                && is_named(&["solutions", "solution", "upper_bound"])
            {
                columns.0 = cells.iter().map(str::to_ascii_lowercase).collect();
                return Ok(AnswerLine::Other);
            }
            match columns.0.is_empty() {
                true => read_pair(line, &cells),
                false => read_row(&columns.0, &cells),
            }
        }
    }
}

/// Returns the cells of a line of CSV.
fn cells(line: &str) -> Result<StringRecord, String> {
    // A quotation mark opens a cell only at the beginning of the cell, so the space before it is
    // removed.
    let line = line.replace(", \"", ",\"");
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(line.as_bytes());
    let mut cells = StringRecord::new();
    reader
        .read_record(&mut cells)
        .map_err(|error| error.to_string())?;
    Ok(cells)
}

/// Reads a row of a table of answers.
fn read_row(columns: &StringRecord, cells: &StringRecord) -> Result<AnswerLine, String> {
    if cells.len() != columns.len() {
        return Err(format!(
            "it has {} cells, but the header names {} columns",
            cells.len(),
            columns.len()
        ));
    }
    let cell = |name: &str| {
        columns
            .iter()
            .position(|column| column == name)
            .map(|index| &cells[index][..])
    };
    let text = |name: &str| {
        cell(name)
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    let number = |name: &str| {
        let not_a_number =
            |text: &str| format!("`{}` in the column {name} is not a number", shown(text));
        text(name)
            .map(|text| text.parse().map_err(|_| not_a_number(&text)))
            .transpose()
    };
    let length = number("length")?;
    let solutions = match text("solutions").or(text("solution")) {
        Some(solutions) => solutions.split("; ").map(str::to_owned).collect(),
        // The solved cube takes no moves.
        None if length == Some(0) => vec![String::new()],
        None => Vec::new(),
    };
    claims_of(AnswerFields {
        error: text("error"),
        input: text("input"),
        position: text("position"),
        scramble: text("scramble"),
        goal: text("goal"),
        allowed_moves: text("allowed_moves"),
        format: text("format"),
        facelets: text("facelets"),
        metric: text("metric"),
        optimal: cell("optimal").map(|optimal| optimal == "true"),
        length,
        lower_bound: number("lower_bound")?,
        upper_bound: number("upper_bound")?,
        solutions,
        solution_count: number("solution_count")?,
        best_known: text("best_known"),
        ..AnswerFields::default()
    })
}

/// Reads `position, solution`, with a comma or a tab between.
fn read_pair(line: &str, cells: &StringRecord) -> Result<AnswerLine, String> {
    let (position, solution) = match cells.len() {
        2 => (&cells[0], &cells[1]),
        _ => line.split_once([',', '\t']).unwrap_or((line, "")),
    };
    if position.contains(" // ") {
        return Err(
            "this is text output of `batch`, which has no positions; use --json or --csv".into(),
        );
    }
    if position == line {
        return Err("expected `position, solution`, or JSON".into());
    }
    let solution = solution.split("//").next().unwrap_or_default();
    claims_of(AnswerFields {
        input: Some(position.trim().to_owned()),
        solutions: vec![solution.trim().to_owned()],
        ..AnswerFields::default()
    })
}

/// Reads the JSON of an answer, or of a journal line, which is other text if it has no answer.
fn read_json(line: &str) -> Result<AnswerLine, String> {
    let unreadable = |error| format!("not the JSON of a result: {error}");
    let answer = match serde_json::from_str(line) {
        Ok(JournalLine { body }) => match body.pointer("/record/answer") {
            None | Some(Value::Null) => return Ok(AnswerLine::Other),
            Some(answer) => AnswerFields::deserialize(answer),
        },
        Err(_) => serde_json::from_str(line),
    };
    claims_of(answer.map_err(unreadable)?)
}

/// Reads the position of an answer.
fn position_of(fields: &AnswerFields) -> Result<Colors, String> {
    let [input, position, scramble] = [&fields.input, &fields.position, &fields.scramble];
    let input = input.as_ref().or(position.as_ref()).or(scramble.as_ref());
    let text = fields
        .facelets
        .as_ref()
        .or(input)
        .ok_or("it has no `facelets` and no `input`")?;
    let position = read_position(text)?;
    // The facelets are compared with the input if that is plain moves; other formats and notations
    // are not supported here.
    let moves = input.filter(|_| {
        fields
            .format
            .as_ref()
            .is_some_and(|format| format == "moves")
    });
    if let Some(turns) = moves.and_then(|input| read_turns(input).ok())
        && by_centers(&after(&solved(), &turns)) != Some(position)
    {
        return Err("its facelets do not match its moves".into());
    }
    Ok(position)
}

/// Converts the fields of an answer to claims.
fn claims_of(fields: AnswerFields) -> Result<AnswerLine, String> {
    let solution_count = fields.solutions.len() + usize::from(fields.solution.is_some());
    let is_answer = fields.length.is_some() || solution_count > 0;
    let is_optimal = fields.optimal.unwrap_or(fields.length.is_some());
    if fields.error.is_some() && !is_answer
        || fields.event.as_ref().is_some_and(|event| event != "answer")
    {
        return Ok(AnswerLine::Other);
    }
    if let Some(reason) = reason_not_checked(&fields) {
        return Ok(AnswerLine::NotChecked(reason));
    }
    let position = position_of(&fields)?;
    let length = fields.length;
    // An answer without bounds may have `optimal` alone.
    if is_optimal != length.is_some() && fields.lower_bound.is_some() {
        return Err("`optimal` and `length` contradict each other".into());
    }
    check_counts(&fields, solution_count)?;
    let last = fields.iterations.last();
    Ok(AnswerLine::Answer(Claims {
        position,
        by_quarters: match fields.metric() {
            "htm" => false,
            "qtm" => true,
            other => return Err(format!("unknown metric `{}`", shown(other))),
        },
        is_optimal,
        length,
        lower_bound: fields.lower_bound.unwrap_or(0).max(length.unwrap_or(0)),
        upper_bound: fields.upper_bound,
        // An answer with only a preferred solution does not claim to list all.
        are_all: fields.preferred_among.is_none()
            && last.is_some_and(|last| last.exhausted && Some(last.length) == length),
        solutions: fields
            .solutions
            .into_iter()
            .chain(fields.solution)
            .collect(),
        best_known: fields.best_known,
        exhausted: fields
            .iterations
            .iter()
            .filter(|iteration| iteration.exhausted)
            .map(|iteration| iteration.length)
            .collect(),
    }))
}

/// Returns the reason why an answer is not checked, if it has another goal or other moves.
fn reason_not_checked(fields: &AnswerFields) -> Option<String> {
    let is_solved_cube = |goal: &&String| goal.trim().eq_ignore_ascii_case("solved");
    if let Some(goal) = fields.goal.as_ref().filter(|goal| !is_solved_cube(goal)) {
        return Some(format!("its goal is `{}`", shown(goal)));
    }
    let moves = fields.allowed_moves.as_ref()?;
    Some(format!(
        "it is in {}, with the moves {}",
        shown(fields.metric()),
        shown(moves)
    ))
}

/// Checks that the bounds and counts of an answer do not contradict each other.
fn check_counts(fields: &AnswerFields, solution_count: usize) -> Result<(), String> {
    let mut bounds = [fields.lower_bound, fields.upper_bound]
        .into_iter()
        .flatten();
    if fields
        .length
        .is_some_and(|length| bounds.any(|bound| bound != length))
    {
        return Err("`length` contradicts `lower_bound` or `upper_bound`".into());
    }
    if fields
        .solution_count
        .is_some_and(|count| count != solution_count)
    {
        return Err("`solution_count` is not the number of solutions".into());
    }
    Ok(())
}

/// Returns the beginning of a text for an error message; characters that a terminal interprets are
/// escaped.
pub fn shown(text: &str) -> String {
    let end = text
        .char_indices()
        .nth(80)
        .map_or(text.len(), |(end, _)| end);
    let harmless = |char: char| char.is_alphanumeric() || char.is_ascii_graphic() || char == ' ';
    let escaped = |char: char| match harmless(char) {
        true => char.to_string(),
        false => char.escape_default().to_string(),
    };
    text[..end]
        .chars()
        .map(escaped)
        .chain((end < text.len()).then(|| "…".into()))
        .collect()
}

/// Reads 54 facelets, or moves from the solved cube. Text that may be either is rejected.
fn read_position(text: &str) -> Result<Colors, String> {
    let letters: String = text.split_whitespace().collect();
    let groups = text.split_whitespace().count();
    let colors = match <Colors>::try_from(letters.as_bytes()) {
        Ok(facelets) if groups * 3 <= letters.len() => facelets,
        _ if may_be_facelets(&letters) => {
            return Err(format!(
                "`{}` may be facelets or moves; write facelets without spaces",
                shown(text)
            ));
        }
        _ if may_begin_with_name(text) => {
            return Err(format!(
                "`E` in `{}` may be the name of a case or a turn of the slice E; leave the name \
                 out, or write facelets",
                shown(text)
            ));
        }
        _ => after(
            &solved(),
            &read_turns(text)
                .map_err(|word| format!("`{}` in the position is not a turn", shown(&word)))?,
        ),
    };
    by_centers(&colors)
        .ok_or_else(|| "two centers have the same color, or a facelet has none of the six".into())
}

/// Returns `true` if letters that may be turns look like facelets: 54 letters, nine of each; or,
/// for a part of the cube, at least nine face letters without amounts, one of them three times in a
/// row.
fn may_be_facelets(letters: &str) -> bool {
    let times = |letter: u8| letters.bytes().filter(|&other| other == letter).count();
    let is_whole = letters.len() == 54 && letters.bytes().all(|letter| times(letter) == 9);
    let has_run = letters
        .as_bytes()
        .windows(3)
        .any(|run| run.iter().all(|letter| *letter == run[0]));
    is_whole
        || letters.len() >= 9
            && has_run
            && letters
                .bytes()
                .all(|letter| b"URFDLBurfdlb".contains(&letter))
}

/// Returns `true` if a text is `E` and then only turns of faces: `E` may be a turn of the slice or
/// the name of a case.
fn may_begin_with_name(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_face = |word: &str| word.starts_with(|c: char| "URFDLB".contains(c));
    words.next() == Some("E") && words.clone().next().is_some() && words.all(is_face)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_facelets_or_moves_and_ambiguous_ones_are_rejected() {
        let facelets = "UUUUUUBDDLBBLRRDRRDFFDFFRRRFFFDDBDDBFFRLLRLLULLLUBBUBB";
        let position = read_position(facelets).unwrap();
        assert_eq!(read_position("R U F2"), Ok(position));
        let rows = |length: usize| {
            let rows = facelets
                .as_bytes()
                .chunks(length)
                .map(|row| std::str::from_utf8(row).unwrap());
            rows.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read_position(&rows(9)), Ok(position));
        for text in [
            rows(1),
            rows(1).to_lowercase(),
            rows(1)[..60].to_owned(),
            rows(2),
        ] {
            assert!(
                read_position(&text)
                    .unwrap_err()
                    .contains("may be facelets or moves"),
                "{text}"
            );
        }
        assert!(read_position("R U R U R U R U R U R U").is_ok());
        assert!(
            read_position("E R U")
                .unwrap_err()
                .contains("may be the name of a case")
        );
        assert!(
            read_position("E M2 U").is_ok()
                && read_position("R E U").is_ok()
                && read_position("E").is_ok()
        );
        assert!(read_position("UUUUUUUUU").is_err());
    }
}

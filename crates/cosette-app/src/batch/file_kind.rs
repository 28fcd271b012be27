//! Detection of files that are not lists of positions. Each is rejected once, as a whole, with
//! advice on how to convert it.

use cosette::cube::{Format, ParseOptions, parse_position};
use std::collections::HashSet;
use std::io;

/// Error that ends the reading of a list.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// An I/O error.
    #[error("{0}; name a file that can be read, or - for standard input")]
    Io(#[from] io::Error),
    /// A line with more than the maximum number of bytes.
    #[error("line {line} is longer than {most} bytes; give one position per line")]
    LongLine {
        /// The line number, counted from one.
        line: usize,
        /// Maximum number of bytes of a line.
        most: u64,
    },
    /// A file of another kind.
    #[error("this is {kind}, not a list of positions; {remedy}")]
    NotAList {
        /// The kind of the file, such as `a PDF document`.
        kind: String,
        /// Advice on how to get a list.
        remedy: String,
    },
}

impl From<ListError> for io::Error {
    fn from(error: ListError) -> io::Error {
        match error {
            ListError::Io(error) => error,
            error => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
        }
    }
}

impl ListError {
    /// Creates the error for a file of this kind.
    pub(super) fn not_a_list(kind: impl Into<String>, remedy: impl Into<String>) -> ListError {
        ListError::NotAList {
            kind: kind.into(),
            remedy: remedy.into(),
        }
    }

    /// Creates the error for JSON without positions in the expected places.
    pub(super) fn json() -> ListError {
        ListError::not_a_list(
            "JSON without a field `scramble`, `position`, `facelets`, `alg` or `input`",
            "extract the texts of the positions, as with: jq -r '.[].FIELD' FILE",
        )
    }

    /// Creates the error for a table without positions.
    pub(super) fn table() -> ListError {
        ListError::not_a_list(
            "a table without a recognized column of positions",
            "name that column scramble or alg in the first line, or extract it, as with: cut -f 3 \
                FILE",
        )
    }

    /// Creates the error for a table without a header, in which `event` may be an event with
    /// another puzzle.
    pub(super) fn event(event: &str) -> ListError {
        ListError::not_a_list(
            format!(
                "a table without a header in which `{event}` may be a number or an event with \
                    another puzzle"
            ),
            "begin it with a line such as event,scramble or number,scramble",
        )
    }
}

/// Signatures of binary files in hexadecimal digits, with their kind and advice, one per line.
const KINDS: &str = include_str!("file_kinds.txt");

/// Prefixes of HTML and XML documents.
const MARKUP: [&str; 9] = [
    "<!doctype",
    "<html",
    "<head",
    "<body",
    "<?xml",
    "<table",
    "<div",
    "<svg",
    "<!--",
];

/// Maximum number of bytes at the start of a file that are examined as text.
const MAX_EXAMINED: usize = 4096;

/// Checks the first bytes of a file.
///
/// # Errors
///
/// Returns [`ListError::NotAList`] if the file is not text, or text of another kind.
pub(super) fn check_first_bytes(bytes: &[u8]) -> Result<(), ListError> {
    let start: String = bytes
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    for line in KINDS.lines() {
        if let [signature, kind, remedy] = line.split('\t').collect::<Vec<_>>()[..]
            && start.starts_with(signature)
        {
            return Err(ListError::not_a_list(kind, remedy));
        }
    }
    let bytes = &bytes[..bytes.len().min(MAX_EXAMINED)];
    if bytes.contains(&0) {
        return Err(ListError::not_a_list(
            "a binary file, or UTF-16 text without a byte-order mark",
            "save it as text in UTF-8",
        ));
    }
    let start = String::from_utf8_lossy(bytes);
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_markup = |tag: &&str| {
        start
            .get(..tag.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
    };
    if MARKUP.iter().any(is_markup) {
        return Err(ListError::not_a_list(
            "an HTML or XML page",
            "copy the positions from it as text, one per line",
        ));
    }
    match bytes.len() < MAX_EXAMINED && is_one_cube(start) {
        true => Err(ListError::not_a_list(
            "one cube over several lines",
            "write its 54 facelets in one line, or give it alone, as in: cosette solve \"$(cat \
                FILE)\"",
        )),
        false => Ok(()),
    }
}

/// Returns `true` if a text is one cube in more than two lines. The cube may be invalid: rows that
/// look like those of a net or of faces suffice.
fn is_one_cube(text: &str) -> bool {
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let parsed = || parse_position(text, None, &ParseOptions::default());
    rows.len() > 2
        && (parsed().is_ok_and(|input| input.format == Format::Facelets)
            || are_rows_of_facelets(&rows))
}

/// Returns `true` if rows have the shape of a net or of faces: 54 cells of at most seven kinds,
/// with 3, 9 or 12 cells in each row. Either each cell is a digit, or each is a letter, a word or
/// an emoji.
fn are_rows_of_facelets(rows: &[&str]) -> bool {
    // The frames of nets, and the punctuation of lists.
    const FRAMES: [char; 9] = ['⬛', '|', '│', '[', ']', ',', ';', '"', '/'];
    let is_digit =
        |cell: &&String| cell.len() == 1 && cell.starts_with(|c: char| c.is_ascii_digit());
    // Geometric shapes and emoji are above U+2500.
    let is_word = |cell: &&String| cell.chars().all(|c| c.is_alphabetic() || c >= '\u{2500}');
    let are_facelets = |cells: Vec<Vec<String>>| {
        let lengths_fit = cells.iter().all(|row| matches!(row.len(), 3 | 9 | 12));
        let all: Vec<&String> = cells.iter().flatten().collect();
        let kinds: HashSet<&String> = all.iter().copied().collect();
        let are_cells = all.iter().all(is_word) || all.iter().all(is_digit);
        lengths_fit && all.len() == 54 && kinds.len() <= 7 && are_cells
    };
    let rows: Vec<String> = rows.iter().map(|row| row.replace(FRAMES, " ")).collect();
    let words = |row: &String| row.split_whitespace().map(str::to_owned).collect();
    let characters = |row: &String| {
        let characters = row.split_whitespace().flat_map(str::chars);
        characters.map(String::from).collect()
    };
    are_facelets(rows.iter().map(characters).collect())
        || are_facelets(rows.iter().map(words).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_need_not_be_text() {
        let error = check_first_bytes(b"\x1f\x8b\x08\0").unwrap_err();
        assert!(error.to_string().contains("gzip -dc FILE"), "{error}");
    }
}

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

    /// Creates the error for a table without a header that may name an event of another puzzle.
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

/// Signatures of binary files, with their kind and advice.
const SIGNATURES: [(&[u8], &str, &str); 15] = [
    (
        b"PK\x03\x04",
        "a ZIP archive, such as a sheet of Excel or OpenDocument",
        "save a sheet as CSV, or unpack the archive",
    ),
    (
        b"\xd0\xcf\x11\xe0",
        "a document of an old version of Excel or Word",
        SAVE,
    ),
    (
        b"%PDF",
        "a PDF document",
        "copy its text, one position per line",
    ),
    (b"{\\rtf", "a document in RTF", SAVE),
    (
        b"\x1f\x8b",
        "a file compressed by gzip",
        "unpack it, as with: gzip -dc FILE | cosette batch -",
    ),
    (
        b"\xfd7zXZ",
        "a file compressed by xz",
        "unpack it, as with: xz -dc FILE | cosette batch -",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "a file compressed by Zstandard",
        "unpack it, as with: zstd -dc FILE | cosette batch -",
    ),
    (
        b"BZh",
        "a file compressed by bzip2",
        "unpack it, as with: bzip2 -dc FILE | cosette batch -",
    ),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (
        b"SQLite format 3",
        "an SQLite database",
        "print its column of positions, as with: sqlite3 FILE 'select scramble from TABLE'",
    ),
    (
        b"PAR1",
        "a Parquet table",
        "write its column of positions as text, one per line",
    ),
    (b"\x89PNG", "a picture", PICTURE),
    (b"\xff\xd8\xff", "a picture", PICTURE),
    (b"GIF8", "a picture", PICTURE),
    (
        b"\x93NUMPY",
        "an array of NumPy",
        "give it to the Python package, as in distances(numpy.load(FILE), layout=…)",
    ),
];

const SAVE: &str = "save it as text, one position per line";
const PICTURE: &str = "type the positions as text, one per line";

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

/// Number of bytes at the start of a file that are examined.
const LOOKED_AT: usize = 4096;

/// Checks the first bytes of a file.
///
/// # Errors
///
/// Returns [`ListError::NotAList`] if the file is not text, or text of another kind.
pub(super) fn check_first_bytes(bytes: &[u8]) -> Result<(), ListError> {
    if let Some((_, kind, remedy)) = SIGNATURES
        .iter()
        .find(|(signature, ..)| bytes.starts_with(signature))
    {
        return Err(ListError::not_a_list(*kind, *remedy));
    }
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
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
    match bytes.len() < LOOKED_AT && is_one_cube(start) {
        true => Err(ListError::not_a_list(
            "one cube over several lines",
            "write its 54 facelets in one line, or give it alone, as in: cosette solve \"$(cat \
                FILE)\"",
        )),
        false => Ok(()),
    }
}

/// Returns `true` if a text of several lines is one cube, or seems to be one with a fault: a net by
/// its rows, or its faces.
fn is_one_cube(text: &str) -> bool {
    let rows: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let read = || parse_position(text, None, &ParseOptions::default());
    rows.len() > 2
        && (read().is_ok_and(|input| input.format == Format::Facelets)
            || are_rows_of_facelets(&rows))
}

/// Returns `true` if rows have the shape of a net or of faces: 54 letters, words or emoji, or 54
/// digits, 3, 9 or 12 a row, of seven kinds at most.
fn are_rows_of_facelets(rows: &[&str]) -> bool {
    const FRAMES: [char; 9] = ['⬛', '|', '│', '[', ']', ',', ';', '"', '/'];
    let is_digit =
        |cell: &&String| cell.len() == 1 && cell.starts_with(|c: char| c.is_ascii_digit());
    let is_word = |cell: &&String| cell.chars().all(|c| c.is_alphabetic() || c >= '\u{2500}');
    let are_facelets = |cells: Vec<Vec<String>>| {
        let all: Vec<&String> = cells.iter().flatten().collect();
        let kinds: HashSet<&String> = all.iter().copied().collect();
        let lengths_fit = cells.iter().all(|row| matches!(row.len(), 3 | 9 | 12));
        let are_cells = all.iter().all(is_word) || all.iter().all(is_digit);
        lengths_fit && all.len() == 54 && kinds.len() <= 7 && are_cells
    };
    let rows: Vec<String> = rows.iter().map(|row| row.replace(FRAMES, " ")).collect();
    let signs = |row: &String| {
        row.chars()
            .filter(|c| !c.is_whitespace())
            .map(String::from)
            .collect()
    };
    let words = |row: &String| row.split_whitespace().map(str::to_owned).collect();
    are_facelets(rows.iter().map(signs).collect()) || are_facelets(rows.iter().map(words).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NET: &str = "\
      B F R\n      R U D\n      L B D\n\
L F U B L R F B D B U D\nF L L D F U B R R D B L\nR R L F L L U R U R D B\n\
      D U F\n      U D B\n      U F F\n";
    const FACES: &str = "Up: B F R R U D L B D\nFront: B L R D F U F L L\n\
        Right: F B D B R R U R U\nDown: D U F U D B U F F\n\
        Left: L F U F L L R R L\nBack: B U D D B L R D B\n";

    #[test]
    fn files_of_other_kinds_are_refused() {
        for (bytes, said) in [
            (&b"PK\x03\x04\x14\0\x06\0"[..], "save a sheet as CSV"),
            (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
            (b"\x1f\x8b\x08\0", "gzip -dc FILE"),
            (b"R\0 \0U\0\n\0", "save it as text in UTF-8"),
            (b"\x7fELF\x02\x01\0", "binary"),
            (b"\n<!DOCTYPE html>\n<html>", "HTML"),
            (b"<?xml version=\"1.0\"?>", "XML"),
            (b"{\\rtf1\\ansi", "RTF"),
            (NET.as_bytes(), "54 facelets in one line"),
            (FACES.as_bytes(), "54 facelets in one line"),
            // With a fault.
            (
                NET.replacen('B', "R", 1).as_bytes(),
                "54 facelets in one line",
            ),
            (
                "white white red\n".repeat(18).as_bytes(),
                "54 facelets in one line",
            ),
            (
                "   [w][g][r]\n".repeat(18).as_bytes(),
                "54 facelets in one line",
            ),
            ("🟥🟩🟩\n".repeat(18).as_bytes(), "54 facelets in one line"),
        ] {
            let refused = check_first_bytes(bytes).unwrap_err().to_string();
            assert!(
                refused.contains(said) && refused.contains("not a list of positions; "),
                "{refused}"
            );
        }
        let lists = ["R U' F\n", "R U2\n", "R U’\n", "R U F D\n"].map(|line| line.repeat(18));
        assert!(
            lists
                .iter()
                .all(|list| check_first_bytes(list.as_bytes()).is_ok())
        );
        for bytes in [
            &b""[..],
            b"R U F\n",
            b"<https://alg.cubing.net/?alg=R>",
            "\u{feff}R U’".as_bytes(),
            b"{\"session1\":[]}",
        ] {
            assert!(check_first_bytes(bytes).is_ok());
        }
    }
}

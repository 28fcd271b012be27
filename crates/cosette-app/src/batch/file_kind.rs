//! Files that are no lists of positions: each is refused once, as a whole, with what to make of it.

use std::io;

/// Why a list cannot be read any further.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// The system refuses.
    #[error("{0}; name a file that can be read, or - for standard input")]
    Io(#[from] io::Error),
    /// A line has more bytes than this.
    #[error("line {line} is longer than {most} bytes; give one position per line")]
    LongLine {
        /// Its number, counted from one.
        line: usize,
        /// The most bytes of a line.
        most: u64,
    },
    /// The whole is a file of another kind.
    #[error("this is {kind}, not a list of positions; {remedy}")]
    NotAList {
        /// Its kind, such as `a PDF document`.
        kind: String,
        /// How to get a list.
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
    /// The error that a text is a file of this kind.
    pub(super) fn not_a_list(kind: impl Into<String>, remedy: impl Into<String>) -> ListError {
        ListError::NotAList { kind: kind.into(), remedy: remedy.into() }
    }

    /// The error that a text is JSON without positions where they could be found.
    pub(super) fn json() -> ListError {
        ListError::not_a_list(
            "JSON without a field `scramble`, `position`, `facelets`, `alg` or `input`",
            "give the texts of the positions alone, as from: jq -r '.[].FIELD' FILE",
        )
    }

    /// The error that a table has no positions.
    pub(super) fn table() -> ListError {
        ListError::not_a_list(
            "a table without a column of positions that can be found",
            "name that column scramble or alg in the first line, or give it alone, as from: cut -f 3 FILE",
        )
    }
}

/// The first bytes of files that are not text, their kind, and what to do with them.
const SIGNATURES: [(&[u8], &str, &str); 15] = [
    (
        b"PK\x03\x04",
        "a ZIP archive, as sheets of Excel and OpenDocument are",
        "save a sheet as CSV, or unpack the archive",
    ),
    (b"\xd0\xcf\x11\xe0", "a document of an old Excel or Word", SAVE),
    (b"%PDF", "a PDF document", "copy its text, one position per line"),
    (b"{\\rtf", "a document in RTF", SAVE),
    (b"\x1f\x8b", "compressed by gzip", "unpack it, as with: gzip -dc FILE | cosette batch -"),
    (b"\xfd7zXZ", "compressed by xz", "unpack it, as with: xz -dc FILE | cosette batch -"),
    (b"\x28\xb5\x2f\xfd", "compressed by Zstandard", "unpack it, as with: zstd -dc FILE | cosette batch -"),
    (b"BZh", "compressed by bzip2", "unpack it, as with: bzip2 -dc FILE | cosette batch -"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (
        b"SQLite format 3",
        "a database of SQLite",
        "print its column of positions, as with: sqlite3 FILE 'select scramble from TABLE'",
    ),
    (b"PAR1", "a table in Parquet", "write its column of positions as text, one per line"),
    (b"\x89PNG", "a picture", PICTURE),
    (b"\xff\xd8\xff", "a picture", PICTURE),
    (b"GIF8", "a picture", PICTURE),
    (b"\x93NUMPY", "an array of NumPy", "give it to the Python package, as in distances(numpy.load(FILE), order=…)"),
];

const SAVE: &str = "save it as text, one position per line";
const PICTURE: &str = "type the positions as text, one per line";

/// How documents in HTML or XML begin.
const MARKUP: [&str; 9] = ["<!doctype", "<html", "<head", "<body", "<?xml", "<table", "<div", "<svg", "<!--"];

/// How many of the first bytes are looked at.
const LOOKED_AT: usize = 4096;

/// Fails if a file that begins with these bytes is not a text, or is one of another kind.
pub(super) fn check_first_bytes(bytes: &[u8]) -> Result<(), ListError> {
    if let Some((_, kind, remedy)) = SIGNATURES.iter().find(|(signature, ..)| bytes.starts_with(signature)) {
        return Err(ListError::not_a_list(*kind, *remedy));
    }
    let bytes = &bytes[..bytes.len().min(LOOKED_AT)];
    if bytes.contains(&0) {
        return Err(ListError::not_a_list("binary, or a text in UTF-16 without its mark", "save it as text in UTF-8"));
    }
    let start = String::from_utf8_lossy(bytes);
    let start = start.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let is_markup = |tag: &&str| start.get(..tag.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(tag));
    match MARKUP.iter().any(is_markup) {
        true => Err(ListError::not_a_list("a page in HTML or XML", "copy the positions from it as text, one per line")),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let refused = check_first_bytes(bytes).unwrap_err().to_string();
            assert!(refused.contains(said) && refused.contains("not a list of positions; "), "{refused}");
        }
        for bytes in
            [&b""[..], b"R U F\n", b"<https://alg.cubing.net/?alg=R>", "\u{feff}R U’".as_bytes(), b"{\"session1\":[]}"]
        {
            assert!(check_first_bytes(bytes).is_ok());
        }
    }
}

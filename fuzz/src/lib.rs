//! What the fuzz targets share: positions read and written again, forged files, journals with valid checksums.

use cosette::cube::{Cube, Format, Input, ReadError, ReadOptions, parse_moves, read_position};
use cosette::table::TableId;
use cosette_app::batch::{Lines, List, Settings};
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// No message quotes more of a text than this, in characters.
const LONGEST_QUOTE: usize = 200;

/// Checks an error: its span lies between characters of the text, it names a remedy, and it quotes little.
pub fn check_error(text: &str, error: &ReadError) {
    assert!(text.get(error.span()).is_some(), "{:?} is not a span of the text", error.span());
    assert!(!error.help().is_empty() && !error.message().is_empty());
    let _ = error.is_impossible();
    check_message(text, &error.to_string());
}

/// Checks that a message quotes little of a text.
pub fn check_message(text: &str, message: &str) {
    let starts: Vec<usize> = message.char_indices().map(|(start, _)| start).collect();
    assert!(starts.len() <= 1000, "a message of {} characters", starts.len());
    for pair in starts.windows(LONGEST_QUOTE + 2) {
        let quote = &message[pair[0]..pair[LONGEST_QUOTE + 1]];
        assert!(!text.contains(quote), "a message quotes more than {LONGEST_QUOTE} characters: {quote}");
    }
}

/// Reads a text as a position. What is read and written again, in any format, is the same position.
pub fn check_position(text: &str, format: Option<Format>, options: &ReadOptions) {
    match read_position(text, format, options) {
        Ok(input) => check_input(&input),
        Err(error) => check_error(text, &error),
    }
}

fn check_input(Input { cube, sequence, .. }: &Input) {
    check_cube(cube);
    if let Some(sequence) = sequence {
        assert_eq!(Cube::from_moves(sequence.moves()), *cube);
    }
}

/// Checks that a position is a possible one, and that each way of writing it stands for it.
pub fn check_cube(cube: &Cube) {
    let read = |text: &str, format| read_position(text, format, &ReadOptions::default()).map(|input| input.cube);
    for (format, text) in
        [(Format::Facelets, cube.facelets()), (Format::Reid, cube.reid()), (Format::Speffz, cube.speffz())]
    {
        assert_eq!(read(&text, Some(format)).as_ref(), Ok(cube), "{text}");
        assert_eq!(read(&text, None).as_ref(), Ok(cube), "{text} is detected");
    }
    assert_eq!(cube.inverse().inverse(), *cube);
    assert!((*cube * cube.inverse()).is_solved());
}

/// A line of a journal with this body and its checksum, and the seed of the next line.
pub fn line_with_checksum(body: &[u8], seed: u64) -> (Vec<u8>, u64) {
    let check = xxh3_64_with_seed(body, seed);
    let mut line = format!("{{\"check\":\"{check:016x}\",\"body\":").into_bytes();
    line.extend(body);
    line.extend(b"}\n");
    (line, check)
}

/// The body of a line of a journal.
pub fn body(line: &[u8]) -> &[u8] {
    const PREFIX: usize = "{\"check\":\"0123456789abcdef\",\"body\":".len();
    &line[PREFIX..line.len() - "}".len()]
}

/// A journal whose lines are those of `data`, each with its checksum. A line that begins with `!` is
/// written as it is, without the mark.
pub fn journal_with_checksums(data: &[u8]) -> Vec<u8> {
    let (mut journal, mut seed) = (Vec::new(), 0);
    for line in data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        if let Some(raw) = line.strip_prefix(b"!") {
            journal.extend(raw);
            journal.push(b'\n');
        } else {
            let (line, check) = line_with_checksum(line, seed);
            journal.extend(line);
            seed = check;
        }
    }
    journal
}

/// The positions of every batch here; one line is not a position.
pub fn batch_list() -> List {
    let text = "R U2 F'\nF U2 R'\nnot a position\nR U2 F' // again\n";
    List::read(Lines::new(text.as_bytes()).map(Result::unwrap), &Settings::default())
}

/// The moves that make the position of every search here.
pub const SCRAMBLE: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

/// The position of every search here.
pub fn searched_position() -> Cube {
    parse_moves(SCRAMBLE, &ReadOptions::default()).expect("they are moves").position()
}

/// The table of every search here.
pub fn search_table() -> TableId {
    "htm-24M".parse().expect("there is such a table")
}

/// A temporary folder. `.ci/fuzz` makes them in memory, and removes those that are left at the end of a process.
pub fn folder() -> TempDir {
    TempDir::new().expect("there is a folder for temporary files")
}

/// A path in a folder of this process, the same at every call.
pub fn path(name: &str) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(folder).path().join(name)
}

/// Changes to a file: bytes written over others, and another length.
#[derive(Debug, arbitrary::Arbitrary)]
pub struct Forgery {
    /// Where, and what.
    pub edits: Vec<(u16, Vec<u8>)>,
    /// The length of the file afterwards.
    pub length: Option<u16>,
}

impl Forgery {
    /// Does it.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        for (start, edit) in &self.edits {
            let start = usize::from(*start).min(bytes.len());
            let end = (start + edit.len()).min(bytes.len());
            bytes[start..end].copy_from_slice(&edit[..end - start]);
        }
        if let Some(length) = self.length {
            bytes.resize(length.into(), 0);
        }
    }
}

//! The positions of a batch, one per line, and which of them are equal up to symmetry and inversion.
//!
//! For a symmetry s, the conjugate s⁻¹·p·s is as far from solved as p, and the conjugates of the moves of a solution
//! solve it. A solution a of p is p⁻¹ itself, so a⁻¹ solves p⁻¹. So the 48 conjugates of p and those of p⁻¹ make one
//! class, of which one position has to be solved. The lowest of the 96 represents the class.

use super::alternatives::alternatives;
use crate::request::Request;
use cosette::cube::{Cube, Input, Move, ReadError, Symmetry, canonical, inverse, is_empty};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, BufRead, Read};
use xxhash_rust::xxh3::xxh3_64;

/// A line that is not skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the text, counted from one; in csTimer's file of all sessions, that of the solve.
    pub number: usize,
    /// Its text, without trailing white space.
    pub text: String,
}

/// The most bytes of a line, so that one without an end does not fill the memory.
const LONGEST_LINE: u64 = 1_000_000;
/// The most bytes of a file of csTimer with all its sessions: some half a million solves.
const LONGEST_SESSIONS: u64 = 64_000_000;
/// How csTimer's kinds of scrambles begin that are of other puzzles.
const OTHER_PUZZLES: [&str; 10] = ["222", "44", "55", "66", "77", "pyr", "mgm", "skb", "clk", "sq"];

/// The lines of a text as they come, without blank lines, comments that begin with `#` or `//`, and the headings of timers. A line with
/// [alternatives] is as many as it stands for.
pub struct Lines<R> {
    input: R,
    /// What the last line stands for, and was not taken yet.
    waiting: VecDeque<Line>,
    number: usize,
    headings: Vec<usize>,
    /// Which cells hold the scrambles, in the table that csTimer exports.
    scrambles: Option<usize>,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, waiting: VecDeque::new(), number: 0, headings: Vec::new(), scrambles: None }
    }

    /// How many lines have been read, with those that were skipped.
    pub fn count_read(&self) -> usize {
        self.number
    }

    /// The numbers of the headings that were skipped.
    pub fn headings(&self) -> &[usize] {
        &self.headings
    }

    /// Takes the scrambles in the file that csTimer exports with all its sessions, numbered from one on; false if this is another text.
    fn take_sessions(&mut self) -> io::Result<bool> {
        if self.number > 0 || !self.input.fill_buf()?.starts_with(b"{\"session") {
            return Ok(false);
        }
        let sessions: BTreeMap<String, Value> = serde_json::from_reader(self.input.by_ref().take(LONGEST_SESSIONS))
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, format!("the sessions of csTimer: {error}")))?;
        let kinds = sessions.get("properties").and_then(|all| all.get("sessionData")?.as_str());
        let kinds: Value = kinds.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let is_of_this_cube = |number: u32| {
            let kind = &kinds[&number.to_string()]["opt"]["scrType"];
            !kind.as_str().is_some_and(|kind| OTHER_PUZZLES.iter().any(|other| kind.starts_with(other)))
        };
        let number_of =
            |name: &str| name.strip_prefix("session")?.parse::<u32>().ok().filter(|&number| is_of_this_cube(number));
        let mut sessions: Vec<(u32, &Value)> =
            sessions.iter().filter_map(|(name, session)| Some((number_of(name)?, session))).collect();
        sessions.sort_by_key(|(number, _)| *number);
        // A solve is its time, its scramble, a comment and when it was.
        let solves = sessions.iter().flat_map(|(_, session)| session.as_array().into_iter().flatten());
        let scrambles = solves.filter_map(|solve| Some(solve.get(1)?.as_str()?.to_owned()));
        self.waiting.extend((1..).zip(scrambles).map(|(number, text)| Line { number, text }));
        self.number = self.waiting.len();
        Ok(true)
    }

    /// The scramble in a line of the table that csTimer exports; any other line as it is. `None` for the names of its columns.
    fn scramble(&mut self, text: String) -> Option<String> {
        if text.starts_with("No.;") {
            self.scrambles = cells(&text, b';')?.iter().position(|name| name == "Scramble");
            return None;
        }
        let cell = self.scrambles.and_then(|column| cells(&text, b';')?.get(column).map(str::to_owned));
        Some(cell.unwrap_or(text))
    }

    /// The next line, with U+FFFD for invalid bytes, so that the error says where they are. Fails if it is too long.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            let error = format!("line {} is longer than {LONGEST_LINE} bytes", self.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        let text = String::from_utf8_lossy(&bytes);
        // Some editors begin a text in UTF-8 with a byte-order mark.
        let text = if self.number == 1 { text.trim_start_matches('\u{feff}') } else { &text };
        Ok(Some(text.trim_end().to_owned()))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                return Some(Ok(line));
            }
            match self.take_sessions() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => return Some(Err(error)),
            }
            let number = self.number + 1;
            match self.next_line().transpose()? {
                Ok(text) if is_comment(&text) => {}
                Ok(text) if is_heading(&text) => self.headings.push(number),
                Ok(text) => match self.scramble(text) {
                    Some(text) => {
                        self.waiting.extend(alternatives(&text).into_iter().map(|text| Line { number, text }))
                    }
                    None => self.headings.push(number),
                },
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The cells of a line of a table.
fn cells(line: &str, delimiter: u8) -> Option<csv::StringRecord> {
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(line.as_bytes());
    reader.records().next()?.ok()
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    // `#12 R U F` is a position with its number.
    line.is_empty() || line.starts_with("//") || line.starts_with('#') && is_empty(line)
}

/// Whether csTimer or TNoodle write this line between scrambles. No position begins so.
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
    line == "extra" || BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
}

/// A text and its position.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its line, counted from one.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The position, or why the text is not one.
    pub input: Result<Input, ReadError>,
}

impl Entry {
    /// The hash of its text.
    pub(super) fn hash(&self) -> u64 {
        xxh3_64(self.text.as_bytes())
    }
}

/// The positions of a batch, in the order given.
#[derive(Clone, Debug, Default)]
pub struct List(Vec<Entry>);

impl List {
    /// Reads each line as a position.
    pub fn read(lines: impl IntoIterator<Item = Line>, request: &Request) -> List {
        let target = request.target();
        let entry = |Line { number, text }| {
            let input = request.read_from(&text, target).map(without_long_sequence);
            Entry { line: number, text, input }
        };
        List(lines.into_iter().map(entry).collect())
    }

    /// Whether it looks like CSV with commas: the first two texts are not positions, nor are their first cells, and they have as many.
    pub fn is_table(&self) -> bool {
        let cells_of = |entry: &Entry| {
            let cells = cells(&entry.text, b',').filter(|_| entry.input.is_err() && !entry.text.contains('['))?;
            (cells.len() > 1 && cells[0].parse::<Cube>().is_err()).then_some(cells.len())
        };
        match &self.0[..] {
            [first, second, ..] => cells_of(first).is_some_and(|count| cells_of(second) == Some(count)),
            _ => false,
        }
    }

    /// The positions, and the texts that are not positions.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}

/// Drops a long sequence: its inverse is not a useful solution, and a short text may stand for a million turns.
fn without_long_sequence(input: Input) -> Input {
    const LONGEST: usize = 100;
    Input { sequence: input.sequence.filter(|sequence| sequence.moves().len() <= LONGEST), ..input }
}

/// How the lowest position of its class is seen from a position: inverted or not, and then in a symmetry.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    inverts: bool,
    symmetry: Symmetry,
}

impl View {
    /// The lowest position of the class of `cube`, and how it is seen from there.
    pub fn lowest(cube: &Cube) -> (Cube, View) {
        let sides = [(false, *cube), (true, cube.inverse())];
        let images = sides.into_iter().flat_map(|(inverts, side)| {
            Symmetry::all().map(move |symmetry| (side.conjugate(symmetry), View { inverts, symmetry }))
        });
        images.min_by_key(|&(image, _)| image).expect("there are 96 images")
    }

    /// A solution of the position, seen as one of the lowest position.
    fn onto_lowest(self, moves: &[Move]) -> Vec<Move> {
        seen(&inverted(moves, self.inverts), self.symmetry)
    }

    /// A solution of the lowest position, seen as one of this one.
    fn off_lowest(self, moves: &[Move]) -> Vec<Move> {
        inverted(&seen(moves, self.symmetry.inverse()), self.inverts)
    }

    /// A solution of this position, carried over to another of its class; canonical.
    pub fn carry(self, moves: &[Move], to: View) -> Vec<Move> {
        canonical(&to.off_lowest(&self.onto_lowest(moves)))
    }
}

fn seen(moves: &[Move], symmetry: Symmetry) -> Vec<Move> {
    moves.iter().map(|&m| symmetry.conjugate_move(m)).collect()
}

fn inverted(moves: &[Move], inverts: bool) -> Vec<Move> {
    if inverts { inverse(moves) } else { moves.to_vec() }
}

/// The positions of a list by class. Each is given by its index in the list.
pub(super) struct Classes {
    /// The members of each class in the order of the list; the classes are in the order of their first members.
    members: Vec<Vec<usize>>,
    /// The class and the view of each entry that is a position.
    of_entry: Vec<Option<(usize, View)>>,
}

impl Classes {
    /// The classes of a list; without `dedupe`, every position is a class by itself.
    pub fn of(list: &List, dedupe: bool) -> Classes {
        let mut classes = Classes { members: Vec::new(), of_entry: Vec::with_capacity(list.entries().len()) };
        let mut numbers = HashMap::new();
        for (number, entry) in list.entries().iter().enumerate() {
            let of_entry = entry.input.as_ref().ok().map(|input| {
                let alone = (input.cube, View { inverts: false, symmetry: Symmetry::IDENTITY });
                let (lowest, view) = if dedupe { View::lowest(&input.cube) } else { alone };
                let next = classes.members.len();
                let class = if dedupe { *numbers.entry(lowest).or_insert(next) } else { next };
                if class == next {
                    classes.members.push(Vec::new());
                }
                classes.members[class].push(number);
                (class, view)
            });
            classes.of_entry.push(of_entry);
        }
        classes
    }

    /// The members of each class.
    pub fn all(&self) -> &[Vec<usize>] {
        &self.members
    }

    /// The other members of the class of an entry.
    pub fn others(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let members = self.of_entry[number].map(|(class, _)| &self.members[class][..]).unwrap_or_default();
        members.iter().copied().filter(move |&other| other != number)
    }

    /// A solution of one entry, carried over to another of its class.
    ///
    /// # Panics
    /// If one of them is not a position.
    pub fn carry(&self, moves: &[Move], from: usize, to: usize) -> Vec<Move> {
        let [from, to] = [from, to].map(|number| self.of_entry[number].expect("both entries are positions").1);
        from.carry(moves, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn an_export_of_a_timer_is_its_scrambles() {
        let text = "Generated By csTimer on 2024-05-01\navg of 5: 12.34\n\nTime List:\n1. 12.34   R2 U F\n# 2. R\n#3 R\nsolved\n\
                    3x3x3 Cube Round 1 Scramble Set A\nExtra\nE1 R";
        let mut lines = Lines::new(text.as_bytes());
        let read: Vec<Line> = lines.by_ref().map(Result::unwrap).collect();
        assert_eq!(
            read.iter().map(|line| &line.text[..]).collect::<Vec<_>>(),
            ["1. 12.34   R2 U F", "#3 R", "solved", "E1 R"]
        );
        assert_eq!(lines.headings(), [1, 2, 4, 9, 10]);
    }

    #[test]
    fn all_sessions_of_a_timer_are_its_scrambles() {
        let text = r#"{"session1":[[[0,12340],"R2 U F","","1700000000"],[[-1,9340],"U2 F'","dnf ","1700000200"]],"session10":[[[0,1],"D","",1]],
                       "session2":[[[0,1],"R' F","",1]],"session3":[[[2000,1],"L","",1]],
                       "properties":{"session":1,"sessionData":"{\"1\":{\"opt\":{}},\"2\":{\"opt\":{\"scrType\":\"222so\"}}}"}}"#;
        let lines: Vec<Line> = Lines::new(text.as_bytes()).map(Result::unwrap).collect();
        let read: Vec<_> = lines.iter().map(|line| (line.number, &line.text[..])).collect();
        assert_eq!(read, [(1, "R2 U F"), (2, "U2 F'"), (3, "L"), (4, "D")]);
        assert!(Lines::new(&b"{\"session1\":[[["[..]).next().unwrap().is_err());
        assert_eq!(Lines::new(&b"{\"session1\":[]}\n"[..]).count(), 0);
    }

    #[test]
    fn a_table_of_a_timer_is_its_scrambles() {
        let text = "\u{feff}No.;Time;Comment;Scramble;Date;P.1\r\n1;12.34;;R2 U F;2024-05-01 10:00:00;12.34\r\n\
                    2;DNF(9.1);\"so; \"\"no\"\"\";R' D;2024-05-01 10:01:00;9.1\r\n";
        let lines: Vec<Line> = Lines::new(text.as_bytes()).map(Result::unwrap).collect();
        let read: Vec<_> = lines.iter().map(|line| (line.number, &line.text[..])).collect();
        assert_eq!(read, [(2, "R2 U F"), (3, "R' D")]);
    }

    #[test]
    fn a_table_with_commas_is_seen() {
        let is_table =
            |text: &str| List::read(Lines::new(text.as_bytes()).map(Result::unwrap), &Request::default()).is_table();
        for text in [
            "id,scramble\n1,R U F\n2,R2 D",
            "1,R U F\n2,R2 D",
            "No.,Time,Comment,Scramble,Date,P.1\n1,12.34,,R2 U F,2024-05-01 10:00:00,12.34",
            "line,input,format\n1,\"R, U\",moves",
        ] {
            assert!(is_table(text), "{text}");
        }
        for text in ["R, U, Q\nR, U, Q", "[Q, R]\n[Q, U]", "R, U\nR, F", "Anna, Tom\nR, U, F", "Anna, Tom"] {
            assert!(!is_table(text), "{text}");
        }
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let mut lines = Lines::new(io::BufReader::new(io::repeat(b'R')));
        assert!(lines.next().unwrap().unwrap_err().to_string().contains("line 1 is longer"));
    }

    #[test]
    fn the_lowest_position_is_the_same_for_the_whole_class() {
        for cube in random_positions(3).take(5).chain([Cube::SOLVED]) {
            let lowest = View::lowest(&cube).0;
            for s in Symmetry::all() {
                assert_eq!(View::lowest(&cube.conjugate(s)).0, lowest);
                assert_eq!(View::lowest(&cube.inverse().conjugate(s)).0, lowest);
            }
        }
    }

    #[test]
    fn solutions_are_carried_over() {
        let moves: Vec<Move> = [0, 5, 7, 12, 15, 3, 8, 1].map(Move::from_index).to_vec();
        let solution = inverse(&moves);
        let cube = Cube::from_moves(&moves);
        let from = View::lowest(&cube).1;
        for s in Symmetry::all() {
            for image in [cube.conjugate(s), cube.inverse().conjugate(s)] {
                let carried = from.carry(&solution, View::lowest(&image).1);
                assert!(image.after(&carried).is_solved());
                assert_eq!(carried.len(), moves.len());
            }
        }
    }
}

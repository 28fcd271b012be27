//! The positions of a batch, one per line, and which of them are equal up to symmetry and inversion.
//!
//! For a symmetry s, the conjugate s⁻¹·p·s is as far from solved as p, and the conjugates of the moves of a solution
//! solve it. A solution a of p is p⁻¹ itself, so a⁻¹ solves p⁻¹. So the 48 conjugates of p and those of p⁻¹ make one
//! class, of which one position has to be solved. The lowest of the 96 represents the class.

use crate::request::Request;
use cosette::cube::{Cube, Input, Move, ReadError, Symmetry, canonical, inverse};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, BufRead, Read};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A line that is not skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the text, counted from one.
    pub number: usize,
    /// Its text, without trailing white space.
    pub text: String,
}

/// The most bytes of a line, so that one without an end does not fill the memory.
const LONGEST_LINE: u64 = 1_000_000;

/// The lines of a text as they come, without blank lines and those that begin with `#` or `//`.
pub struct Lines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0 }
    }

    /// How many lines have been read, with those that were skipped.
    pub fn count_read(&self) -> usize {
        self.number
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
            match self.next_line().transpose()? {
                Ok(text) if is_skipped(&text) => {}
                Ok(text) => return Some(Ok(Line { number: self.number, text })),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn is_skipped(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#') || line.starts_with("//")
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

/// The fingerprint of a list: two lists with the same texts in the same order have the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// How many texts it has.
    pub count: usize,
    /// The xxh3 hash of the texts, each with its length before it, as sixteen hexadecimal digits.
    pub hash: String,
}

impl List {
    /// Reads each line as a position.
    pub fn read(lines: impl IntoIterator<Item = Line>, request: &Request) -> List {
        let entry = |Line { number, text }| {
            let input = request.read(&text).map(without_long_sequence);
            Entry { line: number, text, input }
        };
        List(lines.into_iter().map(entry).collect())
    }

    /// The positions, and the texts that are not positions.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// The fingerprint of this list.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Xxh3::new();
        for Entry { text, .. } in &self.0 {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Fingerprint { count: self.0.len(), hash: format!("{:016x}", hasher.digest()) }
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

//! The positions of a batch, one per line, and what is asked of each.

use cosette::cube::{Format, Input, Metric, ReadError, ReadOptions, read_position};
use cosette::search::{Options, SolutionCount, TwoPhaseUse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::time::Duration;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A line that is not skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the text, counted from one.
    pub number: usize,
    /// Its text, without trailing white space.
    pub text: String,
}

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

    /// The next line, with U+FFFD for invalid bytes, so that the error says where they are.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
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

/// What is asked of every position, as far as answers depend on it. Tables and threads do not belong here: a batch may be
/// continued with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The metric.
    pub metric: Metric,
    /// How many solutions are asked for.
    pub solution_count: SolutionCount,
    /// Give up on a position once every length up to this is ruled out.
    pub max_length: Option<u8>,
    /// How the positions are written; recognised if `None`.
    pub format: Option<Format>,
    /// Whether round brackets are moves on the inverse.
    pub niss: bool,
    /// Find all shortest solutions, and keep one that is also shortest in this metric.
    pub prefer: Option<Metric>,
    /// Find all shortest solutions, and say what is special about the position.
    pub explain: bool,
    /// The engine of the lab that solves, by its name; `None` for the search of this program.
    pub engine: Option<&'static str>,
}

impl Settings {
    /// How texts are read.
    pub(super) fn reading(&self) -> ReadOptions {
        ReadOptions { niss: self.niss }
    }

    /// The options of a search with this timeout. A search that may end early starts with a two-phase solution.
    pub fn options(&self, timeout: Option<Duration>) -> Options<'static> {
        let may_end_early = timeout.is_some() || self.max_length.is_some();
        let two_phase = if may_end_early { TwoPhaseUse::AtOnce } else { TwoPhaseUse::Meanwhile };
        let needs_all = self.explain || self.prefer.is_some();
        let solution_count = if needs_all { SolutionCount::All } else { self.solution_count };
        Options { solution_count, max_length: self.max_length, known: None, two_phase }
    }

    /// Each setting with its name, as a journal stores them. Settings that came later are named where they are set, so that
    /// older journals can be continued.
    pub(super) fn named(&self) -> BTreeMap<String, String> {
        let solution_count = match self.solution_count {
            SolutionCount::AtMost(count) => count.to_string(),
            SolutionCount::All => "all".into(),
        };
        let max_length = self.max_length.map_or("none".into(), |length| length.to_string());
        let format = self.format.map_or("any", Format::name).to_owned();
        let named = [
            ("metric", self.metric.name().to_owned()),
            ("solutions", solution_count),
            ("max-length", max_length),
            ("format", format),
            ("niss", self.niss.to_string()),
        ];
        let later = [
            ("prefer", self.prefer.map(|metric| metric.name().to_owned())),
            ("explain", self.explain.then(|| "true".to_owned())),
            ("engine", self.engine.map(str::to_owned)),
        ];
        let later = later.into_iter().filter_map(|(name, value)| Some((name, value?)));
        named.into_iter().chain(later).map(|(name, value)| (name.to_owned(), value)).collect()
    }
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
    pub fn read(lines: impl IntoIterator<Item = Line>, settings: &Settings) -> List {
        let entry = |Line { number, text }| {
            let input = read_position(&text, settings.format, &settings.reading());
            Entry { line: number, text, input: input.map(without_long_sequence) }
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

//! The positions of a batch.

use super::lines::Line;
use super::settings::Settings;
use cosette::cube::{Input, ReadError, read_position};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// A text and the position it shows.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its line, counted from one.
    pub line: usize,
    /// The text.
    pub text: String,
    /// The position, or why the text shows none.
    pub input: Result<Input, ReadError>,
}

impl Entry {
    /// What tells this text from others.
    pub(super) fn hash(&self) -> u64 {
        xxh3_64(self.text.as_bytes())
    }
}

/// The positions of a batch, in the order given.
#[derive(Clone, Debug, Default)]
pub struct List(Vec<Entry>);

/// What tells a list from others: two with the same texts in the same order are the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
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

    /// The positions and the texts that show none.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// What tells this list from others.
    pub fn identity(&self) -> Identity {
        let mut hasher = Xxh3::new();
        for Entry { text, .. } in &self.0 {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        Identity { count: self.0.len(), hash: format!("{:016x}", hasher.digest()) }
    }
}

/// Long sequences are forgotten: undone they are no solutions worth knowing, and a short text may stand for a million turns.
fn without_long_sequence(input: Input) -> Input {
    const LONGEST: usize = 100;
    Input { sequence: input.sequence.filter(|sequence| sequence.moves().len() <= LONGEST), ..input }
}

//! A list of positions as text, one a line.

use std::io::{self, BufRead};

/// A line that holds something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number in the text, counted from one.
    pub number: usize,
    /// What it holds, without blanks at its end.
    pub text: String,
}

/// The lines that hold something, as they come. Blank ones and those that begin with `#` or `//` are skipped.
pub struct Lines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    /// The lines of a text.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0 }
    }

    /// The next line, with U+FFFD for what is no text, so that the error names its place.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
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

//! Positions in standard input or in a file, one a line.

use crate::failure::Quoted;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

/// The lines that hold something, as they come.
pub struct Lines {
    input: Box<dyn BufRead>,
    number: usize,
}

impl Lines {
    /// The lines of standard input. Says what it waits for where that is a terminal.
    pub fn of_standard_input() -> Lines {
        if io::stdin().is_terminal() {
            anstream::eprintln!("one position a line, please; Ctrl-D ends");
        }
        Lines { input: Box::new(io::stdin().lock()), number: 0 }
    }

    /// The lines of a file.
    pub fn of_file(path: &Path) -> io::Result<Lines> {
        Ok(Lines { input: Box::new(BufReader::new(File::open(path)?)), number: 0 })
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

impl Iterator for Lines {
    type Item = io::Result<Quoted>;

    fn next(&mut self) -> Option<io::Result<Quoted>> {
        loop {
            match self.next_line().transpose()? {
                Ok(text) if is_skipped(&text) => {}
                Ok(text) => return Some(Ok(Quoted { text, line: Some(self.number) })),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn is_skipped(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#') || line.starts_with("//")
}

//! Positions in standard input or in a file, one per line.

use crate::batch;
use crate::cli::failure::InputText;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

/// The lines that are not skipped, as they come.
pub struct Lines(batch::Lines<Box<dyn BufRead>>);

impl Lines {
    /// The lines of standard input. Prints what it waits for if that is a terminal.
    pub fn of_standard_input() -> Lines {
        if io::stdin().is_terminal() {
            anstream::eprintln!("reading positions from standard input, one per line; press Ctrl-D to end");
        }
        Lines(batch::Lines::new(Box::new(io::stdin().lock())))
    }

    /// The lines of a file; `-` is standard input.
    pub fn of_file(path: &Path) -> io::Result<Lines> {
        if path == Path::new("-") {
            return Ok(Lines::of_standard_input());
        }
        Ok(Lines(batch::Lines::new(Box::new(BufReader::new(File::open(path)?)))))
    }

    /// The underlying lines.
    pub fn plain(self) -> batch::Lines<Box<dyn BufRead>> {
        self.0
    }
}

impl Iterator for Lines {
    type Item = io::Result<InputText>;

    fn next(&mut self) -> Option<io::Result<InputText>> {
        Some(self.0.next()?.map(|batch::Line { number, text }| InputText { text, line: Some(number) }))
    }
}

//! Positions in standard input or in a file, one per line.

use crate::batch::{Line, Lines};
use crate::cli::failure::{ErrorReport, Exit, Failure};
use crate::cli::stderr::hint;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

fn standard_input() -> Lines<Box<dyn BufRead>> {
    if io::stdin().is_terminal() {
        hint("reading positions from standard input, one per line; press Ctrl-D to end");
    }
    Lines::new(Box::new(io::stdin().lock()))
}

/// The lines of standard input as they come. Prints what it waits for if that is a terminal.
pub fn of_standard_input() -> StandardInput {
    StandardInput(standard_input())
}

/// The lines of standard input, without those that are skipped.
pub struct StandardInput(Lines<Box<dyn BufRead>>);

impl StandardInput {
    /// How many lines have been read, with those that were skipped.
    pub fn count_read(&self) -> usize {
        self.0.count_read()
    }
}

impl Iterator for StandardInput {
    type Item = Result<Line, Failure>;

    fn next(&mut self) -> Option<Result<Line, Failure>> {
        let failure = |error| {
            let message = format!("cannot read standard input: {error}");
            Failure::Other(ErrorReport { message, help: None, exit: Exit::Error })
        };
        Some(self.0.next()?.map_err(failure))
    }
}

/// All lines of a file, at least one; `-` is standard input.
pub fn of_file(path: &Path) -> Result<Vec<Line>, Failure> {
    let lines = || match path == Path::new("-") {
        true => standard_input().collect(),
        false => Lines::new(BufReader::new(File::open(path)?)).collect::<io::Result<Vec<Line>>>(),
    };
    let path = path.display();
    let lines = lines().map_err(|refused| {
        let help = "name a file that can be read, or - for standard input";
        Failure::new(format!("cannot read the positions in {path}: {refused}"), help)
    })?;
    match lines.is_empty() {
        true => Err(Failure::new(
            format!("{path} contains no positions"),
            "write one position per line, as for `cosette solve`",
        )),
        false => Ok(lines),
    }
}

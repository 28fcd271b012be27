//! Positions in standard input or in a file, one per line.

use crate::batch::{Line, Lines};
use crate::cli::failure::{ErrorReport, Exit, Failure};
use crate::cli::stderr::hint;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

fn standard_input() -> Lines<Box<dyn BufRead>> {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        hint(format_args!("reading positions from standard input, one per line; press {end} to end"));
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

/// The positions of a file, at least one, and how many lines it has; `-` is standard input.
pub fn of_file(path: &Path) -> Result<(Vec<Line>, usize), Failure> {
    let is_standard_input = path == Path::new("-");
    let read = || {
        let mut lines = match is_standard_input {
            true => standard_input(),
            false => Lines::new(Box::new(BufReader::new(File::open(path)?)) as Box<dyn BufRead>),
        };
        let positions = lines.by_ref().collect::<io::Result<Vec<Line>>>()?;
        Ok((positions, lines.count_read()))
    };
    let name = if is_standard_input { "standard input".into() } else { path.display().to_string() };
    let (positions, count) = read().map_err(|refused: io::Error| {
        let help = "name a file that can be read, or - for standard input";
        Failure::new(format!("cannot read the positions in {name}: {refused}"), help)
    })?;
    match positions.is_empty() {
        true => Err(Failure::new(
            format!("{name} contains no positions"),
            "write one position per line, as for `cosette solve`",
        )),
        false => Ok((positions, count)),
    }
}

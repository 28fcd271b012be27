//! Positions in standard input or in a file, one per line.

use crate::batch::Lines;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

/// The lines of standard input. Prints what it waits for if that is a terminal.
pub fn of_standard_input() -> Lines<Box<dyn BufRead>> {
    if io::stdin().is_terminal() {
        anstream::eprintln!("reading positions from standard input, one per line; press Ctrl-D to end");
    }
    Lines::new(Box::new(io::stdin().lock()))
}

/// The lines of a file; `-` is standard input.
pub fn of_file(path: &Path) -> io::Result<Lines<Box<dyn BufRead>>> {
    if path == Path::new("-") {
        return Ok(of_standard_input());
    }
    Ok(Lines::new(Box::new(BufReader::new(File::open(path)?))))
}

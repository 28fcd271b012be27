//! Move text: what it means, and what is wrong with bad text.

mod meaning;
mod squares;
mod texts;

use cosette::cube::{Cube, ReadError, ReadOptions, Sequence, parse_moves};

const GROUPS: ReadOptions = ReadOptions { niss: false };
const NISS: ReadOptions = ReadOptions { niss: true };

fn read(text: &str) -> Sequence {
    parse_moves(text, &GROUPS).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn position(text: &str) -> Cube {
    read(text).position()
}

fn error(text: &str) -> ReadError {
    parse_moves(text, &GROUPS).expect_err(text)
}

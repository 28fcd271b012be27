//! What the tests share: the oracles, slow and obvious ways to recompute them, and the obvious solver that every fast
//! solver must agree with. Nothing here is fast on purpose; all of it is meant to be right at a glance.

pub mod breadth_first;
pub mod cases;
pub mod level_scan;
pub mod oracle;
pub mod solver;
pub mod tables;

use cosette::cube::{Cube, Metric, Move, random_positions};
use cosette::{Control, ThreadCount};
use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

/// Asserts that a `TableError` is this error of the table's file.
macro_rules! assert_file_error {
    ($error:expr, $pattern:pat $(if $guard:expr)?) => {{
        let error: cosette::table::TableError = $error;
        let is_expected = matches!(&error, cosette::table::TableError::File($pattern) $(if $guard)?);
        assert!(is_expected, "{error}");
    }};
}
pub(crate) use assert_file_error;

/// Any position.
pub fn positions() -> impl Strategy<Value = Cube> {
    any::<u64>().prop_map(|seed| random_positions(seed).next().unwrap())
}

/// Two threads, which are enough to find what only several get wrong.
pub fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

/// Makes the checksum of a changed header of a table file right again.
pub fn sign_header(bytes: &mut [u8]) {
    const CHECKSUM_AT: usize = 4096 - 8;
    let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
    bytes[CHECKSUM_AT..][..8].copy_from_slice(&checksum.to_le_bytes());
}

/// The moves that cost one in `metric`: all eighteen, or the twelve quarter turns. With these alone a breadth-first search
/// gives distances, for a half turn is two quarter turns.
pub fn generators(metric: Metric) -> Vec<Move> {
    Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1).collect()
}

/// The moves written in `text`, as in `R U2 F'`. Panics if a word is not a move.
pub fn moves(text: &str) -> Vec<Move> {
    let read = |word: &str| Move::ALL.into_iter().find(|m| m.to_string() == word);
    text.split_whitespace().map(|word| read(word).unwrap_or_else(|| panic!("{word} is not a move"))).collect()
}

/// The sequence as text, as in `R U2 F'`.
pub fn text(sequence: &[Move]) -> String {
    sequence.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The sequence that undoes `sequence`.
pub fn inverse(sequence: &[Move]) -> Vec<Move> {
    sequence.iter().rev().map(|m| m.inverse()).collect()
}

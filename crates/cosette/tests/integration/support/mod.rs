//! What the tests share: the oracles, slow and obvious ways to recompute them, and the obvious solver that every fast
//! solver must agree with. Nothing here is fast on purpose; all of it is meant to be right at a glance.

pub mod breadth_first;
pub mod cases;
pub mod census;
pub mod level_scan;
pub mod oracle;
pub mod solver;
pub mod tables;

use cosette::cube::{Metric, Move};

/// The moves that cost one in `metric`: all eighteen, or the twelve quarter turns. With these alone a breadth-first search
/// gives distances, for a half turn is two quarter turns.
pub fn generators(metric: Metric) -> Vec<Move> {
    Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1).collect()
}

/// The moves written in `text`, as in `R U2 F'`.
///
/// # Panics
/// If a word is not a move.
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

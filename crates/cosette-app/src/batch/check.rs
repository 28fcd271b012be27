//! Answers, compared with their positions and carried over to equal ones.

use super::class::Classes;
use super::list::{Entry, List};
use crate::json::Solve;
use cosette::cube::{Metric, Move, Moves, ReadOptions, parse_moves};

/// Reads a solution.
fn moves(text: &str) -> Result<Vec<Move>, String> {
    let sequence = parse_moves(text, &ReadOptions::default());
    Ok(sequence.map_err(|error| format!("`{text}`: {}", error.message()))?.moves().to_vec())
}

/// Does every solution of an answer on the position of an entry, and compares all that the two say of the position.
///
/// # Errors
/// What is wrong, where the answer is none to this position.
pub fn check(answer: &Solve, entry: &Entry, metric: Metric) -> Result<(), String> {
    let Ok(input) = &entry.input else { return Err(format!("`{}` is no position", entry.text)) };
    let is = |what: &str, holds: bool| if holds { Ok(()) } else { Err(what.to_owned()) };
    is("it has another position", answer.facelets == input.cube.facelets())?;
    is("it has another metric", answer.metric == metric.name())?;
    is("it proves no length", answer.optimal == answer.length.is_some())?;
    is("it lacks a solution", answer.optimal != answer.solutions.is_empty())?;
    is("its length is not the lower bound", answer.length.is_none_or(|length| length == answer.lower_bound))?;
    for text in answer.solutions.iter().chain(&answer.best_known) {
        let moves = moves(text)?;
        is(&format!("`{text}` does not solve it"), input.cube.after(&moves).is_solved())?;
        let has_length = |length| metric.length(&moves) == usize::from(length);
        is(&format!("`{text}` has another length"), answer.length.is_none_or(has_length))?;
    }
    Ok(())
}

/// The answer to entry `from`, carried over to entry `to` of its class.
///
/// # Errors
/// If a solution cannot be read.
pub(super) fn carried(
    answer: &Solve,
    (list, classes): (&List, &Classes),
    from: usize,
    to: usize,
) -> Result<Solve, String> {
    let entry = &list.entries()[to];
    let input = entry.input.as_ref().map_err(|_| "it is no position")?;
    let carry = |text: &String| Ok::<_, String>(classes.carry(&moves(text)?, from, to));
    let mut solutions = answer.solutions.iter().map(carry).collect::<Result<Vec<_>, _>>()?;
    solutions.sort_unstable();
    let best_known = answer.best_known.as_ref().map(carry).transpose()?;
    Ok(Solve {
        input: entry.text.clone(),
        line: Some(entry.line),
        format: input.format.name().to_owned(),
        facelets: input.cube.facelets(),
        solutions: solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
        best_known: best_known.map(|moves| Moves(&moves).to_string()),
        same_as: answer.same_as.or(answer.line),
        explanation: None,
        ..answer.clone()
    })
}

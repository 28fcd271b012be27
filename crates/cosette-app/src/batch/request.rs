//! The request of a batch, and the check of a result against it.

use super::list::ListEntry;
use crate::goal_engine::cost;
use crate::journal_error::quoted;
use crate::request::{GoalRequest, Request};
use crate::solve_result::SolveResult;
use cosette::cube::{Cube, Input, Move, ParseOptions, parse_moves};

/// The request for each position of a batch.
pub struct BatchRequest {
    pub options: Request,
    /// The goal; `None` for searches of the whole cube.
    pub goal: Option<GoalRequest>,
    target: Option<Cube>,
}

impl BatchRequest {
    pub fn new(options: Request) -> BatchRequest {
        BatchRequest {
            goal: options.parse_goal().ok().flatten(),
            target: options.target(),
            options,
        }
    }

    /// Checks a result, as [`Batch::check`](super::Batch::check) does.
    pub fn check(&self, answer: &SolveResult, entry: &ListEntry) -> Result<(), String> {
        let Ok(input) = &entry.input else {
            return Err(format!("`{}` is not a position", entry.text));
        };
        self.check_claims(answer, input)?;
        let solutions = answer.solutions.iter().chain(&answer.best_known);
        let Some(goal) = &self.goal else {
            return solutions
                .into_iter()
                .try_for_each(|text| self.check_solution(text, answer.length, input));
        };
        let mut costs = answer.costs.iter().flatten();
        for text in solutions {
            let wrong = |what: &str| format!("`{}` {what}", quoted(text));
            let cost = cost(text, input, goal)?.ok_or_else(|| wrong("does not reach the goal"))?;
            ensure(&wrong("has another length"), costs.next() == Some(&cost))?;
        }
        Ok(())
    }

    /// Checks the fields other than the solutions.
    fn check_claims(&self, answer: &SolveResult, input: &Input) -> Result<(), String> {
        let is_complete = answer.stop_reason.is_some()
            || answer.optimal_moves.is_some() == self.options.optimal_moves;
        let is_lower_bound = |length| length == answer.lower_bound;
        ensure(
            "it has another position",
            answer.facelets == self.as_given(&input.cube).facelets(),
        )?;
        ensure(
            "it has another metric",
            answer.metric == self.options.metric.name(),
        )?;
        ensure(
            "`optimal` and `length` disagree",
            answer.optimal == answer.length.is_some(),
        )?;
        ensure(
            "`optimal` and `solutions` disagree",
            answer.optimal != answer.solutions.is_empty(),
        )?;
        ensure(
            "its length is not the lower bound",
            answer.length.is_none_or(is_lower_bound),
        )?;
        ensure("it has no optimal moves", is_complete)
    }

    fn check_solution(&self, text: &str, length: Option<u8>, input: &Input) -> Result<(), String> {
        let moves = moves(text)?;
        let wrong = |what: &str| format!("`{}` {what}", quoted(text));
        let is_solved = input.cube.apply_moves(&moves).is_solved();
        ensure(&wrong("does not solve it"), is_solved)?;
        let has_length = |length| self.options.face_metric().length(&moves) == usize::from(length);
        ensure(&wrong("has another length"), length.is_none_or(has_length))
    }

    /// Returns the original position for a relative one.
    pub fn as_given(&self, position: &Cube) -> Cube {
        self.target.map_or(*position, |target| target * *position)
    }
}

/// Returns an error with this message unless the condition holds.
fn ensure(message: &str, holds: bool) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(message.to_owned()),
    }
}

/// Parses a solution.
pub fn moves(text: &str) -> Result<Vec<Move>, String> {
    let sequence = parse_moves(text, &ParseOptions::default());
    Ok(sequence
        .map_err(|error| format!("`{}`: {}", quoted(text), error.message()))?
        .moves()
        .to_vec())
}

//! The proven result for a position.

use crate::explain::Explanation;
use crate::request::Request;
use cosette::CancelReason;
use cosette::cube::{Cube, DisplayMoves, Input, Metric, Move, canonical, inverse};
use cosette::search::{IterationStats, Options, Outcome, Report, SolutionCount};
use cosette::table::TableId;
use std::time::Duration;

/// The reason why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// All lengths up to the limit are ruled out.
    MaxLength,
    /// The time limit was reached.
    Timeout,
    /// The user interrupted the search.
    Interrupt,
    /// The engine reached its memory limit.
    Memory,
}

impl StopReason {
    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::MaxLength => "max-length",
            StopReason::Timeout => "timeout",
            StopReason::Interrupt => "interrupt",
            StopReason::Memory => "memory",
        }
    }
}

impl From<CancelReason> for StopReason {
    fn from(reason: CancelReason) -> StopReason {
        match reason {
            CancelReason::Requested => StopReason::Interrupt,
            CancelReason::TimedOut => StopReason::Timeout,
        }
    }
}

/// The engine of a result, with its tables.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// The name of the engine, as in `cosette-lab solve --engine korf`.
    pub engine: &'static str,
    /// The metric.
    pub metric: Metric,
    /// The name of its tables.
    pub tables: String,
    /// `true` if its solutions are proven shortest.
    pub is_optimal: bool,
}

impl EngineInfo {
    /// Returns the search of this program with a table.
    pub fn table(table: TableId) -> EngineInfo {
        EngineInfo {
            engine: "cosette",
            metric: table.metric,
            tables: table.to_string(),
            is_optimal: true,
        }
    }
}

/// A text, its position and the result of the search.
pub struct Answer<'a> {
    /// The text of the position.
    pub text: &'a str,
    /// The line number in a list of positions, counted from one.
    pub line: Option<usize>,
    /// The name of the position, set by the caller that parsed it.
    pub name: Option<String>,
    /// The position.
    pub input: &'a Input,
    /// The report of the search.
    pub report: Report,
    /// Time of this run; the report of a resumed search has the time of all runs.
    pub run_time: Duration,
    /// The requested number of solutions.
    pub solution_count: SolutionCount,
    /// The reason why the search ended early, if it did.
    pub stop_reason: Option<StopReason>,
    /// The engine.
    pub engine: EngineInfo,
    /// The preference by which the solution was chosen, if it was chosen among all shortest ones.
    pub preferred: Option<Preferred>,
    /// The special properties of the position, if requested.
    pub explanation: Option<Explanation>,
    /// The target, if it is not the solved cube; the position is then
    /// [relative](Request::parse_position) to it.
    pub target: Option<(String, Cube)>,
}

/// The choice of a solution that is also shortest in another metric, among all shortest ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferred {
    /// The other metric.
    pub metric: Metric,
    /// Number of solutions to choose from.
    pub among: usize,
}

/// Error of a solution that does not solve its position: a bug in the search.
#[derive(Clone, Debug, thiserror::Error)]
#[error("internal error: `{solution}` does not solve the position {facelets}")]
pub struct InvalidSolution {
    /// The sequence.
    pub solution: String,
    /// The position.
    pub facelets: String,
}

impl<'a> Answer<'a> {
    /// Creates the result for a position. The inverse of the input moves is a known solution for
    /// every optimal engine, even if the engine did not receive it: it may be the best known one,
    /// and is shortest if all shorter lengths are ruled out.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSolution`] if a solution does not solve the position when it is applied
    /// again, independently of the search.
    pub fn new(
        (text, line, input): (&'a str, Option<usize>, &'a Input),
        report: Report,
        options: &Options<'_>,
        by: EngineInfo,
    ) -> Result<Answer<'a>, InvalidSolution> {
        let mut report = report;
        let length = |moves: &[Move]| by.metric.length(moves);
        let known = report
            .best_known
            .take()
            .into_iter()
            .chain(inverse_of_input(input).filter(|_| by.is_optimal));
        report.best_known = known.min_by_key(|moves| length(moves));
        let one = options.solution_count == SolutionCount::ONE;
        let is_shortest = |moves: &&Vec<Move>| length(moves) == usize::from(report.lower_bound);
        if let Some(known) = report.best_known.as_ref().filter(is_shortest)
            && one
            && report.solutions.is_empty()
        {
            // The search stopped when the lower bound had reached the length of a known solution:
            // it is shortest.
            report.solutions.push(known.clone());
            report.outcome = Outcome::Optimal;
        }
        let longest = options.max_length.map_or(usize::MAX, usize::from);
        let is_short_enough = report
            .best_known
            .as_ref()
            .is_some_and(|moves| length(moves) <= longest);
        let stop_reason = match report.outcome {
            Outcome::Optimal => None,
            Outcome::Cancelled(CancelReason::Requested) => Some(StopReason::Interrupt),
            _ if !by.is_optimal && is_short_enough => None,
            Outcome::NoneWithinLimit => Some(StopReason::MaxLength),
            Outcome::Cancelled(reason) => Some(reason.into()),
            // An optimal engine ends this way if its memory is full, another one if its solution is
            // too long.
            Outcome::Unproven => Some(if by.is_optimal {
                StopReason::Memory
            } else {
                StopReason::MaxLength
            }),
        };
        let answer = Answer {
            text,
            line,
            name: None,
            input,
            run_time: report.elapsed,
            report,
            solution_count: options.solution_count,
            stop_reason,
            engine: by,
            preferred: None,
            explanation: None,
            target: None,
        };
        answer.check()?;
        Ok(answer)
    }

    fn check(&self) -> Result<(), InvalidSolution> {
        let solves = |moves: &[Move]| self.input.cube.apply_moves(moves).is_solved();
        let is_shortest = |moves: &[Move]| {
            self.engine.metric.length(moves) == usize::from(self.report.lower_bound)
        };
        let wrong_solution = self
            .report
            .solutions
            .iter()
            .find(|moves| !solves(moves) || !is_shortest(moves));
        match wrong_solution.or(self
            .report
            .best_known
            .as_ref()
            .filter(|moves| !solves(moves)))
        {
            None => Ok(()),
            Some(wrong) => Err(InvalidSolution {
                solution: DisplayMoves(wrong).to_string(),
                facelets: self.input.cube.facelets(),
            }),
        }
    }

    /// Returns `true` if these are all shortest solutions.
    pub fn is_complete(&self) -> bool {
        let is_last = |iteration: &&IterationStats| iteration.length == self.report.lower_bound;
        // Iterations for the neighbors come after it.
        let last = self.report.iterations.iter().rfind(is_last);
        self.stop_reason.is_none() && last.is_some_and(|iteration| iteration.exhausted)
    }

    /// Adds the preferred solution, or the explanation, that the request includes.
    #[must_use]
    pub fn apply_request(self, request: &Request) -> Answer<'a> {
        let answer = Answer {
            target: request.goal.clone().zip(request.target()),
            ..self
        };
        let answer = if request.explain {
            answer.with_explanation()
        } else {
            answer
        };
        match request.prefer {
            Some(metric) => answer.with_preference(metric),
            None => answer,
        }
    }

    /// Adds the special properties of the position.
    #[must_use]
    pub fn with_explanation(mut self) -> Answer<'a> {
        let all = self.is_complete().then_some(&self.report.solutions[..]);
        self.explanation = Some(match &self.target {
            // The common properties of solutions to another target do not apply to this position.
            Some((_, target)) => Explanation::new(&(*target * self.input.cube), None),
            None => Explanation::new(&self.input.cube, all),
        });
        self
    }

    /// Retains only one of the solutions, which is also shortest in another metric. Unchanged if
    /// not all solutions are known.
    #[must_use]
    pub fn with_preference(mut self, metric: Metric) -> Answer<'a> {
        if self.is_complete() {
            let solutions = std::mem::take(&mut self.report.solutions);
            self.preferred = Some(Preferred {
                metric,
                among: solutions.len(),
            });
            self.solution_count = SolutionCount::ONE;
            self.report.solutions = solutions
                .into_iter()
                .min_by_key(|moves| metric.length(moves))
                .into_iter()
                .collect();
        }
        self
    }

    /// Returns the best known solution, if none is proven shortest: from the two-phase search, or
    /// the inverse of the input moves.
    pub fn best_known(&self) -> Option<&[Move]> {
        self.report
            .best_known
            .as_deref()
            .filter(|_| self.report.solutions.is_empty())
    }

    /// Returns the upper bound on the length of shortest solutions: the length of the best known
    /// solution, or God's number if that is less.
    pub fn upper_bound(&self) -> usize {
        self.known_upper_bound()
            .unwrap_or(self.engine.metric.diameter().into())
    }

    /// Returns the length of the best known solution, unless it exceeds God's number.
    pub fn known_upper_bound(&self) -> Option<usize> {
        let best = self
            .best_known()
            .map(|known| self.engine.metric.length(known));
        self.report
            .length()
            .map(usize::from)
            .or(best.filter(|&best| is_within_diameter(best, self.engine.metric)))
    }
}

/// Returns `true` if this length is within God's number, the maximum for any position.
pub fn is_within_diameter(length: usize, metric: Metric) -> bool {
    length <= metric.diameter().into()
}

/// Returns a solution known before the search: the inverse of the input moves, if it is within
/// God's number.
pub fn known_solution(input: &Input, metric: Metric) -> Option<Vec<Move>> {
    inverse_of_input(input).filter(|moves| is_within_diameter(metric.length(moves), metric))
}

/// Returns the inverse of the input moves, a solution if the position was given as moves.
fn inverse_of_input(input: &Input) -> Option<Vec<Move>> {
    let inverse = input
        .sequence
        .as_ref()
        .map(|sequence| canonical(&inverse(sequence.moves())));
    // With another target, the inverse leads elsewhere.
    inverse.filter(|inverse| input.cube.apply_moves(inverse).is_solved())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{ParseOptions, parse_position};

    #[test]
    fn an_interrupted_answer_says_so_whatever_the_engine() {
        let input = parse_position("R U F", None, &ParseOptions::default()).unwrap();
        for (is_optimal, reason, stopped) in [
            (true, CancelReason::Requested, Some(StopReason::Interrupt)),
            (false, CancelReason::Requested, Some(StopReason::Interrupt)),
            (true, CancelReason::TimedOut, Some(StopReason::Timeout)),
            (false, CancelReason::TimedOut, None),
        ] {
            let report = Report {
                outcome: Outcome::Cancelled(reason),
                lower_bound: 0,
                solutions: Vec::new(),
                best_known: inverse_of_input(&input),
                iterations: Vec::new(),
                neighbors: None,
                symmetry_count: 1,
                elapsed: Duration::ZERO,
            };
            let by = EngineInfo {
                engine: "an engine",
                metric: Metric::Htm,
                tables: String::new(),
                is_optimal,
            };
            let answer =
                Answer::new(("R U F", None, &input), report, &Options::default(), by).unwrap();
            assert_eq!(answer.stop_reason, stopped);
        }
    }
}

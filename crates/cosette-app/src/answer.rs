//! What has been proven of a position.

use crate::explain::Explanation;
use crate::request::Request;
use cosette::CancelReason;
use cosette::cube::{Cube, Input, Metric, Move, Moves, canonical, inverse};
use cosette::search::{Options, Outcome, Report, SolutionCount, Threshold};
use cosette::table::TableId;
use std::time::Duration;

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All lengths up to the limit are ruled out.
    MaxLength,
    /// The time limit was reached.
    Timeout,
    /// The user interrupted it.
    Interrupt,
    /// The engine reached its memory limit.
    Memory,
}

impl Stop {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::MaxLength => "max-length",
            Stop::Timeout => "timeout",
            Stop::Interrupt => "interrupt",
            Stop::Memory => "memory",
        }
    }
}

impl From<CancelReason> for Stop {
    fn from(reason: CancelReason) -> Stop {
        match reason {
            CancelReason::Requested => Stop::Interrupt,
            CancelReason::TimedOut => Stop::Timeout,
        }
    }
}

/// What solved.
#[derive(Clone, Debug)]
pub struct SolvedBy {
    /// Its name, as in `cosette solve --engine korf`.
    pub engine: &'static str,
    /// The metric.
    pub metric: Metric,
    /// Its tables.
    pub tables: String,
    /// Whether its solutions are proven shortest.
    pub is_optimal: bool,
}

impl SolvedBy {
    /// The search of this program, with a table.
    pub fn table(table: TableId) -> SolvedBy {
        SolvedBy { engine: "cosette", metric: table.metric, tables: table.to_string(), is_optimal: true }
    }
}

/// A text, its position and what the search has proven of it.
pub struct Answer<'a> {
    /// The text of the position.
    pub text: &'a str,
    /// Its line in a list of positions, counted from one.
    pub line: Option<usize>,
    /// The name of the position; whoever has read it adds it.
    pub name: Option<String>,
    /// The position.
    pub input: &'a Input,
    /// What the search says.
    pub report: Report,
    /// How long this run took; the report of a search that was continued has the time of all runs.
    pub run_time: Duration,
    /// How many solutions were asked for.
    pub solution_count: SolutionCount,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
    /// What solved.
    pub by: SolvedBy,
    /// How its solution was chosen, if it was chosen among all shortest ones.
    pub preferred: Option<Preferred>,
    /// What is special about the position, if that was asked for.
    pub explanation: Option<Explanation>,
    /// What is to be reached, if not the solved cube; the position is [as it is seen](Request::read) from there.
    pub target: Option<(String, Cube)>,
}

/// A solution that is also shortest in another metric, among all that are shortest in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preferred {
    /// The other metric.
    pub metric: Metric,
    /// How many solutions there were to choose from.
    pub among: usize,
}

/// A solution that does not solve its position: an error of the search.
#[derive(Clone, Debug, thiserror::Error)]
#[error("internal error: `{solution}` does not solve the position {facelets}")]
pub struct Mismatch {
    /// The sequence.
    pub solution: String,
    /// The position.
    pub facelets: String,
}

impl<'a> Answer<'a> {
    /// The answer to a position. The given moves inverted are a known solution for every optimal engine, whether it was
    /// given them or not: they may be the best one known, and are shortest if all shorter lengths are ruled out. Fails
    /// if a solution does not solve the position when it is applied again, independently of the search.
    pub fn new(
        (text, line, input): (&'a str, Option<usize>, &'a Input),
        report: Report,
        options: &Options<'_>,
        by: SolvedBy,
    ) -> Result<Answer<'a>, Mismatch> {
        let mut report = report;
        let length = |moves: &[Move]| by.metric.length(moves);
        let known = report.best_known.take().into_iter().chain(inverse_of_input(input).filter(|_| by.is_optimal));
        report.best_known = known.min_by_key(|moves| length(moves));
        let one = options.solution_count == SolutionCount::ONE;
        let is_shortest = |moves: &&Vec<Move>| length(moves) == usize::from(report.lower_bound);
        if let Some(known) = report.best_known.as_ref().filter(is_shortest)
            && one
            && report.solutions.is_empty()
        {
            // The search stopped when the lower bound had reached the length of a known solution: it is shortest.
            report.solutions.push(known.clone());
            report.outcome = Outcome::Optimal;
        }
        let longest = options.max_length.map_or(usize::MAX, usize::from);
        let is_short_enough = report.best_known.as_ref().is_some_and(|moves| length(moves) <= longest);
        let stopped = match report.outcome {
            Outcome::Optimal => None,
            Outcome::Cancelled(CancelReason::Requested) => Some(Stop::Interrupt),
            _ if !by.is_optimal && is_short_enough => None,
            Outcome::NoneWithinLimit => Some(Stop::MaxLength),
            Outcome::Cancelled(reason) => Some(reason.into()),
            // An optimal engine ends so where its memory is full, another one where its solution is too long.
            Outcome::Unproven => Some(if by.is_optimal { Stop::Memory } else { Stop::MaxLength }),
        };
        let answer = Answer {
            text,
            line,
            name: None,
            input,
            run_time: report.elapsed,
            report,
            solution_count: options.solution_count,
            stopped,
            by,
            preferred: None,
            explanation: None,
            target: None,
        };
        answer.check()?;
        Ok(answer)
    }

    fn check(&self) -> Result<(), Mismatch> {
        let solves = |moves: &[Move]| self.input.cube.after(moves).is_solved();
        let is_shortest = |moves: &[Move]| self.by.metric.length(moves) == usize::from(self.report.lower_bound);
        let wrong_solution = self.report.solutions.iter().find(|moves| !solves(moves) || !is_shortest(moves));
        match wrong_solution.or(self.report.best_known.as_ref().filter(|moves| !solves(moves))) {
            None => Ok(()),
            Some(wrong) => Err(Mismatch { solution: Moves(wrong).to_string(), facelets: self.input.cube.facelets() }),
        }
    }

    /// Whether these are all shortest solutions.
    pub fn has_all(&self) -> bool {
        let is_last = |threshold: &&Threshold| threshold.length == self.report.lower_bound;
        // Those of the neighbours come after it.
        let last = self.report.thresholds.iter().rfind(is_last);
        self.stopped.is_none() && last.is_some_and(|threshold| threshold.exhausted)
    }

    /// The same answer with one solution that is also shortest in another metric, or with what is special about the position,
    /// as asked for.
    #[must_use]
    pub fn as_asked(self, request: &Request) -> Answer<'a> {
        let answer = Answer { target: request.to.clone().zip(request.target()), ..self };
        let answer = if request.explain { answer.explained() } else { answer };
        match request.prefer {
            Some(metric) => answer.preferring(metric),
            None => answer,
        }
    }

    /// The same answer with what is special about the position.
    #[must_use]
    pub fn explained(mut self) -> Answer<'a> {
        let all = self.has_all().then_some(&self.report.solutions[..]);
        self.explanation = Some(match &self.target {
            // What solutions to another position have in common says nothing of this one.
            Some((_, target)) => Explanation::new(&(*target * self.input.cube), None),
            None => Explanation::new(&self.input.cube, all),
        });
        self
    }

    /// The same answer with only one of the solutions, which is shortest in another metric too. Unchanged if not all solutions
    /// are known.
    #[must_use]
    pub fn preferring(mut self, metric: Metric) -> Answer<'a> {
        if self.has_all() {
            let solutions = std::mem::take(&mut self.report.solutions);
            self.preferred = Some(Preferred { metric, among: solutions.len() });
            self.solution_count = SolutionCount::ONE;
            self.report.solutions =
                solutions.into_iter().min_by_key(|moves| metric.length(moves)).into_iter().collect();
        }
        self
    }

    /// The shortest solution known, if none is proven shortest: from the two-phase search, or the given moves inverted.
    pub fn best_known(&self) -> Option<&[Move]> {
        self.report.best_known.as_deref().filter(|_| self.report.solutions.is_empty())
    }

    /// No shortest solution is longer: the length of the best known solution, or God's number if that is less.
    pub fn upper_bound(&self) -> usize {
        self.known_upper_bound().unwrap_or(self.by.metric.diameter().into())
    }

    /// The length of the best known solution, unless it is more than God's number.
    pub fn known_upper_bound(&self) -> Option<usize> {
        let best = self.best_known().map(|known| self.by.metric.length(known));
        self.report.length().map(usize::from).or(best.filter(|&best| is_within_diameter(best, self.by.metric)))
    }
}

/// Whether a solution of this length is worth telling: no position needs more than God's number of moves.
pub fn is_within_diameter(length: usize, metric: Metric) -> bool {
    length <= metric.diameter().into()
}

/// A solution that is known before the search, if it is news: the inverse of the given moves.
pub fn known_solution(input: &Input, metric: Metric) -> Option<Vec<Move>> {
    inverse_of_input(input).filter(|moves| is_within_diameter(metric.length(moves), metric))
}

/// The inverse of the given moves: a solution, if the position was given as moves.
fn inverse_of_input(input: &Input) -> Option<Vec<Move>> {
    let inverse = input.sequence.as_ref().map(|sequence| canonical(&inverse(sequence.moves())));
    // Where another position is to be reached, it leads elsewhere.
    inverse.filter(|inverse| input.cube.after(inverse).is_solved())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{ReadOptions, read_position};

    #[test]
    fn an_interrupted_answer_says_so_whatever_the_engine() {
        let input = read_position("R U F", None, &ReadOptions::default()).unwrap();
        for (is_optimal, reason, stopped) in [
            (true, CancelReason::Requested, Some(Stop::Interrupt)),
            (false, CancelReason::Requested, Some(Stop::Interrupt)),
            (true, CancelReason::TimedOut, Some(Stop::Timeout)),
            (false, CancelReason::TimedOut, None),
        ] {
            let report = Report {
                outcome: Outcome::Cancelled(reason),
                lower_bound: 0,
                solutions: Vec::new(),
                best_known: inverse_of_input(&input),
                thresholds: Vec::new(),
                neighbours: None,
                symmetry_count: 1,
                elapsed: Duration::ZERO,
            };
            let by = SolvedBy { engine: "an engine", metric: Metric::Htm, tables: String::new(), is_optimal };
            let answer = Answer::new(("R U F", None, &input), report, &Options::default(), by).unwrap();
            assert_eq!(answer.stopped, stopped);
        }
    }
}

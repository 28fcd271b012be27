//! What to search for, and the limits of the search.

use crate::arguments;
use crate::cube::PositionArg;
use cosette::search::{Event, Options, SolutionCount, TwoPhaseUse};
use cosette::{Cancel, Metric, Solver};
use cosette_app::answer::{Answer, Mismatch, SolvedBy};
use cosette_app::batch::Settings;
use cosette_app::json;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What to search for, and the limits of the search.
#[derive(Clone, Copy)]
pub struct Request {
    solution_count: SolutionCount,
    prefer: Option<Metric>,
    max_length: Option<u8>,
    /// The time limit of each position.
    pub timeout: Option<Duration>,
}

impl Request {
    /// A request for this many solutions, with the limits that the arguments say.
    pub fn new(
        solution_count: SolutionCount,
        max_length: Option<&Bound<'_, PyAny>>,
        timeout: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Request> {
        let length =
            |value| arguments::whole("max_length", value, 0..=255, "give a whole number from 0 to 255, or None");
        let max_length = max_length.map(length).transpose()?.map(|length| length as u8);
        let timeout = timeout.map(|value| arguments::seconds("timeout", value)).transpose()?.flatten();
        Ok(Request { solution_count, prefer: None, max_length, timeout })
    }

    /// The same request for one of all the shortest solutions, one that is shortest in the metric that the argument `prefer`
    /// names, if it names one.
    pub fn preferring(self, prefer: Option<&Bound<'_, PyAny>>) -> PyResult<Request> {
        match prefer.map(|metric| arguments::metric("prefer", metric)).transpose()? {
            None => Ok(self),
            prefer if self.solution_count.most() == 1 => {
                Ok(Request { solution_count: SolutionCount::All, prefer, ..self })
            }
            Some(_) => Err(PyValueError::new_err("prefer= gives one solution; leave count out")),
        }
    }

    /// What a journal stores of it, as `cosette batch` does.
    pub fn settings(&self, metric: Metric) -> Settings {
        let Request { solution_count, prefer, max_length, .. } = *self;
        let solution_count = if prefer.is_some() { SolutionCount::ONE } else { solution_count };
        Settings { metric, solution_count, prefer, max_length, ..Settings::default() }
    }

    /// Searches a position, the one with this index among many. Fails if a solution is wrong.
    pub fn solve(
        &self,
        solver: &Solver,
        two_phase: TwoPhaseUse,
        (position, index): (&PositionArg, Option<usize>),
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Result<json::Solve, Mismatch> {
        let Request { solution_count, prefer, max_length, timeout } = *self;
        let options = Options { solution_count, max_length, known: None, two_phase };
        let cancel = timeout.map_or_else(|| cancel.clone(), |timeout| cancel.child_with_timeout(timeout));
        let report = solver.search(&position.input.cube).options(options).cancel(&cancel).on_event(on_event).run();
        let source = (position.text.as_str(), index.map(|index| index + 1), &position.input);
        let by = SolvedBy::table(solver.table().id());
        let answer = Answer::new(source, report, &options, by)?;
        Ok(json::Solve::from(&answer.finished(prefer, true)))
    }
}

/// At most so many solutions.
pub fn at_most(count: Option<&Bound<'_, PyAny>>) -> PyResult<SolutionCount> {
    let Some(count) = count else { return Ok(SolutionCount::ONE) };
    let count = arguments::whole("count", count, 1..=usize::MAX as u64, "give a whole number, 1 to 2**64 - 1")?;
    Ok(NonZeroUsize::new(count as usize).map_or(SolutionCount::ONE, SolutionCount::AtMost))
}

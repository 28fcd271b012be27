//! What to search for, and the limits of the search.

use crate::cube::PositionArg;
use cosette::search::{Event, Options, SolutionCount, TwoPhaseUse};
use cosette::{Cancel, Metric, Solver};
use cosette_app::answer::{Answer, Mismatch, SolvedBy, Stop};
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
    timeout: Option<Duration>,
}

impl Request {
    /// A request for this many solutions. Fails if the timeout is not a number of seconds.
    pub fn new(solution_count: SolutionCount, max_length: Option<u8>, timeout: Option<f64>) -> PyResult<Request> {
        // A time that is too long for a duration, or infinite, is as good as no limit.
        let timeout = match timeout {
            Some(seconds) if seconds.is_nan() || seconds < 0.0 => {
                return Err(PyValueError::new_err("timeout: give a number of seconds, 0 or more"));
            }
            seconds => seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        };
        Ok(Request { solution_count, prefer: None, max_length, timeout })
    }

    /// A request for at most `count` solutions. Fails if the count is zero, or if the timeout is not a number of
    /// seconds.
    pub fn at_most(count: usize, max_length: Option<u8>, timeout: Option<f64>) -> PyResult<Request> {
        let count = NonZeroUsize::new(count).ok_or_else(|| PyValueError::new_err("count: give at least 1"))?;
        Request::new(SolutionCount::AtMost(count), max_length, timeout)
    }

    /// The same request for one of all the shortest solutions, one that is shortest in this metric too.
    pub fn preferring(self, metric: Metric) -> Request {
        Request { solution_count: SolutionCount::All, prefer: Some(metric), ..self }
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
        let answer = Answer::new(source, report, &options, by, cancel.reason().map(Stop::from))?.explained();
        Ok(json::Solve::from(&match prefer {
            Some(metric) => answer.preferring(metric),
            None => answer,
        }))
    }
}

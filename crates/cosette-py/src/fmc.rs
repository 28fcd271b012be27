//! Fewest moves: skeletons step by step, and insertions. Reviews of solutions.

use crate::arguments::{self, SecondsArgument, WholeNumber};
use crate::background::{self, CancelArgument, ProgressLine};
use crate::cube::PositionArg;
use crate::solver::PySolver;
use cosette::cube::{Cube, ParseOptions};
use cosette::search::SolutionCount;
use cosette::{Cancel, Control, ThreadCount};
use cosette_fmc::insertions::shortest_solutions;
use cosette_fmc::report::{Skeleton, SkeletonJson};
use cosette_fmc::request::{FieldError, FmcRequest, InsertionsRequest};
use cosette_fmc::review::{ReviewEvent, ReviewProgress, ReviewRequest, ReviewUpdate};
use cosette_fmc::step_solvers::StepSolvers;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pythonize::pythonize;
use std::sync::LazyLock;

/// The solvers of all steps that have been requested.
static STEP_SOLVERS: LazyLock<StepSolvers> = LazyLock::new(StepSolvers::default);

/// Searches for skeletons, and returns a dictionary with the fields of the JSON. A signal stops the
/// search.
#[pyfunction]
pub fn fmc<'py>(
    scramble: &Bound<'py, PyAny>,
    steps: String,
    start: String,
    count: Option<WholeNumber>,
    timeout: Option<SecondsArgument>,
    on_skeleton: Option<&Bound<'py, PyAny>>,
    cancel: Option<CancelArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scramble.py();
    let on_skeleton = arguments::callable("on_skeleton", on_skeleton)?;
    let request = FmcRequest {
        position: String::new(),
        steps,
        from: start,
        count: solution_count(count)?,
        timeout: arguments::timeout(timeout)?,
    };
    let request = request.parse().map_err(field_error)?;
    let PositionArg { text, input, .. } =
        PositionArg::read("scramble", scramble, None, ParseOptions::default())?;
    let deliver = |better: Vec<SkeletonJson>| {
        let tell = |on_skeleton: &Bound<'py, PyAny>| {
            better
                .iter()
                .try_for_each(|skeleton| on_skeleton.call1((pythonize(py, skeleton)?,)).map(drop))
        };
        on_skeleton.map_or(Ok(()), tell)
    };
    let requested = background::token(cancel);
    let answer = background::run(py, &requested, deliver, |better, cancel| {
        // The receiver is gone if the search is being stopped.
        let on_better = |skeleton: &Skeleton| drop(better.send(SkeletonJson::from(skeleton)));
        let control = Control::new(ThreadCount::available()).with_cancel(cancel);
        let report = request.search(input.cube, &STEP_SOLVERS, &on_better, &control)?;
        Ok(report.result(&text, None))
    })?;
    Ok(pythonize(py, &answer.map_err(field_error)?)?)
}

/// Returns the best insertions, as a dictionary with the fields of the JSON. A signal stops the
/// search.
#[pyfunction]
pub fn insertions<'py>(
    solver: &PySolver,
    scramble: &Bound<'py, PyAny>,
    start: String,
    count: Option<WholeNumber>,
    cancel: Option<CancelArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scramble.py();
    let solver = &solver.opened()?.solver;
    let count = solution_count(count)?;
    let PositionArg { text, input, .. } =
        PositionArg::read("scramble", scramble, None, ParseOptions::default())?;
    let request = InsertionsRequest {
        position: text,
        from: start,
        count,
    };
    let skeleton = request.parse(&input.cube).map_err(field_error)?;
    let search = |cancel: &Cancel| {
        skeleton.insertions(|position: &Cube| shortest_solutions(solver, position, cancel))
    };
    let requested = background::token(cancel);
    let on_event = |_: Vec<()>| Ok(());
    let insertions = background::run(py, &requested, on_event, |_, cancel| search(cancel))?;
    let insertions = insertions.ok_or_else(|| PyRuntimeError::new_err("the search was stopped"))?;
    Ok(pythonize(py, &request.result(&skeleton, &insertions))?)
}

/// Reviews a solution, and returns a dictionary with the fields of the JSON. A signal stops the
/// search.
#[pyfunction]
pub fn review<'py>(
    solver: &PySolver,
    scramble: &Bound<'py, PyAny>,
    solution: String,
    timeout: Option<SecondsArgument>,
    on_event: Option<&Bound<'py, PyAny>>,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scramble.py();
    let solver = &solver.opened()?.solver;
    let on_event = arguments::callable("on_event", on_event)?;
    let line = ProgressLine::new(py, progress, on_event)?;
    let PositionArg { text, input, .. } =
        PositionArg::read("scramble", scramble, None, ParseOptions::default())?;
    let request = ReviewRequest {
        position: text,
        solution,
        metric: solver.metric(),
        timeout: arguments::timeout(timeout)?,
    };
    let attempt = request.attempt(input.cube).map_err(field_error)?;
    let deliver = |events: Vec<ReviewProgress>| {
        events.into_iter().try_for_each(|progress| {
            let step = ("proving distances", progress.done, progress.total);
            line.as_ref()
                .map_or(Ok(()), |line| line.call(py, "step", step))?;
            let event = pythonize(py, &ReviewUpdate::Progress(progress))?;
            on_event.map_or(Ok(()), |on_event| on_event.call1((event,)).map(drop))
        })
    };
    let requested = background::token(cancel);
    let review = background::run(py, &requested, deliver, |events, cancel| {
        let on_event = |event: ReviewEvent<'_>| {
            if let ReviewEvent::Position(progress) = event {
                // The receiver is gone if the search is being stopped.
                let _ = events.send(progress);
            }
        };
        let cancel = cancel.limited(request.timeout);
        let control = Control::new(solver.threads()).with_cancel(&cancel);
        cosette_fmc::review::review(&attempt, solver, &on_event, &control)
    })?;
    Ok(pythonize(py, &review)?)
}

/// Parses a number of solutions. `None` means all.
fn solution_count(count: Option<WholeNumber>) -> PyResult<SolutionCount> {
    count.map_or(Ok(SolutionCount::All), |count| {
        arguments::count(count, "pass a positive integer, or None for all")
    })
}

/// Returns the exception for an invalid argument.
fn field_error(FieldError { field, message, .. }: FieldError) -> PyErr {
    // `from` is a keyword of Python.
    let name = if field == "from" { "from_" } else { field };
    PyValueError::new_err(format!("{name}: {message}"))
}

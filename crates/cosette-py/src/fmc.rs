//! Fewest moves: skeletons step by step, and insertions.

use crate::arguments::{self, SecondsArgument, WholeNumber};
use crate::background;
use crate::cube::PositionArg;
use crate::request;
use crate::solver::PySolver;
use cosette::cube::{Cube, ParseOptions};
use cosette::search::SolutionCount;
use cosette::{Cancel, Control, ThreadCount};
use cosette_fmc::insert::shortest;
use cosette_fmc::notation::SkeletonJson;
use cosette_fmc::request::{FieldError, InsertionsRequest, PipelineRequest};
use cosette_fmc::skeleton::Skeleton;
use cosette_fmc::steps::StepSolvers;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pythonize::pythonize;
use std::num::NonZeroUsize;
use std::sync::LazyLock;

/// Solvers of the steps that were requested.
static STEPS: LazyLock<StepSolvers> = LazyLock::new(StepSolvers::default);

/// Searches for skeletons, and returns a dictionary with the fields of the JSON. A signal stops the
/// search.
#[pyfunction]
pub fn fmc<'py>(
    scramble: &Bound<'py, PyAny>,
    steps: String,
    done: String,
    count: Option<WholeNumber>,
    timeout: Option<SecondsArgument>,
    on_skeleton: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scramble.py();
    let on_skeleton = arguments::callable("on_skeleton", on_skeleton)?;
    let timeout = request::all(None, timeout)?.timeout;
    let asked = PipelineRequest {
        steps,
        from: done,
        count: at_most(count)?,
        timeout,
    }
    .parse()
    .map_err(refused)?;
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
    let answer = background::run(py, deliver, |better, cancel| {
        // The receiver is gone if the search is being stopped.
        let on_better = |skeleton: &Skeleton| drop(better.send(SkeletonJson::from(skeleton)));
        let control = Control::new(ThreadCount::available()).with_cancel(cancel);
        let searched = asked.search(input.cube, &STEPS, &on_better, &control)?;
        Ok(searched.answer((&text, None)))
    })?;
    Ok(pythonize(py, &answer.map_err(refused)?)?)
}

/// Returns the best insertions, as a dictionary with the fields of the JSON. A signal stops the
/// search.
#[pyfunction]
pub fn insertions<'py>(
    solver: &PySolver,
    scramble: &Bound<'py, PyAny>,
    done: String,
    count: Option<WholeNumber>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = scramble.py();
    let solver = solver.engine();
    let asked = InsertionsRequest {
        from: done,
        count: at_most(count)?,
    };
    let PositionArg { text, input, .. } =
        PositionArg::read("scramble", scramble, None, ParseOptions::default())?;
    let skeleton = asked.parse(&input.cube).map_err(refused)?;
    let search =
        |cancel: &Cancel| skeleton.insertions(|position: &Cube| shortest(solver, position, cancel));
    let found = background::run(py, |_: Vec<()>| Ok(()), |_, cancel| search(cancel))?;
    let found = found.ok_or_else(|| PyRuntimeError::new_err("the search was stopped"))?;
    Ok(pythonize(
        py,
        &asked.answer((&text, None), &skeleton, &found),
    )?)
}

/// Returns the number of solutions, or all.
fn at_most(count: Option<WholeNumber>) -> PyResult<SolutionCount> {
    let Some(count) = count else {
        return Ok(SolutionCount::All);
    };
    let count = count.within(
        "count",
        1..=usize::MAX as u64,
        "pass a positive integer, or None for all",
    )?;
    Ok(SolutionCount::AtMost(
        NonZeroUsize::new(count as usize).expect("it is 1 or more"),
    ))
}

/// Returns the exception for an invalid argument.
fn refused(FieldError { field, message }: FieldError) -> PyErr {
    let name = if field == "from" { "done" } else { field };
    PyValueError::new_err(format!("{name}: {message}"))
}

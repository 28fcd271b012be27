//! Data sets in files.

use crate::arguments::{self, WholeNumber};
use crate::background::{self, CancelArgument, ProgressLine};
use crate::cube::PyCube;
use crate::errors;
use crate::solver::PySolver;
use cosette::Control;
use cosette::coset::CosetError;
use cosette::cube::SymmetryClass;
use cosette_app::dataset::{
    Dataset, DatasetError, MAX_WALK_LENGTH, PositionSource, Shard, default_distance,
};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes a data set, and returns the number of its rows. A signal stops it; finished rows are
/// stored. `open_solver` returns the solver; it is called only if there are rows to generate.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the Python function"
)]
pub fn write_dataset(
    py: Python<'_>,
    metric: &Bound<'_, PyAny>,
    open_solver: &Bound<'_, PyAny>,
    path: PathBuf,
    n: Option<WholeNumber>,
    seed: WholeNumber,
    walk_length: Option<&Bound<'_, PyAny>>,
    distance: Option<WholeNumber>,
    all_at_distance: Option<WholeNumber>,
    positions: Option<Vec<PyRef<'_, PyCube>>>,
    symmetry: Option<String>,
    coset: Option<PyRef<'_, PyCube>>,
    max_distance: Option<WholeNumber>,
    shard: (WholeNumber, WholeNumber),
    layout: &Bound<'_, PyAny>,
    optimal_moves: bool,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<usize> {
    let path = arguments::path("path", path)?;
    let metric = arguments::metric("metric", metric)?.unwrap_or_default();
    let mut sources = Vec::new();
    if let Some(lengths) = walk_length {
        let lengths = arguments::walk_lengths(lengths, MAX_WALK_LENGTH)?;
        sources.push(PositionSource::Walks(lengths));
    }
    if let Some(distance) = distance {
        sources.push(PositionSource::Distance(distance_argument(
            "distance", distance,
        )?));
    }
    if let Some(distance) = all_at_distance {
        let all = PositionSource::all_at_distance(
            distance_argument("all_at_distance", distance)?,
            metric,
        );
        sources.push(all.map_err(|error| dataset_error(py, error))?);
    }
    if let Some(cubes) = positions {
        let cubes = cubes.iter().map(|cube| cube.position()).collect();
        sources.push(PositionSource::Listed(Arc::new(cubes)));
    }
    if let Some(name) = symmetry {
        let class = name.parse::<SymmetryClass>();
        sources.push(PositionSource::Symmetric(class.map_err(|unknown| {
            PyValueError::new_err(format!("symmetry={name:?}: {unknown}"))
        })?));
    }
    let within = max_distance.map(|distance| distance_argument("max_distance", distance));
    let within = within.transpose()?.unwrap_or(default_distance(metric));
    if let Some(cube) = coset {
        let of = cube.position();
        sources.push(PositionSource::Coset { of, within });
    }
    if sources.len() > 1 {
        return Err(PyValueError::new_err(
            "pass only one of walk_length=, distance=, all_at_distance=, positions=, symmetry= and \
             coset=",
        ));
    }
    let source = sources.pop().unwrap_or(PositionSource::Random);
    let set = Dataset {
        rows: row_count(n, &source)?,
        positions: source,
        seed: seed.within("seed", 0..=u64::MAX, "pass an integer from 0 to 2**64 - 1")?,
        shard: shard_argument(shard)?,
        metric,
        layout: crate::arrays::layout(layout)?,
        optimal_moves,
    };
    let set = set.validated().map_err(|error| dataset_error(py, error))?;
    write(open_solver, (&set, &path), progress, cancel)
}

/// Parses a distance, or a maximum distance. No position is more than 26 moves from solved, in
/// either metric.
fn distance_argument(name: &str, value: WholeNumber) -> PyResult<u8> {
    let allowed = "pass a number of moves from 0 to 26, or None";
    Ok(value.within(name, 0..=26, allowed)? as u8)
}

/// Parses the number of a shard and the number of shards.
fn shard_argument((number, count): (WholeNumber, WholeNumber)) -> PyResult<Shard> {
    let allowed = "pass the number of the shard, counted from 1, and the total";
    let number = number.within("shard", 0..=u64::MAX, allowed)?;
    let count = count.within("shard", 0..=u64::MAX, allowed)?;
    let invalid = |_| PyValueError::new_err(format!("shard=({number}, {count}): {allowed}"));
    Shard::new(number, count).map_err(invalid)
}

/// Returns the number of rows: `n`, or all (`u64::MAX`) if `n` is not given and the source ends by
/// itself.
fn row_count(n: Option<WholeNumber>, source: &PositionSource) -> PyResult<u64> {
    match (n, source) {
        (None, PositionSource::AllAtDistance(..) | PositionSource::Listed(_)) => Ok(u64::MAX),
        (None, _) => Err(PyValueError::new_err("n=None: pass the number of rows")),
        (Some(n), _) => n.within("n", 0..=1_000_000_000, "pass an integer from 0 to 10**9"),
    }
}

/// Writes the file of a data set unless it is complete. Returns the number of rows.
fn write(
    open_solver: &Bound<'_, PyAny>,
    (set, path): (&Dataset, &Path),
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<usize> {
    let py = open_solver.py();
    let total = set.range().count();
    if set.is_at(path).map_err(|error| dataset_error(py, error))? {
        return Ok(total);
    }
    let solver = open_solver.call0()?.cast::<PySolver>()?.get().opened()?;
    let solver = &solver.solver;
    let line = ProgressLine::new(py, progress, None)?;
    // Shows the latest of the counts of finished rows since the last call.
    let deliver = |counts: Vec<u64>| match (&line, counts.last()) {
        (Some(line), Some(finished)) => line.call(py, "answered", (finished, total)),
        _ => Ok(()),
    };
    let requested = background::token(cancel);
    let written = background::run(py, &requested, deliver, |tell, cancel| {
        if let &PositionSource::Coset { of, within } = &set.positions {
            let control = Control::new(solver.threads()).with_cancel(cancel);
            return match set.make_coset_file((&of, within), path, &control) {
                Err(DatasetError::Coset(CosetError::Cancelled)) => Ok(None),
                written => written.map(Some),
            };
        }
        set.make_file((solver, path), cancel, &mut |progress| {
            // Fails if the work is being stopped: the receiver is gone then.
            let _ = tell.send(progress.done);
        })
    })?;
    written
        .map_err(|error| dataset_error(py, error))?
        .ok_or_else(|| PyRuntimeError::new_err("the generation was stopped"))
}

/// Returns the exception for an error of a data set.
fn dataset_error(py: Python<'_>, error: DatasetError) -> PyErr {
    match error {
        DatasetError::Refused(reason) => PyValueError::new_err(reason),
        DatasetError::Journal(error) => errors::journal(py, &error, error.help()),
        DatasetError::Write { error, .. } if error.raw_os_error().is_some() => error.into(),
        DatasetError::Write { .. } => PyOSError::new_err(error.to_string()),
        DatasetError::Coset(CosetError::TooLittleMemory { .. }) => {
            PyMemoryError::new_err(error.to_string())
        }
        DatasetError::Coset(_) | DatasetError::Threads(_) => {
            PyRuntimeError::new_err(error.to_string())
        }
        DatasetError::Wrong(_) => errors::internal(py, error),
    }
}

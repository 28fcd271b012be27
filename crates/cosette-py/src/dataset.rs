//! Data sets in files.

use crate::arguments::{self, WholeNumber};
use crate::background::{self, ProgressLine};
use crate::cube::PyCube;
use crate::errors;
use crate::solver::PySolver;
use cosette::coset::CosetError;
use cosette::cube::SymmetryClass;
use cosette::{Control, Solver};
use cosette_app::dataset::{
    Dataset, DatasetError, MAX_WALK_LENGTH, PositionSource, Shard, default_distance,
};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes a data set, and returns the number of its rows. A signal stops it; finished rows are
/// stored.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the Python function"
)]
pub fn write_dataset(
    py: Python<'_>,
    solver: &PySolver,
    path: PathBuf,
    n: Option<WholeNumber>,
    seed: WholeNumber,
    walks: Option<Vec<WholeNumber>>,
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
) -> PyResult<usize> {
    let solver = solver.engine();
    let path = arguments::path("path", path)?;
    let metric = solver.metric();
    let moves = |name: &str, value: WholeNumber| {
        value.within(name, 0..=26, "pass a number of moves from 0 to 26, or None")
    };
    let of_walks = walks.map(|walks| walks.into_iter().map(length_of_walk).collect());
    let all_at = |distance| {
        Ok::<_, PyErr>(PositionSource::all_at_distance(
            moves("all_at_distance", distance)? as u8,
            metric,
        ))
    };
    let of_all = all_at_distance.map(all_at);
    let class = symmetry.map(|name| {
        let unknown = |unknown| PyValueError::new_err(format!("symmetry={name:?}: {unknown}"));
        name.parse::<SymmetryClass>().map_err(unknown)
    });
    let max_distance = max_distance
        .map(|distance| moves("max_distance", distance))
        .transpose()?;
    let of_coset = |cube: PyRef<'_, PyCube>| PositionSource::Coset {
        of: cube.position(),
        within: max_distance.map_or(default_distance(metric), |distance| distance as u8),
    };
    let kinds = [
        of_walks.transpose()?.map(PositionSource::Walks),
        distance
            .map(|distance| moves("distance", distance))
            .transpose()?
            .map(|distance| PositionSource::Distance(distance as u8)),
        of_all
            .transpose()?
            .transpose()
            .map_err(|error| failed(py, error))?,
        positions.map(|cubes| {
            PositionSource::Listed(Arc::new(cubes.iter().map(|cube| cube.position()).collect()))
        }),
        class.transpose()?.map(PositionSource::Symmetric),
        coset.map(of_coset),
    ];
    let mut kinds: Vec<PositionSource> = kinds.into_iter().flatten().collect();
    if kinds.len() > 1 {
        return Err(PyValueError::new_err(
            "pass only one of walks=, distance=, all_at_distance=, positions=, symmetry= and \
             coset=",
        ));
    }
    let rows = row_count(n, kinds.first())?;
    let part = "pass the number of the shard, counted from 1, and the total";
    let number = shard.0.within("shard", 0..=u64::MAX, part)?;
    let count = shard.1.within("shard", 0..=u64::MAX, part)?;
    let set = Dataset {
        positions: kinds.pop().unwrap_or(PositionSource::Random),
        rows,
        seed: seed.within("seed", 0..=u64::MAX, "pass an integer from 0 to 2**64 - 1")?,
        shard: Shard::new(number, count)
            .map_err(|_| PyValueError::new_err(format!("shard=({number}, {count}): {part}")))?,
        metric,
        layout: crate::arrays::layout(layout)?,
        optimal_moves,
    };
    let set = set.validated().map_err(|error| failed(py, error))?;
    write(py, solver, &set, &path, progress)
}

/// Returns the number of rows; a source that ends needs none.
fn row_count(n: Option<WholeNumber>, source: Option<&PositionSource>) -> PyResult<u64> {
    match (n, source) {
        (None, Some(PositionSource::AllAtDistance(..) | PositionSource::Listed(_))) => Ok(u64::MAX),
        (None, _) => Err(PyValueError::new_err("n=None: pass the number of rows")),
        (Some(n), _) => Ok(n.within("n", 0..=1_000_000_000, "pass an integer from 0 to 10**9")?),
    }
}

/// Writes the file of a data set unless it is complete. Returns the number of rows.
fn write(
    py: Python<'_>,
    solver: &Solver,
    set: &Dataset,
    path: &Path,
    progress: Option<bool>,
) -> PyResult<usize> {
    let total = set.range().count();
    if set.is_at(path).map_err(|error| failed(py, error))? {
        return Ok(total);
    }
    let line = ProgressLine::new(py, progress, None)?;
    let deliver = |done: Vec<u64>| match (&line, done.last()) {
        (Some(line), Some(done)) => line.call(py, "answered", (done, total)),
        _ => Ok(()),
    };
    let made = background::run(py, deliver, |tell, cancel| {
        if let &PositionSource::Coset { of, within } = &set.positions {
            let control = Control::new(solver.threads()).with_cancel(cancel);
            return match set.make_coset_file((&of, within), path, &control) {
                Err(DatasetError::Coset(CosetError::Cancelled)) => Ok(None),
                made => made.map(Some),
            };
        }
        // The receiver is gone if the work is being stopped.
        set.make_file((solver, path), cancel, &mut |progress| {
            let _ = tell.send(progress.done);
        })
    })?;
    made.map_err(|error| failed(py, error))?
        .ok_or_else(|| PyRuntimeError::new_err("the generation was stopped"))
}

fn length_of_walk(length: WholeNumber) -> PyResult<usize> {
    let allowed = format!("pass integers from 0 to {MAX_WALK_LENGTH}");
    Ok(length.within("walks", 0..=MAX_WALK_LENGTH as u64, &allowed)? as usize)
}

/// Returns the exception for an error.
fn failed(py: Python<'_>, error: DatasetError) -> PyErr {
    match error {
        DatasetError::Refused(why) => PyValueError::new_err(why),
        DatasetError::Journal(refused) => errors::journal(py, &refused, refused.help()),
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

//! The files of the tables, and estimates of their generation.

use crate::arguments::{self, WholeNumber};
use crate::background::{self, CancelArgument, ProgressLine};
use crate::errors;
use crate::solver::{parse_table, step_progress};
use cosette::cube::Metric;
use cosette::table::choice::{self, MemoryLimit};
use cosette::table::{TableFileState, TableFolder, TableId, TableSize};
use cosette::{Control, OpenError, Progress, Remedy, ThreadCount};
use cosette_app::estimate;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ffi::CString;
use std::path::PathBuf;
use std::time::Duration;

/// Minimum estimated time of a generation that is announced.
const MIN_ANNOUNCED_TIME: Duration = Duration::from_secs(5);

/// Returns the folder of the argument `tables`, or the default one.
pub fn folder(py: Python<'_>, tables: Option<PathBuf>) -> PyResult<TableFolder> {
    let named = tables.map(|tables| arguments::path("tables", tables));
    let folder = named.transpose()?.map(TableFolder::new);
    folder
        .or_else(TableFolder::user_default)
        .ok_or_else(|| errors::open_error(py, &OpenError::NoFolder))
}

/// Raises a warning in the code that called from Python.
pub fn warn(py: Python<'_>, category: &Bound<'_, PyAny>, text: &str) -> PyResult<()> {
    let text = CString::new(text.replace('\0', "?")).expect("zeros are replaced");
    PyErr::warn(py, category, &text, 1)
}

/// Warns that a solver generates its table first, if that takes more than [`MIN_ANNOUNCED_TIME`].
pub fn announce_generation(
    py: Python<'_>,
    folder: &TableFolder,
    (metric, named): (Metric, Option<TableId>),
    (memory, threads): (Option<u64>, ThreadCount),
) -> PyResult<()> {
    // An error is that of opening the table, which follows.
    let Ok(choice) = choice::choose(folder, metric, named, MemoryLimit::now(memory)) else {
        return Ok(());
    };
    let time = estimate::to_generate(choice.id, threads);
    if choice.is_on_disk || time < MIN_ANNOUNCED_TIME {
        return Ok(());
    }
    let text = format!(
        "generating {} takes about {:.0} s; it is saved in {}",
        choice.id,
        time.as_secs_f64(),
        folder.path().display()
    );
    warn(py, &py.get_type::<PyUserWarning>(), &text)
}

/// Returns the estimated seconds to generate the default table; 0 if it or a larger one is in the
/// default folder.
#[pyfunction]
pub fn generation_seconds(py: Python<'_>, metric: &Bound<'_, PyAny>) -> PyResult<f64> {
    let metric = arguments::parsed("metric", metric, arguments::METRICS)?;
    let folder = folder(py, None)?;
    let id = |size| TableId { metric, size };
    let is_on_disk = TableSize::ALL
        .into_iter()
        .any(|size| size >= choice::DEFAULT_TABLE && folder.path_of(id(size)).exists());
    if is_on_disk {
        return Ok(0.0);
    }
    let time = estimate::to_generate(id(choice::DEFAULT_TABLE), ThreadCount::available());
    Ok(time.as_secs_f64())
}

/// A table: its name, path, bytes, state, the generated per cent of a partial file, and the error
/// of a file that cannot be used.
type TableFileFields = (
    String,
    PathBuf,
    u64,
    &'static str,
    Option<u64>,
    Option<String>,
);

/// Returns the tables of a folder, on disk or not.
#[pyfunction]
pub fn table_files(py: Python<'_>, tables: Option<PathBuf>) -> PyResult<Vec<TableFileFields>> {
    let folder = folder(py, tables)?;
    let row = |(id, state): (TableId, TableFileState)| {
        let (state, percent, error) = match state {
            TableFileState::Missing => ("missing", None, None),
            TableFileState::Partial(progress) => ("partial", Some(progress.percent()), None),
            TableFileState::Complete => ("complete", None, None),
            TableFileState::Corrupted(error) => ("corrupted", None, Some(error.to_string())),
        };
        let path = folder.path_of(id);
        let bytes = id.size.bytes();
        (id.to_string(), path, bytes, state, percent, error)
    };
    Ok(py.detach(|| folder.list().into_iter().map(row).collect()))
}

/// Generates a table unless its file is complete. A file that is not the table is left as it is.
#[pyfunction]
pub fn generate_table(
    py: Python<'_>,
    table: &Bound<'_, PyString>,
    threads: Option<WholeNumber>,
    tables: Option<PathBuf>,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<()> {
    let id = parse_id(table)?;
    let folder = folder(py, tables)?;
    let threads = arguments::threads(threads)?;
    let line = ProgressLine::new(py, progress, None)?;
    let deliver = |steps: Vec<(String, Progress)>| step_progress(py, &steps, None, line.as_ref());
    let requested = background::token(cancel);
    let generated = background::run(py, &requested, deliver, |steps, cancel| {
        let on_progress = |step: &str, progress| drop(steps.send((step.to_owned(), progress)));
        let control = Control::new(threads)
            .with_cancel(cancel)
            .on_progress(on_progress);
        match folder.state(id) {
            TableFileState::Complete => Ok(()),
            TableFileState::Corrupted(fault)
                if matches!(fault.remedy(), Some(Remedy::MoveAwayAndGenerate(_))) =>
            {
                Err(fault)
            }
            TableFileState::Corrupted(_) => folder.generate(id, &control),
            TableFileState::Missing | TableFileState::Partial(_) => {
                folder.generate_if_missing(id, &control)
            }
        }
    })?;
    generated.map_err(|error| errors::open_error(py, &error.into()))
}

/// Removes the file of a table, and the remains of an interrupted generation.
#[pyfunction]
pub fn remove_table(
    py: Python<'_>,
    table: &Bound<'_, PyString>,
    tables: Option<PathBuf>,
) -> PyResult<()> {
    let id = parse_id(table)?;
    let folder = folder(py, tables)?;
    py.detach(|| folder.remove(id))
        .map_err(|error| errors::open_error(py, &error.into()))
}

/// Parses the name of a table, such as `1.5G` or `qtm-1.5G`.
fn parse_id(table: &Bound<'_, PyString>) -> PyResult<TableId> {
    let (_, id) = parse_table(Some(table), None)?;
    let allowed = "pass the name of a table, such as '1.5G'";
    id.ok_or_else(|| arguments::wrong_value("table", table, allowed))
}

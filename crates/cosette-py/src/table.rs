//! Which table a solver uses, and how it is generated and loaded.

use crate::background;
use crate::errors;
use cosette::cube::{Metric, UnknownMetric};
use cosette::table::choice::{self, MemoryLimit, OpenedTable};
use cosette::table::{Table, TableFolder, TableId};
use cosette::{Control, OpenError, Progress, ThreadCount};
use cosette_app::words::{self, TableName};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::ffi::CString;
use std::path::PathBuf;

/// What a solver asks of its table.
pub struct TableRequest {
    /// The table; `None` to choose the best.
    pub named: Option<TableId>,
    /// The metric.
    pub metric: Metric,
    /// The number of threads that generate and load it.
    pub threads: ThreadCount,
    /// Where tables are kept.
    pub folder: TableFolder,
    /// The most memory that the table may take, in bytes.
    pub memory: Option<u64>,
}

impl TableRequest {
    /// Chooses the table, generates it if it is not on disk, and loads it. `on_progress` is called with the step and its
    /// progress.
    pub fn open(&self, py: Python<'_>, on_progress: Option<&Bound<'_, PyAny>>) -> PyResult<Table> {
        let choice = choice::choose(&self.folder, self.metric, self.named, MemoryLimit::now(self.memory))
            .map_err(|error| errors::no_table(py, &error))?;
        let deliver = |steps: Vec<(String, Progress)>| match (on_progress, steps.last()) {
            (Some(on_progress), Some((what, Progress { done, total }))) => {
                on_progress.call1((what, done, total)).map(drop)
            }
            _ => Ok(()),
        };
        let opened = background::run(py, deliver, |steps, cancel| {
            let on_progress = |step: &str, progress| drop(steps.send((step.to_owned(), progress)));
            self.folder.open(choice, &Control::new(self.threads).with_cancel(cancel).on_progress(&on_progress))
        })?;
        let OpenedTable { table, unsaved } = opened.map_err(|error| errors::no_table(py, &error.into()))?;
        if let Some(error) = unsaved {
            let help = error.remedy().map(|remedy| format!("; {}", errors::in_python(&remedy))).unwrap_or_default();
            let id = choice.id;
            let warning = format!("{id} could not be saved and will be generated again next time: {error}{help}");
            let warning = CString::new(warning.replace('\0', "?")).expect("there is no zero left");
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &warning, 1)?;
        }
        Ok(table)
    }
}

/// The folder given as an argument, named by the environment, or else the default folder of the command.
pub fn folder(py: Python<'_>, argument: Option<PathBuf>) -> PyResult<TableFolder> {
    argument
        .or_else(choice::default_folder)
        .map(TableFolder::new)
        .ok_or_else(|| errors::no_table(py, &OpenError::NoFolder))
}

/// The metric and the table that the arguments `table` and `metric` name together.
pub fn table_named(py: Python<'_>, table: &str, metric: Option<&str>) -> PyResult<(Metric, Option<TableId>)> {
    let requested = metric.map(metric_named).transpose()?;
    if table == "auto" {
        return Ok((requested.unwrap_or_default(), None));
    }
    let name: TableName = table.parse().map_err(|error| errors::unknown_table(py, &error))?;
    match (requested, name.metric) {
        (Some(requested), Some(of_table)) if requested != of_table => {
            let message = format!("the table {table} is for {of_table}, but metric= is {requested}; leave one out");
            Err(PyValueError::new_err(message))
        }
        (requested, of_table) => {
            let metric = requested.or(of_table).unwrap_or_default();
            Ok((metric, Some(TableId { metric, size: name.size })))
        }
    }
}

/// The metric with this name.
pub fn metric_named(name: &str) -> PyResult<Metric> {
    name.parse().map_err(|error: UnknownMetric| PyValueError::new_err(error.to_string()))
}

/// A number of threads that this machine can use; by default as many as it runs at once.
pub fn threads(argument: Option<usize>) -> PyResult<ThreadCount> {
    let count = argument.map_or(Ok(ThreadCount::available()), ThreadCount::new);
    count.map_err(|error| PyValueError::new_err(format!("threads: {error}")))
}

/// An amount of memory: a number of bytes, or a text as in `2G`.
pub fn memory(argument: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(text) = argument.extract::<String>() {
        return words::bytes(&text).map_err(PyValueError::new_err);
    }
    argument.extract().map_err(|_| PyTypeError::new_err("memory: give a number of bytes, or a text as in '2G'"))
}

//! Which table a solver uses, and how it is generated and loaded.

use crate::arguments::{self, Given};
use crate::background;
use crate::errors;
use crate::progress::ProgressLine;
use cosette::cube::Metric;
use cosette::table::choice::{self, MemoryLimit, OpenedTable};
use cosette::table::{Table, TableFolder, TableId};
use cosette::{Control, OpenError, Progress, ThreadCount};
use cosette_app::words::{self, TableName};
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
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
    pub fn open(
        &self,
        py: Python<'_>,
        on_progress: Option<&Bound<'_, PyAny>>,
        line: Option<&ProgressLine>,
    ) -> PyResult<Table> {
        let choice = choice::choose(&self.folder, self.metric, self.named, MemoryLimit::now(self.memory))
            .map_err(|error| errors::no_table(py, &error))?;
        let deliver = |steps: Vec<(String, Progress)>| {
            let Some((what, Progress { done, total })) = steps.last() else { return Ok(()) };
            line.map_or(Ok(()), |line| line.call(py, "step", (what, done, total)))?;
            on_progress.map_or(Ok(()), |on_progress| on_progress.call1((what, done, total)).map(drop))
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
pub fn table_named(table: &Given<'_>, metric: Option<&Bound<'_, PyAny>>) -> PyResult<(Metric, Option<TableId>)> {
    let requested = metric.map(|metric| arguments::metric("metric", metric)).transpose()?;
    let Some(table) = &table.0 else { return Ok((requested.unwrap_or_default(), None)) };
    let text = arguments::text("table", table, "give the name of a table, as in '1.5G', or 'auto'")?;
    if text == "auto" {
        return Ok((requested.unwrap_or_default(), None));
    }
    let name: TableName = text.parse().map_err(|error| errors::unknown_table(table, &error))?;
    match (requested, name.metric) {
        (Some(requested), Some(of_table)) if requested != of_table => {
            let message = format!("the table {text} is for {of_table}, but metric= is {requested}; leave one out");
            Err(PyValueError::new_err(message))
        }
        (requested, of_table) => {
            let metric = requested.or(of_table).unwrap_or_default();
            Ok((metric, Some(TableId { metric, size: name.size })))
        }
    }
}

/// A number of threads that this machine can use; by default as many as it runs at once.
pub fn threads(argument: Option<&Bound<'_, PyAny>>) -> PyResult<ThreadCount> {
    let Some(argument) = argument else { return Ok(ThreadCount::available()) };
    let limit = ThreadCount::limit();
    let allowed = format!("give a whole number from 1 to {limit}, or None");
    let count = arguments::whole("threads", argument, 1..=limit.get() as u64, &allowed)?;
    Ok(limit.at_most(count as usize))
}

/// An amount of memory: a number of bytes, or a text as in `2G`.
pub fn memory(argument: &Bound<'_, PyAny>) -> PyResult<u64> {
    let allowed = "give a number of bytes, as in 2_000_000_000, or a text, as in '2G'";
    if argument.is_instance_of::<PyString>() {
        let text = arguments::text("memory", argument, allowed)?;
        return words::bytes(&text).map_err(|_| arguments::wrong_value("memory", argument, allowed));
    }
    arguments::whole("memory", argument, 1..=u64::MAX, allowed)
}

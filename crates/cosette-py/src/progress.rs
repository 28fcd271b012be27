//! Progress on standard error, which `python/cosette/_progress.py` writes.

use crate::arguments;
use pyo3::prelude::*;

/// The line that shows the progress of one piece of work; cleared when this is dropped.
pub struct ProgressLine(Py<PyAny>);

impl ProgressLine {
    /// The line, if progress is shown: as the argument `progress` says, or else on a terminal and in a notebook, unless
    /// there is a callback.
    pub fn new(
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<ProgressLine>> {
        let requested = match progress {
            Some(value) if !value.is_none() => Some(
                arguments::flag("progress", value)
                    .map_err(|_| arguments::wrong_type("progress", value, "give True, False or None"))?,
            ),
            _ => None,
        };
        let module = py.import("cosette._progress")?;
        let is_shown = match requested {
            Some(is_shown) => is_shown,
            None => callback.is_none() && module.call_method0("is_watched")?.extract()?,
        };
        is_shown.then(|| Ok(ProgressLine(module.call_method1("Line", (requested.is_some(),))?.unbind()))).transpose()
    }

    /// Calls a method of the line.
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: impl pyo3::call::PyCallArgs<'py>,
    ) -> PyResult<()> {
        self.0.bind(py).call_method1(method, arguments).map(drop)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        // At the end of the process there may be no interpreter any more; the line cannot be cleared then.
        let _ = Python::try_attach(|py| {
            // An iterator is dropped while an exception is raised if that leaves the expression it was made in; a call that
            // begins with an exception loses it.
            let raised = PyErr::take(py);
            drop(self.0.call_method0(py, "close"));
            if let Some(raised) = raised {
                raised.restore(py);
            }
        });
    }
}

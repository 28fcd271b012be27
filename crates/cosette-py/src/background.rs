//! Work in a background thread that Ctrl-C stops, and the progress line.
//!
//! While the work runs, the thread that called from Python delivers events and checks for signals.
//! It holds the GIL only to do so, and no other thread here holds it. The thread checks for signals
//! twenty times a second, so Ctrl-C, or an exception from any other signal handler, stops the work
//! within a tenth of a second.

use crate::arguments;
use crate::errors;
use cosette::Cancel;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Time between two checks for signals.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// A token that stops the calls to which it is passed as ``cancel``.
///
/// ``cancel()`` may be called from any thread, from a callback and from a signal handler. The calls
/// raise ``CancelledError`` within milliseconds, while a table is generated within a second. A
/// token that is cancelled stays cancelled.
///
/// Used in a ``with`` statement, a token is cancelled at the end of its block. A search in a thread
/// then ends with the block, and in ``asyncio`` with the task that awaits it: on ``task.cancel()``,
/// on the timeout of ``asyncio.wait_for``, and on Ctrl-C.
///
///     >>> import asyncio, cosette
///     >>> async def solve(position):
///     ...     with cosette.Cancel() as cancel:
///     ...         return await asyncio.to_thread(cosette.solve, position, cancel=cancel)
///     >>> asyncio.run(solve("R U2 F'")).solution
///     "F U2 R'"
///     >>> cancel = cosette.Cancel()
///     >>> cancel.cancel()
///     >>> try:
///     ...     cosette.solve("R U2 F'", cancel=cancel)
///     ... except cosette.CancelledError as error:
///     ...     print(error)
///     the call was cancelled
#[pyclass(name = "Cancel", module = "cosette", frozen)]
#[derive(Default)]
pub struct PyCancel(Cancel);

#[pymethods]
impl PyCancel {
    #[new]
    fn new() -> PyCancel {
        PyCancel::default()
    }

    /// Stops the calls that have this token.
    fn cancel(&self) {
        self.0.cancel();
    }

    /// True once ``cancel`` was called.
    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.0.cancel();
    }

    fn __repr__(&self) -> &'static str {
        match self.is_cancelled() {
            true => "<cosette.Cancel, cancelled>",
            false => "<cosette.Cancel>",
        }
    }
}

/// The argument `cancel`: the token of a [`PyCancel`].
pub struct CancelArgument(Cancel);

impl FromPyObject<'_, '_> for CancelArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<CancelArgument> {
        let allowed = "pass a cosette.Cancel, or None";
        match value.cast::<PyCancel>() {
            Ok(cancel) => Ok(CancelArgument(cancel.get().0.clone())),
            Err(_) => Err(arguments::wrong_type("cancel", &value, allowed)),
        }
    }
}

/// Returns the token of the argument `cancel`, or one that nothing cancels.
pub fn token(cancel: Option<CancelArgument>) -> Cancel {
    cancel.map_or_else(Cancel::new, |CancelArgument(token)| token)
}

/// Runs `work` in another thread, and passes the events that it sends to `on_event` in the calling
/// thread.
///
/// # Errors
///
/// Returns the exception if a signal handler or `on_event` raises one, and `CancelledError` if
/// `requested` is cancelled. The work is cancelled first, and has ended on return.
pub fn run<E: Send, T: Send>(
    py: Python<'_>,
    requested: &Cancel,
    mut on_event: impl FnMut(Vec<E>) -> PyResult<()>,
    work: impl FnOnce(&Sender<E>, &Cancel) -> T + Send,
) -> PyResult<T> {
    let cancel = requested.child();
    thread::scope(|scope| {
        let (sender, mut events) = mpsc::channel();
        let work_cancel = &cancel;
        // The sender is dropped when the work is done, which ends the loop of `deliver`.
        let worker =
            thread::Builder::new().spawn_scoped(scope, move || work(&sender, work_cancel))?;
        let delivered = deliver(py, &mut events, &mut on_event);
        if delivered.is_err() {
            cancel.cancel();
        }
        let result = py
            .detach(|| worker.join())
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        delivered?;
        match requested.is_cancelled() {
            true => Err(errors::cancelled(py)),
            false => Ok(result),
        }
    })
}

/// Delivers events, and checks for signals, until the sender is dropped.
fn deliver<E: Send>(
    py: Python<'_>,
    events: &mut Receiver<E>,
    on_event: &mut impl FnMut(Vec<E>) -> PyResult<()>,
) -> PyResult<()> {
    loop {
        // `detach` requires a `Send` closure: a shared reference to a receiver is not `Send`.
        let receiver = &mut *events;
        match py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(first) => on_event([first].into_iter().chain(events.try_iter()).collect())?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        py.check_signals()?;
    }
}

/// The progress line of one call, written by `python/cosette/_progress.py`. Dropping it clears the
/// line.
pub struct ProgressLine(Py<PyAny>);

impl ProgressLine {
    /// Creates the line if progress is shown: according to the argument `progress`, or by default
    /// on a terminal and in a notebook, unless there is a callback.
    pub fn new(
        py: Python<'_>,
        progress: Option<bool>,
        callback: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<ProgressLine>> {
        let module = py.import("cosette._progress")?;
        let is_shown = match progress {
            Some(is_shown) => is_shown,
            None => callback.is_none() && module.call_method0("is_watched")?.extract()?,
        };
        is_shown
            .then(|| {
                Ok(ProgressLine(
                    module.call_method1("Line", (progress.is_some(),))?.unbind(),
                ))
            })
            .transpose()
    }

    /// Calls a method of the line.
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        arguments: impl PyCallArgs<'py>,
    ) -> PyResult<()> {
        self.0.bind(py).call_method1(method, arguments).map(drop)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        // At the end of the process, there may be no interpreter any more; the line then stays.
        let _ = Python::try_attach(|py| {
            // An iterator may be dropped while an exception propagates from the expression that
            // created it; a Python call at that point would lose the exception.
            let raised = PyErr::take(py);
            drop(self.0.call_method0(py, "close"));
            if let Some(raised) = raised {
                raised.restore(py);
            }
        });
    }
}

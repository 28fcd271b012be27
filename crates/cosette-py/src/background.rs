//! Work in a background thread that Ctrl-C stops, and the progress line.
//!
//! While the work runs, the thread that called from Python delivers events and checks for signals.
//! It holds the GIL only to do so, and no other thread here holds it. The thread checks for signals
//! twenty times a second, so Ctrl-C, or an exception from any other signal handler, stops the work
//! within a tenth of a second.

use cosette::Cancel;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

/// Time between two checks for signals.
pub const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` in another thread, and passes the events that it sends to `on_event` in the calling
/// thread.
///
/// # Errors
///
/// Returns the exception if a signal handler or `on_event` raises one. The work is cancelled first,
/// and has ended on return.
pub fn run<E: Send, T: Send>(
    py: Python<'_>,
    mut on_event: impl FnMut(Vec<E>) -> PyResult<()>,
    work: impl FnOnce(&Sender<E>, &Cancel) -> T + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
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
        delivered.map(|()| result)
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

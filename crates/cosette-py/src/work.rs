//! Work in a thread of its own, while the thread that called from Python hands on events and heeds signals.
//!
//! Only the calling thread holds Python's lock, and only while it hands on an event or asks for signals. Signals are asked
//! for twenty times a second, so Ctrl-C, or whatever a program makes of a signal, stops the work within a tenth of a second.

use cosette::Cancel;
use pyo3::prelude::*;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often signals are asked for.
pub const TICK: Duration = Duration::from_millis(50);

/// Does `work` in another thread. What it sends goes to `on_event`, in the calling thread.
///
/// # Errors
/// If a signal or `on_event` raises an exception: the work is asked to stop, and awaited.
pub fn run<E: Send, T: Send>(
    py: Python<'_>,
    mut on_event: impl FnMut(Vec<E>) -> PyResult<()>,
    work: impl FnOnce(&Sender<E>, &Cancel) -> T + Send,
) -> PyResult<T> {
    let cancel = Cancel::new();
    thread::scope(|scope| {
        let (sender, mut events) = mpsc::channel();
        let heeds = &cancel;
        // The sender is dropped when the work is done, and so ends the waiting.
        let worker = thread::Builder::new().spawn_scoped(scope, move || work(&sender, heeds))?;
        let heeded = follow(py, &mut events, &mut on_event);
        if heeded.is_err() {
            cancel.cancel();
        }
        let done = py.detach(|| worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        heeded.map(|()| done)
    })
}

/// Hands on events until there will be no more.
fn follow<E: Send>(
    py: Python<'_>,
    events: &mut Receiver<E>,
    on_event: &mut impl FnMut(Vec<E>) -> PyResult<()>,
) -> PyResult<()> {
    loop {
        let receiver = &mut *events;
        match py.detach(move || receiver.recv_timeout(TICK)) {
            Ok(first) => on_event([first].into_iter().chain(events.try_iter()).collect())?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        py.check_signals()?;
    }
}

/// Stops a piece of work when its time is up, until it is dropped.
pub struct Timer(Option<(Sender<()>, JoinHandle<()>)>);

impl Timer {
    /// A timer; without a limit, one that does nothing.
    ///
    /// # Errors
    /// If the system has no thread left for it.
    pub fn start(limit: Option<Duration>, cancel: &Cancel) -> std::io::Result<Timer> {
        let Some(limit) = limit else { return Ok(Timer(None)) };
        let (done, is_done) = mpsc::channel();
        let cancel = cancel.clone();
        let wait = move || {
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        };
        Ok(Timer(Some((done, thread::Builder::new().spawn(wait)?))))
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if let Some((done, timer)) = self.0.take() {
            drop(done);
            timer.join().expect("the timer cannot panic");
        }
    }
}

//! Ctrl-C, and time limits.

use crate::cli::failure::Exit;
use cosette::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

fn running() -> MutexGuard<'static, Option<Cancel>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens for Ctrl-C and the system's requests to end. The first one stops the running work, which then prints what it
/// has. The second one, or the first if no work is running, ends the command at once.
pub fn listen() {
    if let Err(refused) = ctrlc::set_handler(request) {
        tracing::warn!(%refused, "Ctrl-C will end the command without printing what is proven");
    }
}

/// Does what Ctrl-C does.
pub fn request() {
    match &*running() {
        Some(cancel) if !REQUESTED.swap(true, Ordering::Relaxed) => cancel.cancel(),
        _ => std::process::exit(Exit::Interrupted.code().into()),
    }
}

/// Whether the user has asked to stop.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Work that Ctrl-C stops, until this is dropped.
pub struct Interruptible {
    /// The request to stop it.
    pub cancel: Cancel,
}

impl Interruptible {
    /// Starts such work, with a time limit if one is given.
    pub fn start(limit: Option<Duration>) -> Interruptible {
        let requested = Cancel::new();
        *running() = Some(requested.clone());
        // A request that came just after the previous work had ended is for this one.
        if is_requested() {
            requested.cancel();
        }
        Interruptible { cancel: limit.map_or(requested.clone(), |limit| requested.child_with_timeout(limit)) }
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        *running() = None;
    }
}

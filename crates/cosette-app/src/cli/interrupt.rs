//! Ctrl-C and time limits: who asks the work under way to stop.

use crate::cli::exit::Exit;
use cosette::Cancel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

static ASKED: AtomicBool = AtomicBool::new(false);
static UNDER_WAY: Mutex<Option<Cancel>> = Mutex::new(None);

fn under_way() -> std::sync::MutexGuard<'static, Option<Cancel>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens for Ctrl-C, and for the system's polite requests to end: the first stops the work under way, which then
/// prints what it has. The second one, or the first where no work is under way, ends the command at once.
pub fn listen() {
    if let Err(refused) = ctrlc::set_handler(ask) {
        tracing::warn!(%refused, "Ctrl-C will end the command without printing what is proven");
    }
}

/// Does what Ctrl-C does.
pub fn ask() {
    match &*under_way() {
        Some(cancel) if !ASKED.swap(true, Ordering::Relaxed) => cancel.cancel(),
        _ => std::process::exit(Exit::Interrupted.code().into()),
    }
}

/// Whether the user has asked to stop.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// A piece of work that can be stopped, until it is dropped.
pub struct Work {
    /// What the work heeds.
    pub cancel: Cancel,
}

impl Work {
    /// Starts a piece of work, with a time limit where one is given.
    pub fn begin(limit: Option<Duration>) -> Work {
        let requested = Cancel::new();
        *under_way() = Some(requested.clone());
        // A request that came just after the last piece of work had ended holds for this one.
        if is_asked() {
            requested.cancel();
        }
        Work { cancel: limit.map_or(requested.clone(), |limit| requested.child_with_timeout(limit)) }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        *under_way() = None;
    }
}

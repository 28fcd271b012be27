//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, only errors and warnings are shown: neither hints nor progress.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether only errors and warnings are shown.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes a message and a line feed. A message that cannot be written is dropped.
pub fn tell(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{}", message);
}

/// Writes what a user may like to know, unless only errors and warnings are shown.
pub fn hint(message: impl Display) {
    if !is_quiet() {
        tell(message);
    }
}

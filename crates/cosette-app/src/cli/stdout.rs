//! Standard output, which a program may have been started without.

use crate::cli::failure::Failure;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set before `main` if standard output is closed (`>&-`). Rust then opens `/dev/null` in its place, and answers would be lost
/// without an error.
static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(unix)]
ctor::declarative::ctor! {
    // Safe before `main`: one system call and one store, nothing of the standard library that must be ready.
    #[ctor(unsafe)]
    fn notice_closed_output() {
        WAS_CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
    }
}

/// Whether the process was started with standard output closed.
pub(super) fn was_closed() -> bool {
    WAS_CLOSED.load(Ordering::Relaxed)
}

/// Fails if the process was started with standard output closed.
pub fn require_open() -> Result<(), Failure> {
    if was_closed() {
        return Err(Failure::new("standard output is closed", "write to a file, or to /dev/null for no output"));
    }
    Ok(())
}

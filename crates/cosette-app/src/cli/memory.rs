//! What a command does where memory is short.
//!
//! Tables are not generated or loaded where they do not fit ([`MemoryLimit`](cosette::table::choice::MemoryLimit)). What is
//! allocated besides is small; where even that fails, Rust would abort the process with a backtrace, for developers.
//! [`Allocator`] ends it with a sentence for users.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

/// The system's allocator. Where it has no memory left, the process ends with an error and exit code 1.
pub struct Allocator;

// SAFETY: the system's allocator does everything, and keeps the contract. Where it fails, nothing is returned.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        granted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        granted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract.
        granted(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline(always)]
fn granted(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        end();
    }
    memory
}

/// Ends the process without allocating anything.
#[cold]
fn end() -> ! {
    const ERROR: &[u8] = b"error: there is no memory left\n\
        help: free memory, raise the limits of the process (`ulimit -v`, its control group), or use fewer --threads\n";
    // Nothing can be done where standard error is closed.
    let _ = std::io::stderr().write_all(ERROR);
    #[cfg(unix)]
    // SAFETY: it ends the process at once, and takes nothing but a number.
    unsafe {
        libc::_exit(1)
    }
    #[cfg(not(unix))]
    std::process::exit(1)
}

/// Has all threads allocate from one arena where the addresses of this process are limited (`ulimit -v`): the C library
/// reserves 64 MB of them for the arena of each thread. To be called before a thread is started.
pub fn spare_addresses() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if std::fs::read_to_string("/proc/self/limits").is_ok_and(|limits| limits_addresses(&limits)) {
        // SAFETY: it sets a parameter of the allocator, which has a lock of its own.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Whether addresses are limited, by the text of `/proc/self/limits`: `Max address space  409600000  unlimited  bytes`.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn limits_addresses(limits: &str) -> bool {
    let mut lines = limits.lines().filter_map(|line| line.strip_prefix("Max address space"));
    lines.any(|limit| !limit.trim_start().starts_with("unlimited"))
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::limits_addresses;

    #[test]
    fn limits_of_the_address_space_are_recognised() {
        let limits = |soft: &str| {
            format!("Limit  Soft Limit  Hard Limit  Units\nMax address space         {soft}   unlimited    bytes\n")
        };
        assert!(limits_addresses(&limits("409600000")));
        assert!(!limits_addresses(&limits("unlimited")));
        assert!(!limits_addresses(""));
    }
}

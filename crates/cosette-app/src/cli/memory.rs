//! What a command does where memory is short.
//!
//! Tables are not generated or loaded where they do not fit ([`MemoryLimit`](cosette::table::choice::MemoryLimit)). What is
//! allocated besides is small; where even that fails, Rust would abort the process with a backtrace, for developers.
//! [`Allocator`] ends it with a sentence for users: stable Rust has no other place to say it.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator. Where it has no memory left, the process ends with an error and exit code 1; on Windows Rust ends it.
pub struct Allocator;

// SAFETY: each method passes its arguments to the system's allocator and returns what that returned, so the system's
// allocator keeps the contract of the trait. Where it returned null, `end` does not return, does not unwind and does not
// allocate.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises here what `System.alloc` demands: `layout` is not empty.
        granted(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises here what `System.alloc_zeroed` demands: `layout` is not empty.
        granted(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that this allocator granted `memory` with this layout, so `System` did; and that
        // `size` is neither zero nor too large.
        granted(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller promises that this allocator granted `memory` with this layout, so `System` did.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline(always)]
fn granted(memory: *mut u8) -> *mut u8 {
    #[cfg(unix)]
    if memory.is_null() {
        end();
    }
    memory
}

/// Ends the process by two calls of the system, which neither allocate nor unwind.
#[cfg(unix)]
#[cold]
fn end() -> ! {
    const ERROR: &[u8] = b"error: there is no memory left\n\
        help: free memory, raise the limits of the process (`ulimit -v`, its control group), or use fewer --threads\n";
    // Nothing can be done where standard error is closed.
    let _ = rustix::io::write(rustix::stdio::stderr(), ERROR);
    signal_hook::low_level::exit(1)
}

/// Has all threads share one heap where the addresses of this process are limited (`ulimit -v`): the C library reserves 64 MB
/// of them for the heap of each thread. To be called before anything else is done.
pub fn spare_addresses() {
    #[cfg(target_os = "linux")]
    if rustix::process::getrlimit(rustix::process::Resource::As).current.is_some() {
        use_one_heap();
    }
}

/// Has all threads share one heap, of which the C library gives back what is free at its end. It keeps what is free in the
/// heaps of other threads, as a server has them after a large request. To be called before anything else is done: the GNU C
/// library reads these variables when a program starts, so this one is started again. Where that fails, it goes on as it is; so it
/// does where its output is closed, which the program that is started again could not see.
pub fn use_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        use std::os::unix::process::CommandExt;
        const HEAPS: &str = "MALLOC_ARENA_MAX";
        const KEPT_BYTES: &str = "MALLOC_TRIM_THRESHOLD_";
        let mut words = std::env::args_os();
        if std::env::var_os(HEAPS).is_none()
            && !super::stdout::was_closed()
            && let (Ok(program), Some(name)) = (std::env::current_exe(), words.next())
        {
            let again = &mut std::process::Command::new(program);
            let _ = again.arg0(name).args(words).envs([(HEAPS, "1"), (KEPT_BYTES, "1048576")]).exec();
        }
    }
}

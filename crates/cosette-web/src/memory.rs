//! Gives memory back to the system after large requests.
//!
//! The allocator of the GNU C library keeps freed memory for later, a heap for each thread. After a long text has been read,
//! or a batch solved, that may be hundreds of megabytes which are not needed again soon. So large blocks are kept out of the
//! heaps, and what is free in the heaps is given back when the work is done.

use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Notify;

/// How long to wait for more work before the memory is given back.
const DELAY: Duration = Duration::from_millis(500);

/// Blocks of this many bytes or more are returned to the system as soon as they are freed, and so is that much free memory
/// at the end of a heap. Without a fixed number, the allocator raises it with each large block, to 32 MiB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK: i32 = 1 << 20;

/// Gives memory back some time after it was asked to.
#[derive(Clone, Debug)]
pub struct MemoryRelease(Arc<Notify>);

impl MemoryRelease {
    /// Starts the task that does it.
    pub fn start() -> MemoryRelease {
        keep_large_blocks_apart();
        let asked = Arc::new(Notify::new());
        let release = MemoryRelease(Arc::clone(&asked));
        tokio::spawn(async move {
            loop {
                asked.notified().await;
                tokio::time::sleep(DELAY).await;
                if tokio::task::spawn_blocking(release_now).await.is_err() {
                    return;
                }
            }
        });
        release
    }

    /// Asks to give memory back soon.
    pub fn ask(&self) {
        self.0.notify_one();
    }
}

/// Sets the size of a large block.
fn keep_large_blocks_apart() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` may be called at any time; both parameters take a number of bytes.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK);
        libc::mallopt(libc::M_TRIM_THRESHOLD, LARGE_BLOCK);
    }
}

/// Gives back what is free.
fn release_now() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` may be called at any time from any thread. It only returns free pages to the system.
    unsafe {
        libc::malloc_trim(0);
    }
}

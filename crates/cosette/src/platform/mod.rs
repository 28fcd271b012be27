//! What the library needs of the system, decided in this one place: a clock, locks of files, and the memory of tables.
//!
//! | | with the feature | without |
//! |---|---|---|
//! | clock | the standard library's; WebAssembly without a system has none, and its host gives one ([`set_clock`]) | |
//! | memory (`files`) | mapped, in huge pages, as much as the system says is free | allocated, as much as there is |
//! | locks of files (`files`) | advisory; on Windows on a byte that no file has | there are no files |
//!
//! Threads are in `control`. Nothing else in the library depends on these features, except whole modules that need files or
//! threads.

mod memory;
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
mod reserved;

#[cfg(not(all(feature = "files", any(windows, target_os = "macos"))))]
pub(crate) use memory::PageMemory;
pub use memory::{Pages, available_memory};
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
pub(crate) use reserved::PageMemory;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use of_host::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use of_host::set_clock;
#[cfg(feature = "files")]
use std::fs::{File, TryLockError};

/// The clock of WebAssembly without a system.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod of_host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Gives the library a clock: the time since some moment in the past, which never goes backwards. The first call counts.
    /// Without a clock no time passes: deadlines are never reached, and reports say that nothing took any time.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, as [`std::time::Instant`] is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub fn elapsed(self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        pub fn checked_add(self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }
    }
}

/// Locks a file for this process, until it is closed. Other processes can read it all the while. Fails if another process, or
/// another handle of this one, holds the lock, or if the system refuses.
#[cfg(feature = "files")]
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    #[cfg(not(windows))]
    return file.try_lock();
    #[cfg(windows)]
    return lock_beyond_the_end(file);
}

/// On Windows nobody else can read what is locked: a journal would be unreadable as long as it is written. So the lock is on one
/// byte where no file has any. It meets a lock of the whole file.
#[cfg(all(feature = "files", windows))]
fn lock_beyond_the_end(file: &File) -> Result<(), TryLockError> {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
    use windows_sys::Win32::Storage::FileSystem::{LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx};
    use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

    let start = OVERLAPPED_0_0 { Offset: 0xffff_fff0, OffsetHigh: 0x7fff_ffff };
    let mut at = OVERLAPPED { Anonymous: OVERLAPPED_0 { Anonymous: start }, ..OVERLAPPED::default() };
    // SAFETY: the handle is that of an open file, and `at` is valid. The standard library opens files for synchronous access, so
    // the system does not use it after the call.
    let locked = unsafe {
        LockFileEx(file.as_raw_handle(), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &mut at)
    };
    if locked != 0 {
        return Ok(());
    }
    let refused = std::io::Error::last_os_error();
    match refused.raw_os_error().map(|code| code as u32) {
        Some(ERROR_LOCK_VIOLATION | ERROR_IO_PENDING) => Err(TryLockError::WouldBlock),
        _ => Err(TryLockError::Error(refused)),
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_locked_file_can_be_read_but_not_locked_again() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"text").unwrap();
        try_lock(file.as_file()).unwrap();
        let other = File::open(file.path()).unwrap();
        assert_eq!(std::fs::read(file.path()).unwrap(), b"text");
        assert!(matches!(try_lock(&other), Err(TryLockError::WouldBlock)));
        drop(file);
    }
}

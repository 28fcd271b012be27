//! Locks of files between processes.

use std::fs::{File, TryLockError};

/// Locks a file for this process, until it is closed. Other processes can read it all the while. Fails if another process, or
/// another handle of this one, holds the lock, or if the system refuses.
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    #[cfg(not(windows))]
    return file.try_lock();
    #[cfg(windows)]
    return lock_beyond_the_end(file);
}

/// On Windows nobody else can read what is locked: a journal would be unreadable as long as it is written. So the lock is on one
/// byte where no file has any. It meets a lock of the whole file.
#[cfg(windows)]
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

#[cfg(test)]
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

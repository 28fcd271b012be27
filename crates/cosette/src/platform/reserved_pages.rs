//! Memory of Windows, in large pages of 2 MB where the system grants them: to users who have the
//! right "Lock pages in memory", while there is unbroken memory.
//!
//! Windows gives memory in large pages at once, all zero, and never moves it to the disk; where it
//! refuses, the memory is in ordinary pages, which it gives when these are first written.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// Bytes in whole pages, all zero at first.
#[derive(Debug)]
pub(crate) struct PageMemory {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the memory belongs to this value alone, and is reached through it as through a
// `Box<[u8]>`.
unsafe impl Send for PageMemory {}
// SAFETY: as above; a shared reference only reads.
unsafe impl Sync for PageMemory {}

impl PageMemory {
    /// Reserves this many bytes, which the system allocates when they are first written, large
    /// pages at once. `None` if it refuses.
    pub fn zeroed(bytes: u64) -> Option<PageMemory> {
        let bytes = usize::try_from(bytes)
            .ok()
            .filter(|&bytes| isize::try_from(bytes).is_ok())?;
        if bytes == 0 {
            return Some(PageMemory {
                start: NonNull::dangling(),
                bytes,
            });
        }
        let size = system::large_page().filter(|size| bytes >= *size);
        let whole = size.and_then(|size| bytes.checked_next_multiple_of(size));
        if let Some(start) = whole.and_then(|whole| system::reserve(whole, true)) {
            return Some(PageMemory { start, bytes });
        }
        tracing::debug!("the system grants no large pages");
        Some(PageMemory {
            start: system::reserve(bytes, false)?,
            bytes,
        })
    }
}

impl Drop for PageMemory {
    fn drop(&mut self) {
        if self.bytes > 0 {
            // SAFETY: the system reserved this memory in `zeroed`, and nothing refers to it any
            // more.
            unsafe { system::release(self.start) }
        }
    }
}

impl Deref for PageMemory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        // SAFETY: `bytes` bytes from there, at most `isize::MAX`, are reserved, readable and
        // initialized with zeros by the system.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }
    }
}

impl DerefMut for PageMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, also writable; the exclusive reference to this value makes it the
        // only one to the memory.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
    }
}

mod system {
    use super::NonNull;
    use std::ptr;
    use std::sync::LazyLock;
    use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, HANDLE, LUID};
    use windows_sys::Win32::Security::{
        AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
        SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
    };
    use windows_sys::Win32::System::Memory::{
        GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE,
        VirtualAlloc, VirtualFree,
    };
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

    /// Returns the size of a large page, if this process may use them.
    pub fn large_page() -> Option<usize> {
        static IS_ALLOWED: LazyLock<bool> = LazyLock::new(|| claim_right().is_some());
        // SAFETY: it has no conditions.
        let size = unsafe { GetLargePageMinimum() };
        (size > 0 && *IS_ALLOWED).then_some(size)
    }

    /// Claims the right to lock pages in memory; `None` if the user does not have it.
    fn claim_right() -> Option<()> {
        let mut token: HANDLE = ptr::null_mut();
        let mut right = LUID::default();
        // SAFETY: the pseudo-handle of this process is always valid, and `token` is written to.
        if unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &mut token) }
            == 0
        {
            return None;
        }
        // SAFETY: the name is a constant text that ends with a zero, and `right` is written to.
        let is_known =
            unsafe { LookupPrivilegeValueW(ptr::null(), SE_LOCK_MEMORY_NAME, &mut right) } != 0;
        let enabled = LUID_AND_ATTRIBUTES {
            Luid: right,
            Attributes: SE_PRIVILEGE_ENABLED,
        };
        let change = TOKEN_PRIVILEGES {
            PrivilegeCount: 1,
            Privileges: [enabled],
        };
        // SAFETY: the token is open for this, `change` has the one entry that it counts, and the
        // former state is not requested. The call succeeds also where the right is missing, and
        // then leaves an error code.
        let is_granted = is_known
            && unsafe {
                AdjustTokenPrivileges(token, 0, &change, 0, ptr::null_mut(), ptr::null_mut()) != 0
                    && GetLastError() == ERROR_SUCCESS
            };
        // SAFETY: the handle was opened above and is not used any more.
        unsafe { CloseHandle(token) };
        is_granted.then_some(())
    }

    /// Reserves memory, in large pages if `is_large`.
    pub fn reserve(bytes: usize, is_large: bool) -> Option<NonNull<u8>> {
        let large = if is_large { MEM_LARGE_PAGES } else { 0 };
        // SAFETY: without an address, the system chooses memory that nothing uses.
        let start = unsafe {
            VirtualAlloc(
                ptr::null(),
                bytes,
                MEM_RESERVE | MEM_COMMIT | large,
                PAGE_READWRITE,
            )
        };
        NonNull::new(start.cast())
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// It is from [`reserve`], and nothing refers to it any more.
    pub unsafe fn release(start: NonNull<u8>) {
        // SAFETY: by the condition above; zero stands for all that was reserved there.
        unsafe { VirtualFree(start.as_ptr().cast(), 0, MEM_RELEASE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_can_be_written() {
        for bytes in [0, 1, 4096, 5_000_001] {
            let mut memory = PageMemory::zeroed(bytes).unwrap();
            assert_eq!(memory.len() as u64, bytes);
            assert!(memory.iter().all(|&byte| byte == 0));
            memory.fill(7);
            assert!(memory.iter().all(|&byte| byte == 7));
        }
    }
}

//! The platform layer: clock, file locks, and the memory of tables.
//!
//! - Clock: that of the standard library. WebAssembly without a system has no clock; its host
//!   provides one ([`set_clock`]).
//! - Memory: with the feature `files`, pages of the system, huge ones if it grants them; without,
//!   memory from the allocator of the program.
//! - Locks of files, with the feature `files`: advisory; on Windows on a byte beyond the end of any
//!   file.
//!
//! Threads are in `control`. Nothing else in the library depends on the features `files` and
//! `threads`, except whole modules that need files or threads.

#[cfg(not(feature = "files"))]
pub(crate) use allocated::PageMemory;
#[cfg(not(feature = "files"))]
pub use allocated::available as available_memory;
#[cfg(feature = "files")]
pub use available::available as available_memory;
#[cfg(all(feature = "files", not(windows)))]
pub(crate) use mapped::PageMemory;
#[cfg(all(feature = "files", windows))]
pub(crate) use reserved_pages::PageMemory;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use host_clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host_clock::set_clock;
#[cfg(feature = "files")]
use std::fs::{File, TryLockError};

/// The clock of WebAssembly without a system, provided by the host.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod host_clock {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock of the library: a function that returns the time since a fixed moment and
    /// never goes backwards. Only the first call takes effect. Without a clock no time passes:
    /// deadlines are never reached, and reports show zero durations.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, like [`std::time::Instant`].
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

/// Locks a file for this process, until it is closed. Other processes can still read it.
///
/// # Errors
///
/// Returns an error if another process or another handle of this process holds the lock, or on an
/// I/O failure.
#[cfg(feature = "files")]
pub fn try_lock(file: &File) -> Result<(), TryLockError> {
    #[cfg(not(windows))]
    return file.try_lock();
    #[cfg(windows)]
    return lock_beyond_the_end(file);
}

/// Locks one byte beyond the end of any file. On Windows no other process can read a locked range:
/// with a lock of the whole file, a journal would be unreadable while it is written. The lock of
/// the byte conflicts with a lock of the whole file.
#[cfg(all(feature = "files", windows))]
fn lock_beyond_the_end(file: &File) -> Result<(), TryLockError> {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
    use windows_sys::Win32::Storage::FileSystem::{
        LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
    };
    use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0};

    let start = OVERLAPPED_0_0 {
        Offset: 0xffff_fff0,
        OffsetHigh: 0x7fff_ffff,
    };
    let mut at = OVERLAPPED {
        Anonymous: OVERLAPPED_0 { Anonymous: start },
        ..OVERLAPPED::default()
    };
    // SAFETY: the handle is that of an open file, and `at` is valid. The standard library opens
    // files for synchronous access, so the system does not use it after the call.
    let locked = unsafe {
        LockFileEx(
            file.as_raw_handle(),
            LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY,
            0,
            1,
            0,
            &mut at,
        )
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

/// Memory from the allocator of the program.
#[cfg(not(feature = "files"))]
mod allocated {
    use std::ops::{Deref, DerefMut};
    use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout};

    /// Bytes that start at a cache line, all zero at first.
    #[derive(Debug)]
    pub(crate) struct PageMemory {
        lines: Vec<CacheLine>,
        bytes: usize,
    }

    #[derive(Debug, FromBytes, IntoBytes, Immutable, KnownLayout)]
    #[repr(C, align(64))]
    struct CacheLine([u8; 64]);

    impl PageMemory {
        /// Allocates this many bytes. `None` if there is too little memory.
        pub fn zeroed(bytes: u64) -> Option<PageMemory> {
            let bytes = usize::try_from(bytes).ok()?;
            let lines = CacheLine::new_vec_zeroed(bytes.div_ceil(size_of::<CacheLine>())).ok()?;
            Some(PageMemory { lines, bytes })
        }
    }

    impl Deref for PageMemory {
        type Target = [u8];
        #[inline(always)]
        fn deref(&self) -> &[u8] {
            &self.lines.as_bytes()[..self.bytes]
        }
    }

    impl DerefMut for PageMemory {
        fn deref_mut(&mut self) -> &mut [u8] {
            &mut self.lines.as_mut_bytes()[..self.bytes]
        }
    }

    /// Returns the memory that this process may still allocate at once, in bytes: in WebAssembly
    /// the rest of its address space, but at most half of that space; elsewhere `u64::MAX`, for
    /// unknown.
    pub fn available() -> u64 {
        #[cfg(target_arch = "wasm32")]
        {
            const PAGE: u64 = 1 << 16;
            let unallocated = (1 << 32) - PAGE * core::arch::wasm32::memory_size::<0>() as u64;
            unallocated.min(isize::MAX as u64)
        }
        #[cfg(not(target_arch = "wasm32"))]
        u64::MAX
    }
}

/// Memory of systems other than Windows: anonymous pages, huge ones where Linux grants them.
#[cfg(all(feature = "files", not(windows)))]
mod mapped {
    use memmap2::MmapMut;
    use std::ops::{Deref, DerefMut};

    /// Bytes in whole pages, all zero at first.
    #[derive(Debug)]
    pub(crate) struct PageMemory(MmapMut);

    impl PageMemory {
        /// Reserves this many bytes, which the system allocates when they are first written. `None`
        /// if it refuses.
        pub fn zeroed(bytes: u64) -> Option<PageMemory> {
            let map = MmapMut::map_anon(bytes.try_into().ok()?).ok()?;
            // With ordinary pages of 4 KB, a probe of a large table misses the TLB and takes about
            // twice the time.
            #[cfg(target_os = "linux")]
            if let Err(refused) = map.advise(memmap2::Advice::HugePage) {
                tracing::debug!(%refused, "the system chooses the pages itself");
            }
            Some(PageMemory(map))
        }
    }

    impl Deref for PageMemory {
        type Target = [u8];
        #[inline(always)]
        fn deref(&self) -> &[u8] {
            &self.0
        }
    }

    impl DerefMut for PageMemory {
        fn deref_mut(&mut self) -> &mut [u8] {
            &mut self.0
        }
    }
}

/// Memory of Windows, in large pages of 2 MB where the system grants them: to users who have the
/// right "Lock pages in memory", while enough contiguous memory is free.
///
/// Windows allocates large pages at once and never moves them to the disk. If it refuses them, the
/// memory is in ordinary pages, which it allocates when they are first written.
#[cfg(all(feature = "files", windows))]
mod reserved_pages {
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
        /// Reserves this many bytes. The system allocates large pages at once, ordinary pages when
        /// they are first written. `None` if it refuses both.
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
            let page = system::large_page().filter(|page| bytes >= *page);
            let rounded_up = page.and_then(|page| bytes.checked_next_multiple_of(page));
            if let Some(start) = rounded_up.and_then(|bytes| system::reserve(bytes, true)) {
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
            // SAFETY: as in `deref`, also writable; the exclusive reference to this value makes it
            // the only one to the memory.
            unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.bytes) }
        }
    }

    mod system {
        use super::NonNull;
        use std::ptr;
        use std::sync::LazyLock;
        use windows_sys::Win32::Foundation::{
            CloseHandle, ERROR_SUCCESS, GetLastError, HANDLE, LUID,
        };
        use windows_sys::Win32::Security::{
            AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
            SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
        };
        use windows_sys::Win32::System::Memory::{
            GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE,
            PAGE_READWRITE, VirtualAlloc, VirtualFree,
        };
        use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

        /// Returns the size of a large page, if this process may use large pages.
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
            // SAFETY: the token is open for this, `change` has the one entry that it counts, and
            // the former state is not requested. The call succeeds also where the right is missing,
            // and then leaves an error code.
            let is_granted = is_known
                && unsafe {
                    AdjustTokenPrivileges(token, 0, &change, 0, ptr::null_mut(), ptr::null_mut())
                        != 0
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
}

/// The memory that this process may still allocate.
#[cfg(feature = "files")]
mod available {
    /// Returns the memory that this process may still allocate, in bytes: the minimum of the free
    /// memory of the machine, the rest of its control groups, and its own limits (`ulimit -v` and
    /// `-d`).
    pub fn available() -> u64 {
        let mut system = sysinfo::System::new();
        system.refresh_memory();
        let free = match system.available_memory() {
            0 => u64::MAX, // the system does not say
            free => free,
        };
        free.min(left_by_limits())
    }

    #[cfg(not(target_os = "linux"))]
    fn left_by_limits() -> u64 {
        u64::MAX
    }

    #[cfg(target_os = "linux")]
    fn left_by_limits() -> u64 {
        use rustix::process::{Resource, getrlimit};
        let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        // `status` counts in KB.
        let left_of = |resource, used: &str| {
            let limit = getrlimit(resource).current?;
            Some(limit.saturating_sub(1024 * number_after(&status, used)?))
        };
        [
            left_by_groups("/sys/fs/cgroup".as_ref(), &groups),
            left_of(Resource::As, "VmSize:"),
            left_of(Resource::Data, "VmData:"),
        ]
        .into_iter()
        .flatten()
        .min()
        .unwrap_or(u64::MAX)
    }

    /// Returns the memory, in bytes, that its control groups leave to a process; `groups` is the
    /// text of its `/proc/self/cgroup`. All groups above its own limit it too. The page cache of a
    /// group, which may contain tables, does not count: it is freed when memory is needed.
    #[cfg(target_os = "linux")]
    fn left_by_groups(root: &std::path::Path, groups: &str) -> Option<u64> {
        let of_group = |line: &str| {
            // A line is `number:controllers:path`, without controllers in version 2.
            let mut fields = line.splitn(3, ':').skip(1);
            let controllers = fields.next()?;
            let path = fields.next()?.trim_start_matches('/');
            let is_first_version = controllers
                .split(',')
                .any(|controller| controller == "memory");
            let (root, limit, own, shared) = match controllers {
                "" => (root.to_owned(), "memory.max", "anon", "shmem"),
                _ if is_first_version => (
                    root.join("memory"),
                    "memory.limit_in_bytes",
                    "total_rss",
                    "total_shmem",
                ),
                _ => return None,
            };
            let left_in = |folder: &std::path::Path| {
                let limit: u64 = std::fs::read_to_string(folder.join(limit))
                    .ok()?
                    .trim()
                    .parse()
                    .ok()?;
                let usage = std::fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
                let used = [own, shared].map(|name| number_after(&usage, name).unwrap_or(0));
                Some(limit.saturating_sub(used.iter().sum()))
            };
            // In a container the path may be that of the host; its own group is the root then.
            let group = root.join(path);
            group
                .ancestors()
                .take_while(|folder| folder.starts_with(&root))
                .filter_map(left_in)
                .min()
        };
        groups.lines().filter_map(of_group).min()
    }

    /// Returns the number in the line that begins with `name`.
    #[cfg(target_os = "linux")]
    fn number_after(text: &str, name: &str) -> Option<u64> {
        let mut lines = text.lines().map(|line| line.split_whitespace());
        lines.find_map(|mut words| {
            (words.next() == Some(name)).then(|| words.next()?.parse().ok())?
        })
    }

    #[cfg(all(test, target_os = "linux"))]
    mod tests {
        use super::*;
        use std::fs;
        use std::path::Path;

        fn write(folder: &Path, files: &[(&str, &str)]) {
            fs::create_dir_all(folder).unwrap();
            files
                .iter()
                .for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
        }

        #[test]
        fn a_process_is_limited_by_all_groups_above_its_own() {
            let root = tempfile::tempdir().unwrap();
            let root = root.path();
            write(
                &root.join("a/b"),
                &[("memory.max", "max\n"), ("memory.stat", "anon 5\n")],
            );
            write(
                &root.join("a"),
                &[
                    ("memory.max", "1000\n"),
                    ("memory.stat", "file 700\nanon 100\nshmem 50\n"),
                ],
            );
            write(root, &[("memory.stat", "anon 900\n")]);
            assert_eq!(left_by_groups(root, "0::/a/b\n"), Some(850));
            assert_eq!(left_by_groups(root, "0::/../elsewhere\n"), None);
            write(root, &[("memory.max", "1500")]);
            assert_eq!(left_by_groups(root, "0::/a/b\n"), Some(600));
            assert_eq!(left_by_groups(root, "0::/on/the/host\n"), Some(600));
        }

        #[test]
        fn groups_of_version_1_limit_a_process() {
            let root = tempfile::tempdir().unwrap();
            let files = [
                ("memory.limit_in_bytes", "4096"),
                ("memory.stat", "cache 9\ntotal_rss 96\ntotal_shmem 0\n"),
            ];
            write(&root.path().join("memory/job"), &files);
            assert_eq!(
                left_by_groups(
                    root.path(),
                    "3:cpu,cpuacct:/job\n2:memory:/job\n1:name=x:/\n"
                ),
                Some(4000)
            );
            assert_eq!(left_by_groups(root.path(), ""), None);
        }
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

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

mod clock;
#[cfg(feature = "files")]
mod lock;
mod memory;
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
mod reserved;

pub(crate) use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
#[cfg(feature = "files")]
pub use lock::try_lock;
#[cfg(not(all(feature = "files", any(windows, target_os = "macos"))))]
pub(crate) use memory::PageMemory;
pub use memory::{Pages, available_memory};
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
pub(crate) use reserved::PageMemory;

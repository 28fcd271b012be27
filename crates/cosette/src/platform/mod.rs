//! What the library needs of the system, decided in this one place: a clock, threads, and the memory of tables.
//!
//! | | with the feature | without |
//! |---|---|---|
//! | clock | the standard library's; WebAssembly without a system has none, and its host gives one ([`set_clock`]) | |
//! | threads (`threads`) | those of the system | all work is done in the thread that asks for it |
//! | memory (`files`) | mapped, in huge pages, as much as the system says is free | allocated, as much as there is |
//! | locks of files (`files`) | advisory; on Windows on a byte that no file has | there are no files |
//!
//! Nothing else in the library depends on these features, except whole modules that need files or threads.

#[cfg(not(feature = "files"))]
mod allocated;
#[cfg(feature = "files")]
mod available;
mod clock;
#[cfg(feature = "files")]
mod lock;
#[cfg(all(feature = "files", not(any(windows, target_os = "macos"))))]
mod mapped;
mod pages;
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
mod reserved;
mod threads;

#[cfg(not(feature = "files"))]
pub(crate) use allocated::PageMemory;
#[cfg(not(feature = "files"))]
pub use allocated::available as available_memory;
#[cfg(feature = "files")]
pub use available::available as available_memory;
pub(crate) use clock::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use clock::set_clock;
#[cfg(feature = "files")]
pub use lock::try_lock;
#[cfg(all(feature = "files", not(any(windows, target_os = "macos"))))]
pub(crate) use mapped::PageMemory;
pub use pages::Pages;
#[cfg(all(feature = "files", any(windows, target_os = "macos")))]
pub(crate) use reserved::PageMemory;
pub(crate) use threads::{Threads, allowed_by_system, beside, run_in_each};

//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. Its portable twin
//! (`portable`) runs on any machine; `avx2` does the same with 32-byte shuffles, `avx512` with 64-byte ones. Which
//! one runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop, compiled for those
//! instructions from top to bottom.
//!
//! A probe takes four steps, each a short loop over a [`Queue`]: paint the neighbours, locate their entries, prefetch
//! the lines and, after other work in the meantime, read the bounds.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[allow(missing_docs)] // hidden
pub mod bench;
mod instructions;
mod operations;
mod portable;
mod prefetch;
mod queue;
mod tables;

pub use instructions::Instructions;
pub(crate) use operations::{Kernel, LISTED, Work};
pub use prefetch::Hint;
pub(crate) use prefetch::prefetch;
#[cfg(feature = "files")]
pub(crate) use prefetch::prefetch_near;
pub(crate) use queue::{Entries, Queue, SLACK};

#[cfg(test)]
mod tests;

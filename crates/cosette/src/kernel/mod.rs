//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. Its portable twin
//! (`portable`) runs on any machine; `narrow` does the same with shuffles of 16 bytes, for SSSE3, NEON and WebAssembly,
//! `avx2` with 32 bytes, `avx512` with 64. Which one runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop, compiled for those
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
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod narrow;
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
#[path = "no_narrow.rs"]
mod narrow;
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

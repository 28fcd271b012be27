//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. The implementation
//! `portable` runs on any machine; `narrow` does the same with shuffles of 16 bytes, for SSSE3, NEON and WebAssembly,
//! `avx2` with 32 bytes, `avx512` with 64. Which one runs is decided once, by [`Instructions::best`]; then
//! [`Instructions::run`] enters the loop, compiled for those instructions from top to bottom.
//!
//! A probe, in short loops over a [`Queue`]: `queue_other_side` or `queue_child` appends the painting of a coset H·p, its
//! edges as 64 bits and its corners as an index; `locate` computes the addresses of the entries and prefetches their
//! lines, all after the last address is known or, with AVX-512 and a table that the TLB covers, each as soon as its
//! address is; `read`, after other work in the meantime, reads the bounds.
//!
//! An address (`coord::EntryAddress`) is made of the symmetry class of the corners, where the class starts in the table, and
//! of the placement of the edges' slices with the flips that are kept, conjugated by the symmetry: the entry's number in the
//! class. Forty entries are a word, so number / 40 is the word, and number % 40 the pair in the word and its half.

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
pub(crate) use prefetch::prefetch;
pub(crate) use queue::{Entries, Queue, SLACK};

#[cfg(test)]
mod tests;

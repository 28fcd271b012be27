//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. The
//! implementation `portable` runs on any machine; `vector` does the same with shuffles of bytes,
//! for AVX2, SSSE3, NEON and WebAssembly; `avx512` does it for eight paintings at a time. Which one
//! runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop,
//! compiled for those instructions from top to bottom.
//!
//! Probes are made in three steps, each a short loop over a [`Queue`]:
//!
//! 1. `queue_other_side` or `queue_children` appends the paintings of cosets T·p: the edges as 64
//!    bits, the corners as an index.
//! 2. `locate` computes the addresses of the entries, then prefetches their lines. With AVX-512 and
//!    a table that the TLB covers, it prefetches eight lines at a time, a round after it has
//!    computed their addresses.
//! 3. `read`, directly after, reads the bounds: while it waits for the first lines, all others are
//!    under way.
//!
//! Between the two probes of a node, `expand_eight` and `exceeding` find the moves that the bounds
//! rule out, for eight nodes at once. `mark` is for the generation of tables. The kernel of AVX-512
//! has its own `turn`, `queue_children`, `read`, `list`, `expand_eight` and `exceeding`, which
//! other kernels make of smaller operations; its `compose`, `queue_child` and `expand` are those of
//! AVX2.
//!
//! An address (`coord::EntryAddress`) is computed from two numbers. The symmetry class of the
//! corners determines where the class starts in the table. The placement of the slices and the kept
//! flips of the edges, conjugated by the symmetry, are the number of the entry in its class. Forty
//! entries are a word: number / 40 is the word, and number % 40 determines the pair in the word and
//! the half of the pair.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[allow(missing_docs)] // hidden
pub mod bench;
mod lookup_tables;
mod operations;
mod portable;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector;

pub(crate) use operations::{Kernel, LISTED, Queue, TableEntries, Work, prefetch};

use std::sync::LazyLock;

/// Declares the kernels, the slowest first, and all items that name each of them. A kernel has a
/// `NAME` and the functions `detect` and `enter`.
macro_rules! kernels {
    ($($(#[$target:meta])* $kernel:ident: $path:path,)*) => {
        #[derive(Clone, Copy)]
        enum AnyKernel {
            $($(#[$target])* $kernel($path),)*
        }

        impl Instructions {
            /// Returns all sets of instructions that this machine can run, the fastest first.
            pub fn all() -> Vec<Instructions> {
                let mut all = Vec::new();
                $(
                    $(#[$target])*
                    all.extend(<$path>::detect().map(AnyKernel::$kernel));
                )*
                all.into_iter().rev().map(Instructions).collect()
            }

            /// Returns the name, such as `portable` or `avx2`.
            pub fn name(self) -> &'static str {
                match self.0 {
                    $($(#[$target])* AnyKernel::$kernel(_) => <$path>::NAME,)*
                }
            }

            #[inline]
            pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
                match self.0 {
                    $($(#[$target])* AnyKernel::$kernel(kernel) => kernel.enter(work),)*
                }
            }
        }
    };
}

kernels! {
    Portable: portable::Portable,
    #[cfg(target_arch = "x86_64")]
    Ssse3: vector::Ssse3,
    #[cfg(target_arch = "aarch64")]
    Neon: vector::Neon,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128: vector::Simd128,
    #[cfg(target_arch = "x86_64")]
    Avx2: vector::Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512: avx512::Avx512,
}

/// An implementation of the kernel that this machine can run.
#[derive(Clone, Copy)]
pub struct Instructions(AnyKernel);

impl std::fmt::Debug for Instructions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Instructions {
    /// Returns the portable instructions, which run anywhere.
    pub fn portable() -> Instructions {
        let all = Instructions::all();
        *all.last().expect("the slowest ones run anywhere")
    }

    /// Returns the fastest instructions of this machine. For tests and measurements, the
    /// environment variable `COSETTE_INSTRUCTIONS` can name others.
    pub fn best() -> Instructions {
        static BEST: LazyLock<Instructions> = LazyLock::new(|| {
            let all = Instructions::all();
            let wanted = std::env::var("COSETTE_INSTRUCTIONS").unwrap_or_default();
            let named = all
                .iter()
                .find(|instructions| instructions.name().eq_ignore_ascii_case(&wanted));
            if named.is_none() && !wanted.is_empty() {
                let names: Vec<&str> = all.iter().map(|instructions| instructions.name()).collect();
                tracing::warn!(%wanted, "this machine does not support these instructions, only \
                    {}; using {}", names.join(", "), names[0]);
            }
            *named.unwrap_or(&all[0])
        });
        *BEST
    }
}

#[cfg(test)]
mod tests;

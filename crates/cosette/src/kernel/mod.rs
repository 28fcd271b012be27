//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. The
//! implementation `portable` runs on any machine; `vector` does the same with shuffles of bytes,
//! for AVX2, SSSE3, NEON and WebAssembly; `avx512` does it for eight paintings at a time. Which one
//! runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop,
//! compiled for those instructions from top to bottom.
//!
//! A probe, in short loops over a [`Queue`]: `queue_other_side` or `queue_children` appends the
//! paintings of cosets T·p, their edges as 64 bits and their corners as an index; `locate` computes
//! the addresses of the entries and prefetches their lines, all after the last address is known or,
//! with AVX-512 and a table that the TLB covers, eight at a time, a round after they are known;
//! `read`, directly after, reads the bounds: while it waits for the first lines, all others are
//! under way. Between the two probes of a node, `expand_eight` and `exceeding` find what the bounds
//! rule out for eight nodes at once. AVX-512, which uses the kernel of AVX2 for the rest, has its
//! own `turn`, `queue_children`, `read`, `list`, `expand_eight` and `exceeding`, which the other
//! kernels make of smaller operations. `mark` is for the generation of tables.
//!
//! An address (`coord::EntryAddress`) is made of the symmetry class of the corners, where the class
//! starts in the table, and of the placement of the edges' slices with the flips that are kept,
//! conjugated by the symmetry: the entry's number in the class. Forty entries are a word, so number
//! / 40 is the word, and number % 40 the pair in the word and its half.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[allow(missing_docs)] // hidden
pub mod bench;
mod operations;
mod portable;
mod tables;
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod vector;
/// This target has no vectors: the kernel is never found.
#[cfg(not(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
)))]
mod vector {
    #[derive(Clone, Copy)]
    pub(super) enum TwoRegisters {}

    impl TwoRegisters {
        pub const NAME: &str = "none";

        pub fn detect() -> Option<TwoRegisters> {
            None
        }

        pub fn enter<W: super::Work>(self, _: W) -> W::Output {
            match self {}
        }
    }
}

pub(crate) use operations::{Kernel, LISTED, Queue, TableEntries, Work, prefetch};

#[cfg(target_arch = "x86_64")]
use avx512::Avx512;
use portable::Portable;
use std::sync::LazyLock;
#[cfg(target_arch = "x86_64")]
use vector::Avx2;
use vector::TwoRegisters;

/// An implementation of the kernel that this machine can run.
#[derive(Clone, Copy)]
pub struct Instructions(Backend);

#[derive(Clone, Copy)]
enum Backend {
    Portable(Portable),
    TwoRegisters(TwoRegisters),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl std::fmt::Debug for Instructions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Instructions {
    /// The portable ones, which run anywhere.
    pub fn portable() -> Instructions {
        Instructions(Backend::Portable(Portable::new()))
    }

    /// All that this machine can run, the fastest first.
    pub fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::portable()];
        all.extend(
            TwoRegisters::detect().map(|kernel| Instructions(Backend::TwoRegisters(kernel))),
        );
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|avx2| Instructions(Backend::Avx2(avx2))));
            all.extend(Avx512::detect().map(|avx512| Instructions(Backend::Avx512(avx512))));
        }
        all.reverse();
        all
    }

    /// The fastest that this machine has, or those that the environment variable
    /// `COSETTE_INSTRUCTIONS` names, for tests and measurements.
    pub fn best() -> Instructions {
        static BEST: LazyLock<Instructions> = LazyLock::new(|| {
            let all = Instructions::all();
            let wanted = std::env::var("COSETTE_INSTRUCTIONS")
                .ok()
                .filter(|name| !name.is_empty());
            let named = wanted
                .as_ref()
                .map(|name| all.iter().find(|one| one.name().eq_ignore_ascii_case(name)));
            if let (Some(wanted), Some(None)) = (&wanted, named) {
                let names = all
                    .iter()
                    .map(|one| one.name())
                    .collect::<Vec<_>>()
                    .join(", ");
                tracing::warn!(%wanted, "this machine does not support these instructions, only \
                    {names}; using {}", all[0].name());
            }
            *named.flatten().unwrap_or(&all[0])
        });
        *BEST
    }

    /// Their name: `portable`, `ssse3`, `neon`, `simd128`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Backend::Portable(_) => "portable",
            Backend::TwoRegisters(_) => TwoRegisters::NAME,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => Avx2::NAME,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Backend::Portable(portable) => portable.enter(work),
            Backend::TwoRegisters(kernel) => kernel.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(avx2) => avx2.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(avx512) => avx512.enter(work),
        }
    }
}

#[cfg(test)]
mod tests;

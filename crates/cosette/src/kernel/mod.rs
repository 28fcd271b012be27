//! Index computation: from positions to entries of a table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. Its portable twin
//! ([`Portable`]) runs on any machine; [`Avx2`] does the same with 32-byte shuffles, [`Avx512`] with 64-byte ones. Which
//! one runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop, compiled for those
//! instructions from top to bottom.
//!
//! A probe takes four steps, each a short loop over a [`Queue`]: paint the neighbours, locate their entries and ask for
//! the lines, and, when something else was done in the meantime, read the bounds.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[allow(missing_docs)] // hidden
pub mod bench;
mod portable;
mod prefetch;
mod queue;
mod tables;

use crate::coord::{EdgeMap, EdgePainting, Layout};
use crate::cube::{Cube, Move};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::Avx512;
use portable::Portable;
pub use prefetch::Hint;
pub(crate) use prefetch::{prefetch, prefetch_near};
pub(crate) use queue::{Entries, Queue, SLACK};
use tables::KernelTables;

/// Room for a list of bits ([`Kernel::list`]).
pub(crate) const LISTED: usize = 32;

/// The operations of the hot loops. Every implementation gives the same results.
pub(crate) trait Kernel: Copy + Send + Sync {
    /// The product: first `a`, then `b`.
    fn compose(self, a: &Cube, b: &Cube) -> Cube;

    /// Queues the paintings of f⁻¹·q for the faces f whose bits are set, in their order; the quarter turns of a face share
    /// one.
    ///
    /// # Panics
    /// If the queue has not room for six more.
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>);

    /// Queues the painting of p·m.
    ///
    /// # Panics
    /// If the queue has no room.
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>);

    /// Finds where the entries of all queued paintings lie, and asks for their lines.
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>);

    /// Reads the bounds of all queued paintings.
    ///
    /// # Safety
    /// They must have been located in the same table.
    unsafe fn read<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>);

    /// Puts the lowest bytes of `bytes`, one after the other, where `mask` has bytes 0xff, and zeros elsewhere.
    fn spread(self, bytes: u64, mask: u64) -> u64;

    /// Lists the numbers of the bits of a set, the lowest first; what it writes past them means nothing.
    fn list(self, set: u32, numbers: &mut [u8; LISTED]);

    /// Bit i for each bound i that is at most limit i, as signed numbers.
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64;

    /// Sets the bit of each mapped painting at its offset.
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]);
}

/// A loop written over [`Kernel`].
pub(crate) trait Work {
    /// What it returns.
    type Output;
    /// Runs it. Must be `#[inline(always)]`, so that it is compiled for the instructions of the kernel.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// An implementation of the kernel that this machine can run.
#[derive(Clone, Copy)]
pub struct Instructions(Backend);

#[derive(Clone, Copy)]
enum Backend {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The portable ones, which run anywhere.
    pub fn portable() -> Instructions {
        Instructions(Backend::Portable(Portable::new()))
    }

    /// All that this machine can run, the fastest first.
    pub fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::portable()];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|avx2| Instructions(Backend::Avx2(avx2))));
            all.extend(Avx512::detect().map(|avx512| Instructions(Backend::Avx512(avx512))));
        }
        all.reverse();
        all
    }

    /// The fastest that this machine has.
    pub fn best() -> Instructions {
        Instructions::all()[0]
    }

    /// Their name: `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Backend::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Backend::Portable(portable) => work.run(portable),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(avx2) => avx2.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(avx512) => avx512.enter(work),
        }
    }
}

#[cfg(test)]
mod tests;

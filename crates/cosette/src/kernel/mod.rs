//! Index computation: from positions to coordinates of the table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. Its portable twin
//! ([`Portable`]) runs on any machine; [`Avx2`] does the same with 32-byte shuffles, and [`Avx512`] marks with 64-byte ones.
//! Which one runs is decided once, by [`Instructions::best`]; then [`Instructions::run`] enters the loop, compiled for those instructions from top to bottom.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod marks;
mod portable;
mod tables;

use crate::coord::{EdgeMap, EdgePainting, Layout, Place};
use crate::cube::{Cube, Move};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use avx512::Avx512;
use portable::Portable;
use tables::KernelTables;

/// Room for the paintings of several cosets: the raw coordinates of their corners and their edges.
#[repr(C, align(32))]
pub(crate) struct Paintings<const N: usize> {
    pub edges: [EdgePainting; N],
    pub corners: [u32; N],
}

impl<const N: usize> Paintings<N> {
    /// Paintings that mean nothing yet.
    pub const EMPTY: Paintings<N> = Paintings { edges: [EdgePainting([0; 16]); N], corners: [0; N] };
}

/// Asks the processor to fetch what lies at an address, past the first-level cache: with `prefetcht1` more lines a second
/// arrive than with `prefetcht0`, which is bound by the few line-fill buffers.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        std::arch::asm!("prfm pldl2keep, [{address}]", address = in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

/// How many places of [`Paintings`] the neighbours of a position take: six, and two of padding.
pub(crate) const NEIGHBOURS: usize = 8;

/// The operations of the hot loops. Every implementation gives the same results.
pub(crate) trait Kernel: Copy + Send + Sync {
    /// The product: first `a`, then `b`.
    fn compose(self, a: &Cube, b: &Cube) -> Cube;

    /// The paintings of f⁻¹·q for the six faces f; the quarter turns of a face share one. Two places are padding.
    fn across(self, q: &Cube, edges: &mut [EdgePainting; NEIGHBOURS], corners: &mut [u32; NEIGHBOURS]);

    /// The painting of p·m: of its edges in `edges`, and the raw coordinate of its corners.
    fn ahead(self, p: &Cube, m: Move, edges: &mut EdgePainting) -> u32;

    /// Where the entries of two paintings lie, each given by its edges and the raw coordinate of its corners.
    ///
    /// # Safety
    /// The paintings must have come from [`Kernel::across`] or [`Kernel::ahead`]: the raw coordinates are below 153,090, the
    /// slices below three.
    unsafe fn places(self, edges: [&EdgePainting; 2], corners: [u32; 2], layout: Layout) -> [Place; 2];

    /// Asks for the class of the corners of a painting, which [`Kernel::places`] will look up.
    fn prefetch_class(self, corners: u32);

    /// Sets the bit of each mapped painting at its offset. The paintings are given by [`EdgePainting::to_bits`].
    ///
    /// # Panics
    /// If the bitmap has no bit for some entry of a class.
    ///
    /// # Safety
    /// The numbers must have come from there: each slice fills four slots.
    unsafe fn mark(self, map: &EdgeMap, paintings: &[u64], layout: Layout, bitmap: &mut [u64]);
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
pub struct Instructions(Choice);

#[derive(Clone, Copy)]
enum Choice {
    Portable(Portable),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The portable ones, which run anywhere.
    pub fn portable() -> Instructions {
        Instructions(Choice::Portable(Portable::new()))
    }

    /// All that this machine can run, the fastest first.
    pub fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::portable()];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|avx2| Instructions(Choice::Avx2(avx2))));
            all.extend(Avx512::detect().map(|avx512| Instructions(Choice::Avx512(avx512))));
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
            Choice::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx512(_) => "avx512",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Choice::Portable(portable) => work.run(portable),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(avx2) => avx2.enter(work),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx512(avx512) => avx512.enter(work),
        }
    }
}

#[cfg(test)]
mod tests;

//! Index computation: from positions to coordinates of the table, as fast as the processor allows.
//!
//! The loops that need it, search and generation, are written once over the trait [`Kernel`]. Its portable twin
//! ([`Portable`]) runs on any machine; [`Avx2`] does the same with 32-byte shuffles. Which one runs is decided once, by
//! [`Instructions::best`]; then [`Instructions::run`] enters the loop, compiled for those instructions from top to bottom.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;
mod tables;

use crate::coord::{EdgeMap, EdgePainting};
use crate::cube::{Cube, Face, Move};
#[cfg(target_arch = "x86_64")]
use avx2::Avx2;
use portable::Portable;
use tables::KernelTables;

/// What a position p shows of its coset H·p: the raw coordinate of its corners and the painting of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub(crate) struct Painting {
    pub edges: EdgePainting,
    pub corners: u32,
}

/// The paintings of the six neighbours f⁻¹·q, by face; quarter turns of a face share one. Two places are padding.
#[repr(C, align(32))]
pub(crate) struct Neighbours {
    pub edges: [EdgePainting; 8],
    pub corners: [u32; 8],
}

impl Neighbours {
    /// Room for six paintings.
    pub const EMPTY: Neighbours = Neighbours { edges: [EdgePainting([0; 16]); 8], corners: [0; 8] };

    /// The painting on the other side of the quarter turns of `face`.
    #[inline(always)]
    pub fn of(&self, face: Face) -> Painting {
        Painting { edges: self.edges[face.index()], corners: self.corners[face.index()] }
    }
}

/// How many of the twelve flips a table keeps, and where an entry lies within its class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries {
    pub kept_flips: u32,
}

impl Entries {
    /// The offset of an entry in its class.
    #[inline(always)]
    pub fn offset(self, placement: u32, flips: u32) -> u32 {
        placement << self.kept_flips | flips & ((1 << self.kept_flips) - 1)
    }
}

/// The operations of the hot loops. Every implementation gives the same results.
pub(crate) trait Kernel: Copy + Send + Sync {
    /// The product: first `a`, then `b`.
    fn compose(self, a: &Cube, b: &Cube) -> Cube;

    /// The paintings of f⁻¹·q for the six faces f.
    fn across(self, q: &Cube, neighbours: &mut Neighbours);

    /// The painting of p·m.
    fn ahead(self, p: &Cube, m: Move) -> Painting;

    /// The offsets of two mapped paintings in their classes.
    fn offsets(self, maps: [&EdgeMap; 2], paintings: [&EdgePainting; 2], entries: Entries) -> [u32; 2];

    /// Sets the bit of each mapped painting at its offset. The paintings are given by [`EdgePainting::to_bits`].
    fn mark(self, map: &EdgeMap, paintings: &[u64], entries: Entries, bitmap: &mut [u64]);
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
}

impl Instructions {
    /// The portable ones, which run anywhere.
    pub fn portable() -> Instructions {
        Instructions(Choice::Portable(Portable::new()))
    }

    /// The fastest that this machine has.
    pub fn best() -> Instructions {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Instructions(Choice::Avx2(avx2));
        }
        Instructions::portable()
    }

    /// Their name: `portable` or `avx2`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Choice::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(_) => "avx2",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Choice::Portable(portable) => work.run(portable),
            #[cfg(target_arch = "x86_64")]
            Choice::Avx2(avx2) => avx2.enter(work),
        }
    }
}

#[cfg(test)]
mod tests;

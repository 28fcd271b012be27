//! The operations of the hot loops, and the trait of the loops that are written over them.

use super::queue::{Entries, Queue};
use crate::coord::{EdgeMap, EdgePainting, Layout};
use crate::cube::{Cube, Move};

/// Room for a list of bits ([`Kernel::list`]).
pub(crate) const LISTED: usize = 32;

/// The operations of the hot loops. Every implementation gives the same results.
pub(crate) trait Kernel: Copy + Send + Sync {
    /// The product: first `a`, then `b`.
    fn compose(self, a: &Cube, b: &Cube) -> Cube;

    /// For probes on the other side: queues the paintings of f⁻¹·q for the faces f whose bits are set, in their order;
    /// the quarter turns of a face share one. Panics if the queue does not have room for eight more.
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>);

    /// For the probe of a child: queues the painting of p·m. Panics if the queue has no room.
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>);

    /// Computes the addresses of the entries of all queued paintings, and prefetches their lines.
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>);

    /// Reads the bounds of all queued paintings.
    ///
    /// # Safety
    /// This kernel must have located them in the same table, with nothing queued since.
    #[inline(always)]
    unsafe fn read<const N: usize>(self, queue: &mut Queue<N>, entries: &Entries<'_>) {
        // SAFETY: by the contract of this function.
        unsafe { queue.read_bounds(entries) };
    }

    /// Moves the lowest bytes of `bytes`, one after the other, to the places that are in `set`, six bits, with zeros elsewhere.
    fn expand(self, bytes: u64, set: u32) -> u64;

    /// Lists the numbers of the bits of a set, the lowest first; what is written after them has no meaning.
    fn list(self, set: u32, numbers: &mut [u8; LISTED]);

    /// Bit i for each bound i that is at most limit i, both read as signed numbers.
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

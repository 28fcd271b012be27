//! A batch of probes: paintings, their addresses in a table, and the bounds read there.

use super::prefetch::prefetch;
use crate::coord::{EdgePainting, EntryAddress, Layout, VALUES};

/// What a probe needs of a table.
#[derive(Clone, Copy)]
pub(crate) struct Entries<'a> {
    pub words: &'a [u64],
    pub layout: Layout,
    /// The bound for each alphabet, half of a pair and code ([`EntryAddress::value_in`]).
    pub values: &'a [u8; VALUES],
}

impl Entries<'_> {
    #[inline(always)]
    pub fn prefetch(&self, address: EntryAddress) {
        prefetch(self.words.as_ptr().cast::<u8>().wrapping_add(8 * address.word()));
    }
}

/// A batch of probes, filled and then cleared as a whole: paintings, with the addresses and bounds of their entries. Only
/// kernels add paintings, and only those of [`Cube`](crate::cube::Cube)s, which are positions that exist; so each of `corners`
/// is a corner index (`tables`), and locating the entries of any queue is sound.
///
/// Kernels work on eight at a time: they may write up to eight slots past the end, and read up to seven.
#[repr(C, align(64))]
pub(crate) struct Queue<const N: usize> {
    pub(super) edges: [EdgePainting; N],
    /// The corner indices of the paintings.
    pub(super) corners: [u64; N],
    pub(super) addresses: [EntryAddress; N],
    pub(super) bounds: [u8; N],
    pub(super) length: usize,
}

/// How many slots past the end a kernel may access.
pub(crate) const SLACK: usize = 8;

impl<const N: usize> Queue<N> {
    pub const EMPTY: Queue<N> = Queue {
        edges: [EdgePainting(0); N],
        corners: [0; N],
        addresses: [EntryAddress::FIRST; N],
        bounds: [0; N],
        length: 0,
    };

    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.length
    }

    #[inline(always)]
    pub fn bounds(&self) -> &[u8; N] {
        &self.bounds
    }

    #[cfg(test)]
    pub fn addresses(&self) -> &[EntryAddress] {
        &self.addresses[..self.length]
    }

    #[inline(always)]
    pub(super) fn push(&mut self, edges: EdgePainting, corners: u64) {
        assert!(self.length < N - SLACK);
        (self.edges[self.length], self.corners[self.length]) = (edges, corners);
        self.length += 1;
    }

    /// Queues those of six paintings whose bits are set.
    #[inline(always)]
    pub(super) fn push_some(&mut self, edges: [u64; 6], corners: [u64; 6], wanted: u32) {
        assert!(self.length + SLACK <= N);
        for i in 0..6 {
            (self.edges[self.length], self.corners[self.length]) = (EdgePainting(edges[i]), corners[i]);
            self.length += (wanted >> i & 1) as usize;
        }
    }

    /// Prefetches the lines of all located entries, one directly after the other, so that page walks overlap where the
    /// table exceeds the TLB. Kernels other than AVX-512 are faster so with any table (decision 38).
    #[inline(always)]
    pub(super) fn prefetch(&self, entries: &Entries<'_>) {
        for &address in &self.addresses[..self.length] {
            entries.prefetch(address);
        }
    }

    /// Reads all bounds, one by one: [`Kernel::read`](super::Kernel::read) without special instructions.
    ///
    /// # Safety
    /// As for [`Kernel::read`](super::Kernel::read).
    #[inline(always)]
    pub(super) unsafe fn read_bounds(&mut self, entries: &Entries<'_>) {
        // Many words first: with little else between them, more of these loads are under way at once. In WebAssembly, which cannot
        // prefetch, a search takes two thirds of the time.
        let mut words = [0; 128];
        let Queue { addresses, bounds, length, .. } = self;
        for (addresses, bounds) in addresses[..*length].chunks(words.len()).zip(bounds.chunks_mut(words.len())) {
            for (word, address) in words.iter_mut().zip(addresses) {
                debug_assert!(address.word() < entries.words.len());
                // SAFETY: by the contract of this function.
                *word = unsafe { *entries.words.get_unchecked(address.word()) };
            }
            for ((bound, address), &word) in bounds.iter_mut().zip(addresses).zip(&words) {
                *bound = entries.values[address.value_in(word) % VALUES];
            }
        }
    }
}

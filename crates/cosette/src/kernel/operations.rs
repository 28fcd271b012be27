//! The interface of the hot loops: the trait [`Kernel`] with its operations, the [`Queue`] of
//! probes that they fill, and prefetching.

use crate::coord::{EdgeMap, EdgePainting, EntryAddress, Layout, VALUES};
use crate::cube::{Cube, Move};

/// Room for a list of bits ([`Kernel::list`]).
pub(crate) const LISTED: usize = 32;

/// The operations of the hot loops. Every implementation gives the same results.
pub(crate) trait Kernel: Copy + Send + Sync {
    /// Returns the product: first `a`, then `b`.
    fn compose(self, a: &Cube, b: &Cube) -> Cube;

    /// Applies a move to a position p and its inverse q, given as `from`: sets `to` to p·m and
    /// m⁻¹·q if `side` is 0, and to m⁻¹·p and q·m if it is 1.
    #[inline(always)]
    fn turn(self, from: &[Cube; 2], side: usize, m: Move, to: &mut [Cube; 2]) {
        // A side is 0 or 1; `% 2` only spares bounds checks.
        let own = side % 2;
        let other = 1 - side % 2;
        to[own] = self.compose(&from[own], Cube::from_move(m));
        to[other] = self.compose(Cube::from_move(!m), &from[other]);
    }

    /// For probes on the other side: queues the paintings of f⁻¹·q for the faces f whose bits are
    /// set, in the order of the faces. Both quarter turns of a face give the same painting. Panics
    /// if the queue does not have room for [`SLACK`] more.
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>);

    /// For the probe of a child: queues the painting of p·m. Panics if the queue has no room.
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>);

    /// For the probes of children: calls [`Kernel::queue_child`] for each child.
    #[inline(always)]
    fn queue_children<'a, const N: usize>(
        self,
        children: impl ExactSizeIterator<Item = (&'a Cube, Move)>,
        queue: &mut Queue<N>,
    ) {
        for (p, m) in children {
            self.queue_child(p, m, queue);
        }
    }

    /// Computes the addresses of the entries of all queued paintings, and prefetches their lines.
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>);

    /// Reads the bounds of all queued paintings.
    ///
    /// # Safety
    /// This kernel must have located them in the same table, with nothing queued since.
    #[inline(always)]
    unsafe fn read<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>) {
        // SAFETY: by the contract of this function.
        unsafe { queue.read_bounds(entries) };
    }

    /// Moves the lowest bytes of `bytes`, in their order, to the places in `set`, a set of six
    /// bits. The other places get zeros.
    fn expand(self, bytes: u64, set: u32) -> u64;

    /// Expands the bytes of eight nodes, which follow each other in `bytes`; each byte of `sets` is
    /// the set of a node. The places in a set must be zero before; the other places do not change.
    #[inline(always)]
    fn expand_eight(self, bytes: &[u8; 64], sets: u64, places: &mut [u64; 8]) {
        let mut rest = &bytes[..];
        for (places, set) in places.iter_mut().zip(sets.to_le_bytes()) {
            let next = rest.first_chunk().expect("eight sets have six bits each");
            *places |= self.expand(u64::from_le_bytes(*next), set.into());
            // A set has at most six bits; `% 8` only spares a bounds check.
            rest = &rest[set.count_ones() as usize % 8..];
        }
    }

    /// Returns a set with bit 8 · i + j if byte j of number i exceeds byte i of `limits`. All these
    /// bytes are below 127.
    #[inline(always)]
    fn exceeding(self, numbers: &[u64; 8], limits: u64) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const TOPS: u64 = ONES << 7;
        let mut sets = [0; 8];
        for (i, set) in sets.iter_mut().enumerate() {
            let above = ((numbers[i] | TOPS) - ONES * ((limits >> (8 * i) & 0xff) + 1)) & TOPS;
            // The product gathers the top bits of the eight bytes in its highest byte.
            *set = ((above >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        }
        u64::from_le_bytes(sets)
    }

    /// Lists the numbers of the bits of a set, the lowest first; the bytes after them have no
    /// meaning.
    #[inline(always)]
    fn list(self, set: u32, numbers: &mut [u8; LISTED]) {
        // A set usually has few bits. At least four numbers are written, so that few branches are
        // mispredicted.
        let mut rest = set;
        for number in &mut numbers[..(set.count_ones() as usize).max(4)] {
            *number = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
        }
    }

    /// Returns a set with bit i if bound i is at most limit i, both read as signed numbers.
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64;

    /// Maps the paintings and sets the bit of each at its offset ([`Layout::offset`]).
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]);
}

/// A loop written over [`Kernel`].
pub(crate) trait Work {
    /// The result of the loop.
    type Output;
    /// Runs the loop. Must be `#[inline(always)]`, so that it is compiled for the instructions of
    /// the kernel.
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// The parts of a table that a probe reads.
#[derive(Clone, Copy)]
pub(crate) struct TableEntries<'a> {
    pub words: &'a [u64],
    pub layout: Layout,
    /// The bound for each alphabet, half of a pair and code ([`EntryAddress::value_in`]).
    pub values: &'a [u8; VALUES],
}

impl TableEntries<'_> {
    #[inline(always)]
    pub fn prefetch(&self, address: EntryAddress) {
        prefetch(
            self.words
                .as_ptr()
                .cast::<u8>()
                .wrapping_add(8 * address.word()),
        );
    }
}

/// A batch of probes, filled and then cleared as a whole: paintings, with the addresses and bounds
/// of their entries. Only kernels add paintings, and only those of [`Cube`]s, which are positions
/// that exist. So each of `corners` is a corner index (`lookup_tables`), and locating the entries
/// of any queue is sound.
///
/// Kernels work on eight probes at a time: they may write up to eight slots past the end and, as
/// they look ahead, read up to 23.
#[repr(C, align(64))]
pub(crate) struct Queue<const N: usize> {
    pub(super) edges: [EdgePainting; N],
    /// The corner indices of the paintings.
    pub(super) corners: [u64; N],
    pub(super) addresses: [EntryAddress; N],
    pub(super) bounds: [u8; N],
    pub(super) length: usize,
}

/// Number of slots past the end that a kernel may access.
pub(crate) const SLACK: usize = 24;

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
        self.edges[self.length] = edges;
        self.corners[self.length] = corners;
        self.length += 1;
    }

    /// Queues the paintings of the faces whose bits are set.
    #[inline(always)]
    pub(super) fn push_some(&mut self, edges: [u64; 6], corners: [u64; 6], faces: u32) {
        assert!(self.length + SLACK <= N);
        for i in 0..6 {
            self.edges[self.length] = EdgePainting(edges[i]);
            self.corners[self.length] = corners[i];
            self.length += (faces >> i & 1) as usize;
        }
    }

    /// Prefetches the lines of all located entries, one directly after the other: if the TLB does
    /// not cover the table, page walks then overlap. Kernels other than AVX-512 are faster in this
    /// way with any table (decision 38).
    #[inline(always)]
    pub(super) fn prefetch(&self, entries: &TableEntries<'_>) {
        for &address in &self.addresses[..self.length] {
            entries.prefetch(address);
        }
    }

    /// Reads all bounds, one by one: [`Kernel::read`] without special instructions.
    ///
    /// # Safety
    /// As for [`Kernel::read`].
    #[inline(always)]
    pub(super) unsafe fn read_bounds(&mut self, entries: &TableEntries<'_>) {
        // Loads many words first: with little else between them, more loads are under way at once.
        // In WebAssembly, which cannot prefetch, a search then takes two thirds of the time.
        let mut words = [0; 128];
        let Queue {
            addresses,
            bounds,
            length,
            ..
        } = self;
        for (addresses, bounds) in addresses[..*length]
            .chunks(words.len())
            .zip(bounds.chunks_mut(words.len()))
        {
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

/// Prefetches the line at an address, past the first-level cache: with `prefetcht1` more lines per
/// second arrive than with `prefetcht0`, which is limited by the few line-fill buffers.
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
        std::arch::asm!(
            "prfm pldl2keep, [{address}]",
            address = in(reg) address,
            options(nostack, readonly, preserves_flags),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

/// Prefetches the line at an address into the first-level cache.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn prefetch_near<T>(address: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch of any address is harmless.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

//! The second half of `mark`: from mapped paintings to bits.
//!
//! A kernel maps a batch of paintings and leaves the halves of their placements and their flips in a [`Batch`]; then their
//! ranks are looked up and their bits set. Done painting by painting, each step would wait for the store of the one before
//! to be read back: 1.9 ns a mark instead of 1.45 (AVX-512, six flips).

use crate::coord::{FIRST_SLOT, Layout, PLACEMENTS, PlacementRanks};

/// Mapped paintings, in the layout of an `EdgeMap`.
#[repr(C, align(64))]
pub(super) struct Batch {
    /// The halves of a placement as digits to the base three, in the first and third number of each four.
    pub halves: [[u32; 4]; Batch::SIZE],
    /// The top bit of each byte.
    pub flips: [u16; Batch::SIZE],
}

impl Batch {
    /// How many paintings a batch holds.
    pub const SIZE: usize = 32;

    /// A batch that means nothing yet.
    pub const EMPTY: Batch = Batch { halves: [[0; 4]; Batch::SIZE], flips: [0; Batch::SIZE] };

    /// Sets the bits of the first `fours` times four paintings.
    ///
    /// # Safety
    /// They must be placements of slices, four of each, and the bitmap must have a bit for each entry of a class.
    #[inline(always)]
    pub unsafe fn set_bits(&self, fours: usize, ranks: &PlacementRanks, layout: Layout, bitmap: &mut [u64]) {
        debug_assert!(bitmap.len() * 64 >= PLACEMENTS << layout.kept_flips);
        let halves = self.halves.as_chunks::<4>().0.iter();
        for (halves, flips) in halves.zip(self.flips.as_chunks::<4>().0).take(fours) {
            for i in 0..4 {
                // SAFETY: by the contract of this function: six slices are a number below 729, and the offset lies in the
                // class.
                unsafe {
                    let rank = ranks.rank_unchecked(halves[i][0], halves[i][2]);
                    let mut offset = layout.offset(rank, u32::from(flips[i]) >> FIRST_SLOT);
                    std::arch::asm!("/* {0:e} */", inout(reg) offset, options(pure, nomem, nostack, preserves_flags));
                    *bitmap.get_unchecked_mut(offset as usize / 64) |= 1 << (offset % 64);
                }
            }
        }
    }
}

/// Up to [`Batch::SIZE`] paintings, the last one repeated to the end.
#[inline(always)]
pub(super) fn padded(paintings: &[u64]) -> [u64; Batch::SIZE] {
    let mut padded = [paintings[paintings.len() - 1]; Batch::SIZE];
    padded[..paintings.len()].copy_from_slice(paintings);
    padded
}

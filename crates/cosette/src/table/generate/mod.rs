//! Generating a table backwards from solved, by gathering.
//!
//! Each class of corner paintings is generated separately: its entries are a bitmap that fits in
//! cache, and no other thread writes to it. The *seeds* of a class are known beforehand (`seeds`):
//! all paintings within D moves of solved that have the class's representative as their corners. A
//! painting p with the class's representative as its corners lies at distance D + n if and only if
//! a canonical word w of length n brings it to a seed at distance D (and no shorter word does). So
//! for each w, look up the class and symmetry of (representative · w): every seed of that class,
//! conjugated back and followed by w⁻¹, is such a p. One shuffle and one relabeling, the same for
//! all seeds of a word, map them to their entries; the kernel sets the bits of these.
//!
//! ```text
//! for each level 0, 1, 2, … base + 2:
//!     the words of length max(0, level − D), the seeds at distance level − (length of the words):
//!         for each word w: mark the seeds of class(representative · w), mapped
//!     keep a copy of the bitmap from base − 6 on
//! pack the copies into codes
//! ```
//!
//! Seeds for which w would only find duplicates, a quarter of all, are left out (`seeds`). Nearly
//! all the time is spent in the last level: 1.5·10¹⁰ marks for the 1.5G table, some 2 ns each on
//! one thread. Half of that is spent waiting for a line of the bitmap, which is in the second-level
//! cache; prefetching the lines, or huge pages for the bitmap, gained nothing.

mod class;
mod partial_table;
mod seeds;

#[cfg(test)]
pub(in crate::table) use class::tests;
#[cfg(feature = "files")]
pub(crate) use class::{GenerationPlan, Scratch};
pub use partial_table::PartialTable;

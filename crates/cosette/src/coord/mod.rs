//! Coordinates and symmetry classes: what a pruning table indexes.
//!
//! # Paint opposite faces alike
//!
//! Give the cube three colours, one for each axis. What can still be seen of a position is its *painting*: for each
//! corner slot the tetrad of the cubie there and its twist, for each edge slot the slice of the cubie and its flip.
//! (A *tetrad* is one of the two sets of four corners that half turns permute, a *slice* the four edges between two opposite
//! faces.) Half turns of the solved cube do not change the painting; the positions with the painting of the solved cube are the
//! *target subgroup* H, of order 4!⁵/2 = 3,981,312, which contains the group that half turns generate. Two positions
//! have the same painting if and only if they lie in one coset H·p, so
//!
//! - a half turn done *before* a position does not change its painting: H·f2·p = H·p;
//! - for the two quarter turns of a face, H·f·p = H·f2·f′·p = H·f′·p: their paintings are one and the same.
//!
//! The search exploits these two facts (`search`). All 48 symmetries map H to itself, so paintings can be conjugated.
//!
//! # The coordinate
//!
//! Corners have C(8,4) · 3⁷ = 153,090 paintings, in 3,393 classes under the 48 symmetries ([`CornerClasses`]). Edges
//! have 12!/4!³ = 34,650 placements of the slices and 2¹¹ flips ([`EdgePainting`]). A position is conjugated by the
//! symmetry that brings its corners to the representative of their class; the class, the placement of the edges and the
//! flips of the first `h` edge slots are its coordinate:
//!
//! ```text
//! index(p) = (class, (placement · 2^h) | flips)       0 ≤ class < 3,393,   0 ≤ placement < 34,650
//! ```
//!
//! With h = 11 this would be the painting modulo symmetry (but for classes with a stabilizer, where paintings that
//! differ by it have different indices). Each flip left out halves the table, and an entry then bounds the least distance
//! of the 2^(11 − h) paintings that share it. This family of coordinates is that of H48 (research by Tronto and others) and of
//! cube48opt.

mod corners;
mod edges;
mod layout;

pub(crate) use corners::CornerMoves;
pub use corners::{CornerClasses, CornerPainting};
pub(crate) use edges::{EdgeMap, FLIPPED, MAPPED_FLIP, PlacementRanks, edge_conjugations, placement_ranks};
pub use edges::{EdgePainting, PLACEMENTS};
pub(crate) use layout::{
    ALPHABET_SHIFT, ENTRIES_PER_LINE, ENTRIES_PER_WORD, EntryAddress, Layout, VALUES, WORDS_PER_LINE,
};

//! Thistlethwaite's four stages (M. B. Thistlethwaite, 1981, as printed in D. Singmaster, "Notes on Rubik's Magic
//! Cube").
//!
//! # Theory
//!
//! Fewer and fewer moves are allowed. Each subgroup in the chain
//!
//! ```text
//! G0 = ⟨U, D, R, L, F, B⟩ ⊃ G1 = ⟨U, D, R, L, F2, B2⟩ ⊃ G2 = ⟨U, D, R2, L2, F2, B2⟩ ⊃ G3 = ⟨U2, D2, R2, L2, F2, B2⟩ ⊃ 1
//! ```
//!
//! has few cosets in the one before. A stage brings a position of its group into the next subgroup, by moves that
//! generate its group; so after four stages the position is solved. It sees only the coset of the position:
//!
//! | stage | cosets | what is seen |
//! |---|---|---|
//! | G0 → G1 | 2,048 | the flips of the edges |
//! | G1 → G2 | 1,082,565 = 2,187 · 495 | the twists of the corners; the slots of the edges between U and D |
//! | G2 → G3 | 29,400 = 420 · 70 | the corners up to the 96 arrangements that half turns make; the slices of the edges |
//! | G3 → 1 | 663,552 = 96 · 6,912 | where the corners are; where the edges are |
//!
//! Thistlethwaite found solutions of each stage by hand and by computer, of 7, 13, 15 and 17 moves at most: 52 in all.
//! The distances within the stages are all computed here, by breadth-first search, and the largest are 7, 10, 13 and
//! 15: so 45 moves are always enough.
//!
//! ```text
//! for each stage
//!     until its distance is zero
//!         do a move of its group after which the distance is one less
//! ```
//!
//! # Departures
//!
//! 1. What a stage sees is a product of two *coordinates*, such as twists and slots. The values of each are numbered as
//!    moves from the solved position first show them ([`Coordinate`]); that all products occur is what the counts of
//!    the cosets prove.
//! 2. Of several moves that reduce the distance, the first is taken. Moves may cancel between stages,
//!    which the canonical form uses.

mod coordinate;
mod engine;
mod experiment;
mod stage;

pub use coordinate::Coordinate;
pub use engine::{ORIGINAL_DIAMETERS, Thistlethwaite};
pub use experiment::stages;
pub use stage::Stage;

//! Fewest-moves solving: skeletons of EO, DR, HTR and finish, as competitors find them by hand, on
//! the scramble and on its inverse (NISS).
//!
//! | module | contents |
//! |---|---|
//! | [`pipeline`] | the sequence of steps, parsed from one line |
//! | [`trigger`] | triggers: the last moves of a domino reduction |
//! | [`reduction`] | reductions, and moves on the two sides (NISS) |
//! | [`status`] | reductions of a position, and the bad pieces of each step |
//! | [`steps`] | all solutions of one step |
//! | [`skeleton`], [`search`] | skeletons of all steps; the search for the best ones |
//! | [`insert`] | insertions: the best places for the algorithm that finishes a skeleton |
//! | [`request`] | requests for one scramble |
//! | [`notation`] | skeletons in the notation of competitors, and as JSON |
//! | [`writeup_check`] | the checker of write-ups |

pub mod insert;
pub mod notation;
pub mod pipeline;
pub mod reduction;
pub mod request;
pub mod search;
pub mod skeleton;
pub mod status;
pub mod steps;
pub mod trigger;
pub mod writeup_check;

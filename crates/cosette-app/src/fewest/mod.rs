//! Fewest moves: skeletons of steps that people find by hand, eo > dr > htr > finish, on the scramble and on its inverse.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pipeline`] | the steps, as one line |
//! | [`trigger`] | how a domino reduction ends |
//! | [`reached`] | what a step reaches, and the two sides of moves |
//! | [`here`] | which pieces are in the way of each step |
//! | [`steps`] | all ways to one step |
//! | [`skeleton`], [`search`] | skeletons of all steps; the search for the best ones |
//! | [`insert`] | the best places for what finishes a skeleton |
//! | [`request`] | what is asked of a scramble |
//! | [`mod@write`] | skeletons as competitors write them, and as JSON |
//! | [`writeup`] | a write-up, checked |

pub mod here;
pub mod insert;
pub mod pipeline;
pub mod reached;
pub mod request;
pub mod search;
pub mod skeleton;
pub mod steps;
pub mod trigger;
pub mod write;
pub mod writeup;

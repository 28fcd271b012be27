//! Fewest moves: skeletons of steps that people find by hand, eo > dr > htr > finish, on the scramble and on its inverse.
//!
//! | module | what it holds |
//! |---|---|
//! | [`pipeline`] | the steps, as one line |
//! | [`steps`] | all ways to one step |
//! | [`skeleton`] | the best skeletons of all steps |
//! | [`insert`] | the best places for what finishes a skeleton |
//! | [`mod@write`] | skeletons as competitors write them, and as JSON |

pub mod insert;
pub mod pipeline;
pub mod skeleton;
pub mod steps;
pub mod write;

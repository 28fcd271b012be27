//! The addon of Node: the solver as a native library, with the table folder of the command.
//!
//! JavaScript makes an `Engine`, which has a thread of its own for as long as it is open, and asks it with requests in JSON
//! (`addon.rs`). Events and the answer are passed to a function that is given with each request; Node runs until that
//! function has had the answer, and does not wait for an engine that was asked for nothing.

mod addon;
mod tables;

pub use tables::Place;

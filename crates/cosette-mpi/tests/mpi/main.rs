//! The command as a user starts it: by `mpirun`, with several ranks, on one host or on two.
//!
//! Tests that need `mpirun`, or two hosts, say so and pass if there is none.

mod batches;
mod killing;
mod ranks;
mod solving;
mod support;
mod tables;

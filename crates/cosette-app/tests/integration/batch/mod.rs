//! Batches as the front ends use them.

mod journals;
mod solving;
mod support;

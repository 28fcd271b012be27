//! Batches as the ways into Cosette use them.

mod journals;
mod solving;
mod support;

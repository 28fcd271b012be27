//! Lists, batches and journals as the front ends use them.

mod batch_journals;
mod batch_solving;
mod cases;
#[cfg(feature = "dataset")]
mod dataset;
mod questions;
mod search_records;
mod search_resuming;
mod support;

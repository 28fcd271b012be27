//! Lists, batches and journals as the front ends use them.

mod batch;
#[cfg(feature = "dataset")]
mod dataset;
mod lists;
mod questions;
mod search_journal;
mod support;
mod values;

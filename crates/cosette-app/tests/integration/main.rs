//! Batches and journals as the front ends use them.

mod batch;
mod search_journal;
mod support;
mod values;

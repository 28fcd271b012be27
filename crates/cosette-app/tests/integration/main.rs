//! Batches and journals as the front ends use them.

mod batch;
mod questions;
mod search_journal;
mod support;
mod values;

//! Journals of the search of one position.

mod records;
mod resuming;
mod support;

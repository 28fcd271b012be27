//! The command as a user meets it: what it prints, and its exit codes.

mod anytime;
mod bad_positions;
mod bad_tables;
mod batch;
mod bench;
mod check;
mod lab;
mod lee;
mod others;
mod solve;
mod stopping;
mod support;
mod tables;
mod usage;
mod waiting;

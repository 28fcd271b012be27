//! The command as a user meets it: what it prints, and its exit codes.

mod batch;
mod bench;
mod docs;
mod fmc;
mod golden;
mod misc_commands;
mod questions;
mod solve;
#[cfg(unix)]
mod stopping;
mod support;
mod tables;
mod usage_errors;

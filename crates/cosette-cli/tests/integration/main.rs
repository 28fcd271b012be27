//! The command as a user meets it: what it prints, and its exit codes.

mod bench;
mod docs;
mod golden;
mod questions;
#[cfg(target_os = "linux")]
mod sessions;
#[cfg(unix)]
mod stopping;
mod support;
mod tables;
mod terminal;

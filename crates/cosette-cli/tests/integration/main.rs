//! The command as a user meets it: what it prints, and its exit codes.

mod batch;
mod bench;
mod fmc;
mod lab;
mod others;
mod questions;
mod refused;
mod solve;
#[cfg(unix)]
mod stopping;
mod support;
mod tables;

//! The HTTP API as a client sees it: the server runs as a separate process.

mod document;
mod exchanges;
mod guard;
mod load_test;
mod questions;
mod solving;
mod stopping;
mod support;
mod tables;
mod token;

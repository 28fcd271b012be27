//! The HTTP API as a client sees it: the server runs as a separate process.

mod document;
mod fmc;
mod guard;
mod load_test;
mod positions;
mod questions;
mod resources;
mod solving;
mod stopping;
mod support;
mod tables;
mod token;

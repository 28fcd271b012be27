//! The HTTP API as a client sees it: the server runs as a separate process.

mod document;
mod fewest;
mod guard;
mod load;
mod positions;
mod questions;
mod resources;
mod solving;
mod stopping;
mod support;
mod tables;
mod token;

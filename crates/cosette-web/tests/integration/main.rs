//! The HTTP API as a client sees it: the server runs as a separate process.

mod access;
mod exchanges;
mod searches;
mod support;
mod tables;

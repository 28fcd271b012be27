//! The solver for JavaScript, for the npm package in `npm/`: as a WebAssembly module, and as an addon of Node.
//!
//! Requests and their answers are JSON (`requests.rs`), and are the same for both. Between two requests, `session.rs` keeps the
//! table and the search. What differs is who asks, where tables are, and how a long search is stopped: `wasm.rs` and `node.rs`, one of
//! which is compiled.

mod requests;
mod session;

#[cfg(not(target_family = "wasm"))]
mod node;
#[cfg(target_family = "wasm")]
mod wasm;

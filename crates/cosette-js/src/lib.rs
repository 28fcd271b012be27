//! The solver for JavaScript, for the npm package in `npm/`: as a WebAssembly module, and as a Node
//! addon.
//!
//! Requests and results are JSON (`requests.rs`), and are the same for both. Between two requests,
//! `session.rs` holds the table and the search. The two differ in the caller, the location of
//! tables, and the way to stop a long search: `wasm.rs` and `node.rs`, one of which is compiled.

mod requests;
mod session;

#[cfg(not(target_family = "wasm"))]
mod node;
#[cfg(target_family = "wasm")]
mod wasm;

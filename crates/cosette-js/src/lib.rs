//! The solver for JavaScript, for the npm package in `npm/`: as a WebAssembly module, and as a Node
//! addon.
//!
//! Both have the same requests and results, which are JSON (`requests.rs`). Between two requests,
//! `session.rs` holds the table and the search. The module (`wasm.rs`) and the addon (`node.rs`)
//! differ in the caller, the location of tables, and the way to stop a long search. Only one of
//! these two files is compiled.

#[cfg(any(not(target_family = "wasm"), feature = "threads"))]
mod many;
#[cfg(not(feature = "threads"))]
mod reader;
mod requests;
mod session;

#[cfg(not(target_family = "wasm"))]
mod node;
#[cfg(target_family = "wasm")]
mod wasm;

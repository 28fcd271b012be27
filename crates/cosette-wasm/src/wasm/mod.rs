//! The WebAssembly module.
//!
//! The host calls one function, `call`, with a request in JSON, and gets the answer in JSON. What the module needs of the host
//! are files by their numbers (`host.rs`) and, with threads, workers that share its memory (`npm/threads.js`). A long search or
//! generation is stopped by setting the byte at `stop_flag`, where the memory is shared; else the host asks for slices of
//! time, between which it can stop. The host clears the byte before it asks for something.
//!
//! Before the first call, the host calls `_initialize`, which prepares the C library (`build.rs`).

mod exports;
mod heap;
mod host;
mod tables;

pub use tables::{Partial, Place};

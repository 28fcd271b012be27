//! Cosette proves the shortest solution of any Rubik's Cube position.

pub mod coord;
pub mod cube;
mod kernel;
mod progress;
pub mod search;
pub mod table;

pub use kernel::Instructions;
pub use progress::{Cancel, OnProgress, Progress};

//! Cosette proves the shortest solution of any Rubik's Cube position.

pub mod cube;

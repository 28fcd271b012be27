//! x

pub mod bound;
pub mod classes;
pub mod coset;
pub mod table;
pub mod view;

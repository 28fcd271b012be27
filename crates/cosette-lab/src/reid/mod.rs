//! x

pub mod classes;
pub mod coset;
pub mod table;

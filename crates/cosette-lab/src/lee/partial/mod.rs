//! Heuristics from partial problems.
pub mod ball;
pub mod forward;
pub mod painting;
pub mod partials;
pub mod problem;
pub mod selection;

//! The library against known counts, the obvious solver, and the laws that hold on paper; its files against damage.

mod engine;
mod examples;
mod formats;
mod generation;
mod group_laws;
mod notation;
mod obvious_solver;
mod oracles;
mod parts;
mod support;
mod table_files;
mod twophase;

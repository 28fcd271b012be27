//! The tables that searches share.

use super::distance_table::DistanceTable;
use super::error::CosetError;
use super::members::{BITMAP, MemberBitmap};
use crate::control::{Control, Threads};
use crate::cube::Metric;
use crate::platform::available_memory;
use std::sync::OnceLock;

/// Returns the memory of a search, in bytes, including its tables.
pub fn memory_bytes() -> u64 {
    DistanceTable::bytes() + 2 * BITMAP as u64
}

/// The tables that searches share: 806 MB.
pub struct CosetTables {
    pub(super) metric: Metric,
    pub(super) members: MemberBitmap,
    distances: OnceLock<DistanceTable>,
}

impl CosetTables {
    /// Creates the tables without computing them. They are computed when the first level is
    /// searched; levels that are restored from a file do not need them.
    pub fn new(metric: Metric) -> CosetTables {
        CosetTables {
            metric,
            members: MemberBitmap::new(),
            distances: OnceLock::new(),
        }
    }

    /// Computes the tables, in some 15 CPU seconds. The unit of progress is a level of the
    /// breadth-first search for distances.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory for the tables and a search, if threads
    /// cannot be started, or on cancellation.
    pub fn generate(metric: Metric, control: &Control<'_>) -> Result<CosetTables, CosetError> {
        if memory_bytes() > available_memory() {
            return Err(too_little_memory());
        }
        let tables = CosetTables::new(metric);
        tables.distances(control)?;
        Ok(tables)
    }

    pub(super) fn distances(&self, control: &Control<'_>) -> Result<&DistanceTable, CosetError> {
        if let Some(distances) = self.distances.get() {
            return Ok(distances);
        }
        let generate = |threads: &Threads| {
            DistanceTable::generate(self.metric, threads, &control.step("distances of cosets"))
        };
        let distances = Threads::run(control.threads(), generate)?;
        let missing = || {
            if control.is_cancelled() {
                CosetError::Cancelled
            } else {
                too_little_memory()
            }
        };
        let distances = distances.ok_or_else(missing)?;
        Ok(self.distances.get_or_init(|| distances))
    }
}

/// Returns the error that there is too little memory for a search and its tables.
pub(super) fn too_little_memory() -> CosetError {
    CosetError::TooLittleMemory {
        needed: memory_bytes(),
        available: available_memory(),
    }
}

//! The common parts of the front ends of Cosette: the commands, the web app, and the Python and
//! JavaScript packages.
//!
//! | module | contents |
//! |---|---|
//! | [`request`] | requests for a position: goal and limits |
//! | [`engine`] | engines, one of which needs no table; they turn a request into a result |
//! | [`goal_engine`] | the engine for goals: parts of the cube, and other turns than face turns |
//! | [`solve_result`] | the result for a position |
//! | [`events`] | events and failures as JSON |
//! | [`name`] | named positions, such as `T-perm: R U R' …`, and texts for several positions |
//! | [`position`] | checks of texts, and scrambles of cases |
//! | [`solution_format`] | formats of printed solutions |
//! | [`remedies`] | help texts of errors, for each audience |
//! | [`units`] | parsing and formatting of tables, amounts of memory and times |
//! | [`estimate`] | estimates of the time to generate a table and to solve a cube |
//!
//! With the feature `files`:
//!
//! | module | contents |
//! |---|---|
//! | `journal` | files of records that survive a crash |
//! | `journal_error` | errors of journals, and how to fix them |
//! | `batch` | solving many positions, with a journal |
//! | `search_journal` | the progress of the search of one position, in a journal |
//! | `random` | random numbers without a seed |
//!
//! With the feature `dataset`, `dataset` writes positions with proven lengths in common file
//! formats. With the feature `cli`, `cli` has the common parts of the commands.

use std::sync::{Mutex, MutexGuard, PoisonError};

pub mod engine;
pub mod estimate;
pub mod events;
pub mod goal_engine;
pub mod name;
pub mod position;
pub mod remedies;
pub mod request;
pub mod solution_format;
pub mod solve_result;
pub mod units;

#[cfg(feature = "files")]
pub mod batch;
#[cfg(feature = "files")]
pub mod journal;
#[cfg(feature = "files")]
pub mod journal_error;
#[cfg(feature = "files")]
pub mod search_journal;

#[cfg(feature = "dataset")]
pub mod dataset;

#[cfg(feature = "cli")]
pub mod cli;

/// Locks a mutex, even after a panic in another thread.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Random numbers without a seed.
#[cfg(feature = "files")]
pub mod random {
    use rand::rand_core::UnwrapErr;
    use rand::rngs::SysRng;

    /// Returns the random numbers of the operating system. Unlike those of a generator in memory,
    /// they differ in forked processes.
    pub fn system() -> UnwrapErr<SysRng> {
        UnwrapErr(SysRng)
    }
}

//! Cosette proves the shortest solution of any Rubik's Cube position.
//!
//! ```no_run
//! let solution = cosette::solve("R U2 F'")?;
//! println!("{solution}: {} moves, proven", solution.length());
//! # Ok::<(), cosette::Error>(())
//! ```
//!
//! [`solve`] reads a position in any format, loads the best pruning table on disk, or generates one, and searches. A
//! [`Solver`] is kept for more than one position:
//!
//! ```no_run
//! use cosette::{Cube, Solver};
//! use std::time::Duration;
//!
//! let solver = Solver::open("2G")?;
//! let position: Cube = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse()?;
//! let report = solver.search(&position).all().timeout(Duration::from_secs(60)).run();
//! println!("at least {} moves; {} solutions", report.lower_bound, report.solutions.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | solve one position | [`solve`], [`Solver::solve`]; `examples/solve_one.rs` |
//! | find all solutions, with events, limits and a timeout | [`Solver::search`]; `examples/all_solutions.rs` |
//! | solve many positions | [`Solver::solve_many`]; `examples/solve_many.rs` |
//! | choose the table, its folder, memory and threads | [`Solver::builder`]; `examples/own_tables.rs` |
//! | read, write and multiply positions | [`Cube`], [`cube`]; `examples/positions.rs` |
//! | generate, load and check tables | [`table`], [`Control`] |
//! | search on many machines, keep a journal | [`search::distributed`] |
//! | understand how it works | [`search`], [`twophase`], ARCHITECTURE.md; `src/coord` is what a table indexes |
//!
//! What is not in this documentation though it is `pub` (`coord`, `block_file`, packed tables) is shared with the lab, the
//! benchmarks and the tests of this repository, and may change at any time.

#[doc(hidden)]
pub mod block_file;
pub mod control;
#[doc(hidden)]
pub mod coord;
pub mod cube;
mod kernel;
mod remedy;
pub mod search;
pub mod table;
pub mod twophase;

pub use control::{Cancel, CancelReason, Control, Progress, ThreadCount};
pub use cube::{Cube, Metric, Move, Moves, ReadError, Sequence};
pub use remedy::Remedy;
pub use search::{Report, Solution, Solver};
pub use table::choice::OpenError;
pub use table::{Table, TableError, TableId};

use std::sync::{Mutex, PoisonError};

/// Why [`solve`] has no solution.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text does not show a position of the cube.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no table to solve with.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// A shortest solution, proven, of a position in any format: moves that lead to it, 54 facelets, Reid's pieces, Speffz cycles.
///
/// The first call loads the best table in the user's cache folder, or generates one of 240 MB there, which takes some
/// seconds. It is kept in memory for later calls. [`Solver`] has more to choose from.
///
/// ```no_run
/// let solution = cosette::solve("R U2 F'")?;
/// assert_eq!((solution.to_string(), solution.length()), ("F U2 R'".to_owned(), 3));
/// # Ok::<(), cosette::Error>(())
/// ```
///
/// # Errors
/// If the text does not show a position, or if there can be no table: too little memory, a damaged file.
pub fn solve(position: &str) -> Result<Solution, Error> {
    static SOLVER: Mutex<Option<Solver>> = Mutex::new(None);
    let position: Cube = position.parse()?;
    let solver = {
        let mut solver = SOLVER.lock().unwrap_or_else(PoisonError::into_inner);
        match &*solver {
            Some(solver) => solver.clone(),
            None => solver.insert(Solver::builder().open()?).clone(),
        }
    };
    Ok(solver.solve(&position))
}

/// What tests and benchmarks need of the engine.
#[doc(hidden)]
pub mod bench {
    pub use crate::kernel::bench::*;
    pub use crate::kernel::{Hint, Instructions};
    pub use crate::table::random_lines::{Access, LineRate, RandomLines};
}

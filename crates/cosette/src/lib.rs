//! Cosette finds a shortest solution of any Rubik's Cube position and proves that no shorter one
//! exists.
//!
//! ```no_run
//! let solution = cosette::solve("R U2 F'")?;
//! println!("{solution}: {} moves, proven", solution.length());
//! # Ok::<(), cosette::Error>(())
//! ```
//!
//! [`solve`] parses a position in any format, loads the best pruning table on disk (or generates
//! one), and searches. Create a [`Solver`] for more than one position:
//!
//! ```no_run
//! use cosette::{Cube, Solver};
//! use std::time::Duration;
//!
//! let solver = Solver::open("1.5G")?;
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
//! | solve many positions, also with limits | [`Solver::solve_many`], `Solver::search_many`; `examples/solve_many.rs` |
//! | search from async code | `examples/async_search.rs`, with tokio |
//! | print the JSON that the command and the HTTP API print | `SolveResult` (feature `serde`) |
//! | choose the table, its folder, memory and threads | [`Solver::builder`]; `examples/own_tables.rs` |
//! | solve a part of the cube, with any turns | [`goal`] |
//! | generate scrambles of a position | [`twophase::scrambles`] |
//! | read, write and multiply positions | [`Cube`], [`cube`]; `examples/positions.rs` |
//! | generate, load and check tables | [`table`], [`Control`] |
//! | search on many machines, keep a journal | [`search::distributed`] |
//! | understand how it works | [`search`], [`twophase`], ARCHITECTURE.md; how tables are indexed: `src/coord/mod.rs` |
//! | look up a term: coset, bound, probe, root task | docs/glossary.md |
//!
//! # Tables and time limits
//!
//! - The table is generated on first use. Build with `--release`: without optimization, that takes
//!   minutes.
//! - If the user's cache folder is not writable, the table is generated in memory each time;
//!   [`Solver::save_error`] has the reason. A folder that you name must be writable, unless the
//!   table is there.
//! - With [`TwoPhaseMode::Upfront`], [`best_known`](search::Report::best_known) is a solution,
//!   without proof, even if the time runs out. It is `None` if the time runs out before the first
//!   solution, which takes milliseconds ([`Search::timeout`]).
//!
//! # Features
//!
//! | feature | |
//! |---|---|
//! | `files` (default) | folders of tables: [`solve()`], `Solver::open`; without it, [`table::Storage`] |
//! | `threads` (default) | more than one thread, and `Solver::solve_many` and related methods |
//! | `serde` | `SolveResult`, the answer as JSON; positions, options, reports and checkpoints can be serialized |
//! | `openapi` | schemas of `SolveResult` for OpenAPI documents, by `utoipa`; includes `serde` |
//!
//! The crate needs `std`: tables take threads, files and gigabytes, and even [`cube`], which takes
//! none of them, allocates all texts and errors. Without default features it runs wherever `std`
//! compiles, also as WebAssembly.
//!
//! Items that are `pub` but missing from this documentation (`coord`, `block_file`, `numbers`,
//! packed tables) are internal: other crates of this repository use them, and they may change at
//! any time. Where the text of a module names another module without a link, such as `line`, that
//! module is private; the head of its source file explains it.

#![warn(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// Builds without some features lack items that the documentation links to.
#![cfg_attr(
    not(all(feature = "files", feature = "threads")),
    allow(rustdoc::broken_intra_doc_links)
)]

#[doc(hidden)]
pub mod block_file;
pub mod control;
#[doc(hidden)]
pub mod coord;
// Its bitmap alone is larger than what 32 bits address.
#[cfg(target_pointer_width = "64")]
pub mod coset;
pub mod cube;
pub mod goal;
mod kernel;
#[doc(hidden)]
pub mod numbers;
mod platform;
mod remedy;
pub mod search;
pub mod table;
#[cfg_attr(
    not(target_pointer_width = "64"),
    expect(dead_code, reason = "only whole cosets use some of it")
)]
pub mod twophase;

pub use control::{Cancel, CancelReason, Control, Progress, ThreadCount};
pub use cube::{
    Cube, CubeError, DisplayMoves, Format, Metric, Move, ParseError, Sequence, Symmetry,
};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use platform::set_clock;
/// The version of `rand` whose generators [`Cube::random`] takes.
pub use rand;
pub use remedy::{Remedy, TableFile};
#[cfg(feature = "threads")]
pub use search::SolveMany;
#[cfg(feature = "serde")]
pub use search::SolveResult;
#[cfg(feature = "files")]
pub use search::SolverBuilder;
#[cfg(feature = "files")]
pub use search::solver::{Error, solve};
pub use search::{
    Event, IterationStats, Options, Outcome, Report, Search, Solution, SolutionCount, Solver,
    TwoPhaseMode,
};
#[cfg(feature = "files")]
pub use table::TableFolder;
#[cfg(feature = "files")]
pub use table::choice::OpenError;
pub use table::{Table, TableError, TableId, TableSize, UnknownTable};
#[cfg(feature = "files")]
#[doc(hidden)]
pub use {block_file::sync_folder_of, platform::try_lock};

/// Internals of the engine for tests and benchmarks.
#[doc(hidden)]
pub mod bench {
    pub use crate::kernel::Instructions;
    pub use crate::kernel::bench::*;
    #[cfg(feature = "files")]
    pub use crate::table::random_lines::{INSTRUCTIONS, OverlapMeasurement};
}

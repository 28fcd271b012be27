//! Cosette proves the shortest solution of any Rubik's Cube position.
//!
//! A position is read ([`cube::read_position`]) or made; a pruning table is filled or loaded ([`table`]); a
//! [`search::Solver`] finds the shortest solutions and proves that there is none shorter.
//!
//! ```no_run
//! use cosette::cube::{Metric, ReadOptions, parse_moves};
//! use cosette::search::{Options, Solver};
//! use cosette::table::{Table, TableId};
//! use cosette::Cancel;
//! use std::{num::NonZeroUsize, sync::Arc};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let threads = NonZeroUsize::new(2).unwrap();
//! let id = TableId { metric: Metric::Htm, size: "240M".parse()? };
//! let table = Table::generate(id, threads, &|_| {}, &Cancel::new())?;
//! let position = parse_moves("R U2 F'", &ReadOptions::default())?.position();
//! let report = Solver::new(Arc::new(table), threads).solve(&position, &Options::default(), &|_| {}, &Cancel::new());
//! assert_eq!(report.length(), Some(3));
//! # Ok(())
//! # }
//! ```

pub mod coord;
pub mod cube;
mod kernel;
mod progress;
pub mod search;
pub mod table;
pub mod twophase;

pub use kernel::Instructions;
#[doc(hidden)]
pub use kernel::bench as kernel_bench;
pub use progress::{Cancel, OnProgress, Progress};

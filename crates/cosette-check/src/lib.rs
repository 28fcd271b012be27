//! Checks the answers of any optimal solver, ours or another.
//!
//! The model of the cube is made from geometry alone: 54 facelets at points in space, which a turn
//! rotates about an axis. It shares no code with the library `cosette`: no numbering of moves or
//! pieces, no parser and no table. So no error in `cosette` can hide itself by being repeated here.
//!
//! ```
//! let mut check = cosette_check::Check::new(6);
//! check.check_line("example", 1, "R U F, F' U' R'");
//! check.check_line("example", 2, "R U F, F' U' R");
//! let report = check.finish();
//! assert_eq!(report.faults[0].to_string(), "example:2: `F' U' R` does not solve the position");
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `geometry` | the facelets, the turns and the symmetries of the cube |
//! | `near_solved` | exact distances near the solved cube, by brute force |
//! | `record` | the formats of answers: JSON, CSV, or `position, solution` |
//! | `check` | the checks of single answers, and of all answers together |

#![warn(missing_docs)]

mod check;
#[doc(hidden)] // the tests of the library `cosette` read turns with it
pub mod geometry;
mod near_solved;
mod record;

pub use check::{Check, CheckReport, Fault};

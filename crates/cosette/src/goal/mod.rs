//! Goals: the shortest way to a part of the cube, with any turns, and proven.
//!
//! A [`Goal`] is a set of positions, such as those with a solved cross, [`Turns`] are the turns that may be made and what they cost,
//! and a [`GoalSolver`] finds the cheapest sequences of them that lead from a position to the goal, one or all, and those that cost
//! a little more.
//!
//! ```
//! use cosette::goal::{Goal, GoalSolver, Turns};
//! use cosette::{Control, Cube};
//!
//! let goal: Goal = "cross:D".parse()?;
//! let solver = GoalSolver::new(&goal, &Turns::default(), &Control::default())?;
//! let scramble: Cube = "D2 F R' B U L'".parse()?;
//! let report = solver.search(&scramble).all().run();
//! assert_eq!(report.least, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The pattern databases take some seconds for a goal of many pieces. [`GoalSolver::on_demand`] builds them when a search needs them:
//! one for a solution of a few turns does not. A time limit can count for them as well, and another thread may stop both:
//!
//! ```
//! use cosette::goal::{GoalSolver, TurnMetric, Turns};
//! use cosette::{Cancel, Control};
//! use std::time::Duration;
//!
//! let cancel = Cancel::new(); // a clone of it, in any thread, stops the work by `cancel()`
//! let limit = cancel.child_with_timeout(Duration::from_secs(60));
//! let turns = Turns::read("R U F M", TurnMetric::Stm, "M2=2")?;
//! let control = Control::default().with_cancel(&limit);
//! let solver = GoalSolver::on_demand(&"1x2x3:DL".parse()?, &turns, control.threads());
//! let report = solver.search(&"F R' U".parse()?).control(&control).run();
//! for found in &report.found {
//!     println!("{:?}, {} in all; {:?}", found.turns, found.cost, report.outcome);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! A goal asks something of each piece (`mask`). What it tells apart of the corners and of the edges is numbered
//! (`coordinate`), breadth-first searches over several of these numbers at once give the exact cost of reaching a part of the goal
//! (`bounds`), the largest of these is a lower bound, and IDA* searches sequences of turns, each once
//! and not in other orders of turns that commute (`turns`, `deepening`, `iteration`). Before the tables are there, the patterns around
//! the goal give such a bound for solutions of a few turns (`perimeter`). Places of a goal, such as the six faces of a cross, are
//! one goal seen from different sides: they share the tables, and their searches go on together.
//!
//! # Which goals there are
//!
//! ```text
//! goal     = one { "|" one }                     any of these: places of one goal, or positions
//! one      = item { item }                       what all items ask together
//!          | "auf" [ ":" face ]                  the whole cube, but for a turn of a face
//!          | position                            exactly this: moves, 54 facelets …, as positions are read
//! item     = name [ ":" place ]                  cross, 2x2x2:DLF, eo:FB …; without a place, each is tried
//!          | piece                               UF, DFR: this piece is solved
//!          | "edges" | "corners"                 all of them
//!          | "{" piece { piece } "}"             these are in these slots in any order, oriented
//!          | "placed(" pieces ")"                in their slots, turned or not
//!          | "oriented(" pieces ")"              neither flipped nor twisted, wherever they are
//!          | 54 facelets                         those with a dot may have any colour
//! ```
//!
//! Places are goals each by itself: a solution for one may lead through another. Positions are one goal together.
//! `UF UR` are pieces: what can be read as names and pieces is. `U F` is a position.

mod alike;
mod bounds;
mod coordinate;
mod databases;
mod deepening;
mod ease;
mod error;
mod facelets;
mod iteration;
mod mask;
mod names;
mod perimeter;
mod place;
mod reach;
mod search;
mod turns;
mod whole;
mod words;

pub use ease::ease;
pub use error::GoalError;
pub use names::{Goal, NAMES, Named};
pub use search::{Found, GoalReport, GoalSearch, GoalSolver, Unfinished};
pub use turns::{TurnMetric, Turns, TurnsError, UnknownTurnMetric};

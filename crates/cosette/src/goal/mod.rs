//! Provably cheapest solutions for goals other than the solved cube: a cross, a block, a subgroup,
//! or any set of pieces, with any set of allowed turns and turn costs.
//!
//! A [`Goal`] is a set of positions, such as all positions with a solved cross. [`TurnSet`] defines
//! the allowed turns and their costs. A [`GoalSolver`] finds the cheapest sequences of turns from a
//! position to the goal: one, all, or all within a given slack.
//!
//! # Examples
//!
//! Find all shortest solutions of the cross on D:
//!
//! ```
//! use cosette::goal::{Goal, GoalSolver, TurnSet};
//! use cosette::{Control, Cube};
//!
//! let goal: Goal = "cross:D".parse()?;
//! let solver = GoalSolver::new(&goal, &TurnSet::default(), &Control::default())?;
//! let scramble: Cube = "D2 F R' B U L'".parse()?;
//! let report = solver.search(&scramble).all().run();
//! assert_eq!(report.lower_bound, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Building the pattern databases takes a few seconds for a goal with many pieces.
//! [`GoalSolver::on_demand`] delays this until a search needs the databases; a search that finds a
//! solution of a few turns does not. A timeout can cover both the build and the search, and both
//! can be cancelled from another thread:
//!
//! ```
//! use cosette::goal::{GoalSolver, TurnMetric, TurnSet};
//! use cosette::{Cancel, Control};
//! use std::time::Duration;
//!
//! // To stop the work, call `cancel()` on a clone of this token, from any thread.
//! let cancel = Cancel::new();
//! let limit = cancel.child_with_timeout(Duration::from_secs(60));
//! let turns = TurnSet::parse("R U F M", TurnMetric::Stm, "M2=2")?;
//! let control = Control::default().with_cancel(&limit);
//! let solver = GoalSolver::on_demand(&"1x2x3:DL".parse()?, &turns, control.threads());
//! let report = solver.search(&"F R' U".parse()?).control(&control).run();
//! for solution in &report.solutions {
//!     println!("{solution} costs {}", solution.cost);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Algorithm
//!
//! 1. A goal constrains the slot and orientation of each piece (`definition`, `parse`).
//! 2. The arrangements of corners and of edges that the goal distinguishes are ranked as
//!    coordinates (`coordinate`).
//! 3. Breadth-first searches over combinations of coordinates build pattern databases, which hold
//!    the exact cost of solving part of the goal (`pattern_database`).
//! 4. IDA* with the maximum of these costs as its admissible heuristic enumerates canonical
//!    sequences of turns (`search`, `iteration`). Sequences whose consecutive turns about one axis
//!    have the same total effect form a class; the cheapest one is canonical (`turns`).
//! 5. Until the databases exist, the patterns within a few turns of the goal, its *perimeter*,
//!    serve as a heuristic for short solutions (`heuristic`).
//! 6. The group that the turns generate shows whether they can solve the constrained pieces
//!    together (`reachability`).
//! 7. An automaton checks the required prefix and suffix and the forbidden sequences
//!    (`constraints`).
//!
//! The variants of a goal, such as the cross on each of the six faces, are rotations of one
//! another. They share their pattern databases, and one search covers all of them.
//!
//! # Goal syntax
//!
//! ```text
//! goal     = alternative { "|" alternative }     any of these: variants of one goal, or positions
//! alternative
//!          = item { item }                       all of these constraints
//!          | "auf" [ ":" face ]                  solved up to a turn of one face
//!          | position                            exactly this position: moves, 54 facelets, …
//! item     = name [ ":" variant ]                cross:D, 2x2x2:DLF, …; a name alone: any variant
//!          | piece                               UF, DFR: this piece is solved
//!          | "edges" | "corners"                 all edges, all corners
//!          | "{" piece { piece } "}"             these pieces fill these slots in any order, oriented
//!          | "placed(" pieces ")"                in their slots, in any orientation
//!          | "oriented(" pieces ")"              correctly oriented, in any slot
//!          | 54 facelets                         a dot matches any color
//! ```
//!
//! Variants are separate goals: a solution for one may pass through another. Alternative positions
//! form a single goal. Text that can be read both as pieces and as moves is read as pieces: `UF UR`
//! names two pieces, `U F` is a position.

mod constraints;
mod coordinate;
mod definition;
mod heuristic;
mod iteration;
mod parse;
mod pattern_database;
mod reachability;
mod search;
mod solver;
mod turns;

pub use definition::{Goal, NAMED_GOALS, NamedGoal};
pub use iteration::GoalSolution;
pub use parse::GoalError;
pub use search::{GoalReport, GoalSearch};
pub use solver::{BuildCancelled, GoalSolver};
pub use turns::{TurnMetric, TurnSet, TurnSetError, UnknownTurnMetric};

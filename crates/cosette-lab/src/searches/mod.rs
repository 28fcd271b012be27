//! The plain searches (Nargolkar 2006, chapter 2): small and generic.
//!
//! | search | takes next | finds | stores |
//! |---|---|---|---|
//! | [`breadth_first`] | the state found first | fewest actions | all states |
//! | [`deepening`] | the state found last, to a threshold that rises | least cost | the path |
//! | [`greedy`] | the least estimate | something | all states |
//! | [`uniform_cost`] | the least cost so far | least cost | all states |
//! | [`a_star`] | the least sum of both | least cost, if no estimate is too high | all states |
//!
//! A node is *generated* when an action makes a state, whether or not that state is known already; it is *stored* while
//! the search keeps it.

mod best_first;
mod deepening;
mod experiment;
mod problem;

pub use best_first::{a_star, breadth_first, greedy, uniform_cost};
pub use deepening::deepening;
pub use experiment::{CubeProblem, searches};
pub use problem::{PlainLimits, PlainResult, Problem};

//! IDA*, with any lower bound.
//!
//! Iterative deepening A* (Korf 1985) searches depth first along the canonical sequences to a threshold, and raises it
//! until a solution is found. A node whose depth and lower bound exceed the threshold is cut.
//!
//! ```text
//! for threshold = bound of the position, …
//!     descend(position, threshold):
//!         for each move m that may follow the last one
//!             child = position · m                                          a node generated
//!             unless bound(child) exceeds what remains
//!                 nothing remains: test whether it is solved                a test
//!                 else descend(child, what remains)
//! ```
//!
//! Departures: 1. There is a stack instead of a recursion, and some nodes are taken from it together, so that the bounds of
//! all their children can be waited for at once ([`LowerBound::prune`]); what a complete iteration counts is the same. 2. The
//! first moves of a long iteration are tried by one thread, and their survivors are tasks that threads take one by one; the
//! counts of a complete iteration do not depend on how many threads there are. 3. Where the position has symmetry, it
//! may be used to try one of each class of first moves only; the counts are then those of the smaller tree.

mod bound;
mod iteration;
mod part;
mod search;
mod trace;

pub use bound::{LowerBound, Open};
pub use iteration::{Ida, IdaIteration, IdaLimits};
pub use part::{Cut, IdaPart};
pub use search::IdaResult;
pub use trace::Visit;

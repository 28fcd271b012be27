//! A* (Hart, Nilsson and Raphael 1968): the least sum of the cost so far and the estimate first.
//!
//! No state on a way of the least cost has a sum above that cost, if no estimate is too high; so none that costs more is
//! taken before the goal.

use super::frontier::best_first;
use super::{Found, Limits, Problem};

/// Finds a way of the least cost, if no estimate exceeds what is left.
pub fn a_star<P: Problem>(problem: &P, limits: &Limits<'_>) -> Found<P::Action> {
    best_first(problem, limits, |cost, estimate| (cost + estimate, estimate))
}

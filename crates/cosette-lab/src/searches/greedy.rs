//! Greedy best-first search: the least estimate first, and the shortest way among equals.

use super::frontier::best_first;
use super::{Found, Limits, Problem};

/// Finds a way, seldom one of the least cost.
pub fn greedy<P: Problem>(problem: &P, limits: &Limits<'_>) -> Found<P::Action> {
    best_first(problem, limits, |cost, estimate| (estimate, cost))
}

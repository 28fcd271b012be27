//! Greedy best-first search: the least estimate first, whatever the way has cost.

use super::frontier::best_first;
use super::{Found, Limits, Problem};

/// Finds a way, seldom one of the least cost.
pub fn greedy<P: Problem>(problem: &P, limits: &Limits<'_>) -> Found<P::Action> {
    best_first(problem, limits, |_cost, estimate| estimate)
}

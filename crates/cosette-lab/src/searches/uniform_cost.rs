//! Uniform-cost search (Dijkstra 1959): the least cost so far first, whatever is left.

use super::frontier::best_first;
use super::{Found, Limits, Problem};

/// Finds a way of the least cost.
pub fn uniform_cost<P: Problem>(problem: &P, limits: &Limits<'_>) -> Found<P::Action> {
    best_first(problem, limits, |cost, _estimate| (cost, 0))
}

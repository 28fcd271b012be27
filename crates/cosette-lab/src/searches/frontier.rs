//! Best-first search, of which the greedy, the uniform-cost and the A* search are three kinds.
//!
//! ```text
//! a frontier of the start
//! until the frontier is empty
//!     take the state with the least priority
//!     a goal: done
//!     put each successor into the frontier that is new, or is reached at less cost than before
//! ```

use super::tree::Tree;
use super::{Found, Limits, Problem};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Finds a way, with the priority that `priority` makes of the cost so far and the estimate of what is left; where its first
/// numbers are equal the second ones decide, and then the state seen first is taken.
pub(super) fn best_first<P: Problem>(
    problem: &P,
    limits: &Limits<'_>,
    priority: impl Fn(u32, u32) -> (u32, u32),
) -> Found<P::Action> {
    let mut tree = Tree::<P>::new(problem.start());
    let mut frontier = BinaryHeap::from([Reverse(((0, 0), 0, 0))]);
    while let Some(Reverse((_, number, cost))) = frontier.pop() {
        if tree.cost(number) < cost {
            continue; // it was taken already, at less cost
        }
        let state = tree.state(number).clone();
        if problem.is_goal(&state) {
            return tree.found(Some(number));
        }
        for successor in problem.successors(&state, None) {
            if let Some(number) = tree.add(number, successor) {
                let cost = tree.cost(number);
                let priority = priority(cost, problem.estimate(tree.state(number)));
                frontier.push(Reverse((priority, number, cost)));
            }
            if limits.are_reached(tree.generated, tree.stored()) {
                return tree.found(None);
            }
        }
    }
    tree.found(None)
}

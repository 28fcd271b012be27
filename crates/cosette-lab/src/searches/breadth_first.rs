//! Breadth-first search.
//!
//! ```text
//! a queue of the start
//! until the queue is empty
//!     take the first state; for each successor that was never seen
//!         a goal: done
//!         put it at the end of the queue
//! ```
//!
//! States are found in the order of the actions they need, whatever those cost.

use super::tree::Tree;
use super::{Found, Limits, Problem};

/// Finds a way of the fewest actions.
pub fn breadth_first<P: Problem>(problem: &P, limits: &Limits<'_>) -> Found<P::Action> {
    let mut tree = Tree::<P>::new(problem.start());
    if problem.is_goal(&problem.start()) {
        return tree.found(Some(0));
    }
    // States are numbered as they are found: the numbers are the queue.
    let mut next = 0;
    while next < tree.stored() as usize {
        let state = tree.state(next).clone();
        for successor in problem.successors(&state, None) {
            let known = tree.stored();
            if let Some(number) = tree.add(next, successor).filter(|&number| number as u64 == known)
                && problem.is_goal(tree.state(number))
            {
                return tree.found(Some(number));
            }
            if limits.are_reached(tree.generated, tree.stored()) {
                return tree.found(None);
            }
        }
        next += 1;
    }
    tree.found(None)
}

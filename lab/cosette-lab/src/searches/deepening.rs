//! Depth-first search with iterative deepening.
//!
//! ```text
//! for threshold = 0, then the least cost that exceeded the last one, …
//!     descend(start):
//!         nothing remains: a goal ends the search
//!         for each successor whose cost is within the threshold: descend(successor)
//! ```
//!
//! Nothing but the path is stored, so states are generated again wherever several ways lead to them. Goals of lower cost
//! were ruled out by the thresholds before. Where no way leads to a goal and states repeat, only the limits end it.

use super::{PlainLimits, PlainResult, Problem};
use std::ops::ControlFlow::{self, Break, Continue};

/// Finds a way of the least cost.
pub fn deepening<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    let mut threshold = 0;
    let mut descent = Descent { problem, limits, path: Vec::new(), next: None, generated: 0, stored: 1 };
    loop {
        let end = descent.descend(&problem.start(), threshold);
        let actions = match (end, descent.next.take()) {
            (Break(is_goal), _) => is_goal.then_some(descent.path),
            (Continue(()), Some(excess)) => {
                threshold += excess;
                continue;
            }
            (Continue(()), None) => None,
        };
        return PlainResult { actions, generated: descent.generated, stored: descent.stored };
    }
}

/// An iteration under way.
struct Descent<'a, P: Problem> {
    problem: &'a P,
    limits: &'a PlainLimits<'a>,
    path: Vec<P::Action>,
    /// By how much the threshold was exceeded at least.
    next: Option<u32>,
    generated: u64,
    stored: u64,
}

impl<P: Problem> Descent<'_, P> {
    /// Searches below a state; ends with whether it has found a goal, or else given up.
    fn descend(&mut self, state: &P::State, remaining: u32) -> ControlFlow<bool> {
        if remaining == 0 && self.problem.is_goal(state) {
            return Break(true);
        }
        for (action, cost, successor) in self.problem.successors(state, self.path.last().copied()) {
            if cost > remaining {
                let excess = cost - remaining;
                self.next = Some(self.next.map_or(excess, |next| next.min(excess)));
                continue;
            }
            self.generated += 1;
            self.path.push(action);
            self.stored = self.stored.max(self.path.len() as u64 + 1);
            if self.limits.are_reached(self.generated, self.stored) {
                return Break(false);
            }
            self.descend(&successor, remaining - cost)?;
            self.path.pop();
        }
        Continue(())
    }
}

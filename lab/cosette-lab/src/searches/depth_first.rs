//! Depth-first search without deepening.
//!
//! ```text
//! descend(start):
//!     a goal ends the search
//!     unless the path costs as much as it may: for each successor that the path has not passed: descend(successor)
//! ```
//!
//! Only the path is stored. Without a limit the search might never come back; with one it finds a goal if there is one within
//! the limit, but not one of least cost.

use super::{PlainLimits, PlainResult, Problem};
use std::ops::ControlFlow::{self, Break, Continue};

/// Finds a way that costs at most `most`: the first in the order of the actions.
pub fn depth_first<P: Problem>(problem: &P, most: u32, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    let mut descent = Descent { problem, limits, path: Vec::new(), states: Vec::new(), generated: 0, stored: 1 };
    let end = descent.descend(problem.start(), most);
    let actions = (end == Break(true)).then_some(descent.path);
    PlainResult { actions, generated: descent.generated, stored: descent.stored }
}

struct Descent<'a, P: Problem> {
    problem: &'a P,
    limits: &'a PlainLimits<'a>,
    path: Vec<P::Action>,
    /// The states on the path.
    states: Vec<P::State>,
    generated: u64,
    stored: u64,
}

impl<P: Problem> Descent<'_, P> {
    /// Searches below a state; ends with whether it has found a goal, or else given up.
    fn descend(&mut self, state: P::State, remaining: u32) -> ControlFlow<bool> {
        if self.problem.is_goal(&state) {
            return Break(true);
        }
        self.states.push(state.clone());
        for (action, cost, successor) in self.problem.successors(&state, self.path.last().copied()) {
            if cost > remaining || self.states.contains(&successor) {
                continue;
            }
            self.generated += 1;
            self.path.push(action);
            self.stored = self.stored.max(self.path.len() as u64 + 1);
            if self.limits.are_reached(self.generated, self.stored) {
                return Break(false);
            }
            self.descend(successor, remaining - cost)?;
            self.path.pop();
        }
        self.states.pop();
        Continue(())
    }
}

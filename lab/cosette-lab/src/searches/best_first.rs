//! The searches that store all states: breadth first, and best first with three kinds of priority.
//!
//! ```text
//! breadth first                                            best first
//! a queue of the start                                     a frontier of the start
//! until the queue is empty                                 until the frontier is empty
//!     take the first state; for each new successor             take the state with the least priority
//!         a goal: done                                          a goal: done
//!         put it at the end of the queue                       put in each successor that is new, or reached at less cost
//! ```

use super::{PlainLimits, PlainResult, Problem};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Finds a way of the fewest actions.
pub fn breadth_first<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
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

/// Greedy best-first search: the least estimate first, and the shortest way among equals. The way it finds is seldom one of the
/// least cost.
pub fn greedy<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    best_first(problem, limits, |cost, estimate| (estimate, cost))
}

/// Uniform-cost search (Dijkstra 1959): the least cost so far first, whatever is left. Finds a way of the least cost.
pub fn uniform_cost<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    best_first(problem, limits, |cost, _estimate| (cost, 0))
}

/// A* (Hart, Nilsson and Raphael 1968): the least sum of the cost so far and the estimate first. Finds a way of the least cost,
/// if no estimate exceeds what is left: no state on such a way has a sum above its cost, so no state with a larger sum is
/// taken before the goal.
pub fn a_star<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    best_first(problem, limits, |cost, estimate| (cost + estimate, estimate))
}
/// Finds a way, with the priority that `priority` makes of the cost so far and the estimate of what is left; where its first
/// numbers are equal the second ones decide, and then the state seen first is taken.
pub(super) fn best_first<P: Problem>(
    problem: &P,
    limits: &PlainLimits<'_>,
    priority: impl Fn(u32, u32) -> (u32, u32),
) -> PlainResult<P::Action> {
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

/// A state, and the cheapest way to it so far.
struct Entry<P: Problem> {
    state: P::State,
    cost: u32,
    /// The state before, and the action that led from it to this one.
    from: Option<(usize, P::Action)>,
}

/// All states seen.
pub(super) struct Tree<P: Problem> {
    entries: Vec<Entry<P>>,
    numbers: HashMap<P::State, usize>,
    pub generated: u64,
}

impl<P: Problem> Tree<P> {
    /// The tree of nothing but the first state, which has the number 0.
    pub fn new(start: P::State) -> Tree<P> {
        Tree {
            numbers: HashMap::from([(start.clone(), 0)]),
            entries: vec![Entry { state: start, cost: 0, from: None }],
            generated: 0,
        }
    }

    /// Adds what an action leads to from a state. Gives its number if it is new, or was reached at a higher cost before.
    pub fn add(&mut self, from: usize, (action, cost, state): (P::Action, u32, P::State)) -> Option<usize> {
        self.generated += 1;
        let cost = self.cost(from) + cost;
        let from = Some((from, action));
        match self.numbers.get(&state) {
            Some(&number) if self.entries[number].cost > cost => {
                (self.entries[number].cost, self.entries[number].from) = (cost, from);
                Some(number)
            }
            Some(_) => None,
            None => {
                let number = self.entries.len();
                self.numbers.insert(state.clone(), number);
                self.entries.push(Entry { state, cost, from });
                Some(number)
            }
        }
    }

    /// The state with this number.
    pub fn state(&self, number: usize) -> &P::State {
        &self.entries[number].state
    }

    /// What it costs to come to it, as far as is known.
    pub fn cost(&self, number: usize) -> u32 {
        self.entries[number].cost
    }

    /// How many states are stored.
    pub fn stored(&self) -> u64 {
        self.entries.len() as u64
    }

    /// What has been found: the way to the state `goal`, or nothing.
    pub fn found(&self, goal: Option<usize>) -> PlainResult<P::Action> {
        let way = |goal: usize| {
            let mut actions: Vec<P::Action> = Vec::new();
            let mut here = goal;
            while let Some((before, action)) = self.entries[here].from {
                actions.push(action);
                here = before;
            }
            actions.reverse();
            actions
        };
        PlainResult { actions: goal.map(way), generated: self.generated, stored: self.stored() }
    }
}

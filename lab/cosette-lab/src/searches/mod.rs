//! The plain searches (Nargolkar 2006, chapter 2): small and generic.
//!
//! | search | takes next | finds | stores |
//! |---|---|---|---|
//! | [`breadth_first`] | the state found first | fewest actions | all states |
//! | [`depth_first`] | the state found last, to a limit | something | the path |
//! | [`deepening`] | the state found last, to a threshold that rises | least cost | the path |
//! | [`greedy`] | the least estimate | something | all states |
//! | [`uniform_cost`] | the least cost so far | least cost | all states |
//! | [`a_star`] | the least sum of both | least cost, if no estimate is too high | all states |
//!
//! A node is *generated* when an action makes a state, whether or not that state is known already; it is *stored* while
//! the search keeps it.
//!
//! # The searches that store all states: breadth first, and best first with three kinds of priority
//!
//! ```text
//! breadth first                                            best first
//! a queue of the start                                     a frontier of the start
//! until the queue is empty                                 until the frontier is empty
//!     take the first state; for each new successor             take the state with the least priority
//!         a goal: done                                          a goal: done
//!         put it at the end of the queue                       put in each successor that is new, or reached at less cost
//! ```
//!
//! # Depth-first search without deepening
//!
//! ```text
//! descend(start):
//!     a goal ends the search
//!     unless the path costs as much as it may: for each successor that the path has not passed: descend(successor)
//! ```
//!
//! Only the path is stored. Without a limit the search might never come back; with one it finds a goal if there is one within
//! the limit, but not one of least cost.
//!
//! # Depth-first search with iterative deepening
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

mod experiment;

pub use experiment::{CubeProblem, searches};

use cosette::Control;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hash::Hash;
use std::ops::ControlFlow::{self, Break, Continue};

/// What is searched: states, and actions that lead from one to another.
pub trait Problem {
    /// A state.
    type State: Clone + Eq + Hash;
    /// What leads from a state to another.
    type Action: Copy;

    /// The first state.
    fn start(&self) -> Self::State;

    /// The actions that are possible, what each costs (at least 1), and the state it leads to. A search that does not know
    /// which states it has seen gives the action that led here: then those that never need follow it may be left out.
    fn successors(
        &self,
        state: &Self::State,
        after: Option<Self::Action>,
    ) -> impl Iterator<Item = (Self::Action, u32, Self::State)>;

    /// Whether the search is over.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// An estimate of the cost to a goal.
    fn estimate(&self, state: &Self::State) -> u32;
}

/// When to give up.
#[derive(Clone, Copy, Debug)]
pub struct PlainLimits<'a> {
    /// After this many nodes generated.
    pub generated: u64,
    /// After this many nodes stored.
    pub stored: u64,
    /// On request, which is checked every few thousand nodes.
    pub control: &'a Control<'a>,
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainResult<A> {
    /// The actions that lead to a goal; `None` where there is no way, or the search gave up.
    pub actions: Option<Vec<A>>,
    /// Nodes generated.
    pub generated: u64,
    /// The most nodes stored at a time.
    pub stored: u64,
}

/// How many nodes are generated between two checks for cancellation.
const NODES_PER_CHECK: u64 = 1 << 12;

impl PlainLimits<'_> {
    /// Whether to give up.
    fn are_reached(&self, generated: u64, stored: u64) -> bool {
        generated > self.generated
            || stored > self.stored
            || generated.is_multiple_of(NODES_PER_CHECK) && self.control.is_cancelled()
    }
}

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
fn best_first<P: Problem>(
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
struct Tree<P: Problem> {
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

/// Finds a way that costs at most `most`: the first in the order of the actions.
pub fn depth_first<P: Problem>(problem: &P, most: u32, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    let mut descent = Descent::new(problem, limits, false);
    let end = descent.descend(problem.start(), most);
    descent.result(end == Break(true))
}

/// Finds a way of the least cost.
pub fn deepening<P: Problem>(problem: &P, limits: &PlainLimits<'_>) -> PlainResult<P::Action> {
    let mut threshold = 0;
    let mut descent = Descent::new(problem, limits, true);
    loop {
        match (descent.descend(problem.start(), threshold), descent.next.take()) {
            (Break(is_goal), _) => return descent.result(is_goal),
            (Continue(()), Some(excess)) => threshold += excess,
            (Continue(()), None) => return descent.result(false),
        }
    }
}

/// A depth-first search under way.
struct Descent<'a, P: Problem> {
    problem: &'a P,
    limits: &'a PlainLimits<'a>,
    /// Whether this is an iteration: only goals that cost just as much as it may are asked for, and states may be passed again.
    is_iteration: bool,
    path: Vec<P::Action>,
    /// The states on the path.
    states: Vec<P::State>,
    /// By how much the threshold was exceeded at least.
    next: Option<u32>,
    generated: u64,
    stored: u64,
}

impl<'a, P: Problem> Descent<'a, P> {
    fn new(problem: &'a P, limits: &'a PlainLimits<'a>, is_iteration: bool) -> Descent<'a, P> {
        let (path, states) = (Vec::new(), Vec::new());
        Descent { problem, limits, is_iteration, path, states, next: None, generated: 0, stored: 1 }
    }

    /// Searches below a state; ends with whether it has found a goal, or else given up.
    fn descend(&mut self, state: P::State, remaining: u32) -> ControlFlow<bool> {
        if (remaining == 0 || !self.is_iteration) && self.problem.is_goal(&state) {
            return Break(true);
        }
        self.states.push(state.clone());
        for (action, cost, successor) in self.problem.successors(&state, self.path.last().copied()) {
            if cost > remaining {
                let excess = cost - remaining;
                self.next = Some(self.next.map_or(excess, |next| next.min(excess)));
                continue;
            }
            if !self.is_iteration && self.states.contains(&successor) {
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

    fn result(self, is_goal: bool) -> PlainResult<P::Action> {
        let Descent { path, generated, stored, .. } = self;
        PlainResult { actions: is_goal.then_some(path), generated, stored }
    }
}

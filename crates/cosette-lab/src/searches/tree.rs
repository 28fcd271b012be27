//! The states that a search has seen, and how it came to each.

use super::{Found, Problem};
use std::collections::HashMap;

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
    pub fn found(&self, goal: Option<usize>) -> Found<P::Action> {
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
        Found { actions: goal.map(way), generated: self.generated, stored: self.stored() }
    }
}

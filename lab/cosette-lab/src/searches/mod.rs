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

mod best_first;
mod deepening;
mod depth_first;
mod experiment;

pub use best_first::{a_star, breadth_first, greedy, uniform_cost};
pub use deepening::deepening;
pub use depth_first::depth_first;
pub use experiment::{CubeProblem, searches};

use cosette::Control;
use std::hash::Hash;

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

//! What the tests of the simulation share.

use super::load::{Nanos, Solve, Task};
use super::network::Network;

/// A solve of tasks with these costs, predicted exactly.
pub fn solve(thresholds: &[&[Nanos]]) -> Solve {
    let task = |&cost: &Nanos| Task { cost, work: cost, solution: None };
    let thresholds = thresholds.iter().map(|costs| costs.iter().map(task).collect()).collect();
    Solve { thresholds, ..Solve::default() }
}

/// Cores, in ranks of this many threads, whose messages arrive at once.
pub fn ideal(cores: usize, threads: usize) -> Network {
    Network { service: 0, hand_over: 0, wakes: true, ..Network::ours((cores, threads), 0) }
}

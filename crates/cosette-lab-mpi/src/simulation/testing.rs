//! What the tests of the simulation share.

use super::load::{Nanos, Solve, Task};
use super::network::{Network, Service};

/// A solve of tasks with these costs, predicted exactly.
pub fn solve(thresholds: &[&[Nanos]]) -> Solve {
    let task = |&cost: &Nanos| Task { cost, work: cost, solution: None };
    let thresholds = thresholds.iter().map(|costs| costs.iter().map(task).collect()).collect();
    Solve { thresholds, ..Solve::default() }
}

/// Cores whose messages arrive at once.
pub fn ideal(cores: usize) -> Network {
    Network { cores, latency: 0, poll_interval: 0, ..Network::ours(cores, 0, Service::FREE) }
}

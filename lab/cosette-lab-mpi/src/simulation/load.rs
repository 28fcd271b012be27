//! The work of a solve as the simulation sees it: costs in nanoseconds.

use super::trace::{Threshold, Trace};
use cosette::search::SolutionCount;
use cosette_mpi::coordinator::MIN_NODES;

/// A span of simulated time in nanoseconds, or an instant as the time since the beginning.
pub type Nanos = u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// How long it takes.
    pub cost: Nanos,
    /// The work in it as the last threshold predicted it, in an arbitrary unit.
    pub work: u64,
    /// When its first solution is found, from its beginning.
    pub solution: Option<Nanos>,
}

/// A threshold: its root tasks, the most promising first.
pub type Tasks = Vec<Task>;

#[derive(Clone, Debug, Default)]
pub struct Solve {
    /// What one thread does while the others wait: the first thresholds, and the steps between thresholds.
    pub serial: Nanos,
    /// How long each rank takes to cut the position into root tasks.
    pub cut: Nanos,
    /// The thresholds that ranks share.
    pub thresholds: Vec<Tasks>,
    /// How long the last threshold before those took.
    pub before: Option<Nanos>,
}

impl Solve {
    /// The solve that was recorded. A threshold after one of few nodes is for the first rank alone. The time of a threshold is
    /// divided among its tasks by their nodes: a single task, of a few microseconds to a millisecond, could not be timed without its
    /// start and its end weighing too much.
    pub fn of(trace: &Trace) -> Solve {
        let nodes = |threshold: &Threshold| threshold.nodes.iter().sum::<u64>();
        let alone = trace.thresholds.iter().position(|threshold| nodes(threshold) >= MIN_NODES);
        let alone = alone.map_or(trace.thresholds.len(), |last| last + 1);
        let (alone, shared) = trace.thresholds.split_at(alone);
        let in_shared: f64 = shared.iter().map(|threshold| threshold.seconds).sum();
        Solve {
            serial: nanos(trace.seconds - in_shared),
            cut: nanos(trace.cut),
            thresholds: shared.iter().map(tasks).collect(),
            before: alone.last().map(|threshold| nanos(threshold.seconds)),
        }
    }

    /// How long one thread takes without any messages.
    pub fn by_one_thread(&self, wanted: SolutionCount) -> Nanos {
        self.serial + self.thresholds.iter().map(|tasks| one_after_the_other(tasks, wanted)).sum::<Nanos>()
    }
}

/// How long one thread takes for these tasks.
pub fn one_after_the_other<'a>(tasks: impl IntoIterator<Item = &'a Task>, wanted: SolutionCount) -> Nanos {
    until_solved(tasks, wanted).unwrap_or_else(|all| all)
}

/// When one thread that searches these tasks finds the first solution that is wanted; otherwise how long all of them take.
pub fn until_solved<'a>(tasks: impl IntoIterator<Item = &'a Task>, wanted: SolutionCount) -> Result<Nanos, Nanos> {
    let mut before = 0;
    for task in tasks {
        match task.solution {
            Some(solution) if wanted == SolutionCount::ONE => return Ok(before + solution),
            _ => before += task.cost,
        }
    }
    Err(before)
}

fn tasks(threshold: &Threshold) -> Tasks {
    let all: u64 = threshold.nodes.iter().sum();
    let cost = |nodes: u64| nanos(threshold.seconds * nodes as f64 / all as f64).max(1);
    let task = |(&nodes, &work)| Task { cost: cost(nodes), work, solution: None };
    let mut tasks: Tasks = threshold.nodes.iter().zip(&threshold.work).map(task).collect();
    for &(at, nodes) in &threshold.solutions {
        tasks[at].solution = Some(cost(nodes).min(tasks[at].cost));
    }
    tasks
}

/// Seconds in nanoseconds.
pub fn nanos(seconds: f64) -> Nanos {
    (seconds.max(0.0) * 1e9).round() as Nanos
}

/// Nanoseconds in seconds.
pub fn seconds(nanos: Nanos) -> f64 {
    nanos as f64 / 1e9
}

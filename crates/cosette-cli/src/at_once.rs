//! A good solution at once, so that there is something in hand while the shortest is searched.

use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move};
use cosette::twophase::{Limits, TwoPhase};
use std::thread;

/// So many nodes are spent on it, the same on every machine: somewhat more than a millisecond. Half of all positions have a
/// solution of 19 or 20 moves by then, and the others get the time they need for their first.
const NODES: u64 = 12_000;

/// Begins to fill its tables, which takes a thirtieth of a second, beside other work.
pub fn prepare(metric: Metric) {
    if metric != Metric::Htm {
        return;
    }
    if let Err(refused) = thread::Builder::new().spawn(TwoPhase::get) {
        tracing::debug!(%refused, "the tables of the two-phase search are filled when they are needed");
    }
}

/// A solution by two-phase search; none in the quarter-turn metric, where its solutions are far from the shortest.
pub fn solution(position: &Cube, metric: Metric, cancel: &Cancel) -> Option<Vec<Move>> {
    if metric != Metric::Htm {
        return None;
    }
    let limits = Limits { nodes: NODES, until_solved: true, ..Limits::default() };
    let found = TwoPhase::get().search(position, &limits, &mut |_| {}, cancel);
    tracing::debug!(nodes = found.nodes, length = found.solution.as_ref().map(Vec::len), "two-phase search");
    found.solution
}

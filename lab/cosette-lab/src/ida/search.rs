//! The iterations one after another.

use super::bound::LowerBound;
use super::iteration::{Ida, IdaIteration, IdaLimits, Run};
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, Symmetry};
use cosette::search::Outcome;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// What a search has found.
#[derive(Clone, Debug)]
pub struct IdaResult {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution is shorter than this.
    pub lower_bound: u8,
    /// Solutions of that length in canonical form, each re-applied to the position.
    pub solutions: Vec<Vec<Move>>,
    /// The iterations, by rising threshold.
    pub iterations: Vec<IdaIteration>,
    /// The symmetries that fix the position; the identity is the first.
    pub stabilizer: Vec<Symmetry>,
    /// How long it took in all.
    pub elapsed: Duration,
}

impl<B: LowerBound> Ida<'_, B> {
    /// The threshold that a search begins with.
    pub fn first_threshold(&self, position: &Cube, limits: &IdaLimits) -> u8 {
        let first = self.bound.bound(&self.bound.node(position), u8::MAX, &mut 0).max(limits.first);
        first + u8::from(self.step(limits) == 2 && (first % 2 == 1) != position.is_odd())
    }

    /// From one threshold to the next.
    pub fn step(&self, limits: &IdaLimits) -> u8 {
        1 + u8::from(limits.by_parity && self.metric == Metric::Qtm)
    }

    /// Finds shortest solutions. Calls `on_iteration` after each iteration, also after one that was not completed.
    pub fn search(
        &self,
        position: &Cube,
        limits: &IdaLimits,
        on_iteration: &mut dyn FnMut(&IdaIteration),
        control: &Control<'_>,
    ) -> IdaResult {
        let start = Instant::now();
        let stabilizer = position.symmetries();
        let root = self.bound.node(position);
        let mut iterations: Vec<IdaIteration> = Vec::new();
        let mut threshold = self.first_threshold(position, limits);
        let last = limits.last.unwrap_or(self.metric.diameter());
        let (outcome, solutions) = loop {
            if threshold > last {
                break (Outcome::NoneWithinLimit, BTreeSet::new());
            }
            let spent: u64 = iterations.iter().map(|iteration| iteration.nodes).sum();
            let used: &[Symmetry] = if limits.by_symmetry { &stabilizer } else { &[] };
            let run = Run::new(self, position, limits, used, limits.nodes.saturating_sub(spent), control);
            let iteration = run.iterate(&root, threshold);
            on_iteration(&iteration);
            iterations.push(iteration);
            let solutions = run.solutions.into_inner().expect("no thread panics");
            if !solutions.is_empty() && (iteration.complete || solutions.len() >= limits.solution_count.most()) {
                break (Outcome::Optimal, solutions);
            }
            if !iteration.complete {
                break (Outcome::unfinished(control.cancel()), solutions);
            }
            threshold += self.step(limits);
        };
        IdaResult {
            outcome,
            lower_bound: threshold,
            solutions: solutions.into_iter().take(limits.solution_count.most()).collect(),
            iterations,
            stabilizer,
            elapsed: start.elapsed(),
        }
    }
}

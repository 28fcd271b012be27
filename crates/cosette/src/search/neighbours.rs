//! The distances of the positions one move away from a position, and the moves that begin a shortest solution.
//!
//! A neighbour p·m of a position p at distance d is at d − 1, d or d + 1. It is at d − 1 if and only if m begins a shortest
//! solution of p, so a search for all shortest solutions tells these. Quarter turns change the parity: in the
//! quarter-turn metric, where R2 begins with R and with R', all others are at d + 1. In the half-turn metric two things
//! settle the rest:
//!
//! 1. The three turns of a face lead to positions one move from one another. If one is at d − 1, the others are at most at d.
//! 2. Otherwise p·m is at d if and only if some solution of p of d + 1 moves begins with m. Proof: a solution of p·m of d
//!    moves does not begin with a turn of the face of m, since this would leave d − 1 moves from p or from a neighbour by
//!    the same face. So with m it is a solution of p of d + 1 moves.
//!
//! So one iteration more, of threshold d + 1, tells the rest. Of each move one solution is enough: root tasks all of whose
//! solutions begin with moves that are settled are not searched. Moves of opposite faces commute, so a solution that begins
//! with R L settles both, and a task is left out only if both are. docs/performance.md has what it costs.

use super::deepening::{Search, WORTH_CUTTING};
use super::executor::Executor;
use super::forecast::Forecast;
use super::iteration::{Iteration, Solutions, Start};
use super::node::{Checkpoint, Part, PartialIteration};
use super::report::{Event, Options, Outcome, Report, SolutionCount, Threshold};
use super::tasks::{self, ALL_MOVES, TASKS_FROM, Tasks, firsts};
use crate::control::Cancel;
use crate::cube::{Metric, Move};
use std::sync::Arc;

/// The half turns, as bits by the numbers of moves.
const HALVES: u32 = 0o222222;

/// How far each position one move away is from solved.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Neighbours {
    lengths: [Option<u8>; Move::COUNT],
}

impl Neighbours {
    /// The distance of the position after this move; `None` if the move is a half turn and quarter turns are counted.
    pub fn length_after(&self, m: Move) -> Option<u8> {
        self.lengths[m.index()]
    }

    /// The moves of the metric, each with the distance of the position after it.
    pub fn lengths(&self) -> impl Iterator<Item = (Move, u8)> {
        Move::ALL.into_iter().filter_map(|m| Some((m, self.length_after(m)?)))
    }

    /// The moves that begin a shortest solution of the position, which is `length` from solved.
    pub fn optimal_moves(&self, length: u8) -> impl Iterator<Item = Move> {
        self.lengths().filter(move |&(_, after)| after < length).map(|(m, _)| m)
    }
}

impl Search<'_> {
    /// Searches from a state on as [`Search::deepen`] does, for all shortest solutions, and then for the distances of the
    /// neighbours. Their iteration is none of the checkpoint.
    pub(super) fn deepen_to_neighbours(
        self,
        executor: &mut dyn Executor,
        from: Checkpoint,
        cut_after: u64,
    ) -> (Report, Checkpoint) {
        let cancel = self.cancel.limited(self.timeout);
        let options = Options { solution_count: SolutionCount::All, neighbours: false, ..self.options };
        let all = Search { options, cancel: cancel.clone(), timeout: None, ..self.clone() };
        let (mut report, checkpoint) = all.deepen(executor, from, cut_after);
        // Of a search that was stopped, some solutions may be known.
        if report.outcome == Outcome::Optimal {
            report.neighbours = self.neighbours_of(&mut report, &checkpoint, (executor, &cancel));
            if report.neighbours.is_none() {
                report.outcome = Outcome::unfinished(&cancel);
            }
        }
        report.solutions.truncate(self.options.solution_count.most());
        (report, checkpoint)
    }

    /// The distances of the neighbours of a position whose shortest solutions are all known; `None` if it is stopped.
    fn neighbours_of(
        &self,
        report: &mut Report,
        checkpoint: &Checkpoint,
        (executor, cancel): (&mut dyn Executor, &Cancel),
    ) -> Option<Neighbours> {
        let (metric, length) = (self.solver.metric(), report.lower_bound);
        let mut optimal = report.solutions.iter().fold(0, |bits, moves| bits | firsts(moves));
        if metric == Metric::Qtm {
            // A half turn begins with either quarter turn.
            let halves = optimal & HALVES;
            optimal |= halves << 1 | halves >> 1;
        }
        let beside = |m: &&Move| optimal >> (3 * m.face().index()) & 0b111 != 0;
        let mut level = Move::ALL.iter().filter(beside).fold(0, |bits, m| bits | 1 << m.index());
        if length == metric.diameter() {
            level = ALL_MOVES;
        } else if metric == Metric::Htm {
            let (threshold, settled) = self.beginning(length + 1, level, report, checkpoint, (executor, cancel));
            report.elapsed += threshold.elapsed;
            report.thresholds.push(threshold);
            level = settled?;
        }
        let length_after = |m: Move| {
            let is_in = |bits: u32| bits >> m.index() & 1 == 1;
            match metric {
                Metric::Qtm if m.is_half_turn() => None,
                _ if is_in(optimal) => Some(length - 1),
                Metric::Htm if is_in(level) => Some(length),
                _ => Some(length + 1),
            }
        };
        Some(Neighbours { lengths: Move::ALL.map(length_after) })
    }

    /// The iteration of this length, after those, and as bits the moves that begin a solution of it and those that are `settled`
    /// already; `None` if it is stopped.
    fn beginning(
        &self,
        length: u8,
        settled: u32,
        report: &Report,
        checkpoint: &Checkpoint,
        (executor, cancel): (&mut dyn Executor, &Cancel),
    ) -> (Threshold, Option<u32>) {
        let Search { solver, position, on_event, .. } = *self;
        let (table, metric, stabilizer) = (&*solver.table, solver.metric(), position.symmetries());
        let root = tasks::root(position, table);
        let thresholds = &report.thresholds[..];
        let mut solutions = Solutions::new(position, stabilizer.clone(), metric);
        // What is found now is no better.
        solutions.offer(&report.solutions[0]);
        let nodes_before = thresholds.last().map_or(0, |last| last.nodes);
        let mut tasks = match length >= TASKS_FROM && nodes_before >= WORTH_CUTTING {
            true => Tasks::prefixes(root, &stabilizer, table, solver.instructions),
            false => Tasks::whole(root, metric),
        };
        if tasks.count() == checkpoint.priority.len() {
            tasks.learn(checkpoint.priority.clone());
        }
        let left = Part { tasks: tasks.order(length), nodes: Vec::new() };
        let start = Start {
            table,
            tasks: &Arc::new(tasks),
            length,
            nodes_before,
            partial: PartialIteration { left, ..PartialIteration::default() },
            forecast: Forecast::new(thresholds, metric),
            two_phase: None,
            solutions,
            solution_count: SolutionCount::All,
            settled: Some(settled),
        };
        on_event(Event::ThresholdStarted { length });
        let iteration = Iteration::new(start, cancel, on_event);
        let left = executor.search(&iteration);
        let (settled, exhausted) = (iteration.settled(), left.is_empty());
        let (_, PartialIteration { elapsed, counts, .. }) = iteration.finish(left);
        let threshold = Threshold { length, nodes: counts.nodes, probes: counts.probes, elapsed, exhausted };
        on_event(Event::ThresholdDone(&threshold));
        (threshold, (exhausted || settled == ALL_MOVES).then_some(settled))
    }
}

//! The distances of the positions one move away from a position, and the moves that begin a
//! shortest solution.
//!
//! A neighbor p·m of a position p at distance d is at d − 1, d or d + 1. It is at d − 1 if and only
//! if m begins a shortest solution of p, so a search for all shortest solutions finds these.
//! Quarter turns change the parity: in the quarter-turn metric, where R2 begins with R and with R',
//! all others are at d + 1. In the half-turn metric two things settle the rest:
//!
//! 1. The three turns of a face lead to positions one move from one another. If one is at d − 1,
//!    the others are at most at d.
//! 2. Otherwise p·m is at d if and only if some solution of p of d + 1 moves begins with m. Proof:
//!    a solution of p·m of d moves does not begin with a turn of the face of m, since this would
//!    leave d − 1 moves from p or from a neighbor by the same face. So with m it is a solution of p
//!    of d + 1 moves.
//!
//! So one iteration more, of threshold d + 1, settles the rest. One solution for each move is
//! enough: root tasks all of whose solutions begin with moves that are settled are not searched.
//! Moves of opposite faces commute, so a solution that begins with R L settles both, and a task is
//! left out only if both are. docs/performance.md has the cost.

use super::executor::Executor;
use super::forecast::Forecast;
use super::iteration::{Iteration, IterationStart, KnownSolutions};
use super::iterative_deepening::{Search, WORTH_CUTTING};
use super::node::{Checkpoint, PartialIteration, WorkUnit};
use super::report::{Event, IterationStats, Neighbors, Options, Outcome, Report, SolutionCount};
use super::tasks::{self, ALL_MOVES, MIN_SPLIT_LENGTH, Tasks, firsts};
use crate::control::Cancel;
use crate::cube::{Metric, Move};
use std::sync::Arc;

/// The half turns, as bits by the numbers of moves.
const HALVES: u32 = 0o222222;

impl Search<'_> {
    /// Searches from a state on like [`Search::deepen`], for all shortest solutions, and then for
    /// the distances of the neighbors. Their iteration is not part of the checkpoint.
    pub(super) fn deepen_to_neighbors(
        self,
        executor: &mut dyn Executor,
        from: Checkpoint,
        cut_after: u64,
    ) -> (Report, Checkpoint) {
        let cancel = self.cancel.limited(self.timeout);
        let options = Options {
            solution_count: SolutionCount::All,
            neighbors: false,
            ..self.options
        };
        let all = Search {
            options,
            cancel: cancel.clone(),
            timeout: None,
            ..self.clone()
        };
        let (mut report, checkpoint) = all.deepen(executor, from, cut_after);
        // A stopped search may know only some solutions.
        if report.outcome == Outcome::Optimal {
            report.neighbors = self.neighbors_of(&mut report, &checkpoint, (executor, &cancel));
            if report.neighbors.is_none() {
                report.outcome = Outcome::unfinished(&cancel);
            }
        }
        report.solutions.truncate(self.options.solution_count.max());
        (report, checkpoint)
    }

    /// Returns the distances of the neighbors of a position whose shortest solutions are all known;
    /// `None` if it is stopped.
    fn neighbors_of(
        &self,
        report: &mut Report,
        checkpoint: &Checkpoint,
        (executor, cancel): (&mut dyn Executor, &Cancel),
    ) -> Option<Neighbors> {
        let metric = self.solver.metric();
        let length = report.lower_bound;
        let mut optimal = report
            .solutions
            .iter()
            .fold(0, |bits, moves| bits | firsts(moves));
        if metric == Metric::Qtm {
            // A half turn begins with either quarter turn.
            let halves = optimal & HALVES;
            optimal |= halves << 1 | halves >> 1;
        }
        let beside = |m: &&Move| optimal >> (3 * m.face().index()) & 0b111 != 0;
        let mut level = Move::ALL
            .iter()
            .filter(beside)
            .fold(0, |bits, m| bits | 1 << m.index());
        if length == metric.diameter() {
            level = ALL_MOVES;
        } else if metric == Metric::Htm {
            let (stats, settled) =
                self.beginning(length + 1, level, report, checkpoint, (executor, cancel));
            report.elapsed += stats.elapsed;
            report.iterations.push(stats);
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
        Some(Neighbors(Move::ALL.map(length_after)))
    }

    /// Runs the iteration of this length, after those given, and returns as bits the moves that
    /// begin a solution of it and those that are `settled` already; `None` if it is stopped.
    fn beginning(
        &self,
        length: u8,
        settled: u32,
        report: &Report,
        checkpoint: &Checkpoint,
        (executor, cancel): (&mut dyn Executor, &Cancel),
    ) -> (IterationStats, Option<u32>) {
        let Search {
            solver,
            position,
            on_event,
            ..
        } = *self;
        let table = &*solver.table;
        let metric = solver.metric();
        let stabilizer = position.symmetries();
        let root = tasks::root(position, table);
        let iterations = &report.iterations[..];
        let mut solutions = KnownSolutions::new(position, stabilizer.clone(), metric);
        // Solutions found now are not better.
        solutions.offer(&report.solutions[0]);
        let nodes_before = iterations.last().map_or(0, |last| last.nodes);
        let mut tasks = if length >= MIN_SPLIT_LENGTH && nodes_before >= WORTH_CUTTING {
            Tasks::prefixes(root, &stabilizer, table, solver.instructions)
        } else {
            Tasks::whole(root, metric)
        };
        if tasks.count() == checkpoint.priority.len() {
            tasks.learn(checkpoint.priority.clone());
        }
        let left = WorkUnit {
            tasks: tasks.order(length),
            nodes: Vec::new(),
        };
        let start = IterationStart {
            table,
            tasks: &Arc::new(tasks),
            length,
            nodes_before,
            partial: PartialIteration {
                left,
                ..PartialIteration::default()
            },
            forecast: Forecast::new(iterations, metric),
            two_phase: None,
            solutions,
            solution_count: SolutionCount::All,
            settled: Some(settled),
        };
        on_event(Event::IterationStarted { length });
        let iteration = Iteration::new(start, cancel, on_event);
        let left = executor.search(&iteration);
        let settled = iteration.settled();
        let exhausted = left.is_empty();
        let (_, partial) = iteration.finish(left);
        let stats = IterationStats {
            length,
            nodes: partial.counts.nodes,
            probes: partial.counts.probes,
            elapsed: partial.elapsed,
            exhausted,
        };
        on_event(Event::IterationFinished(&stats));
        (
            stats,
            (exhausted || settled == ALL_MOVES).then_some(settled),
        )
    }
}

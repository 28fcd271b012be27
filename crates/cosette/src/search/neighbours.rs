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
use super::executor::{Executor, ThreadExecutor};
use super::forecast::Forecast;
use super::iteration::{Iteration, Solutions, Start};
use super::node::{Checkpoint, Part, PartialIteration};
use super::report::{Event, Outcome, SolutionCount, Threshold};
use super::solver::Solver;
use super::tasks::{self, ALL_MOVES, TASKS_FROM, Tasks, firsts};
use crate::control::Cancel;
use crate::cube::{Cube, Metric, Move};
use std::sync::Arc;

/// The half turns, as bits by the numbers of moves.
const HALVES: u32 = 0o222222;

/// How far a position is from solved, and each position one move away from it.
#[derive(Clone, Debug)]
pub struct Neighbours {
    /// The distance of the position.
    pub length: u8,
    /// The iterations that were searched, by rising length.
    pub thresholds: Vec<Threshold>,
    lengths: [Option<u8>; Move::COUNT],
}

impl Neighbours {
    /// The distance of the position after this move; `None` if the move is a half turn and quarter turns are counted.
    pub fn length_after(&self, m: Move) -> Option<u8> {
        self.lengths[m.index()]
    }

    /// Whether this move begins a shortest solution.
    pub fn is_optimal(&self, m: Move) -> bool {
        self.length_after(m).is_some_and(|length| length < self.length)
    }
}

impl Solver {
    /// How far `position` is from solved, and each position one move away from it.
    pub fn neighbours(&self, position: &Cube) -> Neighbours {
        self.search(position).neighbours().expect("a search without limits ends")
    }
}

impl Search<'_> {
    /// How far the position is from solved, and each position one move away from it; `None` if the search is stopped. Of the
    /// options, only the threads, the limit of time, the request to stop and the listener count.
    pub fn neighbours(self) -> Option<Neighbours> {
        let mut threads = ThreadExecutor::with_instructions(self.threads, self.solver.instructions);
        self.neighbours_with(&mut threads)
    }

    /// [`Search::neighbours`] with an executor that searches the root tasks.
    pub fn neighbours_with(self, executor: &mut dyn Executor) -> Option<Neighbours> {
        let cancel = self.cancel.limited(self.timeout);
        let all = self.solver.search(self.position).all().cancel(&cancel).on_event(self.on_event);
        let (report, checkpoint) = all.deepen(executor, Checkpoint::default(), WORTH_CUTTING);
        // Of a search that was stopped, some solutions may be known.
        let length = report.length().filter(|_| report.outcome == Outcome::Optimal)?;
        let metric = self.solver.metric();
        let mut optimal = report.solutions.iter().fold(0, |bits, moves| bits | firsts(moves));
        if metric == Metric::Qtm {
            // A half turn begins with either quarter turn.
            let halves = optimal & HALVES;
            optimal |= halves << 1 | halves >> 1;
        }
        let beside = |m: &&Move| optimal >> (3 * m.face().index()) & 0b111 != 0;
        let mut level = Move::ALL.iter().filter(beside).fold(0, |bits, m| bits | 1 << m.index());
        let mut thresholds = report.thresholds;
        if length == metric.diameter() {
            level = ALL_MOVES;
        } else if metric == Metric::Htm {
            level = self.beginning(length + 1, level, checkpoint.priority, &mut thresholds, (executor, &cancel))?;
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
        Some(Neighbours { length, thresholds, lengths: Move::ALL.map(length_after) })
    }

    /// The moves that begin a solution of this length, and those that are `settled` already, as bits; `None` if it is stopped.
    fn beginning(
        &self,
        length: u8,
        settled: u32,
        priority: Vec<u64>,
        thresholds: &mut Vec<Threshold>,
        (executor, cancel): (&mut dyn Executor, &Cancel),
    ) -> Option<u32> {
        let Search { solver, position, on_event, .. } = *self;
        let (table, metric, stabilizer) = (&*solver.table, solver.metric(), position.symmetries());
        let root = tasks::root(position, table);
        let nodes_before = thresholds.last().map_or(0, |last| last.nodes);
        let mut tasks = match length >= TASKS_FROM && nodes_before >= WORTH_CUTTING {
            true => Tasks::prefixes(root, &stabilizer, table, solver.instructions),
            false => Tasks::whole(root, metric),
        };
        if tasks.count() == priority.len() {
            tasks.learn(priority);
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
            solutions: Solutions::new(position, stabilizer, metric),
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
        thresholds.push(threshold);
        (exhausted || settled == ALL_MOVES).then_some(settled)
    }
}

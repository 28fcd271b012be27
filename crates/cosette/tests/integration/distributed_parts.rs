//! Searches that are cut into parts, stopped and resumed: the same results, and the same counts of
//! nodes.

use crate::smallest_table as table;
use cosette::cube::{Cube, Metric, Move, ParseOptions, parse_moves};
use cosette::search::distributed::{
    Checkpoint, Executor, Iteration, Searcher, SearcherEvent, Tasks, ThreadExecutor, WorkControl,
    WorkUnit,
};
use cosette::search::{
    Event, IterationStats, Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode,
};
use cosette::table::Table;
use cosette::{Cancel, CancelReason, ThreadCount};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

fn solver(metric: Metric) -> Solver {
    Solver::new(table(metric), ThreadCount::ONE)
}

/// Positions some moves from solved, whose searches are cut into root tasks; each with the report
/// of one whole search.
fn positions(metric: Metric) -> impl Iterator<Item = (Cube, &'static Report)> {
    static REPORTS: [[OnceLock<Report>; 2]; 2] = [const { [const { OnceLock::new() }; 2] }; 2];
    let texts = match metric {
        Metric::Htm => [
            "R U2 F' L D B2 R' U F L2 D' B U2 R2 F",
            "F2 D R' B U L2 F' D2 R B' U2 L F D' R2",
        ],
        Metric::Qtm => [
            "R U F' L D B R' U F L D' B U' R F L' U",
            "F D R' B U L F' D R B' U L F' D' R U B'",
        ],
    };
    texts
        .into_iter()
        .zip(&REPORTS[metric as usize])
        .map(move |(text, report)| {
            let position = parse_moves(text, &ParseOptions::default())
                .unwrap()
                .position();
            (
                position,
                report.get_or_init(|| solver(metric).search(&position).all().run()),
            )
        })
}

/// What does not depend on who searched: lengths, nodes and probes of complete iterations.
fn counts(iterations: &[IterationStats]) -> Vec<(u8, u64, u64)> {
    let complete = iterations.iter().filter(|iteration| iteration.exhausted);
    complete
        .map(
            |&IterationStats {
                 length,
                 nodes,
                 probes,
                 ..
             }| (length, nodes, probes),
        )
        .collect()
}

fn all() -> Options<'static> {
    Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    }
}

/// Searches the tasks in groups, each of which is asked to share its work; what was shared is
/// searched later.
struct SplitSharing {
    table: Arc<Table>,
    tasks: Tasks,
    searcher: Searcher,
    alone: ThreadExecutor,
    /// How many tasks are in a group.
    group: usize,
    /// How many nodes and tasks were shared.
    shared: [usize; 2],
}

impl SplitSharing {
    fn new(position: &Cube, metric: Metric) -> SplitSharing {
        let table = table(metric);
        let alone = ThreadExecutor::new(ThreadCount::ONE);
        let tasks = Tasks::of(position, &table);
        SplitSharing {
            table,
            tasks,
            searcher: Searcher::default(),
            alone,
            group: 501,
            shared: [0, 0],
        }
    }
}

impl Executor for SplitSharing {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split() {
            return self.alone.search(iteration);
        }
        let part = |tasks: &[u16]| WorkUnit {
            tasks: tasks.to_vec(),
            nodes: Vec::new(),
        };
        let mut parts: VecDeque<WorkUnit> = iteration
            .remaining()
            .tasks
            .chunks(self.group)
            .map(part)
            .collect();
        while let Some(part) = parts.pop_front() {
            let control = WorkControl::default();
            let given = RefCell::new(Vec::new());
            // Once before it begins and once while there are open nodes.
            control.share();
            let on_event = |event: SearcherEvent<'_>| match event {
                SearcherEvent::Solution(moves) => iteration.add_solution(moves),
                SearcherEvent::Shared(part) => {
                    if given.borrow().is_empty() {
                        control.share();
                    }
                    given.borrow_mut().push(part);
                }
            };
            let job = (iteration.length(), part);
            let result = self
                .searcher
                .search((&self.table, &self.tasks), job, &control, &on_event);
            assert!(result.left.is_empty());
            iteration.add_counts(result.counts);
            result
                .priority
                .iter()
                .for_each(|&(task, priority)| iteration.add_priority(task, priority));
            for given in given
                .into_inner()
                .into_iter()
                .filter(|given| !given.is_empty())
            {
                self.shared = [
                    self.shared[0] + given.nodes.len(),
                    self.shared[1] + given.tasks.len(),
                ];
                parts.push_back(given);
            }
        }
        WorkUnit::default()
    }
}

#[test]
fn sharing_work_does_not_change_the_counts() {
    for metric in Metric::ALL {
        for (position, expected) in positions(metric) {
            let mut executor = SplitSharing::new(&position, metric);
            let (report, checkpoint) = solver(metric)
                .search(&position)
                .all()
                .resume_with(&mut executor, Checkpoint::default());
            assert_eq!(report.solutions, expected.solutions);
            assert_eq!(counts(&report.iterations), counts(&expected.iterations));
            assert_eq!(checkpoint.iterations, report.iterations);
            assert!(executor.shared[1] > 0, "no task was shared");
        }
    }
}

/// Each task is shared by itself, so that only nodes can be given away.
#[test]
fn open_nodes_are_shared() {
    let (position, expected) = positions(Metric::Htm).next().unwrap();
    let mut executor = SplitSharing {
        group: 1,
        ..SplitSharing::new(&position, Metric::Htm)
    };
    let solver = solver(Metric::Htm);
    let (report, _) = solver
        .search(&position)
        .all()
        .resume_with(&mut executor, Checkpoint::default());
    assert_eq!(report.solutions, expected.solutions);
    assert_eq!(counts(&report.iterations), counts(&expected.iterations));
    assert!(executor.shared[0] > 0, "no node was shared");
}

/// A search that is stopped again and again, and resumed from its checkpoint.
#[test]
fn resuming_does_not_change_the_counts() {
    let mut times = 0;
    for metric in Metric::ALL {
        for ((position, expected), wanted) in
            positions(metric).zip([SolutionCount::All, SolutionCount::ONE])
        {
            let options = Options {
                solution_count: wanted,
                ..Options::default()
            };
            let mut checkpoint = Checkpoint::default();
            let report = loop {
                let cancel = Cancel::new();
                let stop = |event: Event<'_>| match event {
                    Event::Progress { progress, .. } if progress.done > 0 => cancel.cancel(),
                    _ => {}
                };
                let solver = solver(metric);
                let search = solver
                    .search(&position)
                    .options(options)
                    .with_cancel(&cancel)
                    .on_event(&stop);
                let (report, stopped) = search.resume(checkpoint);
                if !matches!(report.outcome, Outcome::Cancelled(_)) {
                    break report;
                }
                (checkpoint, times) = (stopped, times + 1);
            };
            assert_eq!(report.length(), expected.length());
            if wanted == SolutionCount::All {
                assert_eq!(report.solutions, expected.solutions);
                assert_eq!(counts(&report.iterations), counts(&expected.iterations));
            }
        }
    }
    assert!(times > 3, "stopped {times} times");
}

#[test]
fn a_search_that_has_ended_ends_the_same_when_it_is_resumed() {
    for metric in Metric::ALL {
        for (position, expected) in positions(metric) {
            let solver = solver(metric);
            let search = |options| solver.search(&position).options(options);
            let (mut report, mut checkpoint) = search(all()).resume(Checkpoint::default());
            for _ in 0..2 {
                assert_eq!(
                    (report.outcome, report.lower_bound),
                    (Outcome::Optimal, expected.lower_bound)
                );
                assert_eq!(report.solutions, expected.solutions);
                assert_eq!(counts(&report.iterations), counts(&expected.iterations));
                (report, checkpoint) = search(all()).resume(checkpoint);
            }
            let (report, _) = search(Options::default()).resume(checkpoint);
            assert_eq!(
                (report.outcome, report.lower_bound),
                (Outcome::Optimal, expected.lower_bound)
            );
        }
    }
}

/// An executor whose threads find these solutions at the same time, and nothing else.
struct AtOnce<'a>(&'a [Vec<Move>]);

impl Executor for AtOnce<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        let solutions = self
            .0
            .iter()
            .filter(|moves| iteration.metric().length(moves) == usize::from(iteration.length()));
        solutions.for_each(|moves| iteration.add_solution(moves));
        WorkUnit::default()
    }
}

#[test]
fn solutions_that_are_found_beside_the_last_one_wanted_are_not_lost() {
    let position = parse_moves("R2 L2 U2 D2 F U R", &ParseOptions::default())
        .unwrap()
        .position();
    let solver = solver(Metric::Htm);
    let expected = solver.search(&position).all().run();
    assert!(expected.solutions.len() > 1 && expected.symmetry_count == 1);
    let search = solver.search(&position).two_phase(TwoPhaseMode::Off);
    let (report, checkpoint) =
        search.resume_with(&mut AtOnce(&expected.solutions), Checkpoint::default());
    assert_eq!(report.solutions.len(), 1);
    let (report, _) = solver.search(&position).all().resume(checkpoint);
    assert_eq!(report.solutions, expected.solutions);
}

static FLAG: AtomicBool = AtomicBool::new(false);

/// Searches while a flag asks it to stop, which is cleared at once.
struct Flagged(ThreadExecutor);

impl Executor for Flagged {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        FLAG.store(true, Relaxed);
        let left = self.0.search(iteration);
        FLAG.store(false, Relaxed);
        left
    }
}

/// Leaves all tasks of an iteration that has any, though nobody asked it to stop.
struct Leaving(ThreadExecutor);

impl Executor for Leaving {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if iteration.is_split() {
            iteration.remaining().clone()
        } else {
            self.0.search(iteration)
        }
    }
}

#[test]
fn an_iteration_that_was_not_searched_is_not_ruled_out() {
    let (position, _) = positions(Metric::Htm).next().unwrap();
    let solver = solver(Metric::Htm);
    let cancel = Cancel::watching(&FLAG);
    let search = solver.search(&position).with_cancel(&cancel);
    let mut executor = Flagged(ThreadExecutor::new(ThreadCount::ONE));
    let (report, checkpoint) = search.resume_with(&mut executor, Checkpoint::default());
    assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert!(checkpoint.iterations.is_empty() && checkpoint.partial.is_some());

    let mut executor = Leaving(ThreadExecutor::new(ThreadCount::ONE));
    let (report, checkpoint) = solver
        .search(&position)
        .resume_with(&mut executor, Checkpoint::default());
    assert_eq!(report.outcome, Outcome::Unproven);
    assert!(
        checkpoint
            .iterations
            .iter()
            .all(|iteration| iteration.exhausted)
            && checkpoint.partial.is_some()
    );
}

#[test]
#[should_panic(expected = "of another position")]
fn a_checkpoint_of_another_position_is_refused() {
    let solver = solver(Metric::Htm);
    let (_, checkpoint) = solver
        .search(Cube::from_move(Move::ALL[0]))
        .resume(Checkpoint::default());
    let _ = solver.search(&Cube::SOLVED).resume(checkpoint);
}

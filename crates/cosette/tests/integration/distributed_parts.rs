//! Searches that are cut into parts, stopped and resumed: the same results, and the same counts of
//! nodes.

use crate::{position, smallest_table as table};
use cosette::cube::{Cube, Metric, Move};
use cosette::search::distributed::{
    Checkpoint, Executor, Iteration, Searcher, SearcherEvent, Tasks, ThreadExecutor, WorkControl,
    WorkUnit,
};
use cosette::search::{Event, Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode};
use cosette::table::Table;
use cosette::{Cancel, CancelReason, ThreadCount};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};

fn solver(metric: Metric) -> Solver {
    Solver::new(table(metric), ThreadCount::ONE)
}

/// Positions some moves from solved, whose searches are cut into root tasks; each with its metric
/// and the report of one whole search for all solutions.
static WHOLE: LazyLock<Vec<(Metric, Cube, Report)>> = LazyLock::new(|| {
    let positions = [
        (Metric::Htm, "R U2 F' L D B2 R' U F L2 D' B U2 R2 F"),
        (Metric::Htm, "F2 D R' B U L2 F' D2 R B' U2 L F D' R2"),
        (Metric::Qtm, "R U F' L D B R' U F L D' B U' R F L' U"),
        (Metric::Qtm, "F D R' B U L F' D R B' U L F' D' R U B'"),
    ];
    let solved = positions.map(|(metric, text)| {
        let cube = position(text);
        (metric, cube, solver(metric).search(&cube).all().run())
    });
    solved.into()
});

/// Returns the lengths, nodes and probes of complete iterations, whoever searched them.
fn counts(report: &Report) -> Vec<(u8, u64, u64)> {
    let complete = report.iterations.iter().filter(|stats| stats.exhausted);
    complete
        .map(|stats| (stats.length, stats.nodes, stats.probes))
        .collect()
}

/// Asserts that a search for all solutions did what one whole search does.
fn assert_same(report: &Report, expected: &Report) {
    assert_eq!(report.outcome, Outcome::Optimal);
    assert_eq!(report.lower_bound, expected.lower_bound);
    assert_eq!(report.solutions, expected.solutions);
    assert_eq!(counts(report), counts(expected));
}

/// Searches the tasks in groups, each of which is asked to share its work; what was shared is
/// searched later.
struct SplitSharing {
    table: Arc<Table>,
    tasks: Tasks,
    searcher: Searcher,
    alone: ThreadExecutor,
    /// Number of tasks in a group.
    group: usize,
    /// Number of nodes and tasks that were shared.
    shared: [usize; 2],
}

impl SplitSharing {
    fn new(position: &Cube, metric: Metric, group: usize) -> SplitSharing {
        let table = table(metric);
        SplitSharing {
            tasks: Tasks::of(position, &table),
            table,
            searcher: Searcher::default(),
            alone: ThreadExecutor::new(ThreadCount::ONE),
            group,
            shared: [0, 0],
        }
    }

    /// Searches a part, asked to share its work, and returns what it shared.
    fn search_part(&mut self, iteration: &Iteration<'_>, part: WorkUnit) -> Vec<WorkUnit> {
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
        let searcher = &mut self.searcher;
        let result = searcher.search((&self.table, &self.tasks), job, &control, &on_event);
        assert!(result.left.is_empty());
        iteration.add_counts(result.counts);
        for &(task, priority) in &result.priority {
            iteration.add_priority(task, priority);
        }
        given.into_inner()
    }
}

impl Executor for SplitSharing {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split() {
            return self.alone.search(iteration);
        }
        let remaining = iteration.remaining();
        let groups = remaining.tasks.chunks(self.group).map(|tasks| WorkUnit {
            tasks: tasks.to_vec(),
            nodes: Vec::new(),
        });
        let mut parts: VecDeque<WorkUnit> = groups.collect();
        while let Some(part) = parts.pop_front() {
            for given in self.search_part(iteration, part) {
                self.shared[0] += given.nodes.len();
                self.shared[1] += given.tasks.len();
                if !given.is_empty() {
                    parts.push_back(given);
                }
            }
        }
        WorkUnit::default()
    }
}

/// Tasks are shared, and where each is searched by itself, only nodes.
#[test]
fn sharing_work_does_not_change_the_counts() {
    for (number, (metric, position, expected)) in WHOLE.iter().enumerate() {
        for group in if number == 0 { &[501, 1][..] } else { &[501] } {
            let mut executor = SplitSharing::new(position, *metric, *group);
            let solver = solver(*metric);
            let search = solver.search(position).all();
            let (report, checkpoint) = search.resume_with(&mut executor, Checkpoint::default());
            assert_same(&report, expected);
            assert_eq!(checkpoint.iterations, report.iterations);
            assert!(executor.shared[usize::from(*group > 1)] > 0);
        }
    }
}

/// A search that is stopped again and again, and resumed from its checkpoint.
#[test]
fn resuming_does_not_change_the_counts() {
    let mut times = 0;
    for (number, (metric, position, expected)) in WHOLE.iter().enumerate() {
        let wanted = [SolutionCount::All, SolutionCount::ONE][number % 2];
        let solver = solver(*metric);
        let mut checkpoint = Checkpoint::default();
        let report = loop {
            let cancel = Cancel::new();
            let stop = |event: Event<'_>| match event {
                Event::Progress { progress, .. } if progress.done > 0 => cancel.cancel(),
                // A fast search ends before its first progress report.
                Event::IterationFinished(_) => cancel.cancel(),
                _ => {}
            };
            let options = Options {
                solution_count: wanted,
                ..Options::default()
            };
            let search = solver.search(position).options(options);
            let search = search.with_cancel(&cancel).on_event(stop);
            let (report, stopped) = search.resume(checkpoint);
            if !matches!(report.outcome, Outcome::Cancelled(_)) {
                break report;
            }
            checkpoint = stopped;
            times += 1;
        };
        assert_eq!(report.length(), expected.length());
        if wanted == SolutionCount::All {
            assert_same(&report, expected);
        }
    }
    assert!(times > 3, "stopped {times} times");
}

#[test]
fn a_search_that_has_ended_ends_the_same_when_it_is_resumed() {
    for (metric, position, expected) in WHOLE.iter() {
        let solver = solver(*metric);
        let mut checkpoint = Checkpoint::default();
        for _ in 0..3 {
            let (report, ended) = solver.search(position).all().resume(checkpoint);
            assert_same(&report, expected);
            checkpoint = ended;
        }
        let (report, _) = solver.search(position).resume(checkpoint);
        assert_eq!(report.outcome, Outcome::Optimal);
        assert_eq!(report.lower_bound, expected.lower_bound);
    }
}

/// An executor whose threads find these solutions at the same time, and nothing else.
struct AtOnce<'a>(&'a [Vec<Move>]);

impl Executor for AtOnce<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        for moves in self.0 {
            if iteration.metric().length(moves) == usize::from(iteration.length()) {
                iteration.add_solution(moves);
            }
        }
        WorkUnit::default()
    }
}

#[test]
fn solutions_that_are_found_beside_the_last_one_wanted_are_not_lost() {
    let position = position("R2 L2 U2 D2 F U R");
    let solver = solver(Metric::Htm);
    let expected = solver.search(&position).all().run();
    assert!(expected.solutions.len() > 1 && expected.symmetry_count == 1);
    let search = solver.search(&position).two_phase(TwoPhaseMode::Off);
    let mut executor = AtOnce(&expected.solutions);
    let (report, checkpoint) = search.resume_with(&mut executor, Checkpoint::default());
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
    let (_, position, _) = &WHOLE[0];
    let solver = solver(Metric::Htm);
    let alone = || ThreadExecutor::new(ThreadCount::ONE);
    let cancel = Cancel::watching(&FLAG);
    let search = solver.search(position).with_cancel(&cancel);
    let (report, checkpoint) = search.resume_with(&mut Flagged(alone()), Checkpoint::default());
    assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert!(checkpoint.iterations.is_empty() && checkpoint.partial.is_some());

    let search = solver.search(position);
    let (report, checkpoint) = search.resume_with(&mut Leaving(alone()), Checkpoint::default());
    assert_eq!(report.outcome, Outcome::Unproven);
    assert!(checkpoint.partial.is_some());
    assert_eq!(counts(&report).len(), checkpoint.iterations.len());
}

#[test]
#[should_panic(expected = "of another position")]
fn a_checkpoint_of_another_position_is_refused() {
    let solver = solver(Metric::Htm);
    let turned = Cube::from_move(Move::ALL[0]);
    let (_, checkpoint) = solver.search(turned).resume(Checkpoint::default());
    let _ = solver.search(&Cube::SOLVED).resume(checkpoint);
}

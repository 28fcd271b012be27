//! The search for skeletons: best-first over the solutions of each step.
//!
//! A *task* is a node (a position with the moves that lead there), a step, and a number of moves.
//! All [solutions](StepSolvers::solutions) of the step with exactly this number of moves, in each
//! direction of their last turns, give the successors of the node; the next task of the node is the
//! same step with one move more. Tasks are done in the order of the expected total of a skeleton
//! through them: the moves of the node, those of the task, and typical numbers for the steps after
//! it. The first task of a node has the lower bound of the pattern databases as its number of
//! moves, so nodes close to the next step come first.
//!
//! A task is dropped if the moves of its node and its own are not fewer than those of the worst
//! stored skeleton, as it cannot lead to a better one. If no task is left, no skeleton is shorter
//! than the best one: all of them were tried. This is exact because moves of different steps need
//! not cancel (`steps`). The prior moves are fixed, so turns may cancel with the last of them;
//! until a step has made moves beyond these, the bound is relaxed by the possible savings
//! (`Node::spare`). Skeletons that undo more prior moves may be missed, which the report states.
//!
//! No step precedes the first step, so it may use all turns, even if reductions already hold;
//! solutions that preserve these are tried first. To preserve a reduction in all skeletons, include
//! its step with `max=0`, e.g. `eo[max=0] > dr`.

use super::pipeline::{Stage, Step, StepKind};
use super::reduction::{NissMoves, Reduction};
use super::skeleton::{Attempt, MissingPrerequisite, Node, SearchReport, Skeleton, StepCounts};
use super::steps::{Cancellation, StepSolution, StepSolvers};
use cosette::Control;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of queued tasks: some hundred megabytes. Beyond it, the worse half by expected
/// total is dropped.
const MAX_TASKS: usize = 400_000;
/// Expected number of extra moves of a skeleton whose first step does not preserve a reduction that
/// already holds.
const BREAKING: u32 = 3;
/// Time for which a thread without a task sleeps before it checks for cancellation.
const NAP: Duration = Duration::from_millis(5);

/// A task: all solutions of one step from a node with a given number of moves.
struct Task {
    node: Arc<Node>,
    stage: usize,
    length: u32,
    /// Number of solutions found by tasks with fewer moves.
    found: usize,
    /// Number of moves expected in addition to those of the steps.
    handicap: u32,
}

/// Priority of a task: expected total, then depth in the pipeline (deepest first), then age. The
/// minimum is done first.
type TaskPriority = (u32, Reverse<usize>, u64);

struct QueuedTask {
    rank: TaskPriority,
    task: Task,
}

impl PartialEq for QueuedTask {
    fn eq(&self, other: &QueuedTask) -> bool {
        self.rank == other.rank
    }
}

impl Eq for QueuedTask {}

impl PartialOrd for QueuedTask {
    fn partial_cmp(&self, other: &QueuedTask) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for QueuedTask {
    fn cmp(&self, other: &QueuedTask) -> std::cmp::Ordering {
        other.rank.cmp(&self.rank)
    }
}

/// State shared by the threads.
#[derive(Default)]
struct State {
    waiting: BinaryHeap<QueuedTask>,
    /// Number of threads that work on a task.
    busy: usize,
    /// Number of tasks started.
    tasks: u64,
    is_incomplete: bool,
    were_dropped: bool,
    /// Minimum total of the skeletons excluded by the limits of each stage.
    excluded: BTreeMap<usize, u32>,
    kept: Vec<Skeleton>,
    /// Reductions and moves of the stored skeletons, to detect duplicates.
    known: HashSet<(Reduction, NissMoves)>,
    lists: Vec<StepCounts>,
}

struct Search<'a> {
    attempt: &'a Attempt<'a>,
    steps: &'a StepSolvers,
    control: &'a Control<'a>,
    on_better: &'a (dyn Fn(&Skeleton) + Sync),
    /// Expected number of moves of the steps after each stage.
    expected: Vec<u32>,
    /// Only skeletons with a smaller total are stored.
    bound: AtomicU32,
    state: Mutex<State>,
    changed: Condvar,
}

impl Attempt<'_> {
    /// Searches until all skeletons are tried or `control` is cancelled. Calls `on_better` with
    /// each skeleton that is shorter than all before.
    ///
    /// # Errors
    ///
    /// Returns [`MissingPrerequisite`] if the first step has triggers, but edges are not oriented.
    pub fn search(
        &self,
        steps: &StepSolvers,
        on_better: &(dyn Fn(&Skeleton) + Sync),
        control: &Control<'_>,
    ) -> Result<SearchReport, MissingPrerequisite> {
        let start = Instant::now();
        let stages = &self.pipeline.stages;
        let search = Search {
            attempt: self,
            steps,
            control,
            on_better,
            expected: expected(stages),
            bound: AtomicU32::new(u32::MAX),
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        let position = self.position();
        let mut roots = Vec::new();
        for &stage in &self.pipeline.first {
            let before = Reduction::prerequisites(&stages[stage].step, &position);
            if before.is_empty() {
                return Err(MissingPrerequisite);
            }
            let is_kept = before[0] != Reduction::Nothing;
            for reached in before {
                let node = Arc::new(Node::root(reached, position, &self.prior_moves));
                let handicap = if is_kept && reached == Reduction::Nothing {
                    BREAKING
                } else {
                    0
                };
                roots.push(Task {
                    node,
                    stage,
                    length: 0,
                    found: 0,
                    handicap,
                });
            }
        }
        roots
            .into_iter()
            .for_each(|task| search.push(&mut search.state(), task));
        control.threads().run(&|_| search.work());
        let bound = search.bound.into_inner();
        let state = search
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(SearchReport {
            skeletons: state.kept,
            is_exhausted: state.waiting.is_empty() && !state.is_incomplete && !state.were_dropped,
            limits: state
                .excluded
                .into_iter()
                .filter(|&(_, least)| least < bound)
                .map(|(stage, _)| stage)
                .collect(),
            were_dropped: state.were_dropped,
            step_counts: state.lists,
            tasks: state.tasks,
            elapsed: start.elapsed(),
        })
    }
}

impl Search<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs tasks until none is left.
    fn work(&self) {
        while let Some(task) = self.next() {
            let done = self.does(&task);
            let mut state = self.state();
            state.busy -= 1;
            match done {
                Ok(after) => after
                    .into_iter()
                    .for_each(|task| self.push(&mut state, task)),
                Err(Cancellation) => state.is_incomplete = true,
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Returns the next task; `None` if no task is left and no running task can add one, or on
    /// cancellation.
    fn next(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if self.control.is_cancelled() {
                state.is_incomplete |= !state.waiting.is_empty();
                return None;
            }
            if let Some(QueuedTask { task, .. }) = state.waiting.pop() {
                state.busy += 1;
                state.tasks += 1;
                return Some(task);
            }
            if state.busy == 0 {
                return None;
            }
            state = self
                .changed
                .wait_timeout(state, NAP)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Queues a task, unless it cannot lead to a better skeleton.
    fn push(&self, state: &mut State, task: Task) {
        if !self.is_worth_it(&task) {
            return;
        }
        let stage = &self.attempt.pipeline.stages[task.stage];
        if stage.step.max.is_some_and(|max| task.length > max) || task.found >= stage.step.count() {
            Self::exclude(state, task.stage, &task.node, task.length);
            return;
        }
        let expected = task.node.total + task.length + self.expected[task.stage] + task.handicap;
        let age = state.tasks + state.waiting.len() as u64;
        state.waiting.push(QueuedTask {
            rank: (expected, Reverse(task.stage), age),
            task,
        });
        if state.waiting.len() > MAX_TASKS {
            let mut all = std::mem::take(&mut state.waiting).into_sorted_vec();
            // The largest come last, and are done first.
            state.waiting = all.split_off(MAX_TASKS / 2).into();
            state.were_dropped = true;
        }
    }

    /// Records that a limit of a step excludes solutions of at least `length` moves.
    fn exclude(state: &mut State, stage: usize, node: &Node, length: u32) {
        let total = (node.total + length).saturating_sub(node.spare);
        let least = state.excluded.entry(stage).or_insert(total);
        *least = total.min(*least);
    }

    fn is_worth_it(&self, task: &Task) -> bool {
        task.node.total + task.length < self.bound.load(Relaxed).saturating_add(task.node.spare)
    }

    /// Runs a task, and returns the tasks that follow from it.
    fn does(&self, task: &Task) -> Result<Vec<Task>, Cancellation> {
        let Task {
            node,
            stage,
            length,
            found,
            handicap,
        } = task;
        if !self.is_worth_it(task) {
            return Ok(Vec::new());
        }
        let Stage {
            step,
            next,
            is_last,
        } = &self.attempt.pipeline.stages[*stage];
        let ways = self.steps.solutions(
            &node.position,
            (node.reached, node.side),
            step,
            *length,
            self.control,
        )?;
        let Some(mut ways) = ways else {
            return Ok(Vec::new());
        };
        if node.is_first() {
            self.note((*stage, node.reached), *length, ways.len());
        }
        if step.kind == StepKind::Finish && step.n.is_none() && !ways.is_empty() {
            self.finish(node, *stage, *length, ways)?;
            return Ok(Vec::new());
        }
        if ways.len() > step.count() - found {
            Self::exclude(&mut self.state(), *stage, node, *length);
            ways.truncate(step.count() - found);
        }
        let found = found + ways.len();
        let mut after = Vec::new();
        for way in ways {
            if self.control.is_cancelled() {
                return Err(Cancellation);
            }
            if *is_last {
                // The direction of a last turn matters if the turn may cancel with a prior move.
                let is_free = node.spare > 0 && step.kind != StepKind::Finish;
                let ways = if is_free {
                    way.in_all_directions()
                } else {
                    vec![way.clone()]
                };
                self.keep_best(node, ways, u32::MAX);
            }
            if next.is_empty() {
                continue;
            }
            for way in way.in_all_directions() {
                let Some(node) = node.after(way, &self.attempt.prior_moves).map(Arc::new) else {
                    continue;
                };
                for &stage in next {
                    let step = &self.attempt.pipeline.stages[stage].step;
                    if let Some(length) =
                        self.steps
                            .lower_bound(&node.position, node.reached, step, self.control)?
                    {
                        after.push(Task {
                            node: node.clone(),
                            stage,
                            length,
                            found: 0,
                            handicap: *handicap,
                        });
                    }
                }
            }
        }
        after.push(Task {
            node: node.clone(),
            stage: *stage,
            length: length + 1,
            found,
            handicap: *handicap,
        });
        Ok(after)
    }

    /// Records the number of solutions of a step from the position at which the search begins.
    fn note(&self, (stage, after): (usize, Reduction), length: u32, count: usize) {
        let lists = &mut self.state().lists;
        let number = lists
            .iter()
            .position(|list| (list.stage, list.after) == (stage, after))
            .unwrap_or(lists.len());
        if number == lists.len() {
            lists.push(StepCounts {
                stage,
                after,
                counts: Vec::new(),
            });
        }
        let counts = &mut lists[number].counts;
        // Several first steps that already hold may lead to the same list.
        if counts.len() <= length as usize {
            counts.resize(length as usize, 0);
            counts.push(count);
        }
    }

    /// Stores one of the shortest finishes, and a longer one only if it cancels enough prior moves
    /// to be shorter in total.
    fn finish(
        &self,
        node: &Arc<Node>,
        stage: usize,
        length: u32,
        ways: Vec<StepSolution>,
    ) -> Result<(), Cancellation> {
        let step: &Step = &self.attempt.pipeline.stages[stage].step;
        let mut best = self
            .keep_best(node, ways, u32::MAX)
            .unwrap_or(node.total + length);
        for longer in length + 1.. {
            if node.total + longer
                >= best
                    .min(self.bound.load(Relaxed))
                    .saturating_add(node.spare)
            {
                break;
            }
            if step.max.is_some_and(|max| longer > max) {
                Self::exclude(&mut self.state(), stage, node, longer);
                break;
            }
            let ways = self.steps.solutions(
                &node.position,
                (node.reached, node.side),
                step,
                longer,
                self.control,
            )?;
            best = self
                .keep_best(node, ways.unwrap_or_default(), best)
                .unwrap_or(best);
        }
        Ok(())
    }

    /// Stores the shortest of the skeletons that end with these solutions, if its total is below
    /// `most` and it is one of the best. Returns its total.
    fn keep_best(&self, node: &Arc<Node>, ways: Vec<StepSolution>, most: u32) -> Option<u32> {
        let bound = self.bound.load(Relaxed);
        let after = ways
            .into_iter()
            .filter_map(|way| node.after(way, &self.attempt.prior_moves));
        let after = after.filter(|node| node.total < bound.saturating_add(node.spare));
        let skeletons = after.map(|node| (node.skeleton(&self.attempt.prior_moves), node.reached));
        let (skeleton, reached) = skeletons.min_by_key(|(skeleton, _)| skeleton.total)?;
        let total = skeleton.total as u32;
        (total < most)
            .then(|| self.keep(skeleton, reached))
            .map(|()| total)
    }

    /// Stores a skeleton if it is one of the best.
    fn keep(&self, skeleton: Skeleton, reached: Reduction) {
        if skeleton.total as u32 >= self.bound.load(Relaxed) {
            return;
        }
        let mut state = self.state();
        let is_full = state.kept.len() == self.attempt.count;
        if is_full
            && state
                .kept
                .last()
                .is_some_and(|worst| worst.total <= skeleton.total)
        {
            return;
        }
        // Only the first of several skeletons with the same solution is stored.
        let alike = match &skeleton.solution {
            Some(solution) => (Reduction::Solved, [solution.clone(), Vec::new()]),
            None => (reached, skeleton.moves.clone()),
        };
        if !state.known.insert(alike) {
            return;
        }
        let is_better = state
            .kept
            .first()
            .is_none_or(|best| skeleton.total < best.total);
        let place = state
            .kept
            .partition_point(|other| other.total <= skeleton.total);
        state.kept.insert(place, skeleton.clone());
        state.kept.truncate(self.attempt.count);
        if state.kept.len() == self.attempt.count
            && let Some(worst) = state.kept.last()
        {
            self.bound.store(worst.total as u32, Relaxed);
        }
        if is_better {
            (self.on_better)(&skeleton);
        }
    }
}

/// Returns, for each stage, the expected number of moves of the steps after it.
fn expected(stages: &[Stage]) -> Vec<u32> {
    let mut expected = vec![0; stages.len()];
    // Stages precede their successors.
    for (number, stage) in stages.iter().enumerate().rev() {
        let after =
            |&next: &usize| typical(stage.step.kind, stages[next].step.kind) + expected[next];
        expected[number] = if stage.is_last {
            0
        } else {
            stage.next.iter().map(after).min().unwrap_or(0)
        };
    }
    expected
}

/// Typical number of moves of a step after another one in a good skeleton.
fn typical(before: StepKind, next: StepKind) -> u32 {
    match (before, next) {
        (_, StepKind::Eo) => 3,
        (_, StepKind::Dr) => 7,
        (StepKind::Dr, StepKind::Htr) => 6,
        (_, StepKind::Htr) => 11,
        (StepKind::Htr, StepKind::Finish) => 7,
        (StepKind::Dr, StepKind::Finish) => 12,
        (_, StepKind::Finish) => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{parse_prior_moves, sides};
    use crate::pipeline::Pipeline;
    use crate::reduction::Side;
    use cosette::cube::{Axis, Cube, DisplayMoves, ParseOptions, canonical, inverse, parse_moves};
    use cosette::{Cancel, ThreadCount};

    fn search(
        steps: &StepSolvers,
        (scramble, done): (&str, &str),
        text: &str,
        count: usize,
        threads: usize,
    ) -> SearchReport {
        let control = Control::new(ThreadCount::new(threads).unwrap());
        let pipeline: Pipeline = text.parse().unwrap();
        let done = parse_prior_moves(done).unwrap();
        let attempt = Attempt {
            scramble: scramble.parse().unwrap(),
            prior_moves: done,
            pipeline: &pipeline,
            count,
        };
        let report = attempt.search(steps, &|_| {}, &control).unwrap();
        for skeleton in &report.skeletons {
            let solution = skeleton.solution.as_ref().expect("all steps are made");
            assert!(attempt.scramble.apply_moves(solution).is_solved());
            assert_eq!(canonical(solution).len(), skeleton.total);
            // The moves of the skeleton in NISS notation solve the cube as well.
            let notes = format!("{scramble} {}", sides(&skeleton.moves));
            assert!(
                parse_moves(
                    &notes,
                    &ParseOptions {
                        niss: true,
                        ..ParseOptions::default()
                    }
                )
                .unwrap()
                .position()
                .is_solved(),
                "{notes}"
            );
        }
        report
    }

    /// Minimum total of all skeletons by brute force: all solutions of each step in each direction
    /// of their last turns, with cancellations counted only at the end.
    fn least(
        steps: &StepSolvers,
        attempt: &Attempt<'_>,
        (position, reached, side): (Cube, Reduction, Side),
        stage: usize,
        made: &NissMoves,
    ) -> Option<usize> {
        let Stage {
            step,
            next,
            is_last,
        } = &attempt.pipeline.stages[stage];
        let mut least_found = None;
        for length in 0..=step.max.unwrap() {
            for way in steps
                .solutions(
                    &position,
                    (reached, side),
                    step,
                    length,
                    &Control::default(),
                )
                .unwrap()
                .unwrap_or_default()
            {
                for way in way.in_all_directions() {
                    let mut after = (position, way.reached, side);
                    let mut all = made.clone();
                    for each in Side::BOTH {
                        let moves = &way.moves[each as usize];
                        after = (
                            each.after(&after.0, moves),
                            after.1,
                            if moves.is_empty() { after.2 } else { each },
                        );
                        all[each as usize].extend(moves);
                    }
                    let total = match is_last {
                        true => Some(canonical(&[&all[0][..], &inverse(&all[1])].concat()).len()),
                        false => next
                            .iter()
                            .filter_map(|&next| least(steps, attempt, after, next, &all))
                            .min(),
                    };
                    least_found = total.into_iter().chain(least_found).min();
                }
            }
        }
        least_found
    }

    #[test]
    fn the_shortest_skeletons_are_found_and_proven() {
        let steps = StepSolvers::default();
        for (scramble, done, text) in [
            (
                "F2 R2 U R' D F",
                "",
                "eo[max=1] > dr[max=2] > htr[max=2] > finish[max=4]",
            ),
            (
                "L2 B2 D R2 F2 R F",
                "",
                "(eo[max=1] > dr[max=1] | dr[max=2, niss=mixed]) > htr[max=3] > finish[max=3]",
            ),
            // The last prior turn is continued, or undone.
            (
                "U2 R2 F2 D R U",
                "U'",
                "dr[max=2] > htr[max=2] > finish[max=5]",
            ),
            (
                "F2 L2 U R2 U R",
                "(U2) R",
                "htr[max=4] > finish[max=4, niss=none]",
            ),
            ("R2 U2 F2 D", "D2", "htr[max=2] > finish[max=5]"),
            // One of several finishes cancels with the prior moves, on the same side or on the
            // other.
            ("R2 F2 R2 F2 R2", "F2", "finish[max=6]"),
            ("F2 R2 F2 R2 F2 U2", "(R2) U2", "finish[max=6]"),
            // The first step turns the face opposite the last prior turn, and the second undoes
            // that turn.
            ("R2 F2 D' U2", "U2", "htr[max=1] > finish[max=4]"),
            (
                "R2 D' F2 U'",
                "U D2",
                "eo[max=1] > htr[max=2] > finish[max=3]",
            ),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let done = parse_prior_moves(done).unwrap();
            let attempt = Attempt {
                scramble: scramble.parse().unwrap(),
                prior_moves: done,
                pipeline: &pipeline,
                count: 1,
            };
            let position = attempt.position();
            let mut best = None;
            for &stage in &pipeline.first {
                for reached in Reduction::prerequisites(&pipeline.stages[stage].step, &position) {
                    let found = least(
                        &steps,
                        &attempt,
                        (position, reached, Side::Normal),
                        stage,
                        &attempt.prior_moves,
                    );
                    best = found.into_iter().chain(best).min();
                }
            }
            assert!(best.is_some(), "{scramble}: nothing to compare");
            for threads in [1, 2] {
                let report = search(
                    &steps,
                    (scramble, &sides(&attempt.prior_moves)),
                    text,
                    1,
                    threads,
                );
                assert!(report.is_exhausted, "{scramble}");
                assert_eq!(
                    report.skeletons.first().map(|best| best.total),
                    best,
                    "{scramble}"
                );
            }
        }
    }

    #[test]
    fn the_last_step_may_cancel_with_what_was_done() {
        for (scramble, done, text, total) in [
            ("U", "F", "eo:FB", 0),
            // Moves on both sides may be fewer than on either.
            ("R U R", "", "eo:FB > dr:UD[niss=mixed]", 2),
        ] {
            let pipeline = text.parse().unwrap();
            let done = parse_prior_moves(done).unwrap();
            let attempt = Attempt {
                scramble: scramble.parse().unwrap(),
                prior_moves: done,
                pipeline: &pipeline,
                count: 1,
            };
            let report = attempt
                .search(&StepSolvers::default(), &|_| {}, &Control::default())
                .unwrap();
            assert_eq!(
                (report.skeletons[0].total, report.is_exhausted),
                (total, true),
                "{scramble}"
            );
        }
    }

    #[test]
    fn lists_tell_how_many_ways_there_are() {
        let report = search(
            &StepSolvers::default(),
            ("R U F", ""),
            "eo[max=2] > dr[max=2] > htr > finish[n=2]",
            3,
            1,
        );
        let [
            StepCounts {
                stage: 0,
                after: Reduction::Nothing,
                counts,
            },
        ] = &report.step_counts[..]
        else {
            panic!("{:?}", report.step_counts)
        };
        assert!(
            counts.len() == 3 && counts[0] == 0 && counts[1] > 0,
            "{counts:?}"
        );
        let totals: Vec<usize> = report
            .skeletons
            .iter()
            .map(|skeleton| skeleton.total)
            .collect();
        assert!(totals.is_sorted() && totals.len() <= 3, "{totals:?}");
    }

    #[test]
    fn triggers_without_oriented_edges_are_refused() {
        let pipeline: Pipeline = "dr[triggers=R] > finish".parse().unwrap();
        let attempt = Attempt {
            scramble: "R U F".parse().unwrap(),
            prior_moves: NissMoves::default(),
            pipeline: &pipeline,
            count: 1,
        };
        let refused = attempt
            .search(&StepSolvers::default(), &|_| {}, &Control::default())
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "dr with triggers cannot be the first step: the edges are not oriented; start with an earlier step, as in eo > dr"
        );
    }

    #[test]
    fn a_first_step_may_break_what_holds_already() {
        let steps = StepSolvers::default();
        for (scramble, text, total) in [
            // Edges are oriented along F and B.
            ("F U2 F' B2 U2 F' D2 F' R2 F R U", "dr[max=4]", Some(2)),
            (
                "F U2 F' B2 U2 F' D2 F' R2 F R U",
                "eo[max=0] > dr[max=4]",
                None,
            ),
            ("R2 B D2 L2 D2 L2 B' R2 F2 R U", "dr[max=4]", Some(2)),
            ("R U", "dr:FB[max=2]", Some(2)),
            ("R U", "dr:FB", Some(2)),
            // Half turns are enough, but quarter turns are fewer.
            (
                "D2 B2 L2 F2 L2 F2 D2 R2 D2 B2 D2 B2 L2 R2",
                "finish",
                Some(10),
            ),
            (
                "D2 B2 L2 F2 L2 F2 D2 R2 D2 B2 D2 B2 L2 R2",
                "htr[max=0] > finish",
                Some(12),
            ),
            ("R U F", "htr > finish", Some(3)),
            ("R U F", "finish", Some(3)),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let done = NissMoves::default();
            let attempt = Attempt {
                scramble: scramble.parse().unwrap(),
                prior_moves: done,
                pipeline: &pipeline,
                count: 1,
            };
            let report = attempt
                .search(&steps, &|_| {}, &Control::default())
                .unwrap();
            let best = report.skeletons.first().map(|best| best.total);
            assert_eq!(
                (best, report.is_exhausted),
                (total, true),
                "{scramble} {text}"
            );
            assert_eq!(report.is_proven(), total.is_some(), "{scramble} {text}");
        }
    }

    #[test]
    fn a_step_that_never_comes_is_no_list_without_an_end() {
        let pipeline: Pipeline = "eo[max=0] > dr:FB".parse().unwrap();
        let attempt = Attempt {
            scramble: "R U".parse().unwrap(),
            prior_moves: NissMoves::default(),
            pipeline: &pipeline,
            count: 1,
        };
        let report = attempt
            .search(&StepSolvers::default(), &|_| {}, &Control::default())
            .unwrap();
        assert!(
            report.is_exhausted && report.skeletons.is_empty() && report.tasks < 4,
            "{report:?}"
        );
        let step = &pipeline.stages[1].step;
        let from = (Reduction::Eo(Axis::Fb), Side::Normal);
        let never =
            StepSolvers::default().solutions(&attempt.scramble, from, step, 3, &Control::default());
        assert_eq!(never, Ok(None));
        // A reduction that already holds has only the solution without moves.
        for text in ["eo", "dr:FB", "htr", "finish[n=3]"] {
            let pipeline: Pipeline = text.parse().unwrap();
            let attempt = Attempt {
                scramble: Cube::SOLVED,
                prior_moves: NissMoves::default(),
                pipeline: &pipeline,
                count: 100,
            };
            let report = attempt
                .search(&StepSolvers::default(), &|_| {}, &Control::default())
                .unwrap();
            assert!(
                report.is_proven() && report.tasks < 12,
                "{text}: {report:?}"
            );
        }
    }

    #[test]
    fn limits_that_exclude_something_are_named() {
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        for (scramble, text, limits, is_proven) in [
            (superflip, "eo[max=5] > dr > htr > finish", &[0][..], false),
            ("R U F", "eo[max=1] > finish[max=2]", &[0][..], true),
            ("R U F", "eo[max=3] > finish[max=3]", &[][..], true),
            ("R U F", "eo[n=1, max=3] > finish[max=2]", &[0][..], true),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let attempt = Attempt {
                scramble: scramble.parse().unwrap(),
                prior_moves: NissMoves::default(),
                pipeline: &pipeline,
                count: 1,
            };
            let report = attempt
                .search(&StepSolvers::default(), &|_| {}, &Control::default())
                .unwrap();
            assert_eq!(
                (&report.limits[..], report.is_proven()),
                (limits, is_proven),
                "{scramble} {text}"
            );
            assert!(report.is_exhausted, "{scramble} {text}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_says_so() {
        let cancel = Cancel::new();
        cancel.cancel();
        let pipeline: Pipeline = super::super::pipeline::DEFAULT_STEPS.parse().unwrap();
        let attempt = Attempt {
            scramble: "R U F".parse().unwrap(),
            prior_moves: NissMoves::default(),
            pipeline: &pipeline,
            count: 1,
        };
        let control = Control::default().with_cancel(&cancel);
        let report = attempt
            .search(&StepSolvers::default(), &|_| {}, &control)
            .unwrap();
        assert!(!report.is_exhausted && report.skeletons.is_empty());
        // A skeleton that is found before the cancellation is reported at once.
        let cancel = Cancel::new();
        let told = Mutex::new(Vec::new());
        let on_better = |skeleton: &Skeleton| {
            told.lock()
                .unwrap()
                .push(DisplayMoves(skeleton.solution.as_ref().unwrap()).to_string());
            cancel.cancel();
        };
        let report = attempt
            .search(
                &StepSolvers::default(),
                &on_better,
                &Control::default().with_cancel(&cancel),
            )
            .unwrap();
        let best = report
            .skeletons
            .first()
            .and_then(|best| best.solution.as_ref())
            .unwrap();
        assert_eq!(
            told.into_inner().unwrap().last(),
            Some(&DisplayMoves(best).to_string())
        );
    }
}

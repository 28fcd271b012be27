//! The search for skeletons: best-first over the solutions of each step.
//!
//! A *task* is a node (a position with the moves that lead there), a step, and a number of moves.
//! All [solutions](StepSolvers::solutions) of the step with exactly this number of moves, in each
//! direction of their last turns, give the successors of the node; the next task of the node is the
//! same step with one move more. Tasks are done in the order of the expected totals of their
//! skeletons: the moves of the node and of the task, plus typical numbers of moves for the steps
//! after it. The first task of a node has the lower bound of the pattern databases as its number of
//! moves, so nodes close to the next step come first.
//!
//! Once as many skeletons are stored as requested, a task is dropped if its node and the task
//! together do not have fewer moves than the worst of them. If no task is left, all skeletons were
//! tried, and none is shorter than the best one. This is exact because moves of different steps
//! need not cancel (`step_solvers`). The prior moves are fixed, so turns may cancel with the last
//! prior moves. As long as such turns may follow, the bound is relaxed by the possible savings
//! (`SkeletonNode::spare`). Skeletons that undo more prior moves may be missed, which the report
//! states.
//!
//! No step precedes the first step, so it may use all turns, even if reductions already hold.
//! Solutions that preserve such reductions are tried first. To preserve a reduction in all
//! skeletons, include its step with `max=0`, e.g. `eo[max=0] > dr`.

use crate::notation::{NissMoves, NissSide, joined, last_run};
use crate::pipeline::PipelineStage;
use crate::reduction::{Reduction, StepKind};
use crate::report::{SearchReport, Skeleton, SkeletonStep, StepCounts};
use crate::request::{FieldError, ParsedRequest};
use crate::step_solvers::{Cancellation, StepSolution, StepSolvers, StepStart};
use cosette::cube::{Cube, Move};
use cosette::{CancelReason, Control};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of queued tasks: some hundred megabytes. Beyond it, the worse half by expected
/// total is dropped.
const MAX_TASKS: usize = 400_000;
/// Expected number of extra moves of a skeleton whose first step does not preserve a reduction that
/// already holds.
const BREAKING_COST: u32 = 3;
/// Time for which a thread without a task sleeps before it checks for cancellation.
const SLEEP: Duration = Duration::from_millis(5);

/// Message for a first step with triggers from a position whose edges are not oriented.
const MISSING_PREREQUISITE: &str = "dr with triggers cannot be the first step: the edges are not \
    oriented; start with an earlier step, as in eo > dr";

/// A position, and the moves that lead to it.
struct SkeletonNode {
    parent: Option<Arc<SkeletonNode>>,
    /// The position, its reduction and the side of the last moves.
    start: StepStart,
    /// The moves of the last step.
    moves: NissMoves,
    /// The moves of all steps, without the prior moves.
    own: NissMoves,
    /// Number of moves, with cancellations, including the prior moves.
    total: u32,
    /// Maximum number of moves by which the last prior turns may still shorten the total.
    spare: u32,
}

impl SkeletonNode {
    /// Creates the node of a position from which the first steps start.
    fn root(position: Cube, reduction: Reduction, prior_moves: &NissMoves) -> SkeletonNode {
        let side = match prior_moves.normal.is_empty() && !prior_moves.inverse.is_empty() {
            true => NissSide::Inverse,
            false => NissSide::Normal,
        };
        SkeletonNode {
            parent: None,
            start: StepStart {
                position,
                reduction,
                side,
            },
            moves: NissMoves::default(),
            own: NissMoves::default(),
            total: prior_moves.count() as u32,
            spare: spare(prior_moves, &NissMoves::default()),
        }
    }

    /// Returns a lower bound on the total of a skeleton through this node with `length` more moves.
    fn min_total(&self, length: u32) -> u32 {
        (self.total + length).saturating_sub(self.spare)
    }

    /// Returns `true` if no step has made a move yet.
    fn has_no_moves(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns the node after a step solution; `None` if its moves cancel with moves of an earlier
    /// step, because another node then represents the result.
    fn after(
        self: &Arc<SkeletonNode>,
        solution: StepSolution,
        prior_moves: &NissMoves,
    ) -> Option<SkeletonNode> {
        let StepSolution { moves, reduction } = solution;
        let own = self.own.then(&moves);
        if own.count() < self.own.count() + moves.count() {
            return None;
        }
        let is_on = |side: &NissSide| !moves[*side].is_empty();
        let last_side = NissSide::BOTH.into_iter().rfind(is_on);
        let start = StepStart {
            position: moves.apply(&self.start.position),
            reduction,
            side: last_side.unwrap_or(self.start.side),
        };
        Some(SkeletonNode {
            parent: Some(self.clone()),
            start,
            total: prior_moves.then(&own).count() as u32,
            spare: spare(prior_moves, &own),
            moves,
            own,
        })
    }

    /// Returns the skeleton that ends at this node.
    fn skeleton(&self, prior_moves: &NissMoves) -> Skeleton {
        let moves = prior_moves.then(&self.own);
        let is_solved = self.start.position.is_solved();
        let solution = is_solved.then(|| moves.linearize());
        let total = solution.as_ref().map_or(self.total as usize, Vec::len);
        let mut steps = Vec::new();
        let mut node = self;
        while let Some(parent) = &node.parent {
            steps.push(SkeletonStep {
                reduction: node.start.reduction,
                moves: node.moves.clone(),
                total: node.total as usize,
                position: node.start.position,
            });
            node = parent;
        }
        steps.reverse();
        // Where both sides join in the solution, moves may cancel too.
        if let Some(last) = steps.last_mut() {
            last.total = total;
        }
        Skeleton {
            steps,
            moves,
            total,
            solution,
        }
    }
}

/// Returns the maximum number of moves that can still be saved by turns that cancel with the last
/// prior turns, on both sides, after the steps have made the moves `own`.
///
/// Only turns about the same axis reach the last prior turns, `last`. If turns `x` follow `own`,
/// `own` and `x` do not cancel with each other. So `last · own · x` has at least as many moves as
/// `own · x`, minus the moves of `last`.
fn spare(prior_moves: &NissMoves, own: &NissMoves) -> u32 {
    let axis = |moves: &[Move]| moves.last().map(|m| m.face().axis());
    let on_side = |side| {
        let last = last_run(&prior_moves[side]);
        let own = &own[side];
        let is_one_run = last_run(own).len() == own.len();
        match own.is_empty() || (is_one_run && axis(own) == axis(last)) {
            true => joined(last, own).len() + last.len() - own.len(),
            false => 0,
        }
    };
    NissSide::BOTH.map(on_side).iter().sum::<usize>() as u32
}

/// A task: all solutions of one step from a node with a given number of moves.
#[derive(Clone)]
struct StepTask {
    node: Arc<SkeletonNode>,
    stage: usize,
    length: u32,
    /// Number of solutions that the tasks with fewer moves have found.
    earlier_solutions: usize,
    /// Number of moves expected in addition to the typical numbers of the steps.
    handicap: u32,
}

impl StepTask {
    /// Returns a lower bound on the total of a skeleton through this task.
    fn min_total(&self) -> u32 {
        self.node.min_total(self.length)
    }
}

/// Priority of a task: expected total, then depth in the pipeline (deepest first), then age. The
/// minimum is done first.
type TaskPriority = (u32, Reverse<usize>, u64);

/// State shared by the threads.
#[derive(Default)]
struct SearchState {
    queue: BTreeMap<TaskPriority, StepTask>,
    /// Number of tasks queued so far.
    queued: u64,
    /// Number of tasks started.
    started: u64,
    /// Number of threads that work on a task.
    busy: usize,
    /// `true` if the search was cancelled before all tasks were done.
    is_incomplete: bool,
    /// `true` if tasks were dropped because the queue was full.
    has_dropped_tasks: bool,
    /// For each stage whose limits excluded skeletons: a lower bound on their totals.
    excluded: BTreeMap<usize, u32>,
    /// The best skeletons, in order of their total.
    skeletons: Vec<Skeleton>,
    /// Last reduction and moves of all skeletons that were stored, to detect duplicates.
    known: HashSet<(Option<Reduction>, NissMoves)>,
    /// Number of solutions by number of moves, for each stage and each reduction that they
    /// preserve, the furthest first.
    step_counts: BTreeMap<(usize, Reverse<Reduction>), Vec<usize>>,
}

impl SearchState {
    /// Records that a limit of a step excludes this task and longer ones.
    fn exclude(&mut self, task: &StepTask) {
        let total = task.min_total();
        let min = self.excluded.entry(task.stage).or_insert(total);
        *min = total.min(*min);
    }
}

/// A running search, shared by its threads.
struct SkeletonSearch<'a> {
    request: &'a ParsedRequest,
    solvers: &'a StepSolvers,
    control: &'a Control<'a>,
    /// Called with each skeleton that is shorter than all before.
    on_better: &'a (dyn Fn(&Skeleton) + Sync),
    /// Expected number of moves of the steps after each stage.
    expected: Vec<u32>,
    /// Only skeletons with a smaller total are stored.
    bound: AtomicU32,
    state: Mutex<SearchState>,
    /// Notified after each task.
    task_ended: Condvar,
}

impl ParsedRequest {
    /// Searches until all skeletons are tried, the time limit is reached or `control` is cancelled.
    /// Calls `on_better` with each skeleton that is shorter than all before.
    ///
    /// # Errors
    ///
    /// Returns a [`FieldError`] if the first step has triggers, but edges are not oriented.
    pub fn search(
        &self,
        scramble: Cube,
        solvers: &StepSolvers,
        on_better: &(dyn Fn(&Skeleton) + Sync),
        control: &Control<'_>,
    ) -> Result<SearchReport<'_>, FieldError> {
        let limit = control.cancel_token().limited(self.timeout);
        let control = &control.clone().with_cancel(&limit);
        let start = Instant::now();
        let search = SkeletonSearch {
            request: self,
            solvers,
            control,
            on_better,
            expected: expected_lengths(&self.pipeline.stages),
            bound: AtomicU32::new(u32::MAX),
            state: Mutex::default(),
            task_ended: Condvar::new(),
        };
        search.queue_first_steps(self.prior_moves.apply(&scramble))?;
        control.threads().run(&|_| search.work());
        let bound = search.bound.into_inner();
        let state = search
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let is_exhausted =
            state.queue.is_empty() && !state.is_incomplete && !state.has_dropped_tasks;
        let stop_reason = match control.cancel_token().reason() {
            Some(CancelReason::Requested) if !is_exhausted => Some("interrupt"),
            Some(CancelReason::TimedOut) if !is_exhausted => Some("timeout"),
            _ => state.has_dropped_tasks.then_some("memory"),
        };
        let step_counts = state.step_counts.into_iter();
        let step_counts = step_counts.map(|((stage, Reverse(after)), counts)| StepCounts {
            stage,
            after,
            counts,
        });
        let excluded = state.excluded.into_iter();
        Ok(SearchReport {
            skeletons: state.skeletons,
            is_exhausted,
            // Other excluded skeletons would not be among the best.
            limits: excluded
                .filter(|&(_, min_total)| min_total < bound)
                .map(|(stage, _)| self.pipeline.stages[stage].step.to_string())
                .collect(),
            stop_reason,
            step_counts: step_counts.collect(),
            tasks: state.started,
            elapsed: start.elapsed(),
            scramble,
            request: self,
        })
    }
}

impl SkeletonSearch<'_> {
    fn state(&self) -> MutexGuard<'_, SearchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stage(&self, task: &StepTask) -> &PipelineStage {
        &self.request.pipeline.stages[task.stage]
    }

    /// Queues the tasks of the first steps, one for each reduction that they may preserve.
    fn queue_first_steps(&self, position: Cube) -> Result<(), FieldError> {
        let ParsedRequest {
            pipeline,
            prior_moves,
            ..
        } = self.request;
        for &stage in &pipeline.first {
            let prerequisites = pipeline.stages[stage].step.prerequisites(&position);
            let first = prerequisites
                .first()
                .ok_or_else(|| FieldError::new("steps", MISSING_PREREQUISITE))?;
            for &reduction in &prerequisites {
                let breaks_reduction = reduction != *first && reduction == Reduction::Nothing;
                let task = StepTask {
                    node: Arc::new(SkeletonNode::root(position, reduction, prior_moves)),
                    stage,
                    length: 0,
                    earlier_solutions: 0,
                    handicap: if breaks_reduction { BREAKING_COST } else { 0 },
                };
                self.queue(&mut self.state(), task);
            }
        }
        Ok(())
    }

    /// Runs tasks until none is left, or until cancellation.
    fn work(&self) {
        while let Some(task) = self.next() {
            let next = self.run(&task);
            let mut state = self.state();
            state.busy -= 1;
            match next {
                Ok(next) => next
                    .into_iter()
                    .for_each(|task| self.queue(&mut state, task)),
                Err(Cancellation) => state.is_incomplete = true,
            }
            drop(state);
            self.task_ended.notify_all();
        }
    }

    /// Returns the next task; `None` on cancellation, or if no task is left and no running task can
    /// add one.
    fn next(&self) -> Option<StepTask> {
        let mut state = self.state();
        loop {
            if self.control.is_cancelled() {
                state.is_incomplete |= !state.queue.is_empty();
                return None;
            }
            if let Some((_, task)) = state.queue.pop_first() {
                state.busy += 1;
                state.started += 1;
                return Some(task);
            }
            if state.busy == 0 {
                return None;
            }
            state = self
                .task_ended
                .wait_timeout(state, SLEEP)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn bound(&self) -> u32 {
        self.bound.load(Relaxed)
    }

    /// Queues a task, unless it cannot lead to a better skeleton.
    fn queue(&self, state: &mut SearchState, task: StepTask) {
        if task.min_total() >= self.bound() {
            return;
        }
        let step = &self.stage(&task).step;
        if step.max.is_some_and(|max| task.length > max)
            || task.earlier_solutions >= step.max_count()
        {
            state.exclude(&task);
            return;
        }
        let moves = task.node.total + task.length + self.expected[task.stage];
        let priority = (moves + task.handicap, Reverse(task.stage), state.queued);
        state.queued += 1;
        state.queue.insert(priority, task);
        if state.queue.len() > MAX_TASKS {
            state.has_dropped_tasks = true;
            while state.queue.len() > MAX_TASKS / 2 {
                state.queue.pop_last();
            }
        }
    }

    /// Runs a task, and returns the tasks that follow from it.
    fn run(&self, task: &StepTask) -> Result<Vec<StepTask>, Cancellation> {
        let mut tasks = Vec::new();
        if task.min_total() >= self.bound() {
            return Ok(tasks);
        }
        let Some(mut solutions) = self.solutions(task)? else {
            return Ok(tasks);
        };
        if task.node.has_no_moves() {
            self.count_solutions(task, solutions.len());
        }
        let PipelineStage { step, is_last, .. } = self.stage(task);
        if step.kind == StepKind::Finish && step.n.is_none() && !solutions.is_empty() {
            self.finish(task, solutions)?;
            return Ok(tasks);
        }
        let max_count = step.max_count() - task.earlier_solutions;
        if solutions.len() > max_count {
            self.state().exclude(task);
            solutions.truncate(max_count);
        }
        let earlier_solutions = task.earlier_solutions + solutions.len();
        for solution in solutions {
            if self.control.is_cancelled() {
                return Err(Cancellation);
            }
            if *is_last {
                self.end(task, &solution);
            }
            tasks.extend(self.next_steps(task, &solution)?);
        }
        tasks.push(StepTask {
            length: task.length + 1,
            earlier_solutions,
            ..task.clone()
        });
        Ok(tasks)
    }

    fn solutions(&self, task: &StepTask) -> Result<Option<Vec<StepSolution>>, Cancellation> {
        let step = &self.stage(task).step;
        self.solvers
            .solutions(&task.node.start, step, task.length, self.control)
    }

    /// Returns the tasks of the steps after a solution, in each direction of its last turns.
    fn next_steps(
        &self,
        task: &StepTask,
        solution: &StepSolution,
    ) -> Result<Vec<StepTask>, Cancellation> {
        let mut tasks = Vec::new();
        let next = &self.stage(task).next;
        if next.is_empty() {
            return Ok(tasks);
        }
        for solution in solution.in_all_directions() {
            let Some(node) = task.node.after(solution, &self.request.prior_moves) else {
                continue;
            };
            let node = Arc::new(node);
            for &stage in next {
                let step = &self.request.pipeline.stages[stage].step;
                let bound = self.solvers.lower_bound(&node.start, step, self.control)?;
                tasks.extend(bound.map(|length| StepTask {
                    node: node.clone(),
                    stage,
                    length,
                    earlier_solutions: 0,
                    handicap: task.handicap,
                }));
            }
        }
        Ok(tasks)
    }

    /// Records the number of solutions of a step from the position at which the search begins.
    fn count_solutions(&self, task: &StepTask, count: usize) {
        let key = (task.stage, Reverse(task.node.start.reduction));
        let mut state = self.state();
        let counts = state.step_counts.entry(key).or_default();
        // Equal counts may be recorded again: a step may follow several first steps that already
        // hold.
        if counts.len() <= task.length as usize {
            counts.resize(task.length as usize, 0);
            counts.push(count);
        }
    }

    /// Stores the skeleton that ends with a solution.
    fn end(&self, task: &StepTask, solution: &StepSolution) {
        // The direction of a last turn matters if the turn may cancel with a prior move.
        let has_directions = task.node.spare > 0 && self.stage(task).step.kind != StepKind::Finish;
        let solutions = match has_directions {
            true => solution.in_all_directions(),
            false => vec![solution.clone()],
        };
        self.store_best(&task.node, solutions, u32::MAX);
    }

    /// Stores one of the shortest finishes; a longer finish only if it cancels enough prior moves
    /// to be shorter in total.
    fn finish(&self, task: &StepTask, solutions: Vec<StepSolution>) -> Result<(), Cancellation> {
        let step = &self.stage(task).step;
        let mut task = task.clone();
        let best = self.store_best(&task.node, solutions, u32::MAX);
        let mut best = best.unwrap_or(task.node.total + task.length);
        loop {
            task.length += 1;
            if task.min_total() >= best.min(self.bound()) {
                return Ok(());
            }
            if step.max.is_some_and(|max| task.length > max) {
                self.state().exclude(&task);
                return Ok(());
            }
            let longer = self.solutions(&task)?.unwrap_or_default();
            best = self.store_best(&task.node, longer, best).unwrap_or(best);
        }
    }

    /// Stores the shortest of the skeletons that end with these solutions, if its total is below
    /// `max` and it is one of the best. Returns its total.
    fn store_best(
        &self,
        node: &Arc<SkeletonNode>,
        solutions: Vec<StepSolution>,
        max: u32,
    ) -> Option<u32> {
        let prior_moves = &self.request.prior_moves;
        let bound = self.bound();
        let skeleton = solutions
            .into_iter()
            .filter_map(|solution| node.after(solution, prior_moves))
            .filter(|node| node.min_total(0) < bound)
            .map(|node| node.skeleton(prior_moves))
            .min_by_key(|skeleton| skeleton.total)?;
        let total = skeleton.total as u32;
        if total >= max {
            return None;
        }
        self.store(skeleton);
        Some(total)
    }

    /// Stores a skeleton if it is one of the best.
    fn store(&self, skeleton: Skeleton) {
        let mut guard = self.state();
        if skeleton.total as u32 >= self.bound() {
            return;
        }
        let state = &mut *guard;
        // Only the first of several skeletons with the same solution is stored.
        let key = match &skeleton.solution {
            Some(solution) => {
                let moves = NissMoves::on(NissSide::Normal, solution.clone());
                (Some(Reduction::Solved), moves)
            }
            None => {
                let reduction = skeleton.steps.last().map(|step| step.reduction);
                (reduction, skeleton.moves.clone())
            }
        };
        if !state.known.insert(key) {
            return;
        }
        let skeletons = &mut state.skeletons;
        let index = skeletons.partition_point(|other| other.total <= skeleton.total);
        skeletons.insert(index, skeleton.clone());
        skeletons.truncate(self.request.count);
        if skeletons.len() == self.request.count
            && let Some(worst) = skeletons.last()
        {
            self.bound.store(worst.total as u32, Relaxed);
        }
        if index == 0 {
            (self.on_better)(&skeleton);
        }
    }
}

/// Returns, for each stage, the expected number of moves of the steps after it.
fn expected_lengths(stages: &[PipelineStage]) -> Vec<u32> {
    let mut expected = vec![0; stages.len()];
    // Stages precede their successors.
    for (number, stage) in stages.iter().enumerate().rev() {
        let after = |&next: &usize| {
            typical_length(stage.step.kind, stages[next].step.kind) + expected[next]
        };
        expected[number] = if stage.is_last {
            0
        } else {
            stage.next.iter().map(after).min().unwrap_or(0)
        };
    }
    expected
}

/// Typical number of moves of a step after another one in a good skeleton.
fn typical_length(before: StepKind, next: StepKind) -> u32 {
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
    use crate::notation::parse_prior_moves;
    use crate::pipeline::DEFAULT_STEPS;
    use crate::testing::{cases, reduction};
    use cosette::cube::{ParseOptions, inverse, parse_moves};
    use cosette::{Cancel, ThreadCount};

    /// Creates a request for one skeleton.
    fn request(prior_moves: &str, steps: &str) -> ParsedRequest {
        ParsedRequest {
            pipeline: steps.parse().unwrap(),
            prior_moves: parse_prior_moves(prior_moves).unwrap(),
            count: 1,
            timeout: None,
        }
    }

    fn search<'a>(
        scramble: &str,
        request: &'a ParsedRequest,
        control: &Control<'_>,
    ) -> SearchReport<'a> {
        let scramble = scramble.parse().unwrap();
        let solvers = StepSolvers::default();
        request
            .search(scramble, &solvers, &|_| {}, control)
            .unwrap()
    }

    fn total(report: &SearchReport<'_>) -> Option<usize> {
        report.skeletons.first().map(|best| best.total)
    }

    /// Checks that the skeletons solve the scramble, linearized and in NISS notation.
    fn check_skeletons(scramble: &str, report: &SearchReport<'_>) {
        for skeleton in &report.skeletons {
            let solution = skeleton.solution.as_ref().expect("all steps are made");
            assert!(report.scramble.apply_moves(solution).is_solved());
            assert_eq!(joined(solution, &[]).len(), skeleton.total);
            let notes = format!("{scramble} {}", skeleton.moves);
            let options = ParseOptions {
                niss: true,
                ..ParseOptions::default()
            };
            let position = parse_moves(&notes, &options).unwrap().position();
            assert!(position.is_solved(), "{notes}");
        }
    }

    /// Returns the minimum total of all skeletons by brute force: all solutions of each step in
    /// each direction of their last turns, with cancellations counted only at the end.
    fn min_total(
        solvers: &StepSolvers,
        request: &ParsedRequest,
        start: StepStart,
        stage: usize,
        before: &NissMoves,
    ) -> Option<usize> {
        let PipelineStage {
            step,
            next,
            is_last,
        } = &request.pipeline.stages[stage];
        let mut totals = Vec::new();
        for length in 0..=step.max.unwrap() {
            let solutions = solvers
                .solutions(&start, step, length, &Control::default())
                .unwrap()
                .unwrap_or_default();
            let solutions = solutions.iter().flat_map(StepSolution::in_all_directions);
            for StepSolution { moves, reduction } in solutions {
                let mut after = StepStart {
                    position: moves.apply(&start.position),
                    reduction,
                    ..start
                };
                let mut all = before.clone();
                for side in NissSide::BOTH {
                    if !moves[side].is_empty() {
                        after.side = side;
                    }
                    all[side].extend(&moves[side]);
                }
                if *is_last {
                    totals.push(joined(&all.normal, &inverse(&all.inverse)).len());
                }
                for &next in next {
                    totals.extend(min_total(solvers, request, after, next, &all));
                }
            }
        }
        totals.into_iter().min()
    }

    #[test]
    fn the_shortest_skeletons_are_found_and_proven() {
        let solvers = StepSolvers::default();
        for [scramble, prior_moves, text] in cases("shortest skeletons") {
            let request = request(prior_moves, text);
            let position = request.prior_moves.apply(&scramble.parse().unwrap());
            let mut totals = Vec::new();
            for &stage in &request.pipeline.first {
                for reduction in request.pipeline.stages[stage].step.prerequisites(&position) {
                    let start = StepStart {
                        position,
                        reduction,
                        side: NissSide::Normal,
                    };
                    let before = &request.prior_moves;
                    totals.extend(min_total(&solvers, &request, start, stage, before));
                }
            }
            let min = totals.into_iter().min();
            assert!(min.is_some(), "{scramble}: nothing to compare");
            for threads in [1, 2] {
                let control = Control::new(ThreadCount::new(threads).unwrap());
                let report = search(scramble, &request, &control);
                check_skeletons(scramble, &report);
                assert!(report.is_exhausted, "{scramble}");
                assert_eq!(total(&report), min, "{scramble}");
            }
        }
    }

    #[test]
    fn searches_have_these_totals_and_limits() {
        for [scramble, prior_moves, text, length, proven, limits] in cases("searches") {
            let request = request(prior_moves, text);
            let report = search(scramble, &request, &Control::default());
            let is_proven = report.is_proven();
            let total = total(&report).map_or("none".to_owned(), |total| total.to_string());
            assert_eq!(total, length, "{scramble} {text}");
            assert!(report.is_exhausted, "{scramble} {text}");
            assert_eq!(is_proven, proven == "proven", "{scramble} {text}");
            let named = match report.limits[..] {
                [] => "none".to_owned(),
                _ => report.limits.join(", "),
            };
            assert_eq!(named, limits, "{scramble} {text}");
        }
    }

    #[test]
    fn solutions_of_the_first_step_are_counted() {
        let mut request = request("", "eo[max=2] > dr[max=2] > htr > finish[n=2]");
        request.count = 3;
        let report = search("R U F", &request, &Control::default());
        check_skeletons("R U F", &report);
        let [list] = &report.step_counts[..] else {
            panic!("{:?}", report.step_counts)
        };
        assert_eq!((list.stage, list.after), (0, Reduction::Nothing));
        assert!(
            matches!(list.counts[..], [0, 1..=99, _]),
            "{:?}",
            list.counts
        );
        let skeletons = &report.skeletons;
        assert!(skeletons.is_sorted_by_key(|skeleton| skeleton.total) && skeletons.len() <= 3);
    }

    #[test]
    fn triggers_without_oriented_edges_are_rejected() {
        let request = request("", "dr[triggers=R] > finish");
        let solvers = StepSolvers::default();
        let scramble = "R U F".parse().unwrap();
        let refused = request.search(scramble, &solvers, &|_| {}, &Control::default());
        assert_eq!(refused.unwrap_err().message, MISSING_PREREQUISITE);
    }

    #[test]
    fn a_step_that_cannot_be_reached_ends_the_search() {
        let unreachable = request("", "eo[max=0] > dr:FB");
        let report = search("R U", &unreachable, &Control::default());
        let has_ended_without_skeletons = report.is_exhausted && report.skeletons.is_empty();
        assert!(
            has_ended_without_skeletons && report.tasks < 4,
            "{report:?}"
        );
        let start = StepStart {
            position: report.scramble,
            reduction: reduction("eo:FB"),
            side: NissSide::Normal,
        };
        let step = &unreachable.pipeline.stages[1].step;
        let solutions = StepSolvers::default().solutions(&start, step, 3, &Control::default());
        assert_eq!(solutions, Ok(None));
        // A reduction that already holds has only the solution without moves.
        for text in ["eo", "dr:FB", "htr", "finish[n=3]"] {
            let mut request = request("", text);
            request.count = 100;
            let report = search("R R'", &request, &Control::default());
            assert!(
                report.is_proven() && report.tasks < 12,
                "{text}: {report:?}"
            );
        }
    }

    #[test]
    fn a_cancelled_search_reports_the_skeletons_so_far() {
        let mut request = request("", DEFAULT_STEPS);
        // A skeleton that is found before the cancellation is reported at once.
        let cancel = Cancel::new();
        let control = Control::default().with_cancel(&cancel);
        let reported = Mutex::new(None);
        let on_better = |skeleton: &Skeleton| {
            *reported.lock().unwrap() = Some(skeleton.clone());
            cancel.cancel();
        };
        let scramble: Cube = "R U F".parse().unwrap();
        let report = request
            .search(scramble, &StepSolvers::default(), &on_better, &control)
            .unwrap();
        let reported = reported.into_inner().unwrap();
        assert!(reported.is_some() && reported.as_ref() == report.skeletons.first());
        // A search with the same token is cancelled from the start.
        let report = search("R U F", &request, &control);
        assert!(!report.is_exhausted && report.skeletons.is_empty());
        assert_eq!(report.stop_reason, Some("interrupt"));
        // A search without time ends at once, too.
        request.timeout = Some(Duration::ZERO);
        let result = search("R U F", &request, &Control::default()).result("R U F", None);
        assert_eq!(result.stop_reason, Some("timeout"));
        assert!(!result.optimal);
        assert_eq!(result.status.facelets, scramble.facelets());
    }
}

//! Whole skeletons: the search over the ways to each step.
//!
//! A task is a node, a position with the moves that led there, and a step with a number of moves: all [ways](Steps::ways) of exactly so many
//! moves make the nodes after it, in each direction of their last turns, and the next task of the node is the same step with one move
//! more. Tasks are done by what a skeleton through them is expected to take: the moves of the node, those of the task, and typical
//! numbers for the steps after it. The first task of a node has the number of moves that the next step takes at least, which tables tell: so
//! nodes from which it is near come first.
//!
//! A node whose moves, with those of its task, are no fewer than those of the worst skeleton that is kept cannot lead to a better one, and is
//! dropped. If no task is left, no skeleton is shorter than the best one: all of them were tried. That is exact where moves of different steps
//! need not cancel (`steps`). The moves that were done before the first step are given, so that turns may cancel with their last ones: until a
//! step has moved on from these, so many moves fewer are allowed for (`Node::spare`). What undoes more of them may be missed, which is said.
//!
//! Nothing comes before the first step, so it is made with all turns, whatever holds already; ways that keep what holds are tried
//! before others. To keep it in all skeletons, its step is there with `max=0`, as in `eo[max=0] > dr`.

use super::pipeline::{Kind, Stage, Step};
use super::reached::{Reached, Sides};
use super::skeleton::{Attempt, List, Node, Report, Skeleton, TooEarly};
use super::steps::{Steps, Stopped, Way};
use cosette::Control;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most tasks that wait: some hundred megabytes. Beyond, the half that is expected to be worse is dropped.
const MOST_TASKS: usize = 400_000;
/// Number of moves by which a skeleton is expected to be longer if its first step does not keep what holds already.
const BREAKING: u32 = 3;
/// How long a thread without a task sleeps before it looks whether to stop.
const NAP: Duration = Duration::from_millis(5);

/// All ways of so many moves to a step.
struct Task {
    node: Arc<Node>,
    stage: usize,
    length: u32,
    /// How many ways were found by tasks with fewer moves.
    found: usize,
    /// Number of moves that are expected beside those of its steps.
    handicap: u32,
}

/// What a task is expected to lead to, then how far it is, then its age: the least of these is done first.
type Rank = (u32, Reverse<usize>, u64);

struct Waiting {
    rank: Rank,
    task: Task,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        other.rank.cmp(&self.rank)
    }
}

/// What the threads share.
#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    /// How many threads have a task.
    busy: usize,
    /// How many tasks there have been.
    tasks: u64,
    is_incomplete: bool,
    were_dropped: bool,
    /// By stage: the least total of what its limits have excluded.
    excluded: BTreeMap<usize, u32>,
    kept: Vec<Skeleton>,
    /// What tells skeletons apart: what they reach, and their moves.
    known: HashSet<(Reached, Sides)>,
    lists: Vec<List>,
}

struct Search<'a> {
    attempt: &'a Attempt<'a>,
    steps: &'a Steps,
    control: &'a Control<'a>,
    on_better: &'a (dyn Fn(&Skeleton) + Sync),
    /// By stage: what the steps after it are expected to take.
    expected: Vec<u32>,
    /// Only what is shorter is kept.
    bound: AtomicU32,
    state: Mutex<State>,
    changed: Condvar,
}

impl Attempt<'_> {
    /// Searches until all is tried or `control` stops it, and calls `on_better` with each skeleton that is shorter than all before.
    ///
    /// # Errors
    /// If the first step has triggers, but edges are not oriented.
    pub fn search(
        &self,
        steps: &Steps,
        on_better: &(dyn Fn(&Skeleton) + Sync),
        control: &Control<'_>,
    ) -> Result<Report, TooEarly> {
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
            let before = Reached::before(&stages[stage].step, &position);
            if before.is_empty() {
                return Err(TooEarly);
            }
            let is_kept = before[0] != Reached::Nothing;
            for reached in before {
                let node = Arc::new(Node::root(reached, position, &self.done));
                let handicap = if is_kept && reached == Reached::Nothing { BREAKING } else { 0 };
                roots.push(Task { node, stage, length: 0, found: 0, handicap });
            }
        }
        roots.into_iter().for_each(|task| search.push(&mut search.state(), task));
        control.threads().run(&|_| search.work());
        let bound = search.bound.into_inner();
        let state = search.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Report {
            skeletons: state.kept,
            is_exhausted: state.waiting.is_empty() && !state.is_incomplete && !state.were_dropped,
            limits: state.excluded.into_iter().filter(|&(_, least)| least < bound).map(|(stage, _)| stage).collect(),
            were_dropped: state.were_dropped,
            lists: state.lists,
            tasks: state.tasks,
            elapsed: start.elapsed(),
        })
    }
}

impl Search<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until there are none.
    fn work(&self) {
        while let Some(task) = self.next() {
            let done = self.does(&task);
            let mut state = self.state();
            state.busy -= 1;
            match done {
                Ok(after) => after.into_iter().for_each(|task| self.push(&mut state, task)),
                Err(Stopped) => state.is_incomplete = true,
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The next task; `None` if none is left and none will come, or on a request to stop.
    fn next(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            if self.control.is_cancelled() {
                state.is_incomplete |= !state.waiting.is_empty();
                return None;
            }
            if let Some(Waiting { task, .. }) = state.waiting.pop() {
                state.busy += 1;
                state.tasks += 1;
                return Some(task);
            }
            if state.busy == 0 {
                return None;
            }
            state = self.changed.wait_timeout(state, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has a task done later, unless it cannot lead to anything better.
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
        state.waiting.push(Waiting { rank: (expected, Reverse(task.stage), age), task });
        if state.waiting.len() > MOST_TASKS {
            let mut all = std::mem::take(&mut state.waiting).into_sorted_vec();
            // The largest come last, and are done first.
            state.waiting = all.split_off(MOST_TASKS / 2).into();
            state.were_dropped = true;
        }
    }

    /// Notes that a limit of a step excludes ways of at least `length` moves.
    fn exclude(state: &mut State, stage: usize, node: &Node, length: u32) {
        let total = (node.total + length).saturating_sub(node.spare);
        let least = state.excluded.entry(stage).or_insert(total);
        *least = total.min(*least);
    }

    fn is_worth_it(&self, task: &Task) -> bool {
        task.node.total + task.length < self.bound.load(Relaxed).saturating_add(task.node.spare)
    }

    /// Does a task, and returns those that come of it.
    fn does(&self, task: &Task) -> Result<Vec<Task>, Stopped> {
        let Task { node, stage, length, found, handicap } = task;
        if !self.is_worth_it(task) {
            return Ok(Vec::new());
        }
        let Stage { step, next, is_last } = &self.attempt.pipeline.stages[*stage];
        let ways = self.steps.ways(&node.position, (node.reached, node.side), step, *length, self.control)?;
        let Some(mut ways) = ways else { return Ok(Vec::new()) };
        if node.is_first() {
            self.note((*stage, node.reached), *length, ways.len());
        }
        if step.kind == Kind::Finish && step.n.is_none() && !ways.is_empty() {
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
                return Err(Stopped);
            }
            if *is_last {
                // Where a last turn may meet one that was done before, its direction matters.
                let is_free = node.spare > 0 && step.kind != Kind::Finish;
                let ways = if is_free { way.in_all_directions() } else { vec![way.clone()] };
                self.keep_best(node, ways, u32::MAX);
            }
            if next.is_empty() {
                continue;
            }
            for way in way.in_all_directions() {
                let Some(node) = node.after(way, &self.attempt.done).map(Arc::new) else { continue };
                for &stage in next {
                    let step = &self.attempt.pipeline.stages[stage].step;
                    if let Some(length) = self.steps.lower_bound(&node.position, node.reached, step, self.control)? {
                        after.push(Task { node: node.clone(), stage, length, found: 0, handicap: *handicap });
                    }
                }
            }
        }
        after.push(Task { node: node.clone(), stage: *stage, length: length + 1, found, handicap: *handicap });
        Ok(after)
    }

    /// Notes how many ways there are to a step from the position at which the search begins.
    fn note(&self, (stage, after): (usize, Reached), length: u32, count: usize) {
        let lists = &mut self.state().lists;
        let number = lists.iter().position(|list| (list.stage, list.after) == (stage, after)).unwrap_or(lists.len());
        if number == lists.len() {
            lists.push(List { stage, after, counts: Vec::new() });
        }
        let counts = &mut lists[number].counts;
        // Several first steps that hold already may lead to one list.
        if counts.len() <= length as usize {
            counts.resize(length as usize, 0);
            counts.push(count);
        }
    }

    /// Keeps one of the shortest finishes, and longer ones only if they cancel with so much of what was done that they are shorter.
    fn finish(&self, node: &Arc<Node>, stage: usize, length: u32, ways: Vec<Way>) -> Result<(), Stopped> {
        let step: &Step = &self.attempt.pipeline.stages[stage].step;
        let mut best = self.keep_best(node, ways, u32::MAX).unwrap_or(node.total + length);
        for longer in length + 1.. {
            if node.total + longer >= best.min(self.bound.load(Relaxed)).saturating_add(node.spare) {
                break;
            }
            if step.max.is_some_and(|max| longer > max) {
                Self::exclude(&mut self.state(), stage, node, longer);
                break;
            }
            let ways = self.steps.ways(&node.position, (node.reached, node.side), step, longer, self.control)?;
            best = self.keep_best(node, ways.unwrap_or_default(), best).unwrap_or(best);
        }
        Ok(())
    }

    /// Of the skeletons that these ways lead to, keeps the shortest, if it is shorter than `most` and one of the best. Returns how many moves it has.
    fn keep_best(&self, node: &Arc<Node>, ways: Vec<Way>, most: u32) -> Option<u32> {
        let bound = self.bound.load(Relaxed);
        let after = ways.into_iter().filter_map(|way| node.after(way, &self.attempt.done));
        let after = after.filter(|node| node.total < bound.saturating_add(node.spare));
        let skeletons = after.map(|node| (node.skeleton(&self.attempt.done), node.reached));
        let (skeleton, reached) = skeletons.min_by_key(|(skeleton, _)| skeleton.total)?;
        let total = skeleton.total as u32;
        (total < most).then(|| self.keep(skeleton, reached)).map(|()| total)
    }

    /// Keeps a skeleton if it is one of the best.
    fn keep(&self, skeleton: Skeleton, reached: Reached) {
        if skeleton.total as u32 >= self.bound.load(Relaxed) {
            return;
        }
        let mut state = self.state();
        let is_full = state.kept.len() == self.attempt.count;
        if is_full && state.kept.last().is_some_and(|worst| worst.total <= skeleton.total) {
            return;
        }
        // Of those with one solution, the first is kept.
        let alike = match &skeleton.solution {
            Some(solution) => (Reached::Solved, [solution.clone(), Vec::new()]),
            None => (reached, skeleton.moves.clone()),
        };
        if !state.known.insert(alike) {
            return;
        }
        let is_better = state.kept.first().is_none_or(|best| skeleton.total < best.total);
        let place = state.kept.partition_point(|other| other.total <= skeleton.total);
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

/// By stage, what the steps after it are expected to take.
fn expected(stages: &[Stage]) -> Vec<u32> {
    let mut expected = vec![0; stages.len()];
    // A stage comes before those that may follow it.
    for (number, stage) in stages.iter().enumerate().rev() {
        let after = |&next: &usize| typical(stage.step.kind, stages[next].step.kind) + expected[next];
        expected[number] = if stage.is_last { 0 } else { stage.next.iter().map(after).min().unwrap_or(0) };
    }
    expected
}

/// How many moves a step takes after another one in a good skeleton.
fn typical(before: Kind, next: Kind) -> u32 {
    match (before, next) {
        (_, Kind::Eo) => 3,
        (_, Kind::Dr) => 7,
        (Kind::Dr, Kind::Htr) => 6,
        (_, Kind::Htr) => 11,
        (Kind::Htr, Kind::Finish) => 7,
        (Kind::Dr, Kind::Finish) => 12,
        (_, Kind::Finish) => 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fewest::pipeline::Pipeline;
    use crate::fewest::reached::Side;
    use crate::fewest::write::{read_done, sides};
    use cosette::cube::{Axis, Cube, Moves, ReadOptions, canonical, inverse, parse_moves};
    use cosette::{Cancel, ThreadCount};

    fn search(steps: &Steps, (scramble, done): (&str, &str), text: &str, count: usize, threads: usize) -> Report {
        let control = Control::new(ThreadCount::new(threads).unwrap());
        let pipeline: Pipeline = text.parse().unwrap();
        let done = read_done(done).unwrap();
        let attempt = Attempt { scramble: scramble.parse().unwrap(), done, pipeline: &pipeline, count };
        let report = attempt.search(steps, &|_| {}, &control).unwrap();
        for skeleton in &report.skeletons {
            let solution = skeleton.solution.as_ref().expect("all steps are made");
            assert!(attempt.scramble.after(solution).is_solved());
            assert_eq!(canonical(solution).len(), skeleton.total);
            // Its notes lead to the solved cube as well.
            let notes = format!("{scramble} {}", sides(&skeleton.moves));
            assert!(
                parse_moves(&notes, &ReadOptions { niss: true, ..ReadOptions::default() })
                    .unwrap()
                    .position()
                    .is_solved(),
                "{notes}"
            );
        }
        report
    }

    /// The least total of all skeletons, by trying all ways to each step with each direction of its last turns, and adding up all moves in
    /// the end.
    fn least(
        steps: &Steps,
        attempt: &Attempt<'_>,
        (position, reached, side): (Cube, Reached, Side),
        stage: usize,
        made: &Sides,
    ) -> Option<usize> {
        let Stage { step, next, is_last } = &attempt.pipeline.stages[stage];
        let mut least_found = None;
        for length in 0..=step.max.unwrap() {
            for way in
                steps.ways(&position, (reached, side), step, length, &Control::default()).unwrap().unwrap_or_default()
            {
                for way in way.in_all_directions() {
                    let mut after = (position, way.reached, side);
                    let mut all = made.clone();
                    for each in Side::BOTH {
                        let moves = &way.moves[each as usize];
                        after = (each.after(&after.0, moves), after.1, if moves.is_empty() { after.2 } else { each });
                        all[each as usize].extend(moves);
                    }
                    let total = match is_last {
                        true => Some(canonical(&[&all[0][..], &inverse(&all[1])].concat()).len()),
                        false => next.iter().filter_map(|&next| least(steps, attempt, after, next, &all)).min(),
                    };
                    least_found = total.into_iter().chain(least_found).min();
                }
            }
        }
        least_found
    }

    #[test]
    fn the_shortest_skeletons_are_found_and_proven() {
        let steps = Steps::default();
        for (scramble, done, text) in [
            ("F2 R2 U R' D F", "", "eo[max=1] > dr[max=2] > htr[max=2] > finish[max=4]"),
            ("L2 B2 D R2 F2 R F", "", "(eo[max=1] > dr[max=1] | dr[max=2, niss=always]) > htr[max=3] > finish[max=3]"),
            // The last turn of what was done is turned on, or back.
            ("U2 R2 F2 D R U", "U'", "dr[max=2] > htr[max=2] > finish[max=5]"),
            ("F2 L2 U R2 U R", "(U2) R", "htr[max=4] > finish[max=4, niss=none]"),
            ("R2 U2 F2 D", "D2", "htr[max=2] > finish[max=5]"),
            // Of several finishes, one cancels with what was done, on its side or on the other.
            ("R2 F2 R2 F2 R2", "F2", "finish[max=6]"),
            ("F2 R2 F2 R2 F2 U2", "(R2) U2", "finish[max=6]"),
            // The first step turns the face opposite the last turn that was done, and the second takes that back.
            ("R2 F2 D' U2", "U2", "htr[max=1] > finish[max=4]"),
            ("R2 D' F2 U'", "U D2", "eo[max=1] > htr[max=2] > finish[max=3]"),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let done = read_done(done).unwrap();
            let attempt = Attempt { scramble: scramble.parse().unwrap(), done, pipeline: &pipeline, count: 1 };
            let position = attempt.position();
            let mut best = None;
            for &stage in &pipeline.first {
                for reached in Reached::before(&pipeline.stages[stage].step, &position) {
                    let found = least(&steps, &attempt, (position, reached, Side::Normal), stage, &attempt.done);
                    best = found.into_iter().chain(best).min();
                }
            }
            assert!(best.is_some(), "{scramble}: nothing to compare");
            for threads in [1, 2] {
                let report = search(&steps, (scramble, &sides(&attempt.done)), text, 1, threads);
                assert!(report.is_exhausted, "{scramble}");
                assert_eq!(report.skeletons.first().map(|best| best.total), best, "{scramble}");
            }
        }
    }

    #[test]
    fn the_last_step_may_cancel_with_what_was_done() {
        for (scramble, done, text, total) in [
            ("U", "F", "eo:FB", 0),
            // Moves on both sides may be fewer than on either.
            ("R U R", "", "eo:FB > dr:UD[niss=always]", 2),
        ] {
            let (pipeline, done) = (text.parse().unwrap(), read_done(done).unwrap());
            let attempt = Attempt { scramble: scramble.parse().unwrap(), done, pipeline: &pipeline, count: 1 };
            let report = attempt.search(&Steps::default(), &|_| {}, &Control::default()).unwrap();
            assert_eq!((report.skeletons[0].total, report.is_exhausted), (total, true), "{scramble}");
        }
    }

    #[test]
    fn lists_tell_how_many_ways_there_are() {
        let report = search(&Steps::default(), ("R U F", ""), "eo[max=2] > dr[max=2] > htr > finish[n=2]", 3, 1);
        let [List { stage: 0, after: Reached::Nothing, counts }] = &report.lists[..] else {
            panic!("{:?}", report.lists)
        };
        assert!(counts.len() == 3 && counts[0] == 0 && counts[1] > 0, "{counts:?}");
        let totals: Vec<usize> = report.skeletons.iter().map(|skeleton| skeleton.total).collect();
        assert!(totals.is_sorted() && totals.len() <= 3, "{totals:?}");
    }

    #[test]
    fn triggers_without_oriented_edges_are_refused() {
        let pipeline: Pipeline = "dr[triggers=R] > finish".parse().unwrap();
        let attempt =
            Attempt { scramble: "R U F".parse().unwrap(), done: Sides::default(), pipeline: &pipeline, count: 1 };
        let refused = attempt.search(&Steps::default(), &|_| {}, &Control::default()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "dr with triggers is the first step, but edges are not oriented; begin with an earlier step, as in eo > dr"
        );
    }

    #[test]
    fn a_first_step_may_break_what_holds_already() {
        let steps = Steps::default();
        for (scramble, text, total) in [
            // Edges are oriented along F and B.
            ("F U2 F' B2 U2 F' D2 F' R2 F R U", "dr[max=4]", Some(2)),
            ("F U2 F' B2 U2 F' D2 F' R2 F R U", "eo[max=0] > dr[max=4]", None),
            ("R2 B D2 L2 D2 L2 B' R2 F2 R U", "dr[max=4]", Some(2)),
            ("R U", "dr:FB[max=2]", Some(2)),
            ("R U", "dr:FB", Some(2)),
            // Half turns are enough, but quarter turns are fewer.
            ("D2 B2 L2 F2 L2 F2 D2 R2 D2 B2 D2 B2 L2 R2", "finish", Some(10)),
            ("D2 B2 L2 F2 L2 F2 D2 R2 D2 B2 D2 B2 L2 R2", "htr[max=0] > finish", Some(12)),
            ("R U F", "htr > finish", Some(3)),
            ("R U F", "finish", Some(3)),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let done = Sides::default();
            let attempt = Attempt { scramble: scramble.parse().unwrap(), done, pipeline: &pipeline, count: 1 };
            let report = attempt.search(&steps, &|_| {}, &Control::default()).unwrap();
            let best = report.skeletons.first().map(|best| best.total);
            assert_eq!((best, report.is_exhausted), (total, true), "{scramble} {text}");
            assert_eq!(report.is_proven(), total.is_some(), "{scramble} {text}");
        }
    }

    #[test]
    fn a_step_that_never_comes_is_no_list_without_an_end() {
        let pipeline: Pipeline = "eo[max=0] > dr:FB".parse().unwrap();
        let attempt =
            Attempt { scramble: "R U".parse().unwrap(), done: Sides::default(), pipeline: &pipeline, count: 1 };
        let report = attempt.search(&Steps::default(), &|_| {}, &Control::default()).unwrap();
        assert!(report.is_exhausted && report.skeletons.is_empty() && report.tasks < 4, "{report:?}");
        let step = &pipeline.stages[1].step;
        let from = (Reached::Eo(Axis::Fb), Side::Normal);
        let never = Steps::default().ways(&attempt.scramble, from, step, 3, &Control::default());
        assert_eq!(never, Ok(None));
        // What holds already is reached without moves, and in no other way.
        for text in ["eo", "dr:FB", "htr", "finish[n=3]"] {
            let pipeline: Pipeline = text.parse().unwrap();
            let attempt = Attempt { scramble: Cube::SOLVED, done: Sides::default(), pipeline: &pipeline, count: 100 };
            let report = attempt.search(&Steps::default(), &|_| {}, &Control::default()).unwrap();
            assert!(report.is_proven() && report.tasks < 12, "{text}: {report:?}");
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
            let attempt =
                Attempt { scramble: scramble.parse().unwrap(), done: Sides::default(), pipeline: &pipeline, count: 1 };
            let report = attempt.search(&Steps::default(), &|_| {}, &Control::default()).unwrap();
            assert_eq!((&report.limits[..], report.is_proven()), (limits, is_proven), "{scramble} {text}");
            assert!(report.is_exhausted, "{scramble} {text}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_says_so() {
        let cancel = Cancel::new();
        cancel.cancel();
        let pipeline: Pipeline = super::super::pipeline::USUAL.parse().unwrap();
        let attempt =
            Attempt { scramble: "R U F".parse().unwrap(), done: Sides::default(), pipeline: &pipeline, count: 1 };
        let control = Control::default().with_cancel(&cancel);
        let report = attempt.search(&Steps::default(), &|_| {}, &control).unwrap();
        assert!(!report.is_exhausted && report.skeletons.is_empty());
        // One that is found by then is told at once.
        let (cancel, told) = (Cancel::new(), Mutex::new(Vec::new()));
        let on_better = |skeleton: &Skeleton| {
            told.lock().unwrap().push(Moves(skeleton.solution.as_ref().unwrap()).to_string());
            cancel.cancel();
        };
        let report = attempt.search(&Steps::default(), &on_better, &Control::default().with_cancel(&cancel)).unwrap();
        let best = report.skeletons.first().and_then(|best| best.solution.as_ref()).unwrap();
        assert_eq!(told.into_inner().unwrap().last(), Some(&Moves(best).to_string()));
    }
}

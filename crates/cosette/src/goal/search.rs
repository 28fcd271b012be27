//! IDA* over the places of a goal, with all threads.

use super::bounds::{Bounds, UNREACHABLE};
use super::coordinate::Coordinate;
use super::mask::Kind;
use super::names::{Goal, Place, piece_name};
use super::turns::{START, Sequences, Turns};
use crate::control::{Cancel, Control, Progress, ThreadCount};
use crate::cube::{Cube, LayerTurn, Move, Sequence};
use crate::platform::Instant;
use crate::search::{Event, Outcome, SolutionCount, Threshold};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The tables of a goal for some turns, and the searches with them.
pub struct GoalSolver {
    goal: Goal,
    turns: Turns,
    sequences: Sequences,
    coordinates: Vec<Coordinate>,
    pub(super) bounds: Vec<Bounds>,
    threads: ThreadCount,
}

/// The tables were not made: the request to stop came first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tables of the goal are not finished")]
pub struct Unfinished;

/// A search for the goal, whose options are set before it is [run](GoalSearch::run): by default for one cheapest solution.
pub struct GoalSearch<'a> {
    solver: &'a GoalSolver,
    position: Cube,
    count: SolutionCount,
    slack: u32,
    most: Option<u32>,
    cancel: Cancel,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
    on_found: &'a (dyn Fn(&Found) + Sync),
}

/// Turns that lead to the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// What they cost.
    pub cost: u32,
    /// Where the goal is met, as [`Goal::places`] names it.
    pub place: String,
    /// The turns, each named as the cube is held by then: in `x U`, the second turns the face that was in front.
    pub turns: Vec<LayerTurn>,
}

impl Found {
    /// The same as turns of faces, in the frame of the centres.
    pub fn moves(&self) -> Vec<Move> {
        Sequence::of_turns(&self.turns).moves_as_first_held()
    }
}

/// What a search for a goal has proven.
#[derive(Clone, Debug)]
pub struct GoalReport {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution costs less; `u32::MAX` if the goal is unreachable.
    pub least: u32,
    /// The solutions found, by rising cost, each checked by doing its turns.
    pub found: Vec<Found>,
    /// Why no turns lead to the goal, if that was recognised.
    pub unreachable: Option<String>,
    /// The iterations, by rising cost.
    pub thresholds: Vec<Threshold>,
    /// How long it took.
    pub elapsed: Duration,
}

impl GoalReport {
    /// How many nodes were expanded.
    pub fn nodes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.nodes).sum()
    }
}

impl GoalSolver {
    /// Makes the tables of a goal for these turns: for those that have names at most some 130 MB, in about two seconds with two
    /// threads. Fails if it is cancelled.
    pub fn new(goal: &Goal, turns: &Turns, control: &Control<'_>) -> Result<GoalSolver, Unfinished> {
        let sequences = Sequences::new(turns);
        let coordinates = Coordinate::of_mask(&goal.mask);
        let effects = sequences.effects(goal.places.iter().map(|place| place.rotation));
        let bounds = Bounds::over(&coordinates, &effects, control).ok_or(Unfinished)?;
        Ok(GoalSolver {
            goal: goal.clone(),
            turns: turns.clone(),
            sequences,
            coordinates,
            bounds,
            threads: control.threads(),
        })
    }

    /// The turns it makes.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// A search from a position.
    pub fn search(&self, position: &Cube) -> GoalSearch<'_> {
        let (count, on_event, on_found) = (SolutionCount::ONE, &|_: Event<'_>| {}, &|_: &Found| {});
        let position = *position;
        GoalSearch { solver: self, position, count, slack: 0, most: None, cancel: Cancel::new(), on_event, on_found }
    }

    fn starts(&self, position: &Cube) -> Vec<Node> {
        let start = |(number, place): (usize, &Place)| {
            let seen = place.seen(position);
            let mut patterns = [0; MOST_COORDINATES];
            patterns.iter_mut().zip(&self.coordinates).for_each(|(number, c)| *number = c.number(&seen));
            Node { patterns, place: number as u16, held: place.rotation.index() as u8, state: START, spent: 0 }
        };
        self.goal.places.iter().enumerate().map(start).collect()
    }

    fn least(&self, patterns: &[u32; MOST_COORDINATES]) -> u8 {
        self.bounds.iter().map(|bounds| bounds.least(patterns)).max().unwrap_or(0)
    }

    /// Why no turns lead from `position` to the goal.
    fn reason(&self, position: &Cube) -> String {
        let turns = self.turns.to_string();
        for place in &self.goal.places {
            let (seen, effects) = (place.seen(position), self.sequences.effects([place.rotation].into_iter()));
            let pieces = Kind::BOTH.into_iter().flat_map(|kind| (0..kind.count()).map(move |piece| (kind, piece)));
            for (kind, piece) in pieces.filter(|&(kind, piece)| !self.goal.mask.ignores(kind, piece)) {
                let coordinate = [Coordinate::of_piece(&self.goal.mask, kind, piece)];
                let bounds = Bounds::over(&coordinate, &effects, &Control::default());
                let is_lost = |bounds: &Bounds| bounds.least(&[coordinate[0].number(&seen)]) == UNREACHABLE;
                if bounds.is_some_and(|bounds| bounds.iter().any(is_lost)) {
                    let maps = place.rotation.inverse().maps();
                    let own =
                        [maps.corners.get(piece), maps.edges.get(piece)][kind as usize].copied().unwrap_or_default();
                    let (own, _) = kind.slot(usize::from(own)).cubie(&place.target);
                    let name = piece_name(kind, own.number());
                    return format!("no sequence of {turns} brings {name} where the goal wants it");
                }
            }
        }
        format!("no sequence of {turns} brings all pieces where the goal wants them")
    }
}

/// More coordinates than any goal has: at most seven of edges and four of corners.
const MOST_COORDINATES: usize = 12;
/// Tasks are sequences of so many turns.
const TURNS_OF_TASKS: usize = 2;
/// With fewer nodes expected, one thread is done before others have started.
const NODES_FOR_THREADS: u64 = 20_000;
/// Cancellation is looked at once in so many nodes.
const NODES_PER_LOOK: u64 = 4096;

#[derive(Clone, Copy)]
struct Node {
    patterns: [u32; MOST_COORDINATES],
    spent: u32,
    place: u16,
    held: u8,
    /// Of the automaton.
    state: u8,
}

impl<'a> GoalSearch<'a> {
    /// Finds all the cheapest, or with [slack](Self::slack) all that cost so little.
    #[must_use]
    pub fn all(self) -> GoalSearch<'a> {
        GoalSearch { count: SolutionCount::All, ..self }
    }

    /// Finds so many, by rising cost. Panics if it is zero.
    #[must_use]
    pub fn count(self, count: usize) -> GoalSearch<'a> {
        let count = NonZeroUsize::new(count).expect("a search is for at least one solution");
        GoalSearch { count: SolutionCount::AtMost(count), ..self }
    }

    /// Finds as many as this says.
    #[must_use]
    pub fn solution_count(self, count: SolutionCount) -> GoalSearch<'a> {
        GoalSearch { count, ..self }
    }

    /// Also finds those that cost up to so much more than the cheapest.
    #[must_use]
    pub fn slack(self, slack: u32) -> GoalSearch<'a> {
        GoalSearch { slack, ..self }
    }

    /// Finds none that costs more.
    #[must_use]
    pub fn max_cost(self, most: u32) -> GoalSearch<'a> {
        GoalSearch { most: Some(most), ..self }
    }

    /// Stops within milliseconds of this request, with what is found by then.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> GoalSearch<'a> {
        GoalSearch { cancel: cancel.clone(), ..self }
    }

    /// Calls `on_event` with the thresholds, from any thread.
    #[must_use]
    pub fn on_event(self, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> GoalSearch<'a> {
        GoalSearch { on_event, ..self }
    }

    /// Calls `on_found` with each solution as it is found, from any thread.
    #[must_use]
    pub fn on_found(self, on_found: &'a (dyn Fn(&Found) + Sync)) -> GoalSearch<'a> {
        GoalSearch { on_found, ..self }
    }

    /// Runs the search. With one thread the result is always the same; with several, the costs are, and so is the set of all
    /// solutions.
    pub fn run(self) -> GoalReport {
        let start = Instant::now();
        let (solver, on_event) = (self.solver, self.on_event);
        let starts = solver.starts(&self.position);
        let least = |node: &Node| match solver.least(&node.patterns) {
            UNREACHABLE => u32::MAX,
            least => least.into(),
        };
        let mut limit = starts.iter().map(least).min().unwrap_or(0);
        let mut report = GoalReport {
            outcome: Outcome::NoneWithinLimit,
            least: limit,
            found: Vec::new(),
            unreachable: None,
            thresholds: Vec::new(),
            elapsed: Duration::ZERO,
        };
        let mut nodes = 0;
        loop {
            let last = report.found.first().map_or(u32::MAX, |first| first.cost.saturating_add(self.slack));
            if limit == u32::MAX && report.found.is_empty() {
                report.unreachable = Some(solver.reason(&self.position));
                break;
            }
            if limit > last.min(self.most.unwrap_or(u32::MAX)).min(u32::from(UNREACHABLE) - 1) {
                break;
            }
            if report.found.is_empty() {
                report.least = limit;
            }
            let length = u8::try_from(limit).unwrap_or(u8::MAX);
            on_event(Event::ThresholdStarted { length });
            let began = Instant::now();
            let iteration = Iteration::new(&self, limit, self.count.most() - report.found.len());
            iteration.run(&starts, nodes);
            let exhausted = !iteration.is_ended.load(Relaxed);
            nodes = iteration.nodes.load(Relaxed);
            let threshold = Threshold {
                length,
                nodes,
                probes: iteration.probes.load(Relaxed),
                elapsed: began.elapsed(),
                exhausted,
            };
            report.thresholds.push(threshold);
            on_event(Event::ThresholdDone(&threshold));
            limit = iteration.next.load(Relaxed);
            let mut found = iteration.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            found.sort_by_key(|found| {
                (found.turns.iter().filter(|turn| turn.is_half_turn()).count(), found.turns.len())
            });
            report.found.append(&mut found);
            if report.found.len() >= self.count.most() {
                break;
            }
            if !exhausted {
                report.outcome = Outcome::unfinished(&self.cancel);
                break;
            }
            if report.found.is_empty() {
                report.least = limit;
            }
        }
        if !report.found.is_empty() && report.outcome == Outcome::NoneWithinLimit {
            report.outcome = Outcome::Optimal;
        }
        report.elapsed = start.elapsed();
        report
    }
}

/// The search of all sequences that cost `limit`.
struct Iteration<'a> {
    search: &'a GoalSearch<'a>,
    limit: u32,
    /// How many solutions are wanted.
    wanted: usize,
    found: Mutex<Vec<Found>>,
    /// The least cost above the limit that a node might have.
    next: AtomicU32,
    nodes: AtomicU64,
    probes: AtomicU64,
    /// Whether enough is found, or it was cancelled.
    is_ended: AtomicBool,
}

/// What one thread counts and holds.
#[derive(Default)]
struct Worker {
    path: Vec<usize>,
    nodes: u64,
    probes: u64,
}

impl<'a> Iteration<'a> {
    fn new(search: &'a GoalSearch<'a>, limit: u32, wanted: usize) -> Iteration<'a> {
        let (found, next, is_ended) = (Mutex::default(), AtomicU32::new(u32::MAX), AtomicBool::new(false));
        Iteration { search, limit, wanted, found, next, nodes: AtomicU64::new(0), probes: AtomicU64::new(0), is_ended }
    }

    /// Searches from all starts. `before` is how many nodes the last iteration had.
    fn run(&self, starts: &[Node], before: u64) {
        let (mut tasks, mut worker) = (Vec::new(), Worker::default());
        for start in starts {
            let least = self.search.solver.least(&start.patterns);
            if least != UNREACHABLE && self.is_within(least.into()) {
                self.descend(start, &mut worker, &mut |node, path| {
                    if path.len() < TURNS_OF_TASKS {
                        return false;
                    }
                    tasks.push((*node, path.to_vec()));
                    true
                });
            }
        }
        self.count(&mut worker);
        let threads = if before < NODES_FOR_THREADS { ThreadCount::ONE } else { self.search.solver.threads };
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            let mut worker = Worker::default();
            while let Some((node, path)) =
                tasks.get(next.fetch_add(1, Relaxed)).filter(|_| !self.is_ended.load(Relaxed))
            {
                worker.path.clone_from(path);
                self.descend(node, &mut worker, &mut |_, _| false);
                let progress = Progress { done: next.load(Relaxed).min(tasks.len()) as u64, total: tasks.len() as u64 };
                let length = u8::try_from(self.limit).unwrap_or(u8::MAX);
                (self.search.on_event)(Event::Progress { length, progress, remaining: None });
            }
            self.count(&mut worker);
        });
    }

    /// Adds what a thread has counted, and looks whether to stop.
    fn count(&self, worker: &mut Worker) {
        self.nodes.fetch_add(std::mem::take(&mut worker.nodes), Relaxed);
        self.probes.fetch_add(std::mem::take(&mut worker.probes), Relaxed);
        if self.search.cancel.is_cancelled() {
            self.is_ended.store(true, Relaxed);
        }
    }

    /// Whether a node whose solutions cost at least `least` is searched; if not, its cost is kept for the next iteration.
    #[inline(always)]
    fn is_within(&self, least: u32) -> bool {
        if least > self.limit && least < self.next.load(Relaxed) {
            self.next.fetch_min(least, Relaxed);
        }
        least <= self.limit
    }

    /// Searches from a node, all of whose bounds are within the limit, unless `is_kept` keeps it for later.
    fn descend(&self, node: &Node, worker: &mut Worker, is_kept: &mut dyn FnMut(&Node, &[usize]) -> bool) {
        let solver = self.search.solver;
        if solver.least(&node.patterns) == 0 {
            // What goes on from here has met the goal before.
            if node.spent == self.limit {
                self.solution(node, &worker.path);
            }
            return;
        }
        if is_kept(node, &worker.path) {
            return;
        }
        worker.nodes += 1;
        if worker.nodes >= NODES_PER_LOOK {
            self.count(worker);
        }
        for (turn, &state) in solver.sequences.after(node.state).iter().enumerate() {
            let Some(state) = state else { continue };
            let acting = solver.sequences.acting(node.held, turn);
            let spent = node.spent + u32::from(solver.sequences.turns[turn].1);
            if !self.is_within(spent) {
                continue;
            }
            let mut child = Node { spent, held: acting.held, state, ..*node };
            let is_cut = solver.bounds.iter().any(|bounds| {
                for &coordinate in &bounds.moved {
                    let moved = acting.moves.iter().flatten();
                    child.patterns[coordinate] = moved.fold(node.patterns[coordinate], |pattern, &m| {
                        solver.coordinates[coordinate].after(pattern, m)
                    });
                }
                worker.probes += 1;
                let least = bounds.least(&child.patterns);
                least == UNREACHABLE || !self.is_within(spent + u32::from(least))
            });
            if !is_cut {
                worker.path.push(turn);
                self.descend(&child, worker, is_kept);
                worker.path.pop();
                if self.is_ended.load(Relaxed) {
                    return;
                }
            }
        }
    }

    /// A sequence that leads to the goal. It counts if no order of its commuting turns gets there sooner.
    fn solution(&self, node: &Node, path: &[usize]) {
        let solver = self.search.solver;
        let place = &solver.goal.places[usize::from(node.place)];
        let found = |path: &[usize]| {
            let turns = path.iter().map(|&turn| solver.sequences.turns[turn].0).collect();
            Found { cost: self.limit, place: place.name.clone(), turns }
        };
        let is_met = |found: &Found| {
            let end = place.seen(&self.search.position.after(&found.moves()));
            solver.coordinates.iter().all(|c| (c.number(&end) as usize) < c.wanted())
        };
        if solver.sequences.beginnings(path).any(|beginning| is_met(&found(&beginning))) {
            return;
        }
        let found = found(path);
        assert!(is_met(&found), "a solution that does not reach the goal");
        let mut all = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if all.len() < self.wanted {
            (self.search.on_found)(&found);
            all.push(found);
        }
        if all.len() >= self.wanted {
            self.is_ended.store(true, Relaxed);
        }
    }
}

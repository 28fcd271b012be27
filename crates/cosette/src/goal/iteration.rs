//! One iteration of IDA*: all sequences whose cost equals the limit, with all threads.

use super::constraints::INITIAL_SET;
use super::search::{Conditions, GoalSearch, GoalSolution};
use super::turns::{START, TurnInFrame};
use super::variant::GoalVariant;
use crate::control::{Progress, ThreadCount};
use crate::cube::{Cube, LayerTurn};
use crate::search::Event;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Upper bound on the coordinates of a goal: there are at most seven of edges and four of corners.
pub(super) const MAX_COORDINATES: usize = 12;
/// Number of turns of the sequences that are the tasks of the threads.
const TURNS_OF_TASKS: usize = 2;
/// Minimum number of expected nodes for more than one thread; below it, one thread is done before
/// others have started.
const NODES_FOR_THREADS: u64 = 20_000;
/// Number of nodes between two checks for cancellation.
const NODES_PER_LOOK: u64 = 4096;

/// Number of nodes as which a solution counts: checking it takes as long as expanding some ten
/// nodes, or several hundred if equivalent solutions are left out.
const NODES_PER_END: u64 = 50;

/// A node of the search: a sequence and the patterns it leads to.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub patterns: [u32; MAX_COORDINATES],
    pub cost: u32,
    /// The set of constraint states before the last run.
    pub constraint_set: u32,
    pub place: u16,
    pub frame: u8,
    /// State of the run automaton.
    pub state: u8,
}

impl Node {
    /// Creates the root node of a search for a variant, which has the index `number`.
    pub fn root(number: usize, place: &GoalVariant, patterns: [u32; MAX_COORDINATES]) -> Node {
        Node {
            patterns,
            place: number as u16,
            frame: place.rotation.index() as u8,
            state: START,
            cost: 0,
            constraint_set: INITIAL_SET,
        }
    }
}

/// Decides whether to store a node for later; receives the node, its position (if a table needs
/// it), and the turns that led to it.
type SolutionFilter<'a> = dyn FnMut(&Node, &Cube, &[usize]) -> bool + 'a;

/// An admissible heuristic: a lower bound on the cost of the turns that lead from a node to the
/// goal.
pub(super) trait Heuristic: Sync {
    /// Returns the bound of a root node; `None` if the goal is unreachable.
    fn bound_of_root(&self, node: &Node, cube: &Cube) -> Option<u32>;

    /// Returns `true` if the node satisfies the goal.
    fn is_goal(&self, node: &Node, cube: &Cube) -> bool;

    /// Applies a turn to a node and its position. `child` is the node with the cost of the turn;
    /// its patterns are filled in. Returns the position, or `None` if the goal is unreachable or a
    /// bound is not `is_within` the limit.
    fn child(
        &self,
        node: (&Node, &Cube),
        acting: TurnInFrame,
        child: &mut Node,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube>;
}

/// The search of all sequences that cost exactly `limit`.
pub(super) struct GoalIteration<'a> {
    search: &'a GoalSearch<'a>,
    conditions: Conditions<'a>,
    limit: u32,
    /// Maximum number of nodes, up to one block of [`NODES_PER_LOOK`]; a solution counts as
    /// [`NODES_PER_END`].
    pub max_nodes: u64,
    /// Number of sequences to find; one that reaches several variants yields several solutions.
    wanted: usize,
    /// The solutions, and their sequences.
    pub found: Mutex<(Vec<GoalSolution>, HashSet<Vec<LayerTurn>>)>,
    /// Minimum cost above the limit that a node might have.
    pub next: AtomicU32,
    pub nodes: AtomicU64,
    pub probes: AtomicU64,
    /// Number of sequences that reached the goal, including those that do not count.
    ends: AtomicU64,
    /// `true` once enough solutions are found, or the search is cancelled.
    pub is_ended: AtomicBool,
}

/// The counters and buffers of one thread.
#[derive(Default)]
struct Worker {
    path: Vec<usize>,
    nodes: u64,
    probes: u64,
}

impl<'a> GoalIteration<'a> {
    pub fn new(
        search: &'a GoalSearch<'a>,
        conditions: Conditions<'a>,
        limit: u32,
        wanted: usize,
    ) -> GoalIteration<'a> {
        GoalIteration {
            search,
            conditions,
            limit,
            max_nodes: u64::MAX,
            wanted,
            found: Mutex::default(),
            next: AtomicU32::new(u32::MAX),
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
            ends: AtomicU64::new(0),
            is_ended: AtomicBool::new(false),
        }
    }

    /// Searches from all starts. `before` is the number of nodes of the last iteration.
    pub fn run(&self, heuristic: &impl Heuristic, starts: &[Node], before: u64) {
        let (mut tasks, mut worker) = (Vec::new(), Worker::default());
        for start in starts {
            let place = &self.search.solver.goal().places[usize::from(start.place)];
            let cube = place.normalize(&self.search.position);
            if heuristic
                .bound_of_root(start, &cube)
                .is_some_and(|least| self.is_within(least))
            {
                self.descend(
                    heuristic,
                    (start, &cube),
                    &mut worker,
                    &mut |node, cube, path| {
                        if path.len() < TURNS_OF_TASKS {
                            return false;
                        }
                        tasks.push((*node, *cube, path.to_vec()));
                        true
                    },
                );
            }
        }
        self.count(&mut worker);
        let threads = if before < NODES_FOR_THREADS {
            ThreadCount::ONE
        } else {
            self.search.control.threads()
        };
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            let mut worker = Worker::default();
            while let Some((node, cube, path)) = tasks
                .get(next.fetch_add(1, Relaxed))
                .filter(|_| !self.is_ended.load(Relaxed))
            {
                worker.path.clone_from(path);
                self.descend(heuristic, (node, cube), &mut worker, &mut |_, _, _| false);
                let progress = Progress {
                    done: next.load(Relaxed).min(tasks.len()) as u64,
                    total: tasks.len() as u64,
                };
                let length = u8::try_from(self.limit).unwrap_or(u8::MAX);
                (self.search.on_event)(Event::Progress {
                    length,
                    progress,
                    time_left: None,
                });
            }
            self.count(&mut worker);
        });
    }

    /// Adds the counts of a thread, and checks whether to stop.
    fn count(&self, worker: &mut Worker) {
        self.nodes
            .fetch_add(std::mem::take(&mut worker.nodes), Relaxed);
        self.probes
            .fetch_add(std::mem::take(&mut worker.probes), Relaxed);
        if self.search.control.is_cancelled() || self.is_spent() {
            self.is_ended.store(true, Relaxed);
        }
    }

    /// Returns `true` if the iteration has exceeded its number of nodes.
    pub fn is_spent(&self) -> bool {
        let of_ends = self.ends.load(Relaxed) * NODES_PER_END;
        self.nodes.load(Relaxed) + of_ends > self.max_nodes
    }

    /// Returns `true` if a node whose solutions cost at least `least` is searched; otherwise
    /// records its cost for the next iteration.
    #[inline(always)]
    fn is_within(&self, least: u32) -> bool {
        if least > self.limit && least < self.next.load(Relaxed) {
            self.next.fetch_min(least, Relaxed);
        }
        least <= self.limit
    }

    /// Searches from a node, all of whose bounds are within the limit, unless `is_kept` stores it
    /// for later.
    fn descend(
        &self,
        heuristic: &impl Heuristic,
        (node, cube): (&Node, &Cube),
        worker: &mut Worker,
        is_kept: &mut SolutionFilter<'_>,
    ) {
        let solver = self.search.solver;
        if heuristic.is_goal(node, cube) {
            // Longer sequences from here have satisfied the goal before their last turn.
            if node.cost == self.limit {
                self.solution(node, &worker.path);
            }
            return;
        }
        if is_kept(node, cube, &worker.path) {
            return;
        }
        worker.nodes += 1;
        if worker.nodes >= NODES_PER_LOOK.min(self.max_nodes) {
            self.count(worker);
        }
        for (turn, &state) in solver.sequences.after(node.state).iter().enumerate() {
            let Some(state) = state else { continue };
            let read = match self.conditions.reading {
                Some(reading) => reading.after_turn(node.constraint_set, node.state, turn, state),
                None => Some(INITIAL_SET),
            };
            let Some(read) = read else { continue };
            let acting = solver.sequences.acting(node.frame, turn);
            let spent = node.cost + u32::from(solver.sequences.turns[turn].1);
            if !self.is_within(spent) {
                continue;
            }
            let mut child = Node {
                cost: spent,
                constraint_set: read,
                frame: acting.held,
                state,
                ..*node
            };
            let is_within = |bound: u32| self.is_within(spent + bound);
            let moved = heuristic.child(
                (node, cube),
                acting,
                &mut child,
                &mut worker.probes,
                is_within,
            );
            if let Some(moved) = moved {
                worker.path.push(turn);
                self.descend(heuristic, (&child, &moved), worker, is_kept);
                worker.path.pop();
                if self.is_ended.load(Relaxed) {
                    return;
                }
            }
        }
    }

    /// Records a sequence that leads to the goal, unless some order of its commuting turns gets
    /// there sooner.
    fn solution(&self, node: &Node, path: &[usize]) {
        let solver = self.search.solver;
        self.ends.fetch_add(1, Relaxed);
        if self.is_spent() {
            self.is_ended.store(true, Relaxed);
            return;
        }
        if self
            .conditions
            .reading
            .is_some_and(|reading| !reading.is_accepting(node.constraint_set, node.state))
        {
            return;
        }
        let place = &solver.goal().places[usize::from(node.place)];
        let found = |path: &[usize]| {
            let turns = path
                .iter()
                .map(|&turn| solver.sequences.turns[turn].0)
                .collect();
            GoalSolution {
                cost: self.limit,
                variant: place.name.clone(),
                turns,
            }
        };
        let is_met = |found: &GoalSolution| {
            solver
                .goal()
                .mask
                .contains(&place.normalize(&self.search.position.apply_moves(&found.moves())))
        };
        let is_one_of_them = |found: &GoalSolution| {
            let end = self.search.position.apply_moves(&found.moves());
            solver.are_positions && solver.goal().places.iter().any(|place| place.target == end)
        };
        let mut beginnings = solver
            .sequences
            .beginnings(path)
            .map(|beginning| found(&beginning));
        if beginnings.any(|beginning| is_met(&beginning) || is_one_of_them(&beginning))
            || solver.are_positions
                && (0..path.len()).any(|length| is_one_of_them(&found(&path[..length])))
        {
            return;
        }
        let wanted = self
            .conditions
            .reading
            .and_then(|reading| reading.matching_sequence(path));
        let found = found(wanted.as_deref().unwrap_or(path));
        assert!(is_met(&found), "a solution that does not reach the goal");
        if self
            .conditions
            .alike
            .is_some_and(|alike| !alike.is_representative(&found.turns, found.cost))
        {
            return;
        }
        let is_wanted = {
            let (all, sequences) = &mut *self.found.lock().unwrap_or_else(PoisonError::into_inner);
            let is_wanted = sequences.len() < self.wanted;
            if is_wanted {
                sequences.insert(found.turns.clone());
                all.push(found.clone());
            }
            if sequences.len() >= self.wanted {
                self.is_ended.store(true, Relaxed);
            }
            is_wanted
        };
        if is_wanted {
            (self.search.on_solution)(&found);
        }
    }
}

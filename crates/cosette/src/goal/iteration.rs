//! One iteration of the search: all sequences that cost so much, with all threads.

use super::place::Place;
use super::search::{Conditions, Found, GoalSearch};
use super::turns::{Acting, START};
use super::words::UNREAD;
use crate::control::{Progress, ThreadCount};
use crate::cube::{Cube, LayerTurn};
use crate::search::Event;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// More coordinates than any goal has: at most seven of edges and four of corners.
pub(super) const MOST_COORDINATES: usize = 12;
/// Tasks are sequences of so many turns.
const TURNS_OF_TASKS: usize = 2;
/// With fewer nodes expected, one thread is done before others have started.
const NODES_FOR_THREADS: u64 = 20_000;
/// Cancellation is looked at once in so many nodes.
const NODES_PER_LOOK: u64 = 4096;

/// Checking a solution takes as long as expanding some ten nodes, or several hundred if images of it are left out.
const NODES_PER_END: u64 = 50;

/// A sequence, and what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub patterns: [u32; MOST_COORDINATES],
    pub spent: u32,
    /// The set of states of the words before the last run.
    pub read: u32,
    pub place: u16,
    pub held: u8,
    /// Of the automaton.
    pub state: u8,
}

impl Node {
    /// The first node of a search to a place, which is that of this number.
    pub fn root(number: usize, place: &Place, patterns: [u32; MOST_COORDINATES]) -> Node {
        Node {
            patterns,
            place: number as u16,
            held: place.rotation.index() as u8,
            state: START,
            spent: 0,
            read: UNREAD,
        }
    }
}

/// What is done with a node that is kept for later: its position, if there is a table for that, and the turns that led to it.
type IsKept<'a> = dyn FnMut(&Node, &Cube, &[usize]) -> bool + 'a;

/// An admissible heuristic: a lower bound on the cost of the turns that lead from a node to the goal.
pub(super) trait Heuristic: Sync {
    /// The bound of the first node of a sequence; `None` if no turns lead to the goal.
    fn bound_of_root(&self, node: &Node, cube: &Cube) -> Option<u32>;

    /// Whether the goal is reached.
    fn is_goal(&self, node: &Node, cube: &Cube) -> bool;

    /// Turns a node with its position. `child` is the node with the cost of the turn; its patterns are filled in. Returns the
    /// position, or `None` if no turns lead to the goal or a bound is not `is_within` the limit.
    fn child(
        &self,
        node: (&Node, &Cube),
        acting: Acting,
        child: &mut Node,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube>;
}

/// The search of all sequences that cost `limit`.
pub(super) struct Iteration<'a, H> {
    search: &'a GoalSearch<'a>,
    heuristic: &'a H,
    conditions: Conditions<'a>,
    limit: u32,
    /// The iteration ends after some more nodes than this, where a solution counts as [`NODES_PER_END`].
    max_nodes: u64,
    /// How many sequences are wanted; one may reach several places, and then is several solutions.
    wanted: usize,
    /// The solutions, and their sequences.
    pub found: Mutex<(Vec<Found>, HashSet<Vec<LayerTurn>>)>,
    /// The least cost above the limit that a node might have.
    pub next: AtomicU32,
    pub nodes: AtomicU64,
    pub probes: AtomicU64,
    /// How many sequences reached the goal, those that do not count included.
    ends: AtomicU64,
    /// Whether enough is found, or it was cancelled.
    pub is_ended: AtomicBool,
}

/// What one thread counts and holds.
#[derive(Default)]
struct Worker {
    path: Vec<usize>,
    nodes: u64,
    probes: u64,
}

impl<'a, H: Heuristic> Iteration<'a, H> {
    pub fn new(
        search: &'a GoalSearch<'a>,
        heuristic: &'a H,
        conditions: Conditions<'a>,
        (limit, max_nodes): (u32, u64),
        wanted: usize,
    ) -> Iteration<'a, H> {
        Iteration {
            search,
            heuristic,
            conditions,
            limit,
            max_nodes,
            wanted,
            found: Mutex::default(),
            next: AtomicU32::new(u32::MAX),
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
            ends: AtomicU64::new(0),
            is_ended: AtomicBool::new(false),
        }
    }

    /// Searches from all starts. `before` is how many nodes the last iteration had.
    pub fn run(&self, starts: &[Node], before: u64) {
        let (mut tasks, mut worker) = (Vec::new(), Worker::default());
        for start in starts {
            let place = &self.search.solver.goal().places[usize::from(start.place)];
            let cube = place.seen(&self.search.position);
            if self.heuristic.bound_of_root(start, &cube).is_some_and(|least| self.is_within(least)) {
                self.descend(start, &cube, &mut worker, &mut |node, cube, path| {
                    if path.len() < TURNS_OF_TASKS {
                        return false;
                    }
                    tasks.push((*node, *cube, path.to_vec()));
                    true
                });
            }
        }
        self.count(&mut worker);
        let threads = if before < NODES_FOR_THREADS { ThreadCount::ONE } else { self.search.control.threads() };
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            let mut worker = Worker::default();
            while let Some((node, cube, path)) =
                tasks.get(next.fetch_add(1, Relaxed)).filter(|_| !self.is_ended.load(Relaxed))
            {
                worker.path.clone_from(path);
                self.descend(node, cube, &mut worker, &mut |_, _, _| false);
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
        if self.search.control.is_cancelled() || self.is_spent() {
            self.is_ended.store(true, Relaxed);
        }
    }

    /// Whether it has had more nodes than it may have.
    pub fn is_spent(&self) -> bool {
        let of_ends = self.ends.load(Relaxed) * NODES_PER_END;
        self.nodes.load(Relaxed) + of_ends > self.max_nodes
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
    fn descend(&self, node: &Node, cube: &Cube, worker: &mut Worker, is_kept: &mut IsKept<'_>) {
        let solver = self.search.solver;
        if self.heuristic.is_goal(node, cube) {
            // What goes on from here has met the goal before.
            if node.spent == self.limit {
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
                Some(reading) => reading.after_turn(node.read, node.state, turn, state),
                None => Some(UNREAD),
            };
            let Some(read) = read else { continue };
            let acting = solver.sequences.acting(node.held, turn);
            let spent = node.spent + u32::from(solver.sequences.turns[turn].1);
            if !self.is_within(spent) {
                continue;
            }
            let mut child = Node { spent, read, held: acting.held, state, ..*node };
            let is_within = |bound: u32| self.is_within(spent + bound);
            let moved = self.heuristic.child((node, cube), acting, &mut child, &mut worker.probes, is_within);
            if let Some(moved) = moved {
                worker.path.push(turn);
                self.descend(&child, &moved, worker, is_kept);
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
        self.ends.fetch_add(1, Relaxed);
        if self.is_spent() {
            self.is_ended.store(true, Relaxed);
            return;
        }
        if self.conditions.reading.is_some_and(|reading| !reading.is_end(node.read, node.state)) {
            return;
        }
        let place = &solver.goal().places[usize::from(node.place)];
        let found = |path: &[usize]| {
            let turns = path.iter().map(|&turn| solver.sequences.turns[turn].0).collect();
            Found { cost: self.limit, place: place.name.clone(), turns }
        };
        let is_met =
            |found: &Found| solver.goal().mask.contains(&place.seen(&self.search.position.after(&found.moves())));
        let is_one_of_them = |found: &Found| {
            let end = self.search.position.after(&found.moves());
            solver.are_positions && solver.goal().places.iter().any(|place| place.target == end)
        };
        let mut beginnings = solver.sequences.beginnings(path).map(|beginning| found(&beginning));
        if beginnings.any(|beginning| is_met(&beginning) || is_one_of_them(&beginning))
            || solver.are_positions && (0..path.len()).any(|length| is_one_of_them(&found(&path[..length])))
        {
            return;
        }
        let wanted = self.conditions.reading.and_then(|reading| reading.wanted(path));
        let found = found(wanted.as_deref().unwrap_or(path));
        assert!(is_met(&found), "a solution that does not reach the goal");
        if self.conditions.alike.is_some_and(|alike| !alike.keeps(&found.turns, found.cost)) {
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
            (self.search.on_found)(&found);
        }
    }
}

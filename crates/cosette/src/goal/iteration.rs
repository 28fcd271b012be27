//! One iteration of IDA*: all sequences whose cost equals the limit, with all threads; and the
//! conditions on its solutions.

use super::constraints::{ConstraintAutomaton, INITIAL_SET};
use super::heuristic::{GoalHeuristic, GoalNode};
use super::solver::GoalSolver;
use super::turns::{AxisRun, runs_of};
use crate::control::{Control, Progress, ThreadCount};
use crate::cube::{Cube, LayerTurn, Move, Sequence, Symmetry, execution_cost};
use crate::platform::Instant;
use crate::search::{Event, IterationStats};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// Number of turns of the sequences that are the tasks of the threads.
const TURNS_PER_TASK: usize = 2;
/// Minimum number of expected nodes for more than one thread; below it, one thread is done before
/// others have started.
const MIN_NODES_FOR_THREADS: u64 = 20_000;
/// Number of nodes between two checks for cancellation.
const NODES_PER_CHECK: u64 = 4096;
/// Number of nodes as which a solution counts: checking it takes as long as expanding some ten
/// nodes, or several hundred if equivalent solutions are left out.
const NODES_PER_SOLUTION: u64 = 50;

/// A sequence of turns that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GoalSolution {
    /// Total cost of the turns.
    pub cost: u32,
    /// The variant of the goal that is reached; see [`super::Goal::variants`].
    pub variant: String,
    /// The turns, each written for the current orientation of the cube: in `x U`, the second turn
    /// moves the face that was in front.
    pub turns: Vec<LayerTurn>,
}

impl GoalSolution {
    /// Returns the turns as face turns in the frame of the centers.
    pub fn moves(&self) -> Vec<Move> {
        Sequence::from_turns(&self.turns).moves_in_initial_frame()
    }
}

/// What all iterations of a search have in common.
#[derive(Clone)]
pub(super) struct SearchContext<'a> {
    pub solver: &'a GoalSolver,
    pub position: Cube,
    pub control: Control<'a>,
    pub on_event: &'a (dyn Fn(Event<'_>) + Sync),
    pub on_solution: &'a (dyn Fn(&GoalSolution) + Sync),
}

/// Conditions on solutions, in addition to reaching the goal.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    /// Required prefix and suffix, and forbidden sequences.
    pub constraints: Option<&'a ConstraintAutomaton<'a>>,
    /// Equivalence under which only one solution of a class is reported.
    pub dedup: Option<&'a SolutionDedup<'a>>,
}

/// The search of all sequences that cost exactly `limit`.
pub(super) struct GoalIteration<'a> {
    context: &'a SearchContext<'a>,
    conditions: Conditions<'a>,
    limit: u32,
    /// Maximum number of nodes, up to one block of [`NODES_PER_CHECK`]; a solution counts as
    /// [`NODES_PER_SOLUTION`].
    pub max_nodes: u64,
    /// Number of sequences to find; one that reaches several variants yields several solutions.
    max_sequences: usize,
    /// The solutions, and their sequences.
    solutions: Mutex<(Vec<GoalSolution>, HashSet<Vec<LayerTurn>>)>,
    /// Minimum cost above the limit that a node might have.
    pub next: AtomicU32,
    nodes: AtomicU64,
    probes: AtomicU64,
    /// Number of sequences that reached the goal, including those that do not count.
    ends: AtomicU64,
    /// `true` once enough solutions are found, or the search is cancelled.
    is_stopped: AtomicBool,
    start: Instant,
}

/// The counters and buffers of one thread.
#[derive(Default)]
struct GoalThread {
    path: Vec<usize>,
    nodes: u64,
    probes: u64,
}

/// A node at which a thread begins: with its position (if a table needs it), and the turns that
/// lead to it.
type GoalTask = (GoalNode, Cube, Vec<usize>);

impl<'a> GoalIteration<'a> {
    pub fn new(
        context: &'a SearchContext<'a>,
        conditions: Conditions<'a>,
        limit: u32,
        max_sequences: usize,
    ) -> GoalIteration<'a> {
        GoalIteration {
            context,
            conditions,
            limit,
            max_nodes: u64::MAX,
            max_sequences,
            solutions: Mutex::default(),
            next: AtomicU32::new(u32::MAX),
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
            ends: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            start: Instant::now(),
        }
    }

    pub fn length(&self) -> u8 {
        u8::try_from(self.limit).unwrap_or(u8::MAX)
    }

    /// Searches from all roots. `last_nodes` is the number of nodes of the last iteration.
    pub fn run(&self, heuristic: &impl GoalHeuristic, roots: &[GoalNode], last_nodes: u64) {
        let tasks = self.tasks(heuristic, roots);
        let threads = if last_nodes < MIN_NODES_FOR_THREADS {
            ThreadCount::ONE
        } else {
            self.context.control.threads()
        };
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            let mut thread = GoalThread::default();
            while let Some((node, cube, path)) = tasks.get(next.fetch_add(1, Relaxed)) {
                if self.is_stopped.load(Relaxed) {
                    break;
                }
                thread.path.clone_from(path);
                self.descend(heuristic, (node, cube), &mut thread, None);
                (self.context.on_event)(Event::Progress {
                    length: self.length(),
                    progress: Progress {
                        done: next.load(Relaxed).min(tasks.len()) as u64,
                        total: tasks.len() as u64,
                    },
                    time_left: None,
                });
            }
            self.add_counts(&mut thread);
        });
    }

    /// Expands the first turns from all roots, and returns the nodes to search from.
    fn tasks(&self, heuristic: &impl GoalHeuristic, roots: &[GoalNode]) -> Vec<GoalTask> {
        let mut tasks = Vec::new();
        let mut thread = GoalThread::default();
        for root in roots {
            let variant = self.context.solver.variant(root);
            let cube = variant.normalize(&self.context.position);
            let bound = heuristic.root_bound(root, &cube);
            if let Some(bound) = bound.filter(|&bound| self.is_within(bound)) {
                let root = GoalNode {
                    is_goal: bound == 0,
                    ..*root
                };
                self.descend(heuristic, (&root, &cube), &mut thread, Some(&mut tasks));
            }
        }
        self.add_counts(&mut thread);
        tasks
    }

    /// Adds the counts of a thread, and checks whether to stop.
    fn add_counts(&self, thread: &mut GoalThread) {
        self.nodes
            .fetch_add(std::mem::take(&mut thread.nodes), Relaxed);
        self.probes
            .fetch_add(std::mem::take(&mut thread.probes), Relaxed);
        if self.context.control.is_cancelled() || self.is_spent() {
            self.is_stopped.store(true, Relaxed);
        }
    }

    /// Returns the statistics of the iteration once it has run.
    pub fn stats(&self) -> IterationStats {
        IterationStats {
            length: self.length(),
            nodes: self.nodes.load(Relaxed),
            probes: self.probes.load(Relaxed),
            elapsed: self.start.elapsed(),
            exhausted: !self.is_stopped.load(Relaxed),
        }
    }

    /// Returns the solutions, and the number of their sequences.
    pub fn into_solutions(self) -> (Vec<GoalSolution>, usize) {
        let found = self.solutions.into_inner();
        let (solutions, sequences) = found.unwrap_or_else(PoisonError::into_inner);
        (solutions, sequences.len())
    }

    /// Returns `true` if the iteration has exceeded its number of nodes.
    pub fn is_spent(&self) -> bool {
        let nodes_of_ends = self.ends.load(Relaxed) * NODES_PER_SOLUTION;
        self.nodes.load(Relaxed) + nodes_of_ends > self.max_nodes
    }

    /// Returns `true` if a node whose solutions cost at least `bound` is searched; otherwise
    /// records its cost for the next iteration.
    #[inline(always)]
    fn is_within(&self, bound: u32) -> bool {
        if bound > self.limit && bound < self.next.load(Relaxed) {
            self.next.fetch_min(bound, Relaxed);
        }
        bound <= self.limit
    }

    /// Searches from a node, all of whose bounds are within the limit. With `tasks`, nodes after
    /// the first turns are stored there instead.
    fn descend(
        &self,
        heuristic: &impl GoalHeuristic,
        (node, cube): (&GoalNode, &Cube),
        thread: &mut GoalThread,
        mut tasks: Option<&mut Vec<GoalTask>>,
    ) {
        let sequences = &self.context.solver.sequences;
        if node.is_goal {
            // Longer sequences from here have satisfied the goal before their last turn.
            if node.cost == self.limit {
                self.check_end(node, &thread.path);
            }
            return;
        }
        if let Some(tasks) = &mut tasks
            && thread.path.len() >= TURNS_PER_TASK
        {
            tasks.push((*node, *cube, thread.path.clone()));
            return;
        }
        thread.nodes += 1;
        if thread.nodes >= NODES_PER_CHECK.min(self.max_nodes) {
            self.add_counts(thread);
        }
        for (turn, &state) in sequences.after(node.state).iter().enumerate() {
            let Some(state) = state else { continue };
            let constraint_set = self
                .conditions
                .constraints
                .map_or(Some(INITIAL_SET), |automaton| {
                    automaton.after_turn(node.constraint_set, node.state, turn, state)
                });
            let Some(constraint_set) = constraint_set else {
                continue;
            };
            let in_frame = sequences.turn_in_frame(node.frame, turn);
            let cost = node.cost + u32::from(sequences.turns[turn].1);
            if !self.is_within(cost) {
                continue;
            }
            let mut child = GoalNode {
                cost,
                constraint_set,
                frame: in_frame.frame,
                state,
                ..*node
            };
            let is_within = |bound: u32| self.is_within(cost + bound);
            let probes = &mut thread.probes;
            let moved = heuristic.child((node, cube), in_frame, &mut child, probes, is_within);
            if let Some(moved) = moved {
                thread.path.push(turn);
                self.descend(heuristic, (&child, &moved), thread, tasks.as_deref_mut());
                thread.path.pop();
                if self.is_stopped.load(Relaxed) {
                    return;
                }
            }
        }
    }

    /// Checks a sequence that leads to the goal, and records it if it is a solution.
    fn check_end(&self, node: &GoalNode, path: &[usize]) {
        self.ends.fetch_add(1, Relaxed);
        if self.is_spent() {
            self.is_stopped.store(true, Relaxed);
            return;
        }
        let mut matching = None;
        if let Some(automaton) = self.conditions.constraints {
            if !automaton.is_accepting(node.constraint_set, node.state) {
                return;
            }
            matching = automaton.matching_sequence(path);
        }
        if self.is_reached_earlier(node, path) {
            return;
        }
        let solver = self.context.solver;
        let solution = GoalSolution {
            cost: self.limit,
            variant: solver.variant(node).name.clone(),
            turns: solver
                .sequences
                .turns_of(matching.as_deref().unwrap_or(path)),
        };
        assert!(
            self.is_met(node, &self.end(&solution.turns)),
            "a solution that does not reach the goal"
        );
        let dedup = self.conditions.dedup;
        if dedup.is_none_or(|dedup| dedup.is_representative(&solution.turns, solution.cost)) {
            self.record(solution);
        }
    }

    /// Returns `true` if some order of the commuting turns of a sequence reaches the goal before
    /// its last turn.
    fn is_reached_earlier(&self, node: &GoalNode, path: &[usize]) -> bool {
        let solver = self.context.solver;
        let end = |path: &[usize]| self.end(&solver.sequences.turns_of(path));
        let is_target = |end: Cube| {
            let mut variants = solver.goal().variants.iter();
            solver.are_positions && variants.any(|variant| variant.target == end)
        };
        let prefixes = solver.sequences.prefixes(path);
        let mut ends = prefixes.iter().map(|prefix| end(prefix));
        ends.any(|end| self.is_met(node, &end) || is_target(end))
            || solver.are_positions && (0..path.len()).any(|length| is_target(end(&path[..length])))
    }

    fn end(&self, turns: &[LayerTurn]) -> Cube {
        let moves = Sequence::from_turns(turns).moves_in_initial_frame();
        self.context.position.apply_moves(&moves)
    }

    /// Returns `true` if a position reaches the variant of a node.
    fn is_met(&self, node: &GoalNode, end: &Cube) -> bool {
        let solver = self.context.solver;
        let normalized = solver.variant(node).normalize(end);
        solver.goal().mask.contains(&normalized)
    }

    /// Stores and reports a solution, unless enough sequences are known.
    fn record(&self, solution: GoalSolution) {
        {
            let (solutions, sequences) = &mut *self
                .solutions
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if sequences.len() >= self.max_sequences {
                return;
            }
            sequences.insert(solution.turns.clone());
            solutions.push(solution.clone());
            if sequences.len() >= self.max_sequences {
                self.is_stopped.store(true, Relaxed);
            }
        }
        (self.context.on_solution)(&solution);
    }
}

/// The symmetries under which two solutions of a position count as the same: one solution of each
/// class is retained.
///
/// A symmetry s maps a solution m of the position p to a solution of s⁻¹·p·s. If it preserves the
/// turns with their costs, the variants of the goal, and the constrained pieces of p, the image is
/// a solution of p as well. If p·m is a single position t, only t⁻¹·p matters for the goal. The
/// inverse of m then is a solution of the inverse of t⁻¹·p: if that equals t⁻¹·p, or its image
/// under a symmetry that preserves the turns, the inverse of m or its image is a solution.
///
/// The representative is the image with the fewest quarter turns, then the easiest to execute, then
/// the one that does less in its first runs, so it does not depend on the order in which the images
/// are found.
pub(super) struct SolutionDedup<'a> {
    solver: &'a GoalSolver,
    constraints: Option<&'a ConstraintAutomaton<'a>>,
    /// Symmetries that map solutions to solutions.
    symmetries: Vec<Symmetry>,
    /// Symmetries that map inverses of solutions to solutions.
    of_inverses: Vec<Symmetry>,
    /// The position relative to the goal, if that is the whole cube.
    relative: Option<Cube>,
}

impl<'a> SolutionDedup<'a> {
    pub fn new(
        solver: &'a GoalSolver,
        constraints: Option<&'a ConstraintAutomaton<'a>>,
        position: &Cube,
        by_symmetry: bool,
        by_inverse: bool,
    ) -> SolutionDedup<'a> {
        let goal = solver.goal();
        let turns = solver.turns().allowed();
        let relative = goal
            .target()
            .map(|target| target.inverse().compose(position));
        let preserves_turns = |s: &Symmetry| {
            let mut turns_and_costs = turns.iter();
            turns_and_costs.all(|&(turn, cost)| turns.contains(&(turn.conjugate(*s), cost)))
        };
        let preserves_position = |s: &Symmetry| match relative {
            _ if *s == Symmetry::IDENTITY => true,
            Some(relative) => relative.conjugate(*s) == relative,
            None => {
                goal.is_preserved_by(*s)
                    && solver.are_indistinguishable(position, &position.conjugate(*s))
            }
        };
        let mut symmetries = vec![Symmetry::IDENTITY];
        if by_symmetry {
            symmetries = Symmetry::all().filter(preserves_turns).collect();
        }
        let mut of_inverses = Vec::new();
        if by_inverse && relative.is_some() {
            of_inverses.clone_from(&symmetries);
        }
        symmetries.retain(preserves_position);
        SolutionDedup {
            solver,
            constraints,
            symmetries,
            of_inverses,
            relative,
        }
    }

    /// Returns `true` if this solution, as reported, is the representative of its class.
    fn is_representative(&self, turns: &[LayerTurn], cost: u32) -> bool {
        let conjugate = |turns: &[LayerTurn], s: Symmetry| -> Vec<LayerTurn> {
            turns.iter().map(|turn| turn.conjugate(s)).collect()
        };
        let inverse: Vec<LayerTurn> = turns.iter().rev().map(|turn| turn.inverse()).collect();
        let images = self.symmetries.iter().map(|&s| conjugate(turns, s));
        let inverses = self.of_inverses.iter().map(|&s| conjugate(&inverse, s));
        let own = (rank(turns), runs_of(turns));
        images
            .chain(inverses.filter(|image| self.solves(image)))
            .filter_map(|image| self.rank_if_solution(&image, cost))
            .all(|other| own <= other)
    }

    /// Returns `true` if the goal is the whole cube and the turns reach it.
    fn solves(&self, turns: &[LayerTurn]) -> bool {
        let moves = Sequence::from_turns(turns).moves_in_initial_frame();
        self.relative
            .is_some_and(|position| position.apply_moves(&moves).is_solved())
    }

    /// Returns the rank of an image, if it is a solution that the search finds.
    fn rank_if_solution(
        &self,
        image: &[LayerTurn],
        cost: u32,
    ) -> Option<((usize, u32), Vec<AxisRun>)> {
        let runs = runs_of(image);
        let sequences = &self.solver.sequences;
        let mut path = sequences
            .cheapest(&runs)
            .filter(|path| sequences.cost(path) == cost)?;
        // An inverse may reach the goal earlier, and then is not a solution.
        if !self.of_inverses.is_empty() {
            let solves = |path: &[usize]| self.solves(&sequences.turns_of(path));
            let prefixes = sequences.prefixes(&path);
            if (0..path.len()).any(|length| solves(&path[..length]))
                || prefixes.iter().any(|prefix| solves(prefix))
            {
                return None;
            }
        }
        if let Some(constraints) = self.constraints {
            path = constraints.matching_sequence(&path)?;
        }
        Some((rank(&sequences.turns_of(&path)), runs))
    }
}

/// The order among solutions of one cost: by quarter turns, then by execution cost.
pub(super) fn rank(turns: &[LayerTurn]) -> (usize, u32) {
    let half_turns = turns.iter().filter(|turn| turn.is_half_turn()).count();
    (turns.len() + half_turns, execution_cost(turns))
}

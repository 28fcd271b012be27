//! One iteration of IDA*, on all threads: it searches all sequences whose cost equals the limit.
//! Also the conditions on its solutions.

use super::constraints::{ConstraintAutomaton, INITIAL_SET};
use super::heuristic::{GoalHeuristic, GoalNode};
use super::solver::GoalSolver;
use super::turns::{AxisRun, runs_of};
use crate::control::{Control, Progress, ThreadCount};
use crate::cube::{Cube, LayerTurn, Move, Sequence, Symmetry, execution_cost};
use crate::platform::Instant;
use crate::search::{Event, EventListener, IterationStats};
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of turns after which the search is split into tasks for the threads.
const TURNS_PER_TASK: usize = 2;
/// Minimum number of nodes of the last iteration for more than one thread; below it, one thread is
/// done before others have started.
const MIN_NODES_FOR_THREADS: u64 = 20_000;
/// Number of nodes between two checks for cancellation.
const NODES_PER_CHECK: u64 = 4096;
/// Number of nodes that a solution counts for: checking it takes as long as expanding some ten
/// nodes, or several hundred if equivalent solutions are left out.
const NODES_PER_SOLUTION: u64 = 50;

/// A sequence of turns that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct GoalSolution {
    /// Total cost of the turns.
    pub cost: u32,
    /// The variant of the goal that is reached; see [`super::Goal::variants`].
    pub variant: String,
    /// The turns, each written for the current orientation of the cube: in `x U`, the second turn
    /// moves the face that was in front. [`moves`](GoalSolution::moves) applies to a [`Cube`].
    pub turns: Vec<LayerTurn>,
}

impl GoalSolution {
    /// Creates the solution of turns that reach a variant of the goal at this cost.
    pub fn new(turns: Vec<LayerTurn>, cost: u32, variant: String) -> GoalSolution {
        GoalSolution {
            cost,
            variant,
            turns,
        }
    }

    /// Returns the turns as face turns in the frame of the centers, for [`Cube::apply_moves`]:
    ///
    /// ```
    /// use cosette::goal::{Goal, GoalSolver, TurnSet};
    /// use cosette::{Control, Cube};
    ///
    /// let goal: Goal = "cross:D".parse()?;
    /// let solver = GoalSolver::new(&goal, &TurnSet::default(), &Control::default())?;
    /// let scramble: Cube = "D2 F R' B U L'".parse()?;
    /// let solution = &solver.search(&scramble).run().solutions[0];
    /// assert!(goal.is_met(&scramble.apply_moves(&solution.moves())));
    /// // As text, for example to print it or to parse it again:
    /// assert_eq!(solution.to_string().parse::<Cube>()?, Cube::from_moves(&solution.moves()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moves(&self) -> Vec<Move> {
        Sequence::from_turns(&self.turns).moves_in_initial_frame()
    }
}

/// Writes the turns, separated by spaces.
impl fmt::Display for GoalSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns: Vec<String> = self.turns.iter().map(LayerTurn::to_string).collect();
        f.write_str(&turns.join(" "))
    }
}

/// The data that all iterations of a search share.
#[derive(Clone)]
pub(super) struct SearchContext<'a> {
    pub solver: &'a GoalSolver,
    pub position: Cube,
    pub control: Control<'a>,
    pub on_event: EventListener<'a>,
    pub on_solution: Arc<dyn Fn(&GoalSolution) + Send + Sync + 'a>,
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
    /// Maximum number of nodes, checked every [`NODES_PER_CHECK`] nodes; a solution counts as
    /// [`NODES_PER_SOLUTION`] nodes.
    pub max_nodes: u64,
    /// Number of sequences to find; one that reaches several variants yields several solutions.
    max_sequences: usize,
    /// The solutions, and their sequences.
    solutions: Mutex<(Vec<GoalSolution>, HashSet<Vec<LayerTurn>>)>,
    /// Minimum bound above the limit on the cost of a solution: the limit of the next iteration.
    pub next_limit: AtomicU32,
    nodes: AtomicU64,
    probes: AtomicU64,
    /// Number of sequences that reached the goal, including sequences that are not solutions.
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

/// A node from which a thread searches, its position (if the heuristic needs it), and the turns
/// that lead to it.
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
            next_limit: AtomicU32::new(u32::MAX),
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
            ends: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
            start: Instant::now(),
        }
    }

    /// Returns the limit as events and statistics report it.
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
        let next_task = AtomicUsize::new(0);
        threads.run(&|_| {
            let mut thread = GoalThread::default();
            while let Some((node, cube, path)) = tasks.get(next_task.fetch_add(1, Relaxed)) {
                if self.is_stopped.load(Relaxed) {
                    break;
                }
                thread.path.clone_from(path);
                self.descend(heuristic, (node, cube), &mut thread, None);
                (self.context.on_event)(Event::Progress {
                    length: self.length(),
                    progress: Progress {
                        done: next_task.load(Relaxed).min(tasks.len()) as u64,
                        total: tasks.len() as u64,
                    },
                    time_left: None,
                });
            }
            self.add_counts(&mut thread);
        });
    }

    /// Searches the first turns from all roots, and returns the nodes that they lead to.
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
        let solutions = self.solutions.into_inner();
        let (solutions, sequences) = solutions.unwrap_or_else(PoisonError::into_inner);
        (solutions, sequences.len())
    }

    /// Returns `true` if the iteration has exceeded its number of nodes.
    pub fn is_spent(&self) -> bool {
        let nodes_for_ends = self.ends.load(Relaxed) * NODES_PER_SOLUTION;
        self.nodes.load(Relaxed) + nodes_for_ends > self.max_nodes
    }

    /// Returns `true` if the limit allows solutions that cost at least `bound`; otherwise records
    /// the bound for the next iteration.
    #[inline(always)]
    fn is_within(&self, bound: u32) -> bool {
        if bound > self.limit && bound < self.next_limit.load(Relaxed) {
            self.next_limit.fetch_min(bound, Relaxed);
        }
        bound <= self.limit
    }

    /// Searches from a node whose bounds are all within the limit. With `tasks`, stores nodes after
    /// [`TURNS_PER_TASK`] turns there instead of searching from them.
    fn descend(
        &self,
        heuristic: &impl GoalHeuristic,
        (node, cube): (&GoalNode, &Cube),
        thread: &mut GoalThread,
        mut tasks: Option<&mut Vec<GoalTask>>,
    ) {
        let sequences = &self.context.solver.sequences;
        if node.is_goal {
            // Longer sequences would satisfy the goal before their last turn.
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
            self.is_met(node, &self.position_after(&solution.turns)),
            "a solution that does not reach the goal"
        );
        let dedup = self.conditions.dedup;
        if dedup.is_none_or(|dedup| dedup.is_representative(&solution.turns, solution.cost)) {
            self.record(solution);
        }
    }

    /// Returns `true` if a sequence, with its commuting turns in some order, reaches the variant of
    /// the node (or any of several goal positions) before its last turn.
    fn is_reached_earlier(&self, node: &GoalNode, path: &[usize]) -> bool {
        let solver = self.context.solver;
        let position_after = |path: &[usize]| self.position_after(&solver.sequences.turns_of(path));
        let is_target = |position: Cube| {
            let mut variants = solver.goal().variants.iter();
            solver.are_positions && variants.any(|variant| variant.target == position)
        };
        let prefixes = solver.sequences.prefixes(path);
        let mut positions = prefixes.iter().map(|prefix| position_after(prefix));
        positions.any(|position| self.is_met(node, &position) || is_target(position))
            || solver.are_positions
                && (0..path.len()).any(|length| is_target(position_after(&path[..length])))
    }

    fn position_after(&self, turns: &[LayerTurn]) -> Cube {
        let moves = Sequence::from_turns(turns).moves_in_initial_frame();
        self.context.position.apply_moves(&moves)
    }

    /// Returns `true` if a position reaches the variant of a node.
    fn is_met(&self, node: &GoalNode, position: &Cube) -> bool {
        let solver = self.context.solver;
        let normalized = solver.variant(node).normalize(position);
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
/// a solution of p as well.
///
/// If the goal is a single position t, only q = t⁻¹·p matters, which m solves. The inverse of m
/// solves the inverse of q. So if a symmetry that preserves the turns, such as the identity, maps
/// the inverse of q to q, it maps the inverse of m to a solution.
///
/// The representative is the image with the fewest quarter turns, then the easiest to execute, then
/// the image whose runs come first in their order. So it does not depend on the order in which the
/// images are found.
pub(super) struct SolutionDedup<'a> {
    solver: &'a GoalSolver,
    constraints: Option<&'a ConstraintAutomaton<'a>>,
    /// Symmetries that map solutions to solutions.
    symmetries: Vec<Symmetry>,
    /// Symmetries that may map inverses of solutions to solutions.
    inverse_symmetries: Vec<Symmetry>,
    /// The position relative to the goal, if the goal is a single position.
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
        let mut inverse_symmetries = Vec::new();
        if by_inverse && relative.is_some() {
            inverse_symmetries.clone_from(&symmetries);
        }
        symmetries.retain(preserves_position);
        SolutionDedup {
            solver,
            constraints,
            symmetries,
            inverse_symmetries,
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
        let inverses = self
            .inverse_symmetries
            .iter()
            .map(|&s| conjugate(&inverse, s));
        let own = (rank(turns), runs_of(turns));
        images
            .chain(inverses.filter(|image| self.solves(image)))
            .filter_map(|image| self.rank_if_solution(&image, cost))
            .all(|other| own <= other)
    }

    /// Returns `true` if the goal is a single position and the turns reach it.
    fn solves(&self, turns: &[LayerTurn]) -> bool {
        let moves = Sequence::from_turns(turns).moves_in_initial_frame();
        self.relative
            .is_some_and(|position| position.apply_moves(&moves).is_solved())
    }

    /// Returns the rank and the runs of an image, if it is a solution that the search finds.
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
        // An inverse may reach the goal before its last turn; then it is not a solution.
        if !self.inverse_symmetries.is_empty() {
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

/// Returns the rank of a solution among solutions of one cost: its number of quarter turns, then
/// its execution cost.
pub(super) fn rank(turns: &[LayerTurn]) -> (usize, u32) {
    let half_turns = turns.iter().filter(|turn| turn.is_half_turn()).count();
    (turns.len() + half_turns, execution_cost(turns))
}

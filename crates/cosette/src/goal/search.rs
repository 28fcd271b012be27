//! Goal solvers, the options of a search for a goal, and its report.

use super::constraints::{ConstraintAutomaton, SequenceConstraints};
use super::coordinate::{Coordinate, Labels};
use super::databases::{DatabaseBound, Databases};
use super::dedup::SolutionDedup;
use super::full_cube_bound::FullCubeBound;
use super::iteration::{Heuristic, Node};
use super::mask::PieceKind;
use super::names::{Goal, piece_name};
use super::pattern_database::{PatternDatabase, UNREACHABLE};
use super::reachability::Reachability;
use super::turns::{FaceEffect, RunAutomaton, TurnSet};
use super::variant::GoalVariant;
use crate::Table;
use crate::control::{Cancel, CancelReason, Control, ThreadCount, lock_unless_cancelled};
use crate::cube::{Cube, LayerTurn, Move, Sequence, Symmetry};
use crate::platform::Instant;
use crate::search::{Event, IterationStats, Outcome, SolutionCount};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// A solver for one goal with one set of allowed turns; see [`GoalSearch`].
///
/// The solver owns the pattern databases, once they are built, and shares them among its searches.
pub struct GoalSolver {
    goal: Goal,
    turns: TurnSet,
    pub(super) sequences: RunAutomaton,
    pub(super) effects: Vec<FaceEffect>,
    /// The pieces that the goal distinguishes, of corners and of edges.
    pub(super) labels: [Labels; 2],
    /// `true` if several positions form the goal together; other variants are separate goals.
    pub(super) are_positions: bool,
    /// Reachability of each variant; `None` for a variant that the turns reach from everywhere.
    reach: OnceLock<Vec<Option<Reachability>>>,
    pub(super) databases: OnceLock<Databases>,
    /// Locked by the thread that builds the databases.
    building: Mutex<()>,
    /// Total work of all searches without databases.
    pub(super) work_without_databases: AtomicU64,
    /// Lower bound from a table of the main engine, if the goal is the whole cube.
    pub(super) whole: Option<FullCubeBound>,
    pub(super) threads: ThreadCount,
}

/// The error if building the pattern databases of a [`GoalSolver`] is cancelled or times out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} before the pattern databases of the goal were complete", came_first(.0))]
pub struct BuildCancelled(pub CancelReason);

fn came_first(reason: &CancelReason) -> &'static str {
    match reason {
        CancelReason::Requested => "cancelled",
        CancelReason::TimedOut => "the time limit was reached",
    }
}

/// A configurable search from one position to a goal; created by [`GoalSolver::search`].
///
/// By default the search finds one cheapest solution. Set options, then call
/// [`run`](GoalSearch::run).
///
/// # Constraints
///
/// [`starts_with`](Self::starts_with), [`ends_with`](Self::ends_with) and [`avoid`](Self::avoid)
/// restrict the solutions. Costs, slack and [`GoalReport::lower_bound`] then refer to the solutions
/// that satisfy the constraints, which may be more expensive than the unconstrained optimum. Every
/// one of them is also a solution of the search without constraints, with enough slack.
///
/// A solution represents all sequences of equal cost that differ from it only in how consecutive
/// turns about one axis are ordered or combined: `U D R` also represents `D U R`. It satisfies the
/// constraints if at least one of these sequences does, and that sequence is reported.
#[derive(Clone)]
pub struct GoalSearch<'a> {
    pub(super) solver: &'a GoalSolver,
    pub(super) position: Cube,
    pub(super) count: SolutionCount,
    pub(super) slack: u32,
    pub(super) most: Option<u32>,
    pub(super) words: SequenceConstraints,
    pub(super) dedup_symmetric: bool,
    pub(super) dedup_inverse: bool,
    pub(super) control: Control<'a>,
    pub(super) on_event: &'a (dyn Fn(Event<'_>) + Sync),
    pub(super) on_solution: &'a (dyn Fn(&GoalSolution) + Sync),
}

/// A sequence of turns that reaches the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GoalSolution {
    /// Total cost of the turns.
    pub cost: u32,
    /// The variant of the goal that is reached; see [`Goal::variants`].
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

/// The result of a [`GoalSearch`]. It guarantees:
///
/// | field | guarantee | proven by |
/// |---|---|---|
/// | [`lower_bound`](GoalReport::lower_bound), [`Outcome::Optimal`] | no cheaper sequence of allowed turns satisfies the constraints and reaches a variant of the goal; a sequence counts if it does not reach the variant before its last turn, in any order of its commuting turns | exhausted iterations of all lower costs |
/// | [`solutions`](GoalReport::solutions), with [`SolutionCount::All`] | they represent all such sequences up to the slack and the maximum cost | exhausted iterations up to that cost |
/// | [`unreachable`](GoalReport::unreachable) | no sequence of allowed turns reaches the goal, at any cost | the orbits of the pieces under the turns, and the group that the turns generate on pieces with a single allowed slot and orientation; with constraints, also an iteration that leaves no higher cost to search |
///
/// A solution represents all sequences of its cost in which consecutive turns about one axis have
/// the same total effect. With [`dedup_symmetric`](GoalSearch::dedup_symmetric) or
/// [`dedup_inverse`](GoalSearch::dedup_inverse) it also represents the solutions equivalent to it.
#[derive(Clone, Debug)]
pub struct GoalReport {
    /// The reason why the search ended.
    pub outcome: Outcome,
    /// Proven lower bound on the cost of any solution; `u32::MAX` if the goal is unreachable.
    pub lower_bound: u32,
    /// Verified solutions, sorted by cost, then by number of quarter turns (a half turn counts as
    /// two), then by [`execution_cost`](super::execution_cost()).
    pub solutions: Vec<GoalSolution>,
    /// The reason why the goal is unreachable with the allowed turns, if that was detected.
    pub unreachable: Option<String>,
    /// Statistics of each iteration, in order of increasing cost.
    pub iterations: Vec<IterationStats>,
    /// Wall-clock time of the search.
    pub elapsed: Duration,
}

impl GoalReport {
    /// Returns the number of expanded nodes.
    pub fn nodes(&self) -> u64 {
        self.iterations
            .iter()
            .map(|iteration| iteration.nodes)
            .sum()
    }
}

impl GoalSolver {
    /// Creates a solver and builds its pattern databases: at most some 130 MB for a named goal, in
    /// about two seconds with two threads. Reports progress to `control`.
    ///
    /// # Errors
    ///
    /// Returns [`BuildCancelled`] if `control` is cancelled or times out.
    pub fn new(
        goal: &Goal,
        turns: &TurnSet,
        control: &Control<'_>,
    ) -> Result<GoalSolver, BuildCancelled> {
        let solver = GoalSolver::on_demand(goal, turns, control.threads());
        solver.prepare(control)?;
        Ok(solver)
    }

    /// Creates a solver whose pattern databases are built by the first search that needs them.
    ///
    /// A search for a solution of a few turns does not need them, and takes some milliseconds. The
    /// databases affect only the nodes and iterations of a report, not its solutions or bounds.
    pub fn on_demand(goal: &Goal, turns: &TurnSet, threads: ThreadCount) -> GoalSolver {
        let sequences = RunAutomaton::new(turns);
        let rotations: Vec<Symmetry> = goal.places.iter().map(|place| place.rotation).collect();
        GoalSolver {
            effects: sequences.effects(&rotations),
            sequences,
            labels: PieceKind::BOTH.map(|kind| Labels::of_mask(&goal.mask, kind)),
            are_positions: goal.is_full_cube() && goal.places.len() > 1,
            reach: OnceLock::new(),
            databases: OnceLock::new(),
            building: Mutex::new(()),
            work_without_databases: AtomicU64::new(0),
            whole: None,
            threads,
            goal: goal.clone(),
            turns: turns.clone(),
        }
    }

    /// Adds a pruning table of the main engine, which strengthens the lower bound if the goal is
    /// the whole cube: the table's bound in face turns, times the minimum cost per face turn. Has
    /// no effect for other goals.
    #[must_use]
    pub fn with_table(self, table: Arc<Table>) -> GoalSolver {
        let whole = self
            .goal
            .is_full_cube()
            .then(|| FullCubeBound::new(table, &self.sequences.turns));
        GoalSolver { whole, ..self }
    }

    /// Returns the allowed turns.
    pub fn turns(&self) -> &TurnSet {
        &self.turns
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Creates a search from a position.
    pub fn search(&self, position: &Cube) -> GoalSearch<'_> {
        GoalSearch {
            solver: self,
            position: *position,
            count: SolutionCount::ONE,
            slack: 0,
            most: None,
            words: SequenceConstraints::default(),
            dedup_symmetric: false,
            dedup_inverse: false,
            control: Control::new(self.threads),
            on_event: &|_| {},
            on_solution: &|_| {},
        }
    }

    /// Returns an admissible lower bound on the cost from `position` to the goal, or `None` if it
    /// is unreachable. The bound is exact if one pattern database covers all constrained pieces.
    /// Builds the databases if necessary.
    pub fn lower_bound(&self, position: &Cube) -> Option<u32> {
        let databases = self
            .databases(&Control::new(self.threads))
            .expect("nothing cancels it");
        let roots = self.roots(&self.reachable_places(position), databases, position);
        self.bound_of_roots(&self.bound_by(databases), &roots, position)
    }

    pub(super) fn bound_by<'a>(&'a self, databases: &'a Databases) -> DatabaseBound<'a> {
        DatabaseBound {
            databases,
            whole: self.whole.as_ref(),
        }
    }

    /// Returns the minimum bound of the root nodes of a search; `None` if the goal is unreachable
    /// from all of them.
    pub(super) fn bound_of_roots(
        &self,
        heuristic: &impl Heuristic,
        roots: &[Node],
        position: &Cube,
    ) -> Option<u32> {
        let seen = |node: &Node| self.goal.places[usize::from(node.place)].normalize(position);
        roots
            .iter()
            .filter_map(|node| heuristic.bound_of_root(node, &seen(node)))
            .min()
    }

    /// Builds the pattern databases, unless they exist.
    ///
    /// # Errors
    ///
    /// Returns [`BuildCancelled`] if `control` is cancelled or times out.
    pub fn prepare(&self, control: &Control<'_>) -> Result<(), BuildCancelled> {
        self.databases(control).map(drop)
    }

    /// Returns the databases, and builds them if necessary.
    pub(super) fn databases(&self, control: &Control<'_>) -> Result<&Databases, BuildCancelled> {
        if let Some(databases) = self.databases.get() {
            return Ok(databases);
        }
        let unfinished = || {
            BuildCancelled(
                control
                    .cancel_token()
                    .reason()
                    .expect("only a request ends it"),
            )
        };
        // Another thread may be building them.
        let _building =
            lock_unless_cancelled(&self.building, control, || {}).ok_or_else(unfinished)?;
        if self.databases.get().is_none() {
            let databases =
                Databases::build(&self.goal.mask, &self.effects, control).ok_or_else(unfinished)?;
            self.databases.get_or_init(|| databases);
        }
        Ok(self.databases.get().expect("they are built"))
    }

    /// Returns the indices of the variants that the group of the turns reaches. A variant may still
    /// be unreachable.
    pub(super) fn reachable_places(&self, position: &Cube) -> Vec<usize> {
        let reach = |place: &GoalVariant| {
            Reachability::new(&self.turns, &place.mask(&self.goal.mask), &PieceKind::BOTH)
        };
        let reach = self
            .reach
            .get_or_init(|| self.goal.places.iter().map(reach).collect());
        let leads = |&number: &usize| {
            let relative = self.goal.places[number].target.inverse().compose(position);
            reach[number]
                .as_ref()
                .is_none_or(|reach| reach.is_reachable(&relative))
        };
        (0..self.goal.places.len()).filter(leads).collect()
    }

    /// Returns the root nodes of a search for these variants, without those whose patterns are
    /// unreachable.
    pub(super) fn roots(
        &self,
        places: &[usize],
        databases: &Databases,
        position: &Cube,
    ) -> Vec<Node> {
        let root = |&number: &usize| {
            let place = &self.goal.places[number];
            let patterns = databases.patterns(&place.normalize(position))?;
            Some(Node::root(number, place, patterns))
        };
        places.iter().filter_map(root).collect()
    }

    /// Returns `true` if the goal does not distinguish the two positions.
    pub(super) fn sees_the_same(&self, one: &Cube, other: &Cube) -> bool {
        let is_same = |labels: &Labels, place: &GoalVariant| {
            labels.pattern(&place.normalize(one)) == labels.pattern(&place.normalize(other))
        };
        self.goal
            .places
            .iter()
            .all(|place| self.labels.iter().all(|labels| is_same(labels, place)))
    }

    /// Returns the reason why the goal is unreachable from `position`.
    pub(super) fn unreachable_reason(&self, position: &Cube) -> String {
        let turns = self.turns.to_string();
        for place in &self.goal.places {
            let seen = place.normalize(position);
            let effects = self.sequences.effects(&[place.rotation]);
            let pieces = PieceKind::BOTH
                .into_iter()
                .flat_map(|kind| (0..kind.count()).map(move |piece| (kind, piece)));
            for (kind, piece) in
                pieces.filter(|&(kind, piece)| !self.goal.mask.ignores(kind, piece))
            {
                let coordinate = [Coordinate::from_piece(
                    &self.goal.mask,
                    kind,
                    piece,
                    &FaceEffect::moves(&effects),
                )];
                let bounds = PatternDatabase::over(&coordinate, &effects, &Control::default());
                let is_lost =
                    |bounds: &PatternDatabase, number| bounds.least(&[number]) == UNREACHABLE;
                let are_lost = |number| {
                    bounds
                        .iter()
                        .flatten()
                        .any(|bounds| is_lost(bounds, number))
                };
                if coordinate[0].rank(&seen).is_none_or(are_lost) {
                    let maps = place.rotation.inverse().maps();
                    let own = [maps.corners.get(piece), maps.edges.get(piece)][kind as usize]
                        .copied()
                        .unwrap_or_default();
                    let (own, _) = kind.slot(usize::from(own)).cubie(&place.target);
                    let name = piece_name(kind, own.number());
                    return format!("no sequence of {turns} solves {name} as the goal requires");
                }
            }
        }
        let lost = |(kind, _): &(PieceKind, &str)| {
            self.goal.places.iter().all(|place| {
                let reach = Reachability::new(&self.turns, &place.mask(&self.goal.mask), &[*kind]);
                reach.is_some_and(|reach| {
                    !reach.is_reachable(&place.target.inverse().compose(position))
                })
            })
        };
        let kinds = [
            (PieceKind::Corners, "all corners"),
            (PieceKind::Edges, "all edges"),
        ];
        let all = kinds
            .into_iter()
            .find(lost)
            .map_or("all pieces", |(_, all)| all);
        format!("no sequence of {turns} solves {all} together as the goal requires")
    }
}

impl<'a> GoalSearch<'a> {
    /// Finds all cheapest solutions, or all solutions within the [slack](Self::slack).
    #[must_use]
    pub fn all(self) -> GoalSearch<'a> {
        GoalSearch {
            count: SolutionCount::All,
            ..self
        }
    }

    /// Finds up to `count` solutions, in order of increasing cost.
    ///
    /// A solution that reaches several variants of the goal is reported once for each; the last one
    /// may be reported for only some of its variants.
    ///
    /// # Panics
    ///
    /// Panics if `count` is zero.
    #[must_use]
    pub fn count(self, count: usize) -> GoalSearch<'a> {
        let count = NonZeroUsize::new(count).expect("a search is for at least one solution");
        GoalSearch {
            count: SolutionCount::AtMost(count),
            ..self
        }
    }

    /// Sets how many solutions to find.
    #[must_use]
    pub fn solution_count(self, count: SolutionCount) -> GoalSearch<'a> {
        GoalSearch { count, ..self }
    }

    /// Also finds solutions whose cost exceeds the minimum by at most `slack`. Default: 0.
    #[must_use]
    pub fn slack(self, slack: u32) -> GoalSearch<'a> {
        GoalSearch { slack, ..self }
    }

    /// Ignores solutions that cost more than `most`. Default: no limit.
    #[must_use]
    pub fn max_cost(self, most: u32) -> GoalSearch<'a> {
        GoalSearch {
            most: Some(most),
            ..self
        }
    }

    /// Requires solutions to begin with `turns`. See [Constraints](#constraints).
    #[must_use]
    pub fn starts_with(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words.prefix = turns.to_vec();
        self
    }

    /// Requires solutions to end with `turns`. See [Constraints](#constraints).
    #[must_use]
    pub fn ends_with(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words.suffix = turns.to_vec();
        self
    }

    /// Excludes solutions that contain `turns` as consecutive turns. Call repeatedly to exclude
    /// several sequences. See [Constraints](#constraints).
    #[must_use]
    pub fn avoid(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words
            .forbidden
            .extend((!turns.is_empty()).then(|| turns.to_vec()));
        self
    }

    /// Reports one solution, the easiest to execute, of each class that is equivalent under
    /// symmetry.
    ///
    /// A symmetry counts if it preserves the allowed turns with their costs, the goal, and the
    /// constrained pieces of the position.
    #[must_use]
    pub fn dedup_symmetric(self) -> GoalSearch<'a> {
        GoalSearch {
            dedup_symmetric: true,
            ..self
        }
    }

    /// Reports one solution of each inverse pair, if the goal is a single position.
    ///
    /// Combined with [`dedup_symmetric`](Self::dedup_symmetric), the inverse of a solution may also
    /// be transformed by a symmetry.
    #[must_use]
    pub fn dedup_inverse(self) -> GoalSearch<'a> {
        GoalSearch {
            dedup_inverse: true,
            ..self
        }
    }

    /// Sets the number of threads. Default: that of the solver.
    #[must_use]
    pub fn threads(self, threads: ThreadCount) -> GoalSearch<'a> {
        GoalSearch {
            control: self.control.with_threads(threads),
            ..self
        }
    }

    /// Stops the search within milliseconds after `cancel` is triggered. The report holds the
    /// solutions found by then.
    #[must_use]
    pub fn with_cancel(self, cancel: &Cancel) -> GoalSearch<'a> {
        GoalSearch {
            control: self.control.with_cancel(cancel),
            ..self
        }
    }

    /// Takes the number of threads and the cancellation token from a [`Control`], which also
    /// receives the progress of building the pattern databases, if the search has to build them.
    #[must_use]
    pub fn control(self, control: &Control<'a>) -> GoalSearch<'a> {
        GoalSearch {
            control: control.clone(),
            ..self
        }
    }

    /// Calls `on_event` for each iteration, from any thread.
    #[must_use]
    pub fn on_event(self, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> GoalSearch<'a> {
        GoalSearch { on_event, ..self }
    }

    /// Calls `on_solution` for each solution as soon as it is found, from any thread.
    #[must_use]
    pub fn on_solution(self, on_solution: &'a (dyn Fn(&GoalSolution) + Sync)) -> GoalSearch<'a> {
        GoalSearch {
            on_solution,
            ..self
        }
    }

    /// Runs the search.
    ///
    /// With one thread the result is deterministic. With several, the costs and the set of all
    /// solutions are; the order in which solutions are found, and hence the choice among equally
    /// cheap ones, is not.
    pub fn run(self) -> GoalReport {
        let start = Instant::now();
        let report = self.under_conditions(|conditions| {
            self.without_databases(conditions)
                .unwrap_or_else(|| self.with_databases(conditions))
        });
        GoalReport {
            elapsed: start.elapsed(),
            ..report
        }
    }

    /// Runs `search` under the conditions that the options define.
    pub(super) fn under_conditions<T>(&self, search: impl FnOnce(Conditions<'_>) -> T) -> T {
        let reading = (!self.words.is_empty())
            .then(|| ConstraintAutomaton::new(&self.words, &self.solver.sequences));
        let alike = (self.dedup_symmetric || self.dedup_inverse).then(|| {
            SolutionDedup::new(
                self.solver,
                reading.as_ref(),
                &self.position,
                self.dedup_symmetric,
                self.dedup_inverse,
            )
        });
        search(Conditions {
            reading: reading.as_ref(),
            alike: alike.as_ref(),
        })
    }

    /// Returns the reason why there is no solution.
    pub(super) fn reason(&self, is_reachable: bool, conditions: Conditions<'_>) -> String {
        match is_reachable && conditions.reading.is_some() {
            true => self.words.reason(&self.solver.sequences.turns),
            false => self.solver.unreachable_reason(&self.position),
        }
    }
}

/// Conditions on solutions, in addition to reaching the goal.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    /// Required prefix and suffix, and forbidden sequences.
    pub reading: Option<&'a ConstraintAutomaton<'a>>,
    /// Equivalence under which only one solution of a class is reported.
    pub alike: Option<&'a SolutionDedup<'a>>,
}

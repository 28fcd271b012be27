//! Goal solvers: a goal and a set of turns, with the pattern databases that all searches share.

use super::coordinate::Labels;
use super::definition::{Goal, GoalVariant, Mask, PieceKind, named_piece};
use super::heuristic::{DatabaseBound, FullCubeBound, GoalHeuristic, GoalNode};
use super::pattern_database::{Databases, UNREACHABLE};
use super::reachability::Reachability;
use super::turns::{FaceEffect, RunAutomaton, TurnSet};
use crate::Table;
use crate::control::{CancelReason, Control, ThreadCount, lock_unless_cancelled};
use crate::cube::{Cube, Slot, Symmetry, listed};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};

/// A solver for one goal with one set of allowed turns; see [`GoalSearch`](super::GoalSearch).
///
/// The solver owns the pattern databases, once they are built, and shares them among its searches.
pub struct GoalSolver {
    goal: Goal,
    turns: TurnSet,
    pub(super) sequences: RunAutomaton,
    pub(super) effects: Vec<FaceEffect>,
    /// The labels of corners and of edges that the goal distinguishes.
    pub(super) labels: [Labels; 2],
    /// `true` if several positions form the goal together; other variants are separate goals.
    pub(super) are_positions: bool,
    /// Reachability of each variant; `None` for a variant that the turns reach from everywhere.
    reachability: OnceLock<Vec<Option<Reachability>>>,
    pub(super) databases: OnceLock<Databases>,
    /// Locked by the thread that builds the databases.
    building: Mutex<()>,
    /// Total work of all searches without databases.
    pub(super) work_without_databases: AtomicU64,
    /// Lower bound from a table of the main engine, if the goal is the whole cube.
    full_cube: Option<FullCubeBound>,
    pub(super) threads: ThreadCount,
}

/// The error if building the pattern databases of a [`GoalSolver`] is cancelled or times out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} before the pattern databases of the goal were complete", cause(.0))]
pub struct BuildCancelled(pub CancelReason);

/// Returns the reason why work was cancelled. Panics if it was not.
pub(super) fn cancel_reason(control: &Control<'_>) -> CancelReason {
    let reason = control.cancel_token().reason();
    reason.expect("only a request ends it")
}

fn cause(reason: &CancelReason) -> &'static str {
    match reason {
        CancelReason::Requested => "cancelled",
        CancelReason::TimedOut => "the time limit was reached",
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
        let rotations = goal.variants.iter().map(|variant| variant.rotation);
        let rotations: Vec<Symmetry> = rotations.collect();
        GoalSolver {
            effects: sequences.effects(&rotations),
            sequences,
            labels: PieceKind::BOTH.map(|kind| Labels::from_mask(&goal.mask, kind)),
            are_positions: goal.is_full_cube() && goal.variants.len() > 1,
            reachability: OnceLock::new(),
            databases: OnceLock::new(),
            building: Mutex::new(()),
            work_without_databases: AtomicU64::new(0),
            full_cube: None,
            threads,
            goal: goal.clone(),
            turns: turns.clone(),
        }
    }

    /// Adds a pruning table of the main engine, which strengthens the lower bound if the goal is
    /// the whole cube: the table's bound in face turns, times the minimum cost per face turn. Has
    /// no effect for other goals.
    #[must_use]
    pub fn with_table(mut self, table: Arc<Table>) -> GoalSolver {
        if self.goal.is_full_cube() {
            self.full_cube = Some(FullCubeBound::new(table, &self.sequences.turns));
        }
        self
    }

    /// Returns the allowed turns.
    pub fn turns(&self) -> &TurnSet {
        &self.turns
    }

    /// Returns the goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns an admissible lower bound on the cost from `position` to the goal, or `None` if the
    /// goal is unreachable. The bound is exact if one pattern database covers all constrained
    /// pieces. Builds the databases if necessary.
    pub fn lower_bound(&self, position: &Cube) -> Option<u32> {
        let databases = self
            .databases(&Control::new(self.threads))
            .expect("nothing cancels it");
        let roots = self.roots(&self.reachable_variants(position), databases, position);
        self.root_bound(&self.database_bound(databases), &roots, position)
    }

    pub(super) fn database_bound<'a>(&'a self, databases: &'a Databases) -> DatabaseBound<'a> {
        DatabaseBound {
            databases,
            full_cube: self.full_cube.as_ref(),
        }
    }

    /// Returns the minimum bound of the root nodes of a search; `None` if the goal is unreachable
    /// from all of them.
    pub(super) fn root_bound(
        &self,
        heuristic: &impl GoalHeuristic,
        roots: &[GoalNode],
        position: &Cube,
    ) -> Option<u32> {
        let bound =
            |node: &GoalNode| heuristic.root_bound(node, &self.variant(node).normalize(position));
        roots.iter().filter_map(bound).min()
    }

    /// Returns the variant of the goal that a node leads to.
    pub(super) fn variant(&self, node: &GoalNode) -> &GoalVariant {
        &self.goal.variants[usize::from(node.variant)]
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
        let cancelled = || BuildCancelled(cancel_reason(control));
        // Another thread may be building them.
        let _building =
            lock_unless_cancelled(&self.building, control, || {}).ok_or_else(cancelled)?;
        if self.databases.get().is_none() {
            let databases =
                Databases::build(&self.goal.mask, &self.effects, control).ok_or_else(cancelled)?;
            self.databases.get_or_init(|| databases);
        }
        Ok(self.databases.get().expect("they are built"))
    }

    /// Returns the indices of the variants, without those that the group of the turns shows to be
    /// unreachable. The others may still be unreachable.
    pub(super) fn reachable_variants(&self, position: &Cube) -> Vec<usize> {
        let reachability_of = |variant| self.reachability_of(variant, &PieceKind::BOTH);
        let variants = self.goal.variants.iter();
        let reachability = self
            .reachability
            .get_or_init(|| variants.map(reachability_of).collect());
        let is_reachable = |&number: &usize| {
            let relative = self.goal.variants[number].relative(position);
            let reachability = reachability[number].as_ref();
            reachability.is_none_or(|known| known.is_reachable(&relative))
        };
        (0..self.goal.variants.len()).filter(is_reachable).collect()
    }

    fn reachability_of(&self, variant: &GoalVariant, kinds: &[PieceKind]) -> Option<Reachability> {
        Reachability::new(&self.turns, &variant.mask(&self.goal.mask), kinds)
    }

    /// Returns the root nodes of a search for these variants, without those whose patterns are
    /// unreachable.
    pub(super) fn roots(
        &self,
        variants: &[usize],
        databases: &Databases,
        position: &Cube,
    ) -> Vec<GoalNode> {
        let root = |&number: &usize| {
            let variant = &self.goal.variants[number];
            let patterns = databases.patterns(&variant.normalize(position))?;
            Some(GoalNode::root(number, variant, patterns))
        };
        variants.iter().filter_map(root).collect()
    }

    /// Returns `true` if the goal does not distinguish the two positions.
    pub(super) fn are_indistinguishable(&self, one: &Cube, other: &Cube) -> bool {
        self.goal.variants.iter().all(|variant| {
            let mut kinds = self.labels.iter();
            kinds.all(|labels| {
                labels.pattern(&variant.normalize(one)) == labels.pattern(&variant.normalize(other))
            })
        })
    }

    /// Returns the reason why the goal is unreachable from `position`.
    pub(super) fn unreachable_reason(&self, position: &Cube) -> String {
        let turns = listed(&self.turns.names());
        let requirement = match self.goal.target() {
            Some(Cube::SOLVED) => "",
            _ => " as the goal requires",
        };
        let mut variants = self.goal.variants.iter();
        if let Some(piece) = variants.find_map(|variant| self.unsolvable_piece(variant, position)) {
            return format!("{turns} alone cannot solve {piece}{requirement}");
        }
        let kinds = [
            (PieceKind::Corners, "all corners"),
            (PieceKind::Edges, "all edges"),
        ];
        let unsolvable = kinds.iter().find(|(kind, _)| {
            self.goal.variants.iter().all(|variant| {
                self.reachability_of(variant, &[*kind])
                    .is_some_and(|known| !known.is_reachable(&variant.relative(position)))
            })
        });
        let pieces = unsolvable.map_or("all pieces", |(_, pieces)| pieces);
        format!("{turns} alone cannot solve {pieces} together{requirement}")
    }

    /// Returns the name of the first piece that the turns do not solve even alone, if there is one.
    fn unsolvable_piece(&self, variant: &GoalVariant, position: &Cube) -> Option<String> {
        let mask = &self.goal.mask;
        let normalized = variant.normalize(position);
        let effects = self.sequences.effects(&[variant.rotation]);
        let is_unsolvable = |&piece: &Slot| {
            let mut alone = Mask::all();
            alone.restrict(piece, |slot| mask.allowed(piece, slot));
            let databases = Databases::build(&alone, &effects, &Control::default());
            let databases = databases.expect("nothing cancels it");
            let patterns = databases.patterns(&normalized);
            patterns.is_none_or(|patterns| databases.bound(&patterns) == UNREACHABLE)
        };
        let piece = Slot::all()
            .filter(|&piece| !mask.ignores(piece))
            .find(is_unsolvable)?;
        let (slots, _) = PieceKind::of(piece).images(variant.rotation.inverse());
        let slot = piece.with_number(slots[piece.number()].into());
        Some(named_piece(slot.cubie(&variant.target).0))
    }
}

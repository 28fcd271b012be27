//! Solvers of one step: all its solutions with a given number of moves, on one side or on both,
//! proven complete.
//!
//! Moves on the inverse of a scramble are equivalent to moves on it: if N is done on the scramble S
//! and I on its inverse, the resulting position is I⁻¹·S·N. A reduction is a subgroup, so it holds
//! on both sides or on neither. Let H be the subgroup of the reduction before a step. The step uses
//! the turns that preserve this reduction, which generate H, until it reaches a smaller subgroup
//! H'.
//!
//! # Distinct solutions
//!
//! If N leads to H', so does N·h for any h of H'. One of these sequences is a solution of the step;
//! the others are this solution followed by the beginning of the next step:
//!
//! - A solution cannot be shortened at the end: no proper prefix of it reaches H'. (A prefix is a
//!   prefix on each side, in any order of commuting turns.) The last turns of a solution are
//!   therefore quarter turns, because every H' contains all half turns.
//! - The direction of these last quarter turns does not matter: `F'` is `F` followed by `F2`.
//!   Solutions that differ only in it are counted once, with clockwise turns, as competitors and
//!   nissy count them. The steps that follow are searched after each direction
//!   ([`StepSolution::in_all_directions`]).
//!
//! With these rules, moves of different steps need never cancel. Let a step end on one side with a
//! quarter turn of a face, and a later step continue there with a turn of the same face: a half
//! turn, as a quarter turn does not preserve the earlier step's reduction. Together they are the
//! other quarter turn. The same skeleton therefore has the earlier step in the other direction, and
//! the later step with one move less. Nor does a last turn of N undo a last turn of I in N·I⁻¹ if
//! they are of different steps: the later step would have made the turn that ends the earlier step,
//! but this turn does not preserve the earlier step's reduction. So the shortest skeletons are
//! among those whose total is the sum of the moves of their steps.

use crate::notation::{NissMoves, NissSide, last_run};
use crate::reduction::{Reduction, StepKind, joint_goal};
use crate::step::{NissMode, PipelineStep, directions};
use cosette::control::lock_unless_cancelled;
use cosette::cube::{Axis, Cube, Face, Move, MoveSet, Symmetry, Turn, canonical};
use cosette::goal::{GoalSolution, GoalSolver, TurnMetric, TurnSet};
use cosette::{Cancel, Control, ThreadCount};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// The point of an attempt at which a step starts.
#[derive(Clone, Copy, Debug)]
pub struct StepStart {
    pub position: Cube,
    /// The reduction that the step preserves.
    pub reduction: Reduction,
    /// The side of the last moves.
    pub side: NissSide,
}

/// A solution of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSolution {
    pub moves: NissMoves,
    /// The reduction that the moves reach.
    pub reduction: Reduction,
}

impl StepSolution {
    /// Returns the solution with each direction of its last quarter turns, on both sides.
    pub fn in_all_directions(&self) -> Vec<StepSolution> {
        let mut solutions = Vec::new();
        let on_inverse = directions(&self.moves.inverse);
        for normal in directions(&self.moves.normal) {
            for inverse in &on_inverse {
                let moves = NissMoves {
                    normal: normal.clone(),
                    inverse: inverse.clone(),
                };
                solutions.push(StepSolution { moves, ..*self });
            }
        }
        solutions
    }
}

/// Error of a search that was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancellation;

/// The solvers of steps, created on demand.
#[derive(Default)]
pub struct StepSolvers {
    /// A few megabytes each; there are about twenty.
    solvers: RwLock<Vec<(SolverKey, Arc<GoalSolver>)>>,
    /// Held by the thread that creates a solver.
    creation: Mutex<()>,
}

/// The steps that share a solver.
#[derive(Clone, PartialEq, Eq)]
struct SolverKey {
    /// The reduction that the steps preserve, on the canonical axis.
    before: Reduction,
    /// The reductions of which the steps reach one.
    after: Vec<Reduction>,
}

impl SolverKey {
    /// Returns the key of a step after a reduction; `None` if the step has no axis left.
    fn new(before: Reduction, step: &PipelineStep) -> Option<SolverKey> {
        let (canonical, rotation) = before.canonical();
        let reduction = |axis| step.kind.reduction(rotation.axis(axis));
        let mut after: Vec<Reduction> = step.axes_after(before).map(reduction).collect();
        after.sort_unstable();
        after.dedup();
        (!after.is_empty()).then_some(SolverKey {
            before: canonical,
            after,
        })
    }

    fn turns(&self) -> TurnSet {
        let name = |m: &Move| match m.turn() {
            // `R` without `+` would be all turns of the face.
            Turn::Clockwise => format!("{m}+"),
            _ => m.to_string(),
        };
        let names: Vec<String> = self.before.turns().iter().map(name).collect();
        TurnSet::parse(&names.join(" "), TurnMetric::Htm, "")
            .unwrap_or_else(|error| unreachable!("turns of faces cost one: {error}"))
    }
}

impl StepSolvers {
    /// Returns a lower bound on the number of moves of a step; `None` if the step cannot be
    /// reached.
    ///
    /// # Errors
    ///
    /// Returns [`Cancellation`] if `control` is cancelled.
    pub fn lower_bound(
        &self,
        start: &StepStart,
        step: &PipelineStep,
        control: &Control<'_>,
    ) -> Result<Option<u32>, Cancellation> {
        let Some(solver) = self.solver(start.reduction, step, control)? else {
            return Ok(None);
        };
        let (_, rotation) = start.reduction.canonical();
        let position = start.position.conjugate(rotation);
        let bound = solver.lower_bound(&position);
        // The inverse of a solution of a position solves the inverse position, so a finish on the
        // inverse is not shorter.
        if step.kind == StepKind::Finish {
            return Ok(bound);
        }
        let on_inverse = solver.lower_bound(&position.inverse());
        let bound = bound.into_iter().chain(on_inverse).min();
        Ok(match step.niss {
            // A solution with moves on both sides may be shorter than on either side alone.
            Some(NissMode::Mixed) => bound.map(|bound| bound.min(1)),
            _ => bound,
        })
    }

    /// Returns all solutions of exactly `length` moves; `None` if there is no solution of `length`
    /// or more moves.
    ///
    /// # Errors
    ///
    /// Returns [`Cancellation`] if `control` is cancelled.
    pub fn solutions(
        &self,
        start: &StepStart,
        step: &PipelineStep,
        length: u32,
        control: &Control<'_>,
    ) -> Result<Option<Vec<StepSolution>>, Cancellation> {
        // If the step already holds on all its axes, its only solution has no moves.
        let holds = |axis| step.kind.reduction(axis).holds(&start.position);
        if length > 0 && step.axes_after(start.reduction).all(holds) {
            return Ok(None);
        }
        let Some(solver) = self.solver(start.reduction, step, control)? else {
            return Ok(None);
        };
        let (_, rotation) = start.reduction.canonical();
        let search = StepSearch {
            solver: &solver,
            before: start.reduction,
            kind: step.kind,
            rotation,
            cancel: control.cancel_token(),
        };
        // A solution of the whole cube may be split between the sides at any point, so one side is
        // enough.
        let niss = match step.kind {
            StepKind::Finish => NissMode::None,
            _ => step.niss.unwrap_or_default(),
        };
        // Without moves, both sides are the same.
        let may_change_side = niss != NissMode::None && length > 0;
        let mut solutions = Vec::new();
        for side in NissSide::BOTH {
            if side == start.side || may_change_side {
                solutions.extend(search.on_side(side, &start.position, length)?);
            }
        }
        if niss == NissMode::Mixed {
            solutions.extend(search.on_both_sides(&start.position, length)?);
        }
        if !step.triggers.is_empty() {
            solutions.retain(|solution| {
                step.ends_with_trigger(&solution.moves, start.reduction, solution.reduction)
            });
        }
        Ok(Some(solutions))
    }

    /// Returns the solver of a step, created if necessary; `None` if the step has no axis left.
    fn solver(
        &self,
        before: Reduction,
        step: &PipelineStep,
        control: &Control<'_>,
    ) -> Result<Option<Arc<GoalSolver>>, Cancellation> {
        let Some(key) = SolverKey::new(before, step) else {
            return Ok(None);
        };
        if let Some(solver) = self.created(&key) {
            return Ok(Some(solver));
        }
        let _creation =
            lock_unless_cancelled(&self.creation, control, || {}).ok_or(Cancellation)?;
        if let Some(solver) = self.created(&key) {
            return Ok(Some(solver));
        }
        let solver = GoalSolver::new(&joint_goal(&key.after), &key.turns(), control);
        let solver = Arc::new(solver.map_err(|_| Cancellation)?);
        self.solvers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push((key, solver.clone()));
        Ok(Some(solver))
    }

    /// Returns the solver of this key, if it has been created.
    fn created(&self, key: &SolverKey) -> Option<Arc<GoalSolver>> {
        let solvers = self.solvers.read().unwrap_or_else(PoisonError::into_inner);
        let mut solvers = solvers.iter();
        solvers
            .find(|(other, _)| other == key)
            .map(|(_, solver)| solver.clone())
    }
}

/// A search for solutions of one step.
struct StepSearch<'a> {
    solver: &'a GoalSolver,
    before: Reduction,
    kind: StepKind,
    /// The rotation to the canonical axis.
    rotation: Symmetry,
    cancel: &'a Cancel,
}

impl StepSearch<'_> {
    /// Returns the solutions of `length` moves on one side.
    fn on_side(
        &self,
        side: NissSide,
        position: &Cube,
        length: u32,
    ) -> Result<Vec<StepSolution>, Cancellation> {
        let position = match side {
            NissSide::Normal => *position,
            NissSide::Inverse => position.inverse(),
        };
        let search = self.solver.search(&position.conjugate(self.rotation));
        let report = search
            .all()
            .slack(u32::MAX)
            .max_cost(length)
            .threads(ThreadCount::ONE)
            .with_cancel(self.cancel)
            .run();
        if self.cancel.is_cancelled() {
            return Err(Cancellation);
        }
        let solutions = report.solutions.iter();
        Ok(solutions
            .filter(|solution| solution.cost == length)
            .map(|solution| self.step_solution(side, solution))
            .filter(|solution| self.ends_clockwise(&solution.moves[side]))
            .collect())
    }

    /// Maps a solution on the canonical axis to the original axis.
    fn step_solution(&self, side: NissSide, solution: &GoalSolution) -> StepSolution {
        let back = self.rotation.inverse();
        let moves: Vec<Move> = solution
            .moves()
            .into_iter()
            .map(|m| back.conjugate_move(m))
            .collect();
        // The variant of a goal on an axis ends with a letter of a face; other goals have no axis.
        let letter = solution.variant.chars().last();
        let face = Face::ALL
            .into_iter()
            .find(|face| Some(face.letter()) == letter);
        let axis = face.map_or(Axis::Ud, |face| back.face(face).axis());
        StepSolution {
            // The rotation may change the order of opposite faces.
            moves: NissMoves::on(side, canonical(&moves)),
            reduction: self.kind.reduction(axis),
        }
    }

    /// Returns `true` if no last turn is counterclockwise, or if the step is a finish, in which the
    /// direction matters.
    fn ends_clockwise(&self, moves: &[Move]) -> bool {
        let is_clockwise = |m: &Move| m.turn() != Turn::Counterclockwise;
        self.kind == StepKind::Finish || last_run(moves).iter().all(is_clockwise)
    }

    /// Returns the solutions of `length` moves with moves on both sides: for each sequence on one
    /// side, the solutions on the other side.
    fn on_both_sides(
        &self,
        position: &Cube,
        length: u32,
    ) -> Result<Vec<StepSolution>, Cancellation> {
        let turns = self.before.turns();
        let mut solutions = Vec::new();
        for shorter in 1..=length / 2 {
            // With equally many moves on each side, trying the sequences of one side is enough.
            let sides = match shorter * 2 == length {
                true => &NissSide::BOTH[1..],
                false => &NissSide::BOTH,
            };
            for &side in sides {
                let sequences = sequences(&turns, shorter as usize);
                let ends_clockwise =
                    |moves: &Vec<Move>| last_run(moves).iter().all(|m| m.turn() == Turn::Clockwise);
                for moves in sequences.filter(ends_clockwise) {
                    let after = side.apply(position, &moves);
                    for mut solution in self.on_side(side.other(), &after, length - shorter)? {
                        solution.moves[side] = moves.clone();
                        if !is_reached_earlier(position, &solution) {
                            solutions.push(solution);
                        }
                    }
                }
            }
        }
        Ok(solutions)
    }
}

/// Returns `true` if a proper prefix of the moves on both sides reaches the same reduction.
fn is_reached_earlier(position: &Cube, solution: &StepSolution) -> bool {
    let StepSolution { moves, reduction } = solution;
    let on_inverse = prefixes(&moves.inverse);
    prefixes(&moves.normal).iter().any(|normal| {
        let after = NissSide::Normal.apply(position, normal);
        on_inverse.iter().any(|inverse| {
            let is_proper = (normal, inverse) != (&moves.normal, &moves.inverse);
            is_proper && reduction.holds(&NissSide::Inverse.apply(&after, inverse))
        })
    })
}

/// Returns all prefixes of a canonical sequence, in any order of commuting turns. They include the
/// empty sequence and the whole sequence.
fn prefixes(moves: &[Move]) -> Vec<Vec<Move>> {
    let mut prefixes: Vec<Vec<Move>> = (0..=moves.len())
        .map(|length| moves[..length].to_vec())
        .collect();
    for (index, pair) in moves.windows(2).enumerate() {
        if pair[0].face().axis() == pair[1].face().axis() {
            prefixes.push([&moves[..index], &pair[1..]].concat());
        }
    }
    prefixes
}

/// Returns all canonical sequences of `length` turns from `turns`, lazily.
fn sequences(turns: &[Move], length: usize) -> impl Iterator<Item = Vec<Move>> + '_ {
    let mut stack = vec![Vec::new()];
    std::iter::from_fn(move || {
        loop {
            let moves: Vec<Move> = stack.pop()?;
            if moves.len() == length {
                return Some(moves);
            }
            let may_follow = MoveSet::after(moves.last().copied());
            let next = turns.iter().rev().filter(|&&m| may_follow.contains(m));
            stack.extend(next.map(|&m| [&moves[..], &[m]].concat()));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Pipeline;
    use crate::testing::reduction;
    use cosette::cube::{DisplayMoves, random_walks};
    use std::collections::BTreeSet;

    /// A set of solutions.
    type SolutionSet = BTreeSet<(NissMoves, Reduction)>;

    fn listed(
        solvers: &StepSolvers,
        start: &StepStart,
        step: &PipelineStep,
        length: u32,
    ) -> SolutionSet {
        let solutions = solvers.solutions(start, step, length, &Control::default());
        let solutions = solutions.unwrap().unwrap();
        let count = solutions.len();
        let listed: SolutionSet = solutions
            .into_iter()
            .map(|solution| (solution.moves, solution.reduction))
            .collect();
        assert_eq!(listed.len(), count, "a solution is listed twice");
        listed
    }

    /// Returns all orders of the commuting turns of a sequence.
    fn orders(moves: &[Move]) -> Vec<Vec<Move>> {
        let mut all = vec![moves.to_vec()];
        for i in 1..moves.len() {
            if moves[i - 1].face() == moves[i].face().opposite() {
                let mut swapped = all.clone();
                swapped.iter_mut().for_each(|moves| moves.swap(i - 1, i));
                all.extend(swapped);
            }
        }
        all
    }

    /// Returns `true` if no proper prefix of the moves, in any order of commuting turns, reaches
    /// the reduction.
    fn is_minimal(position: &Cube, reduction: Reduction, moves: &NissMoves) -> bool {
        let is_reached = |normal: &[Move], inverse: &[Move]| {
            let after = NissSide::Normal.apply(position, normal);
            reduction.holds(&NissSide::Inverse.apply(&after, inverse))
        };
        orders(&moves.normal).iter().all(|n| {
            orders(&moves.inverse).iter().all(|i| {
                (0..=n.len()).all(|a| {
                    (0..=i.len()).all(|b| a + b == moves.count() || !is_reached(&n[..a], &i[..b]))
                })
            })
        })
    }

    /// Reference implementation by brute force: all sequences of these numbers of moves on each
    /// side that do not reach the reduction earlier in any order of commuting turns, and that do
    /// not end in a counterclockwise turn.
    fn tried(start: &StepStart, ends: &[Reduction], counts: &[(usize, usize)]) -> SolutionSet {
        let turns = start.reduction.turns();
        let is_canonical = |moves: &Vec<Move>| {
            let last = |m: &Move| m.turn() != Turn::Counterclockwise;
            orders(moves)
                .iter()
                .all(|moves| moves.last().is_none_or(last))
        };
        let all = |length| sequences(&turns, length).filter(is_canonical);
        let mut tried = SolutionSet::new();
        for &(on_normal, on_inverse) in counts {
            for normal in all(on_normal) {
                for inverse in all(on_inverse) {
                    let normal = normal.clone();
                    let moves = NissMoves { normal, inverse };
                    let after = moves.apply(&start.position);
                    for &end in ends.iter().filter(|end| end.holds(&after)) {
                        if is_minimal(&start.position, end, &moves) {
                            tried.insert((moves.clone(), end));
                        }
                    }
                }
            }
        }
        tried
    }

    /// Returns the numbers of moves on each side that the step allows for `length` moves in all.
    fn splits(step: &PipelineStep, length: usize) -> Vec<(usize, usize)> {
        match step.niss {
            Some(NissMode::Mixed) => (0..=length).map(|n| (n, length - n)).collect(),
            Some(NissMode::None) => vec![(length, 0)],
            _ => vec![(length, 0), (0, length)],
        }
    }

    #[test]
    fn all_solutions_are_listed() {
        let solvers = StepSolvers::default();
        let walks = random_walks(44, 25).take(2);
        let walks: Vec<String> = walks
            .map(|moves| DisplayMoves(&moves).to_string())
            .collect();
        let mut count = 0;
        for (moves, before, text, max) in [
            (&walks[0][..], Reduction::Nothing, "eo", 4),
            (&walks[1], Reduction::Nothing, "eo", 4),
            (&walks[0], Reduction::Nothing, "eo[niss=mixed]", 3),
            (&walks[0], Reduction::Nothing, "eo:RL[niss=none]", 3),
            // Domino reductions with the turns that preserve edge orientation on RL.
            (
                "F U2 F2 D R2 U' L2 B D F'",
                reduction("eo:RL"),
                "dr[niss=mixed]",
                4,
            ),
            ("F U' B2 D L2", reduction("eo:RL"), "dr[niss=mixed]", 4),
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            let step = &pipeline.stages[0].step;
            let start = StepStart {
                position: moves.parse().unwrap(),
                reduction: before,
                side: NissSide::Normal,
            };
            assert!(before.holds(&start.position), "{moves}");
            let ends = step
                .axes_after(before)
                .map(|axis| step.kind.reduction(axis));
            let ends: Vec<Reduction> = ends.collect();
            for length in 0..=max {
                let listed = listed(&solvers, &start, step, length as u32);
                let tried = tried(&start, &ends, &splits(step, length));
                assert_eq!(listed, tried, "{text}: {length}");
                count += listed.len();
            }
        }
        assert!(count > 36, "{count}");
    }
}

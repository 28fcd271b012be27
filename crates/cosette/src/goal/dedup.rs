//! Equivalence of solutions under symmetry and inversion: one solution of each class is retained.
//!
//! A symmetry s maps a solution m of the position p to a solution of s⁻¹·p·s. If it preserves the
//! turns with their costs, the variants of the goal, and the constrained pieces of p, the image is
//! a solution of p as well. If p·m is a single position t, only t⁻¹·p matters for the goal. The
//! inverse of m then is a solution of the inverse of t⁻¹·p: if that equals t⁻¹·p, or its image
//! under a symmetry that preserves the turns, the inverse of m or its image is a solution.
//!
//! The representative is the image with the fewest quarter turns, then the easiest to execute, then
//! the one that does less in its first runs, so it does not depend on the order in which the images
//! are found.

use super::constraints::ConstraintAutomaton;
use super::ergonomics::execution_cost;
use super::search::GoalSolver;
use super::turns::{AxisRun, runs_of};
use crate::cube::{Cube, LayerTurn, Sequence, Symmetry};

/// The symmetries under which two solutions of a position count as the same.
pub(super) struct SolutionDedup<'a> {
    solver: &'a GoalSolver,
    reading: Option<&'a ConstraintAutomaton<'a>>,
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
        reading: Option<&'a ConstraintAutomaton<'a>>,
        position: &Cube,
        by_symmetry: bool,
        by_inverse: bool,
    ) -> SolutionDedup<'a> {
        let turns = solver.turns().allowed();
        let keeps_turns = |s: Symmetry| {
            turns
                .iter()
                .all(|&(turn, cost)| turns.contains(&(turn.conjugate(s), cost)))
        };
        let relative = solver
            .goal()
            .target()
            .map(|target| target.inverse().compose(position));
        let keeps = |s: &Symmetry| {
            *s == Symmetry::IDENTITY
                || match relative {
                    Some(relative) => relative.conjugate(*s) == relative,
                    None => {
                        solver.goal().is_kept_by(*s)
                            && solver.sees_the_same(position, &position.conjugate(*s))
                    }
                }
        };
        let kept: Vec<Symmetry> = match by_symmetry {
            true => Symmetry::all().filter(|&s| keeps_turns(s)).collect(),
            false => vec![Symmetry::IDENTITY],
        };
        let of_inverses = if by_inverse && relative.is_some() {
            kept.clone()
        } else {
            Vec::new()
        };
        SolutionDedup {
            solver,
            reading,
            symmetries: kept.into_iter().filter(keeps).collect(),
            of_inverses,
            relative,
        }
    }

    /// Returns `true` if this solution, as reported, is the representative of its class.
    pub fn is_representative(&self, turns: &[LayerTurn], cost: u32) -> bool {
        let images = self
            .symmetries
            .iter()
            .map(|&s| turns.iter().map(|turn| turn.conjugate(s)).collect());
        let inverses = self.of_inverses.iter().map(|&s| {
            turns
                .iter()
                .rev()
                .map(|turn| turn.inverse().conjugate(s))
                .collect()
        });
        let solves = |turns: &Vec<LayerTurn>| {
            let moves = Sequence::from_turns(turns).moves_in_initial_frame();
            self.relative
                .is_some_and(|position| position.apply_moves(&moves).is_solved())
        };
        let own = (rank(turns), runs_of(turns));
        images
            .chain(inverses.filter(solves))
            .filter_map(|image: Vec<LayerTurn>| self.rank_if_solution(&image, cost))
            .all(|other| own <= other)
    }

    /// Returns the rank of an image, if it is a solution that the search finds.
    fn rank_if_solution(
        &self,
        image: &[LayerTurn],
        cost: u32,
    ) -> Option<((usize, u32), Vec<AxisRun>)> {
        let runs = runs_of(image);
        let sequences = &self.solver.sequences;
        let path = sequences
            .cheapest(&runs)
            .filter(|path| sequences.cost(path) == cost)?;
        // An inverse may reach the goal earlier, and then is not a solution.
        let is_met = |path: &[usize], relative: &Cube| {
            let turns: Vec<LayerTurn> = path.iter().map(|&turn| sequences.turns[turn].0).collect();
            relative
                .apply_moves(&Sequence::from_turns(&turns).moves_in_initial_frame())
                .is_solved()
        };
        let is_met_before = |relative: Cube| {
            (0..path.len()).any(|length| is_met(&path[..length], &relative))
                || sequences
                    .beginnings(&path)
                    .any(|beginning| is_met(&beginning, &relative))
        };
        if !self.of_inverses.is_empty() && self.relative.is_some_and(is_met_before) {
            return None;
        }
        let path = self.reading.map_or(Some(path.clone()), |reading| {
            reading.matching_sequence(&path)
        })?;
        let turns: Vec<LayerTurn> = path.iter().map(|&turn| sequences.turns[turn].0).collect();
        Some((rank(&turns), runs))
    }
}

/// The order among solutions of one cost: by quarter turns, then by execution cost.
pub(super) fn rank(turns: &[LayerTurn]) -> (usize, u32) {
    (
        turns.len() + turns.iter().filter(|turn| turn.is_half_turn()).count(),
        execution_cost(turns),
    )
}

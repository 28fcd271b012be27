//! Solutions that are images of one another, of which one is kept.
//!
//! A symmetry s carries a solution m of the position p to one of s⁻¹·p·s. If it keeps the turns with their costs, the places of the
//! goal, and what the goal sees of p, the image is a solution of p as well. If p·m is a single position t, the goal sees t⁻¹·p alone.
//! The inverse of m then is a solution of the inverse of t⁻¹·p: where that is t⁻¹·p again, or its image under a symmetry that
//! keeps the turns, the inverse of m or its image is a solution.
//!
//! Of the images the one with the fewest quarter turns is kept, then the easiest to turn, then the one that does less in its first runs: so
//! which one it is does not depend on the order in which they are found.

use super::ease::ease;
use super::search::GoalSolver;
use super::turns::{Run, runs_of};
use super::words::Reading;
use crate::cube::{Cube, LayerTurn, Sequence, Symmetry};

/// What makes solutions of one position images of one another.
pub(super) struct Alike<'a> {
    solver: &'a GoalSolver,
    reading: Option<&'a Reading<'a>>,
    /// Of solutions.
    symmetries: Vec<Symmetry>,
    /// Of inverses of solutions, where these may be solutions.
    of_inverses: Vec<Symmetry>,
    /// What has to be solved, if that is the whole cube.
    relative: Option<Cube>,
}

impl<'a> Alike<'a> {
    pub fn new(
        solver: &'a GoalSolver,
        reading: Option<&'a Reading<'a>>,
        position: &Cube,
        by_symmetry: bool,
        by_inverse: bool,
    ) -> Alike<'a> {
        let turns = solver.turns().allowed();
        let keeps_turns = |s: Symmetry| turns.iter().all(|&(turn, cost)| turns.contains(&(turn.conjugate(s), cost)));
        let relative = solver.goal().target().map(|target| target.inverse().compose(position));
        let keeps = |s: &Symmetry| {
            *s == Symmetry::IDENTITY
                || match relative {
                    Some(relative) => relative.conjugate(*s) == relative,
                    None => solver.goal().is_kept_by(*s) && solver.sees_the_same(position, &position.conjugate(*s)),
                }
        };
        let kept: Vec<Symmetry> = match by_symmetry {
            true => Symmetry::all().filter(|&s| keeps_turns(s)).collect(),
            false => vec![Symmetry::IDENTITY],
        };
        let of_inverses = if by_inverse && relative.is_some() { kept.clone() } else { Vec::new() };
        Alike { solver, reading, symmetries: kept.into_iter().filter(keeps).collect(), of_inverses, relative }
    }

    /// Whether this solution, as it is shown, is the one of its images that is kept.
    pub fn keeps(&self, turns: &[LayerTurn], cost: u32) -> bool {
        let images = self.symmetries.iter().map(|&s| turns.iter().map(|turn| turn.conjugate(s)).collect());
        let inverses =
            self.of_inverses.iter().map(|&s| turns.iter().rev().map(|turn| turn.inverse().conjugate(s)).collect());
        let solves = |turns: &Vec<LayerTurn>| {
            let moves = Sequence::of_turns(turns).moves_as_first_held();
            self.relative.is_some_and(|position| position.after(&moves).is_solved())
        };
        let own = (rank(turns), runs_of(turns));
        images
            .chain(inverses.filter(solves))
            .filter_map(|image: Vec<LayerTurn>| self.ranked(&image, cost))
            .all(|other| own <= other)
    }

    /// An image, if it is a solution that is searched.
    fn ranked(&self, image: &[LayerTurn], cost: u32) -> Option<((usize, u32), Vec<Run>)> {
        let (runs, sequences) = (runs_of(image), &self.solver.sequences);
        let path = sequences.cheapest(&runs).filter(|path| sequences.cost(path) == cost)?;
        // An inverse may meet the goal earlier, and is no solution then.
        let is_met = |path: &[usize], relative: &Cube| {
            let turns: Vec<LayerTurn> = path.iter().map(|&turn| sequences.turns[turn].0).collect();
            relative.after(&Sequence::of_turns(&turns).moves_as_first_held()).is_solved()
        };
        let is_met_before = |relative: Cube| {
            (0..path.len()).any(|length| is_met(&path[..length], &relative))
                || sequences.beginnings(&path).any(|beginning| is_met(&beginning, &relative))
        };
        if !self.of_inverses.is_empty() && self.relative.is_some_and(is_met_before) {
            return None;
        }
        let path = self.reading.map_or(Some(path.clone()), |reading| reading.wanted(&path))?;
        let turns: Vec<LayerTurn> = path.iter().map(|&turn| sequences.turns[turn].0).collect();
        Some((rank(&turns), runs))
    }
}

/// How solutions of one cost are ordered: by quarter turns, then by ease.
pub(super) fn rank(turns: &[LayerTurn]) -> (usize, u32) {
    (turns.len() + turns.iter().filter(|turn| turn.is_half_turn()).count(), ease(turns))
}

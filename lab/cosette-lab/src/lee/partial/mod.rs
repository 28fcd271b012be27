//! Heuristics from partial problems (Lee 2013).
//!
//! A partial problem sees some facelets only. What it sees of a position, the *painted* position, follows every move, so it has
//! its own distance from what it sees of the solved position, and that is a lower bound of the position's. The distance is known near
//! solved, from a backward space that is stored once, and near an instance, from a forward space that is made for it and into
//! which the distances of the backward space are carried ([`problem`]). The bound is the greatest of what several problems
//! say.
//!
//! Which facelets the paper selects, it says by numbers of faces and facelets that it does not explain. Read here
//! ([`painting`]): the facelets of a face, in the colour of that face, one like the other. A facelet's number is not seen, or
//! seeing two faces would mean knowing every cubie on them.

pub mod painting;
pub mod problem;

use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Symmetry};
use painting::Selection;
use problem::{Forward, ForwardDepth, Problem};
use rayon::prelude::*;
use std::sync::Arc;

/// A choice of partial problems. Those that differ by a symmetry share their backward space.
#[derive(Clone)]
pub struct Partials {
    problems: Vec<SeenProblem>,
}

/// A problem, seen in a symmetry that carries the selection to that of the problem.
#[derive(Clone)]
struct SeenProblem {
    selection: Selection,
    s: Symmetry,
    problem: Arc<Problem>,
}

impl SeenProblem {
    #[inline(always)]
    fn seen(&self, position: &Cube) -> Cube {
        if self.s == Symmetry::IDENTITY { *position } else { position.conjugate(self.s) }
    }
}

impl Partials {
    /// The problems of these selections, each with its backward space to `depth`; `d_for` is the depth of the forward spaces
    /// that they will have, if any.
    pub fn new(
        selections: &[Selection],
        depth: u8,
        d_for: Option<ForwardDepth>,
        lab: &Lab<'_>,
    ) -> Result<Partials, LabError> {
        let mut problems: Vec<SeenProblem> = Vec::new();
        for &selection in selections {
            let like = |seen_problem: &SeenProblem| {
                let problem_s = Symmetry::all()
                    .find(|&s| selection.conjugate(s) == seen_problem.selection.conjugate(seen_problem.s))?;
                Some(SeenProblem { selection, s: problem_s, problem: Arc::clone(&seen_problem.problem) })
            };
            let seen_problem = match problems.iter().find_map(like) {
                Some(seen_problem) => seen_problem,
                None => {
                    let problem = Arc::new(Problem::new(selection, depth, d_for, lab)?);
                    SeenProblem { selection, s: Symmetry::IDENTITY, problem }
                }
            };
            problems.push(seen_problem);
        }
        Ok(Partials { problems })
    }

    /// The three problems in which two opposite faces are seen, as [`Partials::new`] makes them.
    pub fn opposite_faces(depth: u8, d_for: Option<ForwardDepth>, lab: &Lab<'_>) -> Result<Partials, LabError> {
        let pairs = [Face::U, Face::R, Face::F].map(|face| Selection::faces(&[face, face.opposite()]));
        Partials::new(&pairs, depth, d_for, lab)
    }

    /// How many problems there are.
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// The problem of this number.
    pub fn problem(&self, number: usize) -> &Problem {
        &self.problems[number].problem
    }

    /// The position as the problem of this number sees it.
    pub fn seen(&self, number: usize, position: &Cube) -> Cube {
        self.problems[number].seen(position)
    }

    /// What the backward spaces alone say: the greatest distance, where those beyond the depth count one more than it. Never
    /// more than `most`: with six it is heu6, with eight heu8.
    #[inline]
    pub fn backward(&self, position: &Cube, most: u8) -> u8 {
        let mut bound = 0;
        for seen_problem in &self.problems {
            let distance =
                seen_problem.problem.distance(&seen_problem.seen(position)).unwrap_or(seen_problem.problem.depth() + 1);
            bound = bound.max(distance.min(most));
            if bound == most {
                break;
            }
        }
        bound
    }

    /// The problems with a forward space each, built for an instance.
    pub fn informed(
        &self,
        instance: &Cube,
        d_for: ForwardDepth,
        control: &Control<'_>,
    ) -> Result<Informed<'_>, LabError> {
        let forward = |seen_problem: &SeenProblem| {
            Forward::new(&seen_problem.problem, &seen_problem.seen(instance), d_for, control)
        };
        let forwards = control.in_pool(|| self.problems.par_iter().map(forward).collect::<Result<_, LabError>>())??;
        Ok(Informed { partials: self, forwards })
    }
}

/// Partial problems with a forward space for an instance.
pub struct Informed<'a> {
    partials: &'a Partials,
    forwards: Vec<Forward>,
}

impl Informed<'_> {
    /// A lower bound of the distance to solved: the greatest of what the problems say, and of `at_least`, which is known.
    /// Consistent: a move changes it by one at most.
    #[inline]
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        let mut bound = at_least;
        for (seen_problem, forward) in self.partials.problems.iter().zip(&self.forwards) {
            let seen = seen_problem.seen(position);
            let known = forward.get(seen_problem.problem.painting().number(&seen));
            let beyond = seen_problem.problem.depth() + 1;
            // The backward space says no more than that.
            let backward = || if beyond > bound { seen_problem.problem.distance(&seen).unwrap_or(beyond) } else { 0 };
            bound = bound.max(known.unwrap_or_else(backward));
        }
        bound
    }

    /// The forward spaces, in the order of the problems.
    pub fn forwards(&self) -> &[Forward] {
        &self.forwards
    }
}

/// The greatest value of a heuristic from stored backward spaces alone: the paper's heu6 and heu8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most(u8);

impl Most {
    /// heu6: the backward spaces are read to depth 5, and what lies beyond counts six.
    pub const HEU6: Most = Most(6);
    /// heu8: the backward spaces are read to depth 7, and what lies beyond counts eight.
    pub const HEU8: Most = Most(8);
}

/// What the lower bound is.
pub enum Bound<'a> {
    /// Nothing but what the perimeter says.
    Nothing,
    /// What the backward spaces of partial problems say.
    Backward(&'a Partials, Most),
    /// What they say together with forward spaces.
    Informed(&'a Informed<'a>),
}

/// A lower bound, with what breaks ties.
pub struct Estimates<'a> {
    /// The lower bound.
    pub bound: Bound<'a>,
    /// Of nodes with one f those are expanded first for which this is least; none where only the order counts.
    pub ties: Option<(&'a Partials, Most)>,
}

impl Estimates<'_> {
    /// A lower bound of the distance to solved, at most 20. It is known to be `at_least` so far: a bound that is no
    /// greater need not be worked out, and any other that is no greater will do.
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        match &self.bound {
            Bound::Backward(_, Most(most)) if *most <= at_least => 0,
            Bound::Nothing => 0,
            Bound::Backward(partials, Most(most)) => partials.backward(position, *most),
            Bound::Informed(informed) => informed.bound(position, at_least),
        }
    }

    /// Of nodes with the same f, the one with the least tie value is expanded first; at most 15.
    pub fn tie(&self, position: &Cube) -> u8 {
        self.ties.map_or(0, |(partials, Most(most))| partials.backward(position, most))
    }
}

//! Heuristics from partial problems (Lee 2013).
//!
//! In a partial problem only some facelets are visible. The visible part of a position, the
//! *painted* position, is defined after every move, so it has its own distance from the painted
//! solved position, which is a lower bound on the distance of the position. The distance is known
//! near solved, from a backward space that is stored once, and near an instance, from a forward
//! space that is built for it and to which the distances of the backward space are propagated
//! ([`problem`]). The bound is the maximum over several problems.
//!
//! The paper identifies its selected facelets by numbers of faces and facelets that it does not
//! explain. The reading here ([`painting`]): the facelets of a face, all alike in the color of that
//! face. A facelet's number is not visible; otherwise two visible faces would determine every cubie
//! on them.

pub mod painting;
pub mod problem;

use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Symmetry};
use painting::Selection;
use problem::{Forward, ForwardDepth, PartialProblem};
use rayon::prelude::*;
use std::sync::Arc;

/// A choice of partial problems. Problems that differ by a symmetry share their backward space.
#[derive(Clone)]
pub struct Partials {
    problems: Vec<SeenProblem>,
}

/// A problem, with a symmetry that carries the selection to that of the problem.
#[derive(Clone)]
struct SeenProblem {
    selection: Selection,
    s: Symmetry,
    problem: Arc<PartialProblem>,
}

impl SeenProblem {
    #[inline(always)]
    fn seen(&self, position: &Cube) -> Cube {
        if self.s == Symmetry::IDENTITY {
            *position
        } else {
            position.conjugate(self.s)
        }
    }
}

impl Partials {
    /// The problems of these selections, each with its backward space to `depth`; `d_for` is the
    /// depth of the forward spaces that they will have, if any.
    pub fn new(
        selections: &[Selection],
        depth: u8,
        d_for: Option<ForwardDepth>,
        lab: &Lab<'_>,
    ) -> Result<Partials, LabError> {
        let mut problems: Vec<SeenProblem> = Vec::new();
        for &selection in selections {
            let like = |seen_problem: &SeenProblem| {
                let problem_s = Symmetry::all().find(|&s| {
                    selection.conjugate(s) == seen_problem.selection.conjugate(seen_problem.s)
                })?;
                Some(SeenProblem {
                    selection,
                    s: problem_s,
                    problem: Arc::clone(&seen_problem.problem),
                })
            };
            let seen_problem = match problems.iter().find_map(like) {
                Some(seen_problem) => seen_problem,
                None => {
                    let problem = Arc::new(PartialProblem::new(selection, depth, d_for, lab)?);
                    SeenProblem {
                        selection,
                        s: Symmetry::IDENTITY,
                        problem,
                    }
                }
            };
            problems.push(seen_problem);
        }
        Ok(Partials { problems })
    }

    /// Creates the three problems in which two opposite faces are visible, like [`Partials::new`].
    pub fn opposite_faces(
        depth: u8,
        d_for: Option<ForwardDepth>,
        lab: &Lab<'_>,
    ) -> Result<Partials, LabError> {
        let pairs =
            [Face::U, Face::R, Face::F].map(|face| Selection::faces(&[face, face.opposite()]));
        Partials::new(&pairs, depth, d_for, lab)
    }

    /// Returns the number of problems.
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// The problem of this number.
    pub fn problem(&self, number: usize) -> &PartialProblem {
        &self.problems[number].problem
    }

    /// Returns the painted position of the problem of this number.
    pub fn seen(&self, number: usize, position: &Cube) -> Cube {
        self.problems[number].seen(position)
    }

    /// Returns the bound of the backward spaces alone: the greatest distance, where those beyond
    /// the depth count one more than it. At most `most`: with six it is heu6, with eight heu8.
    #[inline]
    pub fn backward(&self, position: &Cube, most: u8) -> u8 {
        let mut bound = 0;
        for seen_problem in &self.problems {
            let distance = seen_problem
                .problem
                .distance(&seen_problem.seen(position))
                .unwrap_or(seen_problem.problem.depth() + 1);
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
    ) -> Result<PartialHeuristic<'_>, LabError> {
        let forward = |seen_problem: &SeenProblem| {
            Forward::new(
                &seen_problem.problem,
                &seen_problem.seen(instance),
                d_for,
                control,
            )
        };
        let forwards = control.in_pool(|| {
            self.problems
                .par_iter()
                .map(forward)
                .collect::<Result<_, LabError>>()
        })??;
        Ok(PartialHeuristic {
            partials: self,
            forwards,
        })
    }
}

/// Partial problems with a forward space for an instance.
pub struct PartialHeuristic<'a> {
    partials: &'a Partials,
    forwards: Vec<Forward>,
}

impl PartialHeuristic<'_> {
    /// Returns a lower bound of the distance to solved: the maximum of the bounds of the problems
    /// and of `at_least`, which is known. Consistent: a move changes it by at most one.
    #[inline]
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        let mut bound = at_least;
        for (seen_problem, forward) in self.partials.problems.iter().zip(&self.forwards) {
            let seen = seen_problem.seen(position);
            let known = forward.get(seen_problem.problem.painting().number(&seen));
            let beyond = seen_problem.problem.depth() + 1;
            // The backward space gives no better bound than that.
            let backward = || {
                if beyond > bound {
                    seen_problem.problem.distance(&seen).unwrap_or(beyond)
                } else {
                    0
                }
            };
            bound = bound.max(known.unwrap_or_else(backward));
        }
        bound
    }

    /// The forward spaces, in the order of the problems.
    pub fn forwards(&self) -> &[Forward] {
        &self.forwards
    }
}

/// The maximum value of a heuristic from stored backward spaces alone: the paper's heu6 and heu8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxBound(u8);

impl MaxBound {
    /// heu6: the backward spaces are read to depth 5, and all greater distances count as six.
    pub const HEU6: MaxBound = MaxBound(6);
    /// heu8: the backward spaces are read to depth 7, and all greater distances count as eight.
    pub const HEU8: MaxBound = MaxBound(8);
}

/// The lower bound of a search.
pub enum PartialBound<'a> {
    /// The bound of the perimeter alone.
    Nothing,
    /// The bound of the backward spaces of partial problems.
    Backward(&'a Partials, MaxBound),
    /// The bound of the backward spaces together with forward spaces.
    Informed(&'a PartialHeuristic<'a>),
}

/// A lower bound, with a tie-breaking rule.
pub struct Estimates<'a> {
    /// The lower bound.
    pub bound: PartialBound<'a>,
    /// Tie-breaking among nodes with equal f: the node with the least value of these is expanded
    /// first; `None` if only the order decides.
    pub ties: Option<(&'a Partials, MaxBound)>,
}

impl Estimates<'_> {
    /// Returns a lower bound of the distance to solved, at most 20. The distance is known to be at
    /// least `at_least`: a bound that is not greater need not be computed, and any other value that
    /// is not greater may be returned.
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        match &self.bound {
            PartialBound::Backward(_, MaxBound(most)) if *most <= at_least => 0,
            PartialBound::Nothing => 0,
            PartialBound::Backward(partials, MaxBound(most)) => partials.backward(position, *most),
            PartialBound::Informed(informed) => informed.bound(position, at_least),
        }
    }

    /// Returns the tie value of a position, at most 15: among nodes with the same f, the one with
    /// the least tie value is expanded first.
    pub fn tie(&self, position: &Cube) -> u8 {
        self.ties.map_or(0, |(partials, MaxBound(most))| {
            partials.backward(position, most)
        })
    }
}

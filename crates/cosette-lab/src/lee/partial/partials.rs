//! Several partial problems together: the maximum of what each says is a lower bound.

use super::forward::Forward;
use super::problem::{ForwardDepth, Problem};
use super::selection::Selection;
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Symmetry};
use rayon::prelude::*;
use std::sync::Arc;

/// A choice of partial problems. Those that differ by a symmetry share their backward space.
#[derive(Clone)]
pub struct Partials {
    views: Vec<View>,
}

/// A problem, seen in a symmetry that carries the selection to that of the problem.
#[derive(Clone)]
struct View {
    selection: Selection,
    s: Symmetry,
    problem: Arc<Problem>,
}

impl View {
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
        let mut views: Vec<View> = Vec::new();
        for &selection in selections {
            let like = |view: &View| {
                let problem_s =
                    Symmetry::all().find(|&s| selection.conjugate(s) == view.selection.conjugate(view.s))?;
                Some(View { selection, s: problem_s, problem: Arc::clone(&view.problem) })
            };
            let view = match views.iter().find_map(like) {
                Some(view) => view,
                None => {
                    let problem = Arc::new(Problem::new(selection, depth, d_for, lab)?);
                    View { selection, s: Symmetry::IDENTITY, problem }
                }
            };
            views.push(view);
        }
        Ok(Partials { views })
    }

    /// The three problems in which two opposite faces are seen, as [`Partials::new`] makes them.
    pub fn opposite_faces(depth: u8, d_for: Option<ForwardDepth>, lab: &Lab<'_>) -> Result<Partials, LabError> {
        let pairs = [Face::U, Face::R, Face::F].map(|face| Selection::faces(&[face, face.opposite()]));
        Partials::new(&pairs, depth, d_for, lab)
    }

    /// Those with these numbers, in the order in which they were given.
    ///
    /// # Panics
    /// If a number is out of range.
    #[must_use]
    pub fn only(&self, numbers: &[usize]) -> Partials {
        Partials { views: numbers.iter().map(|&i| self.views[i].clone()).collect() }
    }

    /// How many problems there are.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether there are no problems: all bounds are then zero.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The problem of this number.
    pub fn problem(&self, number: usize) -> &Problem {
        &self.views[number].problem
    }

    /// The position as the problem of this number sees it.
    pub fn seen(&self, number: usize, position: &Cube) -> Cube {
        self.views[number].seen(position)
    }

    /// What the backward spaces alone say: the greatest distance, where those beyond the depth count one more than it. Never
    /// more than `most`: with six it is heu6, with eight heu8.
    #[inline]
    pub fn backward(&self, position: &Cube, most: u8) -> u8 {
        let mut bound = 0;
        for view in &self.views {
            let distance = view.problem.distance(&view.seen(position)).unwrap_or(view.problem.depth() + 1);
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
        let forward = |view: &View| Forward::new(&view.problem, &view.seen(instance), d_for, control);
        let forwards = control.in_pool(|| self.views.par_iter().map(forward).collect::<Result<_, LabError>>())??;
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
        for (view, forward) in self.partials.views.iter().zip(&self.forwards) {
            let seen = view.seen(position);
            let known = forward.get(view.problem.painting().number(&seen));
            let beyond = view.problem.depth() + 1;
            // The backward space says no more than that.
            let backward = || if beyond > bound { view.problem.distance(&seen).unwrap_or(beyond) } else { 0 };
            bound = bound.max(known.unwrap_or_else(backward));
        }
        bound
    }

    /// The forward spaces, in the order of the problems.
    pub fn forwards(&self) -> &[Forward] {
        &self.forwards
    }
}

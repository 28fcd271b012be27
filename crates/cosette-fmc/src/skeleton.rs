//! Skeletons: attempts, the positions on the way, and reports.

use super::pipeline::Pipeline;
use super::reduction::{NissMoves, Reduction, Side, apply_niss, linearize};
use super::steps::{StepSolution, joined, last_run};
use cosette::cube::{Cube, Move};
use std::sync::Arc;
use std::time::Duration;

/// An attempt: a scramble, prior moves, and the steps to search.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// The scramble.
    pub scramble: Cube,
    /// The prior moves, on each side.
    pub prior_moves: NissMoves,
    /// The steps after the prior moves.
    pub pipeline: &'a Pipeline,
    /// Maximum number of skeletons to return.
    pub count: usize,
}

impl Attempt<'_> {
    /// Returns the position after the scramble and the prior moves.
    pub fn position(&self) -> Cube {
        apply_niss(&self.scramble, &self.prior_moves)
    }
}

/// A solved step of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeletonStep {
    /// The reduction that the step reached.
    pub reduction: Reduction,
    /// The moves of the step.
    pub moves: NissMoves,
    /// Number of moves up to the end of the step, with cancellations.
    pub total: usize,
    /// The position after the step.
    pub position: Cube,
}

/// Moves on both sides that solve all steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The steps.
    pub steps: Vec<SkeletonStep>,
    /// All moves including the prior moves, with cancellations on each side.
    pub moves: NissMoves,
    /// Number of these moves; if they solve the cube, of the moves of the solution.
    pub total: usize,
    /// The solution, if the cube is solved.
    pub solution: Option<Vec<Move>>,
}

impl Skeleton {
    /// Returns the bad pieces after a step: those of the next step's reduction, or of the nearest
    /// one. `dr:UD 4c2e` are four corners and two edges.
    pub fn left(&self, number: usize) -> Option<String> {
        let SkeletonStep {
            reduction,
            position,
            ..
        } = &self.steps[number];
        let made = self.steps.get(number + 1).map(|made| made.reduction);
        let next = made
            .filter(|made| matches!(made, Reduction::Dr(_) | Reduction::Htr))
            .or_else(|| reduction.nearest(position));
        next.map(|next| format!("{next} {}", next.bad(position)))
    }
}

/// Number of solutions of a step from the position at which the search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCounts {
    /// Index of the step in the pipeline.
    pub stage: usize,
    /// The reduction that the solutions preserve.
    pub after: Reduction,
    /// Number of solutions by number of moves, from zero on. Each number is complete: it counts all
    /// solutions with the turns that preserve `after`, on the sides that `niss=` allows and with
    /// the triggers of the step, none of which reaches the step before its last turns. `max=` ends
    /// the list; `n=` does not.
    pub counts: Vec<usize>,
}

/// The result of a search.
///
/// | claim | scope | covered by |
/// |---|---|---|
/// | [`is_exhausted`](SearchReport::is_exhausted) | all skeletons of the pipeline: the solutions of its first step with all turns (dr with triggers: those that preserve edges that are oriented already), of any other step with the turns that preserve the reductions of the steps before it, each with the `niss=` and triggers of its step and within its `max=` and `n=`; joined to the prior moves, of which at most the last turns on each side cancel | a task for each step and number of moves, from no moves to `max=`, or to the total of the worst stored skeleton; none was skipped |
/// | [`limits`](SearchReport::limits) | the steps whose `max=` or `n=` excluded solutions that might have led to a better skeleton | each solution and task that a limit excludes |
/// | [`is_proven`](SearchReport::is_proven) | the same skeletons as `is_exhausted`: none is shorter; without any, that there is none at all, so no limit excluded any | both |
/// | [`step_counts`](SearchReport::step_counts) | see [`StepCounts::counts`] | one task for each number of moves |
#[derive(Clone, Debug)]
pub struct SearchReport {
    /// The skeletons, in order of their total; only one of those with the same solution.
    pub skeletons: Vec<Skeleton>,
    /// `true` if all skeletons were tried.
    pub is_exhausted: bool,
    /// Indices in the pipeline of the steps whose limits may have excluded a skeleton that is not
    /// longer than these.
    pub limits: Vec<usize>,
    /// `true` if tasks were dropped because the queue was full.
    pub were_dropped: bool,
    /// Number of solutions of the first steps, and of those that follow a first step which is
    /// solved from the start.
    pub step_counts: Vec<StepCounts>,
    /// Number of tasks done.
    pub tasks: u64,
    /// Time of the search.
    pub elapsed: Duration,
}

impl SearchReport {
    /// Returns `true` if no skeleton of these steps, with their options, is shorter. Nothing is
    /// proven if there is none within the limits of the steps.
    pub fn is_proven(&self) -> bool {
        self.is_exhausted && (self.limits.is_empty() || !self.skeletons.is_empty())
    }
}

/// Error of a first step with triggers from a position whose edges are not oriented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "dr with triggers cannot be the first step: the edges are not oriented; start with an earlier step, as in eo > dr"
)]
pub struct MissingPrerequisite;

/// A position, and the moves that lead to it.
pub(super) struct Node {
    pub parent: Option<Arc<Node>>,
    pub reached: Reduction,
    pub position: Cube,
    /// The moves of the last step.
    pub moves: NissMoves,
    /// The moves of all steps, without the prior moves.
    pub own: NissMoves,
    /// Number of moves, with cancellations, including the prior moves.
    pub total: u32,
    /// The side of the last moves.
    pub side: Side,
    /// Maximum number of moves by which the last prior turns may still shorten the total, from
    /// [`spare`].
    pub spare: u32,
}

/// Returns the maximum number of moves by which the moves that follow the moves `own` of all steps
/// on one side may cancel with the last prior turns there.
///
/// Only turns about the same axis reach them. If `last` are these turns and `x` follows, `own` and
/// `x` do not cancel with each other, so `last · own · x` has at least as many moves as `own · x`
/// minus those of `last`.
pub(super) fn spare(done: &[Move], own: &[Move]) -> u32 {
    let last = last_run(done);
    let axis = |moves: &[Move]| moves.last().map(|m| m.face().axis());
    let meets = own.is_empty() || (last_run(own).len() == own.len() && axis(own) == axis(last));
    if meets {
        (joined(last, own).len() + last.len() - own.len()) as u32
    } else {
        0
    }
}

impl Node {
    /// Creates the node of a position from which the first steps begin.
    pub fn root(reached: Reduction, position: Cube, done: &NissMoves) -> Node {
        let side = if done[0].is_empty() && !done[1].is_empty() {
            Side::Inverse
        } else {
            Side::Normal
        };
        Node {
            parent: None,
            reached,
            position,
            moves: NissMoves::default(),
            own: NissMoves::default(),
            total: done.iter().map(|moves| moves.len() as u32).sum(),
            side,
            spare: done.iter().map(|moves| spare(moves, &[])).sum(),
        }
    }

    /// Returns `true` if no step has made a move yet.
    pub fn is_first(&self) -> bool {
        self.own.iter().all(Vec::is_empty)
    }

    /// Returns the node after a step solution; `None` if its moves cancel with those of an earlier
    /// step, as another node then represents it.
    pub fn after(self: &Arc<Node>, way: StepSolution, done: &NissMoves) -> Option<Node> {
        let mut node = Node {
            parent: Some(self.clone()),
            reached: way.reached,
            position: self.position,
            moves: way.moves,
            own: NissMoves::default(),
            total: 0,
            side: self.side,
            spare: 0,
        };
        for side in Side::BOTH {
            let done = &done[side as usize];
            let before = &self.own[side as usize];
            let moves = &node.moves[side as usize];
            let own = joined(before, moves);
            if own.len() < before.len() + moves.len() {
                return None;
            }
            node.spare += spare(done, &own);
            node.total += joined(done, &own).len() as u32;
            if !moves.is_empty() {
                node.position = side.after(&node.position, moves);
                node.side = side;
            }
            node.own[side as usize] = own;
        }
        Some(node)
    }

    /// Returns the skeleton that ends at this node.
    pub fn skeleton(&self, done: &NissMoves) -> Skeleton {
        let moves = Side::BOTH.map(|side| joined(&done[side as usize], &self.own[side as usize]));
        let solution = self.position.is_solved().then(|| linearize(&moves));
        let mut made: Vec<SkeletonStep> = Vec::new();
        let mut node = Some(self);
        while let Some(Node {
            parent: Some(parent),
            reached,
            moves,
            total,
            position,
            ..
        }) = node
        {
            let reduction = *reached;
            let total = *total as usize;
            let position = *position;
            made.insert(
                0,
                SkeletonStep {
                    reduction,
                    moves: moves.clone(),
                    total,
                    position,
                },
            );
            node = Some(parent);
        }
        let total = solution.as_ref().map_or(self.total as usize, Vec::len);
        // At the join of both sides, moves may cancel too.
        if let Some(last) = made.last_mut() {
            last.total = total;
        }
        Skeleton {
            steps: made,
            moves,
            total,
            solution,
        }
    }
}

//! Skeletons: moves that solve all steps of an attempt, and their text.
//!
//! Each step is one line, with moves on the inverse in parentheses, and a comment:
//! `F2 (R' D) // dr:UD (3/8), htr 4c2e` is a step of three moves, eight in total, after which four
//! corners and two edges are bad for `htr`. Cancellations with earlier moves are shown as in
//! `(3-1/7)`. The text can be read back as [prior moves](crate::notation::parse_prior_moves).

use crate::notation::{NissMoves, NissSide, joined, last_run};
use crate::pipeline::Pipeline;
use crate::reduction::Reduction;
use crate::step_solvers::{StepSolution, StepStart};
use cosette::cube::{Cube, DisplayMoves, Move};
use cosette::numbers::counted;
use std::sync::Arc;

/// An attempt: a scramble, prior moves, and the steps to search.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    pub scramble: Cube,
    pub prior_moves: NissMoves,
    /// The steps after the prior moves.
    pub pipeline: &'a Pipeline,
    /// Maximum number of skeletons to return.
    pub count: usize,
}

impl Attempt<'_> {
    /// Returns the position after the scramble and the prior moves.
    pub fn position(&self) -> Cube {
        self.prior_moves.apply(&self.scramble)
    }
}

/// A solved step of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkeletonStep {
    /// The reduction that the step reached.
    pub reduction: Reduction,
    pub moves: NissMoves,
    /// Number of moves up to the end of the step, with cancellations.
    pub total: usize,
    /// The position after the step.
    pub position: Cube,
}

/// Moves on both sides that solve all steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
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
    pub fn bad_pieces_after(&self, number: usize) -> Option<String> {
        let step = &self.steps[number];
        let next = self.steps.get(number + 1).map(|next| next.reduction);
        let reduction = next
            .filter(|next| matches!(next, Reduction::Dr(_) | Reduction::Htr))
            .or_else(|| step.reduction.nearest(&step.position))?;
        Some(format!(
            "{reduction} {}",
            reduction.bad_pieces(&step.position)
        ))
    }

    /// Formats the skeleton as text: a line for each step, and the solution.
    pub fn format(&self, prior_moves: &NissMoves) -> String {
        let mut text = String::new();
        let mut before = prior_moves.count();
        if before > 0 {
            text += &format!("{prior_moves} // so far ({before})\n");
        }
        // Steps that the prior moves have already solved need no line.
        let mut is_solved_already = before > 0;
        for (number, step) in self.steps.iter().enumerate() {
            let is_end = number + 1 == self.steps.len();
            is_solved_already &= step.moves.is_empty() && !is_end;
            if is_solved_already {
                continue;
            }
            let moves = &step.moves;
            let gap = if moves.is_empty() { "" } else { " " };
            let counts = format_counts(moves.count(), before, step.total);
            text += &format!("{moves}{gap}// {} {counts}", step.reduction);
            if let Some(bad_pieces) = self.bad_pieces_after(number) {
                text += &format!(", {bad_pieces}");
            }
            text.push('\n');
            before = step.total;
        }
        if let Some(solution) = &self.solution {
            let length = counted(solution.len() as u64, "move");
            text += &format!("// {length}: {}\n", DisplayMoves(solution));
        }
        text
    }
}

/// Formats the number of moves of a step and the total after it: `(3/8)`, or `(3-1/7)` if one move
/// cancels.
pub(crate) fn format_counts(own: usize, before: usize, total: usize) -> String {
    match (before + own).saturating_sub(total) {
        0 => format!("({own}/{total})"),
        cancelled => format!("({own}-{cancelled}/{total})"),
    }
}

/// A position, and the moves that lead to it.
pub(crate) struct SkeletonNode {
    parent: Option<Arc<SkeletonNode>>,
    /// The position, its reduction and the side of the last moves.
    pub start: StepStart,
    /// The moves of the last step.
    moves: NissMoves,
    /// The moves of all steps, without the prior moves.
    own: NissMoves,
    /// Number of moves, with cancellations, including the prior moves.
    pub total: u32,
    /// Maximum number of moves by which the last prior turns may still shorten the total.
    pub spare: u32,
}

impl SkeletonNode {
    /// Creates the node of a position from which the first steps start.
    pub fn root(reduction: Reduction, attempt: &Attempt<'_>) -> SkeletonNode {
        let prior_moves = &attempt.prior_moves;
        let side = match prior_moves.normal.is_empty() && !prior_moves.inverse.is_empty() {
            true => NissSide::Inverse,
            false => NissSide::Normal,
        };
        SkeletonNode {
            parent: None,
            start: StepStart {
                position: attempt.position(),
                reduction,
                side,
            },
            moves: NissMoves::default(),
            own: NissMoves::default(),
            total: prior_moves.count() as u32,
            spare: spare(&prior_moves.normal, &[]) + spare(&prior_moves.inverse, &[]),
        }
    }

    /// Returns a lower bound on the total of a skeleton through this node with `length` more moves.
    pub fn min_total(&self, length: u32) -> u32 {
        (self.total + length).saturating_sub(self.spare)
    }

    /// Returns `true` if no step has made a move yet.
    pub fn is_first(&self) -> bool {
        self.own.is_empty()
    }

    /// Returns the node after a step solution; `None` if its moves cancel with those of an earlier
    /// step, as another node then represents it.
    pub fn after(
        self: &Arc<SkeletonNode>,
        solution: StepSolution,
        prior_moves: &NissMoves,
    ) -> Option<SkeletonNode> {
        let StepSolution { moves, reduction } = solution;
        let own = self.own.then(&moves);
        if own.count() < self.own.count() + moves.count() {
            return None;
        }
        let mut start = StepStart {
            position: moves.apply(&self.start.position),
            reduction,
            side: self.start.side,
        };
        let mut total_spare = 0;
        for side in NissSide::BOTH {
            total_spare += spare(&prior_moves[side], &own[side]);
            if !moves[side].is_empty() {
                start.side = side;
            }
        }
        Some(SkeletonNode {
            parent: Some(self.clone()),
            start,
            total: prior_moves.then(&own).count() as u32,
            moves,
            own,
            spare: total_spare,
        })
    }

    /// Returns the skeleton that ends at this node.
    pub fn skeleton(&self, prior_moves: &NissMoves) -> Skeleton {
        let moves = prior_moves.then(&self.own);
        let is_solved = self.start.position.is_solved();
        let solution = is_solved.then(|| moves.linearize());
        let total = solution.as_ref().map_or(self.total as usize, Vec::len);
        let mut steps = Vec::new();
        let mut node = self;
        while let Some(parent) = &node.parent {
            steps.push(SkeletonStep {
                reduction: node.start.reduction,
                moves: node.moves.clone(),
                total: node.total as usize,
                position: node.start.position,
            });
            node = parent;
        }
        steps.reverse();
        // At the join of both sides, moves may cancel too.
        if let Some(last) = steps.last_mut() {
            last.total = total;
        }
        Skeleton {
            steps,
            moves,
            total,
            solution,
        }
    }
}

/// Returns the maximum number of moves by which the moves that follow the moves `own` of all steps
/// on one side may cancel with the last prior turns there.
///
/// Only turns about the same axis reach them. If `last` are these turns and `x` follows, `own` and
/// `x` do not cancel with each other, so `last · own · x` has at least as many moves as `own · x`
/// minus those of `last`.
fn spare(prior_moves: &[Move], own: &[Move]) -> u32 {
    let last = last_run(prior_moves);
    let axis = |moves: &[Move]| moves.last().map(|m| m.face().axis());
    let is_one_run = last_run(own).len() == own.len();
    if own.is_empty() || (is_one_run && axis(own) == axis(last)) {
        (joined(last, own).len() + last.len() - own.len()) as u32
    } else {
        0
    }
}

//! Skeletons: what is asked, the positions on the way, and what is found.

use super::pipeline::Pipeline;
use super::reached::{Reached, Side, Sides, after, whole};
use super::steps::{Way, joined, last_run};
use cosette::cube::{Cube, Move};
use std::sync::Arc;
use std::time::Duration;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// The scramble.
    pub scramble: Cube,
    /// What has been done, on each side.
    pub done: Sides,
    /// The steps after that.
    pub pipeline: &'a Pipeline,
    /// How many skeletons are kept.
    pub count: usize,
}

impl Attempt<'_> {
    /// What is left of the scramble after what has been done.
    pub fn position(&self) -> Cube {
        after(&self.scramble, &self.done)
    }
}

/// A step of a skeleton as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// What it reached.
    pub reached: Reached,
    /// Its own moves.
    pub moves: Sides,
    /// All moves by then.
    pub total: usize,
    /// The position then.
    pub position: Cube,
}

/// Moves on both sides through all steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    /// The steps.
    pub made: Vec<Made>,
    /// All moves, with those done before, added up where they meet.
    pub moves: Sides,
    /// How many moves these are; if they solve the cube, of the solution.
    pub total: usize,
    /// The solution, if the cube is solved.
    pub solution: Option<Vec<Move>>,
}

impl Skeleton {
    /// What is in the way of the reduction after a step: of that which is made next, or of the one that is nearest. `dr:UD 4c2e` are four corners
    /// and two edges.
    pub fn left(&self, number: usize) -> Option<String> {
        let Made { reached, position, .. } = &self.made[number];
        let made = self.made.get(number + 1).map(|made| made.reached);
        let next =
            made.filter(|made| matches!(made, Reached::Dr(_) | Reached::Htr)).or_else(|| reached.nearest(position));
        next.map(|next| format!("{next} {}", next.bad(position)))
    }
}

/// How many ways there are to a step from the position at which the search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The step, by its number in the pipeline.
    pub stage: usize,
    /// The reduction that these ways keep.
    pub after: Reached,
    /// By number of moves, from none on. Complete for each number that is there: all ways with the turns that keep `after`, on the sides that
    /// `niss=` allows and with the triggers of the step, of which none is there before its last turns. `max=` ends the list; `n=` does not.
    pub counts: Vec<usize>,
}

/// The result of a search.
///
/// | claim | is made over | is covered by |
/// |---|---|---|
/// | [`is_exhausted`](Report::is_exhausted) | all skeletons of the pipeline: the ways to its first step with all turns (dr with triggers: those that keep edges that are oriented already), to any other step with those that keep what the steps before it have reached, each with the `niss=` and triggers of its step and within its `max=` and `n=`; joined to the moves done before, of which at most the last turns on each side cancel | a task for each step and number of moves, from no moves to `max=`, or to as many as the worst skeleton that is kept; none was left out |
/// | [`limits`](Report::limits) | the steps whose `max=` or `n=` excluded ways that might have led to a better skeleton | each way and task that a limit excludes |
/// | [`is_proven`](Report::is_proven) | the same skeletons as `is_exhausted`: none is shorter; without any, that there is none at all, so no limit excluded any | both |
/// | [`lists`](Report::lists) | see [`List::counts`] | one task for each number of moves |
#[derive(Clone, Debug)]
pub struct Report {
    /// The skeletons, by their total; of those that make one solution, one.
    pub skeletons: Vec<Skeleton>,
    /// Whether all were tried.
    pub is_exhausted: bool,
    /// The steps, by their number in the pipeline, whose limits may have excluded a skeleton that is not longer than these.
    pub limits: Vec<usize>,
    /// Whether some were left out, since too many had to wait.
    pub were_dropped: bool,
    /// The ways to the first steps, and to those that follow a first step which holds already.
    pub lists: Vec<List>,
    /// How many tasks were done.
    pub tasks: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Report {
    /// Whether no skeleton of these steps, with their options, is shorter. Where there is none within the limits of the steps, nothing is proven.
    pub fn is_proven(&self) -> bool {
        self.is_exhausted && (!self.skeletons.is_empty() || self.limits.is_empty())
    }
}

/// Triggers without oriented edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("dr with triggers is the first step, but edges are not oriented; begin with an earlier step, as in eo > dr")]
pub struct TooEarly;

/// A position, and how it was reached.
pub(super) struct Node {
    pub parent: Option<Arc<Node>>,
    pub reached: Reached,
    pub position: Cube,
    /// The moves of the step that led here.
    pub moves: Sides,
    /// The moves of all steps by then.
    pub own: Sides,
    /// Number of moves, with cancellations and with those done before the first step.
    pub total: u32,
    /// The side of the last moves.
    pub side: Side,
    /// Number of moves by which the last turns done before the first step may still shorten the total, as [`spare`] counts them.
    pub spare: u32,
}

/// The most moves by which what follows the moves `own` of all steps on one side may cancel with the last turns done there.
///
/// Only turns about the same axis meet them. If `last` are these turns and `x` follows, `own` and `x` do not cancel with each other, so
/// `last · own · x` has at least as many moves as these two less those of `last`.
pub(super) fn spare(done: &[Move], own: &[Move]) -> u32 {
    let last = last_run(done);
    let axis = |moves: &[Move]| moves.last().map(|m| m.face().axis());
    let meets = own.is_empty() || (last_run(own).len() == own.len() && axis(own) == axis(last));
    if meets { (joined(last, own).len() + last.len() - own.len()) as u32 } else { 0 }
}

impl Node {
    /// The node of a position from which the first steps begin.
    pub fn root(reached: Reached, position: Cube, done: &Sides) -> Node {
        let side = if done[0].is_empty() && !done[1].is_empty() { Side::Inverse } else { Side::Normal };
        Node {
            parent: None,
            reached,
            position,
            moves: Sides::default(),
            own: Sides::default(),
            total: done.iter().map(|moves| moves.len() as u32).sum(),
            side,
            spare: done.iter().map(|moves| spare(moves, &[])).sum(),
        }
    }

    /// Whether no step has made a move yet.
    pub fn is_first(&self) -> bool {
        self.own.iter().all(Vec::is_empty)
    }

    /// The node after a way, if its moves do not cancel with those of an earlier step: otherwise another one stands for it.
    pub fn after(self: &Arc<Node>, way: Way, done: &Sides) -> Option<Node> {
        let mut after = Node {
            parent: Some(self.clone()),
            reached: way.reached,
            position: self.position,
            moves: way.moves,
            own: Sides::default(),
            total: 0,
            side: self.side,
            spare: 0,
        };
        for side in Side::BOTH {
            let done = &done[side as usize];
            let before = &self.own[side as usize];
            let moves = &after.moves[side as usize];
            let own = joined(before, moves);
            if own.len() < before.len() + moves.len() {
                return None;
            }
            after.spare += spare(done, &own);
            after.total += joined(done, &own).len() as u32;
            if !moves.is_empty() {
                after.position = side.after(&after.position, moves);
                after.side = side;
            }
            after.own[side as usize] = own;
        }
        Some(after)
    }

    /// The skeleton that leads here.
    pub fn skeleton(&self, done: &Sides) -> Skeleton {
        let moves = Side::BOTH.map(|side| joined(&done[side as usize], &self.own[side as usize]));
        let solution = self.position.is_solved().then(|| whole(&moves));
        let mut made: Vec<Made> = Vec::new();
        let mut node = Some(self);
        while let Some(Node { parent: Some(parent), reached, moves, total, position, .. }) = node {
            let (reached, total, position) = (*reached, *total as usize, *position);
            made.insert(0, Made { reached, moves: moves.clone(), total, position });
            node = Some(parent);
        }
        let total = solution.as_ref().map_or(self.total as usize, Vec::len);
        // Where both sides meet, moves may cancel too.
        if let Some(last) = made.last_mut() {
            last.total = total;
        }
        Skeleton { made, moves, total, solution }
    }
}

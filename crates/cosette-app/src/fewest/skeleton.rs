//! Skeletons: what is asked, the positions on the way, and what is found.

use super::pipeline::{Kind, Pipeline};
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

/// How many ways there are to a first step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The step, by its number in the pipeline.
    pub stage: usize,
    /// What was reached before it.
    pub after: Reached,
    /// By number of moves, from none on; all that there are.
    pub counts: Vec<usize>,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The skeletons, by their total.
    pub skeletons: Vec<Skeleton>,
    /// Whether all were tried: then none of these steps, with their options, is shorter, unless it undoes more of what was done than its last
    /// turns.
    pub is_exhausted: bool,
    /// Whether some were left out, since too many had to wait.
    pub were_dropped: bool,
    /// The ways to the first steps.
    pub lists: Vec<List>,
    /// How many tasks were done.
    pub tasks: u64,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why there is nothing to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} is the first step, but what comes before it is not reached; begin with an earlier step, as in {earlier}{}",
    .0.name(),
    name = if matches!(.0, Kind::Dr) { "dr with triggers" } else { .0.name() },
    earlier = if matches!(.0, Kind::Dr) { "eo > " } else { "eo > dr > " })]
pub struct TooEarly(pub Kind);

/// A position, and how it was reached.
pub(super) struct Node {
    pub parent: Option<Arc<Node>>,
    pub reached: Reached,
    pub position: Cube,
    /// The moves of the step that led here.
    pub moves: Sides,
    /// All moves by then, added up.
    pub all: Sides,
    /// How many these are.
    pub total: u32,
    /// The side of the last moves.
    pub side: Side,
    /// So many moves fewer may be left once moves after this are added up with those done before the first step.
    pub spare: u32,
}

impl Node {
    /// The node after a way, if its moves do not cancel with those of an earlier step: otherwise another one stands for it.
    pub fn after(self: &Arc<Node>, way: Way, done: &Sides) -> Option<Node> {
        let (mut all, mut total, mut spare) = (Sides::default(), 0, 0);
        let (mut position, mut side) = (self.position, self.side);
        for each in Side::BOTH {
            let (done, before, own) = (&done[each as usize], &self.all[each as usize], &way.moves[each as usize]);
            let moves = joined(before, own);
            if before != done && moves.len() < before.len() + own.len() {
                return None;
            }
            spare += if moves == *done { 2 * last_run(done).len() as u32 } else { 0 };
            total += moves.len() as u32;
            all[each as usize] = moves;
            if !own.is_empty() {
                (position, side) = (each.after(&position, own), each);
            }
        }
        Some(Node {
            parent: Some(self.clone()),
            reached: way.reached,
            position,
            moves: way.moves,
            all,
            total,
            side,
            spare,
        })
    }

    /// The skeleton that leads here.
    pub fn skeleton(&self) -> Skeleton {
        let moves = self.all.clone();
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

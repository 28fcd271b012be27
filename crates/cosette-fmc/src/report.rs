//! Skeletons (moves that solve all steps of an attempt), and the report of a search for skeletons:
//! as text, as sentences and as JSON.
//!
//! In the text of a skeleton, each step is one line, with moves on the inverse in parentheses, and
//! a comment: `F2 (R' D) // dr:UD (3/8), htr 4c2e` is a step of three moves, eight in total, after
//! which four corners and two edges are bad for `htr`. Cancellations with earlier moves are shown
//! as in `(3-1/7)`. The text can be read back as [prior
//! moves](crate::notation::parse_prior_moves).

use crate::notation::NissMoves;
use crate::reduction::{BadPieces, Reduction};
use crate::request::ParsedRequest;
use crate::step::PipelineStep;
use cosette::cube::{Cube, DisplayMoves, Move};
use cosette::numbers::{counted, grouped};
use serde::Serialize;
use std::time::Duration;

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
    /// Number of these moves; if they solve the cube, number of moves of `solution`, which may be
    /// smaller.
    pub total: usize,
    /// The solution, if the cube is solved.
    pub solution: Option<Vec<Move>>,
}

impl Skeleton {
    /// Returns the bad pieces after a step, for the reduction of the next step if that is `dr` or
    /// `htr`, and otherwise for the nearest `dr` or `htr` that can follow; `None` if none can.
    /// `dr:UD 4c2e` are four corners and two edges.
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
        // Steps that the prior moves have already solved need no line, except the last.
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

/// The result of a search.
///
/// - [`is_exhausted`](SearchReport::is_exhausted) is `true` if all skeletons of the pipeline were
///   tried. A skeleton has a solution of each step, within the step's `niss=`, triggers, `max=` and
///   `n=`. The first step may use all turns (`dr` with triggers: only turns that keep oriented
///   edges oriented); every other step, the turns that preserve the reductions before it. Only the
///   last turns of the prior moves, on each side, may cancel. Each step has a task for each number
///   of moves, from 0 up to `max=` or to the total of the worst stored skeleton; no task was
///   skipped.
/// - [`limits`](SearchReport::limits) names the steps whose `max=` or `n=` excluded a solution or a
///   task that might have led to a better skeleton.
/// - [`is_proven`](SearchReport::is_proven) states that no skeleton within the limits is shorter.
///   If none was found, it states that none exists; this needs that no limit excluded any.
/// - [`step_counts`](SearchReport::step_counts): see [`StepCounts::counts`]. Each number of moves
///   is one task.
#[derive(Clone, Debug)]
pub struct SearchReport<'a> {
    pub scramble: Cube,
    pub request: &'a ParsedRequest,
    /// The skeletons, in order of their total. Of several with the same solution, it has only one.
    pub skeletons: Vec<Skeleton>,
    /// `true` if all skeletons were tried.
    pub is_exhausted: bool,
    /// The steps, each with its options, whose limits may have excluded a skeleton that belongs
    /// among these: one shorter than the last of them, or any if there are fewer than requested.
    pub limits: Vec<String>,
    /// The reason why the search ended before all skeletons were tried: `timeout`, `interrupt` or
    /// `memory`.
    pub stop_reason: Option<&'static str>,
    /// The counts of each step that is searched from the starting position: of each first step, and
    /// of each step after a first step that already holds there.
    pub step_counts: Vec<StepCounts>,
    /// Number of tasks done.
    pub tasks: u64,
    pub elapsed: Duration,
}

/// Number of solutions of a step from the position at which the search begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepCounts {
    /// Index of the step in the pipeline.
    pub stage: usize,
    /// The reduction that the solutions preserve.
    pub after: Reduction,
    /// Number of solutions by number of moves, from zero on. Each number is complete: it counts all
    /// solutions of that length with turns that preserve `after`, on the sides that `niss=` allows,
    /// and with the triggers of the step. A solution does not reach the reduction before its last
    /// turns. The list ends at `max=`; `n=` does not shorten it.
    pub counts: Vec<usize>,
}

impl SearchReport<'_> {
    /// Returns `true` if no skeleton of these steps, with their options, is shorter. If there is no
    /// skeleton, it is `true` only if no limit excluded any.
    pub fn is_proven(&self) -> bool {
        self.is_exhausted && (self.limits.is_empty() || !self.skeletons.is_empty())
    }

    fn step(&self, stage: usize) -> &PipelineStep {
        &self.request.pipeline.stages[stage].step
    }

    /// Returns the proven statements, as sentences.
    pub fn statements(&self) -> Vec<String> {
        let mut statements: Vec<String> = self
            .step_counts
            .iter()
            .map(|list| self.count_statement(list))
            .collect();
        let limits = self.limits.join(", ");
        let within = if limits.is_empty() {
            String::new()
        } else {
            format!(" within the limits ({limits})")
        };
        let unless = if self.request.prior_moves.is_empty() {
            ""
        } else {
            ", except those that undo more than the last given turns"
        };
        let seconds = self.elapsed.as_secs_f64();
        statements.push(match (self.is_exhausted, self.skeletons.is_empty()) {
            (true, false) => {
                format!("proven: no skeleton of these steps is shorter{within}{unless}")
            }
            (true, true) if !limits.is_empty() => {
                format!("no skeleton of these steps{within}; there may be others beyond them")
            }
            (true, true) => "proven: no such skeleton exists".to_owned(),
            (false, false) => format!("best found in {seconds:.1} s; shorter ones may exist"),
            (false, true) => format!("none found in {seconds:.1} s"),
        });
        statements
    }

    /// Returns the number of solutions of a step, as a sentence.
    fn count_statement(&self, list: &StepCounts) -> String {
        let step = self.step(list.stage);
        // The step without `max=` and `n=`, on which no count depends.
        let mut unlimited = PipelineStep::new(step.kind, step.axis);
        unlimited.niss = step.niss;
        unlimited.triggers = step.triggers.clone();
        let after = match list.after {
            Reduction::Nothing => String::new(),
            reduction => format!(" after {reduction}"),
        };
        let moves = counted(list.counts.len() as u64 - 1, "move");
        let count = list.counts.iter().sum::<usize>() as u64;
        if count == 0 {
            return format!("{unlimited}{after} has no solution of up to {moves}");
        }
        let by_length = list.counts.iter().enumerate();
        let by_length: Vec<String> = by_length
            .filter(|(_, count)| **count > 0)
            .map(|(length, count)| format!("{} of {length}", grouped(*count as u64)))
            .collect();
        format!(
            "{unlimited}{after} has exactly {} of up to {moves}: {}",
            counted(count, "solution"),
            by_length.join(", ")
        )
    }

    /// Returns the result for a text, with its line number if it comes from a list.
    pub fn result(&self, input: &str, line: Option<usize>) -> FmcResult {
        let ParsedRequest {
            pipeline,
            prior_moves,
            ..
        } = self.request;
        let step_counts = self.step_counts.iter().map(|list| StepCountsJson {
            step: self.step(list.stage).to_string(),
            from_reduction: (list.after != Reduction::Nothing).then(|| list.after.to_string()),
            counts: list.counts.clone(),
        });
        FmcResult {
            input: input.to_owned(),
            line,
            facelets: self.scramble.facelets(),
            steps: pipeline.to_string(),
            from: prior_moves.to_string(),
            status: AttemptStatus::from(&prior_moves.apply(&self.scramble)),
            skeletons: self.skeletons.iter().map(SkeletonJson::from).collect(),
            step_counts: step_counts.collect(),
            optimal: self.is_proven(),
            limits: self.limits.clone(),
            stop_reason: self.stop_reason,
            tasks: self.tasks,
            seconds: self.elapsed.as_secs_f64(),
        }
    }
}

/// The result as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FmcResult {
    /// The text of the scramble.
    pub input: String,
    /// The line number of the scramble in a list, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The steps.
    pub steps: String,
    /// The moves done before the first step, with moves on the inverse in parentheses.
    pub from: String,
    /// The status after these moves.
    pub status: AttemptStatus,
    /// The skeletons, in order of length.
    pub skeletons: Vec<SkeletonJson>,
    /// The counts of each step that is searched from the starting position: of each first step, and
    /// of each step after a first step that already holds there.
    pub step_counts: Vec<StepCountsJson>,
    /// `true` if it is proven that no skeleton of these steps, with their options, is shorter. The
    /// proof does not cover skeletons that undo more than the last turns of `from`. The first step
    /// may use all turns; every other step preserves the reductions of the steps before it. `false`
    /// if the search was stopped, or if there is no skeleton within `limits`.
    pub optimal: bool,
    /// The steps whose `max=` or `n=` may have excluded a skeleton that belongs among these:
    /// `optimal` holds within these limits.
    pub limits: Vec<String>,
    /// The reason why the search ended early, if it did: `timeout`, `interrupt` or `memory`.
    pub stop_reason: Option<&'static str>,
    /// Number of tasks done. A task lists the solutions of a step from one position with a given
    /// number of moves.
    pub tasks: u64,
    /// Time of the search, in seconds.
    pub seconds: f64,
}

/// An event of a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = FmcEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum SkeletonEvent {
    /// A skeleton that is shorter than all before.
    Skeleton(SkeletonJson),
    /// The result, at the end of the search.
    Answer(Box<FmcResult>),
}

/// A skeleton.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Skeleton))]
pub struct SkeletonJson {
    /// Number of `moves`; if the cube is solved, number of moves of `solution`, which may be
    /// smaller.
    pub length: usize,
    /// The steps.
    pub steps: Vec<SkeletonStepJson>,
    /// All moves, with moves on the inverse in parentheses.
    pub moves: String,
    /// The solution, if the cube is solved.
    pub solution: Option<String>,
}

/// A step of a skeleton.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SkeletonStep))]
pub struct SkeletonStepJson {
    /// The reduction that the step reaches.
    pub step: String,
    /// The moves of the step, with moves on the inverse in parentheses.
    pub moves: String,
    /// Number of moves up to the end of the step, with cancellations.
    pub total: usize,
    /// The bad pieces of the next reduction: `dr:UD 4c2e` are four corners and two edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bad_pieces: Option<String>,
}

impl From<&Skeleton> for SkeletonJson {
    fn from(skeleton: &Skeleton) -> SkeletonJson {
        let step = |(number, step): (usize, &SkeletonStep)| SkeletonStepJson {
            step: step.reduction.to_string(),
            moves: step.moves.to_string(),
            total: step.total,
            bad_pieces: skeleton.bad_pieces_after(number),
        };
        let solution = skeleton.solution.as_ref();
        SkeletonJson {
            length: skeleton.total,
            steps: skeleton.steps.iter().enumerate().map(step).collect(),
            moves: skeleton.moves.to_string(),
            solution: solution.map(|solution| DisplayMoves(solution).to_string()),
        }
    }
}

/// Number of solutions of a step from the position at which the search begins.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StepCounts))]
pub struct StepCountsJson {
    /// The step.
    pub step: String,
    /// The reduction that the solutions preserve; `null` if they use all turns.
    pub from_reduction: Option<String>,
    /// Number of solutions by number of moves, from zero on. Each number counts all solutions of
    /// that length on the sides that `niss=` allows, with the triggers of the step.
    pub counts: Vec<usize>,
}

/// The status of an attempt, as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttemptStatus {
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The furthest reductions of the position: `eo:FB`, `dr:UD`, `htr`, `finish`.
    pub reductions: Vec<String>,
    /// The bad pieces of each step, on each axis.
    pub bad_pieces: Vec<BadPiecesJson>,
}

/// The bad pieces of a step.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BadPieces))]
pub struct BadPiecesJson {
    /// The step.
    pub step: String,
    /// Number of bad corners.
    pub corners: usize,
    /// Number of bad edges: for `eo`, flipped edges; for `dr`, slots of the middle layer without a
    /// correctly oriented edge of that layer, plus the flipped edges of the outer layers that
    /// belong there; for `htr`, edges outside their slice; for `finish`, unsolved edges.
    pub edges: usize,
    /// The facelet indices of the bad pieces, 0 to 53.
    pub facelets: Vec<usize>,
}

impl From<&Cube> for AttemptStatus {
    fn from(position: &Cube) -> AttemptStatus {
        let bad_pieces = |reduction: Reduction| {
            let BadPieces { corners, edges } = reduction.bad_pieces(position);
            let of_corners = corners.iter().flat_map(|corner| corner.places());
            let of_edges = edges.iter().flat_map(|edge| edge.places());
            BadPiecesJson {
                step: reduction.to_string(),
                corners: corners.len(),
                edges: edges.len(),
                facelets: of_corners.chain(of_edges).collect(),
            }
        };
        let furthest = Reduction::furthest(position);
        AttemptStatus {
            facelets: position.facelets(),
            reductions: furthest.iter().map(Reduction::to_string).collect(),
            bad_pieces: Reduction::all().map(bad_pieces).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facelets_of_bad_pieces_are_listed() {
        let status = AttemptStatus::from(&"R".parse::<Cube>().unwrap());
        let htr = &status.bad_pieces[6];
        assert_eq!((&htr.step[..], htr.corners, htr.edges), ("htr", 4, 4));
        assert_eq!(htr.facelets.len(), 4 * 3 + 4 * 2);
    }
}

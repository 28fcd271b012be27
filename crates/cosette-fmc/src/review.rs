//! The review of a solution: the proven distance to solved after each of its moves.
//!
//! A move changes the distance by at most its length, so neighbors limit each other. The positions
//! are solved from the end of the solution, where a search is cheap, towards the scramble. If the
//! position after the moves m has the solution s, the position before them has the solution m·s.
//! Where m is one move and the distance after it is d, the distance before it is d − 1, d or d + 1
//! (in the quarter-turn metric, by parity, d − 1 or d + 1), and a solution of d + 1 moves is known.
//! So if the move gained ground, only the lengths up to d must be ruled out, without a search for
//! the solution. If a review is stopped, the positions that it has not reached have these bounds.
//!
//! The proof that d − 1 moves do not solve a position of distance d is not spared, and takes most
//! of the time where the two-phase search finds solutions quickly: for a write-up of 20 moves, a
//! review expanded as many nodes (95.1 million) as single solves of its 21 positions.
//!
//! The steps of a solution on both sides (NISS) are followed in the same way: if B is done on the
//! inverse, the position before A and B has the solution A·s·B⁻¹.
//!
//! The positions are not also searched from the scramble: the proof of a position would only spare
//! that of the next one if the move gained ground, which takes about a tenth as long.

use crate::notation::{NissMoves, NissSide, joined};
use crate::request::FieldError;
use crate::writeup_check::claimed_reductions;
use crate::written_solution::{
    SolutionPoint, SolutionTextError, WrittenSolution, WrittenStep, WrittenTurn,
};
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, Symmetry, inverse};
use cosette::goal::{Goal, GoalSolver, TurnSet};
use cosette::numbers::{read_or_default, seconds};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Event, Options, Outcome, Solver, StopReason, TwoPhaseMode};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::iter;
use std::time::Duration;

/// A review of a solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Review {
    /// The text of the scramble.
    pub input: String,
    /// The turns of the solution, as they were read.
    pub solution: String,
    /// The metric of all lengths and distances.
    pub metric: &'static str,
    /// The pruning table.
    pub table: String,
    /// `true` if the moves in parentheses were read as moves on the inverse of the scramble. Then
    /// `moves` are those of the linearized solution.
    pub niss: bool,
    /// The position after the scramble.
    pub start: ReviewedPosition,
    /// The moves, each with the position after it.
    pub moves: Vec<ReviewedMove>,
    /// The lines of the solution.
    pub steps: Vec<ReviewedStep>,
    /// Number of moves of the solution. A turn of a slice counts as two turns of faces.
    pub length: usize,
    /// `true` if the moves solve the scramble.
    pub is_solved: bool,
    /// Number of moves that are known to have increased the distance.
    pub lost: usize,
    /// Number of moves, without rotations, that are known to have kept the distance.
    pub kept: usize,
    /// Number of expanded nodes.
    pub nodes: u64,
    /// Time of all searches, in seconds.
    pub seconds: f64,
    /// The reason why some distances are not proven: `interrupt` or `timeout`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub stop_reason: Option<StopReason>,
}

/// A position of a solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewedPosition {
    /// The 54 facelets, with the cube held as after the moves.
    pub facelets: String,
    /// The proven distance to solved.
    pub distance: Option<usize>,
    /// Proven lower bound on the distance.
    pub lower_bound: usize,
    /// Upper bound on the distance: the length of `continuation`, or the largest distance of any
    /// position.
    pub upper_bound: usize,
    /// The shortest known solution of the position, proven shortest if there is a `distance`.
    pub continuation: Option<String>,
}

/// A move of a solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewedMove {
    /// The move as it was written.
    #[serde(rename = "move")]
    pub name: String,
    /// The index of its step; `null` in a solution on both sides.
    pub step: Option<usize>,
    /// Number of moves up to this one.
    pub length: usize,
    /// The change of the distance: -1 if the move gained ground, 1 if it lost ground. A turn of a
    /// slice, or a half turn in the quarter-turn metric, may gain or lose 2.
    pub change: Option<i64>,
    /// The position after the move.
    #[serde(flatten)]
    pub position: ReviewedPosition,
}

/// A step of a solution: a line with moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewedStep {
    /// The line number, counted from one.
    pub line: usize,
    /// The comment.
    pub label: Option<String>,
    /// The moves; those on the inverse are in parentheses.
    pub moves: String,
    /// Number of moves.
    pub length: usize,
    /// The distance before the step.
    pub before: Option<usize>,
    /// The distance after the step.
    pub after: Option<usize>,
    /// The goal that the step reached, at its lowest cost.
    pub best: Option<CheapestStep>,
}

/// The shortest way to the goal of a step, with any face turns, proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CheapestStep {
    /// The goal, such as `cross:D`, with the cube held as after the step.
    pub goal: String,
    /// Number of moves.
    pub length: usize,
    /// The moves, with the cube held as before the step; in parentheses if they are on the inverse.
    pub moves: String,
}

/// A scramble and a solution to review.
#[derive(Clone, Debug)]
pub struct Attempt<'a> {
    /// The text of the scramble.
    pub input: &'a str,
    /// The position after the scramble.
    pub scramble: Cube,
    /// The solution, or any other moves.
    pub solution: WrittenSolution,
}

/// A request for a review.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(
    deny_unknown_fields,
    expecting = "an object with a position and a solution"
)]
pub struct ReviewRequest {
    /// The position after the scramble, in any format.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, examples("D F2 U")))]
    pub position: String,
    /// The solution, one step per line, with comments; moves in parentheses are on the inverse if
    /// only that solves the scramble.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, examples("U' F2 D'")))]
    pub solution: String,
    /// The metric: `htm` or `qtm`.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, default = "htm"))]
    pub metric: Metric,
    /// Maximum time in seconds. Positions that are not proven within this time have bounds.
    #[serde(default, deserialize_with = "seconds::deserialize")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0))]
    pub timeout: Option<Duration>,
}

impl ReviewRequest {
    /// Reads the solution of `scramble`, which is the position of the request.
    ///
    /// # Errors
    ///
    /// Returns [`FieldError`] if a line of the solution cannot be read, or if it has no moves.
    pub fn attempt(&self, scramble: Cube) -> Result<Attempt<'_>, FieldError> {
        let unreadable = |error: SolutionTextError| FieldError {
            span: Some((self.solution.clone(), error.span.clone())),
            ..FieldError::new("solution", error)
        };
        let solution = WrittenSolution::read(&self.solution, &scramble).map_err(unreadable)?;
        if solution.turns.is_empty() {
            let message = "there are no moves; write the solution";
            return Err(FieldError::new("solution", message));
        }
        Ok(Attempt {
            input: &self.position,
            scramble,
            solution,
        })
    }
}

/// The JSON form of the events of a review.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReviewEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum ReviewUpdate {
    /// A position that has been searched, from the end of the solution on.
    Progress(ReviewProgress),
    /// The result.
    Answer(Box<Review>),
}

/// The progress of a review, and the bounds of the position that has just been searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewProgress {
    /// The number of positions that have been searched.
    pub done: u64,
    /// The number of positions.
    pub total: u64,
    /// Number of moves up to the position; `null` for a position between the steps of a solution on
    /// both sides.
    pub length: Option<usize>,
    /// Proven lower bound on its distance.
    pub lower_bound: usize,
    /// Upper bound on its distance; equal to the lower bound if the distance is proven.
    pub upper_bound: usize,
}

/// An event of a review.
#[derive(Clone, Copy, Debug)]
pub enum ReviewEvent<'a> {
    /// A position has been searched.
    Position(ReviewProgress),
    /// An event of the search of a position.
    Search(Event<'a>),
}

/// Reviews a solution. If `control` is cancelled, the distances proven until then remain, and the
/// other positions have bounds.
pub fn review(
    attempt: &Attempt<'_>,
    solver: &Solver,
    on_event: &(dyn Fn(ReviewEvent<'_>) + Sync),
    control: &Control<'_>,
) -> Review {
    let scramble = &attempt.scramble;
    let solution = &attempt.solution;
    let positions = positions(scramble, solution);
    let paths = [
        SolutionPath::of_turns(&positions, solution),
        SolutionPath::of_steps(scramble, solution),
    ];
    let distinct: HashSet<Cube> = paths
        .iter()
        .flat_map(|path| &path.positions)
        .copied()
        .collect();
    let mut prover = Prover {
        solver,
        control,
        on_event,
        executor: ThreadExecutor::new(control.threads()),
        proofs: HashMap::new(),
        total: distinct.len() as u64,
        nodes: 0,
        seconds: 0.0,
        stop_reason: None,
    };
    paths.iter().for_each(|path| prover.prove(path));
    prover.finish(attempt, &positions)
}

/// Returns the positions before and after all turns, in the orientation of the scramble.
fn positions(scramble: &Cube, solution: &WrittenSolution) -> Vec<Cube> {
    let after = solution.turns.iter().scan(*scramble, |position, turn| {
        *position = position.apply_moves(&turn.moves);
        Some(*position)
    });
    iter::once(*scramble).chain(after).collect()
}

/// Positions that follow each other.
struct SolutionPath {
    positions: Vec<Cube>,
    /// The moves from each position to the next.
    moves: Vec<NissMoves>,
    /// `true` for the positions after each turn, `false` for those after each step.
    is_of_turns: bool,
}

impl SolutionPath {
    fn of_turns(positions: &[Cube], solution: &WrittenSolution) -> SolutionPath {
        let turns = solution.turns.iter();
        let moves = turns.map(|turn| NissMoves::on(NissSide::Normal, turn.moves.clone()));
        SolutionPath {
            positions: positions.to_vec(),
            moves: moves.collect(),
            is_of_turns: true,
        }
    }

    fn of_steps(scramble: &Cube, solution: &WrittenSolution) -> SolutionPath {
        let steps = &solution.steps;
        let after = steps.iter().map(|step| step.after.moves.apply(scramble));
        SolutionPath {
            positions: iter::once(*scramble).chain(after).collect(),
            moves: steps.iter().map(|step| step.moves.clone()).collect(),
            is_of_turns: false,
        }
    }

    /// Returns the number of moves up to a position.
    fn length_up_to(&self, index: usize, metric: Metric) -> usize {
        let moves = self.moves[..index].iter();
        moves.map(|moves| length(moves, metric)).sum()
    }
}

fn length(moves: &NissMoves, metric: Metric) -> usize {
    metric.length(&moves.normal) + metric.length(&moves.inverse)
}

/// Bounds on the distance of a position.
#[derive(Clone, Debug, Default)]
struct Proof {
    lower_bound: usize,
    /// The shortest known solution.
    solution: Option<Vec<Move>>,
}

impl Proof {
    fn upper_bound(&self, metric: Metric) -> Option<usize> {
        self.solution.as_ref().map(|moves| metric.length(moves))
    }

    fn distance(&self, metric: Metric) -> Option<usize> {
        self.upper_bound(metric)
            .filter(|&length| length == self.lower_bound)
    }

    /// Returns an upper bound: the length of the solution, or the largest distance of any position.
    fn finite_upper_bound(&self, metric: Metric) -> usize {
        let diameter = usize::from(metric.diameter());
        self.upper_bound(metric)
            .map_or(diameter, |length| length.min(diameter))
    }

    /// Returns the bounds of the position before `moves`, which lead to the position of this proof.
    fn before(&self, moves: &NissMoves, metric: Metric) -> Proof {
        let known = |solution: &Vec<Move>| {
            let solution = joined(&moves.normal, solution);
            joined(&solution, &inverse(&moves.inverse))
        };
        Proof {
            lower_bound: self.lower_bound.saturating_sub(length(moves, metric)),
            solution: self.solution.as_ref().map(known),
        }
    }
}

/// The proofs of all positions.
struct Prover<'a> {
    solver: &'a Solver,
    control: &'a Control<'a>,
    on_event: &'a (dyn Fn(ReviewEvent<'_>) + Sync),
    executor: ThreadExecutor,
    proofs: HashMap<Cube, Proof>,
    /// Number of positions.
    total: u64,
    nodes: u64,
    seconds: f64,
    stop_reason: Option<StopReason>,
}

impl Prover<'_> {
    fn metric(&self) -> Metric {
        self.solver.metric()
    }

    /// Proves the distances along a path, from its end.
    fn prove(&mut self, path: &SolutionPath) {
        let metric = self.metric();
        let mut bounds = Proof::default();
        for (index, position) in path.positions.iter().enumerate().rev() {
            if let Some(moves) = path.moves.get(index) {
                bounds = bounds.before(moves, metric);
            }
            let is_new = !self.proofs.contains_key(position);
            bounds = match self.proofs.remove(position) {
                Some(proof) if proof.distance(metric).is_some() => proof,
                _ if position.is_solved() => Proof {
                    lower_bound: 0,
                    solution: Some(Vec::new()),
                },
                _ if bounds.distance(metric).is_some() => bounds,
                _ => self.search(position, &bounds),
            };
            self.proofs.insert(*position, bounds.clone());
            if is_new || path.is_of_turns {
                let length = path.length_up_to(index, metric);
                (self.on_event)(ReviewEvent::Position(ReviewProgress {
                    done: self.proofs.len() as u64,
                    total: self.total,
                    length: path.is_of_turns.then_some(length),
                    lower_bound: bounds.lower_bound,
                    upper_bound: bounds.finite_upper_bound(metric),
                }));
            }
        }
    }

    /// Searches a position with these bounds.
    fn search(&mut self, position: &Cube, bounds: &Proof) -> Proof {
        let on_event = self.on_event;
        let options = Options {
            known_solution: bounds.solution.as_deref(),
            two_phase: match bounds.solution {
                Some(_) => TwoPhaseMode::Interleaved,
                None => TwoPhaseMode::Upfront,
            },
            ..Options::default()
        };
        let search = self.solver.search(position).options(options);
        let report = search
            .control(self.control)
            .on_event(|event| on_event(ReviewEvent::Search(event)))
            .run_with(&mut self.executor);
        self.nodes += report.nodes();
        self.seconds += report.elapsed.as_secs_f64();
        self.stop_reason = self.stop_reason.or(report.outcome.stop_reason());
        Proof {
            lower_bound: bounds.lower_bound.max(report.lower_bound.into()),
            solution: report.solutions.into_iter().next().or(report.best_known),
        }
    }

    fn distance(&self, position: &Cube) -> Option<usize> {
        self.proofs[position].distance(self.metric())
    }

    /// Returns a position as it is held after `rotation`.
    fn reviewed(&self, position: &Cube, rotation: Symmetry) -> ReviewedPosition {
        let metric = self.metric();
        let proof = &self.proofs[position];
        let held = |moves: &Vec<Move>| {
            let moves = moves.iter().map(|&m| rotation.conjugate_move(m));
            DisplayMoves(&moves.collect::<Vec<_>>()).to_string()
        };
        ReviewedPosition {
            facelets: position.conjugate(rotation).facelets(),
            distance: proof.distance(metric),
            lower_bound: proof.lower_bound,
            upper_bound: proof.finite_upper_bound(metric),
            continuation: proof.solution.as_ref().map(held),
        }
    }

    fn finish(self, attempt: &Attempt<'_>, positions: &[Cube]) -> Review {
        let scramble = &attempt.scramble;
        let solution = &attempt.solution;
        let names: Vec<String> = solution
            .turns
            .iter()
            .map(|each| each.turn.to_string())
            .collect();
        let moves = self.moves(positions, solution);
        let is_lost = |each: &&ReviewedMove| each.change.is_some_and(|change| change > 0);
        let is_kept = |(each, turn): &(&ReviewedMove, &WrittenTurn)| {
            each.change == Some(0) && !turn.moves.is_empty()
        };
        let turns = moves.iter().zip(&solution.turns);
        Review {
            kept: turns.filter(is_kept).count(),
            input: attempt.input.to_owned(),
            solution: names.join(" "),
            metric: self.metric().name(),
            table: self.solver.table().id().to_string(),
            niss: solution.is_niss,
            start: self.reviewed(scramble, Symmetry::IDENTITY),
            steps: self.steps(scramble, solution),
            length: moves.last().map_or(0, |last| last.length),
            is_solved: solution.end(scramble).is_solved(),
            lost: moves.iter().filter(is_lost).count(),
            moves,
            nodes: self.nodes,
            seconds: self.seconds,
            stop_reason: self.stop_reason,
        }
    }

    fn moves(&self, positions: &[Cube], solution: &WrittenSolution) -> Vec<ReviewedMove> {
        let mut length = 0;
        let mut moves = Vec::new();
        for (index, turn) in solution.turns.iter().enumerate() {
            length += self.metric().length(&turn.moves);
            let before = self.distance(&positions[index]);
            let after = self.distance(&positions[index + 1]);
            let change = before.zip(after);
            let ends_later = |step: &WrittenStep| step.after.turn_count > index;
            moves.push(ReviewedMove {
                name: turn.turn.to_string(),
                step: solution.steps.iter().position(ends_later),
                length,
                change: change.map(|(before, after)| after as i64 - before as i64),
                position: self.reviewed(&positions[index + 1], turn.rotation),
            });
        }
        moves
    }

    fn steps(&self, scramble: &Cube, solution: &WrittenSolution) -> Vec<ReviewedStep> {
        let metric = self.metric();
        let position = |point: &SolutionPoint| point.moves.apply(scramble);
        let mut earlier: Vec<Cube> = Vec::new();
        let mut reviewed = Vec::new();
        for step in &solution.steps {
            let before = position(&step.before);
            let after = position(&step.after);
            earlier.push(before);
            let goal = reached_goal(step, &earlier, &after);
            reviewed.push(ReviewedStep {
                line: step.line,
                label: step.label.clone(),
                moves: step.text.clone(),
                length: length(&step.moves, metric),
                before: self.distance(&before),
                after: self.distance(&after),
                best: goal.and_then(|goal| self.cheapest(&goal, step, &before, solution.is_niss)),
            });
        }
        reviewed
    }

    /// Finds the shortest way to the goal of a step; `None` if the search is stopped. A reduction
    /// of a solution on both sides may be reached on either side; the step may be shorter if its
    /// own moves are on both.
    fn cheapest(
        &self,
        goal: &str,
        step: &WrittenStep,
        before: &Cube,
        is_niss: bool,
    ) -> Option<CheapestStep> {
        let parsed: Goal = goal.parse().expect("it is the name of a goal");
        let turns = TurnSet::faces(self.metric().into());
        let solver = GoalSolver::on_demand(&parsed, &turns, self.control.threads());
        let end = step.after.rotation;
        let held_before = end.inverse().then(step.before.rotation);
        let mut cheapest: Option<CheapestStep> = None;
        for side in NissSide::BOTH {
            let position = match side {
                NissSide::Normal => *before,
                NissSide::Inverse if is_niss && claimed_reductions(goal).is_some() => {
                    before.inverse()
                }
                NissSide::Inverse => continue,
            };
            let search = solver.search(&position.conjugate(end));
            let report = search.control(self.control).run();
            if report.outcome != Outcome::Optimal {
                return None;
            }
            let solution = report.solutions.first()?;
            let length = solution.cost as usize;
            let moves = solution.moves().into_iter();
            let moves = moves.map(|m| held_before.conjugate_move(m)).collect();
            if cheapest.as_ref().is_none_or(|best| length < best.length) {
                cheapest = Some(CheapestStep {
                    goal: goal.to_owned(),
                    length,
                    moves: NissMoves::on(side, moves).to_string(),
                });
            }
        }
        cheapest.filter(|best| best.length <= length(&step.moves, self.metric()))
    }
}

/// The goals that a step reaches by its position alone, the larger ones first.
const BLOCKS: [&str; 4] = ["xcross", "cross", "2x2x3", "2x2x2"];

/// Goals after which a step is not one of [`BLOCKS`]: the pairs after a cross make blocks as well.
const LAST_BLOCKS: [&str; 2] = ["cross", "2x2x3"];

/// Returns the goal that a step reached, with the cube held as after the step: the reduction that
/// its label names, or the largest block that was not there at the `earlier` ends of steps.
fn reached_goal(step: &WrittenStep, earlier: &[Cube], after: &Cube) -> Option<String> {
    if after.is_solved() {
        return None;
    }
    let label = step.label.as_deref().unwrap_or_default();
    let before = earlier.last().expect("the step has a position before it");
    let mut claimed = claimed_reductions(label).into_iter().flatten();
    let reduction = claimed.find(|it| it.holds(after) && !it.holds(before));
    if let Some(reduction) = reduction {
        return Some(reduction.to_string());
    }
    let goal = |name: &str| -> Goal { name.parse().expect("it is the name of a goal") };
    let was_met = |name: &str| {
        let goal = goal(name);
        earlier.iter().any(|position| goal.is_met(position))
    };
    if LAST_BLOCKS.into_iter().any(was_met) {
        return None;
    }
    let held = after.conjugate(step.after.rotation);
    let blocks = BLOCKS.into_iter().filter(|name| !was_met(name));
    let mut reached = blocks.filter_map(|name| {
        let goal = goal(name);
        let variant = goal.satisfied_variants(&held).next()?;
        Some(format!("{name}:{variant}"))
    });
    reached.next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::ThreadCount;
    use cosette::cube::{Sequence, random_walks};
    use cosette::table::{Table, TableId};
    use std::sync::{Arc, Mutex, OnceLock};

    fn solver(metric: Metric) -> &'static Solver {
        static SOLVERS: [OnceLock<Solver>; 2] = [OnceLock::new(), OnceLock::new()];
        SOLVERS[metric as usize].get_or_init(|| {
            let size = "24M".parse().unwrap();
            let table = Table::generate(TableId { metric, size }, &Control::default()).unwrap();
            Solver::new(Arc::new(table), ThreadCount::ONE)
        })
    }

    fn review_of(scramble: &Cube, text: &str, metric: Metric, control: &Control<'_>) -> Review {
        let attempt = Attempt {
            input: "",
            scramble: *scramble,
            solution: WrittenSolution::read(text, scramble).unwrap(),
        };
        review(&attempt, solver(metric), &|_| {}, control)
    }

    fn reviewed(scramble: &str, text: &str) -> Review {
        let scramble = scramble.parse().unwrap();
        review_of(&scramble, text, Metric::Htm, &Control::default())
    }

    #[test]
    fn distances_are_those_of_single_solves() {
        for metric in Metric::ALL {
            let solver = solver(metric);
            for walk in random_walks(62, 12).take(6) {
                let (scramble, detour) = walk.split_at(8);
                let back = inverse(&walk);
                let text = format!(
                    "{} // detour\n{}",
                    DisplayMoves(detour),
                    DisplayMoves(&back)
                );
                let scramble = Cube::from_moves(scramble);
                let review = review_of(&scramble, &text, metric, &Control::default());
                let mut nodes = 0;
                let mut before = solver.solve(&scramble).length();
                assert_eq!(review.start.distance, Some(before), "{text}");
                for each in &review.moves {
                    let position: Cube = each.position.facelets.parse().unwrap();
                    let solution = solver.solve(&position);
                    nodes += solution.report().nodes();
                    let distance = solution.length();
                    assert_eq!(each.position.distance, Some(distance), "{text}");
                    assert_eq!(each.change, Some(distance as i64 - before as i64), "{text}");
                    let continuation = each.position.continuation.as_ref().unwrap();
                    let continuation = continuation.parse::<Sequence>().unwrap();
                    assert!(position.apply_moves(&continuation).is_solved());
                    assert_eq!(metric.length(&continuation), distance);
                    before = distance;
                }
                assert!(review.nodes < nodes, "{} of {nodes} nodes", review.nodes);
                assert!(review.is_solved);
                assert_eq!(review.length, metric.length(detour) + metric.length(&back));
            }
        }
    }

    #[test]
    fn each_position_is_told_once_it_is_searched() {
        let scramble: Cube = "D F2 U".parse().unwrap();
        let attempt = Attempt {
            input: "",
            scramble,
            solution: WrittenSolution::read("x2 // inspection\nR R' D' B2\nU'", &scramble).unwrap(),
        };
        let heard = Mutex::new(Vec::new());
        let on_event = |event: ReviewEvent<'_>| {
            if let ReviewEvent::Position(progress) = event {
                heard.lock().unwrap().push(progress);
            }
        };
        let review = review(
            &attempt,
            solver(Metric::Htm),
            &on_event,
            &Control::default(),
        );
        let heard = heard.into_inner().unwrap();
        let told = heard.iter().rev();
        let told = told.map(|each| (each.length, each.lower_bound, each.upper_bound));
        let starts = iter::once((0, &review.start));
        let ends = review
            .moves
            .iter()
            .map(|each| (each.length, &each.position));
        let found = starts
            .chain(ends)
            .map(|(length, it)| (Some(length), it.lower_bound, it.upper_bound));
        assert!(told.eq(found), "{heard:?}");
        assert!(heard.iter().is_sorted_by_key(|each| each.done));
        let last = heard.last().unwrap();
        assert_eq!((last.done, last.total), (5, 5));
    }

    #[test]
    fn positions_are_held_as_after_the_moves() {
        let scramble = "R U F";
        let text = "y // inspection\nB' S z // slice\nU M R2";
        let review = reviewed(scramble, text);
        let mut setup = scramble.to_owned();
        let mut length = 0;
        for (each, own) in review.moves.iter().zip([0, 1, 2, 0, 1, 2, 1]) {
            setup += &format!(" {}", each.name);
            length += own;
            let position: Cube = setup.parse().unwrap();
            assert_eq!(each.position.facelets, position.facelets());
            assert_eq!(each.length, length);
            let end = format!("{setup} {}", each.position.continuation.as_ref().unwrap());
            assert!(end.parse::<Cube>().unwrap().is_solved(), "{end}");
        }
        let steps = review.moves.iter().map(|each| each.step.unwrap());
        assert!(steps.eq([0, 1, 1, 1, 2, 2, 2]));
        assert!(!review.is_solved);
        assert_eq!(review.moves[0].change, Some(0));
    }

    #[test]
    fn steps_are_compared_with_their_best() {
        let text = "x2 // inspection\nR R' D' B2 U // cross\nU2 // end";
        let review = reviewed("D F2 U", text);
        let cross = &review.steps[1];
        assert_eq!(
            (cross.before, cross.after, cross.length),
            (Some(3), Some(1), 5)
        );
        // All of the first two layers are solved, held with their cross down.
        let best = cross.best.as_ref().unwrap();
        assert!(best.goal.starts_with("xcross:D"), "{}", best.goal);
        assert_eq!(best.length, 2);
        assert_eq!((review.lost, review.kept, review.length), (1, 1, 6));
        assert!(review.steps[0].best.is_none() && review.steps[2].best.is_none());
    }

    #[test]
    fn steps_of_a_write_up_are_positions_of_both_sides() {
        let review = reviewed("R U F D2", "D2 F' // eo:FB (2/2)\n(R) // dr\nU'");
        assert!(review.niss && review.is_solved);
        assert_eq!(review.solution, "D2 F' U' R'");
        let steps = review.steps.iter();
        let distances: Vec<_> = steps
            .map(|step| step.before.zip(step.after).unwrap())
            .collect();
        assert_eq!(distances, [(4, 2), (2, 1), (1, 0)]);
        let best = review.steps.iter().map(|step| {
            let best = step.best.as_ref()?;
            Some((&best.goal[..], best.length))
        });
        assert!(best.eq([Some(("eo:FB", 2)), Some(("dr:UD", 1)), None]));
    }

    #[test]
    fn a_stopped_review_has_bounds() {
        let cancel = cosette::Cancel::new();
        cancel.cancel();
        let control = Control::default().with_cancel(&cancel);
        let scramble: Cube = "R U F D2 L".parse().unwrap();
        let review = review_of(&scramble, "L' L L' D2 F' U' R'", Metric::Htm, &control);
        assert_eq!(review.stop_reason, Some(StopReason::Interrupt));
        let start = &review.start;
        assert!(
            start.lower_bound <= 5 && start.upper_bound == 5,
            "{start:?}"
        );
        assert_eq!(review.moves.last().unwrap().position.distance, Some(0));
    }
}

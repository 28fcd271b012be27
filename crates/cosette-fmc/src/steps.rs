//! Solvers of one step: all its solutions with a given number of moves, on one side or on both,
//! proven complete.
//!
//! Moves on the inverse of a scramble are equivalent to moves on it: if N is done on the scramble S
//! and I on its inverse, the resulting position is I⁻¹·S·N. A reduction is a subgroup, so it holds
//! on both sides or on neither. A step uses the turns that preserve the current reduction, which
//! generate its subgroup H, until the next, smaller subgroup H' is reached.
//!
//! # Distinct solutions
//!
//! If N leads to H', so does N·h for any h of H'. One of these is a solution of the step, and the
//! others are this solution followed by the beginning of the next step:
//!
//! - A solution cannot be shortened at the end: no proper part of it, in any order of its commuting
//!   turns, on any side, reaches H'. Its last turns are therefore quarter turns, as all half turns
//!   are in every H'.
//! - The direction of these last quarter turns does not matter: `F'` is `F` followed by `F2`. They
//!   are counted once, as clockwise turns, as competitors and nissy count them. All directions are
//!   tried in the steps after it ([`directions`]).
//!
//! With these rules, moves of different steps need never cancel. Let a step end on one side with a
//! quarter turn of a face, and a later one continue there with a turn of the same face: a half
//! turn, as the quarter turn does not preserve the first step's reduction. Together they are the
//! other quarter turn: the first step in another direction, and the later one with one move less.
//! Nor does a last turn of N undo one of I in N·I⁻¹, if these are of different steps: the later
//! step would have made the turn that ends the earlier one, which does not preserve its reduction.
//! So the shortest skeletons are among those whose total is the sum of their steps.

use super::pipeline::{NissMode, Step, StepKind, axis_name};
use super::reduction::{NissMoves, Reduction, Side};
use super::trigger::ends_with_one;
use cosette::control::lock_unless_cancelled;
use cosette::cube::{Axis, Cube, Face, Move, MoveSet, Symmetry, Turn, canonical};
use cosette::goal::{Goal, GoalSolver, TurnMetric, TurnSet};
use cosette::{Cancel, Control, ThreadCount};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// A solution of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSolution {
    /// The moves on the scramble, and those on the inverse.
    pub moves: NissMoves,
    /// The reduction that they reach.
    pub reached: Reduction,
}

impl StepSolution {
    /// Returns the solution with each direction of its last quarter turns, on both sides.
    pub(super) fn in_all_directions(&self) -> Vec<StepSolution> {
        let [normal, inverse] = self.moves.each_ref().map(|moves| directions(moves));
        let with = |normal: &Vec<Move>, inverse: &Vec<Move>| StepSolution {
            moves: [normal.clone(), inverse.clone()],
            ..*self
        };
        normal
            .iter()
            .flat_map(|normal| inverse.iter().map(move |inverse| with(normal, inverse)))
            .collect()
    }
}

/// The solvers of steps, created on demand.
#[derive(Default)]
pub struct StepSolvers {
    /// A few megabytes each; there are about twenty.
    solvers: RwLock<Vec<(Key, Arc<GoalSolver>)>>,
    /// Held by the thread that creates a solver.
    making: Mutex<()>,
}

/// Key of a solver: the reduction that it preserves, mapped to the canonical axis, its step, and
/// the axes of the step.
type Key = (Reduction, StepKind, Vec<Axis>);

/// The search was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancellation;

impl StepSolvers {
    /// Returns a lower bound on the number of moves of a step; `None` if the step cannot be
    /// reached.
    ///
    /// # Errors
    ///
    /// Returns [`Cancellation`] if `control` is cancelled.
    pub fn lower_bound(
        &self,
        position: &Cube,
        reached: Reduction,
        step: &Step,
        control: &Control<'_>,
    ) -> Result<Option<u32>, Cancellation> {
        let Some(solver) = self.solver(reached, step, control)? else {
            return Ok(None);
        };
        let seen = position.conjugate(reached.to_canonical_axis());
        let least = solver.lower_bound(&seen);
        // The inverse of a solution of a position solves the inverse position.
        let on_inverse = if step.kind == StepKind::Finish {
            None
        } else {
            solver.lower_bound(&seen.inverse())
        };
        let least = least.into_iter().chain(on_inverse).min();
        // Moves on both sides may be fewer than on either alone.
        let most = if step.niss == Some(NissMode::Mixed) && step.kind != StepKind::Finish {
            1
        } else {
            u32::MAX
        };
        Ok(least.map(|least| least.min(most)))
    }

    /// Returns all solutions of exactly `length` moves, from a position whose last moves were on
    /// `side`; `None` if there is no solution of `length` or more moves.
    ///
    /// # Errors
    ///
    /// Returns [`Cancellation`] if `control` is cancelled.
    pub fn solutions(
        &self,
        position: &Cube,
        (reached, side): (Reduction, Side),
        step: &Step,
        length: u32,
        control: &Control<'_>,
    ) -> Result<Option<Vec<StepSolution>>, Cancellation> {
        // If the step already holds on all its axes, its only solution has no moves.
        if length > 0
            && reached
                .axes_of(step)
                .iter()
                .all(|&axis| step.kind.reached(axis).holds(position))
        {
            return Ok(None);
        }
        let Some(solver) = self.solver(reached, step, control)? else {
            return Ok(None);
        };
        let search = StepSearch {
            solver: &solver,
            reached,
            kind: step.kind,
            back: reached.to_canonical_axis().inverse(),
        };
        // The point at which a solution of the cube is split between the sides does not matter.
        let niss = if step.kind == StepKind::Finish {
            NissMode::None
        } else {
            step.niss.unwrap_or_default()
        };
        let sides = Side::BOTH.into_iter().filter(|&other| match niss {
            NissMode::None => other == side,
            // Without moves, both sides are the same.
            _ => length > 0 || other == side,
        });
        let mut ways = Vec::new();
        for side in sides {
            ways.extend(search.on(side, position, length, control.cancel_token())?);
        }
        if niss == NissMode::Mixed {
            search.on_both(position, length, &mut ways, control.cancel_token())?;
        }
        if !step.triggers.is_empty() {
            ways.retain(|way| ends_with_one(&step.triggers, &way.moves, reached, way.reached));
        }
        Ok(Some(ways))
    }

    /// Returns the solver of a step, created if necessary; `None` if the step has no axis left.
    fn solver(
        &self,
        reached: Reduction,
        step: &Step,
        control: &Control<'_>,
    ) -> Result<Option<Arc<GoalSolver>>, Cancellation> {
        let rotation = reached.to_canonical_axis();
        let step_axes: Vec<Axis> = reached
            .axes_of(step)
            .into_iter()
            .map(|axis| rotation.axis(axis))
            .collect();
        let axes: Vec<Axis> = Axis::ALL
            .into_iter()
            .filter(|axis| step_axes.contains(axis))
            .collect();
        if axes.is_empty() {
            return Ok(None);
        }
        let usual = match reached {
            Reduction::Eo(_) => Reduction::Eo(Axis::Fb),
            Reduction::Dr(_) => Reduction::Dr(Axis::Ud),
            other => other,
        };
        let key = (
            usual,
            step.kind,
            if step.kind.has_axis() {
                axes
            } else {
                Vec::new()
            },
        );
        let known = || {
            let solvers = self.solvers.read().unwrap_or_else(PoisonError::into_inner);
            solvers
                .iter()
                .find(|(known, _)| *known == key)
                .map(|(_, solver)| solver.clone())
        };
        if let Some(solver) = known() {
            return Ok(Some(solver));
        }
        let _making = lock_unless_cancelled(&self.making, control, || {}).ok_or(Cancellation)?;
        if let Some(solver) = known() {
            return Ok(Some(solver));
        }
        let turns: Vec<String> = usual
            .turns()
            .iter()
            .map(|m| {
                if m.turn() == Turn::Clockwise {
                    format!("{m}+")
                } else {
                    m.to_string()
                }
            })
            .collect();
        let turns = TurnSet::parse(&turns.join(" "), TurnMetric::Htm, "")
            .unwrap_or_else(|error| unreachable!("turns of faces cost one: {error}"));
        let goal = match step.kind {
            StepKind::Finish => "solved".to_owned(),
            StepKind::Htr => StepKind::Htr.name().to_owned(),
            kind => key
                .2
                .iter()
                .map(|&axis| format!("{}:{}", kind.name(), axis_name(axis)))
                .collect::<Vec<_>>()
                .join(" | "),
        };
        let goal: Goal = goal
            .parse()
            .unwrap_or_else(|error| unreachable!("steps are goals: {error}"));
        let solver = Arc::new(GoalSolver::new(&goal, &turns, control).map_err(|_| Cancellation)?);
        let added = (key.clone(), solver.clone());
        self.solvers
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .push(added);
        Ok(Some(solver))
    }
}

/// A search for solutions of one step.
struct StepSearch<'a> {
    solver: &'a GoalSolver,
    reached: Reduction,
    kind: StepKind,
    /// The rotation back from the canonical axis.
    back: Symmetry,
}

impl StepSearch<'_> {
    /// Returns the solutions on one side.
    fn on(
        &self,
        side: Side,
        position: &Cube,
        length: u32,
        cancel: &Cancel,
    ) -> Result<Vec<StepSolution>, Cancellation> {
        let position = if side == Side::Normal {
            *position
        } else {
            position.inverse()
        };
        let seen = position.conjugate(self.back.inverse());
        let search = self
            .solver
            .search(&seen)
            .all()
            .slack(u32::MAX)
            .max_cost(length);
        let report = search.threads(ThreadCount::ONE).with_cancel(cancel).run();
        if cancel.is_cancelled() {
            return Err(Cancellation);
        }
        let found = report
            .solutions
            .into_iter()
            .filter(|found| found.cost == length)
            .map(|found| {
                let moves: Vec<Move> = found
                    .moves()
                    .into_iter()
                    .map(|m| self.back.conjugate_move(m))
                    .collect();
                let axis =
                    found.variant.chars().last().and_then(|letter| {
                        Face::ALL.into_iter().find(|face| face.letter() == letter)
                    });
                let axis = axis.map_or(Axis::Ud, |face| self.back.face(face).axis());
                let mut sides = NissMoves::default();
                // The rotation may change the order of opposite faces.
                sides[side as usize] = canonical(&moves);
                StepSolution {
                    moves: sides,
                    reached: self.kind.reached(axis),
                }
            });
        Ok(found
            .filter(|way| self.is_the_one(&way.moves[side as usize]))
            .collect())
    }

    /// Returns `true` if the last quarter turns have the canonical direction.
    fn is_the_one(&self, moves: &[Move]) -> bool {
        self.kind == StepKind::Finish
            || last_run(moves)
                .iter()
                .all(|m| m.turn() != Turn::Counterclockwise)
    }

    /// Adds the solutions with moves on both sides: for each sequence on one side, the solutions on
    /// the other.
    fn on_both(
        &self,
        position: &Cube,
        length: u32,
        ways: &mut Vec<StepSolution>,
        cancel: &Cancel,
    ) -> Result<(), Cancellation> {
        let turns = self.reached.turns();
        for fewer in 1..=length / 2 {
            // Solutions with equally many moves on each side are found once.
            for side in Side::BOTH
                .into_iter()
                .filter(|&side| fewer * 2 < length || side == Side::Inverse)
            {
                for first in sequences(&turns, fewer as usize) {
                    if cancel.is_cancelled() {
                        return Err(Cancellation);
                    }
                    if !last_run(&first).iter().all(|m| m.turn() == Turn::Clockwise) {
                        continue;
                    }
                    let after = side.after(position, &first);
                    for mut way in self.on(side.other(), &after, length - fewer, cancel)? {
                        way.moves[side as usize] = first.clone();
                        if !self.is_there_sooner(position, &way) {
                            ways.push(way);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns `true` if a proper part of the moves on both sides reaches the same reduction.
    fn is_there_sooner(&self, position: &Cube, way: &StepSolution) -> bool {
        let [normal, inverse] = way.moves.each_ref().map(|moves| beginnings(moves));
        normal.iter().any(|normal| {
            let after = Side::Normal.after(position, normal);
            inverse.iter().any(|inverse| {
                [normal, inverse] != way.moves.each_ref()
                    && way.reached.holds(&Side::Inverse.after(&after, inverse))
            })
        })
    }
}

/// Returns the final turns about one axis.
pub fn last_run(moves: &[Move]) -> &[Move] {
    let axis = moves.last().map(|m| m.face().axis());
    let run = moves
        .iter()
        .rev()
        .take_while(|m| Some(m.face().axis()) == axis)
        .count();
    &moves[moves.len() - run..]
}

/// Returns the sequence with each direction of its last quarter turns.
pub fn directions(moves: &[Move]) -> Vec<Vec<Move>> {
    let before = moves.len() - last_run(moves).len();
    moves[before..]
        .iter()
        .fold(vec![moves[..before].to_vec()], |begun, &m| {
            let turned = if m.is_half_turn() {
                vec![m]
            } else {
                vec![m, m.inverse()]
            };
            begun
                .iter()
                .flat_map(|moves| turned.iter().map(|&m| [&moves[..], &[m]].concat()))
                .collect()
        })
}

/// Returns all prefixes of a canonical sequence, up to the order of commuting turns, including the
/// empty one and the sequence itself.
fn beginnings(moves: &[Move]) -> Vec<Vec<Move>> {
    let mut found: Vec<Vec<Move>> = (0..=moves.len())
        .map(|length| moves[..length].to_vec())
        .collect();
    for (i, pair) in moves.windows(2).enumerate() {
        if pair[0].face().axis() == pair[1].face().axis() {
            found.push([&moves[..i], &pair[1..]].concat());
        }
    }
    found
}

/// Returns all canonical sequences of `length` of these turns, lazily.
fn sequences(turns: &[Move], length: usize) -> impl Iterator<Item = Vec<Move>> + '_ {
    let mut waiting = vec![Vec::new()];
    std::iter::from_fn(move || {
        loop {
            let moves: Vec<Move> = waiting.pop()?;
            if moves.len() == length {
                return Some(moves);
            }
            let may_follow = MoveSet::after(moves.last().copied());
            let next = turns.iter().rev().filter(|&&m| may_follow.contains(m));
            waiting.extend(next.map(|&m| [&moves[..], &[m]].concat()));
        }
    })
}

/// Concatenates two sequences, with cancellations.
pub fn joined(one: &[Move], other: &[Move]) -> Vec<Move> {
    canonical(&[one, other].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::AXES;
    use cosette::cube::random_walks;
    use std::collections::BTreeSet;

    /// The solutions in a list: the moves on each side, and the reduction.
    type Found = BTreeSet<(String, Reduction)>;

    fn listed(
        steps: &StepSolvers,
        position: &Cube,
        reached: Reduction,
        step: &str,
        length: u32,
    ) -> Found {
        let pipeline: super::super::pipeline::Pipeline = step.parse().unwrap();
        let step = &pipeline.stages[0].step;
        let ways = steps
            .solutions(
                position,
                (reached, Side::Normal),
                step,
                length,
                &Control::default(),
            )
            .unwrap()
            .unwrap();
        let found: Found = ways
            .iter()
            .map(|way| (format!("{:?}", way.moves), way.reached))
            .collect();
        assert_eq!(found.len(), ways.len(), "one is listed twice");
        found
    }

    /// Reference implementation by brute force: all sequences on each side that do not reach the
    /// reduction earlier in any order of commuting turns, and that do not end in a counterclockwise
    /// turn.
    fn tried(
        position: &Cube,
        before: Reduction,
        ends: &[Reduction],
        sides: &[(usize, usize)],
    ) -> Found {
        let orders = |moves: &[Move]| {
            let mut all = vec![moves.to_vec()];
            for i in 1..moves.len() {
                if moves[i - 1].face() == moves[i].face().opposite() {
                    let swapped = all.clone().into_iter().map(|mut moves| {
                        moves.swap(i - 1, i);
                        moves
                    });
                    all.extend(swapped.collect::<Vec<_>>());
                }
            }
            all
        };
        let after = |normal: &[Move], inverse: &[Move]| {
            Side::Inverse.after(&position.apply_moves(normal), inverse)
        };
        let is_minimal = |end: Reduction, normal: &[Move], inverse: &[Move]| {
            orders(normal).iter().all(|n| {
                orders(inverse).iter().all(|i| {
                    (0..=n.len()).all(|a| {
                        (0..=i.len()).all(|b| {
                            a + b == n.len() + i.len() || !end.holds(&after(&n[..a], &i[..b]))
                        })
                    })
                })
            })
        };
        let ends_clockwise = |moves: &[Move]| {
            let last = |moves: &Vec<Move>| {
                moves
                    .last()
                    .is_none_or(|m| m.turn() != Turn::Counterclockwise)
            };
            orders(moves).iter().all(last)
        };
        let mut found = Found::new();
        for &(normal, inverse) in sides {
            let turns = before.turns();
            let all = |length| sequences(&turns, length).collect::<Vec<_>>();
            let normal = all(normal);
            let inverse = all(inverse);
            for normal in normal.iter().filter(|moves| ends_clockwise(moves)) {
                for inverse in inverse.iter().filter(|moves| ends_clockwise(moves)) {
                    let end = after(normal, inverse);
                    for &end in ends.iter().filter(|reached| reached.holds(&end)) {
                        if is_minimal(end, normal, inverse) {
                            found.insert((format!("{:?}", [normal, inverse]), end));
                        }
                    }
                }
            }
        }
        found
    }

    #[test]
    fn all_ways_to_oriented_edges_are_listed() {
        let steps = StepSolvers::default();
        let ends = AXES.map(Reduction::Eo);
        let mut count = 0;
        for scramble in random_walks(44, 25).take(2) {
            let position = Cube::from_moves(&scramble);
            for length in 0..=4 {
                let listed = listed(&steps, &position, Reduction::Nothing, "eo", length as u32);
                assert_eq!(
                    listed,
                    tried(
                        &position,
                        Reduction::Nothing,
                        &ends,
                        &[(length, 0), (0, length)]
                    ),
                    "{length}"
                );
                count += listed.len();
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn ways_on_one_side_or_on_both_are_listed() {
        let steps = StepSolvers::default();
        let eo = AXES.map(Reduction::Eo);
        let position = Cube::from_moves(&random_walks(44, 25).next().unwrap());
        let mut count = 0;
        for length in 1..=3 {
            let both: Vec<(usize, usize)> = (0..=length)
                .map(|normal| (normal, length - normal))
                .collect();
            let always = listed(
                &steps,
                &position,
                Reduction::Nothing,
                "eo[niss=mixed]",
                length as u32,
            );
            assert_eq!(
                always,
                tried(&position, Reduction::Nothing, &eo, &both),
                "{length}"
            );
            let none = listed(
                &steps,
                &position,
                Reduction::Nothing,
                "eo:RL[niss=none]",
                length as u32,
            );
            assert_eq!(
                none,
                tried(
                    &position,
                    Reduction::Nothing,
                    &[Reduction::Eo(Axis::Rl)],
                    &[(length, 0)]
                ),
                "{length}"
            );
            count += always.len();
        }
        // Domino reductions with the turns that preserve edge orientation on RL.
        let before = Reduction::Eo(Axis::Rl);
        let ends = [Axis::Fb, Axis::Ud].map(Reduction::Dr);
        for position in ["F U2 F2 D R2 U' L2 B D F'", "F U' B2 D L2"] {
            let position: Cube = position.parse().unwrap();
            assert!(before.holds(&position));
            for length in 0..=4 {
                let both: Vec<(usize, usize)> = (0..=length)
                    .map(|normal| (normal, length - normal))
                    .collect();
                let always = listed(&steps, &position, before, "dr[niss=mixed]", length as u32);
                assert_eq!(always, tried(&position, before, &ends, &both), "{length}");
                count += always.len();
            }
        }
        assert!(count > 16, "{count}");
    }

    #[test]
    fn last_quarter_turns_have_two_directions() {
        let of = |text: &str| {
            let moves = cosette::cube::parse_moves(text, &Default::default()).unwrap();
            directions(moves.moves())
                .iter()
                .map(|moves| cosette::DisplayMoves(moves).to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(of("R F"), ["R F", "R F'"]);
        assert_eq!(of("U F B"), ["U F B", "U F B'", "U F' B", "U F' B'"]);
        assert_eq!(
            (of(""), of("R2")),
            (vec![String::new()], vec!["R2".to_owned()])
        );
    }
}

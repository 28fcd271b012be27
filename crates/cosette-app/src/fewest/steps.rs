//! One step: all ways to it of so many moves, on one side or on both, proven complete.
//!
//! Moves on the inverse of a scramble are as good as moves on it: if N is done on the scramble S and I on its inverse, the position left
//! is I⁻¹·S·N. What a step reaches is a subgroup, so it is reached on both sides at once. A step is made with the turns that keep what is
//! reached, which generate its subgroup H, until the next, smaller one, H', is reached.
//!
//! # Which ways are different
//!
//! If N leads to H', so does N·h for any h of H'. Of these, one is a way to the step, and the others are it and a beginning of the next:
//!
//! - one in which nothing can be left out at the end: no part of it, in any order of its turns that commute, on any side, is there
//!   sooner. So its last turns are quarter turns, as all half turns are in every H';
//! - the direction of these last quarter turns does not matter: `F'` is `F` and then `F2`. They are counted once, as clockwise turns,
//!   as competitors write and nissy counts them. All directions are tried in the steps after it ([`directions`]).
//!
//! With these, moves of different steps need never cancel. Let a step end on one side with a quarter turn of a face, and a later one go on there
//! with a turn of the same face: a half turn, as the quarter turn does not keep what the first step has reached. Together they are the
//! other quarter turn: the first step in another direction, and the later one with a move less. Nor does a last turn of N undo one of I in N·I⁻¹,
//! if these are of different steps: the later one would have made the turn that ends the earlier one, which does not keep what it has reached.
//! So the shortest skeletons are among those whose moves add up to their length.

use super::pipeline::{Kind, Niss, Step, axis_name};
use super::reached::{Reached, Side, Sides};
use super::trigger::ends_with_one;
use crate::goals::lock_unless_cancelled;
use cosette::cube::{Axis, Cube, Face, Move, MoveSet, Symmetry, Turn, canonical};
use cosette::goal::{Goal, GoalSolver, TurnMetric, Turns};
use cosette::{Cancel, Control, ThreadCount};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// A way to a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// Its moves on the scramble, and those on the inverse.
    pub moves: Sides,
    /// What is reached then.
    pub reached: Reached,
}

impl Way {
    /// With each direction of its last quarter turns, on both sides.
    pub(super) fn in_all_directions(&self) -> Vec<Way> {
        let [normal, inverse] = self.moves.each_ref().map(|moves| directions(moves));
        let with = |normal: &Vec<Move>, inverse: &Vec<Move>| Way { moves: [normal.clone(), inverse.clone()], ..*self };
        normal.iter().flat_map(|normal| inverse.iter().map(move |inverse| with(normal, inverse))).collect()
    }
}

/// The solvers of steps, made as they are needed.
#[derive(Default)]
pub struct Steps {
    /// Of some megabytes each; there are about twenty.
    solvers: RwLock<Vec<(Key, Arc<GoalSolver>)>>,
    /// Whoever makes one has this.
    making: Mutex<()>,
}

/// What a solver keeps, as seen after the rotation to the usual axis; and what it reaches, along which axes.
type Key = (Reached, Kind, Vec<Axis>);

/// It was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl Steps {
    /// A lower bound of the number of moves to a step; `None` if no number of moves leads there.
    pub fn lower_bound(
        &self,
        position: &Cube,
        reached: Reached,
        step: &Step,
        control: &Control<'_>,
    ) -> Result<Option<u32>, Stopped> {
        let Some(solver) = self.solver(reached, step, control)? else { return Ok(None) };
        let seen = position.conjugate(reached.to_usual());
        let least = solver.lower_bound(&seen);
        // What solves a position, turned back, solves its inverse.
        let on_inverse = if step.kind == Kind::Finish { None } else { solver.lower_bound(&seen.inverse()) };
        let least = least.into_iter().chain(on_inverse).min();
        // Some moves on each side may be fewer than all on one of them.
        let most = if step.niss == Some(Niss::Always) && step.kind != Kind::Finish { 1 } else { u32::MAX };
        Ok(least.map(|least| least.min(most)))
    }

    /// All ways of exactly `length` moves, from a position whose last moves were on `side`; `None` if there are none of so many moves or more.
    pub fn ways(
        &self,
        position: &Cube,
        (reached, side): (Reached, Side),
        step: &Step,
        length: u32,
        control: &Control<'_>,
    ) -> Result<Option<Vec<Way>>, Stopped> {
        // From where all that the step may reach holds, its only way has no moves.
        if length > 0 && reached.axes_of(step).iter().all(|&axis| step.kind.reached(axis).holds(position)) {
            return Ok(None);
        }
        let Some(solver) = self.solver(reached, step, control)? else { return Ok(None) };
        let search = OneStep { solver: &solver, reached, kind: step.kind, back: reached.to_usual().inverse() };
        // Where a sequence that solves the cube is cut in two makes no difference.
        let niss = if step.kind == Kind::Finish { Niss::None } else { step.niss.unwrap_or_default() };
        let sides = Side::BOTH.into_iter().filter(|&other| match niss {
            Niss::None => other == side,
            // Without moves both are the same.
            _ => length > 0 || other == side,
        });
        let mut ways = Vec::new();
        for side in sides {
            ways.extend(search.on(side, position, length, control.cancel())?);
        }
        if niss == Niss::Always {
            search.on_both(position, length, &mut ways, control.cancel())?;
        }
        if !step.triggers.is_empty() {
            ways.retain(|way| ends_with_one(&step.triggers, &way.moves, reached, way.reached));
        }
        Ok(Some(ways))
    }

    /// The solver of a step, made if it is not there; `None` if no axis is left for it.
    fn solver(&self, reached: Reached, step: &Step, control: &Control<'_>) -> Result<Option<Arc<GoalSolver>>, Stopped> {
        let rotation = reached.to_usual();
        let mut axes: Vec<Axis> = reached.axes_of(step).into_iter().map(|axis| rotation.axis(axis)).collect();
        axes.sort_unstable();
        if axes.is_empty() {
            return Ok(None);
        }
        let usual = match reached {
            Reached::Eo(_) => Reached::Eo(Axis::Fb),
            Reached::Dr(_) => Reached::Dr(Axis::Ud),
            other => other,
        };
        let key = (usual, step.kind, if step.kind.has_axis() { axes } else { Vec::new() });
        let known = || {
            let solvers = self.solvers.read().unwrap_or_else(PoisonError::into_inner);
            solvers.iter().find(|(known, _)| *known == key).map(|(_, solver)| solver.clone())
        };
        if let Some(solver) = known() {
            return Ok(Some(solver));
        }
        let _making = lock_unless_cancelled(&self.making, control, || {}).ok_or(Stopped)?;
        if let Some(solver) = known() {
            return Ok(Some(solver));
        }
        let turns: Vec<String> = usual
            .turns()
            .iter()
            .map(|m| if m.turn() == Turn::Clockwise { format!("{m}+") } else { m.to_string() })
            .collect();
        let turns = Turns::read(&turns.join(" "), TurnMetric::Htm, "")
            .unwrap_or_else(|error| unreachable!("turns of faces cost one: {error}"));
        let goal = match step.kind {
            Kind::Finish => "solved".to_owned(),
            Kind::Htr => Kind::Htr.name().to_owned(),
            kind => {
                key.2.iter().map(|&axis| format!("{}:{}", kind.name(), axis_name(axis))).collect::<Vec<_>>().join(" | ")
            }
        };
        let goal: Goal = goal.parse().unwrap_or_else(|error| unreachable!("steps are goals: {error}"));
        let solver = Arc::new(GoalSolver::new(&goal, &turns, control).map_err(|_| Stopped)?);
        let added = (key.clone(), solver.clone());
        self.solvers.write().unwrap_or_else(PoisonError::into_inner).push(added);
        Ok(Some(solver))
    }
}

/// The search of one step.
struct OneStep<'a> {
    solver: &'a GoalSolver,
    reached: Reached,
    kind: Kind,
    /// The rotation back from the usual axis.
    back: Symmetry,
}

impl OneStep<'_> {
    /// The ways that are on one side.
    fn on(&self, side: Side, position: &Cube, length: u32, cancel: &Cancel) -> Result<Vec<Way>, Stopped> {
        let position = if side == Side::Normal { *position } else { position.inverse() };
        let seen = position.conjugate(self.back.inverse());
        let search = self.solver.search(&seen).all().slack(u32::MAX).max_cost(length);
        let report = search.threads(ThreadCount::ONE).cancel(cancel).run();
        if cancel.is_cancelled() {
            return Err(Stopped);
        }
        let found = report.found.into_iter().filter(|found| found.cost == length).map(|found| {
            let moves: Vec<Move> = found.moves().into_iter().map(|m| self.back.conjugate_move(m)).collect();
            let axis = found
                .place
                .chars()
                .last()
                .and_then(|letter| Face::ALL.into_iter().find(|face| face.letter() == letter));
            let axis = axis.map_or(Axis::Ud, |face| self.back.face(face).axis());
            let mut sides = Sides::default();
            // Opposite faces may be in another order there.
            sides[side as usize] = canonical(&moves);
            Way { moves: sides, reached: self.kind.reached(axis) }
        });
        Ok(found.filter(|way| self.is_the_one(&way.moves[side as usize])).collect())
    }

    /// Whether its last quarter turns have the direction that is counted.
    fn is_the_one(&self, moves: &[Move]) -> bool {
        self.kind == Kind::Finish || last_run(moves).iter().all(|m| m.turn() != Turn::Counterclockwise)
    }

    /// Adds the ways that have moves on both sides: for all moves on one of them, those on the other.
    fn on_both(&self, position: &Cube, length: u32, ways: &mut Vec<Way>, cancel: &Cancel) -> Result<(), Stopped> {
        let turns = self.reached.turns();
        for fewer in 1..=length / 2 {
            // As many on each side are found once.
            for side in Side::BOTH.into_iter().filter(|&side| fewer * 2 < length || side == Side::Inverse) {
                for first in sequences(&turns, fewer as usize) {
                    if cancel.is_cancelled() {
                        return Err(Stopped);
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

    /// Whether parts of the moves on each side lead there as well.
    fn is_there_sooner(&self, position: &Cube, way: &Way) -> bool {
        let [normal, inverse] = way.moves.each_ref().map(|moves| beginnings(moves));
        normal.iter().any(|normal| {
            let after = Side::Normal.after(position, normal);
            inverse.iter().any(|inverse| {
                [normal, inverse] != way.moves.each_ref() && way.reached.holds(&Side::Inverse.after(&after, inverse))
            })
        })
    }
}

/// The turns about one axis at the end.
pub fn last_run(moves: &[Move]) -> &[Move] {
    let axis = moves.last().map(|m| m.face().axis());
    let run = moves.iter().rev().take_while(|m| Some(m.face().axis()) == axis).count();
    &moves[moves.len() - run..]
}

/// The sequence with each direction of its last quarter turns.
pub fn directions(moves: &[Move]) -> Vec<Vec<Move>> {
    let before = moves.len() - last_run(moves).len();
    moves[before..].iter().fold(vec![moves[..before].to_vec()], |begun, &m| {
        let turned = if m.is_half_turn() { vec![m] } else { vec![m, m.inverse()] };
        begun.iter().flat_map(|moves| turned.iter().map(|&m| [&moves[..], &[m]].concat())).collect()
    })
}

/// All that may be done first of a canonical sequence, as turns of opposite faces commute; with nothing and all of it.
fn beginnings(moves: &[Move]) -> Vec<Vec<Move>> {
    let mut found: Vec<Vec<Move>> = (0..=moves.len()).map(|length| moves[..length].to_vec()).collect();
    for (i, pair) in moves.windows(2).enumerate() {
        if pair[0].face().axis() == pair[1].face().axis() {
            found.push([&moves[..i], &pair[1..]].concat());
        }
    }
    found
}

/// All canonical sequences of so many of these turns, made one after the other.
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

/// One sequence and then another, with turns that meet added up.
pub fn joined(one: &[Move], other: &[Move]) -> Vec<Move> {
    canonical(&[one, other].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fewest::pipeline::AXES;
    use cosette::cube::random_walks;
    use std::collections::BTreeSet;

    /// What a list has: the moves on each side, and what they reach.
    type Found = BTreeSet<(String, Reached)>;

    fn listed(steps: &Steps, position: &Cube, reached: Reached, step: &str, length: u32) -> Found {
        let pipeline: super::super::pipeline::Pipeline = step.parse().unwrap();
        let step = &pipeline.stages[0].step;
        let ways = steps.ways(position, (reached, Side::Normal), step, length, &Control::default()).unwrap().unwrap();
        let found: Found = ways.iter().map(|way| (format!("{:?}", way.moves), way.reached)).collect();
        assert_eq!(found.len(), ways.len(), "one is listed twice");
        found
    }

    /// The same by trying everything: all sequences on each side, of which no order of commuting turns is there sooner, and none
    /// ends in a counterclockwise turn.
    fn tried(position: &Cube, before: Reached, ends: &[Reached], sides: &[(usize, usize)]) -> Found {
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
        let after = |normal: &[Move], inverse: &[Move]| Side::Inverse.after(&position.after(normal), inverse);
        let is_minimal = |end: Reached, normal: &[Move], inverse: &[Move]| {
            orders(normal).iter().all(|n| {
                orders(inverse).iter().all(|i| {
                    (0..=n.len()).all(|a| {
                        (0..=i.len()).all(|b| a + b == n.len() + i.len() || !end.holds(&after(&n[..a], &i[..b])))
                    })
                })
            })
        };
        let ends_clockwise = |moves: &[Move]| {
            let last = |moves: &Vec<Move>| moves.last().is_none_or(|m| m.turn() != Turn::Counterclockwise);
            orders(moves).iter().all(last)
        };
        let mut found = Found::new();
        for &(normal, inverse) in sides {
            let turns = before.turns();
            let all = |length| sequences(&turns, length).collect::<Vec<_>>();
            let (normal, inverse) = (all(normal), all(inverse));
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
        let (steps, ends) = (Steps::default(), AXES.map(Reached::Eo));
        let mut count = 0;
        for scramble in random_walks(44, 25).take(2) {
            let position = Cube::from_moves(&scramble);
            for length in 0..=4 {
                let listed = listed(&steps, &position, Reached::Nothing, "eo", length as u32);
                assert_eq!(listed, tried(&position, Reached::Nothing, &ends, &[(length, 0), (0, length)]), "{length}");
                count += listed.len();
            }
        }
        assert!(count > 20, "{count}");
    }

    #[test]
    fn ways_on_one_side_or_on_both_are_listed() {
        let steps = Steps::default();
        let eo = AXES.map(Reached::Eo);
        let (position, mut count) = (Cube::from_moves(&random_walks(44, 25).next().unwrap()), 0);
        for length in 1..=3 {
            let both: Vec<(usize, usize)> = (0..=length).map(|normal| (normal, length - normal)).collect();
            let always = listed(&steps, &position, Reached::Nothing, "eo[niss=always]", length as u32);
            assert_eq!(always, tried(&position, Reached::Nothing, &eo, &both), "{length}");
            let none = listed(&steps, &position, Reached::Nothing, "eo:RL[niss=none]", length as u32);
            assert_eq!(none, tried(&position, Reached::Nothing, &[Reached::Eo(Axis::Rl)], &[(length, 0)]), "{length}");
            count += always.len();
        }
        // Domino reductions, with the turns that keep edges oriented along R and L.
        let (before, ends) = (Reached::Eo(Axis::Rl), [Axis::Fb, Axis::Ud].map(Reached::Dr));
        for position in ["F U2 F2 D R2 U' L2 B D F'", "F U' B2 D L2"] {
            let position: Cube = position.parse().unwrap();
            assert!(before.holds(&position));
            for length in 0..=4 {
                let both: Vec<(usize, usize)> = (0..=length).map(|normal| (normal, length - normal)).collect();
                let always = listed(&steps, &position, before, "dr[niss=always]", length as u32);
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
            directions(moves.moves()).iter().map(|moves| cosette::Moves(moves).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of("R F"), ["R F", "R F'"]);
        assert_eq!(of("U F B"), ["U F B", "U F B'", "U F' B", "U F' B'"]);
        assert_eq!((of(""), of("R2")), (vec![String::new()], vec!["R2".to_owned()]));
    }
}

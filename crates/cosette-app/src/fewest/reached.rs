//! What a step reaches, and the two sides on which moves are done.

use super::pipeline::{AXES, Kind, Step, axis_name};
use cosette::cube::{Axis, Cube, Face, Move, Symmetry, canonical, inverse};
use cosette::goal::Goal;
use std::sync::LazyLock;

/// The side on which moves are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The scramble.
    Normal,
    /// Its inverse.
    Inverse,
}

impl Side {
    /// Both.
    pub const BOTH: [Side; 2] = [Side::Normal, Side::Inverse];

    /// The other one.
    pub const fn other(self) -> Side {
        [Side::Inverse, Side::Normal][self as usize]
    }

    /// What is left of a position after moves on this side.
    pub fn after(self, position: &Cube, moves: &[Move]) -> Cube {
        match self {
            Side::Normal => position.after(moves),
            Side::Inverse => position.inverse().after(moves).inverse(),
        }
    }
}

/// Moves on each side, by the number of the side.
pub type Sides = [Vec<Move>; 2];

/// What is left of a position after moves on both sides.
pub fn after(position: &Cube, moves: &Sides) -> Cube {
    Side::BOTH.into_iter().fold(*position, |position, side| side.after(&position, &moves[side as usize]))
}

/// The moves on both sides as moves on the scramble, added up where they meet: they solve it if nothing is left.
pub fn whole([normal, on_inverse]: &Sides) -> Vec<Move> {
    canonical(&[&normal[..], &inverse(on_inverse)].concat())
}

/// What is reached, and kept from then on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reached {
    /// Nothing.
    Nothing,
    /// Edges oriented along this axis.
    Eo(Axis),
    /// Domino reduction along this axis.
    Dr(Axis),
    /// Half-turn reduction.
    Htr,
    /// All.
    Solved,
}

impl Reached {
    /// The faces whose quarter turns keep it.
    fn quarter_faces(self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |face| match self {
            Reached::Nothing => true,
            Reached::Eo(axis) => face.axis() != axis,
            Reached::Dr(axis) => face.axis() == axis,
            Reached::Htr | Reached::Solved => false,
        })
    }

    /// The turns that keep it.
    pub fn turns(self) -> Vec<Move> {
        let quarters: Vec<Face> = self.quarter_faces().collect();
        Move::ALL.into_iter().filter(|m| m.is_half_turn() || quarters.contains(&m.face())).collect()
    }

    /// A rotation that carries its axis to the usual one, that of F or, for a domino reduction, that of U: so all axes share their tables.
    pub(super) fn to_usual(self) -> Symmetry {
        match self {
            Reached::Eo(Axis::Rl) => Symmetry::rotation(Face::U),
            Reached::Dr(Axis::Rl) => Symmetry::rotation(Face::F),
            Reached::Eo(Axis::Ud) | Reached::Dr(Axis::Fb) => Symmetry::rotation(Face::R),
            _ => Symmetry::IDENTITY,
        }
    }

    /// Along which axes a step may follow: a domino reduction along the axis of the oriented edges would not keep them.
    pub(super) fn axes_of(self, step: &Step) -> Vec<Axis> {
        step.axes().filter(|&axis| self != Reached::Eo(axis)).collect()
    }

    /// Reductions that a first step may keep. [`Nothing`](Reached::Nothing) is the last of them: a first step may use all turns, as no earlier
    /// step is there to be kept. The others hold already, and the ways that keep them, which are among those with all turns, are fewer and
    /// found sooner. Only triggers need oriented edges; empty if there are none.
    pub fn before(step: &Step, position: &Cube) -> Vec<Reached> {
        let along = |reached: fn(Axis) -> Reached| AXES.map(reached).to_vec();
        let mut kept = match step.kind {
            Kind::Eo => Vec::new(),
            Kind::Dr => along(Reached::Eo),
            Kind::Htr => along(Reached::Dr),
            Kind::Finish => [vec![Reached::Htr], along(Reached::Dr)].concat(),
        };
        kept.retain(|reached| reached.holds(position) && !reached.axes_of(step).is_empty());
        if step.triggers.is_empty() {
            kept.push(Reached::Nothing);
        }
        kept
    }

    /// The positions that have reached it; `None` if all have.
    pub(super) fn goal(self) -> Option<&'static Goal> {
        let number = match self {
            Reached::Nothing => return None,
            Reached::Eo(axis) => axis as usize,
            Reached::Dr(axis) => 3 + axis as usize,
            Reached::Htr => 6,
            Reached::Solved => 7,
        };
        Some(&GOALS[number])
    }

    /// Whether it is reached by a position.
    pub fn holds(self, position: &Cube) -> bool {
        self.goal().is_none_or(|goal| goal.is_met(position))
    }
}

impl Kind {
    /// What the step reaches along an axis, if it has one.
    pub(super) fn reached(self, axis: Axis) -> Reached {
        match self {
            Kind::Eo => Reached::Eo(axis),
            Kind::Dr => Reached::Dr(axis),
            Kind::Htr => Reached::Htr,
            Kind::Finish => Reached::Solved,
        }
    }
}

/// The goals of steps: `eo` and `dr` along each axis, `htr`, and the solved cube.
static GOALS: LazyLock<Vec<Goal>> = LazyLock::new(|| {
    let along = |kind: Kind| Axis::ALL.map(|axis| format!("{}:{}", kind.name(), axis_name(axis)));
    let names = along(Kind::Eo).into_iter().chain(along(Kind::Dr)).chain(["htr", "solved"].map(str::to_owned));
    names.map(|name| name.parse().unwrap_or_else(|error| unreachable!("steps are goals: {error}"))).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_step_may_keep_what_holds_and_need_not() {
        let before = |step: &str, moves: &str| {
            let pipeline: crate::fewest::pipeline::Pipeline = step.parse().unwrap();
            Reached::before(&pipeline.stages[0].step, &moves.parse().unwrap())
        };
        assert_eq!(before("eo", "R U F"), [Reached::Nothing]);
        assert_eq!(before("dr", "R U F L"), [Reached::Nothing]);
        assert_eq!(before("dr", "R U L D"), [Reached::Eo(Axis::Fb), Reached::Nothing]);
        assert_eq!(before("dr:FB", "R U L D"), [Reached::Nothing]);
        assert_eq!(before("dr[triggers=R]", "R U L D"), [Reached::Eo(Axis::Fb)]);
        assert_eq!(before("dr[triggers=R]", "R U F L"), []);
        assert_eq!(before("htr", "R U"), [Reached::Nothing]);
        assert_eq!(before("htr", "R F2 U2 R"), [Reached::Dr(Axis::Rl), Reached::Nothing]);
        assert_eq!(before("finish", "R F2 U2 R"), [Reached::Dr(Axis::Rl), Reached::Nothing]);
        let axes = AXES.map(Reached::Dr);
        assert_eq!(before("finish", "R2 F2"), [&[Reached::Htr][..], &axes, &[Reached::Nothing]].concat());
    }
}

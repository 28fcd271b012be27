//! Reductions, and moves on the two sides of a scramble (NISS).

use super::pipeline::{AXES, Step, StepKind, axis_name};
use cosette::cube::{Axis, Cube, Face, Move, Symmetry, canonical, inverse};
use cosette::goal::Goal;
use std::sync::LazyLock;

/// The side on which moves are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The scramble.
    Normal,
    /// The inverse of the scramble.
    Inverse,
}

impl Side {
    /// Both sides.
    pub const BOTH: [Side; 2] = [Side::Normal, Side::Inverse];

    /// Returns the other side.
    pub const fn other(self) -> Side {
        [Side::Inverse, Side::Normal][self as usize]
    }

    /// Returns the position after moves on this side.
    pub fn after(self, position: &Cube, moves: &[Move]) -> Cube {
        match self {
            Side::Normal => position.apply_moves(moves),
            Side::Inverse => position.inverse().apply_moves(moves).inverse(),
        }
    }
}

/// Moves on each side, indexed by [`Side`].
pub type NissMoves = [Vec<Move>; 2];

/// Returns the position after moves on both sides.
pub fn apply_niss(position: &Cube, moves: &NissMoves) -> Cube {
    Side::BOTH.into_iter().fold(*position, |position, side| {
        side.after(&position, &moves[side as usize])
    })
}

/// Linearizes moves on both sides into moves on the scramble, with cancellations. The result solves
/// the scramble if the moves on both sides do.
pub fn linearize([normal, on_inverse]: &NissMoves) -> Vec<Move> {
    canonical(&[&normal[..], &inverse(on_inverse)].concat())
}

/// A reduction: a subgroup that a step reaches and later steps preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduction {
    /// No reduction.
    Nothing,
    /// Edges oriented on this axis.
    Eo(Axis),
    /// Domino reduction on this axis.
    Dr(Axis),
    /// Half-turn reduction.
    Htr,
    /// The solved cube.
    Solved,
}

impl Reduction {
    /// Returns the faces whose quarter turns preserve the reduction.
    fn quarter_faces(self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |face| match self {
            Reduction::Nothing => true,
            Reduction::Eo(axis) => face.axis() != axis,
            Reduction::Dr(axis) => face.axis() == axis,
            Reduction::Htr | Reduction::Solved => false,
        })
    }

    /// Returns the turns that preserve the reduction.
    pub fn turns(self) -> Vec<Move> {
        let quarters: Vec<Face> = self.quarter_faces().collect();
        Move::ALL
            .into_iter()
            .filter(|m| m.is_half_turn() || quarters.contains(&m.face()))
            .collect()
    }

    /// Returns a rotation that maps its axis to the canonical one, FB or, for a domino reduction,
    /// UD, so that all axes share their pattern databases.
    pub(super) fn to_canonical_axis(self) -> Symmetry {
        match self {
            Reduction::Eo(Axis::Rl) => Symmetry::rotation(Face::U),
            Reduction::Dr(Axis::Rl) => Symmetry::rotation(Face::F),
            Reduction::Eo(Axis::Ud) | Reduction::Dr(Axis::Fb) => Symmetry::rotation(Face::R),
            _ => Symmetry::IDENTITY,
        }
    }

    /// Returns the axes along which a step may follow: a domino reduction on the axis of the
    /// oriented edges would not preserve them.
    pub(super) fn axes_of(self, step: &Step) -> Vec<Axis> {
        step.axes()
            .filter(|&axis| self != Reduction::Eo(axis))
            .collect()
    }

    /// Returns the reductions that a first step may preserve. [`Nothing`](Reduction::Nothing) is
    /// the last of them: a first step may use all turns, as there is no earlier step to preserve.
    /// The others are already reached. Solutions that preserve them are a subset of those with all
    /// turns, but fewer, and found sooner. Only triggers need oriented edges; the list is empty if
    /// edges are not oriented.
    pub fn prerequisites(step: &Step, position: &Cube) -> Vec<Reduction> {
        let along = |reached: fn(Axis) -> Reduction| AXES.map(reached).to_vec();
        let mut kept = match step.kind {
            StepKind::Eo => Vec::new(),
            StepKind::Dr => along(Reduction::Eo),
            StepKind::Htr => along(Reduction::Dr),
            StepKind::Finish => [vec![Reduction::Htr], along(Reduction::Dr)].concat(),
        };
        kept.retain(|reached| reached.holds(position) && !reached.axes_of(step).is_empty());
        if step.triggers.is_empty() {
            kept.push(Reduction::Nothing);
        }
        kept
    }

    /// Returns the goal of positions that have the reduction; `None` for
    /// [`Nothing`](Reduction::Nothing).
    pub(super) fn goal(self) -> Option<&'static Goal> {
        let number = match self {
            Reduction::Nothing => return None,
            Reduction::Eo(axis) => axis as usize,
            Reduction::Dr(axis) => 3 + axis as usize,
            Reduction::Htr => 6,
            Reduction::Solved => 7,
        };
        Some(&GOALS[number])
    }

    /// Returns `true` if a position has this reduction.
    pub fn holds(self, position: &Cube) -> bool {
        self.goal().is_none_or(|goal| goal.is_met(position))
    }
}

impl StepKind {
    /// Returns the reduction of the step, on `axis` if it has an axis.
    pub(super) fn reached(self, axis: Axis) -> Reduction {
        match self {
            StepKind::Eo => Reduction::Eo(axis),
            StepKind::Dr => Reduction::Dr(axis),
            StepKind::Htr => Reduction::Htr,
            StepKind::Finish => Reduction::Solved,
        }
    }
}

/// The goals of steps: `eo` and `dr` on each axis, `htr`, and the solved cube.
static GOALS: LazyLock<Vec<Goal>> = LazyLock::new(|| {
    let along =
        |kind: StepKind| Axis::ALL.map(|axis| format!("{}:{}", kind.name(), axis_name(axis)));
    let names = along(StepKind::Eo)
        .into_iter()
        .chain(along(StepKind::Dr))
        .chain(["htr", "solved"].map(str::to_owned));
    names
        .map(|name| {
            name.parse()
                .unwrap_or_else(|error| unreachable!("steps are goals: {error}"))
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_step_may_keep_what_holds_and_need_not() {
        let before = |step: &str, moves: &str| {
            let pipeline: crate::pipeline::Pipeline = step.parse().unwrap();
            Reduction::prerequisites(&pipeline.stages[0].step, &moves.parse().unwrap())
        };
        assert_eq!(before("eo", "R U F"), [Reduction::Nothing]);
        assert_eq!(before("dr", "R U F L"), [Reduction::Nothing]);
        assert_eq!(
            before("dr", "R U L D"),
            [Reduction::Eo(Axis::Fb), Reduction::Nothing]
        );
        assert_eq!(before("dr:FB", "R U L D"), [Reduction::Nothing]);
        assert_eq!(
            before("dr[triggers=R]", "R U L D"),
            [Reduction::Eo(Axis::Fb)]
        );
        assert_eq!(before("dr[triggers=R]", "R U F L"), []);
        assert_eq!(before("htr", "R U"), [Reduction::Nothing]);
        assert_eq!(
            before("htr", "R F2 U2 R"),
            [Reduction::Dr(Axis::Rl), Reduction::Nothing]
        );
        assert_eq!(
            before("finish", "R F2 U2 R"),
            [Reduction::Dr(Axis::Rl), Reduction::Nothing]
        );
        let axes = AXES.map(Reduction::Dr);
        assert_eq!(
            before("finish", "R2 F2"),
            [&[Reduction::Htr][..], &axes, &[Reduction::Nothing]].concat()
        );
    }
}

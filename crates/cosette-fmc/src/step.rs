//! Steps with their options, and triggers: the last moves of a domino reduction.
//!
//! A domino reduction preserves the edge orientation before it. It needs quarter turns about the
//! *third axis*, which is neither its own axis nor that of the oriented edges. The moves from the
//! first of these quarter turns on are the *trigger*: `R`, `R U2 R`, `R U R`. Competitors know some
//! triggers by heart, and look for moves that set one up. The setup includes half turns about the
//! third axis before the trigger, and a half turn of the opposite face beside its first turn.
//!
//! A trigger is written for `eo:FB > dr:UD`. It represents its images under all symmetries, for any
//! two axes. It also represents both directions of its last quarter turns, because either direction
//! reaches the reduction.

use crate::notation::{NissMoves, last_run, read_moves};
use crate::reduction::{AXES, Reduction, StepKind, axis_name};
use cosette::cube::{Axis, Cube, DisplayMoves, Move, Symmetry, canonical};
use std::fmt;

/// The NISS mode of a step: the sides (scramble or inverse) on which its moves may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NissMode {
    /// On the side of the previous step.
    None,
    /// All on one side, either of the two.
    #[default]
    Linear,
    /// On both sides, in any distribution.
    Mixed,
}

impl NissMode {
    pub(crate) const ALL: [NissMode; 3] = [NissMode::None, NissMode::Linear, NissMode::Mixed];

    pub const fn name(self) -> &'static str {
        ["none", "linear", "mixed"][self as usize]
    }
}

/// A step, with the options that restrict its solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineStep {
    pub kind: StepKind,
    /// The only axis to try; `None` for all axes.
    pub axis: Option<Axis>,
    /// Maximum number of moves.
    pub max: Option<u32>,
    /// Maximum number of solutions from each position, shortest first. Default: 1 for `finish`, no
    /// limit for other steps.
    pub n: Option<usize>,
    pub niss: Option<NissMode>,
    /// The triggers, one of which ends the step. If empty, any end is allowed.
    pub triggers: Vec<Trigger>,
}

impl PipelineStep {
    /// Creates a step without options.
    pub fn new(kind: StepKind, axis: Option<Axis>) -> PipelineStep {
        PipelineStep {
            kind,
            axis,
            max: None,
            n: None,
            niss: None,
            triggers: Vec::new(),
        }
    }

    /// Returns the maximum number of solutions from each position.
    pub fn max_count(&self) -> usize {
        let default = match self.kind {
            StepKind::Finish => 1,
            _ => usize::MAX,
        };
        self.n.unwrap_or(default)
    }

    /// Returns the axes to try after a reduction. The axis of oriented edges is excluded, because a
    /// domino reduction on it would not preserve their orientation.
    pub fn axes_after(&self, before: Reduction) -> impl Iterator<Item = Axis> {
        AXES.into_iter().filter(move |&axis| {
            self.axis.is_none_or(|only| only == axis) && before != Reduction::Eo(axis)
        })
    }

    /// Returns the reductions that the step may preserve if it is the first one: reductions of the
    /// position, and then [`Nothing`](Reduction::Nothing), because a first step may use all turns.
    /// Solutions that preserve a reduction are also solutions with all turns, but they are fewer,
    /// and found sooner. With triggers, which need oriented edges, the list does not contain
    /// `Nothing`; it is empty if the edges are oriented on no suitable axis.
    pub fn prerequisites(&self, position: &Cube) -> Vec<Reduction> {
        let along = |reduction: fn(Axis) -> Reduction| AXES.map(reduction).to_vec();
        let mut preserved = match self.kind {
            StepKind::Eo => Vec::new(),
            StepKind::Dr => along(Reduction::Eo),
            StepKind::Htr => along(Reduction::Dr),
            StepKind::Finish => [vec![Reduction::Htr], along(Reduction::Dr)].concat(),
        };
        preserved.retain(|reduction| {
            reduction.holds(position) && self.axes_after(*reduction).next().is_some()
        });
        if self.triggers.is_empty() {
            preserved.push(Reduction::Nothing);
        }
        preserved
    }

    /// Returns `true` if a solution from one reduction to another ends with one of the triggers, or
    /// has no moves.
    pub fn ends_with_trigger(
        &self,
        moves: &NissMoves,
        before: Reduction,
        after: Reduction,
    ) -> bool {
        let (Reduction::Eo(edges), Reduction::Dr(domino)) = (before, after) else {
            return false;
        };
        let third = Axis::ALL
            .into_iter()
            .find(|axis| ![edges, domino].contains(axis));
        let third = third.expect("a domino reduction has another axis than the edges");
        let has_trigger = |moves: &[Move]| moves.iter().any(|&m| is_quarter_turn(m, third));
        // A trigger is on one side, as all its moves are.
        let moves_with_trigger = match (has_trigger(&moves.normal), has_trigger(&moves.inverse)) {
            (false, false) => return moves.is_empty(),
            (true, true) => return false,
            (true, false) => &moves.normal,
            (false, true) => &moves.inverse,
        };
        let form = trigger_form(trigger_moves(moves_with_trigger, third), edges, domino);
        self.triggers.iter().any(|trigger| trigger.form == form)
    }
}

/// Writes the step in the syntax of a pipeline: `eo:FB[max=5, n=20]`.
impl fmt::Display for PipelineStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if let Some(axis) = self.axis {
            write!(f, ":{}", axis_name(axis))?;
        }
        let max = self.max.map(|max| format!("max={max}"));
        let n = self.n.map(|n| format!("n={n}"));
        let niss = self.niss.map(|niss| format!("niss={}", niss.name()));
        let triggers: Vec<String> = self.triggers.iter().map(Trigger::to_string).collect();
        let triggers = (!triggers.is_empty()).then(|| format!("triggers={}", triggers.join(",")));
        let options: Vec<String> = [max, n, niss, triggers].into_iter().flatten().collect();
        if options.is_empty() {
            Ok(())
        } else {
            write!(f, "[{}]", options.join(", "))
        }
    }
}

/// A trigger of domino reductions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The moves, with turns of opposite faces in canonical order.
    moves: Vec<Move>,
    /// The canonical form, which all moves that the trigger represents have in common.
    form: Vec<Move>,
}

impl Trigger {
    /// Parses the moves of a trigger; `None` if the text is not a trigger.
    pub fn parse(text: &str) -> Option<Trigger> {
        let NissMoves {
            normal: moves,
            inverse,
        } = read_moves(text).ok()?;
        let is_quarter = |m: &Move| is_quarter_turn(*m, Axis::Rl);
        let is_trigger = inverse.is_empty()
            && moves.first().is_some_and(is_quarter)
            && moves.last().is_some_and(is_quarter)
            && !moves.iter().any(|&m| is_quarter_turn(m, Axis::Fb));
        is_trigger.then(|| Trigger {
            form: trigger_form(trigger_moves(&moves, Axis::Rl), Axis::Fb, Axis::Ud),
            moves,
        })
    }
}

/// Writes the moves without spaces, in a form that the parser reads.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&DisplayMoves(&self.moves).to_string().replace(' ', ""))
    }
}

fn is_quarter_turn(m: Move, axis: Axis) -> bool {
    !m.is_half_turn() && m.face().axis() == axis
}

/// Returns the trigger in the moves of a step: the moves from the first quarter turn about the
/// third axis on, without a half turn of the opposite face beside that turn.
fn trigger_moves(moves: &[Move], third: Axis) -> Vec<Move> {
    let mut trigger: Vec<Move> = moves
        .iter()
        .copied()
        .skip_while(|&m| !is_quarter_turn(m, third))
        .collect();
    let is_setup = |m: &Move| m.is_half_turn() && m.face().axis() == third;
    if trigger.get(1).is_some_and(is_setup) {
        trigger.remove(1);
    }
    trigger
}

/// Returns the canonical form of a trigger: the minimum over the directions of its last turns, and
/// over the symmetries that map the axis `edges` to FB and the axis `domino` to UD.
fn trigger_form(moves: Vec<Move>, edges: Axis, domino: Axis) -> Vec<Move> {
    let symmetries =
        Symmetry::all().filter(|s| s.axis(edges) == Axis::Fb && s.axis(domino) == Axis::Ud);
    let forms = symmetries.flat_map(|s| {
        let image: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
        directions(&canonical(&image))
    });
    forms.min().expect("there are eight symmetries")
}

/// Returns the sequence once for each choice of the directions of its last quarter turns.
pub(crate) fn directions(moves: &[Move]) -> Vec<Vec<Move>> {
    let run = last_run(moves);
    let mut sequences = vec![moves[..moves.len() - run.len()].to_vec()];
    for &m in run {
        let turns = match m.is_half_turn() {
            true => vec![m],
            false => vec![m, m.inverse()],
        };
        sequences = sequences
            .iter()
            .flat_map(|moves| turns.iter().map(|&m| [&moves[..], &[m]].concat()))
            .collect();
    }
    sequences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cases, reduction};

    #[test]
    fn triggers_are_the_same_in_all_orientations() {
        for [trigger, before, after, moves, expected] in cases("triggers") {
            let mut step = PipelineStep::new(StepKind::Dr, None);
            step.triggers.push(Trigger::parse(trigger).unwrap());
            let moves = read_moves(moves).unwrap();
            let ends = step.ends_with_trigger(&moves, reduction(before), reduction(after));
            assert_eq!(ends, expected == "yes", "{trigger}: {moves}");
        }
    }

    #[test]
    fn last_quarter_turns_have_two_directions() {
        assert_eq!(directions(&[]), [[]]);
        for [text, expected] in cases("directions") {
            let all = directions(&read_moves(text).unwrap().normal);
            let all: Vec<String> = all.iter().map(|m| DisplayMoves(m).to_string()).collect();
            assert_eq!(all.join(" | "), expected);
        }
    }
}

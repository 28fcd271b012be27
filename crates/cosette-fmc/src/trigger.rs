//! Triggers: the last moves of a domino reduction.
//!
//! A domino reduction preserves the edge orientation, so of the third axis, neither its own nor
//! that of the edges, it needs quarter turns. The moves from the first of these on are the
//! *trigger*: `R`, `R U2 R`, `R U R`. Competitors know some triggers by heart, and look for moves
//! that set one up. Half turns of the third axis before it, or of the opposite face beside its
//! first turn, belong to the setup.
//!
//! A trigger is written for `eo:FB > dr:UD`. It represents all its images under symmetry, along any
//! axes, and both directions of its last turns, which do not matter to a reduction.

use super::notation::read_moves;
use super::reduction::{NissMoves, Reduction};
use super::steps::directions;
use cosette::cube::{Axis, DisplayMoves, Move, Symmetry, canonical};
use std::fmt;
use std::str::FromStr;

/// A trigger of domino reductions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// The moves, with turns of opposite faces in canonical order.
    moves: Vec<Move>,
    /// The minimum of the images of the moves under symmetries and directions.
    form: Vec<Move>,
}

/// Error of a text that is not a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseTriggerError;

impl FromStr for Trigger {
    type Err = ParseTriggerError;

    fn from_str(text: &str) -> Result<Trigger, ParseTriggerError> {
        let [moves, on_inverse] = read_moves(text).map_err(|_| ParseTriggerError)?;
        let quarter = |m: Option<&Move>| m.is_some_and(|m| is_quarter_turn(*m, Axis::Rl));
        let is_one = on_inverse.is_empty()
            && quarter(moves.first())
            && quarter(moves.last())
            && !moves.iter().any(|&m| is_quarter_turn(m, Axis::Fb));
        is_one
            .then(|| Trigger {
                form: form(&end(&moves, Axis::Rl), Axis::Fb, Axis::Ud),
                moves,
            })
            .ok_or(ParseTriggerError)
    }
}

/// Writes the moves without spaces, in a form that the parser reads.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&DisplayMoves(&self.moves).to_string().replace(' ', ""))
    }
}

/// Returns `true` if a step solution from `before` to `reached` ends with one of the triggers, or
/// has no moves.
pub fn ends_with_one(
    triggers: &[Trigger],
    moves: &NissMoves,
    before: Reduction,
    reached: Reduction,
) -> bool {
    let (Reduction::Eo(edges), Reduction::Dr(domino)) = (before, reached) else {
        return false;
    };
    let third = Axis::ALL
        .into_iter()
        .find(|axis| ![edges, domino].contains(axis));
    let third = third.expect("a domino reduction has another axis than the edges");
    let mut ends = moves
        .iter()
        .filter(|moves| moves.iter().any(|&m| is_quarter_turn(m, third)));
    match (ends.next(), ends.next()) {
        (None, _) => moves.iter().all(Vec::is_empty),
        (Some(moves), None) => {
            let form = form(&end(moves, third), edges, domino);
            triggers.iter().any(|trigger| trigger.form == form)
        }
        _ => false,
    }
}

fn is_quarter_turn(m: Move, axis: Axis) -> bool {
    !m.is_half_turn() && m.face().axis() == axis
}

/// Returns the moves from the first quarter turn about an axis on, without half turns of the
/// opposite face beside it.
fn end(moves: &[Move], third: Axis) -> Vec<Move> {
    let first = moves
        .iter()
        .position(|&m| is_quarter_turn(m, third))
        .unwrap_or(moves.len());
    let mut end = moves[first..].to_vec();
    if end
        .get(1)
        .is_some_and(|m| m.is_half_turn() && m.face().axis() == third)
    {
        end.remove(1);
    }
    end
}

/// Returns the canonical form of a trigger: the minimum over the symmetries that map its axes to FB
/// and UD, and over the directions of its last turns.
fn form(moves: &[Move], edges: Axis, domino: Axis) -> Vec<Move> {
    let symmetries =
        Symmetry::all().filter(|s| s.axis(edges) == Axis::Fb && s.axis(domino) == Axis::Ud);
    let forms = symmetries.flat_map(|s| {
        let carried: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
        directions(&canonical(&carried))
    });
    forms.min().expect("there are eight symmetries")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_one(trigger: &str, [normal, inverse]: [&str; 2], before: Axis, reached: Axis) -> bool {
        let moves = read_moves(&format!("{normal} ({inverse})")).unwrap();
        ends_with_one(
            &[trigger.parse().unwrap()],
            &moves,
            Reduction::Eo(before),
            Reduction::Dr(reached),
        )
    }

    #[test]
    fn triggers_are_the_same_in_all_orientations() {
        let of = |trigger: &str, moves: &str| is_one(trigger, [moves, ""], Axis::Fb, Axis::Ud);
        assert!(
            of("R", "U F2 D L")
                && of("RU2R", "U F2 R' U2 R")
                && of("RU2R", "L D2 L")
                && of("R U' R", "R' U R")
        );
        assert!(
            !of("RUR", "R' U R")
                && !of("R", "R U2 R")
                && !of("RU2R", "R F2 R")
                && !of("R", "U F2 R2")
        );
        // Half turns beside the first quarter turn belong to the setup.
        assert!(
            of("RU2R", "R' L2 U2 R")
                && of("RU2R", "R2 L U2 L")
                && of("R L", "U R L'")
                && of("R L2 U2 R", "R U2 R")
                && !of("R", "R L")
        );
        // Along other axes, and on the inverse.
        assert!(is_one("RU2R", ["R2 U D2", "F' R2 F"], Axis::Ud, Axis::Rl));
        assert!(!is_one("RU2R", ["F R2 F", "F"], Axis::Ud, Axis::Rl));
        assert!(of("R", "") && !of("R", "U2"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["R", "RU2R", "RU'R", "L'D2B2R"] {
            assert_eq!(text.parse::<Trigger>().unwrap().to_string(), text);
        }
        for text in ["", "R2", "RU", "U R", "RFR", "Rw", "FR2F", "RU2R2", "x"] {
            assert_eq!(text.parse::<Trigger>(), Err(ParseTriggerError), "{text}");
        }
    }
}

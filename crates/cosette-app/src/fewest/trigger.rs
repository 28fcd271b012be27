//! Triggers: the turns with which a domino reduction ends.
//!
//! A domino reduction keeps the edges oriented, so of the third axis, neither its own nor that of the edges, it needs quarter turns, and
//! from the first of these on it is a *trigger*: `R`, `R U2 R`, `R U R`. Competitors know some by heart, and look for turns that set one up.
//! Half turns of the third axis before it, or of the opposite face beside its first turn, belong to what sets it up.
//!
//! A trigger is written as for `eo:FB > dr:UD`. It stands for what symmetries make of it, along any axes, and for both directions of
//! its last turns, as they do not matter to a reduction.

use super::reached::{Reached, Sides};
use super::steps::directions;
use super::write::read_moves;
use cosette::cube::{Axis, Move, Moves, Symmetry, canonical};
use std::fmt;
use std::str::FromStr;

/// A trigger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trigger {
    /// Its turns, opposite faces in order.
    moves: Vec<Move>,
    /// The least that symmetries and directions make of it.
    form: Vec<Move>,
}

/// Why a text is no trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTrigger;

impl FromStr for Trigger {
    type Err = NoTrigger;

    fn from_str(text: &str) -> Result<Trigger, NoTrigger> {
        let [moves, on_inverse] = read_moves(text).map_err(|_| NoTrigger)?;
        let quarter = |m: Option<&Move>| m.is_some_and(|m| is_quarter_turn(*m, Axis::Rl));
        let is_one = on_inverse.is_empty()
            && quarter(moves.first())
            && quarter(moves.last())
            && !moves.iter().any(|&m| is_quarter_turn(m, Axis::Fb));
        is_one.then(|| Trigger { form: form(&end(&moves, Axis::Rl), Axis::Fb, Axis::Ud), moves }).ok_or(NoTrigger)
    }
}

/// Without blanks, as it may be read again.
impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Moves(&self.moves).to_string().replace(' ', ""))
    }
}

/// Whether a way from `before` to `reached` ends with one of these. One without moves needs none.
pub fn ends_with_one(triggers: &[Trigger], moves: &Sides, before: Reached, reached: Reached) -> bool {
    let (Reached::Eo(edges), Reached::Dr(domino)) = (before, reached) else { return false };
    let third = Axis::ALL.into_iter().find(|axis| ![edges, domino].contains(axis));
    let third = third.expect("a domino reduction has another axis than the edges");
    let mut ends = moves.iter().filter(|moves| moves.iter().any(|&m| is_quarter_turn(m, third)));
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

/// The turns from the first quarter turn about an axis on, without half turns of the opposite face beside it.
fn end(moves: &[Move], third: Axis) -> Vec<Move> {
    let first = moves.iter().position(|&m| is_quarter_turn(m, third)).unwrap_or(moves.len());
    let mut end = moves[first..].to_vec();
    if end.get(1).is_some_and(|m| m.is_half_turn() && m.face().axis() == third) {
        end.remove(1);
    }
    end
}

/// The least of what symmetries that keep both axes, carried to F and U, and the directions of the last turns make of a trigger.
fn form(moves: &[Move], edges: Axis, domino: Axis) -> Vec<Move> {
    let symmetries = Symmetry::all().filter(|s| s.axis(edges) == Axis::Fb && s.axis(domino) == Axis::Ud);
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
        ends_with_one(&[trigger.parse().unwrap()], &moves, Reached::Eo(before), Reached::Dr(reached))
    }

    #[test]
    fn triggers_are_the_same_in_all_orientations() {
        let of = |trigger: &str, moves: &str| is_one(trigger, [moves, ""], Axis::Fb, Axis::Ud);
        assert!(of("R", "U F2 D L") && of("RU2R", "U F2 R' U2 R") && of("RU2R", "L D2 L") && of("R U' R", "R' U R"));
        assert!(!of("RUR", "R' U R") && !of("R", "R U2 R") && !of("RU2R", "R F2 R") && !of("R", "U F2 R2"));
        // Half turns beside the first quarter turn set it up.
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
            assert_eq!(text.parse::<Trigger>(), Err(NoTrigger), "{text}");
        }
    }
}

//! A move text, understood: turns of faces and a rotation of the whole cube.

use super::layers::LayerTurn;
use super::parser::{self, ReadOptions};
use super::write::Moves;
use crate::cube::error::ReadError;
use crate::cube::moves::Move;
use crate::cube::position::Cube;
use crate::cube::symmetry::Symmetry;
use std::fmt;
use std::str::FromStr;

/// Reads a sequence of moves. A text of only blanks and comments is the empty sequence.
///
/// ```
/// use cosette::cube::{Cube, Moves, ReadOptions, parse_moves};
/// let sequence = parse_moves("(R U R' U')3 // the long way round", &ReadOptions::default())?;
/// assert_eq!(sequence.moves().len(), 12);
/// assert_eq!(sequence.position(), Cube::from_moves(sequence.moves()));
///
/// let error = parse_moves("R U Q", &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.span(), 4..5);
/// assert_eq!(error.message(), "`Q` is not a valid move");
/// # Ok::<(), cosette::cube::ReadError>(())
/// ```
///
/// # Errors
/// If the text does not follow the grammar, or is too long when written out.
pub fn parse_moves(text: &str, options: &ReadOptions) -> Result<Sequence, ReadError> {
    parser::parse(text, options).map(|turns| Sequence::of_turns(&turns))
}

/// The turns of faces that a move text stands for, and how the cube is held at the end.
///
/// Two readings have the same effect as the text: the face turns as [first held](Self::moves_as_first_held), then the
/// [rotation](Self::rotation); or the rotation, then the [face turns](Self::moves) under the names the faces have
/// at the end. Nothing is cancelled: `R R'` is two moves, and `M` is two as well ([`canonical`](crate::cube::canonical)
/// adds them up).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    moves: Vec<Move>,
    rotation: Symmetry,
}

impl Sequence {
    /// Does the turns one after the other.
    ///
    /// `held` carries each face, under the name it has as the cube is now held, to its name at the end. It is found
    /// first: what remains of the rotation of the text, once that of the turns so far is taken off.
    pub(super) fn of_turns(turns: &[LayerTurn]) -> Sequence {
        let rotation = turns.iter().fold(Symmetry::IDENTITY, |rotation, turn| rotation.then(turn.rotation()));
        let mut held = rotation;
        let mut moves = Vec::with_capacity(turns.len());
        for turn in turns {
            moves.extend(turn.face_turns().map(|m| held.conjugate_move(m)));
            held = turn.rotation().inverse().then(held);
        }
        Sequence { moves, rotation }
    }

    /// The face turns, under the names the faces have as the cube is held at the end.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The face turns, under the names the faces have as the cube is held at the start. They differ from
    /// [`moves`](Self::moves) only where there is a rotation.
    pub fn moves_as_first_held(&self) -> Vec<Move> {
        let back = self.rotation.inverse();
        self.moves.iter().map(|&m| back.conjugate_move(m)).collect()
    }

    /// The rotation of the whole cube from the start to the end; it carries each face to where it is held at the end.
    pub fn rotation(&self) -> Symmetry {
        self.rotation
    }

    /// That rotation as turns of the whole cube, such as `x2 y`; `None` if it is the identity.
    pub fn rotation_text(&self) -> Option<String> {
        // It is what the text ends with.
        let text = self.to_string();
        text.find(['x', 'y', 'z']).map(|start| text[start..].to_owned())
    }

    /// The position that the text makes of a solved cube, as it is held at the end. So a solution of it may be done
    /// right after the text, and `x` alone is solved.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves)
    }
}

/// Reads a sequence of moves ([`parse_moves`]).
impl FromStr for Sequence {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Sequence, ReadError> {
        parse_moves(text, &ReadOptions::default())
    }
}

/// Writes the face turns as first held and then the rotation, as in `R U F' x y2`. Read again, it is the same sequence.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves_as_first_held();
        let rotation = rotation_text(self.rotation);
        let gap = if moves.is_empty() || rotation.is_empty() { "" } else { " " };
        write!(f, "{}{gap}{rotation}", Moves(&moves))
    }
}

/// The text of a rotation, at most two words: one that brings the right face up, and one about the axis that is then
/// upright.
fn rotation_text(rotation: Symmetry) -> String {
    let mut texts = ["", "x", "x2", "x'", "z", "z'"]
        .into_iter()
        .flat_map(|tilt| ["", "y", "y2", "y'"].into_iter().map(move |spin| format!("{tilt} {spin}").trim().to_owned()));
    let is_meant = |text: &String| parse_moves(text, &ReadOptions::default()).is_ok_and(|s| s.rotation == rotation);
    texts.find(is_meant).expect("every rotation brings some face up")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rotations_have_a_text() {
        for rotation in Symmetry::all().filter(|s| !s.is_mirror()) {
            let text = rotation_text(rotation);
            assert_eq!(parse_moves(&text, &ReadOptions::default()).unwrap().rotation, rotation, "{text}");
        }
    }
}

//! Turns of layers, the common form of all moves in a text, and sequences of moves.
//!
//! | name | face | layers that turn, from that face on |
//! |---|---|---|
//! | `R`, `1Rw` | R | the first |
//! | `Rw`, `r`, `2Rw`, `2r` | R | the first two |
//! | `3Rw`, `3r` | R | all: the rotation `x` |
//! | `M` `E` `S` | L D F | the second |
//! | `x` `y` `z` | R U F | all |
//!
//! In the frame of the centers, only faces turn. So a turn of the middle layer is a rotation of the
//! whole cube, and each outer layer turns by its difference from the middle layer: `M` is L' and R
//! with the rotation x'.

use super::moves::{Axis, Face, Move, Turn, inverse};
use super::position::Cube;
use super::symmetry::Symmetry;
use std::fmt;
use std::ops::Deref;

/// A turn of one or more layers on one axis: of a face, two layers, a slice or the whole cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerTurn {
    /// The face that defines the direction: seen from this face, the layers turn clockwise.
    face: Face,
    /// `true` for each layer that turns: the layer of that face, the middle and the opposite layer.
    layers: [bool; 3],
    /// Number of quarter turns, 0 to 3.
    quarters: u8,
}

impl LayerTurn {
    /// Returns the clockwise quarter turn with this letter; `None` if no turn has the letter. The
    /// letter of a face turns `face_layers` layers.
    pub(super) fn named(letter: char, face_layers: usize) -> Option<LayerTurn> {
        const SLICE: [bool; 3] = [false, true, false];
        let (face, layers) = match letter {
            'M' => (Face::L, SLICE),
            'E' => (Face::D, SLICE),
            'S' => (Face::F, SLICE),
            'x' => (Face::R, [true; 3]),
            'y' => (Face::U, [true; 3]),
            'z' => (Face::F, [true; 3]),
            _ => {
                let layers = [0, 1, 2].map(|layer| layer < face_layers);
                (Face::from_any_letter(letter)?, layers)
            }
        };
        let turn = LayerTurn {
            face,
            layers,
            quarters: 1,
        };
        Some(turn.with_standard_face())
    }

    /// Returns an equal turn with the standard face. Slices are named by L, D and F, the whole cube
    /// by R, U and F.
    fn with_standard_face(self) -> LayerTurn {
        let faces = match self.layers {
            [false, true, false] => [Face::L, Face::D, Face::F],
            [true, true, true] => [Face::R, Face::U, Face::F],
            _ => return self,
        };
        if faces.contains(&self.face) {
            self
        } else {
            LayerTurn {
                face: self.face.opposite(),
                ..self.inverse()
            }
        }
    }

    /// Returns this turn repeated `times` times; backwards if `times` is negative.
    pub(super) fn repeated(self, times: i32) -> LayerTurn {
        let quarters = i32::from(self.quarters) * times.rem_euclid(4) % 4;
        LayerTurn {
            quarters: quarters as u8,
            ..self
        }
    }

    /// Returns the inverse turn.
    pub fn inverse(self) -> LayerTurn {
        self.repeated(-1)
    }

    /// Returns the image of this turn under a symmetry.
    pub(crate) fn conjugate(self, s: Symmetry) -> LayerTurn {
        let turned = if s.is_mirror() { self.inverse() } else { self };
        LayerTurn {
            face: s.face(self.face),
            ..turned
        }
        .with_standard_face()
    }

    /// Returns the amount of the turn; `None` if it has no effect.
    pub fn turn(self) -> Option<Turn> {
        Turn::from_quarters(self.quarters.into())
    }

    /// Returns the turn of these layers by another amount.
    #[must_use]
    pub fn with_turn(self, turn: Turn) -> LayerTurn {
        LayerTurn {
            quarters: turn.quarters(),
            ..self
        }
    }

    /// Returns `true` if this is a half turn.
    pub fn is_half_turn(self) -> bool {
        self.quarters == 2
    }

    /// Returns the axis of the turn.
    pub fn axis(self) -> Axis {
        self.face.axis()
    }

    /// Returns, for each layer of the axis, the number of quarters by which it turns clockwise, 0
    /// to 3, seen from U, R or F. The layer of U, R or F comes first.
    pub(crate) fn layer_quarters(self) -> [u8; 3] {
        let mut quarters = self
            .layers
            .map(|turns| if turns { self.quarters } else { 0 });
        if self.face.index() >= 3 {
            quarters.reverse();
            quarters = quarters.map(|quarters| (4 - quarters) % 4);
        }
        quarters
    }

    /// Returns the equivalent face turns, relative to the centers before the turn.
    pub fn face_turns(self) -> impl Iterator<Item = Move> {
        let [first, middle, last] = self.layers.map(i32::from);
        let quarters = i32::from(self.quarters);
        [
            (self.face, quarters * (first - middle)),
            (self.face.opposite(), quarters * (middle - last)),
        ]
        .into_iter()
        .filter_map(|(face, quarters)| {
            Turn::from_quarters(quarters).map(|turn| Move::new(face, turn))
        })
    }

    /// Returns the rotation of the whole cube that the turn includes.
    pub fn rotation(self) -> Symmetry {
        let quarters = if self.layers[1] { self.quarters } else { 0 };
        (0..quarters).fold(Symmetry::IDENTITY, |rotation, _| {
            rotation.then(Symmetry::rotation(self.face))
        })
    }

    /// Returns `true` if this is a turn of one face and nothing else.
    pub fn is_face_turn(self) -> bool {
        self.layers == [true, false, false] && self.quarters != 0
    }
}

/// Writes the turn in the standard notation: `R2`, `r'`, `M`, `x2`.
impl fmt::Display for LayerTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.face.letter();
        let axis = self.face.axis() as usize;
        let letter = match self.layers {
            [true, true, true] => ['y', 'x', 'z'][axis],
            [false, true, false] => ['E', 'M', 'S'][axis],
            [_, true, _] => letter.to_ascii_lowercase(),
            _ => letter,
        };
        let amount = ["0", "", "2", "'"][usize::from(self.quarters)];
        write!(f, "{letter}{amount}")
    }
}

/// The face turns of a text of moves, and the orientation of the cube at the end.
///
/// The text is equivalent to [`moves_in_initial_frame`](Self::moves_in_initial_frame) followed by
/// [`rotation`](Self::rotation), and also to the rotation followed by [`moves`](Self::moves). Moves
/// are not cancelled: `R R'` is two moves, and so is `M` ([`canonical`](crate::cube::canonical)
/// combines them).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    moves: Vec<Move>,
    rotation: Symmetry,
}

impl Sequence {
    /// Creates the sequence of these turns.
    pub(crate) fn from_turns(turns: &[LayerTurn]) -> Sequence {
        let rotation = turns.iter().fold(Symmetry::IDENTITY, |rotation, turn| {
            rotation.then(turn.rotation())
        });
        // The rotation of the turns that are not processed yet. It carries each face, named in the
        // current orientation, to its name at the end.
        let mut remaining = rotation;
        let mut moves = Vec::with_capacity(turns.len());
        for turn in turns {
            moves.extend(turn.face_turns().map(|m| remaining.conjugate_move(m)));
            remaining = turn.rotation().inverse().then(remaining);
        }
        Sequence { moves, rotation }
    }

    /// Returns the face turns, named in the final orientation of the cube.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the face turns, named in the initial orientation of the cube. They differ from
    /// [`moves`](Self::moves) only if there is a rotation.
    pub fn moves_in_initial_frame(&self) -> Vec<Move> {
        let back = self.rotation.inverse();
        self.moves.iter().map(|&m| back.conjugate_move(m)).collect()
    }

    /// Returns the rotation of the whole cube from the start to the end; it carries each face to
    /// its final place.
    pub fn rotation(&self) -> Symmetry {
        self.rotation
    }

    /// Returns the [`rotation`](Self::rotation) as turns of the whole cube, such as `x2 y`; `None`
    /// if it is the identity.
    pub fn rotation_text(&self) -> Option<String> {
        Some(rotation_text(self.rotation)).filter(|text| !text.is_empty())
    }

    /// Returns the sequence that undoes this one: `R U x` becomes `x' U' R'`.
    #[must_use]
    pub fn inverse(&self) -> Sequence {
        Sequence {
            moves: inverse(&self.moves_in_initial_frame()),
            rotation: self.rotation.inverse(),
        }
    }

    /// Returns the position after the sequence is applied to the solved cube, in the final
    /// orientation. So a solution of the position may be applied right after the sequence, and the
    /// position of `x` is solved.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves)
    }
}

/// A sequence is used as the slice of its [`moves`](Self::moves).
impl Deref for Sequence {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves
    }
}

/// Writes the face turns in the initial orientation and then the rotation, as in `R U F' x y2`.
/// Parsing the text gives the same sequence.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = DisplayMoves(&self.moves_in_initial_frame()).to_string();
        let text = format!("{moves} {}", rotation_text(self.rotation));
        f.write_str(text.trim())
    }
}

/// Returns the text of a rotation, at most two turns: one that brings some face up, and one about
/// the axis that is then upright.
fn rotation_text(rotation: Symmetry) -> String {
    let turns = |letter: char| {
        let turn = LayerTurn::named(letter, 1).expect("this is the letter of a rotation");
        (0..4).map(move |quarters| turn.repeated(quarters))
    };
    let pair = turns('x')
        .chain(turns('z'))
        .flat_map(|tilt| turns('y').map(move |spin| [tilt, spin]))
        .find(|[tilt, spin]| tilt.rotation().then(spin.rotation()) == rotation)
        .expect("every rotation brings some face up");
    let texts = pair
        .into_iter()
        .filter(|turn| turn.turn().is_some())
        .map(|turn| turn.to_string());
    texts.collect::<Vec<_>>().join(" ")
}

/// Displays moves separated by spaces, as in `R U2 F'`.
///
/// ```
/// use cosette::cube::{DisplayMoves, Move};
/// let moves: [Move; 2] = ["R".parse()?, "U2".parse()?];
/// assert_eq!(DisplayMoves(&moves).to_string(), "R U2");
/// # Ok::<(), cosette::cube::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayMoves<'a>(pub &'a [Move]);

impl fmt::Display for DisplayMoves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for m in self.0 {
            write!(f, "{gap}{m}")?;
            gap = " ";
        }
        Ok(())
    }
}

/// Displays moves on the normal scramble and moves on the inverse scramble, the latter in
/// parentheses, as in `R U2 (F' D)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NissSequence<'a> {
    /// The moves on the scramble.
    pub normal: &'a [Move],
    /// The moves on the inverse scramble.
    pub inverse: &'a [Move],
}

impl fmt::Display for NissSequence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let normal = DisplayMoves(self.normal);
        let inverse = DisplayMoves(self.inverse);
        match (self.normal, self.inverse) {
            (_, []) => write!(f, "{normal}"),
            ([], _) => write!(f, "({inverse})"),
            _ => write!(f, "{normal} ({inverse})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{ParseOptions, parse_moves};

    #[test]
    fn an_inverse_undoes_moves_and_rotation() {
        for text in ["", "R U x", "M' y F2 Rw", "z2 R L'"] {
            let sequence: Sequence = text.parse().unwrap();
            let undone = format!("{text} {}", sequence.inverse());
            let undone: Sequence = undone.parse().unwrap();
            assert!(undone.position().is_solved(), "{text}");
            assert_eq!(undone.rotation(), Symmetry::IDENTITY, "{text}");
            assert_eq!(sequence.inverse().inverse(), sequence, "{text}");
            assert_eq!(sequence.len(), sequence.iter().count(), "{text}");
        }
    }

    #[test]
    fn all_rotations_have_a_text() {
        for rotation in Symmetry::all().filter(|s| !s.is_mirror()) {
            let text = rotation_text(rotation);
            assert_eq!(
                parse_moves(&text, &ParseOptions::default())
                    .unwrap()
                    .rotation,
                rotation,
                "{text}"
            );
        }
    }
}

//! Turns of layers, the common form of all names in a text of moves.
//!
//! | name | face | layers that turn, from that face on |
//! |---|---|---|
//! | `R`, `1Rw` | R | the first |
//! | `Rw`, `r`, `2Rw`, `2r` | R | the first two |
//! | `3Rw`, `3r` | R | all: the rotation `x` |
//! | `M` `E` `S` | L D F | the second |
//! | `x` `y` `z` | R U F | all |
//!
//! In the frame of the centers, only faces turn. So the middle layer's turn is a rotation of the
//! whole cube, and the outer layers turn by the difference: `M` is L' and R with the rotation x'.

use crate::cube::error::ParseErrorKind;
use crate::cube::moves::{Axis, Face, Move, Turn};
use crate::cube::symmetry::Symmetry;
use crate::cube::text::quoted;
use std::fmt;

/// A turn of one or more layers on one axis: of a face, two layers, a slice or the whole cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerTurn {
    /// The face that defines the direction: seen from this face, the layers turn clockwise.
    face: Face,
    /// `true` if the layer of that face turns, the middle one, and the opposite one.
    layers: [bool; 3],
    /// Number of quarter turns, 0 to 3.
    quarters: u8,
}

impl LayerTurn {
    /// Returns the quarter turn of `letter`, with `w` after it or a number of layers before it;
    /// `name` is the whole name.
    pub(super) fn named(
        name: &str,
        letter: char,
        is_wide: bool,
        count: Option<&str>,
    ) -> Result<LayerTurn, ParseErrorKind> {
        let (face, layers) = match letter {
            'M' => (Face::L, [false, true, false]),
            'E' => (Face::D, [false, true, false]),
            'S' => (Face::F, [false, true, false]),
            'x' => (Face::R, [true; 3]),
            'y' => (Face::U, [true; 3]),
            'z' => (Face::F, [true; 3]),
            _ => {
                let face = Face::from_letter(letter.to_ascii_uppercase())
                    .ok_or_else(|| unknown(letter))?;
                let is_wide = is_wide || letter.is_ascii_lowercase();
                match (is_wide, count) {
                    (false, None) | (true, Some("1")) => (face, [true, false, false]),
                    (true, None | Some("2")) => (face, [true, true, false]),
                    (true, Some("3")) => (face, [true; 3]),
                    (false, Some(_)) => return Err(ParseErrorKind::AmbiguousLayers(quoted(name))),
                    (true, Some(_)) => return Err(ParseErrorKind::NoSuchLayers(quoted(name))),
                }
            }
        };
        Ok(LayerTurn {
            face,
            layers,
            quarters: 1,
        }
        .named_by_its_face())
    }

    /// Returns an equal turn with the standard face. Slices are named by L, D and F, the whole cube
    /// by R, U and F.
    fn named_by_its_face(self) -> LayerTurn {
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
        .named_by_its_face()
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

    /// Returns `true` if it is a half turn.
    pub fn is_half_turn(self) -> bool {
        self.quarters == 2
    }

    /// Returns the axis of the turn.
    pub fn axis(self) -> Axis {
        self.face.axis()
    }

    /// Returns the number of clockwise quarters, 0 to 3, that each layer of its axis turns, seen
    /// from U, R or F; the layer of that face first.
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

/// Writes it in the usual notation: `R2`, `r'`, `M`, `x2`.
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

fn unknown(letter: char) -> ParseErrorKind {
    let meant = if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    };
    match meant {
        'M' | 'E' | 'S' | 'x' | 'y' | 'z' => ParseErrorKind::WrongCase {
            written: letter,
            meant,
        },
        _ => match look_alike(letter) {
            Some(meant) => ParseErrorKind::Lookalike {
                written: letter,
                meant,
            },
            None => ParseErrorKind::UnknownMove(letter),
        },
    }
}

/// Returns the Latin letter of a move that resembles a letter of another alphabet.
fn look_alike(letter: char) -> Option<char> {
    Some(match letter {
        'В' | 'Β' => 'B',
        'М' | 'Μ' => 'M',
        'Е' | 'Ε' => 'E',
        'Ѕ' => 'S',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ƒ' => 'f',
        'υ' => 'u',
        'г' => 'r',
        _ => return None,
    })
}

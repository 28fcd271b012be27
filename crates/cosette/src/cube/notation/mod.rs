//! Notation of moves: those of Singmaster and of the World Cube Association, with groups.

mod layer_turn;
mod normalize;
mod parser;

pub use layer_turn::LayerTurn;
pub(super) use normalize::{is_address, is_inverse_mark};
pub(super) use parser::check_readings;
pub use parser::{ParseOptions, is_empty};

use super::error::{ParseError, ParseErrorKind};
use super::moves::Move;
use super::position::Cube;
use super::symmetry::Symmetry;
use super::text::quoted;
use parser::parse;
use std::fmt;
use std::str::FromStr;

/// Reads a sequence of moves. A text of only whitespace and comments is the empty sequence.
///
/// ```text
/// text     = address | { turn | group | "," | "." | comment }
/// turn     = ( face | layers "w" | small | slice | rotation ) [ amount ]
/// face     = "U" | "R" | "F" | "D" | "L" | "B"           one layer
/// layers   = [ "1" | "2" | "3" ] face                    the number of layers, two by default: Rw, 3Rw
/// small    = [ "1" | "2" | "3" ] ( "u" | … | "b" )       the same: r, 3r; also rw
/// slice    = "M" | "E" | "S"                             the layer between: M turns as L, E as D, S as F
/// rotation = "x" | "y" | "z"                             the whole cube: x turns as R, y as U, z as F
/// group    = ( "(" text ")" | "[" text "]" | "[" text "," text "]" | "[" text ":" text "]" ) [ amount ]
/// amount   = [ "^" [ "-" ] ] number [ mark ] | mark [ number ] | "*" number
/// mark     = "'" | "i" | "-"                             the inverse: Ri, or R- before a space
/// comment  = "//" … end of line | "#" … end of line | "@2024-" … end of line | "/*" … "*/"
/// ```
///
/// `[A, B]` is the commutator A B A' B', and `[A: B]` the conjugate A B A'. Spaces are optional
/// everywhere, but `w`, `^` and numbers must touch what they modify: a number directly after a turn
/// or a bracket is its amount, any other number counts the layers of the turn that follows. `U2Rw`
/// is U2 Rw, and `U 2Rw` is U Rw. The number of a turn is 1, 2 or 3: `R3` is R', and `R90` may be
/// degrees. The number of a group, or after `^`, is any number. Commas outside brackets, dots and
/// `_` are ignored. Typographic variants of all signs are accepted. A number or a label before the
/// first move is ignored. A URL stands for the moves in it. A move count at the end, such as
/// `(18f*)`, `(4f, 6q)`, `[18]` or `18f`, is checked and then ignored. The brackets, quotation
/// marks and commas of a list of single moves, such as `['R', "U'"]`, are ignored.
///
/// Ambiguous notation is rejected, and the error gives both readings: `2R` (two layers, the second
/// layer, or a half turn), `R-U` (an inverse, or a dash between moves), `R U …` (a pause, or
/// omitted moves), `[r]` (a rotation in older notation), `E1 R U` (a slice, or a label), `(R U)x3`
/// (a rotation, or three times), `'R U'` (quotation marks, or an inverse).
///
/// **Premoves.** In fewest-moves notes, parentheses mean something else: `A (B) C (D)` does A and C
/// on the scramble, B and D on its inverse. Doing B and D on the inverse of a position p gives
/// p⁻¹·B·D, the inverse of (B D)⁻¹·p. So the text stands for the position after (B D)⁻¹ and then A
/// C, from which the search continues; A may or may not include the scramble. Once that position is
/// solved, A C (B D)⁻¹ is solved too, so the final solution is written in that order, without
/// parentheses. With [`ParseOptions::niss`], parentheses are read this way if they are in no other
/// bracket and are not inverted: `(R U)'` groups as usual, and `(R U)3` is rejected. Square
/// brackets always group. The two sides are held independently: a rotation of one does not rotate
/// the other.
///
/// **Rotations.** Moves after a rotation, a wide turn or a slice act on the faces in the new
/// orientation of the cube. Centers are the reference, so each such turn is equivalent to a
/// rotation and face turns ([`LayerTurn`]). [`Sequence`] has the details.
///
/// Reading any text takes little time and memory: written out, it may have at most a million turns,
/// and brackets may be nested at most a hundred deep.
///
/// ```
/// use cosette::cube::{Cube, ParseOptions, parse_moves};
/// let sequence = parse_moves("(R U R' U')3 // the long way round", &ParseOptions::default())?;
/// assert_eq!(sequence.moves().len(), 12);
/// assert_eq!(sequence.position(), Cube::from_moves(sequence.moves()));
///
/// let error = parse_moves("R U Q", &ParseOptions::default()).unwrap_err();
/// assert_eq!(error.span(), 4..5);
/// assert_eq!(error.message(), "`Q` is not a valid move");
/// # Ok::<(), cosette::cube::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the text does not follow the grammar, or is too long when written out.
pub fn parse_moves(text: &str, options: &ParseOptions) -> Result<Sequence, ParseError> {
    parser::parse(text, options).map(|turns| Sequence::from_turns(&turns))
}

/// Reads turns of layers, one after the other, as they are written: `M` is one turn.
///
/// # Errors
///
/// Returns the errors of [`parse_moves`].
pub fn parse_turns(text: &str, options: &ParseOptions) -> Result<Vec<LayerTurn>, ParseError> {
    parse(text, options)
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
    ///
    /// `held` carries each face, under its name in the current orientation, to its name at the end.
    /// It is computed first, as the rest of the rotation of the text after that of the turns
    /// processed.
    pub(crate) fn from_turns(turns: &[LayerTurn]) -> Sequence {
        let rotation = turns.iter().fold(Symmetry::IDENTITY, |rotation, turn| {
            rotation.then(turn.rotation())
        });
        let mut held = rotation;
        let mut moves = Vec::with_capacity(turns.len());
        for turn in turns {
            moves.extend(turn.face_turns().map(|m| held.conjugate_move(m)));
            held = turn.rotation().inverse().then(held);
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

    /// Returns that rotation as turns of the whole cube, such as `x2 y`; `None` if it is the
    /// identity.
    pub fn rotation_text(&self) -> Option<String> {
        // The text ends with it.
        let text = self.to_string();
        text.find(['x', 'y', 'z'])
            .map(|start| text[start..].to_owned())
    }

    /// Returns the position after the text on the solved cube, in the final orientation. So a
    /// solution of it may be applied right after the text, and `x` alone is solved.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves)
    }
}

/// Reads a sequence of moves ([`parse_moves`]).
impl FromStr for Sequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Sequence, ParseError> {
        parse_moves(text, &ParseOptions::default())
    }
}

/// Writes the face turns in the initial orientation and then the rotation, as in `R U F' x y2`.
/// Parsing the text gives the same sequence.
impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves_in_initial_frame();
        let rotation = rotation_text(self.rotation);
        let gap = if moves.is_empty() || rotation.is_empty() {
            ""
        } else {
            " "
        };
        write!(f, "{}{gap}{rotation}", DisplayMoves(&moves))
    }
}

/// Returns the text of a rotation, at most two words: one that carries the right face up, and one
/// about the axis that is then upright.
fn rotation_text(rotation: Symmetry) -> String {
    let mut texts = ["", "x", "x2", "x'", "z", "z'"]
        .into_iter()
        .flat_map(|tilt| {
            ["", "y", "y2", "y'"]
                .into_iter()
                .map(move |spin| format!("{tilt} {spin}").trim().to_owned())
        });
    let is_meant = |text: &String| {
        parse_moves(text, &ParseOptions::default()).is_ok_and(|s| s.rotation == rotation)
    };
    texts
        .find(is_meant)
        .expect("every rotation brings some face up")
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
    /// The moves on its inverse.
    pub inverse: &'a [Move],
}

impl fmt::Display for NissSequence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", DisplayMoves(self.normal))?;
        if self.inverse.is_empty() {
            return Ok(());
        }
        let gap = if self.normal.is_empty() { "" } else { " " };
        write!(f, "{gap}({})", DisplayMoves(self.inverse))
    }
}

impl FromStr for Move {
    type Err = ParseError;

    /// Reads one turn of one face, such as `R`, `R2` or `R'`.
    fn from_str(text: &str) -> Result<Move, ParseError> {
        match parse(text, &ParseOptions::default())?[..] {
            [turn] if turn.is_face_turn() => Ok(turn.face_turns().next().expect("one face turns")),
            _ => Err(ParseError::new(
                text,
                ParseErrorKind::NotOneTurn(quoted(text.trim())),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

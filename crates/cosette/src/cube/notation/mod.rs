//! Moves as people write them: the notations of Singmaster and of the World Cube Association, with groups.
//!
//! ```text
//! text     = { turn | group | comment }
//! turn     = ( face | layers "w" | small | slice | rotation ) [ amount ]
//! face     = "U" | "R" | "F" | "D" | "L" | "B"           one layer
//! layers   = [ "1" | "2" | "3" ] face                    so many layers, two where nothing is said: Rw, 3Rw
//! small    = [ "1" | "2" | "3" ] ( "u" | … | "b" )       the same: r, 3r
//! slice    = "M" | "E" | "S"                             the layer between: M turns as L, E as D, S as F
//! rotation = "x" | "y" | "z"                             the whole cube: x turns as R, y as U, z as F
//! group    = ( "(" text ")" | "[" text "]" | "[" text "," text "]" | "[" text ":" text "]" ) [ amount ]
//! amount   = [ "^" [ "-" ] ] number [ mark ] | mark [ number ]
//! mark     = "'"                                         the inverse, in any shape of apostrophe
//! comment  = "//" … end of line | "/*" … "*/"
//! ```
//!
//! `[A, B]` is the commutator A B A' B', and `[A: B]` the conjugate A B A'. Blanks may stand between all signs and are
//! needed nowhere, save that `w`, `^` and numbers belong to what they touch: a number behind a turn or a bracket is its
//! amount, any other counts the layers of the turn that follows. `U2Rw` is U2 Rw, and `U 2Rw` is U Rw. A plain `2R` is
//! refused, for it means two layers to some and the second to others. Amounts are taken as they come: `R3` is R', and
//! `R4` and `R0` are nothing.
//!
//! **Premoves.** In fewest-moves notes, brackets mean something else: `A (B) C (D)` does A and C on the scramble, B and D
//! on its inverse, and the solution is A C and then the inverse of B D. With [`ReadOptions::niss`], round brackets are
//! read so where they stand in no other bracket and have no amount; with an amount, as in `(R U)3`, they group as ever.
//! Square brackets always group. Each side is held in its own way: a rotation in brackets does not turn the other side.
//!
//! **Rotations.** Moves behind a rotation, a wide turn or a slice act on the faces as the cube is then held.
//! Centres are the reference, so each of them is a rotation along with turns of faces (`layers`). See [`Sequence`] for
//! what becomes of them.
//!
//! Whatever the text, reading takes little time and memory: written out it may have a million turns, and brackets may be
//! nested a hundred deep.

mod fault;
mod layers;
mod lexer;
mod parser;
mod sequence;
mod write;

use super::text::ReadError;
pub use fault::MoveFault;
pub(super) use lexer::is_inverse_mark;
pub use sequence::Sequence;
pub use write::{Moves, Niss};

/// How to read a text that can be read in several ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether round brackets hold moves on the inverse, as in fewest-moves notes.
    pub niss: bool,
}

/// Reads a sequence of moves. A text of nothing but blanks and comments is the empty sequence.
///
/// ```
/// use cosette::cube::{Cube, Moves, ReadOptions, parse_moves};
/// let sequence = parse_moves("(R U R' U')3 // the long way round", &ReadOptions::default())?;
/// assert_eq!(sequence.moves().len(), 12);
/// assert_eq!(sequence.position(), Cube::from_moves(sequence.moves()));
///
/// let error = parse_moves("R U Q", &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.span(), 4..5);
/// assert_eq!(error.message(), "`Q` is no move");
/// # Ok::<(), cosette::cube::ReadError>(())
/// ```
///
/// # Errors
/// If the text does not follow the grammar, or is too long when written out.
pub fn parse_moves(text: &str, options: &ReadOptions) -> Result<Sequence, ReadError> {
    parser::parse(text, options).map(|turns| Sequence::of_turns(&turns))
}

/// Whether the text holds nothing but blanks and comments.
pub(super) fn is_empty(text: &str) -> bool {
    lexer::tokens(text).is_ok_and(|tokens| tokens.is_empty())
}

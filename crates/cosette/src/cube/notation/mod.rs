//! Moves as people write them: the notations of Singmaster and of the World Cube Association, with groups.
//!
//! ```text
//! text     = address | { turn | group | "," | "." | comment }
//! turn     = ( face | layers "w" | small | slice | rotation ) [ amount ]
//! face     = "U" | "R" | "F" | "D" | "L" | "B"           one layer
//! layers   = [ "1" | "2" | "3" ] face                    the number of layers, two by default: Rw, 3Rw
//! small    = [ "1" | "2" | "3" ] ( "u" | … | "b" )       the same: r, 3r; also rw
//! slice    = "M" | "E" | "S"                             the layer between: M turns as L, E as D, S as F
//! rotation = "x" | "y" | "z"                             the whole cube: x turns as R, y as U, z as F
//! group    = ( "(" text ")" | "[" text "]" | "[" text "," text "]" | "[" text ":" text "]" ) [ amount ]
//! amount   = [ "^" [ "-" ] ] number [ mark ] | mark [ number ] | "*" number
//! mark     = "'" | "i" | "-"                             the inverse: Ri, or R- before a blank
//! comment  = "//" … end of line | "#" … end of line | "/*" … "*/"
//! ```
//!
//! `[A, B]` is the commutator A B A' B', and `[A: B]` the conjugate A B A'. Blanks are allowed between all signs and
//! are never required, except that `w`, `^` and numbers belong to what they touch: a number directly after a turn or a
//! bracket is its amount, any other number counts the layers of the turn that follows. `U2Rw` is U2 Rw, and `U 2Rw` is
//! U Rw. Any amount but zero is allowed: `R3` is R', and `R4` does nothing. Commas outside brackets and dots are
//! blanks, as is `_`. Signs have many shapes (`plain`), and an address of a page stands for the moves in it (`address`).
//!
//! What means different things to different people is refused, and the error says both: `2R` (two layers, the second
//! layer, or a half turn), `R-U` (an inverse, or a dash between moves), `R U …` (a pause, or moves that are left out),
//! `[r]` (a rotation in older notes), `(R U)x3` (a rotation, or three times), `'R U'` (quotation marks, or an inverse).
//!
//! **Premoves.** In fewest-moves notes, brackets mean something else: `A (B) C (D)` does A and C on the scramble, B and
//! D on its inverse, and the solution is A C and then the inverse of B D. With [`ReadOptions::niss`], round brackets
//! are read this way if they are in no other bracket and have no amount; with an amount, as in `(R U)3`, they group as
//! usual. Square brackets always group. The two sides are held independently: a rotation in brackets does not rotate
//! the other side.
//!
//! **Rotations.** Moves after a rotation, a wide turn or a slice act on the faces as the cube is then held.
//! Centres are the reference, so each of them is a rotation along with turns of faces (`layers`). [`Sequence`] says
//! what becomes of them.
//!
//! Reading any text takes little time and memory: written out, it may have at most a million turns, and brackets may be
//! nested at most a hundred deep.

mod address;
mod layers;
mod parser;
mod plain;
mod sequence;
mod write;

pub(super) use address::is_address;
pub use parser::ReadOptions;
pub(super) use parser::{is_empty, is_inverse_mark};
pub use sequence::{Sequence, parse_moves};
pub use write::{Moves, Niss};

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
//! U Rw. The number of a turn is 1, 2 or 3: `R3` is R', and `R90` may be degrees. That of a group, and what
//! follows `^`, is any number. Commas outside brackets and dots are blanks, as is `_`. Signs have many shapes, and a number or a
//! label before the first move is left out (`plain`); an address of a page stands for the moves in it (`address`).
//!
//! What means different things to different people is refused, and the error says both: `2R` (two layers, the second
//! layer, or a half turn), `R-U` (an inverse, or a dash between moves), `R U …` (a pause, or moves that are left out),
//! `[r]` (a rotation in older notes), `(R U)x3` (a rotation, or three times), `'R U'` (quotation marks, or an inverse).
//!
//! **Premoves.** In fewest-moves notes, brackets mean something else: `A (B) C (D)` does A and C on the scramble, B and D
//! on its inverse. Doing B and D on the inverse of a position p gives p⁻¹·B·D, the inverse of (B D)⁻¹·p. So the text stands
//! for (B D)⁻¹ and then A C, whether A begins with the scramble or not: the position from which one goes on searching. Once
//! that is solved, A C (B D)⁻¹ is solved too, so a solution is written without brackets in that order. With
//! [`ReadOptions::niss`], round brackets are read this way if they are in no other bracket and nothing inverts them: `(R U)'`
//! groups as usual, and `(R U)3` is refused. Square brackets always group. The two sides are held independently: a rotation
//! of one does not rotate the other.
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
pub(super) use parser::is_empty;
pub(super) use plain::is_inverse_mark;
pub use sequence::{Sequence, parse_moves};
pub use write::{Moves, Niss};

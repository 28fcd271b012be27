//! Writing moves, and reading a single one.

use super::parser::{ReadOptions, parse};
use crate::cube::error::ReadError;
use crate::cube::fault::moves::MoveFault;
use crate::cube::moves::Move;
use crate::cube::quoted::quoted;
use std::fmt;
use std::str::FromStr;

/// Writes moves with a blank between them, as in `R U2 F'`.
///
/// ```
/// use cosette::cube::{Move, Moves};
/// let moves: [Move; 2] = ["R".parse()?, "U2".parse()?];
/// assert_eq!(Moves(&moves).to_string(), "R U2");
/// # Ok::<(), cosette::cube::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moves<'a>(pub &'a [Move]);

impl fmt::Display for Moves<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for m in self.0 {
            write!(f, "{gap}{m}")?;
            gap = " ";
        }
        Ok(())
    }
}

/// Writes moves on the normal scramble and moves on the inverse, these in brackets, as in `R U2 (F' D)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Niss<'a> {
    /// The moves done on the scramble.
    pub normal: &'a [Move],
    /// The moves done on its inverse.
    pub inverse: &'a [Move],
}

impl fmt::Display for Niss<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Moves(self.normal))?;
        if self.inverse.is_empty() {
            return Ok(());
        }
        let gap = if self.normal.is_empty() { "" } else { " " };
        write!(f, "{gap}({})", Moves(self.inverse))
    }
}

impl FromStr for Move {
    type Err = ReadError;

    /// Reads one turn of one face, as in `R`, `R2` or `R'`.
    fn from_str(text: &str) -> Result<Move, ReadError> {
        match parse(text, &ReadOptions::default())?[..] {
            [turn] if turn.is_face_turn() => Ok(turn.face_turns().next().expect("one face turns")),
            _ => Err(ReadError::of_whole(text, MoveFault::NotOneTurn(quoted(text.trim())))),
        }
    }
}

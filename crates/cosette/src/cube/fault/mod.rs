//! What can be wrong with a text that shows a position: a file for each format.

pub(super) mod address;
pub(super) mod facelets;
pub(super) mod moves;
pub(super) mod pieces;
pub(super) mod reid;
pub(super) mod speffz;

use super::position::CubeError;
use super::quoted::escaped;
use address::AddressFault;
use facelets::FaceletFault;
use moves::MoveFault;
use pieces::PieceFault;
use reid::ReidFault;
use speffz::SpeffzFault;

/// As in `is 1 piece`, `are 2 pieces`.
fn are(count: usize, what: &str) -> String {
    if count == 1 { format!("is 1 {what}") } else { format!("are {count} {what}s") }
}

/// What is wrong with a text that does not show a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There are only blanks and comments.
    #[error("there is nothing to read; give moves, 54 facelets, Reid's twenty pieces or Speffz cycles")]
    Empty,
    /// A string of facelets, or a list of pieces, and more text.
    #[error(
        "there is more than one position here; give one at a time, or name the format if this is one sequence of moves"
    )]
    SeveralPositions,
    /// It is not the address of a page that shows moves.
    #[error(transparent)]
    Address(#[from] AddressFault),
    /// It is not a sequence of moves.
    #[error(transparent)]
    Moves(#[from] MoveFault),
    /// It is not a string of facelets.
    #[error(transparent)]
    Facelets(#[from] FaceletFault),
    /// It is not a list of Reid's twenty pieces.
    #[error(transparent)]
    Reid(#[from] ReidFault),
    /// It is not a list of Speffz cycles.
    #[error(transparent)]
    Speffz(#[from] SpeffzFault),
    /// A slot shows a piece that no cube has.
    #[error(transparent)]
    Piece(#[from] PieceFault),
    /// All pieces exist, but no sequence of moves leads there.
    #[error(transparent)]
    Cube(#[from] CubeError),
}

impl Fault {
    /// What is wrong.
    pub fn message(&self) -> String {
        self.halves().0
    }

    /// How to fix it.
    pub fn help(&self) -> String {
        self.halves().1
    }

    /// The two halves of the sentence, which quotes single characters as they are. Only the first quotes the text, so the last semicolon divides them.
    fn halves(&self) -> (String, String) {
        let sentence = escaped(&self.to_string());
        let (message, help) = sentence.rsplit_once("; ").expect("every fault names its remedy after a semicolon");
        (message.to_owned(), help.to_owned())
    }
}

//! Reid's twenty pieces: which piece is in each slot, in words.
//!
//! ```text
//! pieces = 12 * edge 8 * corner                      separated by blanks
//! edge   = face face     corner = face face face
//! face   = "U" | "R" | "F" | "D" | "L" | "B"
//! ```
//!
//! The solved cube is `UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR`, and these words are also
//! the names of the slots. The word at a slot's position in the list names the cubie there, its facelets in the order
//! of the slot's name: as the first word, `UB` is the edge UB with its U facelet on U, and `BU` the same edge with its
//! U facelet on F. The optimal solver of Reid (1997) reads positions in this format.

use super::error::{ReadError, ReidFault};
use super::facelets::{Shown, assemble};
use super::moves::Face;
use super::net::Slot;
use super::position::Cube;
use super::text::{Token, face_named, quoted, words};

const SLOTS: [&str; 20] = [
    "UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL", "UFR", "URB", "UBL", "ULF", "DRF", "DFL",
    "DLB", "DBR",
];

/// Reads Reid's twenty pieces. Fails if there are not twelve edges and eight corners, if a piece does not exist or
/// appears twice, or if no sequence of moves leads there.
pub fn parse_reid(text: &str) -> Result<Cube, ReadError> {
    let pieces: Vec<Token> = words(text).collect();
    if pieces.len() != SLOTS.len() {
        return Err(ReadError::of_whole(text, ReidFault::Count(pieces.len())));
    }
    let mut faces = Vec::with_capacity(SLOTS.len());
    for (piece, slot) in pieces.iter().zip(SLOTS) {
        let word = || quoted(piece.text);
        let named: Option<Vec<Face>> = piece.text.chars().map(face_named).collect();
        let named = named.ok_or_else(|| ReadError::at(text, piece.span(), ReidFault::UnknownPiece(word())))?;
        if named.len() != slot.len() {
            return Err(ReadError::at(text, piece.span(), ReidFault::WrongKind { word: word(), slot }));
        }
        faces.push(named);
    }
    assemble(text, |slot| {
        let mut named = SLOTS.iter().map(|name| slot_named(name)).enumerate();
        let (number, (_, facelets)) = named.find(|(_, (named, _))| *named == slot).expect("every slot has a name");
        let mut shown = slot.faces();
        for (facelet, &face) in facelets.into_iter().zip(&faces[number]) {
            shown[facelet] = face;
        }
        Shown { faces: shown, written: pieces[number].text.to_owned(), span: pieces[number].span() }
    })
}

/// The faces of the slot's name, in the order of the name.
fn faces_of_name(name: &str) -> Vec<Face> {
    name.chars().map(|letter| face_named(letter).expect("slots are named by their faces")).collect()
}

/// The slot with this name, and which of its facelets each letter of the name stands for.
fn slot_named(name: &str) -> (Slot, Vec<usize>) {
    let faces = faces_of_name(name);
    let slot = Slot::touching(&faces).expect("these are the names of the slots");
    let facelet = |face| slot.faces().iter().position(|own| own == face).expect("the slot touches this face");
    (slot, faces.iter().map(facelet).collect())
}

impl Cube {
    /// The twenty pieces in Reid's order, as [`parse_reid`] reads them.
    pub fn reid(&self) -> String {
        let word = |name: &&str| -> String {
            let (slot, facelets) = slot_named(name);
            let shown = slot.shown(self);
            facelets.into_iter().map(|facelet| shown[facelet].letter()).collect()
        };
        SLOTS.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

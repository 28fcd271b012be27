//! Pieces by the colors that they show: Reid's format, and the position that a text shows slot by
//! slot, which facelets use as well.

use super::cubie::{Corner, Edge};
use super::error::{ParseError, ParseErrorKind};
use super::moves::Face;
use super::position::{Cube, CubeError};
use super::slots::{SLOTS, Slot};
use super::text::{Token, quoted, words};
use std::borrow::Cow;
use std::ops::Range;

/// Returns the cubie of the kind of a slot that shows these faces in it, and its orientation;
/// `None` matches any face. The error quotes the text `written` there.
pub(super) fn cubie_showing(
    slot: Slot,
    shown: &[Option<Face>],
    written: String,
) -> Result<(u8, u8), ParseErrorKind> {
    slot.find_cubie(shown).ok_or_else(|| match slot {
        Slot::Corner(corner) if is_mirrored(slot, shown) => ParseErrorKind::MirroredCorner {
            slot: corner,
            shown: written,
        },
        Slot::Corner(corner) => ParseErrorKind::NoSuchCorner {
            slot: corner,
            shown: written,
        },
        Slot::Edge(edge) => ParseErrorKind::NoSuchEdge {
            slot: edge,
            shown: written,
        },
    })
}

/// Returns `true` if the mirror image of these three faces is a corner.
fn is_mirrored(slot: Slot, shown: &[Option<Face>]) -> bool {
    let mirrored = [shown[0], shown[2], shown[1]];
    mirrored.iter().all(Option::is_some) && slot.find_cubie(&mirrored).is_some()
}

/// The colors that a text shows in a slot.
pub(super) struct VisibleColors {
    /// The faces whose colors the slot shows, in the order of its facelets.
    pub faces: Vec<Option<Face>>,
    /// The facelets as they are written.
    pub written: String,
    /// The span in the text.
    pub span: Range<usize>,
}

/// Assembles the position that `text` shows, slot by slot: the common part of facelet strings and
/// Reid's pieces.
pub(super) fn assemble(
    text: &str,
    shown: impl Fn(Slot) -> VisibleColors,
) -> Result<Cube, ParseError> {
    let mut corners = [(0, 0); Corner::COUNT];
    let mut edges = [(0, 0); Edge::COUNT];
    for slot in Slot::all() {
        let VisibleColors {
            faces,
            written,
            span,
        } = shown(slot);
        let cubie = cubie_showing(slot, &faces, written)
            .map_err(|fault| ParseError::at(text, span, fault))?;
        match slot {
            Slot::Corner(slot) => corners[slot.index()] = cubie,
            Slot::Edge(slot) => edges[slot.index()] = cubie,
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| {
        let twice: Vec<Slot> = match error {
            CubeError::CornerTwice { twice, .. } => {
                holding(Slot::corners(), &corners, twice.index())
            }
            CubeError::EdgeTwice { twice, .. } => holding(Slot::edges(), &edges, twice.index()),
            _ => Vec::new(),
        };
        // Of two equal cubies, the error points at the later one in the text.
        match twice
            .into_iter()
            .map(|slot| shown(slot).span)
            .max_by_key(|span| span.start)
        {
            Some(span) => ParseError::at(text, span, error),
            None => ParseError::new(text, error),
        }
    })
}

/// Returns the slots that hold the cubie with this number.
fn holding(slots: impl Iterator<Item = Slot>, cubies: &[(u8, u8)], number: usize) -> Vec<Slot> {
    slots
        .zip(cubies)
        .filter(|(_, cubie)| usize::from(cubie.0) == number)
        .map(|(slot, _)| slot)
        .collect()
}

/// Reads Reid's twenty pieces, in the format of the optimal solver of Reid (1997).
///
/// Each word names the piece in one slot.
///
/// ```text
/// pieces = 12 * edge 8 * corner                      separated by spaces
/// edge   = face face     corner = face face face
/// face   = "U" | "R" | "F" | "D" | "L" | "B"
/// ```
///
/// The solved cube is `UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR`, and
/// these words are also the names of the slots. The word at a slot's position in the list names the
/// cubie there, its facelets in the order of the slot's name: as the first word, `UB` is the edge
/// UB with its U facelet on U, and `BU` the same edge with its U facelet on F.
///
/// # Errors
///
/// Returns an error if there are not twelve edges and eight corners, if a piece does not exist or
/// appears twice, or if the position is unsolvable.
pub fn parse_reid(text: &str) -> Result<Cube, ParseError> {
    // Other programs write small letters.
    let capitals = if text.contains(|c: char| c.is_ascii_uppercase()) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_ascii_uppercase())
    };
    let text = &*capitals;
    let pieces: Vec<Token> = words(text).collect();
    if pieces.len() != SLOTS.len() {
        let count = ParseErrorKind::PieceCount(pieces.len());
        return Err(ParseError::new(text, count));
    }
    let mut faces: Vec<Vec<Face>> = Vec::with_capacity(SLOTS.len());
    for (piece, slot) in pieces.iter().zip(SLOTS) {
        let word = quoted(piece.text);
        let named: Option<Vec<Face>> = piece.text.chars().map(Face::from_letter).collect();
        let fault = match named {
            Some(named) if named.len() == slot.len() => {
                faces.push(named);
                continue;
            }
            Some(_) => ParseErrorKind::WrongKind { word, slot },
            None => ParseErrorKind::UnknownPiece(word),
        };
        return Err(ParseError::at(text, piece.span(), fault));
    }
    let read = assemble(text, |slot| {
        let mut named = SLOTS.iter().map(|name| slot_named(name)).enumerate();
        let (number, (_, facelets)) = named
            .find(|(_, (named, _))| *named == slot)
            .expect("every slot has a name");
        let mut shown = vec![None; facelets.len()];
        for (facelet, &face) in facelets.into_iter().zip(&faces[number]) {
            shown[facelet] = Some(face);
        }
        VisibleColors {
            faces: shown,
            written: pieces[number].text.to_owned(),
            span: pieces[number].span(),
        }
    });
    // Reid's words of corners run the other way round than our names. One mirrored word is a slip,
    // several are another order.
    let is_corner_word = |word: &&Vec<Face>| {
        let shown: Vec<Option<Face>> = word.iter().copied().map(Some).collect();
        word.len() == 3 && Slot::Corner(Corner::ALL[0]).find_cubie(&shown).is_some()
    };
    let are_several = faces.iter().filter(is_corner_word).nth(1).is_some();
    read.map_err(|error| match error.kind() {
        ParseErrorKind::MirroredCorner { shown, .. } => {
            let word = shown.clone();
            let fault = if are_several {
                ParseErrorKind::MirroredPieces(word)
            } else {
                ParseErrorKind::MirroredPiece(word)
            };
            ParseError::at(text, error.span(), fault)
        }
        _ => error,
    })
}

/// Returns the faces of the slot's name, in the order of the name.
fn faces_of_name(name: &str) -> Vec<Face> {
    name.chars()
        .map(|letter| Face::from_letter(letter).expect("slots are named by their faces"))
        .collect()
}

/// Returns the slot with this name, and the facelet of each letter of the name.
fn slot_named(name: &str) -> (Slot, Vec<usize>) {
    let faces = faces_of_name(name);
    let slot = Slot::touching(&faces).expect("these are the names of the slots");
    let facelet = |face| {
        slot.faces()
            .iter()
            .position(|own| own == face)
            .expect("the slot touches this face")
    };
    (slot, faces.iter().map(facelet).collect())
}

impl Cube {
    /// Returns the twenty pieces in Reid's order, as read by [`parse_reid`].
    pub fn reid(&self) -> String {
        let word = |name: &&str| -> String {
            let (slot, facelets) = slot_named(name);
            let shown = slot.shown(self);
            facelets
                .into_iter()
                .map(|facelet| shown[facelet].letter())
                .collect()
        };
        SLOTS.iter().map(word).collect::<Vec<_>>().join(" ")
    }
}

//! From the facelets of all slots to a position: what facelet strings and Reid's pieces have in common.

use super::cubie::{Corner, Edge};
use super::error::ReadError;
use super::fault::pieces::PieceFault;
use super::moves::Face;
use super::net::Slot;
use super::position::{Cube, CubeError};
use std::ops::Range;

/// What a text shows in a slot.
pub(super) struct Shown {
    /// The faces whose colours the slot shows, in the order of its facelets.
    pub faces: Vec<Face>,
    /// The facelets as they are written.
    pub written: String,
    /// Where in the text.
    pub span: Range<usize>,
}

/// The position that `text` shows, slot by slot.
pub(super) fn assemble(text: &str, shown: impl Fn(Slot) -> Shown) -> Result<Cube, ReadError> {
    let (mut corners, mut edges) = ([(0, 0); Corner::COUNT], [(0, 0); Edge::COUNT]);
    for slot in Slot::all() {
        let Shown { faces, written, span } = shown(slot);
        match slot {
            Slot::Corner(slot) => {
                let corner = find(Slot::corners(), &faces).ok_or_else(|| {
                    match find(Slot::corners(), &[faces[0], faces[2], faces[1]]) {
                        Some(_) => PieceFault::MirroredCorner { slot, shown: written },
                        None => PieceFault::NoSuchCorner { slot, shown: written },
                    }
                });
                corners[slot.index()] = corner.map_err(|fault| ReadError::at(text, span, fault))?;
            }
            Slot::Edge(slot) => {
                let edge = find(Slot::edges(), &faces).ok_or(PieceFault::NoSuchEdge { slot, shown: written });
                edges[slot.index()] = edge.map_err(|fault| ReadError::at(text, span, fault))?;
            }
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| {
        let twice: Vec<Slot> = match error {
            CubeError::CornerTwice { twice, .. } => holding(Slot::corners(), &corners, twice.index()),
            CubeError::EdgeTwice { twice, .. } => holding(Slot::edges(), &edges, twice.index()),
            _ => Vec::new(),
        };
        // Of two equal cubies, the error points at the later one in the text.
        match twice.into_iter().map(|slot| shown(slot).span).max_by_key(|span| span.start) {
            Some(span) => ReadError::at(text, span, error),
            None => ReadError::of_whole(text, error),
        }
    })
}

/// The slots that hold the cubie with this number.
fn holding(slots: impl Iterator<Item = Slot>, cubies: &[(u8, u8)], number: usize) -> Vec<Slot> {
    slots.zip(cubies).filter(|(_, cubie)| usize::from(cubie.0) == number).map(|(slot, _)| slot).collect()
}

/// Which of the cubies shows these faces, and in which orientation.
fn find(cubies: impl Iterator<Item = Slot>, shown: &[Face]) -> Option<(u8, u8)> {
    cubies.zip(0..).find_map(|(cubie, number)| {
        let mut faces = cubie.faces();
        (0..faces.len() as u8).find_map(|orientation| {
            let shows = faces == shown;
            faces.rotate_right(1);
            shows.then_some((number, orientation))
        })
    })
}

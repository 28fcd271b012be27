//! From the facelets of all slots to a position: what facelet strings and Reid's pieces have in common.

use super::cubie::{Corner, Edge};
use super::error::ReadError;
use super::fault::pieces::PieceFault;
use super::moves::Face;
use super::net::Slot;
use super::position::{Cube, CubeError};
use std::ops::Range;

/// A text that shows the facelets of every slot.
pub(super) trait Picture {
    /// The whole text.
    fn text(&self) -> &str;

    /// The faces whose colours the slot shows, in the order of its facelets.
    fn shown(&self, slot: Slot) -> Vec<Face>;

    /// The slot's facelets as they are written, and where in the text.
    fn written(&self, slot: Slot) -> (String, Range<usize>);
}

/// The position that the picture shows.
pub(super) fn assemble(picture: &impl Picture) -> Result<Cube, ReadError> {
    let mut corners = [(0, 0); Corner::COUNT];
    for slot in Corner::ALL {
        corners[slot.index()] = corner_in(picture, slot)?;
    }
    let mut edges = [(0, 0); Edge::COUNT];
    for slot in Edge::ALL {
        edges[slot.index()] = edge_in(picture, slot)?;
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| {
        let twice: Vec<Slot> = match error {
            CubeError::CornerTwice { twice, .. } => holding(Slot::corners(), &corners, twice.index()),
            CubeError::EdgeTwice { twice, .. } => holding(Slot::edges(), &edges, twice.index()),
            _ => Vec::new(),
        };
        // Of two equal cubies, the error points at the later one in the text.
        match twice.into_iter().map(|slot| picture.written(slot).1).max_by_key(|span| span.start) {
            Some(span) => ReadError::at(picture.text(), span, error),
            None => ReadError::of_whole(picture.text(), error),
        }
    })
}

/// The slots that hold the cubie with this number.
fn holding(slots: impl Iterator<Item = Slot>, cubies: &[(u8, u8)], number: usize) -> Vec<Slot> {
    slots.zip(cubies).filter(|(_, cubie)| usize::from(cubie.0) == number).map(|(slot, _)| slot).collect()
}

/// The cubie and the twist in a corner slot.
fn corner_in(picture: &impl Picture, slot: Corner) -> Result<(u8, u8), ReadError> {
    let faces = picture.shown(Slot::Corner(slot));
    find(Slot::corners(), &faces).ok_or_else(|| {
        let (shown, span) = picture.written(Slot::Corner(slot));
        let mirrored = find(Slot::corners(), &[faces[0], faces[2], faces[1]]).is_some();
        let fault = match mirrored {
            true => PieceFault::MirroredCorner { slot, shown },
            false => PieceFault::NoSuchCorner { slot, shown },
        };
        ReadError::at(picture.text(), span, fault)
    })
}

/// The cubie and the flip in an edge slot.
fn edge_in(picture: &impl Picture, slot: Edge) -> Result<(u8, u8), ReadError> {
    find(Slot::edges(), &picture.shown(Slot::Edge(slot))).ok_or_else(|| {
        let (shown, span) = picture.written(Slot::Edge(slot));
        ReadError::at(picture.text(), span, PieceFault::NoSuchEdge { slot, shown })
    })
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

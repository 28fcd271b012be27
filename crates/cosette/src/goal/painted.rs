//! Painted goals: 54 facelets, some of them unpainted.

use super::error::GoalError;
use super::mask::{Mask, PieceKind};
use super::names::piece_name;
use crate::cube::{Face, SEPARATORS, quoted};

/// Parses the goal of showing these facelets; a dot matches any color.
pub(super) fn parse_painted_goal(text: &str) -> Result<Mask, GoalError> {
    let is_facelet = |c: char| c == '.' || Face::from_letter(c).is_some();
    let shown: Vec<char> = text
        .chars()
        .filter(|&c| !c.is_whitespace() && !SEPARATORS.contains(&c))
        .collect();
    if let Some(other) = shown.iter().find(|&&c| !is_facelet(c)) {
        return Err(GoalError::InvalidFacelet(quoted(&other.to_string())));
    }
    if shown.len() != 54 {
        return Err(GoalError::Facelets(shown.len()));
    }
    if let Some(face) = Face::ALL
        .into_iter()
        .find(|face| !['.', face.letter()].contains(&shown[9 * face.index() + 4]))
    {
        return Err(GoalError::Center(face));
    }
    let mut mask = Mask::all();
    for kind in PieceKind::BOTH {
        for slot in 0..kind.count() {
            let places: Vec<usize> = kind.slot(slot).facelet_indices().collect();
            let orientations = usize::from(kind.orientations());
            let mut is_possible = false;
            for piece in 0..kind.count() {
                let faces = kind.slot(piece).faces();
                // The piece's facelet j is at facelet j + orientation of the slot.
                let shows = |orientation: usize| {
                    let mut facelets = (0..orientations)
                        .map(|j| (faces[j], shown[places[(j + orientation) % orientations]]));
                    facelets.all(|(face, shown)| shown == '.' || shown == face.letter())
                };
                let bits = (0..orientations)
                    .filter(|&o| shows(o))
                    .fold(0u8, |bits, o| bits | 1 << o);
                is_possible |= bits != 0;
                mask.restrict_slot(kind, piece, slot, bits);
            }
            if !is_possible {
                return Err(GoalError::ImpossibleColors(piece_name(kind, slot)));
            }
        }
    }
    Ok(mask)
}

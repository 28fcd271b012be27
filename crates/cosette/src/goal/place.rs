//! The places of a goal: the usual one as rotations of the cube carry it, each with its name.

use super::error::GoalError;
use super::mask::Mask;
use crate::cube::{Cube, Face, Symmetry};

/// A place of a goal. The goal is met there by target · x for every position x that is in the mask as `rotation` makes it be seen:
/// by p if target⁻¹ · p, so seen, is in the mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub name: String,
    pub rotation: Symmetry,
    pub target: Cube,
}

pub(super) type Places = Vec<Place>;

impl Place {
    /// The place of the mask itself.
    pub fn own() -> Place {
        Place { name: String::new(), rotation: Symmetry::IDENTITY, target: Cube::SOLVED }
    }

    /// What is in the mask if the goal is met here by `position`.
    pub fn seen(&self, position: &Cube) -> Cube {
        self.target.inverse().compose(position).conjugate(self.rotation)
    }

    /// The positions by which the goal is met here, without the target.
    pub fn mask(&self, mask: &Mask) -> Mask {
        mask.rotated(self.rotation.inverse())
    }
}

/// A place of a named goal.
pub(super) struct NamedPlace {
    /// Its names: the letters of the usual place as the rotations to it carry them.
    pub names: Vec<String>,
    /// A rotation that carries it to the usual place.
    pub rotation: Symmetry,
}

/// The places of a goal whose usual place is `usual`: one for each mask that rotations make of its mask, as far as their names differ. (Edges
/// of a layer are oriented along both axes, or along none.)
pub(super) fn places(usual: &str, mask: &Mask) -> Vec<NamedPlace> {
    let mut found: Vec<(Mask, NamedPlace)> = Vec::new();
    for rotation in Symmetry::all().filter(|rotation| !rotation.is_mirror()) {
        let seen = mask.rotated(rotation);
        let name: String = usual.chars().filter_map(Face::named).map(|face| rotation.face(face).letter()).collect();
        match found.iter_mut().find(|(mask, place)| *mask == seen || place.names.contains(&name)) {
            Some((_, place)) => place.names.push(name),
            None => found.push((seen, NamedPlace { names: vec![name], rotation: rotation.inverse() })),
        }
    }
    found.into_iter().map(|(_, place)| place).collect()
}

/// The place with this name; its letters may be in any order that names no other place.
pub(super) fn named_place(name: &str, wanted: &str, places: &[NamedPlace]) -> Result<(String, Symmetry), GoalError> {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.to_ascii_uppercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_there = |place: &&NamedPlace| !wanted.is_empty() && !place.names[0].is_empty();
    let exact = places
        .iter()
        .filter(is_there)
        .find(|place| place.names.iter().any(|name| *name == wanted.to_ascii_uppercase()));
    // The one place that has a name of these letters, of those with the same first letter if there are any.
    let only = |has_first: bool| {
        let is_it = |name: &String| {
            sorted(name) == sorted(wanted) && (!has_first || name[..1].eq_ignore_ascii_case(&wanted[..1]))
        };
        let mut alike = places.iter().filter(is_there).filter(|place| place.names.iter().any(is_it));
        alike.next().filter(|_| alike.next().is_none())
    };
    match exact.or_else(|| only(true)).or_else(|| only(false)) {
        Some(place) => Ok((wanted.to_ascii_uppercase(), place.rotation)),
        None => {
            let mut places: Vec<&str> = places.iter().map(|place| &place.names[0][..]).collect();
            if places == [""] {
                places = vec!["none, so leave it out"];
            }
            let (name, place) = (name.to_owned(), crate::cube::quoted(wanted));
            Err(GoalError::NoSuchPlace { name, place, places: places.join(", ") })
        }
    }
}

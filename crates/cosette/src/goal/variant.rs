//! Variants of a goal: the default one and its images under rotations of the cube, each with its
//! name.

use super::error::GoalError;
use super::mask::Mask;
use crate::cube::{Cube, Face, Symmetry};

/// A variant of a goal. It is reached by target · x for every position x that is in the mask after
/// conjugation by `rotation`: by p if the conjugate of target⁻¹ · p is in the mask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoalVariant {
    pub name: String,
    pub rotation: Symmetry,
    pub target: Cube,
}

impl GoalVariant {
    /// Creates the variant of the mask itself.
    pub fn base() -> GoalVariant {
        GoalVariant {
            name: String::new(),
            rotation: Symmetry::IDENTITY,
            target: Cube::SOLVED,
        }
    }

    /// Returns the position that is in the mask if `position` reaches this variant.
    pub fn normalize(&self, position: &Cube) -> Cube {
        self.target
            .inverse()
            .compose(position)
            .conjugate(self.rotation)
    }

    /// Returns the mask of this variant in the frame of the centers, without the target.
    pub fn mask(&self, mask: &Mask) -> Mask {
        mask.conjugate(self.rotation.inverse())
    }
}

/// A variant of a named goal.
pub(super) struct NamedVariant {
    /// Its names: the letters of the default variant as the rotations to it carry them.
    pub names: Vec<String>,
    /// A rotation that carries it to the default variant.
    pub rotation: Symmetry,
}

/// Returns the variants of a goal whose default variant is `usual`: one for each mask that
/// rotations make of its mask, provided that their names differ. (Edges of a layer are oriented
/// along both axes, or along none.)
pub(super) fn places(usual: &str, mask: &Mask) -> Vec<NamedVariant> {
    let mut found: Vec<(Mask, NamedVariant)> = Vec::new();
    for rotation in Symmetry::all().filter(|rotation| !rotation.is_mirror()) {
        let seen = mask.conjugate(rotation);
        let name: String = usual
            .chars()
            .filter_map(Face::from_letter)
            .map(|face| rotation.face(face).letter())
            .collect();
        match found
            .iter_mut()
            .find(|(mask, place)| *mask == seen || place.names.contains(&name))
        {
            Some((_, place)) => place.names.push(name),
            None => found.push((
                seen,
                NamedVariant {
                    names: vec![name],
                    rotation: rotation.inverse(),
                },
            )),
        }
    }
    found.into_iter().map(|(_, place)| place).collect()
}

/// Returns the variant with this name; its letters may be in any order that names no other variant.
pub(super) fn named_place(
    name: &str,
    wanted: &str,
    places: &[NamedVariant],
) -> Result<(String, Symmetry), GoalError> {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.to_ascii_uppercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_there = |place: &&NamedVariant| !wanted.is_empty() && !place.names[0].is_empty();
    let exact = places.iter().filter(is_there).find(|place| {
        place
            .names
            .iter()
            .any(|name| *name == wanted.to_ascii_uppercase())
    });
    // The only variant with a name of these letters, among those with the same first letter if
    // there are any.
    let only = |has_first: bool| {
        let is_it = |name: &String| {
            sorted(name) == sorted(wanted)
                && (!has_first || name[..1].eq_ignore_ascii_case(&wanted[..1]))
        };
        let mut alike = places
            .iter()
            .filter(is_there)
            .filter(|place| place.names.iter().any(is_it));
        alike.next().filter(|_| alike.next().is_none())
    };
    match exact.or_else(|| only(true)).or_else(|| only(false)) {
        Some(place) => Ok((wanted.to_ascii_uppercase(), place.rotation)),
        None => {
            let names: Vec<&str> = places.iter().map(|place| &place.names[0][..]).collect();
            let variants = match names[..] {
                [""] => format!("it has no variants, so write {name}"),
                _ => format!("use one of {}", names.join(", ")),
            };
            let name = name.to_owned();
            let variant = crate::cube::quoted(wanted);
            Err(GoalError::UnknownVariant {
                name,
                variant,
                variants,
            })
        }
    }
}

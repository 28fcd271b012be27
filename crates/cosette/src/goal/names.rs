//! Goals as people write them: names, pieces and facelets.

use super::mask::{Kind, Mask};
use crate::cube::{Corner, Edge, Face, Symmetry};
use std::fmt;
use std::str::FromStr;

/// The goals that have names: the name, its usual place, what is asked there, and in words.
///
/// Another place is the image of the usual one under a rotation of the cube.
pub const NAMES: [(&str, &str, &str, &str); 17] = [
    ("cross", "D", "DF DR DB DL", "the four edges of a face"),
    ("xcross", "DFR", "DF DR DB DL DFR FR", "a cross, and one corner with its edge: the face, then the corner"),
    ("2x2x2", "DLF", "DL DF FL DLF", "a corner and the three edges beside it"),
    ("2x2x3", "DL", "DL DF DB FL BL DLF DBL", "two such blocks side by side, along an edge"),
    ("f2l", "D", "DF DR DB DL FR FL BL BR DFR DLF DBL DRB", "two layers"),
    (
        "f2l-1",
        "DFR",
        "DF DR DB DL FL BL BR DLF DBL DRB",
        "two layers but for one corner with its edge: the face, then these",
    ),
    ("1x2x3", "DL", "DL FL BL DLF DBL", "a first block: on the second face, beside the first"),
    ("blocks", "DL", "DL FL BL DLF DBL DR FR BR DFR DRB", "two such blocks on opposite faces, beside the first face"),
    ("eo", "FB", "oriented(edges)", "all edges oriented: solved by turns that leave out quarters of two faces"),
    (
        "eoline",
        "DF",
        "oriented(edges) DF DB",
        "oriented edges, and two solved: of the first face, and the second and its opposite",
    ),
    ("eocross", "DF", "oriented(edges) DF DR DB DL", "oriented edges and a cross on the first face"),
    ("corners", "", "corners", "all corners"),
    ("edges", "", "edges", "all edges"),
    ("last-layer", "U", "UF UR UB UL URF UFL ULB UBR", "all pieces of a face"),
    (
        "dr",
        "UD",
        "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}",
        "the subgroup of U, D and half turns of the others",
    ),
    (
        "htr",
        "",
        "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR} half-turn-corners",
        "the subgroup of half turns",
    ),
    ("solved", "", "edges corners", "the whole cube"),
];

/// Within [`NAMES`]: that half turns lead to the places of all corners.
const HALF_TURN_CORNERS: &str = "half-turn-corners";

/// A set of positions, in one place or in several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    text: String,
    pub(super) mask: Mask,
    /// Its places: the name, and the rotation that carries the place to that of the mask.
    pub(super) places: Vec<(String, Symmetry)>,
}

/// Why a text is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum GoalError {
    /// Nothing is asked.
    #[error("the goal is empty; name one, as in cross, 2x2x2:DLF or `UF UR DFR`")]
    Empty,
    /// No goal, piece or group has this name.
    #[error(
        "`{0}` is neither a goal nor a piece; goals are {names}, pieces are written as UF or DFR",
        names = NAMES.map(|name| name.0).join(", ")
    )]
    Unknown(String),
    /// The goal has no such place.
    #[error("`{name}` has no place `{place}`; its places are {places}")]
    NoSuchPlace { name: String, place: String, places: String },
    /// One of several items has several places.
    #[error("`{name}` is beside other items and needs a place; write {name}:{usual}")]
    PlaceMissing { name: String, usual: String },
    /// A bracket that is not closed.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// There are not 54 facelets, or their colours are not those of faces.
    #[error("a goal of facelets has 54 of them, each U R F D L B or a dot; this has {0}")]
    Facelets(usize),
    /// A slot shows colours that no piece has.
    #[error("{0} shows colours that no piece has together; replace one by a dot")]
    NoPiece(String),
    /// A centre has another colour than that of its face.
    #[error("the centre of {0} is not {0}; a goal is seen with each centre on its own face")]
    Centre(Face),
    /// The subgroup of half turns with more conditions on corners.
    #[error("htr stands for all corners; leave out what else is asked of them")]
    HalfTurns,
    /// Nothing meets all conditions.
    #[error("no position meets this goal: {0} has nowhere to be; leave out one of the conditions on it")]
    Impossible(String),
}

impl Goal {
    /// The names of its places; one empty name if it has no other.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|(name, _)| &name[..])
    }

    fn of_mask(text: &str, mask: Mask, places: Vec<(String, Symmetry)>) -> Result<Goal, GoalError> {
        if mask.is_of_all() {
            return Err(GoalError::Empty);
        }
        if mask.half_turn_corners && !mask.asks_of_corners_as_half_turns() {
            return Err(GoalError::HalfTurns);
        }
        match mask.impossible() {
            Some((kind, piece)) => Err(GoalError::Impossible(piece_name(kind, piece))),
            None => Ok(Goal { text: text.to_owned(), mask, places }),
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(GoalError::Empty);
        }
        if text.contains(HALF_TURN_CORNERS) {
            return Err(GoalError::Unknown(HALF_TURN_CORNERS.to_owned()));
        }
        let is_facelet = |c: char| c == '.' || Face::named(c).is_some() || c.is_whitespace();
        let is_painted = text.chars().all(is_facelet) && text.chars().filter(|c| !c.is_whitespace()).count() == 54;
        if text.contains('.') || is_painted {
            return Goal::of_mask(text, of_facelets(text)?, vec![(String::new(), Symmetry::IDENTITY)]);
        }
        let (name, place) = text.split_once(':').map_or((text, None), |(name, place)| (name, Some(place)));
        let is_one = |named: &&(&str, &str, &str, &str)| named.0 == name && !text.contains(char::is_whitespace);
        if let Some(&(name, usual, pieces, _)) = NAMES.iter().find(is_one) {
            let mask = of_items(pieces)?;
            let places = places(usual, &mask);
            let places = match place {
                None => places.into_iter().map(|place| (place.names[0].clone(), place.rotation)).collect(),
                Some(wanted) => vec![named_place(name, wanted, &places)?],
            };
            return Goal::of_mask(text, mask, places);
        }
        Goal::of_mask(text, of_items(text)?, vec![(String::new(), Symmetry::IDENTITY)])
    }
}

/// A place of a named goal.
struct Place {
    /// Its names: the letters of the usual place as the rotations to it carry them.
    names: Vec<String>,
    /// A rotation that carries it to the usual place.
    rotation: Symmetry,
}

/// The places of a goal whose usual place is `usual`: one for each mask that rotations make of its mask.
fn places(usual: &str, mask: &Mask) -> Vec<Place> {
    let mut found: Vec<(Mask, Place)> = Vec::new();
    for rotation in Symmetry::all().filter(|rotation| !rotation.is_mirror()) {
        let seen = mask.rotated(rotation);
        let name: String = usual.chars().filter_map(Face::named).map(|face| rotation.face(face).letter()).collect();
        match found.iter_mut().find(|(mask, _)| *mask == seen) {
            Some((_, place)) => place.names.push(name),
            None => found.push((seen, Place { names: vec![name], rotation: rotation.inverse() })),
        }
    }
    found.into_iter().map(|(_, place)| place).collect()
}

/// The place with this name; its letters may be in any order that names no other place.
fn named_place(name: &str, wanted: &str, places: &[Place]) -> Result<(String, Symmetry), GoalError> {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.to_ascii_uppercase().chars().collect();
        letters.sort_unstable();
        letters
    };
    let exact = places.iter().find(|place| place.names.iter().any(|name| *name == wanted.to_ascii_uppercase()));
    // The one place that has a name of these letters, of those with the same first letter if there are any.
    let only = |has_first: bool| {
        let is_it = |name: &String| {
            sorted(name) == sorted(wanted) && (!has_first || name[..1].eq_ignore_ascii_case(&wanted[..1]))
        };
        let mut alike = places.iter().filter(|place| place.names.iter().any(is_it));
        alike.next().filter(|_| alike.next().is_none())
    };
    match exact.or_else(|| only(true)).or_else(|| only(false)) {
        Some(place) => Ok((wanted.to_ascii_uppercase(), place.rotation)),
        None => {
            let places: Vec<&str> = places.iter().map(|place| &place.names[0][..]).collect();
            let (name, place) = (name.to_owned(), crate::cube::quoted(wanted));
            Err(GoalError::NoSuchPlace { name, place, places: places.join(", ") })
        }
    }
}

/// What all items of a text ask together.
fn of_items(text: &str) -> Result<Mask, GoalError> {
    let (mut mask, mut rest) = (Mask::all(), text.trim_start());
    while !rest.is_empty() {
        let end = |rest: &str| {
            rest.find(|c: char| c.is_whitespace() || c == '{').filter(|&end| end > 0).unwrap_or(rest.len())
        };
        let opens =
            [("{", '}'), ("placed(", ')'), ("oriented(", ')')].into_iter().find(|(open, _)| rest.starts_with(open));
        let (asked, length) = match opens {
            Some((open, close)) => {
                let unclosed = || GoalError::Unclosed(open.to_owned(), close);
                let inside = &rest[open.len()..];
                let length = inside.find(close).ok_or_else(unclosed)?;
                (group(open, &pieces(&inside[..length])?), open.len() + length + 1)
            }
            None => (item(&rest[..end(rest)])?, end(rest)),
        };
        mask = mask.and(&asked);
        rest = rest[length..].trim_start();
    }
    Ok(mask)
}

/// What one item asks.
fn item(text: &str) -> Result<Mask, GoalError> {
    if text == HALF_TURN_CORNERS {
        let tetrad = |corner: usize| Corner::ALL[corner].tetrad();
        let mut mask = Mask::all();
        mask.half_turn_corners = true;
        for corner in 0..Corner::COUNT {
            mask.restrict(Kind::Corners, corner, 0b111, |slot| tetrad(slot) == tetrad(corner));
        }
        return Ok(mask);
    }
    let (name, place) = text.split_once(':').map_or((text, None), |(name, place)| (name, Some(place)));
    let Some(&(name, usual, asked, _)) =
        NAMES.iter().find(|named| named.0 == name && !matches!(name, "edges" | "corners"))
    else {
        return Ok(group("", &pieces(text)?));
    };
    let mask = of_items(asked)?;
    let places = places(usual, &mask);
    match place {
        Some(place) => Ok(mask.rotated(named_place(name, place, &places)?.1.inverse())),
        None if places.len() == 1 => Ok(mask),
        None => Err(GoalError::PlaceMissing { name: name.to_owned(), usual: usual.to_owned() }),
    }
}

/// What is asked of some pieces, by the words before them.
fn group(open: &str, pieces: &[(Kind, usize)]) -> Mask {
    let mut mask = Mask::all();
    for &(kind, piece) in pieces {
        match open {
            "placed(" => mask.restrict(kind, piece, 0b111, |slot| slot == piece),
            "oriented(" => mask.restrict(kind, piece, 1, |_| true),
            "{" => mask.restrict(kind, piece, 1, |slot| pieces.contains(&(kind, slot))),
            _ => mask.restrict(kind, piece, 1, |slot| slot == piece),
        }
    }
    mask
}

/// Pieces by their names, or by `edges` and `corners`.
fn pieces(text: &str) -> Result<Vec<(Kind, usize)>, GoalError> {
    let mut pieces = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        match word {
            "edges" => pieces.extend((0..Edge::COUNT).map(|edge| (Kind::Edges, edge))),
            "corners" => pieces.extend((0..Corner::COUNT).map(|corner| (Kind::Corners, corner))),
            _ => pieces.push(piece(word).ok_or_else(|| GoalError::Unknown(crate::cube::quoted(word)))?),
        }
    }
    Ok(pieces)
}

/// The piece whose faces have these letters, in any order.
fn piece(word: &str) -> Option<(Kind, usize)> {
    let faces: Option<Vec<Face>> = word.chars().map(Face::named).collect();
    let faces = faces?;
    let is_it = |kind: Kind, piece: usize| {
        let of = faces_of(kind, piece);
        of.len() == faces.len() && of.iter().all(|face| faces.contains(face))
    };
    Kind::BOTH
        .into_iter()
        .find_map(|kind| (0..kind.count()).find(|&piece| is_it(kind, piece)).map(|piece| (kind, piece)))
}

fn faces_of(kind: Kind, piece: usize) -> Vec<Face> {
    match kind {
        Kind::Corners => Corner::ALL[piece].faces().to_vec(),
        Kind::Edges => Edge::ALL[piece].faces().to_vec(),
    }
}

/// The name of a piece in words, as in `the edge DF`.
pub(super) fn piece_name(kind: Kind, piece: usize) -> String {
    let faces: String = faces_of(kind, piece).into_iter().map(Face::letter).collect();
    format!("the {} {faces}", ["corner", "edge"][kind as usize])
}

/// The goal of showing these facelets; a dot may be any colour.
fn of_facelets(text: &str) -> Result<Mask, GoalError> {
    let shown: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_facelet = |&&c: &&char| c == '.' || Face::named(c).is_some();
    if shown.len() != 54 || !shown.iter().all(|c| is_facelet(&c)) {
        return Err(GoalError::Facelets(shown.iter().filter(is_facelet).count()));
    }
    if let Some(face) = Face::ALL.into_iter().find(|face| !['.', face.letter()].contains(&shown[9 * face.index() + 4]))
    {
        return Err(GoalError::Centre(face));
    }
    let mut mask = Mask::all();
    for kind in Kind::BOTH {
        for slot in 0..kind.count() {
            let places: Vec<usize> = match kind {
                Kind::Corners => Corner::ALL[slot].places().to_vec(),
                Kind::Edges => Edge::ALL[slot].places().to_vec(),
            };
            let orientations = usize::from(kind.orientations());
            let mut is_possible = false;
            for piece in 0..kind.count() {
                let faces = faces_of(kind, piece);
                // The piece's facelet j is at facelet j + orientation of the slot.
                let shows = |orientation: usize| {
                    let mut facelets =
                        (0..orientations).map(|j| (faces[j], shown[places[(j + orientation) % orientations]]));
                    facelets.all(|(face, shown)| shown == '.' || shown == face.letter())
                };
                let bits = (0..orientations).filter(|&o| shows(o)).fold(0u8, |bits, o| bits | 1 << o);
                is_possible |= bits != 0;
                mask.restrict_in(kind, piece, slot, bits);
            }
            if !is_possible {
                return Err(GoalError::NoPiece(piece_name(kind, slot)));
            }
        }
    }
    Ok(mask)
}

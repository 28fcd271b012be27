//! Goals as people write them: names, pieces and facelets.

use super::mask::{Kind, Mask};
use crate::cube::{Corner, Cube, Edge, Face, Slot, Symmetry};
use std::fmt;
use std::str::FromStr;

/// A goal that has a name.
///
/// Another place than the usual one is its image under a rotation of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: &'static str,
    /// The faces of its usual place; empty if it has no other.
    pub place: &'static str,
    /// What it is, at its usual place.
    pub meaning: &'static str,
    asked: &'static str,
}

const fn named(name: &'static str, place: &'static str, asked: &'static str, meaning: &'static str) -> Named {
    Named { name, place, asked, meaning }
}

/// The goals that have names.
pub const NAMES: [Named; 17] = [
    named("cross", "D", "DF DR DB DL", "the four edges of D"),
    named("xcross", "DFR", "DF DR DB DL DFR FR", "the cross on D, the corner DFR and the edge above it"),
    named("2x2x2", "DLF", "DL DF FL DLF", "the corner DLF and the three edges beside it"),
    named("2x2x3", "DL", "DL DF DB FL BL DLF DBL", "two such blocks side by side, along DL"),
    named("f2l", "D", "DF DR DB DL FR FL BL BR DFR DLF DBL DRB", "D and the layer above it"),
    named("f2l-1", "DFR", "DF DR DB DL FL BL BR DLF DBL DRB", "these but for the corner DFR and the edge above it"),
    named("1x2x3", "DL", "DL FL BL DLF DBL", "a first block: on L, beside D"),
    named("blocks", "DL", "DL FL BL DLF DBL DR FR BR DFR DRB", "such blocks on L and on R, beside D"),
    named("eo", "FB", "oriented(edges)", "all edges oriented: no more quarter turns of F and B are needed"),
    named("eoline", "DF", "oriented(edges) DF DB", "that, and the edges DF and DB"),
    named("eocross", "DF", "oriented(edges) DF DR DB DL", "that, and the cross on D"),
    named("corners", "", "corners", "all corners"),
    named("edges", "", "edges", "all edges"),
    named("last-layer", "U", "UF UR UB UL URF UFL ULB UBR", "all pieces of U"),
    named("dr", "UD", DOMINO, "the subgroup of U, D and half turns of the others"),
    named("htr", "", HALF_TURNS, "the subgroup of half turns"),
    named("solved", "", "edges corners", "the whole cube"),
];

const DOMINO: &str = "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}";
const HALF_TURNS: &str = "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR} half-turn-corners";

/// In [`HALF_TURNS`]: that half turns lead to the places of all corners.
const HALF_TURN_CORNERS: &str = "half-turn-corners";

/// A set of positions, in one place or in several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    text: String,
    pub(super) mask: Mask,
    pub(super) places: Places,
}

/// The places of a goal: the name of each, and the rotation that carries it to that of the mask.
type Places = Vec<(String, Symmetry)>;

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
        names = NAMES.map(|named| named.name).join(", ")
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
    #[error(
        "no position meets this goal: pieces have no slot left, or one would be flipped, twisted or swapped alone; leave out a condition"
    )]
    Impossible,
}

impl Goal {
    /// The names of its places; one empty name if it has no other.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|(name, _)| &name[..])
    }

    /// Whether a position is in it.
    pub fn is_met(&self, position: &Cube) -> bool {
        self.places.iter().any(|&(_, rotation)| self.mask.contains(&position.conjugate(rotation)))
    }

    /// TEMPORARY
    pub fn target(&self) -> Option<Cube> {
        (self.text == "solved").then_some(Cube::SOLVED)
    }

    fn of_mask(text: &str, mask: Mask, places: Places) -> Result<Goal, GoalError> {
        if mask.is_of_all() {
            return Err(GoalError::Empty);
        }
        if mask.half_turn_corners && !mask.asks_of_corners_as_half_turns() {
            return Err(GoalError::HalfTurns);
        }
        if mask.is_empty() {
            return Err(GoalError::Impossible);
        }
        Ok(Goal { text: text.to_owned(), mask, places })
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
        match named_goal(text)? {
            Some((_, mask, places)) => Goal::of_mask(text, mask, places),
            None => Goal::of_mask(text, of_items(text)?, vec![(String::new(), Symmetry::IDENTITY)]),
        }
    }
}

/// A goal by its name, with the place that follows it, or with all its places.
fn named_goal(text: &str) -> Result<Option<(Named, Mask, Places)>, GoalError> {
    let (name, place) = text.split_once(':').map_or((text, None), |(name, place)| (name, Some(place)));
    // `edges` and `corners` are groups of pieces as well.
    let is_it = |named: &&Named| named.name == name && named.asked != name && !text.contains(char::is_whitespace);
    let Some(&named) = NAMES.iter().find(is_it) else { return Ok(None) };
    let mask = of_items(named.asked)?;
    let all = places(named.place, &mask);
    let places = match place {
        None => all.into_iter().map(|place| (place.names[0].clone(), place.rotation)).collect(),
        Some(wanted) => vec![named_place(name, wanted, &all)?],
    };
    Ok(Some((named, mask, places)))
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
    match named_goal(text)? {
        Some((_, mask, places)) if places.len() == 1 => Ok(mask.rotated(places[0].1.inverse())),
        Some((named, ..)) => {
            Err(GoalError::PlaceMissing { name: named.name.to_owned(), usual: named.place.to_owned() })
        }
        None => Ok(group("", &pieces(text)?)),
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
    Slot::touching(&faces?).map(|slot| match slot {
        Slot::Corner(corner) => (Kind::Corners, corner.index()),
        Slot::Edge(edge) => (Kind::Edges, edge.index()),
    })
}

/// The name of a piece in words, as in `the edge DF`.
pub(super) fn piece_name(kind: Kind, piece: usize) -> String {
    match kind.slot(piece) {
        Slot::Corner(corner) => format!("the corner {corner}"),
        Slot::Edge(edge) => format!("the edge {edge}"),
    }
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
            let places: Vec<usize> = kind.slot(slot).places().collect();
            let orientations = usize::from(kind.orientations());
            let mut is_possible = false;
            for piece in 0..kind.count() {
                let faces = kind.slot(piece).faces();
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

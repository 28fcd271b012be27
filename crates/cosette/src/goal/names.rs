//! Goals as text: names, pieces, facelets and positions. Names are case-insensitive and come first:
//! `F2L` is not a position, and `DR` is the subgroup; in a list (`DR UF`) and in braces (`{DR}`) it
//! is the edge.

use super::error::GoalError;
use super::mask::{Mask, PieceKind};
use super::painted::parse_painted_goal;
use super::variant::{GoalVariant, NamedVariant, named_place, places};
use crate::cube::{
    Corner, Cube, Edge, Face, Format, Move, ParseError, ParseOptions, SEPARATORS, Slot, Symmetry,
    Turn, parse_position, parse_turns,
};
use std::fmt;
use std::str::FromStr;

/// A named goal.
///
/// Every variant is the image of the default one under a rotation of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedGoal {
    /// The name.
    pub name: &'static str,
    /// The faces of its default variant; empty if it has only one variant.
    pub default_variant: &'static str,
    /// A description of the goal, in its default variant.
    pub description: &'static str,
    definition: &'static str,
}

const fn named(
    name: &'static str,
    place: &'static str,
    asked: &'static str,
    meaning: &'static str,
) -> NamedGoal {
    NamedGoal {
        name,
        default_variant: place,
        definition: asked,
        description: meaning,
    }
}

/// The named goals.
pub const NAMED_GOALS: [NamedGoal; 19] = [
    named("cross", "D", "DF DR DB DL", "the four edges of D"),
    named(
        "xcross",
        "DFR",
        "DF DR DB DL DFR FR",
        "the cross on D, the corner DFR and the edge above it",
    ),
    named(
        "2x2x2",
        "DLF",
        "DL DF FL DLF",
        "the corner DLF and the three edges beside it",
    ),
    named(
        "2x2x3",
        "DL",
        "DL DF DB FL BL DLF DBL",
        "a 2x2x3 block along DL",
    ),
    named(
        "f2l",
        "D",
        "DF DR DB DL FR FL BL BR DFR DLF DBL DRB",
        "first two layers: D and the middle layer",
    ),
    named(
        "f2l-1",
        "DFR",
        "DF DR DB DL FL BL BR DLF DBL DRB",
        "F2L without the corner DFR and the edge above it",
    ),
    named(
        "1x2x3",
        "DL",
        "DL FL BL DLF DBL",
        "a 1x2x3 block on L, next to D",
    ),
    named(
        "blocks",
        "DL",
        "DL FL BL DLF DBL DR FR BR DFR DRB",
        "the 1x2x3 blocks on L and on R, next to D",
    ),
    named(
        "eo",
        "FB",
        "oriented(edges)",
        "all edges oriented: no more quarter turns of F and B are needed",
    ),
    named(
        "eoline",
        "DF",
        "oriented(edges) DF DB",
        "all edges oriented, and the edges DF and DB",
    ),
    named(
        "eocross",
        "DF",
        "oriented(edges) DF DR DB DL",
        "all edges oriented, and the cross on D",
    ),
    named("corners", "", "corners", "all corners"),
    named("edges", "", "edges", "all edges"),
    named(
        "oll",
        "U",
        ORIENTED,
        "first two layers, and the pieces of U oriented",
    ),
    named(
        "layer",
        "U",
        "UF UR UB UL URF UFL ULB UBR",
        "the eight pieces of the U layer",
    ),
    named(
        "dr",
        "UD",
        DOMINO,
        "domino reduction: the subgroup of U, D and half turns of the other faces",
    ),
    named(
        "htr",
        "",
        HALF_TURNS,
        "half-turn reduction: the subgroup of half turns",
    ),
    named("solved", "", SOLVED, "the whole cube"),
    named(AUF, "U", SOLVED, "the whole cube, up to a turn of U (AUF)"),
];

const SOLVED: &str = "edges corners";
const AUF: &str = "auf";

const ORIENTED: &str =
    "DF DR DB DL FR FL BL BR DFR DLF DBL DRB oriented(UF UR UB UL URF UFL ULB UBR)";
const DOMINO: &str = "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}";
const HALF_TURNS: &str =
    "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR} half-turn-corners";

/// Names of steps that may be mistaken for goals, and could be read as moves (`fb` is f b), each
/// with the goal in which it ends.
const STEPS: [(&str, &str); 8] = [
    ("pll", LAST_TURN),
    ("zbll", LAST_TURN),
    ("ll", LAST_TURN),
    ("lse", SOLVED_AT_LAST),
    ("fb", "1x2x3"),
    ("f2b", "blocks"),
    ("sb", "blocks"),
    ("f2l1", "f2l-1"),
];
const LAST_TURN: &str = "auf:U (the whole cube up to a turn of U) or solved";
const SOLVED_AT_LAST: &str = "solved (the whole cube)";

/// In [`HALF_TURNS`], the condition that half turns lead to the slots of all corners.
const HALF_TURN_CORNERS: &str = "half-turn-corners";

/// A set of positions, in one or several variants; the [module](super) has the syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    text: String,
    pub(super) mask: Mask,
    pub(super) places: Vec<GoalVariant>,
}

impl Goal {
    /// Creates the goal of reaching exactly this position.
    pub fn from_position(position: &Cube) -> Goal {
        let solved = of_items(SOLVED)
            .unwrap_or_else(|error| unreachable!("these are names of pieces: {error}"));
        Goal {
            text: position.facelets(),
            mask: solved,
            places: vec![GoalVariant {
                target: *position,
                ..GoalVariant::base()
            }],
        }
    }

    /// Returns the names of its variants; one empty name if it has only one.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        // The positions of one variant are consecutive.
        self.places
            .chunk_by(|one, next| one.name == next.name)
            .map(|alike| &alike[0].name[..])
    }

    /// Returns the position that is the goal, if it is a single one.
    pub fn target(&self) -> Option<Cube> {
        let [GoalVariant { target, .. }] = self.places[..] else {
            return None;
        };
        self.is_full_cube().then_some(target)
    }

    /// Returns `true` if the goal is a single position.
    pub fn is_position(&self) -> bool {
        self.target().is_some()
    }

    /// Returns `true` if a symmetry permutes its variants.
    pub(super) fn is_kept_by(&self, symmetry: Symmetry) -> bool {
        self.places.iter().all(|place| {
            let target = place.target.conjugate(symmetry);
            let mask = place.mask(&self.mask).conjugate(symmetry);
            self.places
                .iter()
                .any(|other| other.target == target && other.mask(&self.mask) == mask)
        })
    }

    /// Returns `true` if every piece is constrained to one slot and orientation.
    pub fn is_full_cube(&self) -> bool {
        of_items(SOLVED).is_ok_and(|solved| self.mask == solved)
    }

    /// Returns `true` if a position satisfies the goal.
    pub fn is_met(&self, position: &Cube) -> bool {
        self.satisfied_variants(position).next().is_some()
    }

    /// Returns the names of the variants that a position satisfies.
    pub fn satisfied_variants(&self, position: &Cube) -> impl Iterator<Item = &str> {
        let is_met = |place: &GoalVariant| self.mask.contains(&place.normalize(position));
        let by_name = self.places.chunk_by(|one, next| one.name == next.name);
        by_name
            .filter(move |alike| alike.iter().any(is_met))
            .map(|alike| &alike[0].name[..])
    }

    /// Returns the slots of corners and of edges whose pieces violate the goal (its first variant).
    /// Both may be empty for a position that does not satisfy it: a half-turn reduction constrains
    /// all corners together.
    pub fn unsatisfied_slots(&self, position: &Cube) -> (Vec<Corner>, Vec<Edge>) {
        let (mut corners, mut edges) = (Vec::new(), Vec::new());
        let Some(place) = self.places.first() else {
            return (corners, edges);
        };
        for slot in place
            .mask(&self.mask)
            .violations(&place.target.inverse().compose(position))
        {
            match slot {
                Slot::Corner(corner) => corners.push(corner),
                Slot::Edge(edge) => edges.push(edge),
            }
        }
        (corners, edges)
    }

    fn of_mask(text: &str, mask: Mask, places: Vec<GoalVariant>) -> Result<Goal, GoalError> {
        if mask.is_unconstrained() {
            return Err(GoalError::Empty);
        }
        if mask.half_turn_corners && !mask.corners_need_only_tetrads() {
            return Err(GoalError::HalfTurns);
        }
        if mask.is_empty() {
            return Err(GoalError::Impossible);
        }
        Ok(Goal {
            text: text.to_owned(),
            mask,
            places,
        })
    }

    /// Parses one of several alternatives, or the only one.
    fn alternative(text: &str) -> Result<Goal, GoalError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(GoalError::Empty);
        }
        if text.contains(HALF_TURN_CORNERS) {
            return Err(GoalError::Unknown(HALF_TURN_CORNERS.to_owned()));
        }
        let name = text.split(':').next().unwrap_or(text);
        if let Some(&(_, ends)) = STEPS
            .iter()
            .find(|(step, _)| step.eq_ignore_ascii_case(name))
        {
            return Err(GoalError::StepName {
                step: crate::cube::quoted(text),
                ends,
            });
        }
        let position = |format| {
            let input = parse_position(text, format, &ParseOptions::default())?;
            Ok::<Goal, ParseError>(Goal {
                text: text.to_owned(),
                ..Goal::from_position(&input.cube)
            })
        };
        let is_facelet = |c: char| {
            c == '.'
                || Face::from_letter(c).is_some()
                || c.is_whitespace()
                || SEPARATORS.contains(&c)
        };
        let is_painted = text.chars().all(is_facelet);
        // A long word with dots is taken for facelets with other letters for the colors, which are
        // rejected there.
        let is_one_word = !text.contains(|c: char| c.is_whitespace() || ":/".contains(c));
        if text.contains('.') && (is_painted || is_one_word && text.len() >= 40) {
            return Goal::of_mask(text, parse_painted_goal(text)?, vec![GoalVariant::base()]);
        }
        if is_painted
            && text
                .chars()
                .filter(|&c| Face::from_letter(c).is_some())
                .count()
                == 54
        {
            return Ok(position(None)?);
        }
        // A list of all pieces states which one is in each slot.
        if text.split_whitespace().count() == Slot::all().count()
            && let Ok(goal) = position(Some(Format::Reid))
        {
            return Ok(goal);
        }
        let read = match named_goal(text) {
            Ok(Some((_, mask, places))) => return Goal::of_mask(text, mask, places),
            Ok(None) => of_items(text),
            Err(error) => Err(error),
        };
        match read {
            Err(GoalError::Unknown(word)) => match position(None) {
                Ok(_) if is_word(text) => Err(GoalError::UnspacedMoves(crate::cube::quoted(text))),
                // If the word is a move itself, the error is elsewhere.
                Err(error) if parse_position(&word, None, &ParseOptions::default()).is_ok() => {
                    Err(error.into())
                }
                read => read.map_err(|_| GoalError::Unknown(word)),
            },
            read => Goal::of_mask(text, read?, vec![GoalVariant::base()]),
        }
    }

    /// Returns the union of this goal and another variant of it.
    fn or(mut self, other: &Goal) -> Result<Goal, GoalError> {
        let carries = |s: &Symmetry| !s.is_mirror() && other.mask.conjugate(*s) == self.mask;
        let different = || GoalError::Alternatives(self.text.clone(), other.text.clone());
        let carried = Symmetry::all().find(carries).ok_or_else(different)?;
        for place in &other.places {
            let place = GoalVariant {
                rotation: place.rotation.then(carried),
                ..place.clone()
            };
            let is_it = |known: &GoalVariant| {
                known.target == place.target && known.mask(&self.mask) == place.mask(&self.mask)
            };
            if !self.places.iter().any(is_it) {
                self.places.push(place);
            }
        }
        Ok(self)
    }

    /// Prefixes the name of each variant with the text of the goal.
    fn with_named_places(mut self) -> Goal {
        let has_several = self.variants().count() > 1;
        for place in &mut self.places {
            place.name = if has_several {
                format!("{}:{}", self.text, place.name)
            } else {
                self.text.clone()
            };
        }
        self
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
        if !text.contains('|') {
            return Goal::alternative(text);
        }
        let mut alternatives = text
            .split('|')
            .map(|text| Goal::alternative(text).map(Goal::with_named_places));
        let first = alternatives.next().unwrap_or(Err(GoalError::Empty))?;
        let goal = alternatives.try_fold(first, |goal, other| goal.or(&other?))?;
        Ok(Goal {
            text: text.trim().to_owned(),
            ..goal
        })
    }
}

/// Parses the name of a goal, with the variant that follows it, or with all its variants.
fn named_goal(text: &str) -> Result<Option<(NamedGoal, Mask, Vec<GoalVariant>)>, GoalError> {
    let (name, place) = text
        .split_once(':')
        .map_or((text, None), |(name, place)| (name, Some(place)));
    // `edges` and `corners` are groups of pieces as well.
    let is_it = |named: &&NamedGoal| {
        let is_group = named.definition == named.name && place.is_none();
        named.name.eq_ignore_ascii_case(name) && !is_group && !text.contains(char::is_whitespace)
    };
    let Some(&named) = NAMED_GOALS.iter().find(is_it) else {
        return Ok(None);
    };
    let mask = of_items(named.definition)?;
    if named.name == AUF {
        return Ok(Some((named, mask, turned_faces(place)?)));
    }
    let all = places(named.default_variant, &mask);
    let own = |name, rotation| GoalVariant {
        name,
        rotation,
        target: Cube::SOLVED,
    };
    let places = match place {
        None => all
            .into_iter()
            .map(|place| own(place.names[0].clone(), place.rotation))
            .collect(),
        Some(wanted) => match named_place(name, wanted, &all) {
            Ok((name, rotation)) => vec![own(name, rotation)],
            Err(error) => {
                let wanted = wanted.to_ascii_uppercase();
                let begins = |place: NamedVariant| {
                    let name = place
                        .names
                        .into_iter()
                        .find(|name| !wanted.is_empty() && name.starts_with(&wanted))?;
                    Some(own(name, place.rotation))
                };
                let several: Vec<GoalVariant> = all.into_iter().filter_map(begins).collect();
                if several.is_empty() {
                    return Err(error);
                }
                several
            }
        },
    };
    Ok(Some((named, mask, places)))
}

/// Returns the solved cube with a turn of one face or none: of the given face, or of any.
fn turned_faces(wanted: Option<&str>) -> Result<Vec<GoalVariant>, GoalError> {
    let names = Face::ALL.map(|face| face.to_string());
    let is_it = |name: &str| wanted.is_none_or(|wanted| wanted.eq_ignore_ascii_case(name));
    let mut places: Vec<GoalVariant> = Vec::new();
    for (face, name) in Face::ALL
        .into_iter()
        .zip(&names)
        .filter(|(_, name)| is_it(name))
    {
        let turned = Turn::ALL.map(|turn| *Cube::from_move(Move::new(face, turn)));
        for target in std::iter::once(Cube::SOLVED).chain(turned) {
            if places.iter().all(|place| place.target != target) {
                places.push(GoalVariant {
                    name: name.clone(),
                    target,
                    ..GoalVariant::base()
                });
            }
        }
    }
    let variant = || crate::cube::quoted(wanted.unwrap_or_default());
    let missing = || GoalError::UnknownVariant {
        name: AUF.to_owned(),
        variant: variant(),
        variants: format!("use one of {}", names.join(", ")),
    };
    if places.is_empty() {
        Err(missing())
    } else {
        Ok(places)
    }
}

/// Parses a list of items, which constrain the goal together.
fn of_items(text: &str) -> Result<Mask, GoalError> {
    let (mut mask, mut rest) = (Mask::all(), text.trim_start());
    while !rest.is_empty() {
        let end = |rest: &str| {
            rest.find(|c: char| c.is_whitespace() || c == '{')
                .filter(|&end| end > 0)
                .unwrap_or(rest.len())
        };
        let opens = [("{", '}'), ("placed(", ')'), ("oriented(", ')')]
            .into_iter()
            .find(|(open, _)| rest.starts_with(open));
        let (asked, length) = match opens {
            Some((open, close)) => {
                let unclosed = || GoalError::Unclosed(open.to_owned(), close);
                let inside = &rest[open.len()..];
                let length = inside.find(close).ok_or_else(unclosed)?;
                let is_goal = |word: &str| {
                    let name = word.split(':').next().unwrap_or(word);
                    NAMED_GOALS
                        .iter()
                        .any(|named| named.name.eq_ignore_ascii_case(name))
                };
                let pieces = pieces(&inside[..length]).map_err(|error| match error {
                    GoalError::Unknown(word) if is_goal(&word) => GoalError::GoalInBrackets(word),
                    error => error,
                })?;
                (group(open, &pieces), open.len() + length + 1)
            }
            None => (item(&rest[..end(rest)])?, end(rest)),
        };
        mask = mask.intersect(&asked);
        rest = rest[length..].trim_start();
    }
    Ok(mask)
}

/// Parses the constraint of one item.
fn item(text: &str) -> Result<Mask, GoalError> {
    if text == HALF_TURN_CORNERS {
        let tetrad = |corner: usize| Corner::ALL[corner].tetrad();
        let mut mask = Mask::all();
        mask.half_turn_corners = true;
        for corner in 0..Corner::COUNT {
            mask.restrict(PieceKind::Corners, corner, 0b111, |slot| {
                tetrad(slot) == tetrad(corner)
            });
        }
        return Ok(mask);
    }
    // In a list `DR` is a piece, and `dr` a goal.
    match if piece(text).is_some() {
        None
    } else {
        named_goal(text)?
    } {
        Some((named, ..)) if named.name == AUF => Err(GoalError::WholeCube(AUF.to_owned())),
        Some((_, mask, places)) if places.len() == 1 => Ok(places[0].mask(&mask)),
        Some((named, ..)) => Err(GoalError::MissingVariant {
            name: named.name.to_owned(),
            default: named.default_variant.to_owned(),
        }),
        None => Ok(group("", &pieces(text)?)),
    }
}

/// Returns the constraint on some pieces that the word before them names.
fn group(open: &str, pieces: &[(PieceKind, usize)]) -> Mask {
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

/// Parses pieces by their names, or by `edges` and `corners`.
fn pieces(text: &str) -> Result<Vec<(PieceKind, usize)>, GoalError> {
    let mut pieces = Vec::new();
    for word in text
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
    {
        match &word.to_ascii_lowercase()[..] {
            "edges" => pieces.extend((0..Edge::COUNT).map(|edge| (PieceKind::Edges, edge))),
            "corners" => {
                pieces.extend((0..Corner::COUNT).map(|corner| (PieceKind::Corners, corner)))
            }
            _ => pieces
                .push(piece(word).ok_or_else(|| GoalError::Unknown(crate::cube::quoted(word)))?),
        }
    }
    Ok(pieces)
}

/// Returns `true` if moves look like a name: several in one word, without a sign, and not each a
/// capital with its number, as in `R2F1U3`.
fn is_word(moves: &str) -> bool {
    let is_numbered = |pair: &[u8]| matches!(pair, [letter, number] if letter.is_ascii_uppercase() && number.is_ascii_digit());
    moves.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && !moves.as_bytes().chunks(2).all(is_numbered)
        && parse_turns(moves, &ParseOptions::default()).is_ok_and(|turns| turns.len() > 1)
}

/// Returns the piece whose faces have these letters, in any order.
fn piece(word: &str) -> Option<(PieceKind, usize)> {
    let faces: Option<Vec<Face>> = word.chars().map(Face::from_letter).collect();
    Slot::touching(&faces?).map(|slot| match slot {
        Slot::Corner(corner) => (PieceKind::Corners, corner.index()),
        Slot::Edge(edge) => (PieceKind::Edges, edge.index()),
    })
}

/// Returns the name of a piece in words, such as `the edge DF`.
pub(super) fn piece_name(kind: PieceKind, piece: usize) -> String {
    match kind.slot(piece) {
        Slot::Corner(corner) => format!("the corner {corner}"),
        Slot::Edge(edge) => format!("the edge {edge}"),
    }
}

//! Positions by the colors that their slots show: 54 facelets in the order of the net, painted
//! cubes, and Reid's twenty pieces.
//!
//! # Partially painted cubes
//!
//! Errors of a painted cube are found slot by slot ([`PartialFacelets`]), even while some facelets
//! are unpainted, which may have any color. A slot is wrong if no cubie in any orientation shows
//! its colors, or if its cubie is in another slot as well.

use super::error::ParseError;
use super::moves::Face;
use super::pieces::{CENTER, Corner, Edge, FACELETS, FACELETS_PER_FACE, Slot, place_name};
use super::position::{Cube, CubeError};
use super::text::{Token, listed, words};
use std::borrow::Cow;
use std::ops::Range;

/// The colors that a text shows in a slot.
struct VisibleColors {
    slot: Slot,
    /// The faces whose colors the slot shows, in the order of its facelets.
    faces: Vec<Option<Face>>,
    /// The facelets as they are written.
    written: String,
    /// The span in the text.
    span: Range<usize>,
}

/// Assembles the position whose twenty slots `text` shows. `mirrored` returns the error of a corner
/// whose colors run the wrong way round, given its slot and the colors.
fn assemble(
    text: &str,
    slots: &[VisibleColors],
    mirrored: impl Fn(Slot, &str) -> String,
) -> Result<Cube, ParseError> {
    let mut corners = [(0, 0); Corner::COUNT];
    let mut edges = [(0, 0); Edge::COUNT];
    for shown in slots {
        let cubie = shown.slot.find_cubie(&shown.faces).ok_or_else(|| {
            let sentence = no_cubie(shown.slot, &shown.faces, &shown.written, &mirrored);
            ParseError::at(text, shown.span.clone(), sentence).impossible()
        })?;
        match shown.slot {
            Slot::Corner(slot) => corners[slot.index()] = cubie,
            Slot::Edge(slot) => edges[slot.index()] = cubie,
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| {
        let (facelet_count, twice) = match error {
            CubeError::CornerTwice { twice, .. } => (3, twice.index()),
            CubeError::EdgeTwice { twice, .. } => (2, twice.index()),
            _ => return ParseError::new(text, error).impossible(),
        };
        let holds_twice = |shown: &&VisibleColors| {
            let cubie = shown.slot.find_cubie(&shown.faces);
            shown.faces.len() == facelet_count
                && cubie.is_some_and(|(number, _)| usize::from(number) == twice)
        };
        // If two cubies are equal, the error points at the later one in the text.
        let spans = slots
            .iter()
            .filter(holds_twice)
            .map(|shown| shown.span.clone());
        let later = spans.max_by_key(|span| span.start);
        ParseError::at(text, later.expect("two slots hold it"), error).impossible()
    })
}

/// Returns `true` if the mirror image of these three faces is a corner.
fn is_mirrored(slot: Slot, shown: &[Option<Face>]) -> bool {
    match *shown {
        [a @ Some(_), b @ Some(_), c @ Some(_)] => slot.find_cubie(&[a, c, b]).is_some(),
        _ => false,
    }
}

/// Returns the error that no cubie shows these faces, `written` in the text, in a slot. Unpainted
/// facelets are not written.
fn no_cubie(
    slot: Slot,
    shown: &[Option<Face>],
    written: &str,
    mirrored: impl Fn(Slot, &str) -> String,
) -> String {
    if is_mirrored(slot, shown) {
        return mirrored(slot, written);
    }
    let kind = match slot {
        Slot::Corner(_) => "corner",
        Slot::Edge(_) => "edge",
    };
    let colors = colors(written);
    // A single color does not exclude all pieces.
    let count = match written.chars().count() {
        2 => "two",
        _ => "three",
    };
    format!("no {kind} is {colors}; check the {count} stickers in slot {slot}")
}

/// Returns the list of these colors in a sentence.
fn colors(written: &str) -> String {
    listed(&written.chars().map(String::from).collect::<Vec<_>>())
}

/// Returns the error that a corner's colors run the wrong way round.
fn mirrored_corner(slot: Slot, written: &str) -> String {
    format!(
        "no corner is {} clockwise; swap two of the three stickers in slot {slot}, or, if all \
         corners are mirrored, check that the faces are in order and not mirrored",
        colors(written)
    )
}

/// Reads 54 facelets in the order U R F D L B.
pub(super) fn read_placed(text: &str, facelets: &[Token]) -> Result<Cube, ParseError> {
    let centers = centers(text, facelets)?;
    let faces = faces(text, facelets, &centers)?;
    check_nine_each(text, &faces, &centers)?;
    let shown = |slot: Slot| {
        let places = slot.places().iter();
        VisibleColors {
            slot,
            faces: places.clone().map(|&place| Some(faces[place])).collect(),
            written: places.map(|&place| facelets[place].symbol()).collect(),
            span: facelets[slot.places()[0]].span(),
        }
    };
    assemble(
        text,
        &Slot::all().map(shown).collect::<Vec<_>>(),
        mirrored_corner,
    )
}

/// Returns `true` if 54 facelets in the order U R F D L B are a cube.
pub(super) fn are_cube(facelets: &[Token]) -> bool {
    // Errors need a text that has the spans of the facelets.
    let text: String = " ".repeat(facelets.iter().map(Token::end).max().unwrap_or_default());
    read_placed(&text, facelets).is_ok()
}

/// Returns the symbol of the center of each face. Rejects two centers with one symbol.
fn centers(text: &str, facelets: &[Token]) -> Result<[char; 6], ParseError> {
    let mut centers = ['\0'; 6];
    for face in Face::ALL {
        let place = face.index() * FACELETS_PER_FACE + CENTER;
        let center = facelets[place];
        let symbol = center.symbol();
        let dots = facelets.iter().filter(|dot| dot.symbol() == BLANK).count();
        // Nine dots may be a color.
        if symbol == BLANK && dots != FACELETS_PER_FACE {
            return Err(not_painted(text, center, place));
        }
        if let Some(earlier) = centers.iter().position(|&center| center == symbol) {
            let earlier = Face::from_index(earlier);
            let sentence = format!(
                "the centers of {earlier} and {face} are both `{symbol}`; a cube has six colors \
                 and each is on one center, the fifth facelet of a face"
            );
            return Err(ParseError::at(text, center.span(), sentence).impossible());
        }
        centers[face.index()] = symbol;
    }
    Ok(centers)
}

/// Returns the error of a facelet without a color.
fn not_painted(text: &str, facelet: Token, place: usize) -> ParseError {
    let name = place_name(place);
    let sentence = format!(
        "facelet {name} is not painted: `.` stands for any color, as in a goal; give its color"
    );
    ParseError::at(text, facelet.span(), sentence)
}

/// Returns the face of each facelet by its color.
fn faces(text: &str, facelets: &[Token], centers: &[char; 6]) -> Result<Vec<Face>, ParseError> {
    let face = |(place, facelet): (usize, &Token)| {
        let symbol = facelet.symbol();
        let face = centers.iter().position(|&center| center == symbol);
        face.map(Face::from_index).ok_or_else(|| {
            if symbol == BLANK {
                return not_painted(text, *facelet, place);
            }
            let name = place_name(place);
            let sentence = format!(
                "`{symbol}` on facelet {name} is a seventh color, which no center has; use the \
                 colors of the centers"
            );
            ParseError::at(text, facelet.span(), sentence).impossible()
        })
    };
    facelets.iter().enumerate().map(face).collect()
}

fn check_nine_each(text: &str, faces: &[Face], centers: &[char; 6]) -> Result<(), ParseError> {
    let times = Face::ALL.map(|face| faces.iter().filter(|shown| **shown == face).count());
    let wrong: Vec<String> = times
        .iter()
        .zip(centers)
        .filter(|(times, _)| **times != FACELETS_PER_FACE)
        .map(|(times, center)| format!("{times} `{center}`"))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let sentence = format!(
        "there are {}; each color needs nine facelets",
        listed(&wrong)
    );
    Err(ParseError::new(text, sentence).impossible())
}

impl Cube {
    /// Returns the 54 facelets in the letters of the faces, in the order U R F D L B, each face row
    /// by row.
    pub fn facelets(&self) -> String {
        let face = |facelet: u8| Face::from_index(usize::from(facelet) / FACELETS_PER_FACE);
        let facelets = self.facelet_permutation().map(face);
        facelets.iter().map(|face| face.letter()).collect()
    }

    /// Returns, for each facelet of the net, the index in the solved cube of the facelet that is
    /// there in the position: facelet j of a cubie is at facelet j + orientation of its slot.
    pub(super) fn facelet_permutation(&self) -> [u8; FACELETS] {
        let mut facelets = std::array::from_fn(|place| place as u8);
        for slot in Slot::all() {
            let (cubie, orientation) = slot.cubie(self);
            let places = slot.places();
            for (facelet, &own) in cubie.places().iter().enumerate() {
                facelets[places[(facelet + orientation) % places.len()]] = own as u8;
            }
        }
        facelets
    }
}

/// The symbol of a facelet that is not painted.
const BLANK: char = '.';

/// An impossible piece: a slot that shows no cubie, or a cubie in several slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossiblePiece {
    /// The facelets of the slot or slots, 0 to 53, in the order of facelet strings.
    pub facelets: Vec<usize>,
    /// The problem.
    pub error: String,
    /// The remedy.
    pub help: String,
}

/// The facelets of a painted cube; `None` for an unpainted facelet.
#[derive(Clone, Debug)]
pub struct PartialFacelets(Vec<Option<Face>>);

impl PartialFacelets {
    /// Reads 54 symbols: dots for unpainted facelets, and six others for the colors. The centers
    /// assign the colors to the faces. `None` if the text is anything else.
    pub(super) fn of_facelets(text: &str) -> Option<PartialFacelets> {
        let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let centers: Vec<char> = symbols
            .iter()
            .skip(CENTER)
            .step_by(FACELETS_PER_FACE)
            .copied()
            .collect();
        let number = |symbol: char| centers.iter().position(|&center| center == symbol);
        let is_center =
            |(face, &center): (usize, &char)| center != BLANK && number(center) == Some(face);
        if symbols.len() != FACELETS || !centers.iter().enumerate().all(is_center) {
            return None;
        }
        let face = |&symbol: &char| match symbol {
            BLANK => Some(None),
            _ => number(symbol).map(Face::from_index).map(Some),
        };
        let faces: Option<_> = symbols.iter().map(face).collect();
        faces.map(PartialFacelets)
    }

    /// Returns the facelets as letters of faces, and dots for unpainted facelets.
    pub fn facelets(&self) -> String {
        let letter = |face: &Option<Face>| face.map_or(BLANK, Face::letter);
        self.0.iter().map(letter).collect()
    }

    /// Returns the number of unpainted facelets.
    pub fn unpainted_count(&self) -> usize {
        self.0.iter().filter(|face| face.is_none()).count()
    }

    /// Returns the impossible pieces: slots that show no cubie, and cubies in several slots.
    pub fn impossible_pieces(&self) -> Vec<ImpossiblePiece> {
        let mut pieces = Vec::new();
        for (kind, slots) in [
            ("corner", Slot::corners().collect::<Vec<_>>()),
            ("edge", Slot::edges().collect()),
        ] {
            // For each cubie, the facelets of all slots that show it.
            let mut cubie_facelets = vec![Vec::new(); slots.len()];
            for &slot in &slots {
                let places = slot.places();
                let shown: Vec<Option<Face>> = places.iter().map(|&place| self.0[place]).collect();
                match slot.find_cubie(&shown) {
                    Some((cubie, _)) if shown.iter().all(Option::is_some) => {
                        cubie_facelets[usize::from(cubie)].extend(places);
                    }
                    Some(_) => {}
                    None => {
                        let written: String =
                            shown.iter().flatten().map(|face| face.letter()).collect();
                        let sentence = no_cubie(slot, &shown, &written, mirrored_corner);
                        let error = ParseError::new("", sentence);
                        pieces.push(ImpossiblePiece {
                            facelets: places.to_vec(),
                            error: error.message(),
                            help: error.help(),
                        });
                    }
                }
            }
            for (cubie, facelets) in slots.iter().zip(cubie_facelets) {
                let times = facelets.len() / cubie.faces().len();
                if times > 1 {
                    pieces.push(ImpossiblePiece {
                        facelets,
                        error: format!("{times} {kind}s are {cubie}"),
                        help: "check each of them".to_owned(),
                    });
                }
            }
        }
        pieces
    }
}

/// The slots in Reid's order.
const REID_SLOTS: [&str; 20] = [
    "UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL", "UFR", "URB", "UBL",
    "ULF", "DRF", "DFL", "DLB", "DBR",
];

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
    let words: Vec<Token> = words(text).collect();
    if words.len() != REID_SLOTS.len() {
        let are = match words.len() {
            1 => "is 1 piece".to_owned(),
            count => format!("are {count} pieces"),
        };
        let sentence = format!("there {are}; give twenty, twelve edges and then eight corners");
        return Err(ParseError::new(text, sentence));
    }
    let mut slots: Vec<VisibleColors> = Vec::with_capacity(REID_SLOTS.len());
    for (word, name) in words.iter().zip(REID_SLOTS) {
        let (slot, order) = reid_slot(name);
        let faces: Option<Vec<Face>> = word.text.chars().map(Face::from_letter).collect();
        let sentence = match faces {
            Some(faces) if faces.len() == order.len() => {
                let facelet = |face: &Face| order.iter().position(|own| own == face);
                let shown = |face: &Face| facelet(face).map(|facelet| faces[facelet]);
                slots.push(VisibleColors {
                    slot,
                    faces: slot.faces().iter().map(shown).collect(),
                    written: word.text.to_owned(),
                    span: word.span(),
                });
                continue;
            }
            Some(_) => &format!(
                "`{{}}` is in slot {name}; give the twelve edges first and then the eight corners"
            ),
            None => "`{}` is not a piece; use the letters U R F D L B, as in UF or UFR",
        };
        return Err(ParseError::quoting(text, word.span(), sentence));
    }
    slots.sort_by_key(|shown| Slot::all().position(|slot| slot == shown.slot));
    // One mirrored word is a slip, several are another order.
    let is_mirrored = |shown: &&VisibleColors| is_mirrored(shown.slot, &shown.faces);
    let mirrored_count = slots.iter().filter(is_mirrored).count();
    assemble(text, &slots, |_, word| {
        if mirrored_count > 1 {
            return format!(
                "`{word}` and other corners are mirror images: their letters, and perhaps the \
                 slots, are in another order than Reid's; give the pieces in the slots {}, in this \
                 order, and the letters of each corner the same way round",
                REID_SLOTS.join(" ")
            );
        }
        let (first, rest) = word.split_at(1);
        let swapped: String = rest.chars().rev().collect();
        format!(
            "`{word}` is the mirror image of a corner; swap two of its letters, as in \
             {first}{swapped}"
        )
    })
}

/// Returns the slot with this name, and the faces in the order of the name.
fn reid_slot(name: &str) -> (Slot, Vec<Face>) {
    Slot::named(name).expect("slots are named by their faces")
}

impl Cube {
    /// Returns the twenty pieces in Reid's order, as read by [`parse_reid`].
    pub fn reid(&self) -> String {
        let facelets: Vec<char> = self.facelets().chars().collect();
        let word = |name: &str| -> String {
            let (slot, order) = reid_slot(name);
            let letter = |face| facelets[slot.place_on(face)];
            order.into_iter().map(letter).collect()
        };
        REID_SLOTS.map(word).join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Corner, Edge, Format, random_positions};

    fn painted(facelets: &str) -> PartialFacelets {
        PartialFacelets::parse(facelets, Some(Format::Facelets)).unwrap()
    }

    /// The impossible pieces of the solved cube with some facelets repainted.
    fn impossible(repainted: &[(usize, char)]) -> Vec<ImpossiblePiece> {
        let mut facelets: Vec<char> = Cube::SOLVED.facelets().chars().collect();
        for &(place, symbol) in repainted {
            facelets[place] = symbol;
        }
        painted(&String::from_iter(facelets)).impossible_pieces()
    }

    #[test]
    fn positions_and_parts_of_them_have_no_impossible_pieces() {
        for (cube, blank) in random_positions(7).take(200).zip((0..54).cycle()) {
            let facelets = cube.facelets();
            let facelets = facelets.chars().enumerate();
            let text: String = facelets
                .map(|(place, symbol)| match place < blank && place % 9 != 4 {
                    true => BLANK,
                    false => symbol,
                })
                .collect();
            let partial = painted(&text);
            assert_eq!(partial.impossible_pieces(), []);
            assert_eq!(partial.facelets(), text);
        }
    }

    #[test]
    fn impossible_pieces_are_found() {
        let corner = Corner::Urf.places();
        let [_, second, third] = corner;
        let edge = Edge::Uf.places();
        let both = [Edge::Ur.places(), edge].concat();
        for (repainted, facelets, part) in [
            (&[(edge[1], 'D')][..], &edge[..], "no edge is U and D"),
            (
                &[(second, 'F'), (third, 'R')],
                &corner,
                "no corner is U, F and R clockwise",
            ),
            (&[(edge[1], 'R')], &both, "2 edges are UR"),
            // A partly painted slot that no cubie fits.
            (
                &[(third, BLANK), (second, 'D')],
                &corner,
                "no corner is U and D",
            ),
        ] {
            let pieces = impossible(repainted);
            assert_eq!(pieces.len(), 1);
            assert_eq!(pieces[0].facelets, facelets);
            assert!(pieces[0].error.contains(part), "{pieces:?}");
        }
        assert_eq!(impossible(&[(third, BLANK), (second, 'B')]), []);
    }

    #[test]
    fn other_texts_are_not_painted_cubes() {
        let solved = Cube::SOLVED.facelets();
        let other_colors = solved.replace('U', "w").replace('R', "r");
        assert_eq!(painted(&other_colors).facelets(), solved);
        for text in [
            "R U2",
            "",
            &solved[1..],
            &solved.replace('U', "R"),
            &solved.replacen('U', "x", 1),
        ] {
            assert!(PartialFacelets::parse(text, None).is_none(), "{text}");
        }
    }
}

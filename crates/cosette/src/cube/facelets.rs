//! Facelet strings: the colors of the 54 facelets, face by face.
//!
//! # Partially painted cubes
//!
//! Errors of a painted cube are found slot by slot, even while facelets are missing, which may have
//! any color. A slot is wrong if no cubie in any orientation shows its colors, or if its cubie is
//! in another slot as well ([`PartialFacelets`]).

use super::error::{ParseError, ParseErrorKind};
use super::face_order::FaceOrder;
use super::layout::{self, NetLayout};
use super::moves::Face;
use super::position::Cube;
use super::reid::{VisibleColors, assemble, cubie_showing};
use super::slots::{FACELETS, ON_FACE, Slot, place_name};
use super::symmetry::Symmetry;
use super::text::Token;

/// Reads a facelet string.
///
/// ```text
/// facelets = 54 * symbol        the faces U R F D L B, each row by row as in the standard net (Kociemba's order)
/// symbol   = any character except whitespace
/// ```
///
/// Spaces and newlines are allowed anywhere, and so are separators, as in `UUUUUUUUU/RRRRRRRRR/…`:
/// the signs `/ | , - ; · _`, each unless it occurs nine times and so is a color. Rows that form a
/// net (3, 3, 3, 12, 12, 12, 3, 3, 3 facelets, also in a frame) are read as one: U, then L F R B
/// side by side, then D; in a cross of twelve rows, B is below D. Faces may be labeled, as in `U:
/// www…, R: …`, and lists as programs print them, such as `[["w", …], …]`, are accepted. For
/// another order of the faces, set [`ParseOptions::face_order`](super::ParseOptions::face_order).
/// The fifth symbol of each face is its center, and the centers define which symbol belongs to
/// which face. So any six symbols can be used, and the cube can be held in any way. If the centers
/// are face letters in an arrangement that no real cube shows, they may instead name the order in
/// which the faces are written. If reading the faces in that order also gives a valid position, and
/// a different one, the text is ambiguous and is rejected.
///
/// Centers do not distinguish a cube from its mirror image. Facelets that were read in a mirror, or
/// with two opposite faces exchanged, therefore give corners whose colors run the wrong way round
/// ([`ParseErrorKind::MirroredCorner`]).
///
/// # Errors
///
/// Returns an error if there are not 54 facelets in six colors, nine of each; if a piece does not
/// exist or appears twice; or if the position is unsolvable.
pub fn parse_facelets(text: &str) -> Result<Cube, ParseError> {
    read_facelets(text, FaceOrder::URFDLB)
}

/// Reads facelets, with the faces in this order unless the text names them.
///
/// # Errors
///
/// Returns the errors of [`parse_facelets`], and an error if the facelets are a cube only in
/// another order.
pub(super) fn read_facelets(text: &str, order: FaceOrder) -> Result<Cube, ParseError> {
    let NetLayout {
        facelets,
        is_placed,
        ..
    } = NetLayout::of(text);
    if facelets.len() != FACELETS {
        return Err(ParseError::new(
            text,
            ParseErrorKind::FaceletCount(facelets.len()),
        ));
    }
    if is_placed {
        return read_placed(text, &facelets);
    }
    let placed = order.indices().map(|index| facelets[index]);
    match read_placed(text, &placed) {
        // An order that was chosen is not questioned.
        Ok(cube) if order != FaceOrder::URFDLB => Ok(cube),
        Ok(cube) => match order_of_letters(text, &facelets, cube) {
            Some(named) => Err(ParseError::new(
                text,
                ParseErrorKind::CentersInOtherOrder {
                    given: order,
                    named,
                },
            )),
            None => Ok(cube),
        },
        Err(error) if error.is_impossible() && layout::is_balanced(&facelets) => {
            Err(in_another_order(text, &facelets, order).unwrap_or(error))
        }
        Err(error) => Err(error),
    }
}

/// Returns the face order that the letters of the centers name, if no way to hold a cube has these
/// centers, and the facelets are another position in that order.
fn order_of_letters(text: &str, facelets: &[Token], cube: Cube) -> Option<FaceOrder> {
    let center = |face: Face| facelets[face.index() * ON_FACE + ON_FACE / 2].symbol();
    let named: Vec<Face> = Face::ALL
        .into_iter()
        .map(|face| Face::from_letter(center(face)))
        .collect::<Option<_>>()?;
    let is_held_so = |s: &Symmetry| {
        Face::ALL
            .into_iter()
            .all(|face| s.face(face) == named[face.index()])
    };
    if Symmetry::all()
        .filter(|s| !s.is_mirror())
        .any(|s| is_held_so(&s))
    {
        return None;
    }
    let letters: String = named.iter().map(|face| face.letter()).collect();
    let order: FaceOrder = letters.parse().ok()?;
    let placed = order.indices().map(|index| facelets[index]);
    read_placed(text, &placed)
        .is_ok_and(|other| other != cube)
        .then_some(order)
}

/// Returns the error that facelets are a cube in one other order, or as the rows of a net; `None`
/// if they are not, or in several.
fn in_another_order(text: &str, facelets: &[Token], order: FaceOrder) -> Option<ParseError> {
    let symbols: Vec<char> = facelets.iter().map(Token::symbol).collect();
    let fits = FaceOrder::of_cube(&symbols);
    let net = layout::of_net(facelets, 1);
    let is_net = read_placed(text, &net).is_ok();
    let fault = match (fits, is_net) {
        (Some(fits), false) => ParseErrorKind::OtherFaceOrder { given: order, fits },
        (None, true) => ParseErrorKind::JoinedNet,
        _ => return None,
    };
    Some(ParseError::new(text, fault))
}

/// Returns `true` if 54 facelets in the order U R F D L B are a cube.
pub(super) fn are_cube(facelets: &[Token]) -> bool {
    // The text is only for errors.
    let text: String = " ".repeat(facelets.iter().map(Token::end).max().unwrap_or_default());
    read_placed(&text, facelets).is_ok()
}

/// Reads 54 facelets in the order U R F D L B.
fn read_placed(text: &str, facelets: &[Token]) -> Result<Cube, ParseError> {
    let centers = centers(text, facelets)?;
    let faces = faces(text, facelets, &centers)?;
    check_nine_each(text, &faces, &centers)?;
    assemble(text, |slot| VisibleColors {
        faces: slot
            .facelet_indices()
            .map(|place| Some(faces[place]))
            .collect(),
        written: slot
            .facelet_indices()
            .map(|place| facelets[place].text)
            .collect(),
        span: facelets[slot.place(0)].span(),
    })
}

/// Returns `true` if these symbols are 54, of six kinds, nine of each, with six different centers.
pub(super) fn are_balanced(facelets: &[Token]) -> bool {
    let times = |wanted: char| {
        facelets
            .iter()
            .filter(|symbol| symbol.symbol() == wanted)
            .count()
    };
    let center = |face: usize| facelets[face * ON_FACE + ON_FACE / 2].symbol();
    facelets.len() == FACELETS
        && (0..6).all(|face| (0..face).all(|earlier| center(earlier) != center(face)))
        && (0..6).all(|face| times(center(face)) == ON_FACE)
}

/// Returns the symbol of each face, six different ones.
fn centers(text: &str, facelets: &[Token]) -> Result<[char; 6], ParseError> {
    let mut centers = ['\0'; 6];
    for second in Face::ALL {
        let place = second.index() * ON_FACE + ON_FACE / 2;
        let center = facelets[place];
        let symbol = center.symbol();
        // Nine dots may be a color.
        if symbol == BLANK
            && facelets
                .iter()
                .filter(|facelet| facelet.symbol() == BLANK)
                .count()
                != ON_FACE
        {
            return Err(ParseError::at(
                text,
                center.span(),
                ParseErrorKind::NotPainted {
                    facelet: place_name(place),
                },
            ));
        }
        if let Some(first) = centers.iter().position(|&earlier| earlier == symbol) {
            let fault = ParseErrorKind::CentersAlike {
                first: Face::from_index(first),
                second,
                symbol,
            };
            return Err(ParseError::at(text, center.span(), fault));
        }
        centers[second.index()] = symbol;
    }
    Ok(centers)
}

/// Returns the face of each facelet by its color.
fn faces(text: &str, facelets: &[Token], centers: &[char; 6]) -> Result<Vec<Face>, ParseError> {
    let face = |(place, facelet): (usize, &Token)| {
        let symbol = facelet.symbol();
        centers
            .iter()
            .position(|&center| center == symbol)
            .map(Face::from_index)
            .ok_or_else(|| {
                let facelet_name = place_name(place);
                let fault = match symbol {
                    BLANK => ParseErrorKind::NotPainted {
                        facelet: facelet_name,
                    },
                    _ => ParseErrorKind::SeventhColor {
                        symbol,
                        facelet: facelet_name,
                    },
                };
                ParseError::at(text, facelet.span(), fault)
            })
    };
    facelets.iter().enumerate().map(face).collect()
}

fn check_nine_each(text: &str, faces: &[Face], centers: &[char; 6]) -> Result<(), ParseError> {
    let times = |face: &Face| faces.iter().filter(|shown| *shown == face).count();
    let many = Face::ALL
        .into_iter()
        .max_by_key(times)
        .expect("there are six faces");
    let few = Face::ALL
        .into_iter()
        .min_by_key(times)
        .expect("there are six faces");
    if times(&many) == ON_FACE {
        return Ok(());
    }
    let fault = ParseErrorKind::NotNine {
        many: centers[many.index()],
        many_times: times(&many),
        few: centers[few.index()],
        few_times: times(&few),
    };
    Err(ParseError::new(text, fault))
}

impl Cube {
    /// Reads the position with these 54 facelets, like [`parse_facelets`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`parse_facelets`].
    pub fn from_facelets(facelets: &str) -> Result<Cube, ParseError> {
        parse_facelets(facelets)
    }

    /// Returns the 54 facelets in the letters of the faces, in the order U R F D L B, each face row
    /// by row.
    pub fn facelets(&self) -> String {
        let mut faces: [Face; FACELETS] =
            std::array::from_fn(|place| Face::from_index(place / ON_FACE));
        for slot in Slot::all() {
            for (place, face) in slot.facelet_indices().zip(slot.shown(self)) {
                faces[place] = face;
            }
        }
        faces.iter().map(|face| face.letter()).collect()
    }
}

/// The symbol of a facelet that is not painted.
const BLANK: char = '.';

/// An impossible piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossiblePiece {
    /// Its facelets, 0 to 53, in the order of facelet strings.
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
    /// Reads 54 symbols: dots for unpainted facelets, and any six others for the colors, which the
    /// centers assign to the faces. `None` if the text is anything else.
    pub(super) fn of_facelets(text: &str) -> Option<PartialFacelets> {
        let symbols: Vec<char> = text
            .chars()
            .filter(|symbol| !symbol.is_whitespace())
            .collect();
        let centers: Vec<char> = symbols.iter().skip(4).step_by(9).copied().collect();
        let is_repeated =
            |center: &char| centers.iter().filter(|other| *other == center).count() > 1;
        if symbols.len() != FACELETS
            || centers
                .iter()
                .any(|center| *center == BLANK || is_repeated(center))
        {
            return None;
        }
        let face = |symbol: &char| match centers.iter().position(|center| center == symbol) {
            Some(number) => Some(Some(Face::from_index(number))),
            None if *symbol == BLANK => Some(None),
            None => None,
        };
        symbols
            .iter()
            .map(face)
            .collect::<Option<_>>()
            .map(PartialFacelets)
    }

    /// Returns the facelets as letters of faces.
    pub fn facelets(&self) -> String {
        letters(&self.0)
    }

    /// Returns the number of unpainted facelets.
    pub fn unpainted_count(&self) -> usize {
        self.0.iter().filter(|face| face.is_none()).count()
    }

    /// Returns the impossible pieces.
    pub fn impossible_pieces(&self) -> Vec<ImpossiblePiece> {
        [
            self.marks_of(Slot::corners(), "corner"),
            self.marks_of(Slot::edges(), "edge"),
        ]
        .concat()
    }

    /// Returns the impossible pieces of one kind.
    fn marks_of(&self, slots: impl Iterator<Item = Slot>, kind: &str) -> Vec<ImpossiblePiece> {
        let mut marks = Vec::new();
        let mut holders = vec![Vec::new(); Slot::all().count()];
        for slot in slots {
            let shown: Vec<Option<Face>> =
                slot.facelet_indices().map(|place| self.0[place]).collect();
            let is_painted = shown.iter().all(Option::is_some);
            match cubie_showing(slot, &shown, letters(&shown)) {
                Err(fault) => {
                    marks.push(ImpossiblePiece {
                        facelets: slot.facelet_indices().collect(),
                        error: fault.message(),
                        help: fault.help(),
                    });
                }
                Ok((cubie, _)) if is_painted => holders[usize::from(cubie)].push(slot),
                Ok(_) => {}
            }
        }
        for (cubie, holders) in holders
            .iter()
            .enumerate()
            .filter(|(_, holders)| holders.len() > 1)
        {
            let facelets = holders
                .iter()
                .flat_map(|slot| slot.facelet_indices())
                .collect();
            let name = holders[0].of_same_kind(cubie);
            let error = format!("the {kind} {name} appears {} times", holders.len());
            marks.push(ImpossiblePiece {
                facelets,
                error,
                help: format!("every {kind} must appear once"),
            });
        }
        marks
    }
}

fn letters(shown: &[Option<Face>]) -> String {
    shown
        .iter()
        .map(|face| face.map_or(BLANK, Face::letter))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Corner, Edge, Format, random_positions};

    fn painted(facelets: &str) -> PartialFacelets {
        PartialFacelets::parse(facelets, Some(Format::Facelets)).unwrap()
    }

    /// The solved cube with some facelets repainted.
    fn solved_but(over: &[(usize, char)]) -> PartialFacelets {
        let mut facelets: Vec<char> = Cube::SOLVED.facelets().chars().collect();
        over.iter()
            .for_each(|&(place, symbol)| facelets[place] = symbol);
        painted(&facelets.into_iter().collect::<String>())
    }

    #[test]
    fn neither_positions_nor_parts_of_them_are_marked() {
        for (cube, blank) in random_positions(7).take(200).zip((0..54).cycle()) {
            let mut facelets: Vec<char> = cube.facelets().chars().collect();
            (0..blank)
                .filter(|place| place % 9 != 4)
                .for_each(|place| facelets[place] = BLANK);
            let painting = painted(&facelets.iter().collect::<String>());
            assert_eq!(painting.impossible_pieces(), []);
            assert_eq!(painting.facelets(), facelets.iter().collect::<String>());
        }
    }

    #[test]
    fn impossible_pieces_are_marked() {
        let corner = Corner::Urf.places();
        let edge = Edge::Uf.places();
        let marks = solved_but(&[(edge[1], 'D')]).impossible_pieces();
        assert_eq!(marks.len(), 1);
        assert_eq!(marks[0].facelets, edge);
        assert!(marks[0].error.contains("`UD`"), "{marks:?}");

        let mirrored = solved_but(&[(corner[1], 'F'), (corner[2], 'R')]).impossible_pieces();
        assert_eq!(
            (mirrored.len(), mirrored[0].facelets.as_slice()),
            (1, corner.as_slice())
        );
        assert!(mirrored[0].error.contains("mirror"), "{mirrored:?}");

        let twice = solved_but(&[(edge[1], 'R')]).impossible_pieces();
        assert_eq!(twice[0].facelets, [Edge::Ur.places(), edge].concat());
        assert!(
            twice[0].error.contains("edge UR appears 2 times"),
            "{twice:?}"
        );
    }

    #[test]
    fn half_painted_pieces_are_marked_once_no_cubie_fits() {
        let [first, second, third] = Corner::Urf.places();
        assert_eq!(
            solved_but(&[(third, BLANK), (second, 'D')]).impossible_pieces()[0].facelets,
            [first, second, third]
        );
        assert_eq!(
            solved_but(&[(third, BLANK), (second, 'B')]).impossible_pieces(),
            []
        );
    }

    #[test]
    fn other_texts_are_not_paintings() {
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

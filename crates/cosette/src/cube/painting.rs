//! What is wrong with a painted cube, slot by slot, even while it is still being painted.
//!
//! A slot is wrong if no cubie in any orientation shows its colours, or if its cubie is in another slot as well. A facelet that
//! is not painted yet may have any colour.

use super::cubie::{Corner, Edge};
use super::error::{Fault, PieceFault};
use super::input::Format;
use super::moves::Face;
use super::net::FACELETS;

/// Stands for a facelet that is not painted.
const BLANK: char = '.';

/// An impossible piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its facelets, 0 to 53, in the order of facelet strings.
    pub places: Vec<usize>,
    /// What is wrong with it.
    pub error: String,
    /// How to fix it.
    pub help: String,
}

/// The facelets of a painted cube; `None` where a facelet is blank.
#[derive(Clone, Debug)]
pub struct Painting(Vec<Option<Face>>);

impl Painting {
    /// Reads 54 symbols: dots for blank facelets, and any six others for the colours, which the centres assign to the faces.
    /// `None` if the text is anything else.
    pub fn read(text: &str, format: Option<Format>) -> Option<Painting> {
        if format.unwrap_or_else(|| Format::of(text)) != Format::Facelets {
            return None;
        }
        let symbols: Vec<char> = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        let centres: Vec<char> = symbols.iter().skip(4).step_by(9).copied().collect();
        let is_repeated = |centre: &char| centres.iter().filter(|other| *other == centre).count() > 1;
        if symbols.len() != FACELETS || centres.iter().any(|centre| *centre == BLANK || is_repeated(centre)) {
            return None;
        }
        let face = |symbol: &char| match centres.iter().position(|centre| centre == symbol) {
            Some(number) => Some(Some(Face::from_index(number))),
            None if *symbol == BLANK => Some(None),
            None => None,
        };
        symbols.iter().map(face).collect::<Option<_>>().map(Painting)
    }

    /// The facelets as letters of faces.
    pub fn facelets(&self) -> String {
        self.0.iter().map(|face| face.map_or(BLANK, Face::letter)).collect()
    }

    /// The number of blank facelets.
    pub fn blank(&self) -> usize {
        self.0.iter().filter(|face| face.is_none()).count()
    }

    /// The impossible pieces.
    pub fn marks(&self) -> Vec<Mark> {
        let corners = Corner::ALL.map(|corner| Slot { faces: corner.faces(), places: corner.places() });
        let edges = Edge::ALL.map(|edge| Slot { faces: edge.faces(), places: edge.places() });
        let corner_fault = |number: usize, shown: &[Option<Face>; 3]| {
            let (slot, shown) = (Corner::ALL[number], letters(shown));
            let mirrored = self.shown(&corners[number].places).map(|[a, b, c]| [a, c, b]);
            match mirrored.is_some_and(|shown| !cubies(&corners, &shown.map(Some)).is_empty()) {
                true => PieceFault::MirroredCorner { slot, shown },
                false => PieceFault::NoSuchCorner { slot, shown },
            }
        };
        let edge_fault = |number: usize, shown: &[Option<Face>; 2]| PieceFault::NoSuchEdge {
            slot: Edge::ALL[number],
            shown: letters(shown),
        };
        let mut marks = self.marks_of(&corners, "corner", &corner_fault);
        marks.extend(self.marks_of(&edges, "edge", &edge_fault));
        marks
    }

    /// The impossible pieces of one kind.
    fn marks_of<const N: usize>(
        &self,
        slots: &[Slot<N>],
        kind: &str,
        fault: &dyn Fn(usize, &[Option<Face>; N]) -> PieceFault,
    ) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut holding: Vec<Vec<usize>> = vec![Vec::new(); slots.len()];
        for (number, slot) in slots.iter().enumerate() {
            let shown = slot.places.map(|place| self.0[place]);
            match cubies(slots, &shown)[..] {
                [] => {
                    let fault = Fault::from(fault(number, &shown));
                    marks.push(Mark { places: slot.places.to_vec(), error: fault.message(), help: fault.help() });
                }
                [cubie] if self.shown(&slot.places).is_some() => holding[cubie].push(number),
                _ => {}
            }
        }
        for (cubie, holders) in holding.iter().enumerate().filter(|(_, holders)| holders.len() > 1) {
            let places = holders.iter().flat_map(|&number| slots[number].places).collect();
            let name: String = slots[cubie].faces.iter().map(|face| face.letter()).collect();
            let error = format!("the {kind} {name} appears {} times", holders.len());
            marks.push(Mark { places, error, help: format!("every {kind} must appear once") });
        }
        marks
    }

    /// The colours of these facelets, if all of them are painted.
    fn shown<const N: usize>(&self, places: &[usize; N]) -> Option<[Face; N]> {
        let shown: Vec<Face> = places.iter().map(|&place| self.0[place]).collect::<Option<_>>()?;
        shown.try_into().ok()
    }
}

/// A slot, and the cubie of the same name.
struct Slot<const N: usize> {
    faces: [Face; N],
    places: [usize; N],
}

/// The cubies that can show these colours.
fn cubies<const N: usize>(slots: &[Slot<N>], shown: &[Option<Face>; N]) -> Vec<usize> {
    let fits = |faces: &[Face; N], turn: usize| {
        (0..N).all(|facelet| shown[(facelet + turn) % N].is_none_or(|face| face == faces[facelet]))
    };
    (0..slots.len()).filter(|&number| (0..N).any(|turn| fits(&slots[number].faces, turn))).collect()
}

fn letters(shown: &[Option<Face>]) -> String {
    shown.iter().map(|face| face.map_or(BLANK, Face::letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cube, random_positions};

    fn painted(facelets: &str) -> Painting {
        Painting::read(facelets, Some(Format::Facelets)).unwrap()
    }

    /// The solved cube with some facelets repainted.
    fn solved_but(over: &[(usize, char)]) -> Painting {
        let mut facelets: Vec<char> = Cube::SOLVED.facelets().chars().collect();
        over.iter().for_each(|&(place, symbol)| facelets[place] = symbol);
        painted(&facelets.into_iter().collect::<String>())
    }

    #[test]
    fn neither_positions_nor_parts_of_them_are_marked() {
        for (cube, blank) in random_positions(7).take(200).zip((0..54).cycle()) {
            let mut facelets: Vec<char> = cube.facelets().chars().collect();
            (0..blank).filter(|place| place % 9 != 4).for_each(|place| facelets[place] = BLANK);
            let painting = painted(&facelets.iter().collect::<String>());
            assert_eq!(painting.marks(), []);
            assert_eq!(painting.facelets(), facelets.iter().collect::<String>());
        }
    }

    #[test]
    fn impossible_pieces_are_marked() {
        let (corner, edge) = (Corner::Urf.places(), Edge::Uf.places());
        let marks = solved_but(&[(edge[1], 'D')]).marks();
        assert_eq!(marks.len(), 1);
        assert_eq!(marks[0].places, edge);
        assert!(marks[0].error.contains("`UD`"), "{marks:?}");

        let mirrored = solved_but(&[(corner[1], 'F'), (corner[2], 'R')]).marks();
        assert_eq!((mirrored.len(), mirrored[0].places.as_slice()), (1, corner.as_slice()));
        assert!(mirrored[0].error.contains("mirror"), "{mirrored:?}");

        let twice = solved_but(&[(edge[1], 'R')]).marks();
        assert_eq!(twice[0].places, [Edge::Ur.places(), edge].concat());
        assert!(twice[0].error.contains("edge UR appears 2 times"), "{twice:?}");
    }

    #[test]
    fn half_painted_pieces_are_marked_once_no_cubie_fits() {
        let [first, second, third] = Corner::Urf.places();
        assert_eq!(solved_but(&[(third, BLANK), (second, 'D')]).marks()[0].places, [first, second, third]);
        assert_eq!(solved_but(&[(third, BLANK), (second, 'B')]).marks(), []);
    }

    #[test]
    fn other_texts_are_not_paintings() {
        let solved = Cube::SOLVED.facelets();
        let other_colours = solved.replace('U', "w").replace('R', "r");
        assert_eq!(painted(&other_colours).facelets(), solved);
        for text in ["R U2", "", &solved[1..], &solved.replace('U', "R"), &solved.replacen('U', "x", 1)] {
            assert!(Painting::read(text, None).is_none(), "{text}");
        }
    }
}

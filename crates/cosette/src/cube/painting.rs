//! What is wrong with a painted cube, slot by slot, even while it is still being painted.
//!
//! A slot is wrong if no cubie in any orientation shows its colours, or if its cubie is in another slot as well. A facelet that
//! is not painted yet may have any colour.

use super::error::Fault;
use super::input::Format;
use super::moves::Face;
use super::slots::{FACELETS, Slot};

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
        letters(&self.0)
    }

    /// The number of blank facelets.
    pub fn blank(&self) -> usize {
        self.0.iter().filter(|face| face.is_none()).count()
    }

    /// The impossible pieces.
    pub fn marks(&self) -> Vec<Mark> {
        [self.marks_of(Slot::corners(), "corner"), self.marks_of(Slot::edges(), "edge")].concat()
    }

    /// The impossible pieces of one kind.
    fn marks_of(&self, slots: impl Iterator<Item = Slot>, kind: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut holders = vec![Vec::new(); Slot::all().count()];
        for slot in slots {
            let shown: Vec<Option<Face>> = slot.places().map(|place| self.0[place]).collect();
            let is_painted = shown.iter().all(Option::is_some);
            match slot.cubie_showing(&shown, letters(&shown)) {
                Err(fault) => {
                    let fault = Fault::from(fault);
                    marks.push(Mark { places: slot.places().collect(), error: fault.message(), help: fault.help() });
                }
                Ok((cubie, _)) if is_painted => holders[usize::from(cubie)].push(slot),
                Ok(_) => {}
            }
        }
        for (cubie, holders) in holders.iter().enumerate().filter(|(_, holders)| holders.len() > 1) {
            let places = holders.iter().flat_map(|slot| slot.places()).collect();
            let name = holders[0].of_same_kind(cubie);
            let error = format!("the {kind} {name} appears {} times", holders.len());
            marks.push(Mark { places, error, help: format!("every {kind} must appear once") });
        }
        marks
    }
}

fn letters(shown: &[Option<Face>]) -> String {
    shown.iter().map(|face| face.map_or(BLANK, Face::letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Corner, Cube, Edge, random_positions};

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

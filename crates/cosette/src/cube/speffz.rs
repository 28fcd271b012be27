//! Speffz cycles: the permutation of the facelets, in the letters that blindfolded solvers use.

use super::cubie::{Corner, Edge};
use super::error::{ParseError, ParseErrorKind};
use super::moves::Face::{self, B, D, F, L, R, U};
use super::position::Cube;
use super::slots::Slot;
use super::text::{Cursor, Token, is_blank, quoted};

/// The faces in the order of the letters, four letters each.
const FACES: [Face; 6] = [U, L, F, R, B, D];

/// The cells of a face in the order of the letters.
const CORNER_CELLS: [usize; 4] = [0, 2, 8, 6];
const EDGE_CELLS: [usize; 4] = [1, 5, 7, 3];

/// A facelet: its slot's number among the corners or the edges, and its own number in the slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Facelet {
    slot: usize,
    number: usize,
}

/// One half of the text: corners or edges. The two differ in numbers only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceSection {
    Corners,
    Edges,
}

impl PieceSection {
    const ALL: [PieceSection; 2] = [PieceSection::Corners, PieceSection::Edges];

    const fn heading(self) -> &'static str {
        match self {
            PieceSection::Corners => "corners:",
            PieceSection::Edges => "edges:",
        }
    }

    /// Returns the number of facelets of a cubie.
    const fn facelets(self) -> usize {
        match self {
            PieceSection::Corners => 3,
            PieceSection::Edges => 2,
        }
    }

    const fn slots(self) -> usize {
        24 / self.facelets()
    }

    fn slot(self, number: usize) -> Slot {
        match self {
            PieceSection::Corners => Slot::Corner(Corner::ALL[number]),
            PieceSection::Edges => Slot::Edge(Edge::ALL[number]),
        }
    }

    fn letter(self, facelet: Facelet) -> char {
        let place = self.slot(facelet.slot).place(facelet.number);
        let cells = if self == PieceSection::Corners {
            CORNER_CELLS
        } else {
            EDGE_CELLS
        };
        let face = FACES
            .iter()
            .position(|face| face.index() == place / 9)
            .expect("six faces are lettered");
        let cell = cells
            .iter()
            .position(|&cell| cell == place % 9)
            .expect("every cell but the center is lettered");
        char::from(b'A' + (face * 4 + cell) as u8)
    }

    fn facelet(self, letter: char) -> Option<Facelet> {
        (0..24)
            .map(|i| Facelet {
                slot: i / self.facelets(),
                number: i % self.facelets(),
            })
            .find(|&facelet| self.letter(facelet) == letter)
    }
}

/// The target of each cubie of a section: the slot, and the shift of its facelets there.
type Arrows = [Option<(usize, usize)>; 12];

/// Returns the target of `facelet`.
fn target(section: PieceSection, arrows: &Arrows, facelet: Facelet) -> Facelet {
    let (slot, shift) = arrows[facelet.slot].unwrap_or((facelet.slot, 0));
    Facelet {
        slot,
        number: (facelet.number + shift) % section.facelets(),
    }
}

/// Returns `true` if a list of Speffz cycles begins here.
pub(super) fn begins_with_heading(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip(is_blank);
    heading(&cursor).is_some()
}

fn heading(cursor: &Cursor) -> Option<PieceSection> {
    let begins = |heading: &str| {
        cursor
            .rest()
            .get(..heading.len())
            .is_some_and(|s| s.eq_ignore_ascii_case(heading))
    };
    PieceSection::ALL
        .into_iter()
        .find(|section| begins(section.heading()))
}

/// Reads Speffz cycles.
///
/// The Speffz scheme letters the corner facelets A to X and the edge facelets A to X: four on each
/// of the faces U L F R B D, clockwise from the upper left corner and from the upper edge, as the
/// face lies in the net.
///
/// ```text
/// position = { section }                               each section at most once; one that is missing is solved
/// section  = ( "corners:" | "edges:" ) { cycle }
/// cycle    = "(" { letter } ")"
/// letter   = "A" | … | "X"
/// ```
///
/// `(A B C)` means: from the solved cube, the facelet at A moves to B, that at B to C and that at C
/// to A; the other facelets of their cubies move with them. The move U is `corners: (A B C D)
/// edges: (A B C D)`. If the last letter is another facelet of the first one's cubie, the cycle is
/// closed already, with a twist or a flip: `(A B E)` carries the corner at A to B and the one at B
/// to A, so that the facelet at B ends on E. So `(A E R)` and `(A E)` twist one corner in place,
/// and `(A Q)` flips an edge. A letter is used at most once.
///
/// When a position is written, the sections come in this order, solved cubies are left out, and a
/// section without cycles is written `()`. A cycle begins with its alphabetically first letter and
/// names each of its cubies once; a twisted or flipped cycle names the first cubie again at the
/// end. A corner that is twisted in place is written with all three letters.
///
/// # Errors
///
/// Returns an error if the text does not follow the grammar, if a cubie has two targets, or if the
/// position is unsolvable.
pub fn parse_speffz(text: &str) -> Result<Cube, ParseError> {
    let mut reader = SpeffzReader {
        text,
        cursor: Cursor::new(text),
        sections: [None, None],
    };
    reader.read()?;
    let arrows = reader.sections.map(Option::unwrap_or_default);
    let mut corners = [(0, 0); 8];
    let mut edges = [(0, 0); 12];
    for (section, slots) in PieceSection::ALL
        .into_iter()
        .zip([&mut corners[..], &mut edges[..]])
    {
        for cubie in 0..section.slots() {
            let to = target(
                section,
                &arrows[section as usize],
                Facelet {
                    slot: cubie,
                    number: 0,
                },
            );
            slots[to.slot] = (cubie as u8, to.number as u8);
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| ParseError::new(text, error))
}

/// Converts cycles of pieces to Speffz cycles: `(UF UR UB)` takes the piece in UF to UR, its
/// facelet on U to U. `None` if a piece comes twice or if a cycle is of edges and corners.
pub(super) fn of_pieces(text: &str) -> Option<String> {
    let mut written: [String; 2] = Default::default();
    let mut used = Vec::new();
    for cycle in text
        .split(['(', ')', '[', ']'])
        .filter(|cycle| cycle.contains(char::is_alphabetic))
    {
        let mut letters = Vec::new();
        let mut sections = Vec::new();
        for piece in cycle
            .split(|c: char| !c.is_alphabetic())
            .filter(|piece| !piece.is_empty())
        {
            let faces: Vec<Face> = piece
                .chars()
                .map(|c| Face::from_letter(c.to_ascii_uppercase()))
                .collect::<Option<_>>()?;
            let slot = Slot::touching(&faces)?;
            let section = if faces.len() == 2 {
                PieceSection::Edges
            } else {
                PieceSection::Corners
            };
            let number = slot.faces().iter().position(|face| *face == faces[0])?;
            letters.push(
                section
                    .letter(Facelet {
                        slot: slot.number(),
                        number,
                    })
                    .to_string(),
            );
            sections.push(section);
            used.push(slot);
        }
        let section = sections[0];
        if letters.len() < 2 || sections.iter().any(|other| *other != section) {
            return None;
        }
        written[section as usize] += &format!("({})", letters.join(" "));
    }
    let is_twice = |(index, slot): (usize, &Slot)| used[..index].contains(slot);
    if used.iter().enumerate().any(is_twice) {
        return None;
    }
    let sections = PieceSection::ALL
        .into_iter()
        .zip(&written)
        .filter(|(_, cycles)| !cycles.is_empty());
    Some(
        sections
            .map(|(section, cycles)| format!("{} {cycles}", section.heading()))
            .collect::<Vec<_>>()
            .join(" "),
    )
}

struct SpeffzReader<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    sections: [Option<Arrows>; 2],
}

impl<'a> SpeffzReader<'a> {
    fn read(&mut self) -> Result<(), ParseError> {
        let mut current = None;
        loop {
            self.cursor.skip(is_blank);
            if let Some(section) = heading(&self.cursor) {
                let token = self.cursor.take(section.heading().len());
                if self.sections[section as usize]
                    .replace(Arrows::default())
                    .is_some()
                {
                    return Err(self.error(token, ParseErrorKind::HeadingTwice(section.heading())));
                }
                current = Some((section, String::new()));
            } else if self.cursor.rest().starts_with('(') {
                let open = self.cursor.take(1);
                let (section, used) = current
                    .as_mut()
                    .ok_or_else(|| self.error(open, ParseErrorKind::NoHeading))?;
                let cycle = self.cycle(*section, open, used)?;
                self.follow(*section, &cycle)?;
            } else {
                return match self.cursor.take_run(|c| !is_blank(c) && c != '(') {
                    Some(word) => Err(self.error(word, ParseErrorKind::NoCycle(quoted(word.text)))),
                    None => Ok(()),
                };
            }
        }
    }

    /// Reads the letters of a cycle, up to its closing parenthesis. Letters `used` before in the
    /// section are rejected.
    fn cycle(
        &mut self,
        section: PieceSection,
        open: Token<'a>,
        used: &mut String,
    ) -> Result<Vec<(Token<'a>, Facelet)>, ParseError> {
        let mut cycle = Vec::new();
        loop {
            self.cursor.skip(is_blank);
            let token = self
                .cursor
                .take_symbol()
                .ok_or_else(|| self.error(open, ParseErrorKind::CycleUnclosed))?;
            let letter = token.symbol();
            if letter == ')' {
                return Ok(cycle);
            }
            let facelet = section.facelet(letter);
            let facelet =
                facelet.ok_or_else(|| self.error(token, ParseErrorKind::UnknownLetter(letter)))?;
            if used.contains(letter) {
                return Err(self.error(token, ParseErrorKind::LetterTwice(letter)));
            }
            used.push(letter);
            cycle.push((token, facelet));
        }
    }

    /// Moves the cubies along the cycle. A cycle through several cubies visits them in a closed
    /// walk that no two arrows contradict, so the arrows of a section are always a permutation of
    /// its cubies.
    fn follow(
        &mut self,
        section: PieceSection,
        cycle: &[(Token, Facelet)],
    ) -> Result<(), ParseError> {
        let is_closed = match cycle {
            [(_, first), .., (_, last)] => first.slot == last.slot,
            _ => false,
        };
        let closing = cycle.iter().take(usize::from(!is_closed));
        for (&(token, from), &(_, to)) in cycle
            .iter()
            .zip(cycle[1.min(cycle.len())..].iter().chain(closing))
        {
            let shift = (to.number + section.facelets() - from.number) % section.facelets();
            let arrows = self.sections[section as usize].get_or_insert_default();
            let arrow = arrows[from.slot].get_or_insert((to.slot, shift));
            if *arrow != (to.slot, shift) {
                let cubie = section.slot(from.slot).to_string();
                return Err(self.error(
                    token,
                    ParseErrorKind::TornApart {
                        cubie,
                        letter: section.letter(to),
                    },
                ));
            }
        }
        Ok(())
    }

    fn error(&self, token: Token, fault: ParseErrorKind) -> ParseError {
        ParseError::at(self.text, token.span(), fault)
    }
}

/// Returns the targets of the cubies of a section.
fn arrows_of(cube: &Cube, section: PieceSection) -> Arrows {
    let mut arrows = Arrows::default();
    for slot in 0..section.slots() {
        let (cubie, orientation) = section.slot(slot).cubie(cube);
        arrows[cubie.number()] = Some((slot, orientation));
    }
    arrows
}

/// Returns the cycles of a section.
fn cycles(cube: &Cube, section: PieceSection) -> Vec<String> {
    let arrows = arrows_of(cube, section);
    let mut written = [false; 12];
    let mut cycles = Vec::new();
    for first in ('A'..='X').filter_map(|letter| section.facelet(letter)) {
        let mut next = target(section, &arrows, first);
        if written[first.slot] || next == first {
            continue;
        }
        let mut cycle = vec![first];
        while next.slot != first.slot {
            cycle.push(next);
            written[next.slot] = true;
            next = target(section, &arrows, next);
        }
        if next != first {
            cycle.push(next);
        }
        let in_place = target(section, &arrows, first).slot == first.slot;
        if in_place && section == PieceSection::Corners {
            cycle.push(target(section, &arrows, next));
        }
        written[first.slot] = true;
        let letters: Vec<String> = cycle
            .into_iter()
            .map(|facelet| section.letter(facelet).to_string())
            .collect();
        cycles.push(format!("({})", letters.join(" ")));
    }
    cycles
}

impl Cube {
    /// Returns the position as Speffz cycles, as read by [`parse_speffz`].
    pub fn speffz(&self) -> String {
        let written = |section: PieceSection| match cycles(self, section).concat() {
            none if none.is_empty() => format!("{} ()", section.heading()),
            cycles => format!("{} {cycles}", section.heading()),
        };
        PieceSection::ALL.map(written).join(" ")
    }
}

//! Speffz cycles: the permutation of the facelets, in the letters that blindfolded solvers use.

use super::error::ParseError;
use super::moves::Face::{self, B, D, F, L, R, U};
use super::pieces::{Corner, Edge, FACELETS, FACELETS_PER_FACE, Slot};
use super::position::Cube;
use super::text::{Cursor, Token, is_blank};

/// The faces in the order of the letters, four letters each.
const FACES: [Face; 6] = [U, L, F, R, B, D];

/// The two sections of the text: the heading, and the cells of a face in the order of the letters.
const SECTIONS: [(&str, [usize; 4]); 2] = [("corners:", [0, 2, 8, 6]), ("edges:", [1, 5, 7, 3])];

/// Returns the facelet of the net that has a letter in a section.
fn place_of(section: usize, letter: char) -> Option<usize> {
    let number = ('A'..='X').position(|other| other == letter)?;
    let (_, cells) = SECTIONS[section];
    Some(FACES[number / 4].index() * FACELETS_PER_FACE + cells[number % 4])
}

/// Returns the letter of a facelet of the net.
fn letter_of(place: usize) -> char {
    let is_letter = |letter: &char| (0..2).any(|section| place_of(section, *letter) == Some(place));
    ('A'..='X')
        .find(is_letter)
        .expect("every facelet but the centers is lettered")
}

fn letters_of(places: impl IntoIterator<Item = usize>) -> String {
    let letters = places.into_iter().map(|place| letter_of(place).to_string());
    letters.collect::<Vec<_>>().join(" ")
}

/// Returns `true` if the text begins with a heading of Speffz cycles.
pub(super) fn begins_with_heading(text: &str) -> bool {
    let mut cursor = Cursor::new(text);
    cursor.skip(is_blank);
    section_at(&cursor).is_some()
}

/// Returns the section whose heading begins at the cursor.
fn section_at(cursor: &Cursor) -> Option<usize> {
    SECTIONS.iter().position(|(heading, _)| {
        let begin = cursor.rest().get(..heading.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(heading))
    })
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
/// edges: (A B C D)`. If the last letter is another facelet of the first letter's cubie, the cycle
/// is closed already, with a twist or a flip: `(A B E)` swaps the corners at A and B, the facelet
/// at A moves to B, and the facelet at B to E. So `(A E R)` and `(A E)` twist one corner in place,
/// and `(A Q)` flips an edge. A letter is used at most once.
///
/// When a position is written, the corners come before the edges, solved cubies are left out, and a
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
        targets: [None; FACELETS],
    };
    reader.read()?;
    let mut corners = [(0, 0); Corner::COUNT];
    let mut edges = [(0, 0); Edge::COUNT];
    for cubie in Slot::all() {
        let first = cubie.places()[0];
        let (slot, facelet) = Slot::of_facelet(reader.targets[first].unwrap_or(first));
        let shown = (cubie.number() as u8, facelet as u8);
        match slot {
            Slot::Corner(slot) => corners[slot.index()] = shown,
            Slot::Edge(slot) => edges[slot.index()] = shown,
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| ParseError::new(text, error).impossible())
}

/// Converts cycles of pieces to Speffz cycles: `(UF UR UB)` moves the piece in UF to UR, and its
/// facelet on U to U. `None` if a word is not a piece, if a piece comes twice, if a cycle has one
/// piece, or if it has edges and corners.
pub(super) fn from_piece_cycles(text: &str) -> Option<String> {
    let mut written: [String; 2] = Default::default();
    let mut used = Vec::new();
    for cycle in text
        .split(['(', ')', '[', ']'])
        .filter(|cycle| cycle.contains(char::is_alphabetic))
    {
        let mut places = Vec::new();
        let mut sections = Vec::new();
        for piece in cycle
            .split(|c: char| !c.is_alphabetic())
            .filter(|piece| !piece.is_empty())
        {
            let (slot, faces) = Slot::named(&piece.to_ascii_uppercase())?;
            if used.contains(&slot) {
                return None;
            }
            used.push(slot);
            places.push(slot.place_on(faces[0]));
            // Corners, with three faces, are section 0, and edges are section 1.
            sections.push(Corner::ALL[0].faces().len() - faces.len());
        }
        let section = sections[0];
        if places.len() < 2 || sections.iter().any(|other| *other != section) {
            return None;
        }
        written[section] += &format!("({})", letters_of(places));
    }
    let sections = SECTIONS
        .iter()
        .zip(&written)
        .filter(|(_, cycles)| !cycles.is_empty())
        .map(|((heading, _), cycles)| format!("{heading} {cycles}"));
    Some(sections.collect::<Vec<_>>().join(" "))
}

struct SpeffzReader<'a> {
    text: &'a str,
    cursor: Cursor<'a>,
    /// The facelet of the net to which each facelet moves; `None` if no cycle has its piece.
    targets: [Option<usize>; FACELETS],
}

impl<'a> SpeffzReader<'a> {
    fn read(&mut self) -> Result<(), ParseError> {
        let mut sections = Vec::new();
        let mut used_letters = String::new();
        loop {
            self.cursor.skip(is_blank);
            if let Some(section) = section_at(&self.cursor) {
                let (heading, _) = SECTIONS[section];
                let token = self.cursor.take(heading.len());
                if sections.contains(&section) {
                    let sentence = format!(
                        "the heading {heading} appears twice; write all its cycles after one \
                         heading"
                    );
                    return Err(self.error(token, &sentence));
                }
                sections.push(section);
                used_letters.clear();
            } else if self.cursor.rest().starts_with('(') {
                let open = self.cursor.take(1);
                let section = *sections.last().ok_or_else(|| {
                    self.error(
                        open,
                        "this cycle comes before the first heading; write corners: or edges: in \
                         front of it",
                    )
                })?;
                let cycle = self.cycle(section, open, &mut used_letters)?;
                self.follow(&cycle)?;
            } else {
                return match self.cursor.take_run(|c| !is_blank(c) && c != '(') {
                    Some(word) => Err(self.error(
                        word,
                        "`{}` is neither a heading nor a cycle; write corners: (A B C) edges: \
                         (A Q)",
                    )),
                    None => Ok(()),
                };
            }
        }
    }

    /// Reads the facelets of a cycle, up to its closing parenthesis. Rejects letters that the
    /// section has used before, and adds the others to `used_letters`.
    fn cycle(
        &mut self,
        section: usize,
        open: Token<'a>,
        used_letters: &mut String,
    ) -> Result<Vec<(Token<'a>, usize)>, ParseError> {
        let mut cycle = Vec::new();
        loop {
            self.cursor.skip(is_blank);
            let token = self.cursor.take_symbol().ok_or_else(|| {
                self.error(open, "this `(` is never closed; close the cycle with `)`")
            })?;
            if token.text == ")" {
                return Ok(cycle);
            }
            let place = place_of(section, token.symbol()).ok_or_else(|| {
                let sentence = "`{}` is not a Speffz letter; letters are the capitals A to X";
                self.error(token, sentence)
            })?;
            if used_letters.contains(token.text) {
                let sentence = "the letter {} appears twice; each facelet moves to one place only";
                return Err(self.error(token, sentence));
            }
            used_letters.push_str(token.text);
            cycle.push((token, place));
        }
    }

    /// Moves the cubies along the cycle. A cycle is a closed walk, and all arrows from one cubie
    /// lead to the same slot. So the arrows of a section are always a permutation of its cubies.
    fn follow(&mut self, cycle: &[(Token, usize)]) -> Result<(), ParseError> {
        let is_closed = match cycle {
            [(_, first), .., (_, last)] => Slot::of_facelet(*first).0 == Slot::of_facelet(*last).0,
            _ => false,
        };
        let closing = cycle.iter().take(usize::from(!is_closed));
        let targets = cycle.iter().skip(1).chain(closing);
        for (&(token, from), &(_, to)) in cycle.iter().zip(targets) {
            let (cubie, facelet) = Slot::of_facelet(from);
            let (slot, target_facelet) = Slot::of_facelet(to);
            if self.targets[from].is_some_and(|known| known != to) {
                let letter = letter_of(to);
                let sentence = format!(
                    "the piece {cubie} is sent to {letter} and to another place as well; its \
                     facelets must stay together"
                );
                return Err(self.error(token, &sentence));
            }
            let count = cubie.places().len();
            for next in 0..count {
                let place = cubie.places()[(facelet + next) % count];
                self.targets[place] = Some(slot.places()[(target_facelet + next) % count]);
            }
        }
        Ok(())
    }

    /// Returns an error about a part of the text, which is quoted in place of `{}`.
    fn error(&self, token: Token, sentence: &str) -> ParseError {
        ParseError::quoting(self.text, token.span(), sentence)
    }
}

/// Returns the cycles of a section, given the facelet to which each facelet moves.
fn cycles(targets: &[usize; FACELETS], section: usize) -> String {
    let slot = |place: usize| Slot::of_facelet(place).0;
    let mut visited = Vec::new();
    let mut cycles = String::new();
    for first in ('A'..='X').filter_map(|letter| place_of(section, letter)) {
        let mut next = targets[first];
        if visited.contains(&slot(first)) || next == first {
            continue;
        }
        let is_in_place = slot(next) == slot(first);
        let mut cycle = vec![first];
        while slot(next) != slot(first) {
            cycle.push(next);
            next = targets[next];
        }
        visited.extend(cycle.iter().map(|&place| slot(place)));
        if next != first {
            cycle.push(next);
        }
        if is_in_place && slot(first).places().len() == 3 {
            cycle.push(targets[next]);
        }
        cycles += &format!("({})", letters_of(cycle));
    }
    cycles
}

impl Cube {
    /// Returns the position as Speffz cycles, as read by [`parse_speffz`].
    pub fn speffz(&self) -> String {
        let mut targets = [0; FACELETS];
        for (place, facelet) in self.facelet_permutation().into_iter().enumerate() {
            targets[usize::from(facelet)] = place;
        }
        let sections = [0, 1].map(|section| {
            let (heading, _) = SECTIONS[section];
            match cycles(&targets, section) {
                cycles if cycles.is_empty() => format!("{heading} ()"),
                cycles => format!("{heading} {cycles}"),
            }
        });
        sections.join(" ")
    }
}

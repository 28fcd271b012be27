//! Facelet strings: the colours of the 54 facelets, face by face.
//!
//! ```text
//! facelets = 54 * symbol        the faces U R F D L B, each row by row as in the usual net (Kociemba's order)
//! symbol   = any character but a blank
//! ```
//!
//! Blanks and newlines are allowed anywhere, and so are separators, as in `UUUUUUUUU/RRRRRRRRR/…`: the signs `/ | , -`,
//! each unless it occurs nine times and so is a colour. The fifth symbol of each face is its centre, and the centres define which
//! symbol belongs to which face. So any six symbols can be used, and the cube can be held in any way.
//!
//! Centres cannot tell a cube from its mirror image. Facelets that were read in a mirror, or with two opposite faces
//! exchanged, therefore give corners whose colours run the wrong way round ([`PieceFault::MirroredCorner`]).
//!
//! [`PieceFault::MirroredCorner`]: super::PieceFault::MirroredCorner

use super::cubie::{Corner, Edge};
use super::error::{FaceletFault, PieceFault, ReadError};
use super::moves::Face;
use super::net::{FACELETS, ON_FACE, Slot, place_name};
use super::position::{Cube, CubeError};
use super::text::{self, Token};
use std::ops::Range;

/// Reads a facelet string. Fails if there are not 54 facelets in six colours, nine of each; if a piece does not exist
/// or appears twice; or if no sequence of moves leads there.
pub fn parse_facelets(text: &str) -> Result<Cube, ReadError> {
    let facelets = symbols(text);
    if facelets.len() != FACELETS {
        return Err(ReadError::of_whole(text, FaceletFault::Count(facelets.len())));
    }
    let centres = centres(text, &facelets)?;
    let faces = faces(text, &facelets, &centres)?;
    check_nine_each(text, &faces, &centres)?;
    assemble(text, |slot| Shown {
        faces: places(slot).map(|place| faces[place]).collect(),
        written: places(slot).map(|place| facelets[place].text).collect(),
        span: facelets[slot.place(0)].span(),
    })
}

/// The signs that may stand between faces.
pub(super) const SEPARATORS: [char; 4] = ['/', '|', ',', '-'];

/// The symbols of the text, separators left out.
pub(super) fn symbols(text: &str) -> Vec<Token<'_>> {
    let times = |sign: char| text.matches(sign).count();
    let separators: Vec<char> = SEPARATORS.into_iter().filter(|&sign| times(sign) != ON_FACE).collect();
    text::symbols(text).filter(|symbol| !separators.contains(&symbol.symbol())).collect()
}

/// Whether these symbols are 54, of six kinds, nine of each, with six different centres.
pub(super) fn are_balanced(facelets: &[Token]) -> bool {
    let times = |wanted: char| facelets.iter().filter(|symbol| symbol.symbol() == wanted).count();
    let centre = |face: usize| facelets[face * ON_FACE + ON_FACE / 2].symbol();
    facelets.len() == FACELETS
        && (0..6).all(|face| (0..face).all(|earlier| centre(earlier) != centre(face)))
        && (0..6).all(|face| times(centre(face)) == ON_FACE)
}

/// The symbol of each face, six different ones.
fn centres(text: &str, facelets: &[Token]) -> Result<[char; 6], ReadError> {
    let mut centres = ['\0'; 6];
    for second in Face::ALL {
        let centre = facelets[second.index() * ON_FACE + ON_FACE / 2];
        let symbol = centre.symbol();
        if let Some(first) = centres.iter().position(|&earlier| earlier == symbol) {
            let fault = FaceletFault::CentresAlike { first: Face::from_index(first), second, symbol };
            return Err(ReadError::at(text, centre.span(), fault));
        }
        centres[second.index()] = symbol;
    }
    Ok(centres)
}

/// The face that each facelet belongs to by its colour.
fn faces(text: &str, facelets: &[Token], centres: &[char; 6]) -> Result<Vec<Face>, ReadError> {
    let face = |(place, facelet): (usize, &Token)| {
        let symbol = facelet.symbol();
        centres.iter().position(|&centre| centre == symbol).map(Face::from_index).ok_or_else(|| {
            ReadError::at(text, facelet.span(), FaceletFault::SeventhColour { symbol, facelet: place_name(place) })
        })
    };
    facelets.iter().enumerate().map(face).collect()
}

fn check_nine_each(text: &str, faces: &[Face], centres: &[char; 6]) -> Result<(), ReadError> {
    let times = |face: &Face| faces.iter().filter(|shown| *shown == face).count();
    let many = Face::ALL.into_iter().max_by_key(times).expect("there are six faces");
    let few = Face::ALL.into_iter().min_by_key(times).expect("there are six faces");
    if times(&many) == ON_FACE {
        return Ok(());
    }
    let fault = FaceletFault::NotNine {
        many: centres[many.index()],
        many_times: times(&many),
        few: centres[few.index()],
        few_times: times(&few),
    };
    Err(ReadError::of_whole(text, fault))
}

/// The places of a slot's facelets in the net.
fn places(slot: Slot) -> impl Iterator<Item = usize> {
    (0..slot.faces().len()).map(move |facelet| slot.place(facelet))
}

/// What a text shows in a slot.
pub(super) struct Shown {
    /// The faces whose colours the slot shows, in the order of its facelets.
    pub faces: Vec<Face>,
    /// The facelets as they are written.
    pub written: String,
    /// Where in the text.
    pub span: Range<usize>,
}

/// The position that `text` shows, slot by slot: what facelet strings and Reid's pieces have in common.
pub(super) fn assemble(text: &str, shown: impl Fn(Slot) -> Shown) -> Result<Cube, ReadError> {
    let (mut corners, mut edges) = ([(0, 0); Corner::COUNT], [(0, 0); Edge::COUNT]);
    for slot in Slot::all() {
        let Shown { faces, written, span } = shown(slot);
        match slot {
            Slot::Corner(slot) => {
                let corner = find(Slot::corners(), &faces).ok_or_else(|| {
                    match find(Slot::corners(), &[faces[0], faces[2], faces[1]]) {
                        Some(_) => PieceFault::MirroredCorner { slot, shown: written },
                        None => PieceFault::NoSuchCorner { slot, shown: written },
                    }
                });
                corners[slot.index()] = corner.map_err(|fault| ReadError::at(text, span, fault))?;
            }
            Slot::Edge(slot) => {
                let edge = find(Slot::edges(), &faces).ok_or(PieceFault::NoSuchEdge { slot, shown: written });
                edges[slot.index()] = edge.map_err(|fault| ReadError::at(text, span, fault))?;
            }
        }
    }
    Cube::from_cubies(&corners, &edges).map_err(|error| {
        let twice: Vec<Slot> = match error {
            CubeError::CornerTwice { twice, .. } => holding(Slot::corners(), &corners, twice.index()),
            CubeError::EdgeTwice { twice, .. } => holding(Slot::edges(), &edges, twice.index()),
            _ => Vec::new(),
        };
        // Of two equal cubies, the error points at the later one in the text.
        match twice.into_iter().map(|slot| shown(slot).span).max_by_key(|span| span.start) {
            Some(span) => ReadError::at(text, span, error),
            None => ReadError::of_whole(text, error),
        }
    })
}

/// The slots that hold the cubie with this number.
fn holding(slots: impl Iterator<Item = Slot>, cubies: &[(u8, u8)], number: usize) -> Vec<Slot> {
    slots.zip(cubies).filter(|(_, cubie)| usize::from(cubie.0) == number).map(|(slot, _)| slot).collect()
}

/// Which of the cubies shows these faces, and in which orientation.
fn find(cubies: impl Iterator<Item = Slot>, shown: &[Face]) -> Option<(u8, u8)> {
    cubies.zip(0..).find_map(|(cubie, number)| {
        let mut faces = cubie.faces();
        (0..faces.len() as u8).find_map(|orientation| {
            let shows = faces == shown;
            faces.rotate_right(1);
            shows.then_some((number, orientation))
        })
    })
}

impl Corner {
    /// Where its slot's facelets are in a facelet string, 0 to 53, in the order of [`Corner::faces`].
    pub fn places(self) -> [usize; 3] {
        [0, 1, 2].map(|facelet| Slot::Corner(self).place(facelet))
    }
}

impl Edge {
    /// Where its slot's facelets are in a facelet string, 0 to 53, in the order of [`Edge::faces`].
    pub fn places(self) -> [usize; 2] {
        [0, 1].map(|facelet| Slot::Edge(self).place(facelet))
    }
}

impl Cube {
    /// The position with these 54 facelets, as [`parse_facelets`] reads them.
    pub fn from_facelets(facelets: &str) -> Result<Cube, ReadError> {
        parse_facelets(facelets)
    }

    /// The 54 facelets in the letters of the faces, in the order U R F D L B, each face row by row.
    pub fn facelets(&self) -> String {
        let mut faces: [Face; FACELETS] = std::array::from_fn(|place| Face::from_index(place / ON_FACE));
        for slot in Slot::all() {
            for (place, face) in places(slot).zip(slot.shown(self)) {
                faces[place] = face;
            }
        }
        faces.iter().map(|face| face.letter()).collect()
    }
}

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

use super::error::{FaceletFault, ReadError};
use super::moves::Face;
use super::position::Cube;
use super::slots::{FACELETS, ON_FACE, Shown, Slot, assemble, place_name};
use super::text::{self, Token};

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
        faces: slot.places().map(|place| Some(faces[place])).collect(),
        written: slot.places().map(|place| facelets[place].text).collect(),
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

impl Cube {
    /// The position with these 54 facelets, as [`parse_facelets`] reads them.
    pub fn from_facelets(facelets: &str) -> Result<Cube, ReadError> {
        parse_facelets(facelets)
    }

    /// The 54 facelets in the letters of the faces, in the order U R F D L B, each face row by row.
    pub fn facelets(&self) -> String {
        let mut faces: [Face; FACELETS] = std::array::from_fn(|place| Face::from_index(place / ON_FACE));
        for slot in Slot::all() {
            for (place, face) in slot.places().zip(slot.shown(self)) {
                faces[place] = face;
            }
        }
        faces.iter().map(|face| face.letter()).collect()
    }
}

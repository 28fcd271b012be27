//! A position as a coloured net in SVG, which notebooks show.

use cosette::cube::{Cube, Face};
use std::fmt::Write;

/// The side of a facelet, and the gap between faces.
const SIDE: usize = 16;
const GAP: usize = 4;

/// Where the faces are in the net, in the order U R F D L B: column and row.
const PLACES: [(usize, usize); 6] = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)];

/// The net.
pub fn net(position: &Cube) -> String {
    let (width, height) = (4 * 3 * SIDE + 5 * GAP, 3 * 3 * SIDE + 4 * GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\"><title>{position}</title><g stroke=\"#222\" stroke-width=\"1\">"
    );
    for (number, letter) in position.facelets().chars().enumerate() {
        let ((column, row), cell) = (PLACES[number / 9], number % 9);
        let at = |face: usize, cell: usize| GAP + face * (3 * SIDE + GAP) + cell * SIDE;
        let (x, y) = (at(column, cell % 3), at(row, cell / 3));
        let colour = colour(letter);
        write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{colour}\"/>")
            .expect("a text can always be extended");
    }
    svg + "</g></svg>"
}

/// The usual colours.
fn colour(letter: char) -> &'static str {
    let face = Face::ALL.into_iter().find(|face| face.letter() == letter).expect("facelets are letters of faces");
    match face {
        Face::U => "#ffffff",
        Face::R => "#c62828",
        Face::F => "#2e9e44",
        Face::D => "#fdd835",
        Face::L => "#ef7f1a",
        Face::B => "#1e5fc4",
    }
}

//! Positions as arrays of 54 numbers, in the layouts of machine-learning projects.

use super::error::ParseError;
use super::facelets::read_placed;
use super::move_parser::{ParseOptions, parse_moves};
use super::moves::{Face, Metric, Move, Turn};
use super::net_layout::{are_balanced, symbols};
use super::pieces::{CENTER, Corner, Edge, FACELETS, FACELETS_PER_FACE, Slot};
use super::position::Cube;
use super::symmetry::Symmetry;
use std::str::FromStr;
use std::sync::LazyLock;

/// A layout of arrays: the order of the facelets, and how colors and moves are numbered.
///
/// | layout | faces | each face | numbers | from |
/// |---|---|---|---|---|
/// | Kociemba | U R F D L B | row by row | colors | facelet strings |
/// | DeepCubeA | U D L R B F | column by column, each from the bottom | facelets | `environments/cube3.py` |
/// | CayleyPy | U D L R B F | as DeepCubeA | colors | cayleypy-cube, `generators/p054.json` |
/// | Santa 2023 | U F R B L D | row by row | colors | `puzzle_info.csv`; cayleypy-cube, `p001.json` |
/// | jumanji | U F R B L D | row by row | colors | `rubiks_cube/utils.py` |
///
/// An array holds the colors of its facelets, numbered as the faces of the layout, or the facelets
/// themselves, numbered by their index in the solved cube, 0 to 53. Both kinds are read in every
/// layout: an array with numbers above 5 holds facelets. The table gives the kind that is written.
/// Centers define the face of each color, so the cube may be held in any way, as after moves of
/// Santa's middle layers.
///
/// Moves are numbered as in the project. If the project has quarter turns only, half turns follow
/// in the order of the faces. The moves of Santa are f0 f2 r0 r2 d0 d2, which are F B' R L' D U',
/// and their inverses; the moves of its middle layers have no numbers here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the table documents them
pub enum FaceletLayout {
    Kociemba,
    DeepCubeA,
    CayleyPy,
    Santa,
    Jumanji,
}

/// Number of colors.
const COLORS: u8 = 6;
/// Number of facelets, in the type of the elements of an array.
const NUMBER_OF_FACELETS: u8 = FACELETS as u8;

/// The facelets of a position, in a [layout](FaceletLayout).
pub type Facelets = [u8; FACELETS];

/// The error for an unknown layout name.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a layout; layouts are kociemba, deepcubea, cayleypy, santa and jumanji")]
pub struct UnknownFaceletLayout(String);

/// The error for an array that is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ArrayError(String);

/// A layout: its name, the order of the faces, the order of the facelets of a face, `true` if
/// facelets are written instead of colors, and the moves.
type LayoutRow = (
    &'static str,
    [Face; 6],
    [usize; FACELETS_PER_FACE],
    bool,
    &'static str,
);

const ROWS: [usize; FACELETS_PER_FACE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const COLUMNS: [usize; FACELETS_PER_FACE] = [6, 3, 0, 7, 4, 1, 8, 5, 2];
const TABLE: [LayoutRow; 5] = {
    use Face::{B, D, F, L, R, U};
    [
        (
            "kociemba",
            [U, R, F, D, L, B],
            ROWS,
            false,
            "U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'",
        ),
        (
            "deepcubea",
            [U, D, L, R, B, F],
            COLUMNS,
            true,
            "U' U D' D L' L R' R B' B F' F",
        ),
        (
            "cayleypy",
            [U, D, L, R, B, F],
            COLUMNS,
            false,
            "U D L R B F U' D' L' R' B' F'",
        ),
        (
            "santa",
            [U, F, R, B, L, D],
            ROWS,
            false,
            "F B' R L' D U' F' B R' L D' U",
        ),
        (
            "jumanji",
            [U, F, R, B, L, D],
            ROWS,
            false,
            "U U' U2 F F' F2 R R' R2 B B' B2 L L' L2 D D' D2",
        ),
    ]
};

/// The data computed for each layout.
struct LayoutLookup {
    /// The index in the layout of each facelet of the net.
    places: [usize; FACELETS],
    /// The index in the net of each facelet of the layout.
    in_net: [usize; FACELETS],
    /// The moves of each metric.
    moves: [Vec<Move>; 2],
}

static LOOKUPS: LazyLock<[LayoutLookup; 5]> =
    LazyLock::new(|| FaceletLayout::ALL.map(LayoutLookup::new));

impl LayoutLookup {
    fn new(layout: FaceletLayout) -> LayoutLookup {
        let (_, faces, cells, _, moves) = TABLE[layout as usize];
        let in_net = std::array::from_fn(|place| {
            faces[place / FACELETS_PER_FACE].index() * FACELETS_PER_FACE
                + cells[place % FACELETS_PER_FACE]
        });
        let mut places = [0; FACELETS];
        for (place, &net_place) in in_net.iter().enumerate() {
            places[net_place] = place;
        }
        let named = parse_moves(moves, &ParseOptions::default()).expect("the table has moves");
        let mut htm: Vec<Move> = named.moves().to_vec();
        if htm.iter().all(|m| !m.is_half_turn()) {
            htm.extend(faces.map(|face| Move::new(face, Turn::Half)));
        }
        let qtm = htm.iter().copied().filter(|m| !m.is_half_turn()).collect();
        LayoutLookup {
            places,
            in_net,
            moves: [htm, qtm],
        }
    }

    /// Converts an array of facelets from the net to the layout: the order of the array, and the
    /// numbers of the facelets.
    fn of_net(&self, facelets: &Facelets) -> Facelets {
        self.in_net
            .map(|net_place| self.places[usize::from(facelets[net_place])] as u8)
    }
}

/// The number and the orientation of the piece that shows the colors of two or three faces, by the
/// [`key`] of these faces.
static CUBIES: LazyLock<[Option<(u8, u8)>; 432]> = LazyLock::new(|| {
    let mut cubies = [None; 432];
    for slot in Slot::all() {
        let mut shown = slot.faces().to_vec();
        for orientation in 0..shown.len() as u8 {
            let colors = shown.iter().map(|face| face.index() as u8);
            cubies[key(colors)] = Some((slot.number() as u8, orientation));
            shown.rotate_right(1);
        }
    }
    cubies
});

/// Returns a number for two or three colors, less than 2 · 6³: their digits in base 6 after a 1,
/// which tells two colors from three.
fn key(colors: impl Iterator<Item = u8>) -> usize {
    colors.fold(1, |key, color| 6 * key + usize::from(color))
}

/// For each facelet of the net, the faces of its piece as bits.
static PIECE_FACES: LazyLock<[u8; FACELETS]> = LazyLock::new(|| {
    let mut faces = [0; FACELETS];
    for piece in pieces() {
        piece
            .iter()
            .for_each(|&place| faces[place] = faces_of(piece.iter().copied()));
    }
    faces
});

/// Returns the faces of these facelets of the net, as bits.
fn faces_of(facelets: impl Iterator<Item = usize>) -> u8 {
    facelets.fold(0, |faces, facelet| {
        faces | 1 << (facelet / FACELETS_PER_FACE)
    })
}

/// Returns the facelets of each piece in the net, centers last.
fn pieces() -> impl Iterator<Item = Vec<usize>> {
    let centers = (0..6).map(|face| vec![face * FACELETS_PER_FACE + CENTER]);
    Slot::all()
        .map(|slot| slot.places().to_vec())
        .chain(centers)
}

/// Returns the colors of an array, and `true` if it holds facelets; `None` if a number is too
/// large.
fn colors(facelets: &Facelets) -> Option<(Facelets, bool)> {
    let max = usize::from(facelets.iter().copied().max()?);
    let are_facelets = max >= usize::from(COLORS);
    let colors = if are_facelets {
        facelets.map(|facelet| facelet / FACELETS_PER_FACE as u8)
    } else {
        *facelets
    };
    (max < FACELETS).then_some((colors, are_facelets))
}

impl FaceletLayout {
    /// All layouts.
    pub const ALL: [FaceletLayout; 5] = [
        FaceletLayout::Kociemba,
        FaceletLayout::DeepCubeA,
        FaceletLayout::CayleyPy,
        FaceletLayout::Santa,
        FaceletLayout::Jumanji,
    ];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        TABLE[self as usize].0
    }

    /// Returns the moves of a metric, in the order in which they are numbered: eighteen, or the
    /// twelve quarter turns.
    pub fn moves(self, metric: Metric) -> &'static [Move] {
        &LOOKUPS[self as usize].moves[metric as usize]
    }

    /// Reads a position.
    ///
    /// # Errors
    ///
    /// Returns an error if a number is too large, if the facelets of one piece are not together, or
    /// if the colors are not those of a position.
    pub fn read(self, facelets: &Facelets) -> Result<Cube, ArrayError> {
        self.read_quickly(facelets)
            .ok_or_else(|| self.fault(facelets))
    }

    /// Returns the position, or `None` without an explanation.
    fn read_quickly(self, facelets: &Facelets) -> Option<Cube> {
        let (colors, are_facelets) = colors(facelets)?;
        let cube = self.of_colors(&colors)?;
        (!are_facelets || self.mixed_piece(facelets).is_none()).then_some(cube)
    }

    /// Returns the error of facelets that are not a position.
    fn fault(self, facelets: &Facelets) -> ArrayError {
        let min = facelets.iter().min();
        let max = facelets.iter().max();
        if let (Some(1), Some(&max @ (COLORS | NUMBER_OF_FACELETS))) = (min, max) {
            let kind = if max == COLORS { "colors" } else { "facelets" };
            let last = max - 1;
            return ArrayError(format!(
                "the numbers are 1 to {max}; {kind} are 0 to {last}: subtract 1"
            ));
        }
        let first = |is_wanted: fn(&u8) -> bool| {
            let place = facelets.iter().position(is_wanted);
            let place = place.expect("one is too large");
            (place, facelets[place])
        };
        let Some((colors, _)) = colors(facelets) else {
            let (place, number) = first(|&number| number >= NUMBER_OF_FACELETS);
            // Callers write 255 for numbers that do not fit in a byte.
            let number = match number {
                u8::MAX => String::new(),
                number => format!(" {number}"),
            };
            return ArrayError(format!(
                "the number{number} at place {place} is neither a color, 0 to 5, nor a facelet, 0 \
                 to 53; use either colors or facelets throughout"
            ));
        };
        let large = facelets.iter().filter(|number| **number >= COLORS).count();
        if (1..FACELETS / 2).contains(&large) {
            let (place, number) = first(|&number| number >= COLORS);
            return ArrayError(format!(
                "the number {number} at place {place} is that of a facelet, but most are colors, 0 \
                 to 5; use either colors or facelets throughout"
            ));
        }
        let text = self.text(&colors);
        let symbols = symbols(&text);
        match read_placed(&text, &symbols) {
            Ok(_) => {
                let places = self.mixed_piece(facelets).expect("the colors are sound");
                ArrayError(format!(
                    "the facelets at {places:?} are not those of one piece; check the layout, or \
                     give colors"
                ))
            }
            // Counts and centers are the same in each layout, so the layout is not the problem.
            Err(error) if !are_balanced(&symbols) => {
                ArrayError(format!("{}; {}", error.message(), error.help()))
            }
            Err(error) => self.wrong_colors(facelets, &error),
        }
    }

    /// Returns the error of colors that are not a position, but may be in another layout.
    fn wrong_colors(self, facelets: &Facelets, error: &ParseError) -> ArrayError {
        let is_position = |layout: &FaceletLayout| layout.read_quickly(facelets).is_some();
        let layouts = FaceletLayout::ALL.into_iter().filter(is_position);
        let names: Vec<&str> = layouts.map(FaceletLayout::name).collect();
        let message = error.message();
        let help = match &names[..] {
            [] => format!("{}, or the array has another layout", error.help()),
            names => {
                let names = names.join(" and ");
                format!("the array has another layout: it is a position in {names}")
            }
        };
        ArrayError(format!("{message}; {help}"))
    }

    /// Returns the indices in the array of the first piece whose facelets belong to several pieces;
    /// `None` if there is none.
    fn mixed_piece(self, facelets: &Facelets) -> Option<Vec<usize>> {
        let LayoutLookup { places, in_net, .. } = &LOOKUPS[self as usize];
        let piece_faces = &*PIECE_FACES;
        let facelet = |place: &usize| in_net[usize::from(facelets[places[*place]])];
        let is_mixed = |piece: &Vec<usize>| {
            let faces = faces_of(piece.iter().map(facelet));
            piece
                .iter()
                .any(|place| piece_faces[facelet(place)] != faces)
        };
        let mixed = pieces().find(is_mixed)?;
        Some(mixed.iter().map(|&place| places[place]).collect())
    }

    /// Returns the position that shows these colors, or `None` without an explanation.
    fn of_colors(self, colors: &Facelets) -> Option<Cube> {
        let places = &LOOKUPS[self as usize].places;
        let color = |place: usize| usize::from(colors[places[place]]);
        // For each color, the number of the face whose center has it.
        let mut face_of = [u8::MAX; 6];
        for face in 0..6 {
            let face_of_color = &mut face_of[color(face * FACELETS_PER_FACE + CENTER)];
            if std::mem::replace(face_of_color, face as u8) != u8::MAX {
                return None;
            }
        }
        let cubies = &*CUBIES;
        let shown = |slot: Slot| {
            let faces = slot.places().iter().map(|&place| face_of[color(place)]);
            cubies[key(faces)]
        };
        let mut corners = [(0, 0); Corner::COUNT];
        let mut edges = [(0, 0); Edge::COUNT];
        for (piece, slot) in corners.iter_mut().chain(&mut edges).zip(Slot::all()) {
            *piece = shown(slot)?;
        }
        Cube::from_cubies(&corners, &edges).ok()
    }

    /// Returns the colors as a facelet string, for [`read_placed`] to explain the error.
    fn text(self, colors: &Facelets) -> String {
        let places = LOOKUPS[self as usize].places;
        let symbols = places.map(|place| char::from(b'0' + colors[place]));
        String::from_iter(symbols)
    }

    /// Returns the array of a position. The table of [`FaceletLayout`] gives the kind of its
    /// numbers: colors or facelets.
    pub fn write(self, cube: &Cube) -> Facelets {
        let facelets = self.permutation(cube);
        if TABLE[self as usize].3 {
            facelets
        } else {
            facelets.map(|facelet| facelet / FACELETS_PER_FACE as u8)
        }
    }

    /// Returns, for each index, the index in the solved cube of the facelet that is there in the
    /// position. For a move, this is the index from which the facelet comes.
    pub fn permutation(self, cube: &Cube) -> Facelets {
        LOOKUPS[self as usize].of_net(&cube.facelet_permutation())
    }

    /// Returns, for each index, the index from which a rotation of the whole cube carries a facelet
    /// there.
    pub fn rotation_permutation(self, rotation: Symmetry) -> Facelets {
        let mut from = [0; FACELETS];
        for face in Face::ALL {
            let center = |face: Face| face.index() * FACELETS_PER_FACE + CENTER;
            from[center(rotation.face(face))] = center(face) as u8;
        }
        for slot in Slot::all() {
            let (to, faces) = slot.carried(rotation);
            for (&place, face) in slot.places().iter().zip(faces) {
                from[to.place_on(face)] = place as u8;
            }
        }
        LOOKUPS[self as usize].of_net(&from)
    }
}

impl FromStr for FaceletLayout {
    type Err = UnknownFaceletLayout;

    fn from_str(name: &str) -> Result<FaceletLayout, UnknownFaceletLayout> {
        FaceletLayout::ALL
            .into_iter()
            .find(|layout| layout.name() == name)
            .ok_or_else(|| UnknownFaceletLayout(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{parse_facelets, random_positions};

    #[test]
    fn arrays_are_read_as_written_and_agree_with_facelet_strings() {
        for layout in FaceletLayout::ALL {
            for cube in random_positions(2).take(100) {
                let facelets = layout.permutation(&cube);
                let colors = facelets.map(|facelet| facelet / 9);
                let written = layout.write(&cube);
                for array in [facelets, colors, written] {
                    assert_eq!(layout.read(&array), Ok(cube), "{layout:?}");
                }
                assert_eq!(parse_facelets(&layout.text(&colors)), Ok(cube));
                if layout == FaceletLayout::Kociemba {
                    let letters = written.map(|color| Face::from_index(color.into()).letter());
                    assert_eq!(String::from_iter(letters), cube.facelets());
                }
            }
        }
    }

    #[test]
    fn moves_and_rotations_carry_facelets() {
        let rotations = Symmetry::all().filter(|s| !s.is_mirror());
        for layout in FaceletLayout::ALL {
            assert_eq!(layout.moves(Metric::Qtm).len(), 12);
            let moves = layout.moves(Metric::Htm);
            assert_eq!(moves.len(), 18);
            let carried = |cube: &Cube, from: Facelets| {
                let before = layout.permutation(cube);
                from.map(|place| before[usize::from(place)])
            };
            for (cube, &m) in random_positions(3).zip(moves) {
                let from = layout.permutation(Cube::from_move(m));
                assert_eq!(layout.permutation(&cube.apply(m)), carried(&cube, from));
            }
            for (cube, rotation) in random_positions(4).zip(rotations.clone()) {
                let turned = carried(&cube, layout.rotation_permutation(rotation));
                let seen = Ok(cube.conjugate(rotation));
                assert_eq!(layout.read(&turned), seen, "{layout:?}");
            }
            // The rotation x carries the front face to the top.
            let x = Symmetry::rotation(Face::R);
            let (_, faces, ..) = TABLE[layout as usize];
            let up = faces.iter().position(|&face| face == Face::U).unwrap();
            let from =
                layout.rotation_permutation(x)[up * FACELETS_PER_FACE + FACELETS_PER_FACE / 2];
            assert_eq!(faces[usize::from(from) / FACELETS_PER_FACE], Face::F);
        }
    }

    #[test]
    fn unknown_layouts_are_named() {
        let error = "korf".parse::<FaceletLayout>().unwrap_err().to_string();
        assert!(error.starts_with("\"korf\" is not a layout; "), "{error}");
    }

    #[test]
    fn arrays_that_are_not_positions_are_explained() {
        let assert_refused = |layout: FaceletLayout, array: Facelets, part: &str| {
            let message = layout.read(&array).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
            assert!(!message.contains("face order"), "{message}");
        };
        let solved = FaceletLayout::CayleyPy.write(&Cube::SOLVED);
        let of_facelet = "the number 9 at place 3 is that of a facelet, but most are colors";
        for (place, number, part) in [
            (3, 54, "the number 54 at place 3 is neither"),
            (3, 255, "the number at place 3 is neither"),
            (3, 9, of_facelet),
            (0, 1, "each color needs nine facelets"),
            (4, 1, "the fifth facelet of a face"),
        ] {
            let mut array = solved;
            array[place] = number;
            assert_refused(FaceletLayout::CayleyPy, array, part);
        }
        let swapped = |mut array: Facelets, other| {
            array.swap(0, other);
            array
        };
        let another = "or the array has another layout";
        assert_refused(FaceletLayout::CayleyPy, swapped(solved, 53), another);
        let facelets = FaceletLayout::CayleyPy.permutation(&Cube::SOLVED);
        let other_piece = "not those of one piece";
        assert_refused(FaceletLayout::CayleyPy, swapped(facelets, 2), other_piece);

        let cube = random_positions(4).next().unwrap();
        let colors_from_one = "the numbers are 1 to 6; colors are 0 to 5: subtract 1";
        let facelets_from_one = "the numbers are 1 to 54; facelets are 0 to 53: subtract 1";
        for layout in FaceletLayout::ALL {
            let facelets = layout.permutation(&cube);
            assert_refused(
                layout,
                facelets.map(|facelet| facelet / 9 + 1),
                colors_from_one,
            );
            assert_refused(
                layout,
                facelets.map(|facelet| facelet + 1),
                facelets_from_one,
            );
        }
        for (given, names) in [
            (FaceletLayout::Santa, "santa and jumanji"),
            (FaceletLayout::DeepCubeA, "deepcubea and cayleypy"),
        ] {
            let part = format!("; the array has another layout: it is a position in {names}");
            let facelets = given.permutation(&cube);
            for array in [facelets, facelets.map(|facelet| facelet / 9)] {
                assert_refused(FaceletLayout::Kociemba, array, &part);
            }
        }
    }
}

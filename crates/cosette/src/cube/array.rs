//! Positions as arrays of 54 numbers, in the layouts of machine-learning projects.

use super::cubie::{Corner, Edge};
use super::error::{ParseError, ParseErrorKind};
use super::facelets::parse_facelets;
use super::moves::{Face, Metric, Move, Turn};
use super::notation::{ParseOptions, parse_moves};
use super::position::Cube;
use super::slots::{FACELETS, ON_FACE, Slot};
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
/// Colors are numbered as the faces of the layout. A facelet has the number of its index in the
/// solved cube, 0 to 53. In every layout both kinds of array are read: those with numbers above 5
/// hold facelets. The table gives the kind that is written. Centers define the face of each color,
/// so the cube may be held in any way, as after moves of Santa's middle layers.
///
/// Moves are numbered as in the project. If it has quarter turns only, half turns follow in the
/// order of the faces. Santa's are f0 f2 r0 r2 d0 d2, which are F B' R L' D U', and their inverses;
/// its middle layers have no numbers here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the table has them
pub enum FaceletLayout {
    Kociemba,
    DeepCubeA,
    CayleyPy,
    Santa,
    Jumanji,
}

/// Number of colors.
const COLORS: u8 = 6;
/// Number of facelets, as a number of an array.
const NUMBER_OF_FACELETS: u8 = FACELETS as u8;

/// The facelets of a position, in a [layout](FaceletLayout).
pub type Facelets = [u8; FACELETS];

/// The error for an unknown layout name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("layouts are kociemba, deepcubea, cayleypy, santa and jumanji")]
pub struct UnknownFaceletLayout;

/// The error for an array that is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// The numbers start at 1 instead of 0. Holds the largest.
    #[error(
        "the numbers are 1 to {0}; {kind} are 0 to {most}: subtract 1",
        kind = kind(.0),
        most = .0 - 1,
    )]
    FromOne(u8),
    /// A number is too large.
    #[error("the number{} at place {place} is neither a color, 0 to 5, nor a facelet, 0 to 53; \
        use either colors or facelets throughout", shown(.number))]
    NoFacelet {
        /// Facelet index.
        place: usize,
        /// The number; 255 if it does not fit in a byte.
        number: u8,
    },
    /// A facelet number among color numbers.
    #[error(
        "the number {number} at place {place} is that of a facelet, but most are colors, 0 to 5; \
         use either colors or facelets throughout"
    )]
    OneFacelet {
        /// Facelet index.
        place: usize,
        /// The number.
        number: u8,
    },
    /// Facelets of different pieces are on one piece.
    #[error("the facelets at {0:?} are not those of one piece; check the layout, or give colors")]
    NotOnePiece(Vec<usize>),
    /// The colors are not those of a position.
    #[error("{}; {}{}", .error.message(), .error.help(), or_other_layout(.error, .layouts))]
    Colors {
        /// The error of the colors.
        error: ParseError,
        /// The layouts in which it is a position.
        layouts: Vec<FaceletLayout>,
    },
}

fn kind(most: &u8) -> &'static str {
    if *most > COLORS { "facelets" } else { "colors" }
}

fn shown(number: &u8) -> String {
    if *number == u8::MAX {
        String::new()
    } else {
        format!(" {number}")
    }
}

/// Returns the other possible explanation of an error: only centers and counts are the same in each
/// layout.
fn or_other_layout(error: &ParseError, layouts: &[FaceletLayout]) -> String {
    let names = layouts
        .iter()
        .map(|layout| layout.name())
        .collect::<Vec<_>>()
        .join(" and ");
    match error.kind() {
        ParseErrorKind::CentersAlike { .. } | ParseErrorKind::NotNine { .. } => String::new(),
        _ if layouts.is_empty() => ", or the array has another layout".to_owned(),
        _ => format!(", or the array has another layout: it is a position in {names}"),
    }
}

/// The names, faces, facelet indices of the cells of a face, whether facelets are written, and
/// moves.
type LayoutRow = (
    &'static str,
    [Face; 6],
    [usize; ON_FACE],
    bool,
    &'static str,
);

const ROWS: [usize; ON_FACE] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const COLUMNS: [usize; ON_FACE] = [6, 3, 0, 7, 4, 1, 8, 5, 2];
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
    /// The facelet indices of each slot, corners first.
    slots: [Vec<usize>; 20],
    /// The faces, as bits by their numbers in the layout, of the piece that a facelet belongs to.
    piece: [u8; FACELETS],
    /// The piece that shows colors, and its orientation; by their [`key`].
    pieces: [Option<(u8, u8)>; 432],
    moves: [Vec<Move>; 2],
}

static LOOKUPS: LazyLock<[LayoutLookup; 5]> =
    LazyLock::new(|| FaceletLayout::ALL.map(LayoutLookup::new));

/// Two or three colors as a number.
fn key(colors: impl Iterator<Item = u8>) -> usize {
    colors.fold(1, |key, color| 6 * key + usize::from(color))
}

impl LayoutLookup {
    fn new(layout: FaceletLayout) -> LayoutLookup {
        let (_, faces, cells, _, moves) = TABLE[layout as usize];
        let number = |face: usize| {
            faces
                .iter()
                .position(|f| f.index() == face)
                .expect("a layout has all faces")
        };
        let cell = |cell: usize| {
            cells
                .iter()
                .position(|&c| c == cell)
                .expect("a face has all cells")
        };
        let place = |place: usize| number(place / ON_FACE) * ON_FACE + cell(place % ON_FACE);
        let all: Vec<Slot> = Slot::all().collect();
        let slots: [Vec<usize>; 20] =
            std::array::from_fn(|slot| all[slot].facelet_indices().map(place).collect());
        let mut piece = std::array::from_fn(|place| 1 << (place / ON_FACE));
        let mut pieces = [None; 432];
        for (number, slot) in slots.iter().enumerate() {
            let of_slot = slot
                .iter()
                .fold(0, |faces, place| faces | 1 << (place / ON_FACE));
            slot.iter().for_each(|&place| piece[place] = of_slot);
            let mut colors: Vec<u8> = slot.iter().map(|place| (place / ON_FACE) as u8).collect();
            for orientation in 0..slot.len() as u8 {
                let number = if slot.len() == 3 {
                    number
                } else {
                    number - Corner::COUNT
                };
                pieces[key(colors.iter().copied())] = Some((number as u8, orientation));
                colors.rotate_right(1);
            }
        }
        let named = parse_moves(moves, &ParseOptions::default()).expect("the table has moves");
        let mut htm: Vec<Move> = named.moves().to_vec();
        if htm.iter().all(|m| !m.is_half_turn()) {
            htm.extend(faces.map(|face| Move::new(face, Turn::Half)));
        }
        let qtm = htm.iter().copied().filter(|m| !m.is_half_turn()).collect();
        LayoutLookup {
            slots,
            piece,
            pieces,
            moves: [htm, qtm],
        }
    }

    /// Returns the facelet indices of each piece, centers last.
    fn places(&self) -> impl Iterator<Item = Vec<usize>> {
        self.slots
            .iter()
            .cloned()
            .chain((0..6).map(|face| vec![face * ON_FACE + ON_FACE / 2]))
    }
}

/// Returns the colors, and `true` if facelets are given; `None` if a number is too large.
fn colors(facelets: &Facelets) -> Option<(Facelets, bool)> {
    let most = usize::from(facelets.iter().copied().max()?);
    let are_facelets = most >= usize::from(COLORS);
    let colors = if are_facelets {
        facelets.map(|facelet| facelet / ON_FACE as u8)
    } else {
        *facelets
    };
    (most < FACELETS).then_some((colors, are_facelets))
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
        (!are_facelets || self.mixed_piece(facelets, &colors).is_none()).then_some(cube)
    }

    /// Returns the error of facelets that are not a position.
    fn fault(self, facelets: &Facelets) -> ArrayError {
        let least = facelets.iter().min();
        let most = facelets.iter().max();
        if let (Some(1), Some(&most @ (COLORS | NUMBER_OF_FACELETS))) = (least, most) {
            return ArrayError::FromOne(most);
        }
        let Some((colors, _)) = colors(facelets) else {
            let place = facelets
                .iter()
                .position(|&number| usize::from(number) >= FACELETS)
                .expect("one is too large");
            return ArrayError::NoFacelet {
                place,
                number: facelets[place],
            };
        };
        let is_large = |&number: &u8| number >= COLORS;
        let large = facelets.iter().filter(|number| is_large(number)).count();
        if (1..FACELETS / 2).contains(&large) {
            let place = facelets.iter().position(is_large).expect("there is one");
            return ArrayError::OneFacelet {
                place,
                number: facelets[place],
            };
        }
        match parse_facelets(&self.text(&colors)) {
            Ok(_) => ArrayError::NotOnePiece(
                self.mixed_piece(facelets, &colors)
                    .expect("the colors are sound"),
            ),
            Err(error) => {
                let is_position = |layout: &FaceletLayout| layout.read_quickly(facelets).is_some();
                ArrayError::Colors {
                    error,
                    layouts: FaceletLayout::ALL.into_iter().filter(is_position).collect(),
                }
            }
        }
    }

    /// Returns the facelet indices of a piece that has facelets of several.
    fn mixed_piece(self, facelets: &Facelets, colors: &Facelets) -> Option<Vec<usize>> {
        let lookup = &LOOKUPS[self as usize];
        let is_one = |places: &Vec<usize>| {
            let piece = places
                .iter()
                .fold(0, |faces, &place| faces | 1 << colors[place]);
            places
                .iter()
                .all(|&place| lookup.piece[usize::from(facelets[place])] == piece)
        };
        lookup.places().find(|places| !is_one(places))
    }

    /// Returns the position that shows these colors, or `None` without an explanation.
    fn of_colors(self, colors: &Facelets) -> Option<Cube> {
        let lookup = &LOOKUPS[self as usize];
        // The number of the face that each color belongs to, by the centers.
        let mut face_of = [u8::MAX; 6];
        for face in 0..6 {
            let of_color = &mut face_of[usize::from(colors[face * ON_FACE + ON_FACE / 2])];
            if std::mem::replace(of_color, face as u8) != u8::MAX {
                return None;
            }
        }
        let shown = |slot: usize| {
            lookup.pieces[key(lookup.slots[slot]
                .iter()
                .map(|&place| face_of[usize::from(colors[place])]))]
        };
        let mut corners = [(0, 0); Corner::COUNT];
        let mut edges = [(0, 0); Edge::COUNT];
        for (slot, piece) in corners.iter_mut().chain(&mut edges).enumerate() {
            *piece = shown(slot)?;
        }
        Cube::from_cubies(&corners, &edges).ok()
    }

    /// Returns the colors as a facelet string, whose reader explains the error.
    fn text(self, colors: &Facelets) -> String {
        let (_, faces, cells, ..) = TABLE[self as usize];
        let mut symbols = [' '; FACELETS];
        for (place, &color) in colors.iter().enumerate() {
            let at = faces[place / ON_FACE].index() * ON_FACE + cells[place % ON_FACE];
            symbols[at] = char::from(b'0' + color);
        }
        String::from_iter(symbols)
    }

    /// Returns the facelets of a position, as numbers of colors or of facelets: the table of
    /// [`FaceletLayout`] has the kind of each layout.
    pub fn write(self, cube: &Cube) -> Facelets {
        let facelets = self.permutation(cube);
        if TABLE[self as usize].3 {
            facelets
        } else {
            facelets.map(|facelet| facelet / ON_FACE as u8)
        }
    }

    /// Returns, for each index, the index in the solved cube of the facelet that is there now. For
    /// a move, this is the index from which each facelet comes.
    pub fn permutation(self, cube: &Cube) -> Facelets {
        let lookup = &LOOKUPS[self as usize];
        let mut facelets = std::array::from_fn(|place| place as u8);
        for (slot, places) in Slot::all().zip(&lookup.slots) {
            let (cubie, orientation) = slot.cubie(cube);
            let first = if matches!(cubie, Slot::Corner(_)) {
                0
            } else {
                Corner::COUNT
            };
            let own = &lookup.slots[first + cubie.number()];
            for (facelet, &from) in own.iter().enumerate() {
                facelets[places[(facelet + orientation) % own.len()]] = from as u8;
            }
        }
        facelets
    }

    /// Returns, for each index, the index at which the facelet that is there after a rotation of
    /// the whole cube was before it.
    pub fn rotation_permutation(self, rotation: Symmetry) -> Facelets {
        let (_, faces, ..) = TABLE[self as usize];
        let face = |place: usize| faces[place / ON_FACE];
        let mut from = [0; FACELETS];
        let pieces: Vec<Vec<usize>> = LOOKUPS[self as usize].places().collect();
        for piece in &pieces {
            let carried: Vec<Face> = piece
                .iter()
                .map(|&place| rotation.face(face(place)))
                .collect();
            let is_there = |to: &&Vec<usize>| {
                to.len() == piece.len() && to.iter().all(|&place| carried.contains(&face(place)))
            };
            for &place in pieces
                .iter()
                .find(is_there)
                .expect("a rotation carries pieces to pieces")
            {
                let facelet = carried
                    .iter()
                    .position(|&to| to == face(place))
                    .expect("it is one of them");
                from[place] = piece[facelet] as u8;
            }
        }
        from
    }
}

impl FromStr for FaceletLayout {
    type Err = UnknownFaceletLayout;

    fn from_str(name: &str) -> Result<FaceletLayout, UnknownFaceletLayout> {
        FaceletLayout::ALL
            .into_iter()
            .find(|layout| layout.name() == name)
            .ok_or(UnknownFaceletLayout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;

    #[test]
    fn kociembas_layout_is_that_of_facelet_strings() {
        for cube in random_positions(1).take(100) {
            let letters = FaceletLayout::Kociemba
                .write(&cube)
                .map(|color| Face::from_index(color.into()).letter());
            assert_eq!(String::from_iter(letters), cube.facelets());
        }
    }

    #[test]
    fn what_is_written_is_read_and_agrees_with_the_text() {
        for layout in FaceletLayout::ALL {
            for cube in random_positions(2).take(100) {
                let facelets = layout.permutation(&cube);
                let colors = facelets.map(|facelet| facelet / 9);
                for array in [facelets, colors, layout.write(&cube)] {
                    assert_eq!(layout.read(&array), Ok(cube), "{layout:?}");
                }
                assert_eq!(parse_facelets(&layout.text(&colors)), Ok(cube));
            }
        }
    }

    #[test]
    fn a_move_carries_facelets() {
        for layout in FaceletLayout::ALL {
            assert_eq!(
                (
                    layout.moves(Metric::Htm).len(),
                    layout.moves(Metric::Qtm).len()
                ),
                (18, 12)
            );
            for (cube, &m) in random_positions(3).zip(layout.moves(Metric::Htm)) {
                let before = layout.permutation(&cube);
                let from = layout.permutation(Cube::from_move(m));
                assert_eq!(
                    layout.permutation(&cube.apply(m)),
                    from.map(|place| before[usize::from(place)])
                );
            }
        }
    }

    #[test]
    fn a_rotation_carries_facelets() {
        for layout in FaceletLayout::ALL {
            for (cube, rotation) in
                random_positions(4).zip(Symmetry::all().filter(|s| !s.is_mirror()))
            {
                let before = layout.permutation(&cube);
                let turned = layout
                    .rotation_permutation(rotation)
                    .map(|place| before[usize::from(place)]);
                assert_eq!(
                    layout.read(&turned),
                    Ok(cube.conjugate(rotation)),
                    "{layout:?}"
                );
            }
            // What was in front is on top after x.
            let x = parse_moves("x", &ParseOptions::default())
                .unwrap()
                .rotation();
            let colors = layout
                .rotation_permutation(x)
                .map(|place| place / ON_FACE as u8);
            let (_, faces, ..) = TABLE[layout as usize];
            let up =
                faces.iter().position(|&face| face == Face::U).unwrap() * ON_FACE + ON_FACE / 2;
            assert_eq!(faces[usize::from(colors[up])], Face::F);
        }
    }

    #[test]
    fn what_is_no_position_is_explained() {
        let layout = FaceletLayout::CayleyPy;
        let solved = layout.write(&Cube::SOLVED);
        let message = |change: &dyn Fn(&mut Facelets)| {
            let mut array = solved;
            change(&mut array);
            layout.read(&array).unwrap_err().to_string()
        };
        assert!(message(&|a| a[3] = 54).starts_with("the number 54 at place 3 is neither"));
        assert!(message(&|a| a[3] = 255).starts_with("the number at place 3 is neither"));
        assert!(
            message(&|a| a[3] = 9)
                .starts_with("the number 9 at place 3 is that of a facelet, but most are colors")
        );
        assert!(message(&|a| a[0] = 1).ends_with("each color must appear nine times"));
        assert!(message(&|a| a[4] = 1).ends_with("the fifth facelet of a face"));
        assert!(message(&|a| a.swap(0, 53)).ends_with("or the array has another layout"));
        let mut facelets = layout.permutation(&Cube::SOLVED);
        facelets.swap(0, 2);
        assert!(
            layout
                .read(&facelets)
                .unwrap_err()
                .to_string()
                .contains("not those of one piece")
        );
    }

    #[test]
    fn numbers_from_one_are_named() {
        let cube = random_positions(4).next().unwrap();
        for layout in FaceletLayout::ALL {
            let facelets = layout.permutation(&cube);
            let message = |numbers: Facelets| {
                layout
                    .read(&numbers.map(|n| n + 1))
                    .unwrap_err()
                    .to_string()
            };
            let colors = message(facelets.map(|facelet| facelet / 9));
            assert_eq!(
                colors,
                "the numbers are 1 to 6; colors are 0 to 5: subtract 1"
            );
            assert_eq!(
                message(facelets),
                "the numbers are 1 to 54; facelets are 0 to 53: subtract 1"
            );
        }
    }

    #[test]
    fn another_layout_is_named() {
        let cube = random_positions(5).next().unwrap();
        for (given, names) in [
            (FaceletLayout::Santa, "santa and jumanji"),
            (FaceletLayout::DeepCubeA, "deepcubea and cayleypy"),
        ] {
            for array in [
                given.permutation(&cube),
                given.permutation(&cube).map(|facelet| facelet / 9),
            ] {
                let message = FaceletLayout::Kociemba
                    .read(&array)
                    .unwrap_err()
                    .to_string();
                assert!(
                    message.ends_with(&format!(
                        ", or the array has another layout: it is a position in {names}"
                    )),
                    "{message}"
                );
            }
        }
    }
}

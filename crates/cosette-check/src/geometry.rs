//! The cube as points in space. `x` points to the right, `y` up and `z` to the viewer.

use std::sync::OnceLock;

/// A point or a direction; each coordinate is -1, 0 or 1.
type Point = [i8; 3];

/// The number of facelets.
pub const FACELETS: usize = 54;

/// The target of each facelet: the facelet at index `i` goes to index `self[i]`.
pub type FaceletPermutation = [u8; FACELETS];

/// The colors at all facelet indices, in the order U R F D L B, each face row by row.
pub type Colors = [u8; FACELETS];

/// The name, the outward normal, the direction of a row and the direction of a column of each face.
const FACES: [(u8, Point, Point, Point); 6] = [
    (b'U', [0, 1, 0], [1, 0, 0], [0, 0, 1]),
    (b'R', [1, 0, 0], [0, 0, -1], [0, -1, 0]),
    (b'F', [0, 0, 1], [1, 0, 0], [0, -1, 0]),
    (b'D', [0, -1, 0], [1, 0, 0], [0, 0, -1]),
    (b'L', [-1, 0, 0], [0, 0, 1], [0, -1, 0]),
    (b'B', [0, 0, -1], [-1, 0, 0], [0, -1, 0]),
];

/// The location of a facelet: the cubie, and the side of it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    cubie: Point,
    normal: Point,
}

/// Returns all locations, in the order of [`Colors`].
fn places() -> &'static [Place; FACELETS] {
    static PLACES: OnceLock<[Place; FACELETS]> = OnceLock::new();
    PLACES.get_or_init(|| {
        std::array::from_fn(|place| {
            let (_, normal, along_row, along_column) = FACES[place / 9];
            let row = (place % 9 / 3) as i8 - 1;
            let column = (place % 3) as i8 - 1;
            let cubie =
                std::array::from_fn(|i| normal[i] + column * along_row[i] + row * along_column[i]);
            Place { cubie, normal }
        })
    })
}

fn place(cubie: Point, normal: Point) -> Option<usize> {
    places()
        .iter()
        .position(|&place| place == Place { cubie, normal })
}

/// Returns the normal of the face with this name.
fn normal_of(face: u8) -> Option<Point> {
    FACES
        .iter()
        .find(|&&(name, ..)| name == face)
        .map(|&(_, normal, ..)| normal)
}

fn dot(a: Point, b: Point) -> i8 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the image of a point under a quarter turn about `axis`, clockwise as seen from that
/// side.
fn quarter_turn(axis: Point, point: Point) -> Point {
    let along = dot(axis, point);
    let sideways = cross(axis, point);
    std::array::from_fn(|i| along * axis[i] - sideways[i])
}

/// A turn of some layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRotation {
    axis: Point,
    /// The layers that turn: in the middle of the cube is layer 0, on the side of the axis is layer
    /// 1.
    layers: &'static [i8],
    /// Number of quarter turns, from 1 to 3.
    quarters: u8,
}

impl LayerRotation {
    /// Returns all 18 face turns.
    pub fn of_faces() -> impl Iterator<Item = LayerRotation> {
        FACES.into_iter().flat_map(|(_, axis, ..)| {
            (1..=3).map(move |quarters| LayerRotation {
                axis,
                layers: &[1],
                quarters,
            })
        })
    }

    /// Reads a turn of a face (`R2`), of two layers (`Rw` or `r`) or of a slice (`M`), or a
    /// rotation of the cube (`x'`).
    pub fn read(text: &str) -> Option<LayerRotation> {
        let (&letter, rest) = text.as_bytes().split_first()?;
        let (is_wide, rest) = rest
            .strip_prefix(b"w")
            .map_or((false, rest), |rest| (true, rest));
        // Slices turn with L, D and F, rotations of the cube with R, U and F.
        let (face, layers): (u8, &[i8]) = match letter {
            b'M' => (b'L', &[0]),
            b'E' => (b'D', &[0]),
            b'S' => (b'F', &[0]),
            b'x' => (b'R', &[-1, 0, 1]),
            b'y' => (b'U', &[-1, 0, 1]),
            b'z' => (b'F', &[-1, 0, 1]),
            face if face.is_ascii_lowercase() || is_wide => (face.to_ascii_uppercase(), &[0, 1]),
            face => (face, &[1]),
        };
        let quarters = match std::str::from_utf8(rest).ok()? {
            "" => 1,
            "2" | "2'" | "2’" => 2,
            "'" | "’" | "3" => 3,
            _ => return None,
        };
        let is_misplaced = is_wide && (layers != [0, 1] || letter.is_ascii_lowercase());
        normal_of(face)
            .filter(|_| !is_misplaced)
            .map(|axis| LayerRotation {
                axis,
                layers,
                quarters,
            })
    }

    /// Returns the permutation of the facelets.
    pub fn permutation(&self) -> FaceletPermutation {
        let after = |&Place { cubie, normal }: &Place| {
            let turned =
                |point| (0..self.quarters).fold(point, |point, _| quarter_turn(self.axis, point));
            match self.layers.contains(&dot(self.axis, cubie)) {
                true => place(turned(cubie), turned(normal)),
                false => place(cubie, normal),
            }
        };
        places()
            .each_ref()
            .map(|place| after(place).expect("a turn leads from places to places") as u8)
    }

    /// Returns `true` if it turns the same layers as `other`, by any angle.
    pub fn has_layers_of(&self, other: &LayerRotation) -> bool {
        self.axis == other.axis && self.layers == other.layers
    }

    /// Returns `true` if it turns about the axis of `other`, from either side.
    pub fn has_axis_of(&self, other: &LayerRotation) -> bool {
        cross(self.axis, other.axis) == [0; 3]
    }

    /// Returns `true` if its axis is one of those to the right, up and to the viewer.
    pub fn is_on_first_side(&self) -> bool {
        self.axis.contains(&1)
    }

    /// Returns the cost: in half turns a turn of a face counts one; with `by_quarters`, one for
    /// each quarter. A turn of two layers counts as the turn of the opposite face, a slice as two
    /// face turns, and a rotation of the cube nothing.
    pub fn cost(&self, by_quarters: bool) -> usize {
        let faces = match self.layers.len() {
            3 => 0,
            _ if self.layers == [0] => 2,
            _ => 1,
        };
        faces
            * if by_quarters && self.quarters == 2 {
                2
            } else {
                1
            }
    }
}

/// Reads turns that stand between spaces.
///
/// # Errors
///
/// Returns the first word that is not a turn.
pub fn read_turns(text: &str) -> Result<Vec<LayerRotation>, String> {
    text.split_whitespace()
        .map(|word| LayerRotation::read(word).ok_or_else(|| word.to_owned()))
        .collect()
}

/// Returns the colors of the solved cube: each face has its own name.
pub fn solved() -> Colors {
    std::array::from_fn(|place| FACES[place / 9].0)
}

/// Returns the colors after a permutation of the facelets.
pub fn apply(colors: &Colors, permutation: &FaceletPermutation) -> Colors {
    let mut after = [0; FACELETS];
    for (color, &place) in colors.iter().zip(permutation) {
        after[usize::from(place)] = *color;
    }
    after
}

/// Returns the colors after these turns.
pub fn after(colors: &Colors, turns: &[LayerRotation]) -> Colors {
    turns
        .iter()
        .fold(*colors, |colors, turn| apply(&colors, &turn.permutation()))
}

/// Returns `true` if each face has one color, in any orientation of the cube.
pub fn is_solved(colors: &Colors) -> bool {
    colors
        .chunks(9)
        .all(|face| face.iter().all(|color| *color == face[0]))
}

/// Returns the colors, each named by the face whose center has it; `None` if two centers have the
/// same.
pub fn by_centers(colors: &Colors) -> Option<Colors> {
    let face_of = |color| {
        let mut faces = (0..6).filter(|face| colors[9 * face + 4] == color);
        let face = faces.next().filter(|_| faces.next().is_none())?;
        Some(FACES[face].0)
    };
    let mut named = [0; FACELETS];
    for (named, &color) in named.iter_mut().zip(colors) {
        *named = face_of(color)?;
    }
    Some(named)
}

/// Returns the 48 symmetries: each axis goes to one of the axes, in either direction.
fn symmetries() -> &'static [FaceletPermutation; 48] {
    static SYMMETRIES: OnceLock<[FaceletPermutation; 48]> = OnceLock::new();
    SYMMETRIES.get_or_init(|| {
        const AXES: [[usize; 3]; 6] = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        std::array::from_fn(|number| {
            let image = |v: Point| -> Point {
                std::array::from_fn(|i| {
                    v[AXES[number / 8][i]] * if number >> i & 1 == 0 { 1 } else { -1 }
                })
            };
            let image = |&Place { cubie, normal }: &Place| place(image(cubie), image(normal));
            places()
                .each_ref()
                .map(|place| image(place).expect("a symmetry leads from places to places") as u8)
        })
    })
}

/// Returns the class of a position under symmetry and inversion: two positions have the same class
/// if and only if one is a rotation or mirror image of the other or of its inverse. Such positions
/// have the same distance. `None` if the position is unsolvable.
///
/// The colors must be those of [`by_centers`].
pub fn class(colors: &Colors) -> Option<FaceletPermutation> {
    let mut position = [0; FACELETS];
    for (to, Place { cubie, .. }) in places().iter().enumerate() {
        // The facelet here comes from the face of its color, and its cubie from where these faces
        // meet.
        let facelets = places()
            .iter()
            .zip(colors)
            .filter(|(place, _)| place.cubie == *cubie);
        let home = facelets
            .filter_map(|(_, &color)| normal_of(color))
            .reduce(|a, b| std::array::from_fn(|i| a[i] + b[i]))?;
        let from = place(home, normal_of(colors[to])?)?;
        position[from] = to as u8;
    }
    if !is_reachable(&position) {
        return None;
    }
    let mut inverse = [0; FACELETS];
    for (from, &to) in position.iter().enumerate() {
        inverse[usize::from(to)] = from as u8;
    }
    let conjugate = |position: &FaceletPermutation, symmetry: &FaceletPermutation| {
        let mut conjugate = [0; FACELETS];
        for (from, &to) in position.iter().enumerate() {
            conjugate[usize::from(symmetry[from])] = symmetry[usize::from(to)];
        }
        conjugate
    };
    let images = symmetries().iter().flat_map(|symmetry| {
        [
            conjugate(&position, symmetry),
            conjugate(&inverse, symmetry),
        ]
    });
    images.min()
}

/// Returns `true` if moves can carry each facelet from its index in the solved cube to its index in
/// the position: each index is filled once, no corner is the mirror image of itself, corners and
/// edges are permuted with the same parity, the twists of the corners sum to whole turns, and an
/// even number of edges is flipped.
fn is_reachable(position: &FaceletPermutation) -> bool {
    let mut is_filled = [false; FACELETS];
    position
        .iter()
        .for_each(|&to| is_filled[usize::from(to)] = true);
    if !is_filled.iter().all(|&filled| filled) {
        return false;
    }
    if !places().iter().all(|home| is_turned(position, home.cubie)) {
        return false;
    }
    // One facelet represents each cubie: that on the face above or below, or else in front or
    // behind.
    let is_reference =
        |place: &Place| place.normal[1] != 0 || place.cubie[1] == 0 && place.normal[2] != 0;
    let mut twists = 0;
    let mut flips = 0;
    let mut orders = [Vec::new(), Vec::new()];
    for (from, home) in places()
        .iter()
        .enumerate()
        .filter(|(_, place)| is_reference(place))
    {
        let to = places()[usize::from(position[from])];
        let slot = |cubie: Point| {
            places()
                .iter()
                .position(|place| place.cubie == cubie && is_reference(place))
        };
        match home
            .cubie
            .iter()
            .filter(|coordinate| **coordinate != 0)
            .count()
        {
            3 => {
                twists += twist(to);
                orders[0].push(slot(to.cubie));
            }
            2 => {
                flips += usize::from(!is_reference(&to));
                orders[1].push(slot(to.cubie));
            }
            _ => {}
        }
    }
    twists % 3 == 0 && flips % 2 == 0 && is_odd(&orders[0]) == is_odd(&orders[1])
}

/// Returns `true` if the facelets of a corner are only turned between where they belong and where
/// they are; always for other cubies.
fn is_turned(position: &FaceletPermutation, cubie: Point) -> bool {
    let home: Vec<usize> = (0..FACELETS)
        .filter(|&from| places()[from].cubie == cubie)
        .collect();
    let normals = |target: &dyn Fn(usize) -> usize| -> Vec<Point> {
        home.iter()
            .map(|&from| places()[target(from)].normal)
            .collect()
    };
    let before = normals(&|from| from);
    let after = normals(&|from| usize::from(position[from]));
    home.len() != 3 || determinant(&before) == determinant(&after)
}

/// Returns the twist of the corner whose reference facelet is at this place.
fn twist(reference: Place) -> u32 {
    // Seen from outside, x, y, z follow each other clockwise at every other corner.
    let is_even = reference.cubie.iter().product::<i8>() > 0;
    match (
        reference.normal[1] != 0,
        (reference.normal[0] != 0) == is_even,
    ) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    }
}

/// Returns `true` if an odd number of swaps sorts this order.
fn is_odd(order: &[Option<usize>]) -> bool {
    let pairs = (0..order.len()).flat_map(|first| (0..first).map(move |second| (second, first)));
    let inversions = pairs.filter(|&(second, first)| order[second] > order[first]);
    inversions.count() % 2 == 1
}

/// Returns the determinant of three vectors: its sign is their orientation, clockwise or
/// counterclockwise.
fn determinant(rows: &[Point]) -> i8 {
    let [a, b, c] = [rows[0], rows[1], rows[2]];
    (0..3)
        .map(|i| a[i] * (b[(i + 1) % 3] * c[(i + 2) % 3] - b[(i + 2) % 3] * c[(i + 1) % 3]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colors(text: &str) -> Colors {
        after(&solved(), &read_turns(text).unwrap())
    }

    #[test]
    fn the_superflip_by_its_picture() {
        let superflip = colors("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
        assert_eq!(
            &superflip,
            b"UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
        );
    }

    #[test]
    fn turns_have_the_orders_that_a_cube_in_the_hand_shows() {
        for (text, order) in [
            ("R", 4),
            ("R U", 105),
            ("R U'", 63),
            ("M", 4),
            ("x", 4),
            ("R U R' U'", 6),
        ] {
            let turns = read_turns(text).unwrap();
            let mut cube = after(&solved(), &turns);
            let mut found = 1;
            while cube != solved() {
                cube = after(&cube, &turns);
                found += 1;
            }
            assert_eq!(found, order, "{text}");
        }
    }

    #[test]
    fn wide_turns_and_slices_are_turns_of_faces_held_otherwise() {
        for (text, same) in [
            ("Rw", "x L"),
            ("r2", "x2 L2"),
            ("M", "x' L' R"),
            ("E'", "y U' D"),
            ("S", "z F' B"),
            ("R3", "R'"),
        ] {
            assert_eq!(colors(text), colors(same), "{text}");
        }
        for wrong in ["", "Q", "R4", "xw", "Mw", "rw", "R''", "w", "R2x"] {
            assert!(LayerRotation::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_class_is_the_same_for_inverse_and_mirror_image() {
        let class_of = |text| class(&colors(text)).unwrap();
        assert_eq!(class_of("R U F2"), class_of("F2 U' R'"));
        assert_eq!(class_of("R U F2"), class_of("L' U' F2"));
        assert_eq!(class_of("R U F2"), class_of("U F R2"));
        assert_ne!(class_of("R U F2"), class_of("R U' F2"));
    }

    #[test]
    fn positions_out_of_reach_have_no_class() {
        // A facelet moved, an edge flipped (UF: 7 and 19), a corner twisted (URF: 8, 9 and 20), two
        // edges exchanged (UF, UR), a corner mirrored in three ways.
        for swaps in [
            &[(0, 9)][..],
            &[(7, 19)],
            &[(9, 20)],
            &[(8, 9)],
            &[(8, 9), (9, 20)],
            &[(7, 5), (19, 10)],
            &[(8, 20)],
        ] {
            let mut cube = solved();
            swaps.iter().for_each(|&(a, b)| cube.swap(a, b));
            assert!(class(&cube).is_none(), "{swaps:?}");
        }
        // Every walk stays reachable.
        let mut cube = solved();
        for turn in
            read_turns("R U F2 D' L B R2 U' L2 F' D R' B2 U L' F D2 R B' M E S x Rw u").unwrap()
        {
            cube = after(&cube, &[turn]);
            assert!(class(&by_centers(&cube).unwrap()).is_some());
        }
    }
}

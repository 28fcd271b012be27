//! The cube as points in space. `x` points to the right, `y` up and `z` to the viewer.

use std::sync::OnceLock;

/// A point or a direction; each coordinate is -1, 0 or 1.
type Point = [i8; 3];

/// The number of facelets.
pub const FACELETS: usize = 54;

/// The target of each facelet: element `i` is the index to which the facelet at index `i` goes.
pub type FaceletPermutation = [u8; FACELETS];

/// The colors at all facelet indices, in the order U R F D L B, each face row by row.
pub type Colors = [u8; FACELETS];

/// The name of each face, its outward normal, and the directions of its rows and columns.
const FACES: [(u8, Point, Point, Point); 6] = [
    (b'U', [0, 1, 0], [1, 0, 0], [0, 0, 1]),
    (b'R', [1, 0, 0], [0, 0, -1], [0, -1, 0]),
    (b'F', [0, 0, 1], [1, 0, 0], [0, -1, 0]),
    (b'D', [0, -1, 0], [1, 0, 0], [0, 0, -1]),
    (b'L', [-1, 0, 0], [0, 0, 1], [0, -1, 0]),
    (b'B', [0, 0, -1], [-1, 0, 0], [0, -1, 0]),
];

/// The location of a facelet: its cubie, and its side of the cubie.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Location {
    cubie: Point,
    normal: Point,
}

/// Returns all locations, in the order of [`Colors`].
fn locations() -> &'static [Location; FACELETS] {
    static LOCATIONS: OnceLock<[Location; FACELETS]> = OnceLock::new();
    LOCATIONS.get_or_init(|| {
        std::array::from_fn(|index| {
            let (_, normal, along_row, along_column) = FACES[index / 9];
            let row = (index % 9 / 3) as i8 - 1;
            let column = (index % 3) as i8 - 1;
            let cubie =
                std::array::from_fn(|i| normal[i] + column * along_row[i] + row * along_column[i]);
            Location { cubie, normal }
        })
    })
}

/// Returns the index of the facelet at a location, or `None` where the cube has no facelet.
fn index_at(cubie: Point, normal: Point) -> Option<usize> {
    locations()
        .iter()
        .position(|&location| location == Location { cubie, normal })
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
    /// The layers that turn: layer 1 is on the side of the axis, 0 in the middle, -1 opposite.
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
        let after = |&Location { cubie, normal }: &Location| {
            let turned =
                |point| (0..self.quarters).fold(point, |point, _| quarter_turn(self.axis, point));
            match self.layers.contains(&dot(self.axis, cubie)) {
                true => index_at(turned(cubie), turned(normal)),
                false => index_at(cubie, normal),
            }
        };
        locations()
            .each_ref()
            .map(|location| after(location).expect("a turn moves facelets to facelets") as u8)
    }

    /// Returns `true` if it turns the same layers as `other`, by any angle.
    pub fn has_layers_of(&self, other: &LayerRotation) -> bool {
        self.axis == other.axis && self.layers == other.layers
    }

    /// Returns `true` if it turns about the axis of `other`, from either side.
    pub fn has_axis_of(&self, other: &LayerRotation) -> bool {
        cross(self.axis, other.axis) == [0; 3]
    }

    /// Returns `true` if its axis points to the right, up or to the viewer.
    pub fn is_on_first_side(&self) -> bool {
        self.axis.contains(&1)
    }

    /// Returns the cost: a turn of a face costs 1, but with `by_quarters` a half turn costs 2. A
    /// turn of two layers costs as much as the turn of the opposite face, a turn of a slice as much
    /// as two face turns, and a rotation of the cube nothing.
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

/// Reads turns that are separated by spaces.
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
    std::array::from_fn(|index| FACES[index / 9].0)
}

/// Returns the colors after a permutation of the facelets.
pub fn apply(colors: &Colors, permutation: &FaceletPermutation) -> Colors {
    let mut after = [0; FACELETS];
    for (color, &target) in colors.iter().zip(permutation) {
        after[usize::from(target)] = *color;
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

/// Returns the colors, each replaced by the name of the face whose center has it. `None` if two
/// centers have the same color, or a facelet has a color that no center has.
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

/// Returns the 48 symmetries: each carries the axes to axes, any of them reversed.
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
            let image_of_point = |v: Point| -> Point {
                std::array::from_fn(|i| {
                    v[AXES[number / 8][i]] * if number >> i & 1 == 0 { 1 } else { -1 }
                })
            };
            let image = |&Location { cubie, normal }: &Location| {
                index_at(image_of_point(cubie), image_of_point(normal))
            };
            locations().each_ref().map(|location| {
                image(location).expect("a symmetry moves facelets to facelets") as u8
            })
        })
    })
}

/// Returns the class of a position under symmetry and inversion: two positions have the same class
/// if and only if one is a rotation or mirror image of the other or of its inverse. Such positions
/// have the same distance. The class is represented by one of the positions. `None` if the position
/// is unsolvable.
///
/// The colors must be those of [`by_centers`].
pub fn class(colors: &Colors) -> Option<FaceletPermutation> {
    let mut position = [0; FACELETS];
    for (to, Location { cubie, .. }) in locations().iter().enumerate() {
        // The facelet at `to` belongs on the face of its color, and its cubie belongs where the
        // faces of the colors of the cubie meet.
        let facelets = locations()
            .iter()
            .zip(colors)
            .filter(|(location, _)| location.cubie == *cubie);
        let solved_cubie = facelets
            .filter_map(|(_, &color)| normal_of(color))
            .reduce(|a, b| std::array::from_fn(|i| a[i] + b[i]))?;
        let from = index_at(solved_cubie, normal_of(colors[to])?)?;
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
/// the position: each index is filled once, no corner is mirrored, corners and edges are permuted
/// with the same parity, the twists of the corners sum to whole turns, and an even number of edges
/// is flipped.
fn is_reachable(position: &FaceletPermutation) -> bool {
    let mut is_filled = [false; FACELETS];
    position
        .iter()
        .for_each(|&to| is_filled[usize::from(to)] = true);
    if !is_filled.iter().all(|&filled| filled) {
        return false;
    }
    if !locations()
        .iter()
        .all(|location| is_not_mirrored(position, location.cubie))
    {
        return false;
    }
    // The reference facelet of each cubie is the one on U or D, or if it has none, on F or B.
    let is_reference = |location: &Location| {
        location.normal[1] != 0 || location.cubie[1] == 0 && location.normal[2] != 0
    };
    let mut twists = 0;
    let mut flips = 0;
    let mut orders = [Vec::new(), Vec::new()];
    for (from, solved_location) in locations()
        .iter()
        .enumerate()
        .filter(|(_, location)| is_reference(location))
    {
        let to = locations()[usize::from(position[from])];
        let slot = |cubie: Point| {
            locations()
                .iter()
                .position(|location| location.cubie == cubie && is_reference(location))
        };
        match solved_location
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

/// Returns `true` if a corner is not mirrored: a rotation carries its facelets from the solved cube
/// to the position. Always `true` for other cubies.
fn is_not_mirrored(position: &FaceletPermutation, cubie: Point) -> bool {
    let facelets: Vec<usize> = (0..FACELETS)
        .filter(|&from| locations()[from].cubie == cubie)
        .collect();
    let normals = |target: &dyn Fn(usize) -> usize| -> Vec<Point> {
        facelets
            .iter()
            .map(|&from| locations()[target(from)].normal)
            .collect()
    };
    let before = normals(&|from| from);
    let after = normals(&|from| usize::from(position[from]));
    facelets.len() != 3 || determinant(&before) == determinant(&after)
}

/// Returns the twist of a corner, from 0 to 2, given the location of its reference facelet.
fn twist(reference: Location) -> u32 {
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

/// Returns the determinant of three vectors. Its sign states whether they follow each other
/// clockwise or counterclockwise.
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
    fn the_superflip_has_the_known_facelets() {
        let superflip = colors("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2");
        assert_eq!(
            &superflip,
            b"UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"
        );
    }

    #[test]
    fn turns_have_the_orders_of_a_real_cube() {
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
            let mut repetitions = 1;
            while cube != solved() {
                cube = after(&cube, &turns);
                repetitions += 1;
            }
            assert_eq!(repetitions, order, "{text}");
        }
    }

    #[test]
    fn wide_turns_and_slices_are_face_turns_and_rotations() {
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
    fn unsolvable_positions_have_no_class() {
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
        // Turns preserve solvability.
        let mut cube = solved();
        for turn in
            read_turns("R U F2 D' L B R2 U' L2 F' D R' B2 U L' F D2 R B' M E S x Rw u").unwrap()
        {
            cube = after(&cube, &[turn]);
            assert!(class(&by_centers(&cube).unwrap()).is_some());
        }
    }
}

//! The obvious model: 54 coloured squares at points of space, each facing some way, centres included.

/// x to the right, y up, z to the front.
pub type Point = [i32; 3];

#[derive(Clone, Copy)]
pub struct Square {
    at: Point,
    facing: Point,
    colour: char,
}

#[derive(Clone)]
pub struct Squares(pub Vec<Square>);

const FACES: [(char, Point); 6] =
    [('U', [0, 1, 0]), ('R', [1, 0, 0]), ('F', [0, 0, 1]), ('D', [0, -1, 0]), ('L', [-1, 0, 0]), ('B', [0, 0, -1])];

/// For the faces in this order, the ways to the right and down as one looks at the face.
const SHEETS: [(Point, Point); 6] = [
    ([1, 0, 0], [0, 0, 1]),
    ([0, 0, -1], [0, -1, 0]),
    ([1, 0, 0], [0, -1, 0]),
    ([1, 0, 0], [0, 0, -1]),
    ([0, 0, 1], [0, -1, 0]),
    ([-1, 0, 0], [0, -1, 0]),
];

fn add(a: Point, b: Point, times: i32) -> Point {
    std::array::from_fn(|i| a[i] + times * b[i])
}

fn dot(a: Point, b: Point) -> i32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// A quarter turn, clockwise as seen from the tip of `axis`: v becomes axis (axis · v) − axis × v.
fn quarter(axis: Point, v: Point) -> Point {
    let cross = |i: usize| axis[(i + 1) % 3] * v[(i + 2) % 3] - axis[(i + 2) % 3] * v[(i + 1) % 3];
    std::array::from_fn(|i| axis[i] * dot(axis, v) - cross(i))
}

impl Squares {
    pub fn solved() -> Squares {
        let square = |(face, i): (usize, i32)| {
            let ((colour, facing), (right, down)) = (FACES[face], SHEETS[face]);
            Square { at: add(add(facing, right, i % 3 - 1), down, i / 3 - 1), facing, colour }
        };
        Squares((0..6).flat_map(|face| (0..9).map(move |i| (face, i))).map(square).collect())
    }

    /// Turns the layers at these heights above the centre, towards `face`, by a clockwise quarter.
    fn turn(&mut self, face: char, heights: &[i32]) {
        let axis = FACES.iter().find(|f| f.0 == face).unwrap().1;
        for square in &mut self.0 {
            if heights.contains(&dot(axis, square.at)) {
                square.at = quarter(axis, square.at);
                square.facing = quarter(axis, square.facing);
            }
        }
    }

    /// Does one of [`NAMES`].
    pub fn quarter_turn(&mut self, name: &str) {
        match name {
            "M" => self.turn('L', &[0]),
            "E" => self.turn('D', &[0]),
            "S" => self.turn('F', &[0]),
            "x" => self.turn('R', &[-1, 0, 1]),
            "y" => self.turn('U', &[-1, 0, 1]),
            "z" => self.turn('F', &[-1, 0, 1]),
            _ => {
                let face = name.chars().find(|c| c.is_alphabetic()).unwrap();
                let heights: &[i32] = match (name.starts_with('3'), name.ends_with('w') || face.is_lowercase()) {
                    (true, _) => &[-1, 0, 1],
                    (_, true) => &[0, 1],
                    _ => &[1],
                };
                self.turn(face.to_ascii_uppercase(), heights);
            }
        }
    }

    /// The colours face by face, in the order of facelet strings.
    pub fn facelets(&self) -> String {
        let facelet = |(face, i): (usize, i32)| {
            let (facing, (right, down)) = (FACES[face].1, SHEETS[face]);
            let at = add(add(facing, right, i % 3 - 1), down, i / 3 - 1);
            self.0.iter().find(|square| square.at == at && square.facing == facing).unwrap().colour
        };
        (0..6).flat_map(|face| (0..9).map(move |i| (face, i))).map(facelet).collect()
    }
}

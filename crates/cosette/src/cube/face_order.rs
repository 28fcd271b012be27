//! The order of the faces in a facelet string, and the orientation of each.
//!
//! Programs agree on 54 facelets, and on little else. The faces cannot be identified in a string of
//! colors, but rarely more than one order makes a cube of it: [`FaceOrder::of_cube`] tries all 720,
//! and then those with turned faces. A rotation of the whole cube turns U or moves it, so with U
//! first and not turned each cube is found once: 120 orders, and 4⁵ turns of the other faces. They
//! are assigned one after the other, and abandoned once a corner or an edge of assigned faces does
//! not exist.

use super::cubie::{Corner, Edge};
use super::moves::Face;
use super::position::Cube;
use super::slots::{FACELETS, ON_FACE, Slot};
use std::fmt;
use std::str::FromStr;

/// The order in which the faces of 54 facelets are given, such as `ULFRBD`. A face that is given
/// turned has a mark: `L'` if it is turned counterclockwise, `L` alone if it is as in the net.
///
/// ```
/// use cosette::cube::{FaceOrder, ParseOptions, parse_position};
/// let options = ParseOptions { face_order: "ULFRBD".parse()?, ..ParseOptions::default() };
/// let facelets = "rooyywrgwgwygboygbbrryrgorbgrwowogbogwbbobwbryyowgywry";
/// assert!(parse_position(facelets, None, &options).is_ok());
/// # Ok::<(), cosette::cube::UnknownFaceOrder>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FaceOrder([OrientedFace; 6]);

/// A face, and the number of clockwise quarters by which it is given turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct OrientedFace {
    face: Face,
    quarters: u8,
}

/// The error for a text that is not an order of the six faces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an order of the faces; write each of U R F D L B once, as in ULFRBD")]
pub struct UnknownFaceOrder(String);

impl Default for FaceOrder {
    fn default() -> FaceOrder {
        FaceOrder::URFDLB
    }
}

impl FaceOrder {
    /// The order of Kociemba's programs, which is the default.
    pub const URFDLB: FaceOrder = {
        let mut given = [OrientedFace {
            face: Face::U,
            quarters: 0,
        }; 6];
        let mut index = 0;
        while index < given.len() {
            given[index].face = Face::from_index(index);
            index += 1;
        }
        FaceOrder(given)
    };

    /// Returns the index in a string of this order of each facelet, these in the order U R F D L B.
    pub(super) fn indices(self) -> [usize; FACELETS] {
        let mut indices = [0; FACELETS];
        for (block, given) in self.0.iter().enumerate() {
            for cell in 0..ON_FACE {
                indices[given.face.index() * ON_FACE + cell] =
                    block * ON_FACE + turned(cell, given.quarters);
            }
        }
        indices
    }

    /// Returns the only order in which these symbols, nine of each, are a cube; `None` if there is
    /// none or if there are several. Orders with turned faces are tried last.
    pub(super) fn of_cube(symbols: &[char]) -> Option<FaceOrder> {
        let blocks: Vec<char> = symbols
            .chunks(ON_FACE)
            .map(|face| face[ON_FACE / 2])
            .collect();
        let block = |symbol: &char| blocks.iter().position(|center| center == symbol);
        let colors: Vec<usize> = symbols.iter().map(block).collect::<Option<_>>()?;
        // Symbols that are letters of faces name the faces; then only turns of the faces are
        // sought.
        let named = blocks
            .iter()
            .filter_map(|c| Face::from_letter(c.to_ascii_uppercase()));
        let named: Vec<Face> = named.collect();
        let is_named = Face::ALL.iter().all(|face| named.contains(face));
        let orders = match <[Face; 6]>::try_from(named) {
            Ok(named) if is_named => vec![named],
            _ => orders(&Face::ALL),
        };
        for turns_faces in [false, true] {
            let mut search = FaceOrderSearch {
                colors: &colors,
                found: Vec::new(),
            };
            // A cube whose faces have no names is held with U first, and U is not turned.
            let is_held = turns_faces && !is_named;
            let may_turn = |face| turns_faces && !(is_held && face == Face::U);
            for faces in &orders {
                if !is_held || faces[0] == Face::U {
                    search.assign(faces, &mut Vec::new(), &may_turn);
                }
            }
            match search.found[..] {
                [] => {}
                [only] => return Some(only),
                _ => return None,
            }
        }
        None
    }
}

/// Returns the cell of a face that is given turned by these clockwise quarters.
fn turned(cell: usize, quarters: u8) -> usize {
    (0..quarters).fold(cell, |cell, _| cell % 3 * 3 + 2 - cell / 3)
}

/// Returns all orders of these faces.
fn orders(faces: &[Face; 6]) -> Vec<[Face; 6]> {
    let mut orders = vec![*faces];
    for place in 0..faces.len() {
        orders = orders
            .into_iter()
            .flat_map(|order| {
                (place..faces.len()).map(move |other| {
                    let mut order = order;
                    order.swap(place, other);
                    order
                })
            })
            .collect();
    }
    orders
}

struct FaceOrderSearch<'a> {
    /// The block whose center has the color of each facelet.
    colors: &'a [usize],
    found: Vec<FaceOrder>,
}

impl FaceOrderSearch<'_> {
    /// Finds the turns with which faces in this order make a cube, the turns of the first faces in
    /// the order U R F D L B being given.
    fn assign(
        &mut self,
        faces: &[Face; 6],
        quarters: &mut Vec<u8>,
        may_turn: &dyn Fn(Face) -> bool,
    ) {
        let order = || {
            let given = |&face: &Face| OrientedFace {
                face,
                quarters: quarters.get(face.index()).copied().unwrap_or(0),
            };
            FaceOrder(faces.each_ref().map(given))
        };
        let Some(face) = Face::ALL.get(quarters.len()).copied() else {
            let order = order();
            if self.is_cube(faces, &order) {
                self.found.push(order);
            }
            return;
        };
        for turn in 0..if may_turn(face) { 4 } else { 1 } {
            quarters.push(turn);
            if self.found.len() < 2 && self.may_be_cube(faces, quarters) {
                self.assign(faces, quarters, may_turn);
            }
            quarters.pop();
        }
    }

    /// Returns the face whose color a facelet of the net shows.
    fn shown(&self, faces: &[Face; 6], place: usize, quarters: u8) -> Face {
        let block = faces
            .iter()
            .position(|face| face.index() == place / ON_FACE)
            .expect("each face is in the order");
        faces[self.colors[block * ON_FACE + turned(place % ON_FACE, quarters)]]
    }

    /// Returns `true` if the pieces between the last face and those before it exist.
    fn may_be_cube(&self, faces: &[Face; 6], quarters: &[u8]) -> bool {
        let last = quarters.len() - 1;
        let is_known = |places: &[usize]| {
            let of_faces = || places.iter().map(|place| place / ON_FACE);
            of_faces().all(|face| face <= last) && of_faces().any(|face| face == last)
        };
        let shown = |place: usize| self.shown(faces, place, quarters[place / ON_FACE]);
        let edges = Edge::ALL
            .into_iter()
            .map(Edge::places)
            .filter(|places| is_known(places));
        let corners = Corner::ALL
            .into_iter()
            .map(Corner::places)
            .filter(|places| is_known(places));
        edges
            .map(|places| places.map(shown))
            .all(|[a, b]| a != b && a != b.opposite())
            && corners.map(|places| places.map(shown)).all(is_corner)
    }

    /// Returns `true` if the cube in this order is solvable.
    fn is_cube(&self, faces: &[Face; 6], order: &FaceOrder) -> bool {
        let shown = |place: usize| {
            let given = order
                .0
                .iter()
                .find(|given| given.face.index() == place / ON_FACE);
            Some(self.shown(
                faces,
                place,
                given.expect("each face is in the order").quarters,
            ))
        };
        let cubie =
            |slot: Slot| slot.find_cubie(&slot.facelet_indices().map(shown).collect::<Vec<_>>());
        let corners: Option<Vec<(u8, u8)>> = Slot::corners().map(cubie).collect();
        let edges: Option<Vec<(u8, u8)>> = Slot::edges().map(cubie).collect();
        let (Some(corners), Some(edges)) = (corners, edges) else {
            return false;
        };
        let corners = corners.try_into().expect("there are eight corners");
        let edges = edges.try_into().expect("there are twelve edges");
        Cube::from_cubies(&corners, &edges).is_ok()
    }
}

/// Returns `true` if a corner shows these colors, clockwise.
fn is_corner(colors: [Face; 3]) -> bool {
    let is_it = |corner: Corner| {
        let faces = corner.faces();
        (0..3).any(|first| (0..3).all(|i| faces[(first + i) % 3] == colors[i]))
    };
    Corner::ALL.into_iter().any(is_it)
}

/// Writes the order as it is read, without spaces.
impl fmt::Display for FaceOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|given| {
            let mark = ["", "+", "2", "'"][usize::from(given.quarters)];
            write!(f, "{}{mark}", given.face)
        })
    }
}

/// Reads six letters, each with the mark of its turn: `+`, `2` or `'`. Spaces and commas between
/// them are allowed.
impl FromStr for FaceOrder {
    type Err = UnknownFaceOrder;

    fn from_str(text: &str) -> Result<FaceOrder, UnknownFaceOrder> {
        let unknown = || UnknownFaceOrder(super::text::quoted(text));
        let mut given: Vec<OrientedFace> = Vec::new();
        for c in text.chars().filter(|c| !c.is_whitespace() && *c != ',') {
            match (c, Face::from_letter(c.to_ascii_uppercase())) {
                (_, Some(face)) if given.iter().all(|other| other.face != face) => {
                    given.push(OrientedFace { face, quarters: 0 })
                }
                ('+' | '2' | '\'', _) => {
                    let last = given
                        .last_mut()
                        .filter(|last| last.quarters == 0)
                        .ok_or_else(unknown)?;
                    last.quarters = if c == '+' { 1 } else { 3 - u8::from(c == '2') };
                }
                _ => return Err(unknown()),
            }
        }
        given.try_into().map(FaceOrder).map_err(|_| unknown())
    }
}

/// Serializes the text.
#[cfg(feature = "serde")]
impl serde::Serialize for FaceOrder {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_string())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for FaceOrder {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<FaceOrder, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{ParseOptions, parse_position, random_positions};

    /// The facelets of a position in an order.
    fn written(cube: &Cube, order: FaceOrder) -> String {
        let facelets: Vec<char> = cube.facelets().chars().collect();
        let mut written = ['?'; FACELETS];
        for (facelet, index) in facelets.into_iter().zip(order.indices()) {
            written[index] = facelet;
        }
        written.into_iter().collect()
    }

    #[test]
    fn orders_are_read_as_they_are_written() {
        for text in ["URFDLB", "ULFRBD", "UL'FR+B2D", "F2BUDRL"] {
            assert_eq!(text.parse::<FaceOrder>().unwrap().to_string(), text);
        }
        assert_eq!("U L F,R b d".parse(), "ULFRBD".parse::<FaceOrder>());
        for text in [
            "", "ULFRB", "ULFRBB", "ULFRBDU", "'ULFRBD", "U2'LFRBD", "URFDLX",
        ] {
            assert!(text.parse::<FaceOrder>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_face_is_turned_as_its_mark_says() {
        // After L', the face L of the solved pattern is itself turned counterclockwise: cell 0 goes
        // to cell 6.
        let order: FaceOrder = "URFDL'B".parse().unwrap();
        assert_eq!(order.indices()[4 * ON_FACE], 4 * ON_FACE + 6);
    }

    #[test]
    fn the_order_of_a_random_cube_is_found() {
        let orders = ["URFDLB", "ULFRBD", "FRBLUD", "UF'R2BD+L"];
        for (cube, text) in random_positions(5).zip(orders.iter().cycle()).take(40) {
            let order: FaceOrder = text.parse().unwrap();
            let letters = written(&cube, order);
            let options = ParseOptions {
                face_order: order,
                ..ParseOptions::default()
            };
            assert_eq!(parse_position(&letters, None, &options).unwrap().cube, cube);
            assert_eq!(
                FaceOrder::of_cube(&letters.chars().collect::<Vec<_>>()),
                Some(order),
                "{text}: {letters}"
            );
            let colors: Vec<char> = letters
                .chars()
                .map(|c| "wrgyob".as_bytes()["URFDLB".find(c).unwrap()].into())
                .collect();
            let found = FaceOrder::of_cube(&colors).expect(text);
            match text.contains(['+', '2', '\'']) {
                // The same cube, held with the first face up.
                true => assert_eq!(found.to_string().chars().next(), Some('U')),
                false => assert_eq!(found, order),
            }
        }
    }

    #[test]
    fn an_order_is_not_guessed() {
        let solved: Vec<char> = Cube::SOLVED
            .facelets()
            .chars()
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let colors: Vec<char> = solved
            .iter()
            .map(|c| if *c == 'u' { 'w' } else { *c })
            .collect();
        assert_eq!(FaceOrder::of_cube(&colors), None);
    }
}

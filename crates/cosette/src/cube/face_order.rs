//! The order of the faces in a facelet string, and the orientation of each.
//!
//! Programs write the faces in different orders. The faces cannot be identified in a string of
//! colors, but rarely more than one order of the faces makes a cube: [`FaceOrder::of_cube`] tries
//! all 720 orders, and then orders with turned faces. Each rotation of the whole cube turns U or
//! moves it. So with U first and not turned, each cube is found once, among 120 orders and 4⁵ turns
//! of the other faces. Turns are assigned face by face. They are abandoned once assigned faces show
//! a corner or an edge that does not exist.

use super::moves::Face;
use super::pieces::{CENTER, Corner, Edge, FACELETS, FACELETS_PER_FACE, Slot};
use super::position::Cube;
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

impl OrientedFace {
    const fn new(face: Face) -> OrientedFace {
        OrientedFace { face, quarters: 0 }
    }
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
        let mut order = FaceOrder([OrientedFace::new(Face::U); 6]);
        let mut index = 0;
        while index < Face::ALL.len() {
            order.0[index] = OrientedFace::new(Face::ALL[index]);
            index += 1;
        }
        order
    };

    /// Returns the index in this order of the face with this number.
    fn block(&self, face: usize) -> usize {
        let has_number = |given: &OrientedFace| given.face.index() == face;
        self.0
            .iter()
            .position(has_number)
            .expect("each face is in the order")
    }

    /// Returns, for each facelet in the order U R F D L B, its index in a string of this face
    /// order.
    pub(super) fn indices(self) -> [usize; FACELETS] {
        let mut indices = [0; FACELETS];
        for (block, given) in self.0.iter().enumerate() {
            for cell in 0..FACELETS_PER_FACE {
                indices[given.face.index() * FACELETS_PER_FACE + cell] =
                    block * FACELETS_PER_FACE + turned(cell, given.quarters);
            }
        }
        indices
    }

    /// Returns the only order in which these symbols, nine of each, are a cube; `None` if there is
    /// none or if there are several. Orders with turned faces are tried last.
    pub(super) fn of_cube(symbols: &[char]) -> Option<FaceOrder> {
        let centers: Vec<char> = symbols
            .chunks(FACELETS_PER_FACE)
            .map(|face| face[CENTER])
            .collect();
        let block = |symbol: &char| centers.iter().position(|center| center == symbol);
        let colors: Vec<usize> = symbols.iter().map(block).collect::<Option<_>>()?;
        // Centers that are letters of faces name the order; then only the turns are unknown.
        let letters = centers.iter().filter_map(|&c| Face::from_any_letter(c));
        let named: Vec<Face> = letters.collect();
        let is_named = Face::ALL.iter().all(|face| named.contains(face));
        let orders = if is_named { vec![named] } else { orders() };
        for turns_faces in [false, true] {
            // Without names of faces, any face of the cube may be called U: it is the first, and
            // not turned.
            let fixes_u = turns_faces && !is_named;
            let mut search = FaceOrderSearch {
                colors: &colors,
                turned_from: if turns_faces {
                    usize::from(fixes_u)
                } else {
                    Face::ALL.len()
                },
                found: Vec::new(),
            };
            for faces in &orders {
                if !fixes_u || faces[0] == Face::U {
                    let given = std::array::from_fn(|block| OrientedFace::new(faces[block]));
                    search.assign(&mut FaceOrder(given), 0);
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

/// Returns the cell to which clockwise quarter turns of a face carry this cell.
fn turned(cell: usize, quarters: u8) -> usize {
    (0..quarters).fold(cell, |cell, _| cell % 3 * 3 + 2 - cell / 3)
}

/// Returns all orders of the six faces.
fn orders() -> Vec<Vec<Face>> {
    (0..Face::ALL.len()).fold(vec![Vec::new()], |orders, _| {
        let longer = orders.into_iter().flat_map(|order: Vec<Face>| {
            let next = Face::ALL.into_iter().filter(|face| !order.contains(face));
            next.map(|face| [&order[..], &[face]].concat())
                .collect::<Vec<_>>()
        });
        longer.collect()
    })
}

/// A search for the turns of the faces with which face orders make a cube.
struct FaceOrderSearch<'a> {
    /// For each facelet, the block whose center has its color.
    colors: &'a [usize],
    /// The number of the first face that may be turned; 6 if none may.
    turned_from: usize,
    /// The orders that make a cube. The search ends once there are two.
    found: Vec<FaceOrder>,
}

impl FaceOrderSearch<'_> {
    /// Finds the turns with which faces in this order make a cube. The faces numbered below `next`
    /// have their turns already.
    fn assign(&mut self, order: &mut FaceOrder, next: usize) {
        if next == Face::ALL.len() {
            if self.is_cube(order) {
                self.found.push(*order);
            }
            return;
        }
        let block = order.block(next);
        for quarters in 0..if next < self.turned_from { 1 } else { 4 } {
            order.0[block].quarters = quarters;
            if self.found.len() < 2 && self.may_be_cube(order, next) {
                self.assign(order, next + 1);
            }
        }
        order.0[block].quarters = 0;
    }

    /// Returns the faces whose colors a slot shows in this order.
    fn shown(&self, order: &FaceOrder, slot: Slot) -> Vec<Option<Face>> {
        let shown = |&place: &usize| {
            let block = order.block(place / FACELETS_PER_FACE);
            let cell = turned(place % FACELETS_PER_FACE, order.0[block].quarters);
            Some(order.0[self.colors[block * FACELETS_PER_FACE + cell]].face)
        };
        slot.places().iter().map(shown).collect()
    }

    /// Returns `true` if all pieces exist between the face numbered `last` and faces with smaller
    /// numbers.
    fn may_be_cube(&self, order: &FaceOrder, last: usize) -> bool {
        let is_known =
            |slot: &Slot| slot.faces().iter().map(|face| face.index()).max() == Some(last);
        Slot::all()
            .filter(is_known)
            .all(|slot| slot.find_cubie(&self.shown(order, slot)).is_some())
    }

    /// Returns `true` if the cube in this order, whose pieces all exist, is solvable.
    fn is_cube(&self, order: &FaceOrder) -> bool {
        let cubie = |slot: Slot| {
            let cubie = slot.find_cubie(&self.shown(order, slot));
            cubie.expect("each piece exists")
        };
        let corners = Corner::ALL.map(|corner| cubie(Slot::Corner(corner)));
        let edges = Edge::ALL.map(|edge| cubie(Slot::Edge(edge)));
        Cube::from_cubies(&corners, &edges).is_ok()
    }
}

/// Writes the order in the form in which it is read, without spaces.
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
            match (c, Face::from_any_letter(c)) {
                (_, Some(face)) if given.iter().all(|other| other.face != face) => {
                    given.push(OrientedFace::new(face))
                }
                ('+' | '2' | '\'', _) => {
                    let last = given
                        .last_mut()
                        .filter(|last| last.quarters == 0)
                        .ok_or_else(unknown)?;
                    last.quarters = match c {
                        '+' => 1,
                        '2' => 2,
                        _ => 3,
                    };
                }
                _ => return Err(unknown()),
            }
        }
        given.try_into().map(FaceOrder).map_err(|_| unknown())
    }
}

/// Serializes the order as text.
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
        // After L', the face L of the solved pattern is itself turned counterclockwise: cell 0 goes
        // to cell 6.
        let order: FaceOrder = "URFDL'B".parse().unwrap();
        assert_eq!(
            order.indices()[4 * FACELETS_PER_FACE],
            4 * FACELETS_PER_FACE + 6
        );
    }

    #[test]
    fn the_order_of_a_random_cube_is_found() {
        let orders = ["URFDLB", "ULFRBD", "FRBLUD", "UF'R2BD+L"];
        for (cube, text) in random_positions(5).zip(orders.iter().cycle()).take(40) {
            let order: FaceOrder = text.parse().unwrap();
            let mut letters = ['?'; FACELETS];
            for (facelet, index) in cube.facelets().chars().zip(order.indices()) {
                letters[index] = facelet;
            }
            let options = ParseOptions {
                face_order: order,
                ..ParseOptions::default()
            };
            let read = parse_position(&String::from_iter(letters), None, &options);
            assert_eq!(read.unwrap().cube, cube);
            assert_eq!(FaceOrder::of_cube(&letters), Some(order), "{text}");
            let color = |letter| ['w', 'r', 'g', 'y', 'o', 'b']["URFDLB".find(letter).unwrap()];
            let found = FaceOrder::of_cube(&letters.map(color)).expect(text);
            // A cube with a turned face is held with the first face up.
            let is_turned = text.contains(['+', '2', '\'']);
            assert!(found == order || is_turned && found.to_string().starts_with('U'));
        }
        // If several orders are possible, none is guessed.
        let colors = Cube::SOLVED.facelets().to_lowercase().replace('u', "w");
        let colors: Vec<char> = colors.chars().collect();
        assert_eq!(FaceOrder::of_cube(&colors), None);
    }
}

//! The cube: positions, moves, symmetries, and how people write them.
//!
//! A [`Cube`] is an arrangement of the twenty cubies, one of the 4.3·10¹⁹ that moves reach. Centers
//! never move: a rotation of the whole cube is not a move but a change of view. Products are read
//! left to right everywhere: `p * m` is p, then m.

mod array;
mod ergonomics;
mod error;
mod face_order;
mod facelets;
mod input;
mod move_parser;
mod moves;
mod net_layout;
mod normalize;
mod pieces;
mod position;
mod sequence;
mod speffz;
mod symmetry;
mod symmetry_class;
mod text;

pub use array::{ArrayError, FaceletLayout, Facelets, UnknownFaceletLayout};
pub use ergonomics::execution_cost;
pub use error::ParseError;
pub use face_order::{FaceOrder, UnknownFaceOrder};
pub use facelets::{ImpossiblePiece, PartialFacelets, parse_reid};
pub use input::{Format, Input, UnknownFormat, parse_position};
#[doc(hidden)]
pub use move_parser::is_empty;
pub use move_parser::{ParseOptions, parse_moves, parse_turns};
pub use moves::{
    Axis, Face, Metric, Move, MoveNumberError, MoveSet, Turn, UnknownMetric, canonical,
    for_each_sequence, inverse, is_canonical, sequence_counts,
};
pub(crate) use net_layout::SEPARATORS;
pub use net_layout::parse_facelets;
pub(crate) use pieces::Slot;
pub use pieces::{Corner, Edge};
#[doc(hidden)]
pub use position::random_walk;
pub(crate) use position::{CUBIE, FLIP, TWIST};
pub use position::{Cube, CubeError, random_positions, random_walks};
pub use sequence::{DisplayMoves, LayerTurn, NissSequence, Sequence};
pub use speffz::parse_speffz;
pub use symmetry::Symmetry;
pub use symmetry_class::{SymmetryClass, UnknownSymmetryClass};
pub(crate) use text::listed;
#[doc(hidden)]
pub use text::{ends_line, is_displayable, quoted, shortened};

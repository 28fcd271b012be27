//! The cube: positions, moves, symmetries, and how people write them.
//!
//! A [`Cube`] is an arrangement of the twenty cubies, one of 4.3·10¹⁹. Centres never move: a rotation of the whole cube
//! is not a move but a change of view. Products are read left to right everywhere: `p * m` is p, then m.

mod assemble;
mod canonical;
mod cubie;
mod error;
mod facelets;
mod fault;
mod input;
mod moves;
mod net;
mod notation;
mod painting;
mod pieces;
mod position;
mod quoted;
mod random;
mod speffz;
mod symmetry;
mod text;

pub use canonical::{MoveSet, canonical, for_each_sequence, inverse, is_canonical, sequence_counts};
pub use cubie::{Corner, Edge};
pub use error::ReadError;
pub use facelets::parse_facelets;
pub use fault::Fault;
pub use fault::address::AddressFault;
pub use fault::facelets::FaceletFault;
pub use fault::moves::MoveFault;
pub use fault::pieces::PieceFault;
pub use fault::reid::ReidFault;
pub use fault::speffz::SpeffzFault;
pub use input::{Format, Input, UnknownFormat, read_position};
pub use moves::{Axis, Face, Metric, Move, Turn, UnknownMetric};
pub use notation::{Moves, Niss, ReadOptions, Sequence, parse_moves};
pub use painting::{Mark, Painting};
pub use pieces::parse_reid;
pub(crate) use position::{CUBIE, FLIP, TWIST};
pub use position::{Cube, CubeError};
pub(crate) use quoted::quoted;
#[doc(hidden)]
pub use quoted::{is_displayable, shortened};
pub use random::{random_positions, random_walks};
pub use speffz::parse_speffz;
pub use symmetry::Symmetry;

//! What can be wrong with a piece that a text shows.

use crate::cube::cubie::{Corner, Edge};

/// A slot shows colours that no cubie can show there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum PieceFault {
    /// No corner has these three colours.
    #[error(
        "slot {slot} shows the colours `{shown}`, which no corner has; check this slot: a corner has three different \
         colours, and no two of them are of opposite faces"
    )]
    NoSuchCorner { slot: Corner, shown: String },
    /// A corner has these colours, but in the other sense of rotation.
    #[error(
        "slot {slot} shows the mirror image `{shown}` of a corner; swap two of its colours, or, if all corners are mirrored, \
         check that the faces are in the order of the format and that none is mirrored"
    )]
    MirroredCorner { slot: Corner, shown: String },
    /// No edge has these two colours.
    #[error(
        "slot {slot} shows the colours `{shown}`, which no edge has; check this slot: an edge has two different colours, \
         and they are not of opposite faces"
    )]
    NoSuchEdge { slot: Edge, shown: String },
}

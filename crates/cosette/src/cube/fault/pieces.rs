//! What can be wrong with a piece that a text shows.

use crate::cube::cubie::{Corner, Edge};

/// A slot shows what no cubie can show there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PieceFault {
    /// No corner has these three colours.
    #[error(
        "no corner has the colours `{shown}`, which slot {slot} shows; look at this slot again: colours of a corner are all \
         different, and none lies opposite another"
    )]
    NoSuchCorner {
        /// The slot.
        slot: Corner,
        /// What the text shows there.
        shown: String,
    },
    /// A corner has these colours, but in the other sense of rotation.
    #[error(
        "slot {slot} shows the corner `{shown}` in mirror image; exchange two of its colours, or where all corners are so, \
         see that the faces come in the order of the format and none of them mirrored"
    )]
    MirroredCorner {
        /// The slot.
        slot: Corner,
        /// What the text shows there.
        shown: String,
    },
    /// No edge has these two colours.
    #[error(
        "no edge has the colours `{shown}`, which slot {slot} shows; look at this slot again: colours of an edge are \
         different and not of opposite faces"
    )]
    NoSuchEdge {
        /// The slot.
        slot: Edge,
        /// What the text shows there.
        shown: String,
    },
}

//! What can be wrong with a list of Reid's pieces.

use super::are;

/// Why a text is not a list of Reid's twenty pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum ReidFault {
    /// There are not twenty words.
    #[error("there {}; give twenty, twelve edges and then eight corners", are(*.0, "piece"))]
    Count(usize),
    /// A word with letters other than those of faces.
    #[error("`{0}` is not a piece; use the letters U R F D L B, as in UF or UFR")]
    UnknownPiece(String),
    /// An edge where a corner belongs, or a corner where an edge belongs.
    #[error("`{word}` is in slot {slot}; give the twelve edges first and then the eight corners")]
    WrongKind { word: String, slot: &'static str },
}

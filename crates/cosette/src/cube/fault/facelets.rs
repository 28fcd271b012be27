//! What can be wrong with a string of facelets.

use super::are;
use crate::cube::moves::Face;
use crate::cube::net::FACELETS;

/// Why a text is not a string of facelets of a cube.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum FaceletFault {
    /// There are not 54 facelets.
    #[error("there {}; give {FACELETS}, nine for each of the faces U R F D L B", are(*.0, "facelet"))]
    Count(usize),
    /// Two centres show one colour.
    #[error(
        "the centres of {first} and {second} are both `{symbol}`; a cube has six colours and each is on one centre, the fifth \
         facelet of a face"
    )]
    CentresAlike { first: Face, second: Face, symbol: char },
    /// A colour that no centre shows.
    #[error("`{symbol}` on facelet {facelet} is a seventh colour, which no centre has; use the colours of the centres")]
    SeventhColour { symbol: char, facelet: String },
    /// A colour that does not appear nine times.
    #[error(
        "there are {many_times} facelets `{many}` and {few_times} facelets `{few}`; each colour must appear nine times"
    )]
    NotNine { many: char, many_times: usize, few: char, few_times: usize },
}

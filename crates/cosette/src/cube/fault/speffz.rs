//! What can be wrong with a list of Speffz cycles.

/// A text is no list of Speffz cycles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpeffzFault {
    /// Something other than a heading or a cycle.
    #[error("`{0}` is neither a heading nor a cycle; write corners: (A B C) edges: (A Q)")]
    UnknownWord(String),
    /// The same heading again.
    #[error("the heading {0} is there twice; put all its cycles behind one")]
    HeadingTwice(&'static str),
    /// A cycle before the first heading.
    #[error("this cycle stands before the first heading; write corners: or edges: in front of it")]
    NoHeading,
    /// A cycle that does not end.
    #[error("this `(` has no partner; close the cycle with `)`")]
    Unclosed,
    /// Something in a cycle that is no letter from A to X.
    #[error("`{0}` is no Speffz letter; they are the capitals A to X")]
    UnknownLetter(char),
    /// A letter is used again.
    #[error("the letter {0} is there twice; a facelet goes to one place only")]
    LetterTwice(char),
    /// Two facelets of one cubie go to different slots, or to one slot with different twists.
    #[error("the piece {cubie} is sent to {letter} and elsewhere as well; its facelets must stay together")]
    TornApart {
        /// The piece, by its faces.
        cubie: String,
        /// Where the facelet in question goes.
        letter: char,
    },
}

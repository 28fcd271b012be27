//! What can be wrong with a list of Speffz cycles.

/// Why a text is not a list of Speffz cycles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum SpeffzFault {
    /// Something other than a heading or a cycle.
    #[error("`{0}` is neither a heading nor a cycle; write corners: (A B C) edges: (A Q)")]
    UnknownWord(String),
    /// The same heading again.
    #[error("the heading {0} appears twice; write all its cycles after one heading")]
    HeadingTwice(&'static str),
    /// A cycle before the first heading.
    #[error("this cycle comes before the first heading; write corners: or edges: in front of it")]
    NoHeading,
    /// A cycle that does not end.
    #[error("this `(` is never closed; close the cycle with `)`")]
    Unclosed,
    /// Something in a cycle that is not a letter from A to X.
    #[error("`{0}` is not a Speffz letter; letters are the capitals A to X")]
    UnknownLetter(char),
    /// A letter is used again.
    #[error("the letter {0} appears twice; a facelet goes to one place only")]
    LetterTwice(char),
    /// Two facelets of one cubie go to different slots, or to one slot with different twists.
    #[error("the piece {cubie} is sent to {letter} and to another place as well; its facelets must stay together")]
    TornApart { cubie: String, letter: char },
}

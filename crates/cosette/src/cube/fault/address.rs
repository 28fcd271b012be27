//! What can be wrong with the address of a page that shows moves.

/// Why an address does not show a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressFault {
    /// The address of some other site.
    #[error(
        "addresses of `{0}` are not read; give one of alg.cubing.net or alpha.twizzle.net, or the moves themselves"
    )]
    OtherSite(String),
    /// There is neither a setup nor an algorithm.
    #[error(
        "the address holds no moves; they are read from its parameters setup and alg, as in alg.cubing.net/?alg=R_U2"
    )]
    NoMoves,
    /// The moves are those of another puzzle.
    #[error("the address is about the puzzle `{0}`; give one about the 3x3x3")]
    OtherPuzzle(String),
    /// Two values of one parameter.
    #[error("the address has a second parameter `{0}`; leave one of the two out")]
    Twice(String),
    /// Encoded bytes that are not UTF-8.
    #[error("these percent signs do not spell a text; copy the address again")]
    NotText,
    /// More text than an address and a comment.
    #[error("this follows an address; give the address alone, with + or %20 for a blank")]
    Followed,
}

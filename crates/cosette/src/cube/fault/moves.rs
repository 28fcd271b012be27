//! What can be wrong with a move text.

/// The most turns a text may have when everything is written out.
pub(in crate::cube) const LONGEST: usize = 1_000_000;

/// How many brackets may be open at once.
pub(in crate::cube) const DEEPEST: usize = 100;

/// The largest number that may stand behind a move or a bracket.
pub(in crate::cube) const LARGEST_NUMBER: i32 = 1_000_000;

/// A text is no sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveFault {
    /// A letter or sign that means nothing.
    #[error("`{0}` is no move; moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z")]
    UnknownMove(char),
    /// The letter of a slice written small, or that of a rotation written large.
    #[error("`{written}` is no move; write {meant}: slices are M E S, rotations x y z")]
    WrongCase {
        /// The letter as it is written.
        written: char,
        /// The letter that means something.
        meant: char,
    },
    /// A number before a capital without `w`.
    #[error("`{0}` may mean several layers or an inner one; write Rw for two layers, M, E or S for the one between")]
    AmbiguousLayers(String),
    /// A number of layers other than 1, 2 and 3.
    #[error("`{0}` turns layers that are not there; the cube has three, as in Rw, 2Rw or 3Rw")]
    NoSuchLayers(String),
    /// A number that belongs to nothing.
    #[error("the number {0} stands alone; write it directly behind its move or bracket, as in R2")]
    StrayNumber(String),
    /// An inverse mark or a `^` that belongs to nothing.
    #[error("this `{0}` follows no move; write it behind a move or a bracket, as in R' or (R U)^3")]
    StrayMark(char),
    /// A `^` without a number.
    #[error("no number follows this `^`; write it directly behind, as in (R U)^3 or (R U)^-1")]
    NoExponent,
    /// A number that is too large.
    #[error("the number {0} is too large; the largest is {LARGEST_NUMBER}")]
    NumberTooLarge(String),
    /// An opening bracket without its closing one.
    #[error("this `{0}` has no partner; close it with `{1}`")]
    Unclosed(char, char),
    /// A closing bracket without its opening one.
    #[error("this `{0}` has no partner; open it with `{1}` or leave it out")]
    Unopened(char, char),
    /// A comma or colon outside square brackets.
    #[error("this `{0}` stands outside square brackets; write [A, B] for a commutator, [A: B] for a conjugate")]
    StraySeparator(char),
    /// A second comma or colon in one pair of brackets.
    #[error("this `{0}` is the second in its brackets; give the inner pair brackets of its own, as in [A: [B, C]]")]
    SecondSeparator(char),
    /// Brackets within brackets within brackets …
    #[error("the brackets are nested more than {DEEPEST} deep; leave out those that are not needed")]
    TooDeep,
    /// Too many turns, once everything is written out.
    #[error("written out, this is longer than {LONGEST} turns; use smaller exponents")]
    TooLong,
    /// A comment that does not end.
    #[error("this `/*` has no partner; end the comment with `*/`")]
    UnclosedComment,
    /// Anything but one turn of one face, where that was asked for.
    #[error("`{0}` is not one turn of a face; write one of U R F D L B, alone or with 2 or '")]
    NotOneTurn(String),
}

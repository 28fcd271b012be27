//! What can be wrong with a move text.

/// The most turns a text may have when everything is written out.
pub(in crate::cube) const LONGEST: usize = 1_000_000;

/// How many brackets may be open at once.
pub(in crate::cube) const DEEPEST: usize = 100;

/// The largest number that may follow a move or a bracket.
pub(in crate::cube) const LARGEST_NUMBER: i32 = 1_000_000;

/// The name of a turn without its number and its inverse mark.
fn quarter_turn(turn: &str) -> &str {
    let letters = turn.trim_start_matches(|c: char| !c.is_alphabetic());
    let rest = letters.trim_start_matches(|c: char| c.is_alphabetic());
    turn[..turn.len() - rest.len()].trim_end_matches('i')
}

/// Why a text is not a sequence of moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum MoveFault {
    /// A letter or sign that has no meaning.
    #[error("`{0}` is not a valid move; moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z")]
    UnknownMove(char),
    /// A word with a letter that no move has.
    #[error(
        "`{letter}` in `{word}` is not a valid move; put // before what is not moves, or leave it out: moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z"
    )]
    UnknownWord { word: String, letter: char },
    /// A slice written as a lower-case letter, or a rotation as a capital.
    #[error("`{written}` is not a valid move; write {meant}: slices are M E S, rotations x y z")]
    WrongCase { written: char, meant: char },
    /// A number before a capital without `w`.
    #[error(
        "`{0}` may mean several layers, an inner one or a half turn; write Rw for two layers, M, E or S for the one between, R2 for a half turn"
    )]
    AmbiguousLayers(String),
    /// A number of layers other than 1, 2 and 3.
    #[error("`{0}` turns layers that do not exist; the cube has three, as in Rw, 2Rw or 3Rw")]
    NoSuchLayers(String),
    /// A number that belongs to nothing.
    #[error("the number {0} belongs to no move; write it directly after a move or a bracket, as in R2")]
    StrayNumber(String),
    /// An inverse mark or a `^` that belongs to nothing.
    #[error("this `{0}` follows no move; write it after a move or a bracket, as in R' or (R U)^3")]
    StrayMark(char),
    /// A number of turns that is zero.
    #[error("`{0}` turns nothing; write U, U2 or U' for a turn, or leave it out")]
    NoTurn(String),
    /// A number of turns above three: degrees, or a slip.
    #[error(
        "`{0}` is more than three quarter turns; write {name}, {name}2, {name}3 or {name}': the number counts quarter turns, not degrees",
        name = quarter_turn(.0)
    )]
    TooManyTurns(String),
    /// With NISS, brackets that hold moves on the inverse, and a number.
    #[error(
        "`{0}` may be moves on the inverse, or moves that are repeated; write moves on the inverse out, and repeated ones in square brackets, as in [R U]3"
    )]
    InverseRepeated(String),
    /// A dash that is neither clearly an inverse mark nor a separator.
    #[error(
        "this `-` may mean an inverse or stand between two moves; write R' for the inverse, and a blank between moves"
    )]
    Dash,
    /// An inverse mark at the beginning and at the end.
    #[error(
        "the text begins and ends with `{0}`: quotation marks, or the last one an inverse; leave out the first, and the last too if it is a quotation mark"
    )]
    QuotesOrInverse(char),
    /// Dots at the end of the text or of a group.
    #[error("these dots may be a pause or stand for moves that are left out; write all moves, without the dots")]
    MovesLeftOut,
    /// A small letter alone in square brackets.
    #[error(
        "`{0}` may be a rotation, as in older notes, or a wide turn; write x, y or z for a rotation, Rw for a wide turn"
    )]
    RotationOrWide(String),
    /// After a group, `x` and a number that no rotation needs.
    #[error(
        "this `{0}` may be a rotation or say how often the brackets are repeated; write (R U)3 to repeat them, x' for a rotation"
    )]
    RotationOrTimes(String),
    /// A `^` without a number.
    #[error("no number follows this `^`; write it directly after, as in (R U)^3 or (R U)^-1")]
    NoExponent,
    /// A number that is too large.
    #[error("the number {0} is too large; the largest is {LARGEST_NUMBER}")]
    NumberTooLarge(String),
    /// An opening bracket without its closing one.
    #[error("this `{0}` is never closed; close it with `{1}`")]
    Unclosed(char, char),
    /// A closing bracket without its opening one.
    #[error("this `{0}` was never opened; open it with `{1}` or leave it out")]
    Unopened(char, char),
    /// A comma or colon outside square brackets.
    #[error(
        "this `{0}` is outside square brackets; write [A, B] for a commutator, [A: B] for a conjugate, or leave it out"
    )]
    StraySeparator(char),
    /// A second comma or colon in one pair of brackets.
    #[error("this `{0}` is the second in its brackets; put the inner pair in brackets too, as in [A: [B, C]]")]
    SecondSeparator(char),
    /// Brackets within brackets within brackets …
    #[error("the brackets are nested more than {DEEPEST} deep; leave out those that are not needed")]
    TooDeep,
    /// Too many turns, once everything is written out.
    #[error("written out, this is longer than {LONGEST} turns; use smaller exponents")]
    TooLong,
    /// A comment that does not end.
    #[error("this `/*` is never closed; end the comment with `*/`")]
    UnclosedComment,
    /// Something other than a single turn of one face, where a single turn is required.
    #[error("`{0}` is not one turn of a face; write one of U R F D L B, alone or with 2 or '")]
    NotOneTurn(String),
}

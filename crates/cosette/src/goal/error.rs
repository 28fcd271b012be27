//! Errors of parsing a goal.

use super::names::NAMED_GOALS;
use crate::cube::{Face, ReadError};

/// An error in the text of a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum GoalError {
    /// The text is empty.
    #[error("the goal is empty; name one, as in cross, 2x2x2:DLF or `UF UR DFR`")]
    Empty,
    /// An unknown name: not a goal, piece or group.
    #[error(
        "`{0}` is neither a goal, a piece nor a position; goals are {names}, pieces are written as UF or DFR",
        names = NAMED_GOALS.map(|named| named.name).join(", ")
    )]
    Unknown(String),
    /// A step of a method instead of a goal, and the goal with which it ends.
    #[error("`{step}` is no goal but a step; what it ends with is {ends}")]
    StepName { step: String, ends: &'static str },
    /// A word that is not a name, but could be moves without spaces.
    #[error(
        "`{0}` is neither a goal nor a piece; write moves with blanks between them, and goals as in cross, 2x2x2:DLF or `UF DFR`"
    )]
    UnspacedMoves(String),
    /// An unknown variant of a goal.
    #[error("{}; its places are {places}", no_place(name, place))]
    UnknownVariant { name: String, place: String, places: String },
    /// A missing variant: one of several items has several variants.
    #[error("`{name}` is beside other items and needs a place; write {name}:{usual}")]
    MissingVariant { name: String, usual: String },
    /// A goal of the whole cube combined with other items.
    #[error("`{0}` stands for the whole cube; leave out what else is asked")]
    WholeCube(String),
    /// Alternatives that are not variants of one goal.
    #[error(
        "`{0}` and `{1}` are different kinds of goals; alternatives are places of one goal, or positions: ask for these one by one"
    )]
    Alternatives(String, String),
    /// Invalid facelets or moves of a position.
    #[error(transparent)]
    Position(#[from] ReadError),
    /// A goal in braces or parentheses, where pieces are expected.
    #[error("`{0}` is a goal, and brackets hold pieces, as UF or DFR, edges or corners")]
    GoalInBrackets(String),
    /// An unclosed parenthesis or brace.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// A number of facelets other than 54.
    #[error("a goal of facelets has 54 of them, each U R F D L B or a dot; this has {0}")]
    Facelets(usize),
    /// An invalid character among facelets.
    #[error("`{0}` is no facelet; each is U R F D L B or a dot")]
    InvalidFacelet(String),
    /// A combination of colors that no piece has.
    #[error("{0} shows colors that no piece has together; replace one by a dot")]
    ImpossibleColors(String),
    /// A center with another color than its face.
    #[error("the center of {0} is not {0}; a goal is seen with each center on its own face")]
    Center(Face),
    /// The subgroup of half turns combined with more constraints on corners.
    #[error("htr stands for all corners; leave out what else is asked of them")]
    HalfTurns,
    /// Constraints that no position satisfies.
    #[error(
        "no position meets this goal: pieces have no slot left, or one would be flipped, twisted or swapped alone; leave out a condition"
    )]
    Impossible,
}

fn no_place(name: &str, place: &str) -> String {
    match place {
        "" => format!("`{name}:` is without its place"),
        place => format!("`{name}` has no place `{place}`"),
    }
}

//! Why a text is not a goal.

use super::names::NAMES;
use crate::cube::{Face, ReadError};

/// Why a text is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum GoalError {
    /// Nothing is asked.
    #[error("the goal is empty; name one, as in cross, 2x2x2:DLF or `UF UR DFR`")]
    Empty,
    /// No goal, piece or group has this name.
    #[error(
        "`{0}` is neither a goal, a piece nor a position; goals are {names}, pieces are written as UF or DFR",
        names = NAMES.map(|named| named.name).join(", ")
    )]
    Unknown(String),
    /// A step of cubers, and the goal with which it ends.
    #[error("`{step}` is no goal but a step; what it ends with is {ends}")]
    Step { step: String, ends: &'static str },
    /// A word that is no name, but could be moves without blanks.
    #[error(
        "`{0}` is neither a goal nor a piece; write moves with blanks between them, and goals as in cross, 2x2x2:DLF or `UF DFR`"
    )]
    Word(String),
    /// The goal has no such place.
    #[error("{}; its places are {places}", no_place(name, place))]
    NoSuchPlace { name: String, place: String, places: String },
    /// One of several items has several places.
    #[error("`{name}` is beside other items and needs a place; write {name}:{usual}")]
    PlaceMissing { name: String, usual: String },
    /// A goal of the whole cube beside other items.
    #[error("`{0}` stands for the whole cube; leave out what else is asked")]
    WholeCube(String),
    /// Alternatives of which one is not the other in another place.
    #[error(
        "`{0}` and `{1}` are different kinds of goals; alternatives are places of one goal, or positions: ask for these one by one"
    )]
    Alternatives(String, String),
    /// 54 facelets that are no position.
    #[error(transparent)]
    Position(#[from] ReadError),
    /// A goal where pieces are named.
    #[error("`{0}` is a goal, and brackets hold pieces, as UF or DFR, edges or corners")]
    GoalInBrackets(String),
    /// A bracket that is not closed.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// There are not 54 facelets.
    #[error("a goal of facelets has 54 of them, each U R F D L B or a dot; this has {0}")]
    Facelets(usize),
    /// A sign among facelets that is none.
    #[error("`{0}` is no facelet; each is U R F D L B or a dot")]
    NoFacelet(String),
    /// A slot shows colours that no piece has.
    #[error("{0} shows colours that no piece has together; replace one by a dot")]
    NoPiece(String),
    /// A centre has another colour than that of its face.
    #[error("the centre of {0} is not {0}; a goal is seen with each centre on its own face")]
    Centre(Face),
    /// The subgroup of half turns with more conditions on corners.
    #[error("htr stands for all corners; leave out what else is asked of them")]
    HalfTurns,
    /// Nothing meets all conditions.
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

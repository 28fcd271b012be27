//! Errors of parsing a goal.

use super::names::NAMED_GOALS;
use crate::cube::{Face, ParseError};

/// An error in the text of a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum GoalError {
    /// The text is empty.
    #[error("the goal is empty; use, for example, cross, 2x2x2:DLF or `UF UR DFR`")]
    Empty,
    /// An unknown name: not a goal, piece or group.
    #[error(
        "`{0}` is not a goal, a piece or a position; use one of the goals {names}, or pieces such as UF and DFR",
        names = NAMED_GOALS.map(|named| named.name).join(", ")
    )]
    Unknown(String),
    /// A step of a method instead of a goal, and the goal with which it ends.
    #[error("`{step}` is a step, not a goal; to solve through this step, use {ends}")]
    StepName { step: String, ends: &'static str },
    /// A word that is not a name, but could be moves without spaces.
    #[error(
        "`{0}` is not a goal or a piece; separate moves by spaces, and write goals such as cross, 2x2x2:DLF or `UF DFR`"
    )]
    UnspacedMoves(String),
    /// An unknown variant of a goal.
    #[error("{}; {variants}", no_variant(name, variant))]
    UnknownVariant {
        name: String,
        variant: String,
        variants: String,
    },
    /// An item that has several variants is combined with others, and does not name one.
    #[error(
        "`{name}` needs a variant if it is combined with other items; write, for example, {name}:{default}"
    )]
    MissingVariant { name: String, default: String },
    /// A goal of the whole cube combined with other items.
    #[error("`{0}` is the whole cube, so it cannot be combined with other items; remove them")]
    WholeCube(String),
    /// Alternatives that are not variants of one goal.
    #[error(
        "`{0}` and `{1}` are different kinds of goals, but alternatives are variants of one goal, or positions; search for each goal separately"
    )]
    Alternatives(String, String),
    /// Invalid facelets or moves of a position.
    #[error(transparent)]
    Position(#[from] ParseError),
    /// A goal in braces or parentheses, where pieces are expected.
    #[error(
        "`{0}` is a goal, but braces and parentheses may contain only pieces; write pieces such as UF or DFR, edges or corners"
    )]
    GoalInBrackets(String),
    /// An unclosed parenthesis or brace.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// A number of facelets other than 54.
    #[error(
        "a painted goal has 54 facelets, but this one has {0}; write U, R, F, D, L, B or a dot for each"
    )]
    Facelets(usize),
    /// An invalid character among facelets.
    #[error("`{0}` is not a facelet; use U, R, F, D, L, B or a dot")]
    InvalidFacelet(String),
    /// A combination of colors that no piece has.
    #[error("{0} has a combination of colors that no piece has; replace one of them by a dot")]
    ImpossibleColors(String),
    /// A center with another color than its face.
    #[error(
        "the center of face {0} has another color; give the facelets with every center on its own face"
    )]
    Center(Face),
    /// The subgroup of half turns combined with more constraints on corners.
    #[error("htr already constrains all corners; remove the other constraints on corners")]
    HalfTurns,
    /// Constraints that no position satisfies.
    #[error(
        "no position satisfies this goal: some piece has no free slot, or a single one would be flipped, twisted or swapped; remove a constraint"
    )]
    Impossible,
}

fn no_variant(name: &str, variant: &str) -> String {
    match variant {
        "" => format!("`{name}:` lacks a variant"),
        variant => format!("`{name}` has no variant `{variant}`"),
    }
}

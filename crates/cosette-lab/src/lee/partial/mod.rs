//! Heuristics from partial problems (Lee 2013).
//!
//! A partial problem sees some facelets only. What it sees of a position, the *painted* position, follows every move, so it has
//! its own distance from what it sees of the solved position, and that is a lower bound of the position's. The distance is known near
//! solved, from a backward space that is stored once, and near an instance, from a forward space that is made for it and into
//! which the distances of the backward space are carried ([`forward`]). The bound is the greatest of what several problems
//! say.
//!
//! Which facelets the paper selects, it says by numbers of faces and facelets that it does not explain. Read here
//! ([`selection`]): the facelets of a face, in the colour of that face, one like the other. A facelet's number is not seen, or
//! seeing two faces would mean knowing every cubie on them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`selection`] | which facelets are seen |
//! | [`painting`] | painted positions and their numbers |
//! | `sides` | symmetry classes of painted positions |
//! | [`ball`] | all numbers within some moves |
//! | `marks` | a set that sometimes contains what was not put in |
//! | [`problem`] | a partial problem with its backward space |
//! | [`forward`] | the forward space of an instance |
//! | [`partials`] | several problems together |

pub mod ball;
pub mod forward;
mod marks;
pub mod painting;
pub mod partials;
pub mod problem;
pub mod selection;
mod sides;

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

pub mod ball;
pub mod forward;
pub mod painting;
pub mod partials;
pub mod problem;
pub mod selection;
mod symmetries;

//! The tables of the paper, one experiment each.

mod hashing;
mod partial;
mod search;

pub use hashing::{Sizes, absence, space, times};
pub use partial::partial;
pub use search::search;
